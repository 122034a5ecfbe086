"""Indicators of routed blocks: routers of which the answer is known."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from routescope.data import load
from routescope.data.blocks.permuted import PERMUTATIONS
from routescope.nn.blocks.config import SMFRConfig
from routescope.nn.blocks.network import BlockNetwork
from routescope.routing.blocks.indicators import (
    STRIP_NAMES,
    copied_shares,
    fairness,
    gate_use,
    indicators,
    indicators_of_splits,
    permutation_difference,
    sharpness,
    summary,
    undone,
    value_shares,
)
from routescope.training.recipes.blocks import sizes_of

#: Eight orders of four values in which each value is twice in each place.
ORDER = np.array([[(first + sign * place) % 4 for place in range(4)] for sign in (1, -1) for first in range(4)])
SAMPLES = np.arange(80) % 8

unnormalised = arrays(np.float64, (6, 5, 3), elements=st.floats(0.01, 1))
quick = settings(max_examples=25, deadline=None)


def one_hot(chosen: np.ndarray, sources: int = 5) -> np.ndarray:
    """(sample, block) of a source each as weights."""
    return np.eye(sources)[chosen].transpose(0, 2, 1)


def of_source(source: int) -> np.ndarray:
    """Ten samples, all of whose blocks are made of one source."""
    return one_hot(np.full((10, 3), source))


#: Block b is made of value b, wherever it stands; of what stands at place b; of everything alike.
UNDOING = one_hot(np.argsort(ORDER, axis=1)[SAMPLES])
FIXED = one_hot(np.tile(np.arange(4), (80, 1)))
UNIFORM = np.full((80, 5, 4), 0.2)


@pytest.mark.parametrize(
    ("weights", "difference", "sharp", "shares", "fair"),
    [
        pytest.param(UNDOING, 0, 1, [0.25] * 4, 1, id="it undoes every permutation"),
        pytest.param(FIXED, 6 / 7, 1, [0.25] * 4, 1, id="it looks at places"),  # where other values stand
        pytest.param(UNIFORM, 0, 1 / 5, [0.25] * 4, 1, id="it mixes everything alike"),
        pytest.param(of_source(2), None, 1, [0, 0, 1, 0], 0, id="it reads one value only"),
        pytest.param(one_hot(np.tile([1, 2], (10, 1))), None, 1, [0, 0.5, 0.5, 0], 0.5, id="it reads two values"),
        pytest.param((of_source(4) + of_source(1)) / 2, None, 0.5, [0, 1, 0, 0], 0, id="half of it reads the task"),
    ],
)
def test_known_routers(
    weights: np.ndarray, difference: float | None, sharp: float, shares: list[float], fair: float
) -> None:
    if difference is not None:
        assert permutation_difference(weights, SAMPLES, ORDER) == pytest.approx(difference)
    assert sharpness(weights) == pytest.approx(sharp)
    assert value_shares(weights, 4).tolist() == pytest.approx(shares)
    assert fairness(value_shares(weights, 4)) == pytest.approx(fair)


def test_what_is_not_defined_is_nan_and_none() -> None:
    assert np.isnan(permutation_difference(FIXED, np.zeros(80, np.int64), ORDER)), "one permutation"
    assert np.isnan(value_shares(of_source(4), 4)).all()
    result = summary({"l1": of_source(4)}, {"l1": np.zeros((10, 3))}, "abcd")
    assert result["fairness"] is None and set(result["shares"].values()) == {None} and result["difference"] is None


@quick
@given(unnormalised, st.permutations(range(3)), st.permutations(range(6)), st.floats(0, 1))
def test_blocks_and_samples_have_no_order_and_undoing_moves_weights(
    raw: np.ndarray, blocks: list[int], samples: list[int], gate: float
) -> None:
    weights, which = raw / raw.sum(axis=1, keepdims=True), np.array([0, 1, 2, 0, 1, 2])
    other = weights[samples][..., blocks]
    assert sharpness(other) == pytest.approx(sharpness(weights))
    assert 1 / 5 <= sharpness(weights) <= 1
    assert value_shares(other, 4) == pytest.approx(value_shares(weights, 4))
    difference = permutation_difference(weights, which, ORDER)
    assert permutation_difference(other, which[samples], ORDER) == pytest.approx(difference)
    assert 0 <= difference <= 1
    moved = undone(raw, which, ORDER)
    assert np.array_equal(np.sort(moved, axis=1), np.sort(raw, axis=1)) and np.array_equal(moved[:, 4], raw[:, 4])
    for sample, permutation in enumerate(which):
        for position, value in enumerate(ORDER[permutation]):
            assert np.array_equal(moved[sample, value], raw[sample, position])
    copied = copied_shares([weights], [np.full((6, 3), gate)])
    assert copied == pytest.approx((1 - gate) * weights), "of one level: its weights less what is computed"


def test_the_summary_is_of_each_mfnnr_and_its_values_of_the_first_wherever_they_stand() -> None:
    """Gates of 0.1 and 0.9 themselves neither copy nor compute."""
    use = gate_use(np.array([[0.0, 0.05, 0.95, 0.5], [1.0, 0.02, 0.1, 0.9]]))
    assert use == pytest.approx({"mean": 3.52 / 8, "copied": 3 / 8, "computed": 2 / 8})
    gates = {"l1": np.ones((80, 4)), "l2": np.zeros((80, 2))}
    result = summary({"l1": UNDOING, "l2": np.full((80, 3, 2), 1 / 3)}, gates, "abcd", SAMPLES, ORDER)
    assert result["sharpness"] == {"l1": 1, "l2": pytest.approx(1 / 3)}
    assert result["difference"] == 0 and result["fairness"] == pytest.approx(1)
    assert result["gates"]["l1"] == {"mean": 1, "copied": 0, "computed": 1}
    assert result["gates"]["l2"] == {"mean": 0, "copied": 1, "computed": 0}
    middle, gates = UNDOING[..., 1:3], {"l1": np.zeros((80, 2))}  # undoes permutations, and reads two values only
    result = summary({"l1": middle}, gates, "abcd", SAMPLES, ORDER)
    assert result["fairness"] == pytest.approx(0.5) and result["difference"] == 0
    assert result["shares"] == {"a": 0, "b": 0.5, "c": 0.5, "d": 0}
    assert summary({"l1": middle}, gates, "abcd")["fairness"] == pytest.approx(1)  # of places: it reads all alike
    places = one_hot(np.tile([1, 2], (80, 1)))  # reads two places, at which every value stands
    assert summary({"l1": places}, gates, "abcd", SAMPLES, ORDER)["fairness"] == pytest.approx(1)


def test_copies_are_followed_through_levels() -> None:
    """Input 0 is copied by hidden 0, and half of input 1 by hidden 1, which computes the other half."""
    hidden, gates = one_hot(np.array([[0, 1]]), sources=3), np.array([[0.0, 0.5]])
    mixed = np.array([[[1.0, 0.25], [0.0, 0.75]]])  # output 0 is hidden 0, output 1 a mixture
    last = np.array([[0.0, 0.2]])
    copied = copied_shares([hidden, mixed], [gates, last])
    assert copied[0] == pytest.approx(np.array([[1, 0.8 * 0.25], [0, 0.8 * 0.75 * 0.5], [0, 0]]))
    computed = 1 - copied_shares([hidden, mixed], [np.ones((1, 2)), np.zeros((1, 2))]).sum(axis=1)
    assert (computed == 1).all()  # a copy of what was computed is computed


def of_set(name: str, **sizes: int) -> BlockNetwork:
    torch.manual_seed(0)
    return BlockNetwork(SMFRConfig(**sizes_of(name), hidden=8, **sizes)).eval()


def test_indicators_are_those_of_the_networks_own_routing() -> None:
    """The last four permutations have a difference of their own."""
    model, data, seen = of_set("bpmnist", depth=1, width=6), load("bpmnist", "test", limit=32), []
    with torch.no_grad():
        model.run(data.inputs(range(24)), seen=seen)
    weights = {f"l{n}": item.weights.numpy() for n, item in enumerate(seen, 1)}
    gates = {f"l{n}": entry.gates.numpy() for n, entry in enumerate(seen, 1)}
    expected = summary(weights, gates, STRIP_NAMES, data.permutation[:24].numpy(), np.array(PERMUTATIONS))
    assert indicators(model, data, 24) == expected
    first = load("bpmnist", "validation", limit=24)
    result = indicators_of_splits(model, [first, data], 24)
    last = {"difference_test": expected["difference"]}
    assert result == indicators(model, first, 24) | last and result["difference"] != expected["difference"] > 0


def test_iterations_of_one_mfnnr_are_put_together() -> None:
    model, seen = of_set("algo", depth=1, width=3), []
    data, test = (load("algo", split, limit=10) for split in ("validation", "test"))
    with torch.no_grad():
        model.run(data.inputs(range(10)), seen=seen)
    result = indicators(model, data, 99)
    assert result["difference"] is None and set(result["shares"]) == set("ABCDE")
    assert indicators_of_splits(model, [data, test], 99) == result, "nothing is permuted"
    for name, parts in (("l1", seen[0::2]), ("l2", seen[1::2])):
        assert result["gates"][name]["mean"] == pytest.approx(float(torch.stack([p.gates for p in parts]).mean()))
        largest = torch.stack([part.weights.amax(dim=1) for part in parts])
        assert result["sharpness"][name] == pytest.approx(float(largest.mean()), rel=1e-5)
