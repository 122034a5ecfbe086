"""``deploy/constraints.txt`` has an accepted version of every package that the image installs."""

import re
from importlib import metadata

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.lock_python import EXTRAS, PLACE, ROOT, closure, requirements


@pytest.mark.parametrize("asked", requirements(*EXTRAS))
def test_requirements_have_a_version_that_they_accept(asked: str) -> None:
    lines = [line for line in PLACE.read_text().splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.]*", line) for line in lines)
    requirement = Requirement(asked)
    version = dict(line.split("==") for line in lines)[canonicalize_name(requirement.name)]  # type: ignore[misc]
    assert requirement.specifier.contains(version), f"{asked} is not met by {version}: python -m scripts.lock_python"


def test_a_closure_has_all_that_packages_and_their_extras_need() -> None:
    outcome = closure(["httpx>=0.28"])
    assert {"httpx", "httpcore", "h11", "anyio", "idna", "certifi"} <= set(outcome)
    assert outcome["h11"] == metadata.version("h11") and "pytest" not in outcome
    assert "psycopg-binary" in closure(["psycopg[binary]"]) and "psycopg-binary" not in closure(["psycopg"])
    with pytest.raises(metadata.PackageNotFoundError):
        closure(["no-such-package-at-all"])


def test_the_image_installs_with_constraints() -> None:
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    installs = [line for line in text.splitlines() if line.startswith("RUN pip install")]
    assert len(installs) == 2 and all("--constraint deploy/constraints.txt" in line for line in installs)
    assert f'--editable ".[{",".join(EXTRAS)}]"' in text
