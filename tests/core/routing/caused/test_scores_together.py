"""One run of a network answers for all data sets with the same inputs, with the numbers of a run for each."""

import pytest
import torch

from routescope.data import load
from routescope.nn.interpreter.config import NeuralInterpreterConfig
from routescope.nn.interpreter.network import NeuralInterpreter
from routescope.routing import Intervention, Scores, score_batches
from routescope.routing.caused.scores import score_together
from tests.app.serving import NUMBER_SETS


@pytest.fixture(scope="module")
def model() -> NeuralInterpreter:
    torch.manual_seed(0)
    return NeuralInterpreter(
        NeuralInterpreterConfig(
            features=16, code_features=16, type_features=8, type_inference_width=16, scripts=2, iterations=2,
            functions=2, heads=1, key_features=8, tokenizer="numbers", relative_position=None, classes=1,
            shared_head=True, domains=NUMBER_SETS, target_means=(0.5,) * len(NUMBER_SETS),
        )
    ).eval()  # fmt: skip


@pytest.mark.parametrize(
    "change", [None, Intervention(drop=("s1.f1",)), Intervention(mean=("s1.f1",), resample=("s2.f2",))]
)
def test_every_set_has_the_numbers_of_a_run_of_its_own(model: NeuralInterpreter, change: Intervention | None) -> None:
    sets = [load(name, "validation", limit=23) for name in NUMBER_SETS]
    pieces = list(score_together(model, sets, change, first_batch=3, batch_size=8))
    assert {len(piece) for piece in pieces} == {len(sets)}
    for place, dataset in enumerate(sets):
        alone = Scores.join(score_batches(model, dataset, change, first_batch=3, batch_size=8))
        shared = Scores.join(piece[place] for piece in pieces)
        for name in ("value", "loss", "predicted", "weight"):
            assert getattr(shared, name).tobytes() == getattr(alone, name).tobytes(), (dataset.name, name)
        assert shared.measure.name == "R2" and shared.seconds > 0
    assert [piece[0].count for piece in pieces if piece[0].count] == [3, 8, 8, 4]


def test_the_network_runs_once_for_all(model: NeuralInterpreter) -> None:
    sets, runs = [load(name, "validation", limit=12) for name in NUMBER_SETS], []
    handle = model.register_forward_hook(lambda *_: runs.append(1))
    try:
        assert len(list(score_together(model, sets, first_batch=4, batch_size=4))) == 3
    finally:
        handle.remove()
    assert len(runs) == 3


def test_no_data_set_is_refused(model: NeuralInterpreter) -> None:
    with pytest.raises(ValueError, match="at least one data set"):
        score_together(model, [])
