"""States of units as points: where units, and not tokens, carry the states of a network."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routescope.plots.embedding import plot
from routescope.routing import Intervention, InterventionError, record
from routescope.routing.maps.clustering import clustering
from routescope.routing.maps.embedding import Embedding, embed
from routescope.routing.maps.points import TypePoints, at_initialisation, source_of, type_points
from tests.core.routing.small import CIRCUITS, noise, small


@pytest.fixture(scope="module", params=CIRCUITS)
def circuit(request: pytest.FixtureRequest) -> Any:
    return small(request.param)


def test_every_point_is_a_state_of_the_trace(circuit: Any) -> None:
    sets = [noise(circuit, 3), noise(circuit, 2, "here", seed=1)]
    change = Intervention(drop=("m2", "m7"), iterations=2)
    points = type_points(circuit, sets, 5, intervention=change)
    assert points.steps == ("read-in", "l1", "l2")
    assert points.tokens == points.units == circuit.all_units
    assert points.attrs["which_tokens"] == "units"
    assert len(points.signatures) == 0
    rows = iter(range(len(points)))
    for item, sample in ((data, b) for data in sets for b in range(len(data))):
        batch = item.inputs([sample])
        trace = record(circuit, batch, ("states",), change)
        head = circuit.config.domains.index(item.domain)
        right = trace["logits"].values[0, head].argmax() == int(item.labels[sample])
        for s, step in enumerate(points.steps):
            for unit in ("m1", "m3", "m4", "m5", "m6"):
                k = next(rows)
                state = trace["states"].sel(step=step, unit=unit).values[0]
                np.testing.assert_allclose(points.types[k], state / np.linalg.norm(state), atol=1e-4)
                position = circuit.units.index(unit)
                assert (points.step[k], points.token[k], points.unit[k]) == (s, position, position)
                assert (points.label[k], points.correct[k]) == (item.labels[sample], right)
                assert points.domains[points.domain[k]] == item.domain
    assert next(rows, None) is None


@pytest.mark.slow
@pytest.mark.parametrize("method", ["pca", "tsne", "umap"])
def test_maps_without_signatures(circuit: Any, method: Any, tmp_path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    points = type_points(circuit, [noise(circuit, 3)], 3)
    back = TypePoints.load(points.save(tmp_path / "points.nc"))
    assert np.array_equal(back.types, points.types) and back.signatures.shape == points.signatures.shape
    scores = embed(points, method, perplexity=5, neighbours=5, scored=True)
    assert scores.xy.shape == (len(points), 2) and np.isfinite(scores.xy).all()
    assert scores.signatures_xy.shape == scores.signatures_pca_xy.shape == (0, 2)
    again = Embedding.load(scores.save(tmp_path / "map.nc"))
    assert np.array_equal(again.xy, scores.xy) and again.signatures_xy.shape == (0, 2)
    assert again.table().equals(scores.table())
    assert len(plot(scores, "unit")) == len(points.steps)
    plt.close("all")


def test_modules_are_clusters_of_their_own(circuit: Any) -> None:
    """At the read-in a state is mostly where its module starts, which one sentence decides where sentences do."""
    data = noise(circuit, 6)
    if hasattr(data, "sentences"):
        data = replace(data, sentences=data.sentences[:1] * 6)
    table = clustering(type_points(circuit, [data], 6), shuffles=10)
    first = table[(table["step"] == "read-in") & (table["by"] == "unit")].iloc[0]
    assert first["score"] > first["null_high"]
    assert first["groups"] == 7


def test_what_cannot_be_asked_is_said(circuit: Any) -> None:
    with pytest.raises(InterventionError, match="m1, m2"):
        type_points(circuit, [noise(circuit)], 2, intervention=Intervention(drop=("f1",)))
    with pytest.raises(ValueError, match="here, there"):
        type_points(circuit, [noise(circuit, domain="elsewhere")], 2)
    with pytest.raises(ValueError, match="not apart"):
        at_initialisation(circuit)
    with pytest.raises(ValueError, match="types and compatibility, or states"):
        source_of(small("block_fnn"))
    assert source_of(circuit) == ("states",)
    assert source_of(small("neural_interpreter")) == ("types", "compatibility")
