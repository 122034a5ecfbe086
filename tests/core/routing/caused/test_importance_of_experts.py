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
SETS = [load(name, "validation").take(slice(1)) for name in ("sums", "python")]


def tiny(experts: int = 4) -> MixtureNetwork:
    torch.manual_seed(3)
    config = MixtureConfig(context=40, layers=2, features=16, heads=2, experts=experts, top_k=2, hidden=8)
    return MixtureNetwork(config).eval()


def bits(model: MixtureNetwork, **change: object) -> float:
    return Scores.join(score(model, item, Intervention(**change)) for item in SETS).figure  # type: ignore[arg-type]


@pytest.mark.parametrize("top_k", [None, 1])
def test_of_every_expert_alone_there_is_the_effect_of_its_drop_and_nothing_else(top_k: int | None) -> None:
    reports: list[tuple[int, int]] = []
    result = importance(
        BYTES, SETS, base=Intervention(top_k=top_k), progress=lambda done, total, _: reports.append((done, total))
    )
    assert reports == [*((n, 33) for n in range(1, 34)), (33, 33)]
    whole = Scores.join(score(BYTES, item, Intervention(top_k=top_k)) for item in SETS)
    assert result.baseline.loss.tobytes() == whole.loss.tobytes()
    assert result.single["unit"].tolist() == list(BYTES.units)
    for unit in ("l1.e1", "l3.e8"):
        gone = Scores.join(score(BYTES, entry, Intervention(drop=(unit,), top_k=top_k)) for entry in SETS)
        change = result.single.set_index("unit").loc[unit, "change"]
        assert change == pytest.approx(gone.figure - whole.figure)
    assert (len(result.shapley), len(result.retention), result.interactions.sizes["unit"]) == (0, 0, 0)
    assert np.isnan(result.total) and result.attrs.get("top_k") == top_k and "layer" not in result.attrs
    assert len(result.plot().axes) == 4


@pytest.mark.parametrize("top_k", [None, 1])
def test_shapley_values_within_a_layer_are_those_of_all_orders(top_k: int | None) -> None:
    model = tiny()
    result = importance(model, SETS, kind="mute", layer="l2", base=Intervention(top_k=top_k), draws=2)
    assert result.exact and result.units == ("l2.e1", "l2.e2", "l2.e3", "l2.e4")
    expected, every = dict.fromkeys(result.units, 0.0), list(orders_of(result.units))
    expected_by_key: dict[frozenset[str], float] = {}
    for order in every:
        before = frozenset(result.units)
        for unit in order:  # from none of them muted to all
            after = before - {unit}
            for gone in (before, after):
                if gone not in expected_by_key:
                    muted = tuple(item for item in result.units if item not in gone)
                    expected_by_key[gone] = bits(model, mute=muted, top_k=top_k)
            expected[unit] += (expected_by_key[after] - expected_by_key[before]) / len(every)  # bits that it saves
            before = after
    values = dict(zip(result.shapley["unit"], result.shapley["value"], strict=True))
    assert values == pytest.approx(expected, abs=1e-6)
    total = expected_by_key[frozenset()] - expected_by_key[frozenset(result.units)]
    assert result.total == pytest.approx(total, abs=1e-6) and sum(values.values()) == pytest.approx(total, abs=1e-6)
    assert result.attrs["layer"] == "l2" and set(result.retention["dropped"]) == set(range(5))
    assert result.interactions.sizes["unit"] == 4


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
