"""``routescope train`` with families: every rung once, those that are there left alone."""

import json
from pathlib import Path
from typing import Any

import pytest

from routescope.training import fit as training
from routescope.training.recipes.networks import FAMILIES, LADDER, RECIPES
from routescope.training.settings import TrainingSettings
from tests.core.cli.program import refused, run_json, words_of


@pytest.fixture
def trained(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, TrainingSettings, dict[str, str]]]:
    """Every training that was asked for: recipe, settings, sources."""
    asked: list[tuple[str, TrainingSettings, dict[str, str]]] = []

    def train(name: str, sources: dict[str, str], settings: Any, folder: Path, resume: bool) -> Path:
        asked.append((name, settings, sources))
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "model.safetensors").write_text(str(len(asked)))
        accuracy = {"data": "MNIST", "stand_in": False, "held_out": True, "accuracy": 0.5, "low": 0.4, "high": 0.6}
        (folder / "card.json").write_text(json.dumps({"name": name, "accuracies": [accuracy]}))
        return folder

    monkeypatch.setattr(training, "train", train)
    return asked


def test_a_family_is_trained_rung_by_rung_into_folders_of_their_own(tmp_path: Path, trained: list[Any]) -> None:
    cards = run_json("train", "nac-images", "--steps", 7, "-o", tmp_path)
    assert [name for name, *_ in trained] == [card["name"] for card in cards] == list(LADDER)
    assert {settings.steps for _, settings, _ in trained} == {7}
    assert sorted(path.parent.name for path in tmp_path.glob("*/model.safetensors")) == sorted(LADDER)


def test_what_is_there_is_left_alone(tmp_path: Path, trained: list[Any]) -> None:
    run_json("train", "nac-images", "--only", "nac-frozen", "-o", tmp_path)
    run_json("train", "nac-images", "--only", "nac-frozen", "--only", "pio-modfc", "-o", tmp_path)
    assert [name for name, *_ in trained] == ["nac-frozen", "pio-modfc"]
    run_json("train", "nac-images", "--only", "nac-frozen", "--restart", "-o", tmp_path)
    assert [name for name, *_ in trained] == ["nac-frozen", "pio-modfc", "nac-frozen"]


def test_another_seed_has_a_model_of_its_own(
    tmp_path: Path, trained: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROUTESCOPE_DATA_DIR", str(tmp_path))
    folders = [run_json("train", name, "--seed", seed)["folder"] for name, seed in (("ni-digits", 0), ("ni-digits", 2))]
    assert folders == [str(tmp_path / "checkpoints" / name) for name in ("ni-digits", "ni-digits-seed-2")]
    assert [settings.seed for _, settings, _ in trained] == [0, 2]


def test_pictures_choose_the_recipes_for_pictures(tmp_path: Path, trained: list[Any]) -> None:
    options = ("--data", f"images={tmp_path}", "-o", tmp_path / "out")
    run_json("train", "nac-images", "--only", "nac-erdos-renyi-images", *options)
    run_json("train", "nac-images-printed", "--only", "perceiver-io-printed", "--steps", 3, *options)
    sources = {"images": str(tmp_path)}
    assert trained[0] == ("nac-erdos-renyi-images", RECIPES["nac-erdos-renyi-images"].settings, sources)
    name, settings, given = trained[1]
    assert (name, given) == ("perceiver-io-printed", sources)
    settings = settings.for_data(100_000)
    assert (settings.steps, settings.warmup_steps) == (3, 0)
    assert "nac-scale-free" in refused("train", "nac-images", "--only", "nac-scale-free", *options)


def test_one_recipe_has_one_card_and_says_what_was_held_out(tmp_path: Path, trained: list[Any]) -> None:
    assert "MNIST, held out: 50.0 % (40.0 to 60.0)" in words_of("train", "nac-scale-free", "-o", tmp_path)
    assert run_json("train", "nac-scale-free", "-o", tmp_path)["name"] == "nac-scale-free"
    assert len(trained) == 2


def test_an_unknown_name_lists_families_and_recipes() -> None:
    said = refused("train", "nothing")
    for name in (*FAMILIES, *RECIPES):
        assert (name in said) is (name not in FAMILIES["ni-pgm-sweep"]), "the family stands for its draws"
