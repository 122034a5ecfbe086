"""Counting: batches of any size give the same, units and labels have no order, every sum is what its name says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.routing.observed.measures import js_distance, shares
from routescope.routing.observed.tally import Exemplars, Tally, TallyShape

quick = settings(max_examples=12, deadline=None)
SUMS = (
    "elements", "matched", "by_position", "by_group", "entropy", "effective", "together", "transitions",
    "step_distances", "step_pairs", "joint",
)  # fmt: skip
SHAPE = TallyShape(steps=4, units=3, tokens=5, labels=4, groups=2, scripts=2)


def run(seed: int, samples: int = 7) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Compatibilities with zeros in them, labels and groups."""
    rng = np.random.default_rng(seed)
    C = rng.random((samples, 4, 3, 5)) * (rng.random((samples, 4, 3, 5)) > 0.5)
    C = np.moveaxis(shares(np.moveaxis(C, 2, -1)), -1, 2).astype(np.float32)
    return C, rng.integers(0, 4, samples), rng.integers(-1, 2, (samples, 5))


def tally(C: np.ndarray, labels: np.ndarray, groups: np.ndarray) -> Tally:
    made = Tally(SHAPE)
    made.add(C, labels, groups)
    return made


@given(st.integers(0, 10_000), st.lists(st.integers(0, 7), max_size=4))
@quick
def test_batches_added_are_one_batch(seed: int, cuts: list[int]) -> None:
    C, labels, groups = run(seed)
    whole, parts = tally(C, labels, groups), Tally(SHAPE)
    bests, best = Exemplars(3, 4), Exemplars(3, 4)
    best.add(C, 0, np.arange(1, 5))
    edges = sorted([0, *cuts, 7])
    for start, stop in zip(edges, edges[1:], strict=False):
        parts.add(C[start:stop], labels[start:stop], groups[start:stop])
        bests.add(C[start:stop], start, np.arange(1, 5))
    for name in SUMS:
        np.testing.assert_allclose(getattr(parts, name), getattr(whole, name), rtol=1e-9, atol=1e-12, err_msg=name)
    assert np.array_equal(bests.weight, best.weight)
    assert all(np.array_equal(bests.place[name], best.place[name]) for name in best.place)


@given(st.integers(0, 10_000))
@quick
def test_every_sum_is_what_its_name_says(seed: int) -> None:
    C, labels, groups = run(seed)
    result = tally(C, labels, groups)
    expected = {name: np.zeros_like(getattr(result, name)) for name in SUMS}
    script = [0, 0, 1, 1]
    for b in range(len(C)):
        for v in range(5):
            for s in range(4):
                c = C[b, s, :, v].astype(float)
                expected["elements"][s] += 1
                expected["by_position"][s, :, v] += c
                expected["joint"][s, :, labels[b]] += c
                if groups[b, v] >= 0:
                    expected["by_group"][s, :, groups[b, v]] += c
                expected["together"][s] += np.outer(c > 0, c > 0)
                if not c.any():
                    continue
                p = c / c.sum()
                H = -sum(x * np.log(x) for x in p if x > 0)
                expected["matched"][s] += 1
                expected["entropy"][s] += H
                expected["effective"][s] += np.exp(H)
                for t in range(4):
                    d = C[b, t, :, v].astype(float)
                    if script[s] == script[t] and d.any():
                        expected["step_distances"][s, t] += js_distance(p, d / d.sum())
                        expected["step_pairs"][s, t] += 1
                    if t == s - 1 and script[s] == script[t] and d.any():
                        expected["transitions"][s, d.argmax(), c.argmax()] += 1
    expected["joint"] = shares(expected["joint"], axes=2)
    for name in SUMS:
        np.testing.assert_allclose(getattr(result, name), expected[name], rtol=1e-6, atol=1e-6, err_msg=name)


@given(st.integers(0, 10_000), st.integers(1, 9))
@quick
def test_exemplars_are_the_samples_whose_patches_route_most(seed: int, most: int) -> None:
    C, _, _ = run(seed)
    patches = np.array([1, 3, 4])
    result = Exemplars(3, most)
    result.add(C, 100, patches)
    for unit in range(3):
        best = sorted((-C[b, :, unit][:, patches].max(), b) for b in range(len(C)))
        expected = [(100 + b, -weight) for weight, b in best if weight < 0][:most]
        held = [k for k in range(most) if result.place["sample"][unit, k] >= 0]
        assert held == list(range(len(expected))), "no gaps, and none without weight"
        for k, (sample, weight) in enumerate(expected):
            assert result.place["sample"][unit, k] == sample
            assert result.weight[unit, k] == pytest.approx(weight)
            step, token = result.place["step"][unit, k], result.place["token"][unit, k]
            assert token in patches
            assert C[sample - 100, step, unit, token] == pytest.approx(weight)
