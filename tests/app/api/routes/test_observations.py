"""Observations and loads of experts through the API: as JSON, tables and a file, with samples that can be opened."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
import xarray as xr

from routescope import zoo
from routescope.data import load
from routescope.routing import Intervention
from routescope.routing.observed.expert_outputs import WrittenObserver
from routescope.routing.observed.load import observe_load
from routescope.routing.observed.observer import PatchGroups, observe
from routescope.routing.observed.result import NAMES
from routescope_app.services.measuring.loads import without_exemplars
from tests.app.api.follow import compare, ended, result_of, rows_of, start
from tests.app.serving import MODEL, NUMBERS, STEPS, UNITS, is_problem, make_numbers

pytestmark = pytest.mark.asyncio(loop_scope="module")

REQUEST: dict[str, Any] = {"model": MODEL, "data": ["mnist", "mnist-m"], "samples": 24, "shuffles": 20, "seed": 3}
BYTES = "moe-bytes"
LOAD: dict[str, Any] = REQUEST | {"model": BYTES, "data": ["sums", "manual"], "samples": 6}


@pytest.mark.slow
async def test_an_observation_comes_as_json_tables_and_a_file(client: httpx.AsyncClient, tmp_path: Path) -> None:
    url, result = await result_of(client, "observations", REQUEST | {"intervention": {"drop": ["f2"]}})
    assert (result["units"], result["steps"], result["count"]) == (list(UNITS), list(STEPS), 24)
    assert all(row[1] == 0 for row in result["variables"]["usage"]["values"])  # f2 was dropped
    sets = [load(name).take(slice(12)) for name in ("mnist", "mnist-m")]
    expected = observe(zoo.load(MODEL), sets, intervention=Intervention(drop=("f2",)), shuffles=20, seed=3).dataset
    compare(result["variables"], {name: {"values": expected[name].values.tolist()} for name in expected})
    first = result["exemplars"][0]
    assert first["unit"] == "f1" and first["rank"] == 1 and first["token"].startswith("patch:")
    assert (await client.get(f"/api/v1/samples/{first['sample']}")).status_code == 200
    file = tmp_path / "observation.nc"
    file.write_bytes((await client.get(url, params={"format": "netcdf"})).content)
    with xr.open_dataset(file, engine="h5netcdf") as dataset:
        assert dataset.attrs["revision"] == result["revision"] and set(dataset.data_vars) == set(result["variables"])
        for name, variable in result["variables"].items():
            assert variable["dims"] == list(dataset[name].dims)
    assert result["tables"] == list(NAMES)
    for name in NAMES:
        head, rows = rows_of(await client.get(url, params={"format": "csv", "table": name}))
        assert len(head) == 6 and rows
    assert "steps" in is_problem(await client.get(url, params={"format": "csv", "table": "nothing"}), 422)["detail"]


async def test_counts_of_a_running_observation_are_read_before_patches_are_grouped(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, grouped = threading.Event(), PatchGroups.fit

    def until_read(*args: Any, **named: Any) -> PatchGroups | None:
        read.wait(30)
        return grouped(*args, **named)

    monkeypatch.setattr(PatchGroups, "fit", until_read)
    job = await start(client, "observations", REQUEST | {"seed": 4})
    url, answer = f"/api/v1/observations/{job['id']}", None
    while answer is None or answer.status_code == 204:
        await asyncio.sleep(0.01)
        answer = await client.get(url, params={"running": True})
    counts = answer.json()
    read.set()
    assert (await ended(client, job))["state"] == "done"
    result = (await client.get(url)).json()
    assert 0 < counts["count"] <= result["count"] == 24 and counts["tables"] == []
    assert "specialisation" not in counts["variables"] and counts["exemplars"]
    assert {"usage", "joint", "entropy", "by_position", "coactivation"} < set(counts["variables"])
    assert np.sum(counts["variables"]["usage"]["values"][0]) == pytest.approx(1, abs=0.01)
    assert (await client.get(url, params={"running": True})).status_code == 204, "a job that ended has a result"


async def test_a_model_of_numbers_is_observed_on_one_of_the_sets_with_the_same_points(
    client: httpx.AsyncClient,
) -> None:
    make_numbers()
    _, result = await result_of(client, "observations", REQUEST | {"model": NUMBERS, "data": []})
    assert [(part["name"], part["count"]) for part in result["data"]] == [("boolean-01", 24)]
    assert result["labels"] == [] and result["variables"]["specialisation"]["values"] == [None] * len(result["steps"])
    expected = observe(zoo.load(NUMBERS), [load("boolean-01").take(slice(24))], shuffles=20, seed=3)
    for name in ("usage", "by_position"):
        np.testing.assert_allclose(result["variables"][name]["values"], expected[name].values, rtol=1e-5, atol=1e-6)
    tokens = {exemplar["token"].partition(":")[0] for exemplar in result["exemplars"]}
    assert tokens == {"number"}, "tokens that heads read are no exemplars"
    table = (await client.get(f"/api/v1/tables/{result['exemplars'][0]['sample']}")).json()
    assert table["point"]["names"] == list("abcde")
    named = REQUEST | {"model": NUMBERS, "data": ["boolean-02", "boolean-03"]}
    _, result = await result_of(client, "observations", named)
    assert [(part["name"], part["count"]) for part in result["data"]] == [("boolean-02", 12), ("boolean-03", 12)]
    listed = (await client.get("/api/v1/data", params={"inputs": "numbers"})).json()["items"]
    of = {item["name"]: item["inputs_of"] for item in listed}
    assert of["boolean-01"] is None and of["boolean-20"] == "boolean-01" and of["boolean-30"] == "boolean-21"


@pytest.mark.slow
async def test_a_load_is_that_of_the_core_and_has_exemplars_within_their_texts(client: httpx.AsyncClient) -> None:
    _, result = await result_of(client, "expert-loads", LOAD | {"intervention": {"drop": ["l2.e3"]}})
    sets = [load(part["name"]).take(slice(3)) for part in result["data"]]
    dropped = Intervention(drop=("l2.e3",))
    compare(result, without_exemplars(observe_load(zoo.load(BYTES), sets, intervention=dropped, shuffles=20, seed=3)))
    assert (result["count"], result["written_texts"], result["token_shuffles"]) == (6, 6, 20)
    assert result["layers"][1]["dead"] == ["l2.e3"]
    for shown in result["exemplars"]:
        text = load(shown["domain"], "validation").texts[int(shown["sample"].split(".")[2])]
        if text.isascii():
            assert shown["before"] + shown["text"] + shown["after"] in text
            assert text[shown["token"] - 1] == shown["text"]
    assert (await client.get(f"/api/v1/tables/{result['exemplars'][0]['sample']}")).status_code == 200


async def test_a_load_says_its_part_and_can_be_cancelled_while_it_shuffles(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, steps = threading.Event(), WrittenObserver.__iter__

    def until_read(self: WrittenObserver) -> Iterator[tuple[int, int]]:
        for step in steps(self):
            yield step
            read.wait(30)

    monkeypatch.setattr(WrittenObserver, "__iter__", until_read)
    asked = {**LOAD, "data": ["sums"], "samples": 64, "shuffles": 1000, "seed": 11}
    job, parts = await start(client, "expert-loads", asked), set[str]()
    while "Computing the shuffled baseline" not in parts:
        now = (await client.get(f"/api/v1/jobs/{job['id']}")).json()
        assert now["state"] in ("queued", "running"), now
        parts.add(now["what"])
        if "Comparing what experts write" in parts:
            url = f"/api/v1/expert-loads/{job['id']}"
            assert (await client.get(url)).status_code == 404, "a result is there when it is whole"
            counts = (await client.get(url, params={"running": True})).json()
            read.set()
        await asyncio.sleep(0.01)
    assert "Comparing what experts write" in parts
    await client.delete(f"/api/v1/jobs/{job['id']}")
    assert (await ended(client, job))["state"] == "cancelled"
    first = counts["layers"][0]
    assert counts["count"] == 64 and sum(first["load"]) == pytest.approx(1) and counts["exemplars"]
    assert set(first["low"][0]) == {None} and first["null"] is None and first["by_token"] is None
    gone = await client.get(f"/api/v1/expert-loads/{job['id']}", params={"running": True})
    assert gone.status_code == 204 and not gone.content
