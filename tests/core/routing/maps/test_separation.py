"""Clusters and how far groups lie apart, where the answer is known; nulls are what shuffled groups give."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.metrics import balanced_accuracy_score, silhouette_score
from sklearn.neighbors import KNeighborsClassifier

from routescope.routing.maps.clustering import clustering, cosine_distances, silhouette
from routescope.routing.maps.separation import NEAREST, SILHOUETTE, nearest, separation, told
from tests.core.routing.points import clouds, unit_vectors

RNG = np.random.default_rng(0)


def row(table: pd.DataFrame, by: str, measure: str, balanced: bool = False) -> pd.Series:
    (result,) = [row for _, row in table.iterrows() if (row.by, row.measure, row.balanced) == (by, measure, balanced)]
    return result


@pytest.fixture(scope="module")
def unequal() -> tuple[np.ndarray, list[str]]:
    """Groups of 60, 25 and 15 points without any order."""
    return RNG.standard_normal((100, 4)), ["large"] * 60 + ["middle"] * 25 + ["small"] * 15


def test_groups_far_apart_are_told_and_a_grouping_across_them_is_at_the_null() -> None:
    kind, thing = np.repeat(list("abc"), 40), np.tile(list("wxyz"), 30)
    middles = {"a": (0, 0), "b": (100, 0), "c": (0, 100)}
    points = np.array([middles[k] for k in kind]) + RNG.standard_normal((120, 2))
    result = separation(points, {"kind": list(kind), "thing": list(thing)})
    for balanced in (False, True):
        assert row(result, "kind", NEAREST, balanced).score == 1
        assert row(result, "kind", SILHOUETTE, balanced).score > 0.95
        for measure in (NEAREST, SILHOUETTE):
            null = row(result, "thing", measure, balanced)
            assert abs(null.score - null.null_mean) < 0.15
            assert row(result, "kind", measure, balanced).null_high < row(result, "kind", measure, balanced).score
    assert set(result["n"]) == {120}
    assert row(result, "thing", NEAREST).groups == 4


def test_points_at_one_place_say_nothing_of_a_grouping_across_them() -> None:
    """Designs that depend on the kind alone: which of equally near sentences vote is drawn, not their order."""
    kind, thing = np.repeat(list("abc"), 40), np.tile(np.repeat(list("wxyz"), 10), 3)
    points = np.array([[ord(k), 0.0] for k in kind]) + 1e-9 * RNG.standard_normal((120, 2))
    result = separation(points, {"kind": list(kind), "thing": list(thing)})
    assert row(result, "kind", NEAREST).score == 1
    assert row(result, "kind", SILHOUETTE).score == pytest.approx(1)
    across = row(result, "thing", NEAREST)
    assert across.null_low <= across.score <= across.null_high


def test_the_null_is_around_chance(unequal: tuple[np.ndarray, list[str]]) -> None:
    points, names = unequal
    result = separation(points, {"kind": names, "even": ["ab"[position % 2] for position in range(100)]}, shuffles=200)
    even = row(result, "even", NEAREST)
    assert even.chance == 0.5
    assert even.null_low < 0.5 < even.null_high
    kinds = row(result, "kind", NEAREST, balanced=True)
    assert kinds.chance == pytest.approx(1 / 3)
    assert kinds.null_low < 1 / 3 < kinds.null_high
    assert row(result, "kind", NEAREST).chance == 0.6
    assert row(result, "kind", SILHOUETTE).chance == 0
    large = separation(RNG.standard_normal((200, 3)), {"kind": ["large"] * 180 + ["small"] * 20})
    assert row(large, "kind", NEAREST).score > 0.8 and row(large, "kind", NEAREST, balanced=True).score < 0.65
    assert set(result["groups"]) == {2, 3}


def test_scores_are_those_of_another_implementation(unequal: tuple[np.ndarray, list[str]]) -> None:
    points, names = unequal
    result = separation(points, {"kind": names}, shuffles=2)
    assert row(result, "kind", SILHOUETTE).score == pytest.approx(silhouette_score(points, names), abs=1e-5)
    told_ = [
        KNeighborsClassifier(1)
        .fit(np.delete(points, position, 0), np.delete(names, position))
        .predict(points[[position]])[0]
        for position in range(100)
    ]
    first = separation(points, {"kind": names}, shuffles=2, neighbours=1)
    assert row(first, "kind", NEAREST).score == pytest.approx(np.mean(np.array(told_) == names))
    assert row(first, "kind", NEAREST, balanced=True).score == pytest.approx(balanced_accuracy_score(names, told_))


def test_most_neighbours_decide_and_in_a_draw_the_nearest() -> None:
    near = np.array([[0, 1, 2, 3, 4], [4, 1, 2, 3, 5], [1, 4, 5, 0, 2], [0, 1, 4, 2, 3]])
    group = np.array([0, 1, 1, 0, 2, 2])
    assert told(near, group).tolist() == [0, 2, 1, 0]
    assert told(np.array([[0, 1, 2]]), np.array([2, 1, 1])).tolist() == [1]


def test_the_nearest_are_the_nearest_and_never_the_point_itself() -> None:
    points = RNG.standard_normal((30, 3))
    distances = cdist(points, points).astype(np.float32)
    result = nearest(distances, 5, np.random.default_rng(0))
    np.fill_diagonal(distances, np.inf)
    assert np.array_equal(result, np.argsort(distances, axis=1)[:, :5])


def test_the_same_seed_gives_the_same_table_and_renaming_groups_changes_no_score(
    unequal: tuple[np.ndarray, list[str]],
) -> None:
    points, names = unequal
    first, again = (separation(points, {"kind": names}, seed=4) for _ in range(2))
    assert first.equals(again)
    renamed = separation(
        points, {"kind": [{"large": "z", "middle": "y", "small": "x"}[item] for item in names]}, seed=4
    )
    np.testing.assert_allclose(renamed["score"], first["score"], atol=1e-6)


def test_points_without_a_group_take_no_part(unequal: tuple[np.ndarray, list[str]]) -> None:
    points, names = unequal
    some = [name if name != "small" else None for name in names]
    result = separation(points, {"kind": some}, shuffles=3)
    np.testing.assert_allclose(
        result["score"], separation(points[:85], {"kind": names[:85]}, shuffles=3)["score"], atol=1e-6
    )
    assert set(result["n"]) == {85}


def test_one_group_and_groups_of_one_have_no_score() -> None:
    for names in (["a"] * 6, list("abcdef"), [None] * 6):
        result = separation(RNG.standard_normal((6, 2)), {"kind": names}, shuffles=3)
        assert result["score"].isna().all() and result["null_mean"].isna().all() and len(result) == 4


@given(st.integers(3, 30), st.integers(2, 6), st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_silhouette_is_scikit_learn_s(points: int, groups: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    types, group = unit_vectors(rng.standard_normal((points, 3))), rng.integers(0, groups, points)
    distances = cosine_distances(types)
    if not 2 <= len(np.unique(group)) < points:
        assert np.isnan(silhouette(distances, group))
        return
    expected = silhouette_score(types.astype(np.float64), group, metric="cosine")
    assert silhouette(distances, group) == pytest.approx(expected, abs=1e-9)
    order, names = rng.permutation(points), rng.permutation(groups)  # neither order nor names of groups matter
    again = silhouette(distances[np.ix_(order, order)], names[group[order]])
    assert again == pytest.approx(expected, abs=1e-9)


def test_clouds_are_clusters_and_labels_that_mean_nothing_are_not() -> None:
    table = clustering(clouds(samples=20), seed=0, shuffles=40).set_index(["step", "by"])
    assert len(table) == 2 * 3
    for step in ("i1", "i2"):
        unit, label, domain = (table.loc[(step, by)] for by in ("unit", "label", "domain"))
        assert unit["score"] > 0.9 > 0.3 > unit["null_high"]
        assert label["null_low"] <= label["score"] <= label["null_high"]
        assert np.isnan(domain["score"]), "one domain is no grouping"
        assert (unit["n"], unit["groups"], label["groups"], domain["groups"]) == (120, 3, 2, 1)


def test_the_null_of_labels_shuffles_samples_and_not_tokens() -> None:
    """The tokens of a sample are at one place here, so any labels of samples look clustered; the null must say so."""
    points = clouds(samples=8, tokens=6, steps=1)
    places = unit_vectors(np.random.default_rng(1).standard_normal((8, 5)))
    together = replace(points, types=places[points.sample], unit=(points.sample % 2).astype(np.int32))
    table = clustering(together, shuffles=100).set_index("by")
    assert table.loc["label", "score"] == table.loc["unit", "score"]
    assert table.loc["unit", "null_high"] < table.loc["label", "null_high"]
    assert table.loc["label", "null_high"] > table.loc["label", "score"] - 0.05


def test_tokens_without_a_unit_take_no_part() -> None:
    points = clouds(steps=1)
    lost = points.sample == 0
    strange = np.where(lost[:, None], -points.types, points.types)
    some = replace(points, types=strange, unit=np.where(lost, -1, points.unit).astype(np.int32))
    table = clustering(some, shuffles=3).set_index("by")
    expected = silhouette(cosine_distances(points.types[~lost]), points.unit[~lost])
    assert table.loc["unit", "score"] == pytest.approx(expected)
    assert (table.loc["unit", "n"], table.loc["label", "n"]) == (54, 60)


def test_many_points_are_thinned_to_the_same_tokens_in_every_step() -> None:
    points = clouds(steps=2, spread=0)  # every step alike, so the same tokens give the same score
    table = clustering(points, seed=1, shuffles=2, most=15)
    assert set(table["n"]) == {15}
    first, two = (table[table["step"] == step]["groups"].tolist() for step in points.steps)
    assert first == two
    assert clustering(points, seed=1, shuffles=2, most=15).equals(table)
