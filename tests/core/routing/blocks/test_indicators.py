"""Indicators of routed blocks: routers of which the answer is known."""

from itertools import permutations

import numpy as np
import pytest
import torch
from hypothesis import given
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
ORDER = np.array(
    [[(first + position) % 4 for position in range(4)] for first in range(4)]
    + [[(first - index) % 4 for index in range(4)] for first in range(4)]
)
SAMPLES = np.arange(80) % 8

unnormalised = arrays(np.float64, (6, 5, 3), elements=st.floats(0.01, 1))


def one_hot(chosen: np.ndarray, sources: int = 5) -> np.ndarray:
    """(sample, block) of a source each as weights."""
    return np.eye(sources)[chosen].transpose(0, 2, 1)


def undoing() -> np.ndarray:
    """Block b is made of value b, wherever it stands."""
    return one_hot(np.argsort(ORDER, axis=1)[SAMPLES])


def fixed() -> np.ndarray:
    """Block b is made of what stands at place b."""
    return one_hot(np.tile(np.arange(4), (len(SAMPLES), 1)))


def uniform() -> np.ndarray:
    return np.full((len(SAMPLES), 5, 4), 0.2)


def test_a_router_that_undoes_every_permutation_has_no_difference_and_is_sharp_and_fair() -> None:
    weights = undoing()
    assert permutation_difference(weights, SAMPLES, ORDER) == 0
    assert sharpness(weights) == 1
    assert fairness(value_shares(weights, 4)) == pytest.approx(1)
    assert np.array_equal(undone(weights, SAMPLES, ORDER)[..., :4, :], np.tile(np.eye(4), (80, 1, 1)))


def test_a_router_that_looks_at_places_differs_wherever_two_permutations_do() -> None:
    apart = [
        (ORDER[left] != ORDER[other]).mean() for left, other in permutations(range(8), 2)
    ]  # of a place, distance 1 where other values stand there
    assert permutation_difference(fixed(), SAMPLES, ORDER) == pytest.approx(np.mean(apart))
    assert np.mean(apart) == pytest.approx(6 / 7)  # each value stands in each place twice
    assert sharpness(fixed()) == 1


def test_a_router_that_mixes_everything_alike_has_no_difference_either_but_no_sharpness() -> None:
    assert permutation_difference(uniform(), SAMPLES, ORDER) == pytest.approx(0)
    assert sharpness(uniform()) == pytest.approx(1 / 5)
    assert fairness(value_shares(uniform(), 4)) == pytest.approx(1)


def test_a_router_that_reads_one_value_only_is_unfair() -> None:
    weights = one_hot(np.full((10, 3), 2))
    assert value_shares(weights, 4).tolist() == [0, 0, 1, 0]
    assert fairness(value_shares(weights, 4)) == 0
    two = one_hot(np.tile([1, 2], (10, 1)))
    assert fairness(value_shares(two, 4)) == pytest.approx(0.5)


def test_weight_on_the_task_block_is_no_values() -> None:
    weights = 0.5 * one_hot(np.full((10, 3), 4)) + 0.5 * one_hot(np.full((10, 3), 1))
    assert value_shares(weights, 4).tolist() == [0, 1, 0, 0]
    assert np.isnan(value_shares(one_hot(np.full((10, 3), 4)), 4)).all()
    result = summary({"l1": one_hot(np.full((10, 3), 4))}, {"l1": np.zeros((10, 3))}, "abcd")
    assert result["fairness"] is None and set(result["shares"].values()) == {None} and result["difference"] is None


def test_one_permutation_has_nothing_to_differ_from() -> None:
    assert np.isnan(permutation_difference(fixed(), np.zeros(80, np.int64), ORDER))


def test_gates_that_copy_and_compute() -> None:
    """0.1 and 0.9 themselves do neither."""
    use = gate_use(np.array([[0.0, 0.05, 0.95, 0.5], [1.0, 0.02, 0.1, 0.9]]))
    assert use == pytest.approx({"mean": 3.52 / 8, "copied": 3 / 8, "computed": 2 / 8})


@given(unnormalised, st.permutations(range(3)), st.permutations(range(6)))
def test_blocks_and_samples_have_no_order(raw: np.ndarray, blocks: list[int], samples: list[int]) -> None:
    weights, which = raw / raw.sum(axis=1, keepdims=True), np.array([0, 1, 2, 0, 1, 2])
    other = weights[samples][..., blocks]
    assert sharpness(other) == pytest.approx(sharpness(weights))
    assert 1 / 5 <= sharpness(weights) <= 1
    assert value_shares(other, 4) == pytest.approx(value_shares(weights, 4))
    difference = permutation_difference(weights, which, ORDER)
    assert permutation_difference(other, which[samples], ORDER) == pytest.approx(difference)
    assert 0 <= difference <= 1


@given(unnormalised)
def test_undoing_moves_weights_and_loses_none(raw: np.ndarray) -> None:
    which = np.array([0, 1, 2, 3, 4, 5])
    moved = undone(raw, which, ORDER)
    assert np.array_equal(np.sort(moved, axis=1), np.sort(raw, axis=1))
    assert np.array_equal(moved[:, 4], raw[:, 4])
    for sample, permutation in enumerate(which):
        for position, value in enumerate(ORDER[permutation]):
            assert np.array_equal(moved[sample, value], raw[sample, position])


def test_the_summary_is_of_each_mfnnr_and_its_values_of_the_first() -> None:
    later = np.full((80, 3, 2), 1 / 3)
    result = summary(
        {"l1": undoing(), "l2": later}, {"l1": np.ones((80, 4)), "l2": np.zeros((80, 2))}, "abcd", SAMPLES, ORDER
    )
    assert result["sharpness"] == {"l1": 1, "l2": pytest.approx(1 / 3)}
    assert result["difference"] == 0 and result["fairness"] == pytest.approx(1)
    assert result["gates"]["l1"] == {"mean": 1, "copied": 0, "computed": 1}
    assert result["gates"]["l2"] == {"mean": 0, "copied": 1, "computed": 0}


def test_fairness_is_between_values_wherever_permutations_put_them() -> None:
    middle = one_hot(np.argsort(ORDER, axis=1)[SAMPLES][:, 1:3])  # undoes permutations, and reads two values only
    gates = {"l1": np.zeros((80, 2))}
    result = summary({"l1": middle}, gates, "abcd", SAMPLES, ORDER)
    assert result["fairness"] == pytest.approx(0.5) and result["difference"] == 0
    assert result["shares"] == {"a": 0, "b": 0.5, "c": 0.5, "d": 0}
    assert summary({"l1": middle}, gates, "abcd")["fairness"] == pytest.approx(1)  # of places: it reads all alike
    places = one_hot(np.tile([1, 2], (len(SAMPLES), 1)))  # reads two places, at which every value stands
    assert summary({"l1": places}, gates, "abcd", SAMPLES, ORDER)["fairness"] == pytest.approx(1)


def test_copies_are_followed_through_levels() -> None:
    """Input 0 is copied by hidden 0, and half of input 1 by hidden 1, which computes the other half."""
    hidden, gates = one_hot(np.array([[0, 1]]), sources=3), np.array([[0.0, 0.5]])
    mixed = np.array([[[1.0, 0.25], [0.0, 0.75]]])  # output 0 is hidden 0, output 1 a mixture
    last = np.array([[0.0, 0.2]])
    copied = copied_shares([hidden, mixed], [gates, last])
    assert copied[0] == pytest.approx(np.array([[1, 0.8 * 0.25], [0, 0.8 * 0.75 * 0.5], [0, 0]]))
    assert copied_shares([hidden], [gates])[0] == pytest.approx(np.array([[1, 0], [0, 0.5], [0, 0]]))
    computed = 1 - copied_shares([hidden, mixed], [np.ones((1, 2)), np.zeros((1, 2))]).sum(axis=1)
    assert (computed == 1).all()  # a copy of what was computed is computed


@given(unnormalised, st.floats(0, 1))
def test_copies_of_one_level_are_its_weights_less_what_is_computed(raw: np.ndarray, gate: float) -> None:
    weights = raw / raw.sum(axis=1, keepdims=True)
    copied = copied_shares([weights], [np.full((6, 3), gate)])
    assert copied == pytest.approx((1 - gate) * weights)
    assert copied.sum(axis=1) == pytest.approx(np.full((6, 3), 1 - gate))


@pytest.mark.slow
def test_the_last_four_permutations_have_a_difference_of_their_own() -> None:
    torch.manual_seed(0)
    model = BlockNetwork(SMFRConfig(**sizes_of("bpmnist"), depth=1, width=6, hidden=8)).eval()
    sets = [load("bpmnist", split, limit=24) for split in ("validation", "test")]
    first, last = (indicators(model, data, 24)["difference"] for data in sets)
    result = indicators_of_splits(model, sets, 24)
    assert (result["difference"], result["difference_test"]) == (first, last) and first != last
    assert result | {"difference_test": 0} == indicators(model, sets[0], 24) | {"difference_test": 0}
    digits = BlockNetwork(SMFRConfig(**sizes_of("algo"), depth=0, hidden=8)).eval()
    sets = [load("algo", split, limit=5) for split in ("validation", "test")]
    assert indicators_of_splits(digits, sets, 5) == indicators(digits, sets[0], 5)


def test_indicators_are_those_of_the_networks_own_routing() -> None:
    torch.manual_seed(0)
    model = BlockNetwork(SMFRConfig(**sizes_of("bpmnist"), depth=1, width=6, hidden=8)).eval()
    data, seen = load("bpmnist", "test", limit=32), []
    with torch.no_grad():
        model.run(data.inputs(range(24)), seen=seen)
    weights = {f"l{n}": item.weights.numpy() for n, item in enumerate(seen, 1)}
    gates = {f"l{n}": entry.gates.numpy() for n, entry in enumerate(seen, 1)}
    order = np.array(PERMUTATIONS)
    expected = summary(weights, gates, STRIP_NAMES, data.permutation[:24].numpy(), order)
    assert indicators(model, data, 24) == expected
    assert expected["difference"] > 0  # its weights are not all alike


def test_iterations_of_one_mfnnr_are_put_together() -> None:
    torch.manual_seed(0)
    model = BlockNetwork(SMFRConfig(**sizes_of("algo"), depth=1, width=3, hidden=8)).eval()
    data, seen = load("algo", "validation", limit=10), []
    with torch.no_grad():
        model.run(data.inputs(range(10)), seen=seen)
    result = indicators(model, data, 99)
    assert result["difference"] is None and set(result["shares"]) == set("ABCDE")
    for name, parts in (("l1", seen[0::2]), ("l2", seen[1::2])):
        assert result["gates"][name]["mean"] == pytest.approx(float(torch.stack([p.gates for p in parts]).mean()))
        largest = torch.stack([part.weights.amax(dim=1) for part in parts])
        assert result["sharpness"][name] == pytest.approx(float(largest.mean()), rel=1e-5)
