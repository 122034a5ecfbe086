"""ni-boolean on a tiny network: which parameters learn, what is scored, and the printed settings."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from routescope.data import load
from routescope.data.numbers.sets import NumberSet
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
from tests.core.experiments.small import Made, regressor, small

BRIEF = small("ni-boolean").settings


def points(split: str, *functions: int) -> list[NumberSet]:
    return [load(f"boolean-{function:02d}", split, limit=64) for function in functions]  # type: ignore[misc]


@pytest.mark.parametrize("words", ADAPTATIONS)
def test_only_the_named_parameters_learn(words: str, tmp_path: Path) -> None:
    network, learned = regressor(), ADAPTATIONS[words].parts
    train, validation = points("train", 21, 22), points("validation", 21, 22)
    own = adapt(network, train, BRIEF, ADAPTATIONS[words], tmp_path, validation)
    assert isinstance(own, NeuralInterpreter)
    before = network.parts()
    for part, parameters in own.parts().items():
        pairs = zip(parameters, before[part], strict=True)
        moved = [not torch.equal(now, then) for now, then in pairs if now.shape == then.shape]
        if part != "cls":
            assert any(moved) == (part in learned), part
    assert own.cls.shape[0] == 2 and not own.training
    if words == SLOWLY:
        with pytest.raises(ValueError, match="share a head"):
            adapt(
                NeuralInterpreter(replace(network.config, shared_head=False)), train, BRIEF, Adaptation(("cls",)),
                tmp_path,
            )  # fmt: skip


def test_the_sets_of_parameters_widen_to_everything_at_the_printed_rates() -> None:
    sets = [set(each.parts) for each in ADAPTATIONS.values()]
    assert sets[0] < sets[1] < sets[2] == sets[3] == set(regressor().parts())
    assert ADAPTATIONS[SLOWLY].rate == RECIPES["ni-boolean"].settings.learning_rate < Settings().learning_rate
    assert [each.rate for each in list(ADAPTATIONS.values())[:3]] == [None] * 3
    usual, whole = EXPERIMENT.settings_of(), EXPERIMENT.settings_of(Extent(full=True))
    assert usual == Settings(
        functions=10, epochs=3, learning_rate=0.05, batch_size=128, points=None
    ) and whole == replace(usual, model=None)


@pytest.mark.slow
def test_figures_are_those_of_the_table_and_of_the_network(made: Callable[[str], Made], tmp_path: Path) -> None:
    found = made("ni-boolean")
    first = [row["R2"] for row in found.rows("functions", parameters=PRETRAINING)]
    assert first == pytest.approx(list(explained(regressor(), points("test", *range(1, 21))).values()))
    for words in (PRETRAINING, *ADAPTATIONS):
        values = [row["R2"] for row in found.rows("functions", parameters=words)]
        spread = found.figure("R2, standard deviation over functions", parameters=words)["value"]
        assert found.figure("R2, mean", parameters=words)["value"] == pytest.approx(np.mean(values))
        assert spread == pytest.approx(np.std(values, ddof=1))
    assert len(found.rows("expressions")) == 22
    assert sum("from print" in note for note in found.record["notes"]) == 1 + len(ADAPTATIONS)
    whole, _ = reproduce(small("ni-boolean"), folder=tmp_path, load_model=regressor)
    assert whole["tables"] == found.record["tables"], "an interruption changes nothing"
