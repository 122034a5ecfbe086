"""Observations through the API: the numbers of the core, as JSON, tables and a file."""

import csv
import io
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
import xarray as xr

from routescope import zoo
from routescope.data import load
from routescope.routing import Intervention
from routescope.routing.observed.observer import Observer
from routescope.routing.observed.result import NAMES
from tests.app.api.follow import ended, start
from tests.app.serving import MODEL, NUMBERS, STEPS, UNITS, is_problem, make_numbers

REQUEST: dict[str, Any] = {"model": MODEL, "data": ["mnist", "mnist-m"], "samples": 24, "shuffles": 20, "seed": 3}


async def observed(client: httpx.AsyncClient, **request: Any) -> tuple[str, dict[str, Any]]:
    """Address and content of an observation."""
    job = await ended(client, await start(client, "observations", {**REQUEST, **request}))
    assert job["state"] == "done", job
    return job["result"], (await client.get(job["result"])).json()


async def test_the_numbers_are_those_of_the_core(client: httpx.AsyncClient, tmp_path: Path) -> None:
    url, result = await observed(client, intervention={"drop": ["f2"]})
    datasets = [load(name).take(slice(12)) for name in ("mnist", "mnist-m")]
    observer = Observer(zoo.load(MODEL), datasets, intervention=Intervention(drop=("f2",)), shuffles=20, seed=3)
    for _ in observer:
        pass
    expected = observer.result()
    assert set(result["variables"]) == {str(name) for name in expected.dataset.data_vars}
    for name, variable in result["variables"].items():
        assert variable["dims"] == list(expected[name].dims)
        values = np.array(variable["values"], dtype=float)
        np.testing.assert_allclose(values, expected[name].values.astype(float), rtol=1e-5, atol=1e-6, err_msg=name)
    assert (result["units"], result["steps"], result["count"]) == (list(UNITS), list(STEPS), 24)
    assert all(row[1] == 0 for row in result["variables"]["usage"]["values"])  # f2 was dropped
    first = result["exemplars"][0]
    assert first["unit"] == "f1" and first["rank"] == 1 and first["token"].startswith("patch:")
    assert (await client.get(f"/api/v1/samples/{first['sample']}")).status_code == 200
    file = tmp_path / "observation.nc"
    file.write_bytes((await client.get(url, params={"format": "netcdf"})).content)
    with xr.open_dataset(file, engine="h5netcdf") as dataset:
        assert dataset.attrs["revision"] == result["revision"] and set(dataset.data_vars) == set(result["variables"])


@pytest.mark.slow
async def test_tables(client: httpx.AsyncClient) -> None:
    url, result = await observed(client)
    assert result["tables"] == list(NAMES)
    for name in NAMES:
        answer = await client.get(url, params={"format": "csv", "table": name})
        assert answer.headers["content-type"].startswith("text/csv")
        body = [line for line in answer.text.splitlines() if not line.startswith("#")]
        assert len(answer.text.splitlines()) - len(body) == 6 and list(csv.DictReader(io.StringIO("\n".join(body))))
    assert "steps" in is_problem(await client.get(url, params={"format": "csv", "table": "nothing"}), 422)["detail"]


async def test_what_is_refused(client: httpx.AsyncClient) -> None:
    for change, status in (
        ({"model": "nothing"}, 404), ({"data": ["imagenet"]}, 422), ({"shuffles": 1_001}, 422), ({"shuffles": 0}, 422),
        ({"intervention": {"drop": ["f9"]}}, 422), ({"intervention": {"iterations": 0}}, 422), ({"samples": 1}, 422),
    ):  # fmt: skip
        is_problem(await client.post("/api/v1/observations", json={**REQUEST, **change}), status)
    is_problem(await client.get(f"/api/v1/observations/{'0' * 40}"), 404)


async def test_a_model_of_numbers_is_observed_on_one_of_the_sets_with_the_same_points(
    client: httpx.AsyncClient,
) -> None:
    make_numbers()
    _, result = await observed(client, model=NUMBERS, data=[])
    assert [(exemplar["name"], exemplar["count"]) for exemplar in result["data"]] == [("boolean-01", 24)]
    assert result["labels"] == [] and result["variables"]["specialisation"]["values"] == [None] * len(result["steps"])
    observer = Observer(zoo.load(NUMBERS), [load("boolean-01").take(slice(24))], shuffles=20, seed=3)
    for _ in observer:
        pass
    expected = observer.result()
    for name in ("usage", "by_position", "specialisation_position", "jsd_samples"):
        np.testing.assert_allclose(result["variables"][name]["values"], expected[name].values, rtol=1e-5, atol=1e-6)
    tokens = {exemplar["token"].partition(":")[0] for exemplar in result["exemplars"]}
    assert tokens == {"number"}, "what heads read is no exemplar"
    first = result["exemplars"][0]
    table = (await client.get(f"/api/v1/tables/{first['sample']}")).json()
    assert table["point"]["names"] == list("abcde")
    _, named = await observed(client, model=NUMBERS, data=["boolean-02", "boolean-03"])
    assert [(exemplar["name"], exemplar["count"]) for exemplar in named["data"]] == [
        ("boolean-02", 12),
        ("boolean-03", 12),
    ]


async def test_models_whose_tokens_go_to_experts_are_asked_elsewhere(client: httpx.AsyncClient) -> None:
    answer = await client.post("/api/v1/observations", json={"model": "moe-bytes", "samples": 9})
    assert "POST /api/v1/expert-loads" in is_problem(answer, 422)["detail"]
    answer = await client.get("/api/v1/data", params={"inputs": "numbers"})
    of = {item["name"]: item["inputs_of"] for item in answer.json()["items"]}
    assert of["boolean-01"] is None and of["boolean-20"] == "boolean-01" and of["boolean-30"] == "boolean-21"
