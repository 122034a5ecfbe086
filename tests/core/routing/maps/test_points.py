"""Types of tokens, and states of units, as points: each is where the trace has it, with the names that belong to it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.nn.interpreter.network import NeuralInterpreter
from routescope.plots.embedding import plot
from routescope.routing import Intervention, InterventionError, record
from routescope.routing.maps.embedding import Embedding, embed
from routescope.routing.maps.points import (
    TypePoints,
    at_initialisation,
    source_of,
    split_evenly,
    type_batches,
    type_points,
)
from tests.core.nn.networks import config, network
from tests.core.routing.hooks import hooks_on
from tests.core.routing.points import clouds
from tests.core.routing.small import CIRCUITS, noise, small

ARRAYS = ("types", "step", "sample", "token", "unit", "label", "domain", "correct", "signatures")


@pytest.fixture
def model() -> NeuralInterpreter:
    return network(config(tau=0.7), dtype=torch.float32)  # so narrow that some tokens match no function


def same(a: TypePoints, b: TypePoints) -> bool:
    return a.sample_ids == b.sample_ids and all(np.array_equal(getattr(a, n), getattr(b, n)) for n in ARRAYS)


def test_every_point_is_where_the_trace_has_it(model: NeuralInterpreter) -> None:
    sets, counts = [noise(model, 3, "there"), noise(model, 3, "here", seed=1)], (3, 2)
    points = type_points(model, sets, 5, tokens="all")
    assert points.sample_ids == (*(f"there.validation.{k}" for k in range(3)), "here.validation.0", "here.validation.1")
    traces = [
        record(model, data.images[:n].float() / 255, ("types", "compatibility"))
        for data, n in zip(sets, counts, strict=True)
    ]
    axes = ("sample", "step", "token")
    types, C = (
        np.concatenate([trace[name].transpose(*axes, last).values for trace in traces])
        for name, last in (("types", "type_feature"), ("compatibility", "unit"))
    )
    np.testing.assert_allclose(points.types, types.reshape(len(points), -1), atol=1e-6)
    sample, step, token = np.indices(C.shape[:3])
    best = np.where(C.max(axis=-1) > 0, step // model.config.iterations * C.shape[-1] + C.argmax(axis=-1), -1)
    labels = np.concatenate([data.labels[:n] for data, n in zip(sets, counts, strict=True)])
    heads = np.repeat([model.config.domains.index(data.domain) for data in sets], counts)
    logits = np.concatenate([trace["logits"].values for trace in traces])
    right = logits[np.arange(5), heads].argmax(axis=-1) == labels
    wanted = {"sample": sample, "step": step, "token": token, "unit": best}
    wanted |= {"label": labels[sample], "correct": right[sample]}
    for name, values in wanted.items():
        np.testing.assert_array_equal(getattr(points, name), values.ravel(), name)
    assert [points.domains[k] for k in points.domain] == [model.config.domains[k] for k in heads[sample].ravel()]
    assert (points.steps, points.tokens) == (model.steps, model.tokens) and (points.unit == -1).any()
    assert points.units == model.units
    assert np.array_equal(points.signatures[model.config.functions], traces[0]["signatures"].values[1, 0])
    np.testing.assert_allclose(np.linalg.norm(points.types, axis=1), 1, atol=1e-5)
    assert hooks_on(model) == []


def test_tokens_are_chosen_by_kind(model: NeuralInterpreter) -> None:
    sets = [noise(model, 2, "here")]
    everything = type_points(model, sets, 2, tokens="all")
    cls = np.array([name.startswith("cls:") for name in model.tokens])[everything.token]
    assert same(type_points(model, sets, 2, tokens="cls"), everything.take(cls))
    assert same(type_points(model, sets, 2), everything.take(~cls))


def test_batches_joined_are_the_whole_and_may_start_late(model: NeuralInterpreter) -> None:
    unequal = [noise(model, 2, "here"), noise(model, 5, "there", seed=1)]
    names = TypePoints.join(type_batches(model, unequal)).sample_ids
    assert [name.split(".")[-1] for name in names] == [*map(str, range(2)), *map(str, range(5))], "every sample"
    sets = [noise(model, 4, "here"), noise(model, 4, "there", seed=1)]
    for chunk, count in ((1, 7), (30, 4), (10_000, 2)):
        model.chunk_tokens = chunk
        parts = list(type_batches(model, sets, 7))
        assert len(parts) == count
        joined = TypePoints.join(parts)
        for number in range(len(parts) + 1):  # the first so many batches are known already
            done = sum(len(part.sample_ids) for part in parts[:number])
            rest = list(type_batches(model, sets, 7, start=done))
            assert len(rest) == len(parts) - number and all(map(same, rest, parts[number:]))
        odd = [name for part in type_batches(model, sets, 7, start=5) for name in part.sample_ids]
        assert odd == list(joined.sample_ids[5:]), "also where no batch begins"
    for k, (item, row) in enumerate([*((sets[0], r) for r in range(4)), *((sets[1], r) for r in range(3))]):
        alone = type_points(model, [item.take([row])], 1)
        mine = joined.take(joined.sample == k)
        np.testing.assert_allclose(mine.types, alone.types, atol=1e-5)
        assert np.array_equal(mine.unit, alone.unit)


def test_dropped_units_are_nobody_s_nearest(model: NeuralInterpreter) -> None:
    sets = [noise(model, 3, "here")]
    plain = type_points(model, sets, 3)
    dropped = plain.units[np.bincount(plain.unit[plain.unit >= 0]).argmax()]
    points = type_points(model, sets, 3, intervention=Intervention(drop=(dropped,), iterations=2))
    assert plain.units.index(dropped) in plain.unit
    assert points.units == plain.units
    assert points.units.index(dropped) not in points.unit
    assert points.steps == model.step_names(2)
    assert Intervention.from_json(points.attrs["intervention"]).drop == (dropped,)


@given(st.integers(1, 100), st.lists(st.integers(1, 40), min_size=1, max_size=4))
@settings(max_examples=25, deadline=None)
def test_samples_are_split_evenly(samples: int, sizes: list[int]) -> None:
    model = network(config(image_size=2, patch_size=2))
    counts = split_evenly(samples, [noise(model, size, "here") for size in sizes])
    free = [count for count, size in zip(counts, sizes, strict=True) if count < size]
    assert all(count <= size for count, size in zip(counts, sizes, strict=True))
    assert sum(counts) <= samples
    assert max(free, default=0) - min(free, default=0) <= 1
    if len(free) == len(sizes):
        assert sum(counts) == samples


def test_a_file_gives_back_what_was_saved(tmp_path: Path) -> None:
    points = clouds()
    back = TypePoints.load(points.save(tmp_path / "points.nc"))
    assert same(points, back)
    assert (back.steps, back.tokens, back.units, back.labels, back.domains, back.attrs) == (
        points.steps, points.tokens, points.units, points.labels, points.domains, points.attrs
    )  # fmt: skip
    assert {getattr(back, name).dtype for name in ARRAYS} == {np.dtype(np.float32), np.dtype(np.int32)}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"samples": 0}, "at least one sample"),
        ({"tokens": "words"}, "patches, cls, all"),
        ({"intervention": Intervention(iterations=0)}, "at least one iteration"),
        ({"intervention": Intervention(drop=("f9",))}, "f9"),
    ],
)
def test_what_cannot_be_asked_is_said(model: NeuralInterpreter, arguments: dict, words: str) -> None:
    with pytest.raises((ValueError, InterventionError), match=words):
        type_points(model, [noise(model, 2, "here")], **{"samples": 2, **arguments})
    with pytest.raises(ValueError, match="here, there"):
        type_points(model, [noise(model, 2, "elsewhere")], 2)


def test_progress_counts_samples(model: NeuralInterpreter) -> None:
    sets, seen = [noise(model, 4, "here"), noise(model, 4, "there")], []
    type_points(model, sets, 8, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(4, 8), (8, 8)]


# ------------------------------------------------------------------------------------------- at initialisation


@pytest.mark.parametrize("frozen", [False, True])
def test_only_the_routing_is_as_at_initialisation(frozen: bool) -> None:
    model = network(config(frozen_signatures=frozen), dtype=torch.float32)
    model.revision = "abc"
    before = {name: value.clone() for name, value in model.state_dict().items()}
    generator = torch.get_rng_state()
    initial = at_initialisation(model, seed=3)
    assert torch.equal(torch.get_rng_state(), generator)
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    torch.manual_seed(3)
    fresh = NeuralInterpreter(model.config).state_dict()
    for name, value in initial.state_dict().items():
        routing = "type_inference" in name or name.endswith("sigma") or (name.endswith("signatures") and not frozen)
        assert torch.equal(value, (fresh if routing else before)[name]), name
    assert model.revision in initial.revision
    assert initial.revision not in (model.revision, at_initialisation(model, seed=4).revision)
    assert not {p.data_ptr() for p in initial.parameters()} & {p.data_ptr() for p in model.parameters()}


def test_prepared_weights_do_not_follow_to_the_initial_network(model: NeuralInterpreter) -> None:
    sets = [noise(model, 2, "here")]
    trained = type_points(model, sets, 2)
    initial = type_points(at_initialisation(model), sets, 2)
    assert not np.allclose(trained.types, initial.types, atol=1e-2)
    assert not np.allclose(trained.signatures, initial.signatures, atol=1e-2) or model.config.frozen_signatures
    assert same(type_points(model, sets, 2), trained)


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
@pytest.mark.usefixtures("figures")
@pytest.mark.parametrize("method", ["pca", "tsne", "umap"])
def test_maps_without_signatures(method: Any, tmp_path: Path) -> None:
    circuit = small("neural_attentive_circuit")
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


def test_what_cannot_be_asked_of_circuits_is_said(circuit: Any) -> None:
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
