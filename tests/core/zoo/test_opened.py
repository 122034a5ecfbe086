"""Models that are opened from folders: which there are, and how many bytes of weights stay."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from routescope import zoo
from routescope.zoo import opened
from routescope.zoo.checkpoint import CheckpointError
from routescope_app.api.schemas.base import ModelId
from tests.core.nn.adapters.families import model_of


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("ROUTESCOPE_DATA_DIR", str(tmp_path / "data"))
    for name in ("first", "second model"):
        model_of("olmoe").save_pretrained(tmp_path / "models" / name)
    yield tmp_path / "models"
    opened.use(())


def test_folders_of_models_are_models(folders: Path) -> None:
    assert zoo.opened_configs() == {}
    opened.use([folders])
    assert set(zoo.opened_configs()) == {"first", "second-model"} < set(zoo.ids())
    info, model = zoo.info("first"), zoo.load("first")
    assert (info.id, info.inputs, info.units, info.revision) == ("first", "text", model.all_units, model.revision)
    assert zoo.load("first") is model and zoo.load("second-model") is not model
    opened.use([folders / "first"])
    assert set(zoo.opened_configs()) == {"first"}
    with pytest.raises(zoo.UnknownModel, match="second-model"):
        zoo.load("second-model")


def test_a_model_says_which_routing_is_unverified(folders: Path) -> None:
    """JetMoE calls its experts with groups of tokens, whose numbers are not compared."""
    model_of("jetmoe").save_pretrained(folders / "grouped")
    opened.use([folders])
    info = zoo.info("grouped")
    assert info.mute_refusal is None and str(info.unverified_routing).startswith("l1a: no experts are known whose")
    assert zoo.info("first").unverified_routing is None


def test_a_model_of_the_same_name_as_another_gets_another_one(folders: Path, tmp_path: Path) -> None:
    shutil.copytree(folders / "first", tmp_path / "moe-bytes")
    shutil.copytree(folders / "first", tmp_path / "more" / "first")
    opened.use([tmp_path / "moe-bytes", folders / "first", tmp_path / "more"])
    assert set(zoo.opened_configs()) == {"moe-bytes-opened", "first", "first-2"}
    assert zoo.load("moe-bytes").architecture == "mixture"
    assert zoo.load("moe-bytes-opened").id == "moe-bytes-opened"


def test_every_folder_has_a_name_that_the_api_takes(tmp_path: Path) -> None:
    names = ["_mine", "\u6a21\u578b", "mod\u00e8le 2", "x" * 200, "\u6a21"]
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text("{}")
    try:
        opened.use([tmp_path / name for name in names])
        assert list(opened.configs()) == ["mine", "model", "mod-le-2", "x" * 64, "model-2"]
        assert all(TypeAdapter(ModelId).validate_python(name) for name in zoo.opened_configs())
    finally:
        opened.use(())


def test_weights_stay_within_their_bytes(folders: Path) -> None:
    size = sum(p.nbytes for p in model_of("olmoe").parameters())
    opened.use([folders], size)
    first = zoo.load("first")
    assert zoo.load("first") is first
    second = zoo.load("second-model")
    assert zoo.load("second-model") is second and zoo.load("first") is not first
    opened.use([folders], size - 1)
    with pytest.raises(CheckpointError, match="first has 0 MiB of weights, and models .* may have 0 MiB in memory"):
        zoo.load("first")


def test_a_folder_that_cannot_be_opened_says_why(folders: Path) -> None:
    (folders / "first" / "model.safetensors").rename(folders / "first" / "model.bin")
    opened.use([folders])
    with pytest.raises(CheckpointError, match="in model.bin, a pickle"):
        zoo.info("first")


def test_a_model_that_changed_is_read_again(folders: Path) -> None:
    opened.use([folders])
    before = zoo.load("first").revision
    model_of("olmoe", seed=1).save_pretrained(folders / "first")
    assert zoo.load("first").revision != before
