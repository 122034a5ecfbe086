"""Importance of a network with more units than pairs and orders can be scored of."""

from typing import Any

import numpy as np
import pytest

from routescope.routing import Intervention, score
from routescope.routing.caused.connectivity import by_connectivity
from routescope.routing.caused.importance import Importance, importance, orders_by_links
from routescope.routing.caused.retention import thinned_sizes
from routescope.routing.caused.subsets import MOST_UNITS_PAIRS
from routescope.routing.compute import flops_per_sample
from tests.core.routing.small import noise, small
from tests.core.routing.toy_circuit import star
from tests.core.routing.toys import balanced, uniform

UNITS = MOST_UNITS_PAIRS + 2
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def many() -> Any:
    return small("neural_attentive_circuit", modules=UNITS, layers=1)


@pytest.fixture(scope="module")
def measured(many: Any) -> Importance:
    reports: list[tuple[int, int]] = []
    result = importance(
        many,
        [noise(many, 6)],
        draws=2,
        base=Intervention(keep_edges=0.5),
        progress=lambda done, total, _: reports.append((done, total)),
    )
    assert reports[-1][0] == reports[-1][1] == max(done for done, _ in reports)
    assert len({total for _, total in reports}) == 1
    assert [done for done, _ in reports] == sorted(done for done, _ in reports)
    return result


def test_single_effects_and_curves_remain(many: Any, measured: Importance) -> None:
    assert measured.single["unit"].tolist() == list(many.units)
    assert len(measured.shapley) == 0 and measured.convergence is None and not measured.exact
    assert measured.interactions.sizes["unit"] == 0
    whole, none = (score(many, noise(many, 6), Intervention(drop=gone, keep_edges=0.5)) for gone in ((), many.units))
    assert measured.baseline.loss.tobytes() == whole.loss.tobytes()
    assert measured.shapley.attrs["total"] == whole.accuracy - none.accuracy
    assert measured.attrs["keep_edges"] == 0.5
    orders = ["best first", "worst first", "least connected first", "most connected first", "random"]
    assert measured.retention["order"].unique().tolist() == orders
    for _, rows in measured.retention.groupby("order"):
        assert tuple(rows["dropped"]) == thinned_sizes(UNITS)


def test_curves_by_links_are_those_of_the_graph(many: Any, measured: Importance) -> None:
    least = by_connectivity(many)
    rows = measured.retention[measured.retention["order"] == "least connected first"]
    for row in rows.itertuples():
        assert set(row.kept) == set(least[row.dropped :])
        change = Intervention(drop=least[: row.dropped], keep_edges=0.5)
        assert row.accuracy == score(many, noise(many, 6), change).accuracy
        assert row.flops == flops_per_sample(many, change)
    assert rows["flops"].is_monotonic_decreasing and rows["flops"].iloc[0] > rows["flops"].iloc[-1]


def test_what_is_asked_for_is_scored(many: Any) -> None:
    few = importance(star(), [balanced(1)], draws=1)
    assert few.exact and few.interactions.sizes["unit"] == 5
    assert set(few.retention["order"]) >= {"greedy best", "least connected first", "most connected first"}
    asked = importance(
        small("perceiver_io", modules=12, layers=1), [noise(many, 3)], draws=1, permutations=4, pairs=False
    )
    assert len(asked.shapley) == 12 and asked.interactions.sizes["unit"] == 0
    assert asked.shapley["value"].sum() == pytest.approx(asked.shapley.attrs["total"])
    assert not any("connected" in order for order in asked.retention["order"])


def test_only_links_give_an_order(many: Any) -> None:
    least = by_connectivity(many)
    q = many.link_probability().sum(dim=1).detach().numpy()
    assert np.array_equal([many.units.index(unit) for unit in least], np.argsort(q, kind="stable"))
    assert orders_by_links(many) == {"least connected first": least, "most connected first": least[::-1]}
    assert orders_by_links(uniform()) == orders_by_links(small("perceiver_io")) == {}


def test_pictures_leave_out_what_was_not_scored(measured: Importance) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    titles = [axes.get_title() for axes in measured.plot().axes]
    assert "Shapley values: not scored" in titles and "Pairs: not scored" in titles
    plt.close("all")
