"""ni-boolean on a tiny network: which parameters learn, what is scored, what an interrupted run goes on from."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from routescope import assets
from routescope.data import NumberSet, load
from routescope.experiments import reproduce
from routescope.experiments.ni_boolean import (
    ADAPTATIONS,
    EXPERIMENT,
    PRETRAINING,
    SLOWLY,
    Adaptation,
    Settings,
    adapt,
)
from routescope.experiments.shared.frame import Extent
from routescope.nn.interpreter.network import NeuralInterpreter
from routescope.training.recipes.networks import RECIPES
from routescope.training.tasks.numbers import explained

BRIEF = Settings(functions=2, points=64, epochs=2, learning_rate=1e-2, batch_size=32)
SMALL = replace(EXPERIMENT, settings=BRIEF, full=None)  # the id, and with it the module, stays


def tiny() -> NeuralInterpreter:
    torch.manual_seed(3)
    config = replace(
        RECIPES["ni-boolean"].config, features=8, code_features=6, type_features=4, functions=2, key_features=4,
        type_inference_width=8, iterations=1, target_means=(0.5,) * 20,
    )  # fmt: skip
    network = NeuralInterpreter(config).eval()
    network.id, network.revision = "ni-boolean", "tiny"
    return network


@pytest.fixture(scope="module")
def network() -> NeuralInterpreter:
    return tiny()


@pytest.fixture(scope="module")
def record(network: NeuralInterpreter, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("ni-boolean")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assets, "data_dir", lambda: folder / "data")
        return reproduce(SMALL, folder=folder, load_model=lambda _: network)[0]


def new_sets(split: str) -> list[NumberSet]:
    return [points(k, split) for k in (21, 22)]


def points(function: int, split: str) -> NumberSet:
    found = load(f"boolean-{function:02d}", split, limit=64)
    assert isinstance(found, NumberSet)
    return found


@pytest.mark.parametrize("words", ADAPTATIONS)
def test_what_does_not_learn_stays_as_it_was(words: str, network: NeuralInterpreter, tmp_path: Path) -> None:
    learned = ADAPTATIONS[words].parts
    own = adapt(network, new_sets("train"), BRIEF, ADAPTATIONS[words], tmp_path, new_sets("validation"))
    assert isinstance(own, NeuralInterpreter)
    before = network.parts()
    for part, parameters in own.parts().items():
        moved = [
            not torch.equal(now, then)
            for now, then in zip(parameters, before[part], strict=True)
            if now.shape == then.shape
        ]
        if part not in learned:
            assert not any(moved), part
        elif part != "cls":
            assert any(moved), part
    assert own.cls.shape[0] == 2 and not own.training


def test_the_sets_of_parameters_widen_to_everything(network: NeuralInterpreter) -> None:
    sets = [set(each.parts) for each in ADAPTATIONS.values()]
    assert sets[0] < sets[1] < sets[2] == sets[3] == set(network.parts())
    assert ADAPTATIONS[SLOWLY].rate == RECIPES["ni-boolean"].settings.learning_rate < Settings().learning_rate
    assert [each.rate for each in list(ADAPTATIONS.values())[:3]] == [None] * 3, "as printed"


def test_figures_are_those_of_the_table_and_of_the_network(record: dict[str, Any], network: NeuralInterpreter) -> None:
    rows = record["tables"]["functions"]
    known = [points(k, "test") for k in range(1, 21)]
    expected = explained(network, known)
    first = [row["R2"] for row in rows if row["parameters"] == PRETRAINING]
    assert first == pytest.approx(list(expected.values()))
    for words in (PRETRAINING, *ADAPTATIONS):
        values = [row["R2"] for row in rows if row["parameters"] == words]
        mean, spread = (
            next(f for f in record["figures"] if f["where"]["parameters"] == words and f["name"] == name)
            for name in ("R2, mean", "R2, standard deviation over functions")
        )
        assert mean["value"] == pytest.approx(np.mean(values)) and spread["value"] == pytest.approx(
            np.std(values, ddof=1)
        )
        assert mean["paper"] is None, "a run on few points stands beside no printed number"
    assert len(record["tables"]["expressions"]) == 22
    assert sum("from print" in note for note in record["notes"]) == 1 + len(ADAPTATIONS)


def test_an_interrupted_run_ends_as_one_that_was_not(
    record: dict[str, Any], network: NeuralInterpreter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assets, "data_dir", lambda: tmp_path / "data")

    def stop(done: int, _total: int, _words: str) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reproduce(SMALL, folder=tmp_path, load_model=lambda _: network, progress=stop)
    again, _ = reproduce(SMALL, folder=tmp_path, load_model=lambda _: network)
    assert again["measurements"]["from_an_interrupted_run"] == 2
    assert again["tables"] == record["tables"]


def test_other_networks_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="share a head"):
        adapt(
            NeuralInterpreter(replace(tiny().config, shared_head=False)),
            new_sets("train"),
            BRIEF,
            Adaptation(("cls",)),
            tmp_path,
        )


def test_the_usual_run_is_the_printed_adaptation_and_the_full_one_trains_first() -> None:
    usual, whole = EXPERIMENT.settings_of(), EXPERIMENT.settings_of(Extent(full=True))
    assert (usual.functions, usual.epochs, usual.learning_rate, usual.batch_size, usual.points) == (
        10,
        3,
        0.05,
        128,
        None,
    )
    assert whole == replace(usual, model=None)
