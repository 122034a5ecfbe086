"""Clustering scores against scikit-learn, and nulls that know what belongs together."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import silhouette_score

from routescope.routing.maps.clustering import clustering, cosine_distances, silhouette
from tests.core.routing.points import clouds, unit_vectors


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
