"""Scores sample by sample against a plain loop: batches, joining, several sets at once, two people on one model."""

import copy
from itertools import zip_longest
from typing import Any
from unittest import mock

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.utils.flop_counter import FlopCounterMode

from routescope.data import DataError, load
from routescope.nn.interpreter.config import NeuralInterpreterConfig
from routescope.nn.interpreter.network import NeuralInterpreter
from routescope.routing import Intervention, InterventionError, Scores, compute, score, score_together
from routescope.routing.caused.intervals import wilson_interval
from routescope.routing.caused.scores import evaluate
from routescope.routing.compute import flops_per_sample
from routescope.routing.running import pieces
from tests.app.serving import NUMBER_SETS
from tests.core.nn.networks import config, network
from tests.core.routing.small import noise

CHANGES = (None, Intervention(drop=("s1.f1",)), Intervention(mean=("s1.f1",), resample=("s2.f2",)))


@pytest.fixture(scope="module")
def model() -> NeuralInterpreter:
    return network(config(image_size=32, patch_size=16, classes=3), dtype=torch.float32)


@given(st.integers(0, 500), st.integers(1, 200), st.integers(1, 200))
def test_the_grid_covers_every_sample_once(count: int, first: int, size: int) -> None:
    grid = list(pieces(count, first, size))
    assert [i for rows in grid for i in rows] == list(range(count))
    assert all(0 < len(rows) <= size for rows in grid)
    assert not grid or grid[0].stop <= first
    assert [len(rows) for rows in grid[1:-1]] == [size] * (len(grid) - 2)


@pytest.mark.parametrize("batch_size", [5, 100])
@pytest.mark.parametrize(
    "change", [None, Intervention(drop=("s1.f1", "s2.f3")), Intervention(mute=("s1.f2",), iterations=5)]
)
def test_scores_are_those_of_the_plain_loop(
    model: NeuralInterpreter, change: Intervention | None, batch_size: int
) -> None:
    data, reports = noise(model, 23), list[tuple[int, int]]()
    scores = evaluate(model, data, change, batch_size=batch_size, progress=lambda *report: reports.append(report))
    change = change or Intervention()
    view, predicted, losses = change.apply(model), [], []
    for image, label in zip(data.images, data.labels, strict=True):
        with torch.no_grad():
            logits = view(image[None].float() / 255, change.iterations)[0, 1].double()
        predicted.append(int(logits.argmax()))
        losses.append(float(torch.logsumexp(logits, 0) - logits[label]))
    right = np.array(predicted) == data.labels.numpy()
    assert 0 < right.sum() < len(right), "the test needs right and wrong answers"
    assert scores.count == len(scores) == 23
    assert scores.predicted.tolist() == predicted
    assert scores.correct.tolist() == right.tolist()
    assert scores.accuracy == scores.figure == pytest.approx(right.mean())
    assert scores.loss.tolist() == pytest.approx(losses, rel=1e-3, abs=1e-5)
    assert scores.mean_loss == pytest.approx(np.mean(losses), rel=1e-4)
    assert scores.interval == wilson_interval(int(right.sum()), 23)
    assert scores.samples_per_second == pytest.approx(23 / scores.seconds)
    assert (scores.loss.dtype, scores.predicted.dtype, scores.correct.dtype) == (np.float32, np.int16, bool)
    assert reports == [(min(done, 23), 23) for done in range(batch_size, 23 + batch_size, batch_size)]


def test_some_of_the_scores_are_taken(model: NeuralInterpreter) -> None:
    data = noise(model, 23)
    scores = score(model, data)
    part = scores.take(np.array([3, 1]))
    assert part.loss.tolist() == scores.loss[[3, 1]].tolist()
    assert part.samples_per_second == pytest.approx(scores.samples_per_second)
    first = evaluate(model, data, limit=9, batch_size=4)
    assert first.correct.tolist() == scores.correct[:9].tolist() and evaluate(model, data, limit=1000).count == 23
    nothing = Scores.join([])
    assert nothing.count == nothing.take(slice(None)).count == 0
    assert np.isnan([nothing.accuracy, nothing.mean_loss, nothing.samples_per_second]).all()


@pytest.fixture(scope="module")
def numbers() -> NeuralInterpreter:
    """A network with a head for each of several data sets with the same inputs."""
    torch.manual_seed(0)
    return NeuralInterpreter(
        NeuralInterpreterConfig(
            features=16, code_features=16, type_features=8, type_inference_width=16, scripts=2, iterations=2,
            functions=2, heads=1, key_features=8, tokenizer="numbers", relative_position=None, classes=1,
            shared_head=True, domains=NUMBER_SETS, target_means=(0.5,) * len(NUMBER_SETS),
        )
    ).eval()  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_sets_with_the_same_inputs_are_scored_in_one_run(
    numbers: NeuralInterpreter, change: Intervention | None
) -> None:
    """Each set has the numbers of a run of its own, to the bit."""
    sets, runs = [load(name, "validation", limit=23) for name in NUMBER_SETS], []
    counting = change is None
    handle = numbers.register_forward_hook(lambda *_: runs.append(1))
    try:
        batches = list(score_together(numbers, sets, change, first_batch=3, batch_size=8))
    finally:
        handle.remove()
    assert not counting or len(runs) == len(batches) == 4
    for number, data in enumerate(sets):
        alone = score(numbers, data, change, first_batch=3, batch_size=8)
        shared = Scores.join(batch[number] for batch in batches)
        for name in ("value", "loss", "predicted", "weight"):
            assert getattr(shared, name).tobytes() == getattr(alone, name).tobytes(), (data.name, name)
        assert shared.measure.name == "R2" and shared.seconds > 0
    assert [batch[0].count for batch in batches if batch[0].count] == [3, 8, 8, 4]


def test_what_cannot_be_scored_is_refused_at_once(model: NeuralInterpreter) -> None:
    """Before the first batch is asked for."""
    data = noise(model, 23)
    for limit in (0, -3, 1.5, True):
        with pytest.raises(DataError, match="above 0"):
            score_together(model, [data], limit=limit)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="elsewhere.*here, there"):
        score_together(model, [noise(model, domain="elsewhere")])
    with pytest.raises(ValueError, match="at least 1"):
        score_together(model, [data], batch_size=0)
    with pytest.raises(ValueError, match="at least one data set"):
        score_together(model, [])
    with pytest.raises(InterventionError, match="s1.f1"):
        evaluate(model, data, Intervention(drop=("f1",)))


def test_two_people_on_one_model_interleaved_get_the_serial_answers() -> None:
    """Each asks 20 times; they take turns at every batch, on one thread, as in the service."""
    model = network(
        config(scripts=1, locs=1, iterations=2, image_size=32, patch_size=32, classes=3), dtype=torch.float32
    )
    data, rng, units = noise(model, 3), np.random.default_rng(0), np.array(model.units)
    kinds = ("drop", "drop", "drop", "mute", "mean", "resample")

    def some() -> Intervention:
        chosen = units[rng.random(len(units)) < 0.5]
        return Intervention().ablating(kinds[rng.integers(len(kinds))], [str(unit) for unit in chosen])

    wanted = [[some() for _ in range(20)] for _ in range(2)]
    serial = {change: score(model, data, change, first_batch=1, batch_size=2) for person in wanted for change in person}
    assert len({scores.loss.tobytes() for scores in serial.values()}) > 10, "the sets must differ in what they do"
    for changes in zip(*wanted, strict=True):
        runs = [score_together(model, [data], change, first_batch=1, batch_size=2) for change in changes]
        turns = list(zip_longest(*runs))  # a batch of the one, a batch of the other
        assert len(turns) > 1
        for change, parts in zip(changes, zip(*turns, strict=True), strict=True):
            joined = Scores.join(part for (part,) in filter(None, parts))
            assert joined.loss.tobytes() == serial[change].loss.tobytes()
            assert joined.predicted.tobytes() == serial[change].predicted.tobytes()


@pytest.mark.parametrize("forgets_at", [1, 3])
def test_weights_prepared_again_are_not_counted(forgets_at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    model = network(config(image_size=32, patch_size=16), dtype=torch.float32)
    expected, prepare, runs = flops_per_sample(copy.deepcopy(model)), NeuralInterpreter.prepare, 0

    def forgetful(self: NeuralInterpreter) -> Any:
        nonlocal runs
        runs += 1
        if runs == forgets_at:
            self._prepared._found.clear()
        return prepare(self)

    monkeypatch.setattr(NeuralInterpreter, "prepare", forgetful)
    assert flops_per_sample(model) == expected and runs >= 4


def test_counts_that_are_kept_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The least recently used is forgotten; what is forgotten is counted again."""
    monkeypatch.setattr(compute, "MOST_COUNTED", 2)
    model = network(config(image_size=32, patch_size=16), dtype=torch.float32)
    none, left, two = (Intervention(drop=model.units[:size]) for size in range(3))
    counted = [flops_per_sample(model, change) for change in (none, left, none, two)]
    assert len(set(counted)) == 3 and len(compute._counted[model]) == 2
    with mock.patch("routescope.routing.compute._count", side_effect=[7]):
        assert [flops_per_sample(model, change) for change in (none, two)] == [counted[0], counted[3]]
        assert flops_per_sample(model, left) == 7


def test_flops_are_torchs_own_count_and_dropping_saves_them() -> None:
    """Sets of the same sizes are counted once."""
    model = network(config(relative_position="shared", image_size=32, patch_size=16), dtype=torch.float32)
    counts = []
    for change in (
        Intervention(),
        Intervention(mean=model.units[:1]),
        Intervention(drop=model.units[:1]),
        Intervention(mute=model.units[:1]),
        Intervention(drop=model.units),
        Intervention(iterations=1),
    ):
        counts.append(flops_per_sample(model, change))
        view = change.structural.apply(model)
        with torch.no_grad():
            view(torch.zeros(1, 3, 32, 32), change.iterations)
            with FlopCounterMode(display=False) as counter:
                view(torch.zeros(1, 3, 32, 32), change.iterations)
        assert counts[-1] == counter.get_total_flops()
    whole, mean, dropped, muted, none, once = counts
    assert whole == mean > dropped == muted > none > 0
    assert once < whole
    others = [Intervention(**{kind: (unit,)}) for kind in ("drop", "mute") for unit in model.units[1:3]]
    with mock.patch("routescope.routing.compute._count", side_effect=AssertionError):
        counted = [flops_per_sample(model, change) for change in others]
    assert counted == [flops_per_sample(copy.deepcopy(model), change) for change in others]
