"""Indicators of routed blocks: routers of which the answer is known."""

from itertools import permutations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.data import load
from core.data.block_permuted import PERMUTATIONS
from core.nn.block_network import BlockNetwork
from core.nn.block_network_config import SMFRConfig
from core.routing.block_indicators import (
    fairness,
    gate_use,
    indicators,
    permutation_difference,
    sharpness,
    summary,
    undone,
    value_shares,
)
from core.training_recipes_blocks import sizes_of

#: Eight orders of four values in which each value is twice in each place.
ORDER = np.array(
    [[(first + place) % 4 for place in range(4)] for first in range(4)]
    + [[(first - place) % 4 for place in range(4)] for first in range(4)]
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
        (ORDER[one] != ORDER[other]).mean() for one, other in permutations(range(8), 2)
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
    found = summary({"l1": one_hot(np.full((10, 3), 4))}, {"l1": np.zeros((10, 3))}, "abcd")
    assert found["fairness"] is None and set(found["shares"].values()) == {None} and found["difference"] is None


def test_one_permutation_has_nothing_to_differ_from() -> None:
    assert np.isnan(permutation_difference(fixed(), np.zeros(80, np.int64), ORDER))


def test_gates_that_copy_compute_and_mix() -> None:
    use = gate_use(np.array([[0.0, 0.05, 0.95, 0.5], [1.0, 0.02, 0.1, 0.9]]))
    assert (use.copied, use.computed) == (3 / 8, 2 / 8)
    assert use.mixed == pytest.approx(3 / 8)  # 0.1 and 0.9 themselves neither copy nor compute
    assert use.mean == pytest.approx(3.52 / 8)


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
        for place, value in enumerate(ORDER[permutation]):
            assert np.array_equal(moved[sample, value], raw[sample, place])


def test_the_summary_is_of_each_mfnnr_and_its_values_of_the_first() -> None:
    later = np.full((80, 3, 2), 1 / 3)
    found = summary(
        {"l1": undoing(), "l2": later}, {"l1": np.ones((80, 4)), "l2": np.zeros((80, 2))}, "abcd", SAMPLES, ORDER
    )
    assert found["sharpness"] == {"l1": 1, "l2": pytest.approx(1 / 3)}
    assert found["difference"] == 0 and found["fairness"] == pytest.approx(1)
    assert found["gates"]["l1"] == {"mean": 1, "copied": 0, "computed": 1}
    assert found["gates"]["l2"] == {"mean": 0, "copied": 1, "computed": 0}


def test_indicators_are_those_of_the_networks_own_routing() -> None:
    torch.manual_seed(0)
    model = BlockNetwork(SMFRConfig(**sizes_of("bpmnist"), depth=1, width=6, hidden=8)).eval()
    data, seen = load("bpmnist", "test", limit=32), []
    with torch.no_grad():
        model.run(data.inputs(range(24)), seen=seen)
    weights = {f"l{n}": each.weights.numpy() for n, each in enumerate(seen, 1)}
    gates = {f"l{n}": each.gates.numpy() for n, each in enumerate(seen, 1)}
    order = np.array(PERMUTATIONS)
    expected = summary(weights, gates, ("1st", "2nd", "3rd", "4th"), data.permutation[:24].numpy(), order)
    assert indicators(model, data, 24) == expected
    assert expected["difference"] > 0  # its weights are not all alike


def test_iterations_of_one_mfnnr_are_put_together() -> None:
    torch.manual_seed(0)
    model = BlockNetwork(SMFRConfig(**sizes_of("algo"), depth=1, width=3, hidden=8)).eval()
    data, seen = load("algo", "validation", limit=10), []
    with torch.no_grad():
        model.run(data.inputs(range(10)), seen=seen)
    found = indicators(model, data, 99)
    assert found["difference"] is None and set(found["shares"]) == set("ABCDE")
    for name, parts in (("l1", seen[0::2]), ("l2", seen[1::2])):
        assert found["gates"][name]["mean"] == pytest.approx(float(torch.stack([p.gates for p in parts]).mean()))
        largest = torch.stack([part.weights.amax(dim=1) for part in parts])
        assert found["sharpness"][name] == pytest.approx(float(largest.mean()), rel=1e-5)
