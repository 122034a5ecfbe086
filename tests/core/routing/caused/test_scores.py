"""Scores sample by sample: the grid of batches, joining, taking, and two people on one model."""

import copy
from itertools import combinations
from typing import Any
from unittest import mock

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from routescope.data import DataError
from routescope.nn.interpreter.network import NeuralInterpreter
from routescope.routing import Intervention, Scores, compute, score, score_batches
from routescope.routing.caused.intervals import wilson_interval
from routescope.routing.compute import flops_per_sample
from routescope.routing.running import pieces
from tests.core.nn.networks import config, network
from tests.core.routing.caused.test_evaluation import dataset


@pytest.fixture(scope="module")
def model() -> NeuralInterpreter:
    return network(config(image_size=32, patch_size=16, classes=3), dtype=torch.float32)


@given(st.integers(0, 500), st.integers(1, 200), st.integers(1, 200))
def test_the_grid_covers_every_sample_once(count: int, first: int, size: int) -> None:
    found = list(pieces(count, first, size))
    assert [i for rows in found for i in rows] == list(range(count))
    assert all(0 < len(rows) <= size for rows in found)
    assert not found or found[0].stop <= first
    assert [len(rows) for rows in found[1:-1]] == [size] * (len(found) - 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    "change", [None, Intervention(drop=("s1.f1",)), Intervention(mean=("s1.f1",), resample=("s2.f2",))]
)
def test_the_same_call_gives_the_same_bits(model: NeuralInterpreter, change: Intervention | None) -> None:
    data = dataset(model)
    one, other = (score(model, data, change, first_batch=3, batch_size=8) for _ in range(2))
    assert one.loss.tobytes() == other.loss.tobytes()
    parts = list(score_batches(model, data, change, first_batch=3, batch_size=8))
    assert [part.count for part in parts if part.count] == [3, 8, 8, 4]
    joined = Scores.join(parts)
    assert joined.loss.tobytes() == one.loss.tobytes()
    assert joined.correct.tobytes() == one.correct.tobytes()
    assert (joined.predicted == data.labels.numpy()).tolist() == joined.correct.tolist()
    assert (one.loss.dtype, one.predicted.dtype, one.correct.dtype) == (np.float32, np.int16, bool)


def test_scores_have_their_figures(model: NeuralInterpreter) -> None:
    scores = score(model, dataset(model))
    assert scores.count == len(scores) == 23
    assert scores.accuracy == np.mean(scores.correct)
    assert scores.interval == wilson_interval(int(scores.correct.sum()), 23)
    assert scores.mean_loss == pytest.approx(np.mean(scores.loss.astype(float)))
    part = scores.take(np.array([3, 1]))
    assert part.loss.tolist() == scores.loss[[3, 1]].tolist()
    assert part.samples_per_second == pytest.approx(scores.samples_per_second)
    nothing = Scores.join([])
    assert nothing.count == 0
    assert np.isnan([nothing.accuracy, nothing.mean_loss, nothing.samples_per_second]).all()
    assert nothing.take(slice(None)).count == 0


def test_what_cannot_be_scored_is_refused_at_once(model: NeuralInterpreter) -> None:
    """Before anything is asked for."""
    data = dataset(model)
    for limit in (0, -3, 1.5, True):
        with pytest.raises(DataError, match="above 0"):
            score_batches(model, data, limit=limit)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="elsewhere"):
        score_batches(model, dataset(model, domain="elsewhere"))
    with pytest.raises(ValueError, match="at least 1"):
        score_batches(model, data, batch_size=0)


@pytest.mark.slow
def test_two_people_on_one_model_interleaved_get_the_serial_answers() -> None:
    """Each asks 250 times; they take a thousand turns, one at every piece, on one thread, as in the service."""
    model = network(
        config(scripts=1, locs=1, iterations=2, image_size=32, patch_size=32, classes=3), dtype=torch.float32
    )
    data, rng, units = dataset(model, count=3), np.random.default_rng(0), np.array(model.units)
    kinds = ("drop", "drop", "drop", "mute", "mean", "resample")

    def some() -> Intervention:
        chosen = units[rng.random(len(units)) < 0.5]
        return Intervention().ablating(kinds[rng.integers(len(kinds))], [str(unit) for unit in chosen])

    wanted = [[some() for _ in range(250)] for _ in range(2)]
    serial = {change: score(model, data, change, first_batch=1, batch_size=2) for person in wanted for change in person}
    assert len({scores.loss.tobytes() for scores in serial.values()}) > 20, "the sets must differ in what they do"
    turns = 0
    for changes in zip(*wanted, strict=True):
        runs = [score_batches(model, data, change, first_batch=1, batch_size=2) for change in changes]
        found: list[list[Scores]] = [[], []]
        while runs[0] is not None or runs[1] is not None:
            for person, run in enumerate(runs):
                part = next(run, None) if run is not None else None
                turns += part is not None
                if part is None:
                    runs[person] = None
                else:
                    found[person].append(part)
        for change, parts in zip(changes, found, strict=True):
            joined = Scores.join(parts)
            assert joined.loss.tobytes() == serial[change].loss.tobytes()
            assert joined.predicted.tobytes() == serial[change].predicted.tobytes()
    assert turns >= 1000


@pytest.mark.slow
@pytest.mark.parametrize("forgets_at", range(1, 5))
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


@pytest.mark.slow
def test_sets_of_the_same_sizes_are_counted_once() -> None:
    """And what is known of them is what is counted of each."""
    model = network(config(image_size=32, patch_size=16), dtype=torch.float32)
    changes = [
        Intervention(**{kind: gone})
        for kind in ("drop", "mute")
        for size in (1, 2)
        for gone in combinations(model.units[2:6], size)
    ]
    found = [flops_per_sample(model, change) for change in changes]
    assert found == [flops_per_sample(copy.deepcopy(model), change) for change in changes]
    with mock.patch("routescope.routing.compute._count", side_effect=AssertionError):
        assert [flops_per_sample(model, change) for change in changes] == found


def test_counts_that_are_kept_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The least recently used is forgotten; what is forgotten is counted again."""
    monkeypatch.setattr(compute, "MOST_COUNTED", 2)
    model = network(config(image_size=32, patch_size=16), dtype=torch.float32)
    none, one, two = (Intervention(drop=model.units[:size]) for size in range(3))
    counted = [flops_per_sample(model, change) for change in (none, one, none, two)]
    assert len(set(counted)) == 3 and len(compute._counted[model]) == 2
    with mock.patch("routescope.routing.compute._count", side_effect=[7]):
        assert [flops_per_sample(model, change) for change in (none, two)] == [counted[0], counted[3]]
        assert flops_per_sample(model, one) == 7


@pytest.mark.slow
def test_flops_are_torchs_own_count_and_dropping_saves_them() -> None:
    from torch.utils.flop_counter import FlopCounterMode

    model = network(config(relative_position="shared", image_size=32, patch_size=16), dtype=torch.float32)
    counts = {}
    for change in (
        Intervention(),
        Intervention(drop=model.units[:1]),
        Intervention(mute=model.units[:1]),
        Intervention(drop=model.units),
        Intervention(iterations=1),
        Intervention(mean=model.units[:1]),
    ):
        counts[change] = flops_per_sample(model, change)
        view = change.structural.apply(model)
        with torch.no_grad():
            view(torch.zeros(1, 3, 32, 32), change.iterations)
            with FlopCounterMode(display=False) as counter:
                view(torch.zeros(1, 3, 32, 32), change.iterations)
        assert counts[change] == counter.get_total_flops()
    whole, dropped, muted, none, once, mean = counts.values()
    assert whole == mean > dropped == muted > none > 0
    assert once < whole
