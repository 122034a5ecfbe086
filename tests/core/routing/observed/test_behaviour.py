"""Distances of routings and disagreement of heads against a literal account of the traces, and where they are known."""

import math
from typing import Any

import numpy as np
import pytest
import torch

from routescope.routing import Intervention, record
from routescope.routing.observed import behaviour
from routescope.routing.observed.behaviour import ROUTED, NoSuchBehaviour, nearness, rerouting
from tests.core.routing.hooks import hooks_on
from tests.core.routing.small import ROUTED as ROUTING
from tests.core.routing.small import UNITLESS, UNROUTED, inputs, noise, small
from tests.core.routing.toy_ragged import Ragged, sequences
from tests.core.routing.toys import labelled, one_hot, uniform

SAMPLES = 3


def literal(plain: Any, changed: Any, i: int, j: int) -> float:
    """The distance of the routing of sample ``i`` of one trace from that of sample ``j`` of another, one by one."""
    name = next(item for item in ROUTED if item in plain.dataset)
    routed, position = ROUTED[name]
    along = next(axis for axis in ("step", "layer") if axis in plain[name].dims)
    first, other = (
        dict(zip(array[along].values, array.transpose(along, "sample", routed, position).values, strict=True))
        for array in (plain[name], changed[name])
    )
    kept = [all(item) for item in zip(*(trace["kept"].values.ravel() for trace in (plain, changed)), strict=True)]
    apart = []
    for step in first.keys() & other.keys():
        for k, (p, q) in enumerate(zip(first[step][i].tolist(), other[step][j].tolist(), strict=True)):
            if any(all(map(math.isnan, side)) for side in (p, q)) or (routed == "unit" and not kept[k]):
                continue
            p, q = ([0.0 if math.isnan(share) else share for share in side] for side in (p, q))
            p, q = ([*side, max(0.0, 1 - sum(side))] for side in (p, q))
            apart.append(sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2)
    return sum(apart) / len(apart) if apart else float("nan")


@pytest.mark.parametrize("architecture", ROUTING)
def test_distances_are_those_of_the_traces_and_a_metric(architecture: str) -> None:
    model = small(architecture)
    batch = inputs(model, SAMPLES)
    given = model.as_inputs(batch)
    plain = record(model, batch)
    for change in (
        Intervention(drop=model.units[:2]),
        Intervention(drop=model.units[:1], mute=model.units[2:3], iterations=1),
    ):
        changed = record(model, batch, intervention=change)
        result = rerouting(model, change)(given)
        wanted = [literal(plain, changed, i, i) for i in range(SAMPLES)]
        np.testing.assert_allclose(result, wanted, atol=1e-6)
        near = nearness(model, given[1:2], change)(given)
        np.testing.assert_allclose(near, [literal(changed, changed, i, 1) for i in range(SAMPLES)], atol=1e-6)
    for nothing in (Intervention(), Intervention(iterations=model.config.iterations)):
        np.testing.assert_array_equal(rerouting(model, nothing)(given), np.zeros(SAMPLES))
    between = np.stack([nearness(model, given[i : i + 1])(given) for i in range(SAMPLES)])
    np.testing.assert_allclose(between, between.T, atol=1e-6)
    np.testing.assert_allclose(np.diag(between), 0, atol=1e-6)  # alone and among others, sums are made in other orders
    assert (between <= 1).all() and (between >= 0).all() and between.max() > 1e-3
    assert (between[:, None] <= between[:, :, None] + between[None] + 1e-6).all(), "no way over a third is shorter"
    assert hooks_on(model) == []


def test_what_is_known_of_toys() -> None:
    """A label's tokens all go to the unit of that label; of four units, each takes a quarter of others."""
    model = one_hot()
    given = model.as_inputs(labelled([0, 1, 0, 3]).inputs(slice(4)))
    for kind in ("mute", "drop"):
        moved = rerouting(model, Intervention().ablating(kind, model.units[:1]))(given)
        np.testing.assert_allclose(moved, [1, 0, 1, 0], atol=1e-6)
    np.testing.assert_allclose(nearness(model, given[1:2])(given), [1, 0, 1, 1], atol=1e-6)
    even = uniform()
    sample = even.as_inputs(labelled([2]).inputs(slice(1)))
    # Muted, a quarter goes to nobody; dropped, it goes to the three others.
    assert rerouting(even, Intervention(mute=even.units[:1]))(sample) == pytest.approx(0.25)
    assert rerouting(even, Intervention(drop=even.units[:1]))(sample) == pytest.approx(0.25)


def test_padding_is_left_out() -> None:
    model = Ragged()
    data = sequences(model, 5)
    change = Intervention(drop=model.units[:1])
    whole = rerouting(model, change)(model.as_inputs(data.inputs(slice(5))))
    alone = [rerouting(model, change)(model.as_inputs(data.inputs([i])))[0] for i in range(5)]
    np.testing.assert_allclose(whole, alone, atol=1e-6)


@pytest.mark.parametrize("architecture", UNROUTED)
def test_who_routes_nothing_is_refused(architecture: str) -> None:
    model = small(architecture)
    for ask in (lambda: behaviour.routed_field(model), lambda: behaviour.Router(model, Intervention())):
        with pytest.raises(NoSuchBehaviour, match="no routing"):
            ask()


def test_heads_disagree_as_a_literal_account_says() -> None:
    model = small("neural_interpreter")
    batch = inputs(model, SAMPLES)
    for change in (Intervention(), Intervention(drop=model.units[:1])):
        result = behaviour.disagreement(model, change)(model.as_inputs(batch))
        logits = record(model, batch, intervention=change)["logits"].transpose("sample", "domain", "label").values
        for i in range(SAMPLES):
            heads = [torch.tensor(row, dtype=torch.float64).softmax(0).tolist() for row in logits[i]]
            mean = [sum(column) / len(heads) for column in zip(*heads, strict=True)]
            H = [-sum(p * math.log2(p) for p in row if p > 0) for row in (mean, *heads)]
            assert result[i] == pytest.approx(H[0] - sum(H[1:]) / len(heads), abs=1e-6)
        assert (result > 0).all() and (result <= math.log2(len(model.all_heads))).all()


@pytest.mark.parametrize("architecture", ["neural_attentive_circuit", "smfr", *UNITLESS])
def test_one_answer_for_all_cannot_disagree(architecture: str) -> None:
    words = "no heads that could disagree" + ": one head answers for every data set" * (architecture not in UNITLESS)
    with pytest.raises(NoSuchBehaviour, match=words):
        behaviour.disagreement(small(architecture))


def test_batches_are_the_first_samples() -> None:
    model = small("neural_interpreter")
    data = noise(model, 11)
    measure = rerouting(model, Intervention(drop=model.units[:1]))
    result = np.concatenate([measure(batch) for batch in behaviour.batches(model, data, 9)])
    np.testing.assert_allclose(result, measure(model.as_inputs(data.inputs(slice(9)))), atol=1e-6)
    with pytest.raises(ValueError, match="one sample"):
        nearness(model, model.as_inputs(inputs(model, 2)))
