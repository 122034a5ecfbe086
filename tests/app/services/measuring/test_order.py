"""The order in which samples are scored: figures shown early are unbiased, and their intervals hold."""

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
import torch
from scipy.stats import binomtest, hypergeom

from routescope.nn.measures import ACCURACY
from routescope.routing import Intervention, Scores
from routescope.routing.caused.effects import drop_effect
from routescope.routing.caused.intervals import wilson_interval
from routescope_app.services.engine.threads import Priority
from routescope_app.services.measuring import computing, snapshots
from routescope_app.services.measuring.order import Order
from routescope_app.services.measuring.scope import Measured, SampleRange
from routescope_app.services.measuring.scoring import Run

#: Sets that differ strongly, and labels that do within each: share of right answers by set and label.
RIGHT = ((0.98, 0.9), (0.35, 0.75), (0.05, 0.5))
#: What an intervention leaves of these.
DROPPED = ((0.9, 0.2), (0.3, 0.3), (0.05, 0.1))
LIMITS = (300, 250, 250)
TOTAL = sum(LIMITS)
REPEATS = 200


def outcomes(shares: Any, seed: int) -> list[np.ndarray]:
    """Right and wrong of every sample of every set: the first half of each is of its first label."""
    rng, result = np.random.default_rng(seed), []
    for limit, (first, second) in zip(LIMITS, shares, strict=True):
        half = limit // 2
        result.append(
            np.concatenate([rng.permutation(half) < first * half, rng.permutation(limit - half) < second * half])
        )
    return result


BASELINE, OWN = outcomes(RIGHT, 1), outcomes(DROPPED, 2)


class Samples:
    """A data set of which nothing is known but its labels."""

    classes = ("a", "b")

    def __init__(self, name: str, limit: int) -> None:
        self.name = self.domain = name
        self.labels = torch.arange(limit) // max(1, limit // 2)


class Inline:
    async def run(self, work: Any, priority: Priority) -> Any:
        return work()


def measured(content: str) -> Measured:
    info: Any = SimpleNamespace(held_out=(), iterations=1, labels=("a", "b", "c"), revision="r", id="m")
    parts = tuple(
        SampleRange(cast(Any, Samples(f"s{n}", limit)), limit, f"{content} {n}") for n, limit in enumerate(LIMITS)
    )
    return Measured(info, parts, "cpu")


@pytest.fixture(autouse=True)
def no_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs score what the model, a list of right and wrong of every set, says."""

    def scores(model: Any, datasets: Any, *_: Any, batches: Any, **__: Any) -> Any:
        for rows in batches:
            yield tuple(scored(model[int(dataset.name[1:])][rows]) for dataset in datasets)

    monkeypatch.setattr(computing, "score_together", scores)
    monkeypatch.setattr(Intervention, "apply", lambda *_: SimpleNamespace(rows_at_once=lambda: 107))
    monkeypatch.setattr(Run, "measure", lambda *_: ACCURACY)


def scored(right: np.ndarray) -> Scores:
    return Scores(right, np.zeros(len(right), np.float32), np.zeros(len(right), np.int16), 0.0)


def run_of(of: Measured, right: list[np.ndarray]) -> Run:
    """A run that computes here, and stores nothing."""
    store = SimpleNamespace(put=lambda _: None)
    given: Any = SimpleNamespace(computing=computing.LocalComputing(Inline()), store=store)
    return Run(given, of, Intervention(), right)  # type: ignore[arg-type]


async def shown(content: str, right: list[np.ndarray]) -> dict[int, Scores]:
    """What is known whenever that has become more: by how many samples."""
    run = run_of(measured(content), right)
    results: dict[int, Scores] = {}
    while not run.is_done:
        await run.advance(Priority.STREAM)
        stored = run.joined()
        if stored.count:
            results.setdefault(stored.count, stored)
    return results


def expected_coverage(size: int, right: int) -> float:
    """How often Wilson's interval holds the share of a finite population, over all samples of that size."""
    counts = np.arange(size + 1)
    ends = [wilson_interval(int(k), size) for k in counts]
    holds = np.array([low <= right / TOTAL <= high for low, high in ends])
    return float(hypergeom(TOTAL, right, size).pmf(counts)[holds].sum())


@pytest.mark.slow
async def test_intervals_hold_at_every_size_that_is_shown() -> None:
    """Pointwise, over the orders of as many data sets of the same outcomes: as often as over all samples of that size,
    which is 95 % while few of all are known and more often later."""
    whole = np.concatenate(BASELINE)
    truth, held, means = whole.mean(), dict[int, int](), dict[int, list[float]]()
    for repeat in range(REPEATS):
        for size, scores in (await shown(str(repeat), BASELINE)).items():
            low, high = scores.interval
            held[size] = held.get(size, 0) + (low <= truth <= high)
            means.setdefault(size, []).append(scores.accuracy)
    assert sorted(held) == list(measured("").order.marks) and len(held) >= 7
    for size, count in held.items():
        expected = expected_coverage(size, int(whole.sum()))
        assert expected > 0.93
        assert len(means[size]) == REPEATS  # every size is shown whatever the order, so that none is a choice
        if expected < 0.9999:
            assert binomtest(count, REPEATS, expected).pvalue > 0.001, (size, count / REPEATS, expected)
        error = np.std(means[size]) / REPEATS**0.5
        assert abs(np.mean(means[size]) - truth) <= 4 * error + 1e-12, size


async def test_paired_changes_hold_too() -> None:
    """A change and its bootstrap interval: an intervention and its baseline are known on the same samples."""
    truth = float(np.concatenate(OWN).mean() - np.concatenate(BASELINE).mean())
    held, repeats = dict[int, int](), 60
    for repeat in range(repeats):
        expected, bare = await shown(f"pair {repeat}", OWN), await shown(f"pair {repeat}", BASELINE)
        assert expected.keys() == bare.keys()
        for size in expected:
            change = drop_effect(bare[size], expected[size], resamples=snapshots.RUNNING_RESAMPLES).figure
            held[size] = held.get(size, 0) + (change.low <= truth <= change.high)
    for size, count in held.items():  # intervals of percentiles of 200 draws hold a little less than 95 % of few
        assert binomtest(count, repeats, 0.92, alternative="less").pvalue > 0.001, (size, count / repeats)


def test_what_is_taken_is_what_was_taken_and_the_same_whatever_is_asked() -> None:
    """All of the first samples of every set, once; the order depends on the data alone."""
    order = Order(["a", "b"], [40, 500])
    for part, limit in enumerate((40, 500)):
        assert sorted(np.concatenate(order.batches(part, 30)).tolist()) == list(range(limit))
        assert max(map(len, order.batches(part, 30))) <= 30
        assert order.rows(part, order.rounds).tolist() == list(range(limit))
        assert not len(order.rows(part, 0)) and order.rounds_of(part, limit) == order.rounds
    again, other = Order(["a", "b"], [40, 500]), Order(["a", "c"], [40, 500])
    assert (again.rows_in_order[1] == order.rows_in_order[1]).all() and (
        other.rows_in_order[1] != order.rows_in_order[1]
    ).any()
    assert order.marks[0] == 32 and order.marks[-1] == 540 and (order.counts.sum(0) == order.marks).all()
    assert Order(["a"], [1]).marks.tolist() == [1]


async def test_what_was_scored_before_counts_as_known() -> None:
    """Whole scores of the database are taken as they are, in the places of the set."""
    of = measured("kept")
    run = run_of(of, BASELINE)
    run.use_cached({of.key(part, Intervention()): scored(BASELINE[n]) for n, part in enumerate(of.parts[:2])})
    assert not run.is_done and run.rounds == 0
    while not run.is_done:
        await run.advance(Priority.STREAM)
        for n, (part, value) in enumerate(run.scored().items()):
            assert (value.scores.value == BASELINE[n][value.rows]).all(), part
    for n, value in enumerate(run.scored().values()):
        assert (value.scores.value == BASELINE[n]).all()


def test_sets_with_the_same_inputs_come_together() -> None:
    """The first two are of the same samples, of which the second has one less; figures cover the same ones of both."""
    order = Order(["a", "b", "c"], [50, 49, 30], [(0, 1), (2,)])
    assert order.together == ((0, 1), (2,)) and order.marks[-1] == 129
    for stored in range(order.rounds + 1):
        first, second = (set(order.rows(part, stored).tolist()) for part in (0, 1))
        assert second == first - {49}
    assert [item.tolist() for item in order.batches(0, 7)] == [item.tolist() for item in order.batches(1, 7)]
    assert sorted(np.concatenate(order.batches(1, 7)).tolist()) == list(range(50))
    assert order.rounds_of(1, 49) == order.rounds
    alone = Order(["a", "c"], [50, 30])
    assert (alone.rows_in_order[0] == order.rows_in_order[0]).all() and (
        alone.rows_in_order[1] == order.rows_in_order[2]
    ).all()
