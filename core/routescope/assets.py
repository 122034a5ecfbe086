"""Folders of bundled files, of libraries and of the user's data; libraries that an extra of the package brings."""

import os
import sys
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


#: Extra of the package -> modules that it brings. Code that needs one of them calls ``require`` before the import.
EXTRAS = {
    "transformers": ("tokenizers", "transformers"),
    "data": ("datasets", "mlxtend", "pyarrow"),
    "analysis": ("openTSNE", "scipy", "sklearn", "sknetwork", "umap"),
    "notebook": ("anywidget",),
    "train": ("kornia", "lightning", "pytorch_optimizer"),
    "app": ("alembic", "brotli", "dash", "fastapi", "pydantic_settings", "sqlalchemy", "uvicorn"),
    "bucket": ("botocore", "s3fs"),
    "cluster": ("psycopg", "ray"),
    "telemetry": ("opentelemetry",),
}


class MissingLibrary(ModuleNotFoundError):
    """A library of an extra is not installed; the message has the command that installs it."""


def require(*modules: str) -> None:
    """Check that modules are installed, without importing them; raises MissingLibrary."""
    for name in modules:
        if sys.modules.get(name) is None and find_spec(name) is None:
            extra = next((extra for extra, brought in EXTRAS.items() if name in brought), None)
            package = name if extra is None else f"'routescope[{extra}]'"
            raise MissingLibrary(f"{name} is not installed: pip install {package}", name=name)


def folder_of(package: str) -> Path:
    """Return the folder of an installed package, whose files can be read without importing it.

    Raises:
        MissingLibrary: it is not installed, or it is a module of one file.
    """
    require(package)
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise MissingLibrary(f"{package} has no folder", name=package)
    return Path(next(iter(spec.submodule_search_locations)))


def installed_version() -> str:
    """Return the version of this package; "0+unknown" in a source tree that was never installed."""
    try:
        return version("routescope")
    except PackageNotFoundError:
        return "0+unknown"
