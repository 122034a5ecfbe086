"""The client reaches every route, in the same process and over HTTP, and turns every error into one exception."""

import io
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
import xarray as xr
from PIL import Image

from routescope_app.api.client import ApiClient, ApiProblem
from routescope_app.api.schemas.catalogue import DataSets, Health, Sample, TraceInfo
from routescope_app.api.schemas.users import WITHIN
from routescope_app.services.engine import clients
from routescope_app.services.samples.gallery import GALLERY
from tests.app.serving import MODEL, UNITS, array_of, listening, png, running, settings

TOKEN = "a-long-enough-token-for-tests"


@pytest.fixture(params=["in process", "over HTTP"])
async def api(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[ApiClient]:
    """A client of an API that asks for a token."""
    if request.param == "over HTTP":
        with listening(settings(tmp_path, token=TOKEN)) as port:
            client = ApiClient(url=f"http://127.0.0.1:{port}", token=TOKEN)
            yield client
            await client.close()
        return
    async with running(settings(tmp_path, token=TOKEN)) as app:
        yield app.state.client


async def traced(api: ApiClient, sample: str, change: dict[str, Any], **more: Any) -> TraceInfo:
    """The trace of a sample under an intervention."""
    body = {"model": MODEL, "sample": sample, "intervention": change, **more}
    return await api.ask(TraceInfo, "POST", "/traces", json=body)


@pytest.mark.slow
async def test_every_method_and_routes_that_have_none(api: ApiClient, tmp_path: Path) -> None:
    assert (await api.ask(Health, "GET", "/health")).status == "ok"
    assert MODEL in [model.id for model in (await api.models()).items]
    assert (await api.model(MODEL)).config["features"] == 16
    pictures = await api.get(DataSets, "/data", inputs="images")
    assert [data.name for data in pictures.items] == list(GALLERY)
    assert {data.name for data in await api.data()} > set(GALLERY)
    assert (await api.kinds())["images"].upload

    file = {"file": ("seven.png", png(40, 30), "application/octet-stream")}
    sample = await api.ask(Sample, "POST", "/samples", files=file, data={"label": "7", "origin": "upload"})
    assert (sample.name, sample.label, sample.origin) == ("seven.png", 7, "upload")
    place = f"/samples/{sample.id}"
    assert (await api.ask(Sample, "PATCH", place, json={"name": "eight", "label": 8})).label == 8
    assert (await api.get(Sample, place, model=MODEL)).prediction is not None
    assert (await api.sample(sample.id)).prediction is None
    page = await api.samples(origin="upload", limit=10)
    assert (page.total, page.items[0].id) == (1, sample.id)
    assert (await api.samples(set="mnist", label=3, model=MODEL, limit=2, offset=1)).items[0].label == 3
    for params, size in (({"scale": "4"}, (128, 128)), ({"view": "original"}, (40, 30))):
        sent = await api.request("GET", f"/samples/{sample.id}/image", params=params)
        assert Image.open(io.BytesIO(sent.content)).size == size

    change = {"drop": ["f2"], "mute": ["f3"], "iterations": 2}
    trace = await traced(api, sample.id, change, fields=["compatibility"])
    assert trace.kept == ["f1", "f3", "f4"] and trace.units == list(UNITS)
    assert (await api.ask(TraceInfo, "GET", f"/traces/{trace.id}")).id == trace.id
    sent = await api.request("GET", f"/traces/{trace.id}/fields/compatibility", params={"format": "binary"})
    field, dims = array_of(sent)
    assert field.shape == (1, 2, 4, 19) and dims == ("sample", "step", "unit", "token")
    place = f"/traces/{trace.id}/file"
    (tmp_path / "trace.nc").write_bytes((await api.request("GET", place, params={"format": "netcdf"})).content)
    with xr.open_dataset(tmp_path / "trace.nc", engine="h5netcdf") as dataset:
        np.testing.assert_array_equal(dataset["compatibility"].values, field)
    assert (await api.request("GET", place, params={"format": "csv"})).content.startswith(b"# model: tiny")

    await api.request("DELETE", f"/samples/{sample.id}")
    with pytest.raises(ApiProblem) as caught:
        await api.sample(sample.id)
    assert caught.value.status == 404 and "deleted" in caught.value.detail and caught.value.instance
    with pytest.raises(ApiProblem) as caught:
        await traced(api, "mnist.validation.0", {"drop": ["f9"]})
    assert caught.value.status == 422 and "f1, f2, f3, f4" in caught.value.detail
    for evil in ("..", "../models", "a/b", "a?b", "a#b", "", " ", "%2e%2e", "\x00"):
        for ask in (api.sample, api.model, api.table):
            with pytest.raises(ApiProblem) as caught:
                await ask(evil)
            assert caught.value.status in {400, 404, 422}, "an id stays an id"


async def test_nobody_there() -> None:
    client = ApiClient(url="http://127.0.0.1:9", timeout=5)
    with pytest.raises(ApiProblem) as caught:
        await client.models()
    assert caught.value.status == 502
    await client.close()


async def test_answers_that_are_no_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(scope: object, receive: object, send: object) -> None:
        await send({"type": "http.response.start", "status": 500, "headers": []})  # type: ignore[operator]
        await send({"type": "http.response.body", "body": b"<html>"})  # type: ignore[operator]

    client = ApiClient(app=broken)  # type: ignore[arg-type]
    with pytest.raises(ApiProblem) as caught:
        await client.models()
    assert caught.value.status == 500
    await client.close()


async def test_waiting_times_are_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routescope_app.services.engine.inference.MAX_COST", 0.5)
    async with running(settings(tmp_path, queue_seconds=0)) as app:
        asking = clients.client.set(clients.client_at(WITHIN))
        await app.state.services.inference._turns.enter(0.4)  # the same client's
        clients.client.reset(asking)
        with pytest.raises(ApiProblem) as caught:
            await traced(app.state.client, "mnist.validation.0", {"iterations": 1})
        assert (caught.value.status, caught.value.retry_after) == (503, 2)


def test_environment_of_the_machine_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proxies of the environment would see what goes to the own API."""
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.example:3128")
    client = ApiClient(url="http://127.0.0.1:9")
    assert client._client._transport_for_url(httpx.URL("http://127.0.0.1:9")) is client._client._transport
