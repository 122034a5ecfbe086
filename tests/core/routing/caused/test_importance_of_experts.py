"""Importance of a mixture's experts: each alone, or all subsets of one layer's, however many of them a token takes."""

from itertools import permutations as orders_of

import numpy as np
import pytest
import torch

from routescope import zoo
from routescope.data import load
from routescope.nn.experts import RoutedLayer
from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.network import MixtureNetwork
from routescope.routing import Intervention, InterventionError
from routescope.routing.caused.importance import importance
from routescope.routing.caused.importance_plan import NoPlan, Plan
from routescope.routing.caused.scores import Scores, score

BYTES = zoo.load("moe-bytes")
SETS = [load(name, "validation").take(slice(2)) for name in ("sums", "python")]


def tiny(experts: int = 4) -> MixtureNetwork:
    torch.manual_seed(3)
    config = MixtureConfig(context=40, layers=2, features=16, heads=2, experts=experts, top_k=2, hidden=8)
    return MixtureNetwork(config).eval()


def bits(model: MixtureNetwork, **change: object) -> float:
    return Scores.join(score(model, each, Intervention(**change)) for each in SETS).figure  # type: ignore[arg-type]


@pytest.mark.parametrize("top_k", [None, 1, 3])
def test_of_every_expert_alone_there_is_the_effect_of_its_drop_and_nothing_else(top_k: int | None) -> None:
    told: list[tuple[int, int]] = []
    found = importance(
        BYTES, SETS, base=Intervention(top_k=top_k), progress=lambda done, total, _: told.append((done, total))
    )
    assert told == [*((n, 33) for n in range(1, 34)), (33, 33)]
    whole = Scores.join(score(BYTES, each, Intervention(top_k=top_k)) for each in SETS)
    assert found.baseline.loss.tobytes() == whole.loss.tobytes()
    assert found.single["unit"].tolist() == list(BYTES.units)
    for unit in ("l1.e1", "l3.e8"):
        gone = Scores.join(score(BYTES, each, Intervention(drop=(unit,), top_k=top_k)) for each in SETS)
        change = found.single.set_index("unit").loc[unit, "change"]
        assert change == pytest.approx(gone.figure - whole.figure)
    assert (len(found.shapley), len(found.retention), found.interactions.sizes["unit"]) == (0, 0, 0)
    assert np.isnan(found.total) and found.attrs.get("top_k") == top_k and "layer" not in found.attrs
    assert len(found.plot().axes) == 4


@pytest.mark.parametrize("top_k", [None, 1])
def test_shapley_values_within_a_layer_are_those_of_all_orders(top_k: int | None) -> None:
    model = tiny()
    found = importance(model, SETS, kind="mute", layer="l2", base=Intervention(top_k=top_k), draws=2)
    assert found.exact and found.units == ("l2.e1", "l2.e2", "l2.e3", "l2.e4")
    expected, every = dict.fromkeys(found.units, 0.0), list(orders_of(found.units))
    known: dict[frozenset[str], float] = {}
    for order in every:
        before = frozenset(found.units)
        for unit in order:  # from none of them muted to all
            after = before - {unit}
            for gone in (before, after):
                if gone not in known:
                    muted = tuple(each for each in found.units if each not in gone)
                    known[gone] = bits(model, mute=muted, top_k=top_k)
            expected[unit] += (known[after] - known[before]) / len(every)  # bits that it saves
            before = after
    values = dict(zip(found.shapley["unit"], found.shapley["value"], strict=True))
    assert values == pytest.approx(expected, abs=1e-6)
    total = known[frozenset()] - known[frozenset(found.units)]
    assert found.total == pytest.approx(total, abs=1e-6) and sum(values.values()) == pytest.approx(total, abs=1e-6)
    assert found.attrs["layer"] == "l2" and set(found.retention["dropped"]) == set(range(5))
    assert found.interactions.sizes["unit"] == 4


def test_of_many_experts_of_a_layer_orders_are_drawn() -> None:
    model = tiny(experts=11)
    told: list[tuple[int, int]] = []
    found = importance(
        model, SETS, kind="mute", layer="l1", permutations=4, pairs=False, draws=1, limit=1,
        progress=lambda done, total, _: told.append((done, total)),
    )  # fmt: skip
    assert not found.exact and set(found.shapley["unit"]) == {f"l1.e{e}" for e in range(1, 12)}
    assert found.shapley["value"].sum() == pytest.approx(found.total)
    assert told[-1][0] == told[-1][1] == max(done for done, _ in told)


def test_what_cannot_be_scored_is_refused_with_what_can() -> None:
    for asked in ({"layer": "l2"}, {"permutations": 4}, {"pairs": True}):
        with pytest.raises(NoPlan, match="mute them, or replace"):
            importance(BYTES, SETS, **asked)
    with pytest.raises(NoPlan, match="no layer that routes is called l9; there are l1, l2, l3, l4"):
        importance(BYTES, SETS, kind="mute", layer="l9")
    with pytest.raises(NoPlan, match="routed to no experts"):
        Plan.of(("f1", "f2"), (), "l1")
    with pytest.raises(NoPlan, match="there are l1, l2, l3 to l48"):
        Plan.of((), [RoutedLayer(f"l{n}", n - 1, 4, 2) for n in range(1, 49)], "l0", "mute")
    with pytest.raises(InterventionError, match="needs 8 experts"):
        importance(BYTES, SETS, base=Intervention(top_k=8))
    with pytest.raises(NoPlan, match="leave drop, mute, mean and resample out"):
        importance(BYTES, SETS, base=Intervention(mute=("l1.e1",)))


def test_a_cancel_ends_it_at_once() -> None:
    class Cancelled(Exception):
        pass

    def cancel(done: int, total: int, what: str) -> None:
        if done == 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        importance(BYTES, SETS, progress=cancel)
    assert not any(module._forward_hooks for module in BYTES.modules())
