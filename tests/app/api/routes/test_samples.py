"""Samples through the API: bring, find, label, look at, delete."""

import io
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from PIL import Image

from routescope.data import load
from routescope_app.services.samples.gallery import GALLERY
from routescope_app.settings import DISK_SHARES
from tests.app.serving import MODEL, drawing, is_problem, png, serving, settings, upload

pytestmark = pytest.mark.asyncio(loop_scope="module")


def pixels(content: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))


async def test_upload_show_label_delete(client: httpx.AsyncClient) -> None:
    created = await upload(client, png(40, 30), name="C:\\digits\\my seven.png", label="7")
    assert created.status_code == 201
    sample = created.json()
    assert created.headers["location"] == f"/api/v1/samples/{sample['id']}"
    assert (sample["origin"], sample["name"], sample["label"]) == ("upload", "my seven.png", 7)
    assert (sample["width"], sample["height"], sample["set"], sample["stand_in"]) == (40, 30, None, False)
    assert (await client.get(created.headers["location"])).json() == sample

    changed = await client.patch(created.headers["location"], json={"name": " a\u202ename ", "label": 3})
    assert (changed.json()["name"], changed.json()["label"]) == ("aname", 3)
    unlabelled = await client.patch(created.headers["location"], json={"label": None})
    assert (unlabelled.json()["name"], unlabelled.json()["label"]) == ("aname", None)

    assert (await client.delete(created.headers["location"])).status_code == 204
    is_problem(await client.get(created.headers["location"]), 404)
    is_problem(await client.get(sample["image"]), 404)
    is_problem(await client.delete(created.headers["location"]), 404)


async def test_what_networks_see_and_what_was_sent(client: httpx.AsyncClient) -> None:
    picture = Image.new("RGB", (64, 64), (255, 0, 0))
    picture.paste((0, 0, 255), (32, 0, 64, 64))
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    sample = (await upload(client, buffer.getvalue())).json()
    small, large, sent = [
        await client.get(sample["image"], params=params) for params in ({}, {"scale": 8}, {"view": "original"})
    ]
    assert {r.headers["content-type"] for r in (small, large, sent)} == {"image/png"}
    assert pixels(small.content).shape == (32, 32, 3) and pixels(large.content).shape == (256, 256, 3)
    np.testing.assert_array_equal(pixels(large.content)[::8, ::8], pixels(small.content))
    np.testing.assert_array_equal(pixels(large.content)[7::8, 7::8], pixels(small.content))
    np.testing.assert_array_equal(pixels(sent.content), np.asarray(picture))
    assert (pixels(small.content)[16, 2] == (255, 0, 0)).all() and (pixels(small.content)[16, 29] == (0, 0, 255)).all()


@pytest.mark.parametrize("count", [1, 16, 21])
async def test_images_of_several_samples_are_one_picture(client: httpx.AsyncClient, count: int) -> None:
    own = (await upload(client, png(40, 30))).json()
    ids = [own["id"], *(f"mnist.validation.{n}" for n in range(count - 1))]
    answer = await client.get("/api/v1/samples/images", params={"id": ids})
    assert answer.headers["content-type"] == "image/png" and "immutable" in answer.headers["cache-control"]
    sheet = pixels(answer.content)
    assert sheet.shape == (32 * -(-count // 16), 32 * 16, 3)
    for at, sample_id in enumerate(ids):
        alone = pixels((await client.get(f"/api/v1/samples/{sample_id}/image")).content)
        row, column = divmod(at, 16)
        np.testing.assert_array_equal(sheet[32 * row : 32 * row + 32, 32 * column : 32 * column + 32], alone)
    assert not sheet[32 * (count // 16) :, 32 * (count % 16) :].any(), "cells without a sample are black"


async def test_drawings_follow_the_recipe_of_mnist(client: httpx.AsyncClient) -> None:
    sample = (await upload(client, drawing(), origin="drawing")).json()
    assert sample["origin"] == "drawing"
    blank = png(100, 100, 0, "L")
    assert "blank" in is_problem(await upload(client, blank, origin="drawing"), 422)["detail"]
    seen = pixels((await client.get(sample["image"])).content)[..., 0].astype(float)
    rows, columns = np.nonzero(seen > 64)
    assert 20 <= rows.max() - rows.min() + 1 <= 25  # 20 of 28 pixels, enlarged to 32
    centre = (columns * seen[rows, columns]).sum() / seen[rows, columns].sum()
    assert abs(centre - 16.07) < 1  # on pixel 14 of 28, as MNIST's digits


@pytest.mark.parametrize("name", GALLERY)
async def test_samples_of_data_sets(client: httpx.AsyncClient, name: str) -> None:
    dataset = load(name, "validation")
    page = (await client.get("/api/v1/samples", params={"set": name, "limit": 3, "offset": 5})).json()
    assert page["total"] == len(dataset)
    assert [item["id"] for item in page["items"]] == [f"{name}.validation.{i}" for i in (5, 6, 7)]
    for i, item in enumerate(page["items"], start=5):
        assert (item["origin"], item["label"], item["stand_in"]) == ("data", int(dataset.labels[i]), dataset.stand_in)
        shown = pixels((await client.get(item["image"])).content)
        np.testing.assert_array_equal(shown, np.asarray(dataset.images[i]).transpose(1, 2, 0))


async def test_samples_of_data_sets_are_read_only(client: httpx.AsyncClient) -> None:
    address = "/api/v1/samples/mnist.validation.0"
    before = (await client.get(address)).json()
    is_problem(await client.patch(address, json={"label": 1}), 403)
    is_problem(await client.delete(address), 403)
    assert (await client.get(address)).json() == before


async def test_own_samples_come_first_newest_first_and_share_their_files(tmp_path: Path) -> None:
    chosen = settings(tmp_path, max_samples=4, owner_share=1)
    async with serving(chosen) as client:
        ids = [(await upload(client, png(40 + i // 2, 30))).json()["id"] for i in range(3)]
        drawn = (await upload(client, drawing(), origin="drawing")).json()["id"]
        everything = (await client.get("/api/v1/samples", params={"limit": 6})).json()
        sizes = sum(len(load(name, "validation")) for name in GALLERY)
        assert everything["total"] == 4 + sizes
        assert [item["id"] for item in everything["items"][:5]] == [drawn, *reversed(ids), "mnist.validation.0"]
        crossing = (await client.get("/api/v1/samples", params={"limit": 3, "offset": 3})).json()["items"]
        assert [item["id"] for item in crossing] == [ids[0], "mnist.validation.0", "mnist.validation.1"]
        for origin, expected in (("upload", 3), ("drawing", 1), ("data", sizes)):
            assert (await client.get("/api/v1/samples", params={"origin": origin})).json()["total"] == expected
        assert "delete" in is_problem(await upload(client), 507)["detail"]
        image, other = [(await client.get(f"/api/v1/samples/{which}/image")).content for which in (ids[1], drawn)]
    async with serving(chosen) as client:  # samples survive a restart
        files = len(list((tmp_path / "samples").rglob("*.png")))
        await client.delete(f"/api/v1/samples/{ids[0]}")
        assert len(list((tmp_path / "samples").rglob("*.png"))) == files, "the same picture has another owner"
        assert (await client.get(f"/api/v1/samples/{ids[1]}/image")).content == image != other
        assert (await upload(client)).status_code == 201, "there is room again"
        for item in (await client.get("/api/v1/samples", params={"limit": 4})).json()["items"]:
            await client.delete(f"/api/v1/samples/{item['id']}")
        assert list((tmp_path / "samples").rglob("*.png")) == []


async def test_bytes_of_pictures_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DISK_SHARES, "pictures", 10)
    async with serving(settings(tmp_path, owner_share=1)) as client:
        is_problem(await upload(client), 507)
        assert (await client.get("/api/v1/samples", params={"origin": "upload"})).json()["total"] == 0


async def walk(client: httpx.AsyncClient, **query: Any) -> list[Any]:
    """All pages of a list."""
    items: list[Any] = []
    while True:
        page = (await client.get("/api/v1/samples", params={**query, "limit": 170, "offset": len(items)})).json()
        items += page["items"]
        if not page["items"]:
            assert len(items) == page["total"]
            return items


async def test_filters(client: httpx.AsyncClient) -> None:
    dataset = load("mnist", "validation")
    sevens = await walk(client, set="mnist", label=7)
    assert [item["id"] for item in sevens] == [
        f"mnist.validation.{i}" for i in np.flatnonzero(np.asarray(dataset.labels) == 7)
    ]
    wrong = await walk(client, set="mnist", wrong=True, model=MODEL)
    right = await walk(client, set="mnist", wrong=False, model=MODEL)
    assert all(item["prediction"]["label"] != item["label"] for item in wrong)
    assert all(item["prediction"]["label"] == item["label"] for item in right)
    assert len({item["id"] for item in wrong + right}) == len(wrong) + len(right) == len(dataset)
    both = await walk(client, set="mnist", wrong=True, label=7, model=MODEL)
    assert {item["id"] for item in both} == {i["id"] for i in wrong} & {i["id"] for i in sevens}


async def test_predictions_are_those_of_the_trace(client: httpx.AsyncClient) -> None:
    """One by one, from the scored gallery, and recorded: always the same answer."""
    one = (await client.get("/api/v1/samples/mnist-m.validation.3", params={"model": MODEL})).json()["prediction"]
    await client.get("/api/v1/samples", params={"set": "mnist-m", "wrong": True, "model": MODEL})
    listed = (await client.get("/api/v1/samples", params={"set": "mnist-m", "model": MODEL, "limit": 4})).json()
    trace = (await client.post("/api/v1/traces", json={"model": MODEL, "sample": "mnist-m.validation.3"})).json()
    (expected,) = [p for p in trace["predictions"] if p["domain"] == "mnist-m"]
    for prediction in (one, listed["items"][3]["prediction"]):
        assert (prediction["domain"], prediction["label"]) == ("mnist-m", expected["label"])
        assert prediction["probability"] == pytest.approx(expected["probabilities"][expected["label"]], abs=1e-5)


async def test_wrong_filter_reaches_labelled_uploads(client: httpx.AsyncClient) -> None:
    sample = (await upload(client, drawing(), origin="drawing")).json()
    prediction = (await client.get(f"/api/v1/samples/{sample['id']}", params={"model": MODEL})).json()["prediction"]
    trace = (await client.post("/api/v1/traces", json={"model": MODEL, "sample": sample["id"]})).json()
    best = max(trace["predictions"], key=lambda p: max(p["probabilities"]))
    assert (prediction["domain"], prediction["label"]) == (best["domain"], best["label"]), "the most certain head"
    label, query = prediction["label"], {"find": sample["id"], "model": MODEL}
    for given, wrong, right in ((None, 0, 0), (label, 0, 1), ((label + 1) % 10, 1, 0)):
        await client.patch(f"/api/v1/samples/{sample['id']}", json={"label": given})
        for flag, expected in ((True, wrong), (False, right)):
            found = (await client.get("/api/v1/samples", params=query | {"wrong": flag})).json()
            assert found["total"] == len(found["items"]) == expected
