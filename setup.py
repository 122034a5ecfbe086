"""A wheel carries the bundled files beside the code, as ``core/_assets``; everything else is in pyproject.toml.

An editable install needs no copy: ``core.assets`` finds them in the checkout.
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ASSETS = Path(__file__).resolve().parent / "assets"
#: What only the documents show.
LEFT_OUT = ("screenshots",)


class WithAssets(build_py):
    """Builds the packages, then puts the bundled files into one of them."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            target = Path(self.build_lib) / "core" / "_assets"
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(ASSETS, target, ignore=shutil.ignore_patterns(*LEFT_OUT))


setup(cmdclass={"build_py": WithAssets})
