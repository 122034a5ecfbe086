"""``deploy/constraints.txt``: a version of everything that the image installs, none below a floor."""

import re
from importlib import metadata

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.lock_python import EXTRAS, PLACE, ROOT, closure, requirements


def kept() -> dict[str, str]:
    lines = [line for line in PLACE.read_text().splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.]*", line) for line in lines)
    return dict(line.split("==") for line in lines)  # type: ignore[misc]


@pytest.mark.parametrize("asked", requirements(*EXTRAS))
def test_what_the_project_asks_for_has_a_version_that_it_accepts(asked: str) -> None:
    requirement = Requirement(asked)
    version = kept()[canonicalize_name(requirement.name)]
    assert requirement.specifier.contains(version), (
        f"{requirement} is not met by {version}: python -m scripts.lock_python"
    )


def test_what_a_package_needs_is_followed_to_its_end() -> None:
    outcome = closure(["httpx>=0.28"])
    assert {"httpx", "httpcore", "h11", "anyio", "idna", "certifi"} <= set(outcome)
    assert outcome["h11"] == metadata.version("h11") and "pytest" not in outcome
    with pytest.raises(metadata.PackageNotFoundError):
        closure(["no-such-package-at-all"])


def test_extras_bring_what_they_bring() -> None:
    assert "psycopg-binary" in closure(["psycopg[binary]"]) and "psycopg-binary" not in closure(["psycopg"])
    assert {"psycopg-binary", "ray", "grpcio"} <= set(closure(requirements(*EXTRAS)))


def test_the_image_installs_with_them() -> None:
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    installs = [line for line in text.splitlines() if line.startswith("RUN pip install")]
    assert len(installs) == 2 and all("--constraint deploy/constraints.txt" in line for line in installs)
    assert f'--editable ".[{",".join(EXTRAS)}]"' in text
