"""Where bundled files, those that libraries carry, and the user's own data lie."""

import os
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

_HERE = Path(__file__).resolve().parent
#: Beside the code in a wheel (setup.py puts them there), beside the folder ``core`` in a checkout.
_BUNDLED = next((folder for folder in (_HERE / "_assets", _HERE.parents[1] / "assets") if folder.is_dir()), _HERE)
#: Bundled files: checkpoints with their cards, results, samples and what the browser fetches.
ASSETS = Path(os.environ.get("ROUTESCOPE_ASSETS", _BUNDLED))
#: The documents, which the page shows; beside the assets in both.
DOCS = next((folder for folder in (_HERE / "_docs", _HERE.parents[1] / "docs") if folder.is_dir()), _HERE)


def data_dir() -> Path:
    """The folder for everything that a user makes; it is created, for that user alone, when it is missing.

    Set it with the environment variable ``ROUTESCOPE_DATA_DIR``.
    """
    folder = Path(os.environ.get("ROUTESCOPE_DATA_DIR", Path.home() / ".local" / "share" / "routescope"))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def folder_of(package: str) -> Path:
    """The folder of an installed package, whose files can be read without importing it.

    Raises:
        ModuleNotFoundError: it is not installed.
    """
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"{package} is not installed", name=package)
    return Path(next(iter(spec.submodule_search_locations)))


def installed_version() -> str:
    """Return the version of this package; "0+unknown" in a source tree that was never installed."""
    try:
        return version("routescope")
    except PackageNotFoundError:
        return "0+unknown"
