"""How far groups lie apart, where the answer is known; the null is what shuffled groups give."""

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist
from sklearn.metrics import balanced_accuracy_score, silhouette_score
from sklearn.neighbors import KNeighborsClassifier

from routescope.routing.maps.separation import NEAREST, SILHOUETTE, nearest, separation, told

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
    assert set(result["groups"]) == {2, 3}


def test_a_large_group_makes_plain_accuracy_high_and_balanced_accuracy_not() -> None:
    names = ["large"] * 180 + ["small"] * 20
    result = separation(RNG.standard_normal((200, 3)), {"kind": names})
    assert row(result, "kind", NEAREST).score > 0.8
    assert row(result, "kind", NEAREST, balanced=True).score < 0.65


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


@pytest.mark.parametrize("names", [["a"] * 6, list("abcdef"), [None] * 6])
def test_one_group_and_groups_of_one_have_no_score(names: list[str | None]) -> None:
    result = separation(RNG.standard_normal((6, 2)), {"kind": names}, shuffles=3)
    assert result["score"].isna().all()
    assert result["null_mean"].isna().all()
    assert len(result) == 4
