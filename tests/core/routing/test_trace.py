"""A trace: named axes, every unit in its place, one file on disk, and the paths drawn from it."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
import xarray as xr

from routescope.nn.interpreter.network import NeuralInterpreter
from routescope.routing import Intervention, Trace, record
from tests.core.nn.networks import config, images, network
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


@pytest.mark.parametrize("only", [FIELDS, ("compatibility",), ()], ids=["everything", "one", "nothing"])
def test_a_file_gives_back_the_same_trace(
    model: NeuralInterpreter, change: Intervention, only: tuple[str, ...], tmp_path: Path
) -> None:
    trace = record(model, images(model, batch=3), only=only, intervention=change, sample_ids=["ä", "b c", "7"])
    path = trace.save(tmp_path / "trace.nc")
    assert path == tmp_path / "trace.nc"
    assert path.read_bytes()[1:4] == b"HDF"
    again = Trace.load(path)
    xr.testing.assert_identical(again.dataset, trace.dataset)
    for name, array in trace.dataset.items():
        assert again[str(name)].dtype == array.dtype
    assert again.intervention == change
    path.unlink()  # a loaded trace needs its file no longer
    assert np.array_equal(again["logits"].values, trace["logits"].values)
    assert [file.name for file in tmp_path.iterdir()] == []


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


@pytest.mark.slow
@pytest.mark.parametrize("iterations", [2, 3])
def test_paths_join_what_follows_on_each_other(model: NeuralInterpreter, iterations: int) -> None:
    """weight = C[from, token, step] * C[to, token, next step], strongest first."""
    trace = record(model, images(model), intervention=Intervention(iterations=iterations))
    paths, C = trace.paths(), trace["compatibility"]
    steps = trace.dataset["step"].values.tolist()
    wanted = {}
    for sample in C["sample"].values:
        for first, two in zip(steps[:-1], steps[1:], strict=True):
            for token in C["token"].values:
                for u in C["unit"].values:
                    for v in C["unit"].values:
                        weight = float(C.sel(sample=sample, step=first, unit=u, token=token)) * float(
                            C.sel(sample=sample, step=two, unit=v, token=token)
                        )
                        wanted[sample, token, first, u, v] = weight
        break  # one sample is enough: the loop is slow
    rows = paths.segments[paths.segments["sample"] == "0"]
    result = {
        tuple(row[:5]): row[5] for row in rows[["sample", "token", "step", "from_unit", "to_unit", "weight"]].values
    }
    assert result.keys() <= wanted.keys()
    for key, weight in wanted.items():
        assert result.get(key, 0.0) == pytest.approx(weight, rel=1e-5, abs=1.01e-3), key
    weights = paths.segments["weight"].to_numpy()
    assert (weights[:-1] >= weights[1:]).all()
    strongest = C.idxmax("unit").where(C.max("unit") > 0, "")
    for row in paths.dominant.itertuples():
        assert row.unit == strongest.sel(sample=row.sample, step=row.step, token=row.token)


def test_paths_without_any_unit_are_empty(model: NeuralInterpreter) -> None:
    trace = record(model, images(model), intervention=Intervention(drop=model.units))
    assert len(trace.paths().segments) == 0
    assert set(trace.paths().dominant["unit"]) == {""}
