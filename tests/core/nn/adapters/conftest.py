"""A tiny Mixtral in a folder, and a copy of it that a test may change."""

import shutil
from pathlib import Path

import pytest

from tests.core.nn.adapters.families import model_of


@pytest.fixture(scope="session")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "mine"
    model_of("mixtral").save_pretrained(folder)
    return folder


@pytest.fixture
def folder(saved: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(saved, tmp_path / "mine"))
