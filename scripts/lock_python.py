"""Writes ``deploy/constraints.txt``: the version of every package that the image installs, as the tests ran with it.

Run it in the environment of the tests: ``python -m scripts.lock_python``. The Dockerfile gives the file to pip as
constraints, so what a newer release would bring comes when somebody runs this, and the tests, again.
"""

import tomllib
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
PLACE = ROOT / "deploy" / "constraints.txt"
#: The extras that the image has.
EXTRAS = ("app", "train", "cluster", "bucket", "telemetry")


def requirements(*extras: str) -> tuple[str, ...]:
    """Return the requirements of the package with these extras, as pyproject.toml declares them.

    Extras of this package that an extra names are replaced by their requirements.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted, waiting, expanded = list(project["dependencies"]), list(extras), set[str]()
    while waiting:
        extra = waiting.pop(0)
        for text in [] if extra in expanded else project["optional-dependencies"][extra]:
            requirement = Requirement(text)
            if requirement.name == project["name"]:
                waiting += sorted(requirement.extras)
            else:
                wanted.append(text)
        expanded.add(extra)
    return tuple(dict.fromkeys(wanted))


def closure(requirements: Iterable[str]) -> dict[str, str]:
    """These packages and all that they need here: versions by name, without what names a build (``+cpu``).

    Raises:
        PackageNotFoundError: one of them is not installed.
    """
    found: dict[str, str] = {}
    seen: set[tuple[str, str]] = set()
    waiting = [Requirement(each) for each in requirements]
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        found[name] = Version(metadata.version(name)).public
        for extra in ("", *requirement.extras):
            if (name, extra) in seen:
                continue
            seen.add((name, extra))
            needed = (Requirement(each) for each in metadata.requires(name) or ())
            waiting += [each for each in needed if each.marker is None or each.marker.evaluate({"extra": extra})]
    return dict(sorted(found.items()))


def text() -> str:
    """The file."""
    lines = [f"{name}=={version}" for name, version in closure(requirements(*EXTRAS)).items()]
    return "\n".join(["# Made by python -m scripts.lock_python, in the environment of the tests.", *lines, ""])


if __name__ == "__main__":
    PLACE.write_text(text())
