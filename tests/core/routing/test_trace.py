"""A trace: named axes, every unit in its place, and the paths drawn from it, also between units."""

import json
from itertools import product
from typing import Any

import numpy as np
import pytest
import torch
import xarray as xr

from routescope.nn.interpreter.network import NeuralInterpreter
from routescope.routing import Intervention, record
from tests.core.nn.networks import config, images, network
from tests.core.routing.small import CIRCUITS, inputs, small
from tests.oracles.mapping import listening

FIELDS = ("compatibility", "types", "attention", "states")


@pytest.fixture(scope="module", params=[1, 2], ids=["one-script", "two-scripts"])
def model(request: pytest.FixtureRequest) -> NeuralInterpreter:
    return network(config(scripts=request.param, relative_position="shared"), dtype=torch.float32)


@pytest.fixture(scope="module")
def change(model: NeuralInterpreter) -> Intervention:
    return Intervention(drop=(model.units[1], model.units[-1]), mute=(model.units[0],), iterations=4)


def test_units_that_were_dropped_or_muted_keep_their_place_with_zeros(
    model: NeuralInterpreter, change: Intervention
) -> None:
    batch = images(model, batch=3)
    trace = record(model, batch, only=FIELDS, intervention=change, sample_ids=["a", "b", "c"], seed=7)
    view = change.apply(model)
    with torch.no_grad(), listening(view, *FIELDS) as heard:
        view(batch, change.iterations)
    steps = model.step_names(4)
    assert tuple(trace["compatibility"]["step"].values) == steps
    assert trace["compatibility"]["sample"].values.tolist() == ["a", "b", "c"]
    assert trace["compatibility"]["token"].values.tolist() == list(model.tokens)
    for s in range(model.config.scripts):
        names = [f"f{u + 1}" for u in range(model.config.functions)]
        full = [name if model.config.scripts == 1 else f"s{s + 1}.{name}" for name in names]
        silent = [n for n, f in zip(names, full, strict=True) if f in change.drop + change.mute]
        sounding = [n for n in names if n not in silent]
        gone = [n for n, f in zip(names, full, strict=True) if f in change.drop]
        kept = trace["kept"].isel(script=s)
        assert [n for n in names if not kept.sel(unit=n)] == gone
        for i in range(4):
            index = 4 * s + i
            at = trace.dataset.sel(step=steps[index])
            C = heard["compatibility"][index].permute(1, 0, 2).numpy()
            assert np.array_equal(at["compatibility"].sel(unit=sounding).values, C)
            assert (at["compatibility"].sel(unit=silent) == 0).all()
            assert np.array_equal(at["types"].values, heard["types"][index].numpy())
            assert np.array_equal(at["states"].values, heard["states"][index].numpy())
            W = heard["attention"][index].permute(2, 0, 1, 3, 4, 5).numpy()  # (sample, loc, unit, head, query, key)
            assert np.array_equal(at["attention"].sel(unit=sounding).values, W)
            assert (at["attention"].sel(unit=silent) == 0).all()


def test_what_depends_on_no_sample_is_in_the_trace(model: NeuralInterpreter, change: Intervention) -> None:
    trace = record(model, images(model), intervention=change, seed=7)
    signatures = np.stack([script.signatures.numpy(force=True) for script in model.scripts])
    signatures = signatures / np.linalg.norm(signatures, axis=-1, keepdims=True)
    assert trace["signatures"].dims == ("script", "unit", "type_feature")
    np.testing.assert_allclose(trace["signatures"].values, signatures, rtol=1e-6)
    assert trace["sigma"].values.tolist() == [script.sigma.item() for script in model.scripts]
    assert trace.dataset.attrs["tau"] == model.config.tau
    assert trace.dataset.attrs["seed"] == 7
    assert trace.intervention == change
    assert trace.dataset.attrs["intervention"] == change.to_json()
    versions = json.loads(trace.dataset.attrs["versions"])
    assert versions["torch"].split("+")[0] == torch.__version__.split("+")[0]
    assert versions["xarray"] == xr.__version__


def test_predictions_are_probabilities_of_every_head(model: NeuralInterpreter) -> None:
    batch = images(model, batch=3)
    result = record(model, batch).predictions()
    with torch.no_grad():
        wanted = model(batch).softmax(-1).numpy()
    assert len(result) == 3
    for sample, heads in zip(result, wanted, strict=True):
        assert list(sample) == list(model.config.domains)
        np.testing.assert_allclose(np.stack(list(sample.values())), heads, rtol=1e-5)
        assert all(p.sum() == pytest.approx(1) for p in sample.values())


def test_paths_join_what_follows_on_each_other(model: NeuralInterpreter) -> None:
    """weight = C[from, token, step] * C[to, token, next step], strongest first."""
    trace = record(model, images(model), intervention=Intervention(iterations=2))
    paths, C = trace.paths(), trace["compatibility"]
    axes = ("sample", "step", "token", "unit")
    names = [C[axis].values.tolist() for axis in axes]
    values = C.transpose(*axes).values
    wanted = {}
    for (k, sample), (i, step), (v, token) in product(*(tuple(enumerate(part)) for part in names[:3])):
        if i + 1 < len(names[1]):
            for (u, first), (w, second) in product(enumerate(names[3]), repeat=2):
                wanted[sample, token, step, first, second] = float(values[k, i, v, u]) * float(values[k, i + 1, v, w])
    columns = ["sample", "token", "step", "from_unit", "to_unit", "weight"]
    result = {tuple(row[:5]): row[5] for row in paths.segments[columns].values}
    assert result.keys() <= wanted.keys()
    for key, weight in wanted.items():
        assert result.get(key, 0.0) == pytest.approx(weight, rel=1e-5, abs=1.01e-3), key
    weights = paths.segments["weight"].to_numpy()
    assert (weights[:-1] >= weights[1:]).all()
    strongest = C.idxmax("unit").where(C.max("unit") > 0, "")
    for row in paths.dominant.itertuples():
        assert row.unit == strongest.sel(sample=row.sample, step=row.step, token=row.token)
    empty = record(model, images(model), intervention=Intervention(drop=model.units)).paths()
    assert len(empty.segments) == 0 and set(empty.dominant["unit"]) == {""}


@pytest.fixture(scope="module", params=CIRCUITS)
def circuit(request: pytest.FixtureRequest) -> Any:
    """Without and with learned links."""
    return small(request.param)


def test_segments_are_what_is_read(circuit: Any) -> None:
    """Tokens by modules, modules by modules at the step before, modules by the output; strongest first."""
    change = Intervention(drop=("m3",), iterations=2)
    trace = record(circuit, inputs(circuit, 2), intervention=change, sample_ids=["a", "b"])
    paths = trace.paths()
    wanted = {}
    for sample in ("a", "b"):
        at = trace.dataset.sel(sample=sample)
        for unit in circuit.units:
            for token in circuit.tokens:
                wanted[sample, token, "", "read-in", "", unit] = float(at["read_in"].sel(unit=unit, token=token))
            out = float((at["read_out"].sel(unit=unit) * at["confidence"]).sum("readout"))
            wanted[sample, "", "l2", "read-out", unit, ""] = out
        for (before, layer), (sender, receiver) in (
            (steps, pair)
            for steps in (("read-in", "l1"), ("l1", "l2"))
            for pair in ((s, r) for s in circuit.units for r in circuit.units)
        ):
            weight = float(at["messages"].sel(layer=layer, unit=receiver, sender=sender))
            wanted[sample, "", before, layer, sender, receiver] = weight
    names = ["sample", "token", "step", "next_step", "from_unit", "to_unit"]
    result = {tuple(row[:6]): row[6] for row in paths.segments[[*names, "weight"]].itertuples(index=False)}
    assert len(result) == len(paths.segments)
    assert result.keys() <= wanted.keys()
    for key, weight in wanted.items():
        assert result.get(key, 0.0) == pytest.approx(weight, abs=1.01e-3 if key not in result else 1e-6), key
    weights = paths.segments["weight"].to_numpy()
    assert (weights[:-1] >= weights[1:]).all()
    assert not ((paths.segments == "m3").any(axis=None))
    for (sample, step), rows in paths.segments.groupby(["sample", "next_step"]):
        assert rows["weight"].sum() == pytest.approx(1 if step == "read-out" else 6, rel=0.02), (sample, step)
    for row in paths.dominant.itertuples():
        assert row.step == "read-in"
        read = trace["read_in"].sel(sample=row.sample, token=row.token)
        assert row.unit == (str(read.idxmax("unit").values) if read.any() else ""), "nobody reads what is no token"
    assert len(paths.dominant) == 2 * len(circuit.tokens)
    assert (paths.units, paths.steps) == (circuit.all_units, ("read-in", "l1", "l2"))


def test_paths_take_what_a_trace_has(circuit: Any) -> None:
    messages = record(circuit, inputs(circuit), only=("messages",)).paths()
    assert set(messages.segments["next_step"]) == {"l1", "l2", "l3"}
    assert len(messages.dominant) == 0
    unread = record(circuit, inputs(circuit), intervention=Intervention(iterations=0)).paths()
    assert set(unread.segments["next_step"]) == {"read-in", "read-out"}
    nobody = record(circuit, inputs(circuit), intervention=Intervention(drop=circuit.units)).paths()
    assert len(nobody.segments) == 0
    with pytest.raises(ValueError, match="states"):
        record(circuit, inputs(circuit), only=("states",)).paths()
