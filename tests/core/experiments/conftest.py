"""Records of small runs, each made once, and a folder of its own for each test's runs."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from routescope import assets
from tests.core.experiments.small import Made, reproduced


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Made]:
    """Return what gives the checked record of an experiment's small run."""
    return cache(lambda name: reproduced(name, tmp_path_factory.mktemp(name)))


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assets, "data_dir", lambda: tmp_path / "data")
