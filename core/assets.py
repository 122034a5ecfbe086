"""Where bundled files and the user's own data lie."""

import os
from pathlib import Path

#: Bundled files: checkpoints with their cards, results, samples and what the browser fetches.
ASSETS = Path(os.environ.get("ROUTESCOPE_ASSETS", Path(__file__).resolve().parent.parent / "assets"))


def data_dir() -> Path:
    """The folder for everything that a user makes; it is created when it is missing.

    Set it with the environment variable ``ROUTESCOPE_DATA_DIR``.
    """
    folder = Path(os.environ.get("ROUTESCOPE_DATA_DIR", Path.home() / ".local" / "share" / "routescope"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
