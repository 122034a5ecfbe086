"""Trained networks in less place: what their cards say then, and when nothing is changed."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from routescope import assets
from routescope.experiments.shared.schema import record_files, text_of
from routescope.nn.blocks.config import BlockFNNConfig
from routescope.training.recipes.blocks import sizes_of
from routescope.training.recipes.networks import RECIPES
from routescope.training.tasks.registry import TASKS
from routescope.zoo import cards, checkpoint
from routescope.zoo.storing import OF_TRAINING, FigureChange, NotAlike, compared, store_as_integers
from tests.core.routing.small import small
from tests.core.zoo.test_catalogue import FACTS

BUNDLED = assets.ASSETS / "checkpoints"
KIND = TASKS["blocks"]
CONFIG = BlockFNNConfig(**sizes_of("addmul"), hidden=80)
INTEGERS = sorted(path.parent.name for path in BUNDLED.glob("*/card.json") if "stored" in json.loads(path.read_text()))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A network that is large enough to be rounded, with its card."""
    made = tmp_path / "mine"
    model = small("block_fnn", **sizes_of("addmul"), hidden=80)
    checkpoint.save(model, made / "model.safetensors", {"name": "mine"})
    cards.write(made, "mine", {}, FACTS | {"history": [{"step": 0}]}, KIND)
    return made


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def changed(folder: Path, **facts: Any) -> dict[str, Any]:
    """The card in a folder with other facts, written there."""
    card = {**json.loads((folder / "card.json").read_text()), **facts}
    cards.keep(folder, card, KIND, CONFIG)
    return card


def test_a_network_is_stored_in_less_place_and_its_card_says_so(folder: Path) -> None:
    before = changed(folder, date="2020-01-01", machine="another", versions={"torch": "0.0"})
    model = checkpoint.load(folder / "model.safetensors")
    size = (folder / "model.safetensors").stat().st_size
    card = store_as_integers(folder, {}, KIND)
    assert set(contents(folder)) == {"model.safetensors", "card.json", "README.md"}
    assert json.loads((folder / "card.json").read_text()) == card
    assert (folder / "README.md").read_text() == cards.for_people(card, KIND, CONFIG)
    again, stored = checkpoint.load(folder / "model.safetensors"), card["stored"]
    assert stored["bytes"] == (folder / "model.safetensors").stat().st_size < 0.6 * size
    assert stored["bytes_before"] == size
    assert stored["as"] == "int8"
    assert card["revision"] == again.revision != stored["revision_before"] == before["revision"]
    assert any(not again.state_dict()[name].equal(tensor) for name, tensor in model.state_dict().items())
    assert all(card[fact] == before[fact] for fact in OF_TRAINING), "when, where and how it was trained stays"
    assert stored["date"] > "2020" and stored["versions"]["torch"] != "0.0"
    written = cards.write(folder, "mine", {}, FACTS, KIND)
    assert written["accuracies"] == card["accuracies"], "its figures are those of the rounded weights"
    for figure, old, new in zip(stored["figures"], before["accuracies"], card["accuracies"], strict=True):
        assert figure["what"] == old["data"] and figure["now"] == new["accuracy"]
        assert (figure["before"], figure["low"], figure["high"]) == (old["accuracy"], old["low"], old["high"])
        assert figure["low"] <= figure["now"] <= figure["high"]
        row = f"| {old['data']} | {old['accuracy']:.2%} | {old['low']:.2%} to {old['high']:.2%} | {figure['now']:.2%} |"
        assert row in cards.for_people(card, KIND, CONFIG)


def test_nothing_changes_where_a_figure_would_leave_its_interval(folder: Path) -> None:
    (first, *others) = json.loads((folder / "card.json").read_text())["accuracies"]
    changed(folder, accuracies=[first | {"accuracy": 0.99, "low": 0.98, "high": 1.0}, *others])
    before = contents(folder)
    reason = re.escape(f"mine is not what it was: {first['data']}: ") + r"\d+\.\d\d%, not 98\.00% to 100\.00%"
    with pytest.raises(NotAlike, match=reason):
        store_as_integers(folder, {}, KIND)
    assert contents(folder) == before


def test_nothing_changes_where_figures_are_of_other_samples_or_of_another_network(folder: Path) -> None:
    card = json.loads((folder / "card.json").read_text())
    first, *others = card["accuracies"]
    for accuracies in ([first], [first | {"count": 151}, *others], [first | {"data": "Real ones"}, *others]):
        changed(folder, accuracies=accuracies)
        before = contents(folder)
        with pytest.raises(NotAlike, match=r"the card's figures are of .*; scored now: Addition"):
            store_as_integers(folder, {}, KIND)
        assert contents(folder) == before
    changed(folder, accuracies=card["accuracies"], revision="0" * 16)
    with pytest.raises(NotAlike, match=f"of revision {'0' * 16}, the checkpoint of {card['revision']}"):
        store_as_integers(folder, {}, KIND)
    changed(folder, revision=card["revision"])
    store_as_integers(folder, {}, KIND)
    with pytest.raises(NotAlike, match="stored as int8 already"):
        store_as_integers(folder, {}, KIND)


def test_kinds_of_statements_are_compared_too() -> None:
    def figures(whole: float, short: float, long: float) -> list[dict[str, Any]]:
        kinds = [
            {"kind": kind, "accuracy": value, "low": value - 0.1, "high": value + 0.1, "count": 5}
            for kind, value in (("short", short), ("long", long))
        ]
        return [
            {"data": "S", "accuracy": whole, "low": whole - 0.05, "high": whole + 0.05, "count": 9, "by_kind": kinds}
        ]

    found = list(compared(figures(0.5, 0.4, 0.6), figures(0.54, 0.51, 0.5)))
    assert found == [
        FigureChange("S", 0.5, 0.45, 0.55, 0.54),
        FigureChange("S, short", 0.4, pytest.approx(0.3), 0.5, 0.51),
        FigureChange("S, long", 0.6, 0.5, pytest.approx(0.7), 0.5),
    ]
    assert [each.within for each in found] == [True, False, True]
    with pytest.raises(NotAlike, match=r"of short \(5\), long \(5\); scored now: nothing"):
        list(compared(figures(0.5, 0.4, 0.6), [{**figures(0.5, 0.4, 0.6)[0], "by_kind": []}]))


@pytest.mark.parametrize("name", INTEGERS)
def test_cards_of_bundled_networks_say_what_rounding_changed(name: str) -> None:
    """The figures themselves are measured by ``scripts/store_as_integers.py``; here they are held together."""
    folder = BUNDLED / name
    card = json.loads((folder / "card.json").read_text())
    stored, path = card["stored"], folder / "model.safetensors"
    assert card["revision"] == checkpoint.revision(path) and stored["bytes"] == path.stat().st_size
    assert stored["bytes"] < 0.6 * stored["bytes_before"]
    kinds = [[each, *each.get("by_kind", ())] for each in card["accuracies"]]
    assert [figure["now"] for figure in stored["figures"]] == [each["accuracy"] for own in kinds for each in own]
    assert all(FigureChange(**figure).within for figure in stored["figures"])
    kind, config = TASKS[RECIPES[name].data], checkpoint.load(path).config
    assert (folder / "README.md").read_text() == cards.for_people(card, kind, config)


def test_records_are_of_the_bundled_networks() -> None:
    revisions = {path.parent.name: checkpoint.revision(path) for path in BUNDLED.glob("*/model.safetensors")}
    for path in record_files():
        used = json.loads(text_of(path))["models"]
        there = [each for each in used if each["id"] in revisions]
        others = {each["id"].partition("-seed-")[0] for each in used if each not in there}
        assert others <= RECIPES.keys(), "a command makes the others"
        assert [each["revision"] for each in there] == [revisions[each["id"]] for each in there], path.name
