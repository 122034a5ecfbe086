"""Traces through the API: what they say, every form of every field, caching and interventions."""

import io
import json
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
import torch
import xarray as xr

from routescope import zoo
from routescope.data import load
from routescope.routing import Intervention, Trace, record
from tests.app.api.follow import rows_of
from tests.app.serving import MODEL, STEPS, UNITS, is_problem, make_model, serving, settings, upload

pytestmark = pytest.mark.asyncio(loop_scope="module")

SAMPLE = "mnist.validation.4"


async def trace(client: httpx.AsyncClient, sample: str = SAMPLE, **body: Any) -> Any:
    response = await client.post("/api/v1/traces", json={"model": MODEL, "sample": sample, **body})
    assert response.status_code == 201, response.text
    assert response.headers["location"] == f"/api/v1/traces/{response.json()['id']}"
    return response.json()


def recorded(drop: tuple[str, ...] = (), mute: tuple[str, ...] = (), iterations: int | None = None) -> Trace:
    """The same trace, straight from the core."""
    images = torch.as_tensor(load("mnist", "validation").images[4])[None].float() / 255
    return record(zoo.load(MODEL), images, intervention=Intervention(drop, mute, iterations))


async def test_what_a_trace_says(client: httpx.AsyncClient) -> None:
    info = await trace(client)
    assert (info["model"], info["sample"], info["revision"]) == (MODEL, SAMPLE, zoo.info(MODEL).revision)
    assert (info["units"], info["kept"], info["steps"]) == (list(UNITS), list(UNITS), list(STEPS))
    nothing = {"drop": [], "mute": [], "iterations": None, "keep_edges": None, "top_k": None}
    assert info["intervention"] == {**nothing, "mute_routes": [], "copy_routes": [], "gates": {}}
    assert [token["name"] for token in info["tokens"]] == list(zoo.info(MODEL).tokens)
    assert info["grid"] == {"rows": 4, "columns": 4}
    first, last = info["tokens"][0], info["tokens"][-1]
    blank = {"row": None, "column": None, "text": None, "candidate": None}
    assert first == blank | {"name": "cls:mnist", "kind": "cls"}
    assert last == blank | {"name": "patch:3,3", "kind": "patch", "row": 3, "column": 3}
    assert info["domains"] == list(zoo.info(MODEL).domains)
    fields = {field["name"]: field for field in info["fields"]}
    assert fields["compatibility"]["dims"] == ["sample", "step", "unit", "token"]
    assert fields["compatibility"]["shape"] == [1, 3, 4, 19]
    expected = recorded().predictions()[0]
    for prediction in info["predictions"]:
        assert sum(prediction["probabilities"]) == pytest.approx(1)
        np.testing.assert_allclose(prediction["probabilities"], expected[prediction["domain"]], atol=1e-6)
        assert prediction["label"] == int(np.argmax(prediction["probabilities"]))


@pytest.mark.parametrize(
    ("model", "sample", "fields"),
    [
        ("moe-bytes", "python.validation.1", {"compatibility", "top_experts", "top_weights", "margin"}),
        ("nac-scale-free", "mnist.validation.1", {"read_in", "messages", "read_out", "confidence"}),
        ("vit-digits", "mnist.validation.1", set()),
    ],
)
async def test_without_fields_a_trace_has_those_that_show_routing(
    client: httpx.AsyncClient, model: str, sample: str, fields: set[str]
) -> None:
    info = await trace(client, sample, model=model)
    constants = {field["name"] for field in (await trace(client, sample, model=model, fields=[]))["fields"]}
    assert {field["name"] for field in info["fields"]} - constants == fields


async def test_every_form_of_every_field(client: httpx.AsyncClient) -> None:
    info = await trace(client, fields=["compatibility", "types", "attention", "states"])
    assert {"compatibility", "types", "attention", "states", "logits", "signatures"} <= {
        f["name"] for f in info["fields"]
    }
    for field in info["fields"]:
        address = f"/api/v1/traces/{info['id']}/fields/{field['name']}"
        as_json = (await client.get(address)).json()
        binary = await client.get(address, params={"format": "binary"})
        npz = await client.get(address, params={"format": "npz"})
        assert (as_json["dims"], as_json["shape"]) == (field["dims"], field["shape"])
        assert binary.headers["x-shape"] == ",".join(map(str, field["shape"]))
        assert binary.headers["x-dims"] == ",".join(field["dims"])
        dtype = np.dtype(binary.headers["x-dtype"]).newbyteorder("<")
        values = np.frombuffer(binary.content, dtype).reshape(field["shape"])
        np.testing.assert_array_equal(np.array(as_json["values"], dtype=dtype), values)
        with np.load(io.BytesIO(npz.content), allow_pickle=False) as archive:
            assert archive.files == [field["name"]]
            np.testing.assert_array_equal(archive[field["name"]].astype(dtype), values)


async def test_values_are_those_of_the_core(client: httpx.AsyncClient) -> None:
    info = await trace(client, intervention={"drop": ["f2"], "mute": ["f4"], "iterations": 2})
    expected = recorded(("f2",), ("f4",), 2)
    for name in ("compatibility", "types", "logits"):
        address = f"/api/v1/traces/{info['id']}/fields/{name}"
        values = (await client.get(address)).json()
        np.testing.assert_allclose(values["values"], expected[name].values, atol=1e-6)
    assert (info["kept"], info["steps"]) == (["f1", "f3", "f4"], ["i1", "i2"])
    nothing = await trace(client, intervention={"drop": list(UNITS)})
    values = (await client.get(f"/api/v1/traces/{nothing['id']}/fields/compatibility")).json()
    assert values["coordinates"]["unit"] == list(UNITS) and values["coordinates"]["step"] == list(STEPS)
    assert nothing["kept"] == [] and values["shape"] == [1, 3, 4, 19] and not np.any(values["values"])
    unread = await trace(client, intervention={"iterations": 0})
    assert unread["steps"] == []
    for prediction in (*nothing["predictions"], *unread["predictions"]):
        assert sum(prediction["probabilities"]) == pytest.approx(1)


async def test_files_say_where_they_come_from(client: httpx.AsyncClient, tmp_path: Path) -> None:
    info, expected = await trace(client, intervention={"drop": ["f1"]}), recorded(("f1",))
    url = f"/api/v1/traces/{info['id']}/file"
    response = await client.get(url)
    assert response.headers["content-type"] == "application/x-netcdf"
    assert response.headers["content-disposition"].startswith("attachment; filename=")
    path = tmp_path / "trace.nc"
    path.write_bytes(response.content)
    with xr.open_dataset(path, engine="h5netcdf") as dataset:
        assert (dataset.attrs["model"], dataset.attrs["revision"]) == (MODEL, info["revision"])
        assert json.loads(dataset.attrs["intervention"]) == {"drop": ["f1"], "mute": [], "iterations": None}
        assert "seed" in dataset.attrs and "torch" in json.loads(dataset.attrs["versions"])
        assert dataset["sample"].values.tolist() == [SAMPLE]
        np.testing.assert_allclose(dataset["compatibility"].values, expected["compatibility"].values, atol=1e-6)
    head, rows = rows_of(await client.get(url, params={"format": "csv"}))
    assert {line.split(":")[0] for line in head} >= {"# model", "# revision", "# intervention", "# seed"}
    assert list(rows[0])[:3] == ["sample", "token", "step"] and list(rows[0])[-1] == "weight"
    assert len(rows) == len(expected.paths().segments)
    types = f"/api/v1/traces/{(await trace(client, fields=['types']))['id']}"
    refused = await client.get(f"{types}/file", params={"format": "csv"})
    assert "compatibility" in is_problem(refused, 422)["detail"], "paths need compatibilities"
    assert "types" in is_problem(await client.get(f"{types}/fields/compatibility"), 404)["detail"]


async def test_the_same_request_has_the_same_id(client: httpx.AsyncClient) -> None:
    first = await trace(client, intervention={"drop": ["f3", "f1"]}, fields=["types", "compatibility"])
    again = await trace(client, intervention={"drop": ["f1", "f3", "f3"]}, fields=["compatibility", "types", "types"])
    assert (first["cached"], again["cached"]) == (False, True)
    assert {**first, "cached": True} == again == (await client.get(f"/api/v1/traces/{first['id']}")).json()
    others = [
        await trace(client, intervention={"drop": ["f1"]}),
        await trace(client, intervention={"mute": ["f1", "f3"]}),
        await trace(client, intervention={"drop": ["f1", "f3"], "iterations": 2}),
        await trace(client, intervention={"drop": ["f1", "f3"]}, fields=["types"]),
        await trace(client, "mnist.validation.5", intervention={"drop": ["f1", "f3"]}),
    ]
    assert len({first["id"], *(other["id"] for other in others)}) == 6


async def test_a_trace_of_an_own_sample_goes_with_it(client: httpx.AsyncClient) -> None:
    sample = (await upload(client)).json()
    info = await trace(client, sample["id"])
    assert (await client.get(f"/api/v1/traces/{info['id']}")).status_code == 200
    await client.delete(f"/api/v1/samples/{sample['id']}")
    is_problem(await client.get(f"/api/v1/traces/{info['id']}"), 404)
    is_problem(await client.post("/api/v1/traces", json={"model": MODEL, "sample": sample["id"]}), 404)


async def test_links_survive_a_restart_and_an_empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = settings(tmp_path)
    async with serving(chosen) as client:
        info = await trace(client)
        field = f"/api/v1/traces/{info['id']}/fields/compatibility?format=binary"
        values = (await client.get(field)).content
    async with serving(chosen) as client:  # from disk
        assert (await client.get(f"/api/v1/traces/{info['id']}")).json() == {**info, "cached": True}
        assert (await client.get(field)).content == values
    files = list((tmp_path / "cache" / "traces").rglob("*.nc"))
    assert len(files) == 1
    files[0].write_bytes(files[0].read_bytes()[:100])  # damaged: recorded again
    async with serving(chosen) as client:
        assert (await client.get(field)).content == values
    files[0].unlink()  # lost: recorded again
    monkeypatch.setattr("routescope_app.services.traces.traces.LEAST_SECONDS", 1e6)
    async with serving(chosen) as client:
        assert (await client.get(field)).content == values
        assert (await client.get(f"/api/v1/traces/{info['id']}/file")).content[:4] == b"\x89HDF"
    assert not list((tmp_path / "cache" / "traces").rglob("*.nc")), "it is recorded quicker than it is read"


async def test_a_new_revision_of_a_model_has_new_traces(client: httpx.AsyncClient) -> None:
    make_model("changing", seed=1)
    body = {"model": "changing", "sample": SAMPLE}
    before = (await client.post("/api/v1/traces", json=body)).json()
    make_model("changing", seed=2)
    after = (await client.post("/api/v1/traces", json=body)).json()
    assert before["revision"] != after["revision"] and before["id"] != after["id"]
    assert before["predictions"] != after["predictions"]
