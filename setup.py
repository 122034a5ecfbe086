"""A wheel carries the bundled files and the documents beside the code, as ``routescope/_assets`` and
``routescope/_docs``.

Everything else is in pyproject.toml. An editable install needs no copy: ``routescope.assets`` finds them in the
checkout.
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
#: Folders of the checkout, and what they are called inside the package.
CARRIED = {"assets": "_assets", "docs": "_docs"}


class WithAssets(build_py):
    """Builds the packages, then puts the bundled files and the documents into one of them."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            for folder, name in CARRIED.items():
                target = Path(self.build_lib) / "routescope" / name
                shutil.rmtree(target, ignore_errors=True)
                shutil.copytree(ROOT / folder, target)


setup(cmdclass={"build_py": WithAssets})
