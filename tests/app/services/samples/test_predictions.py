"""What models make of samples that somebody brought: computed once, kept in the database, forgotten with them."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
import torch
from fastapi import FastAPI
from sqlalchemy import select

from routescope import zoo
from routescope.nn.inputs.pictures import Pictures
from routescope_app.services.samples import predictions as module
from routescope_app.services.samples.predictions import answer_of, head_asked
from routescope_app.services.store import PredictionRow
from tests.app.serving import MODEL, client_of, drawing, make_model, png, running, serving, settings, upload

QUERY = {"origin": "upload", "model": MODEL, "wrong": True}


def kept(app: FastAPI) -> list[PredictionRow]:
    app.state.services.traces.flush()
    with app.state.services.store.reading() as session:
        return list(session.scalars(select(PredictionRow).order_by(PredictionRow.image)))


def count(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many images networks are given at a time."""
    given: list[int] = []
    compute = module.probabilities

    def counted(model: Any, images: torch.Tensor, device: torch.device) -> np.ndarray:
        given.append(len(images))
        return compute(model, images, device)

    monkeypatch.setattr(module, "probabilities", counted)
    return given


async def bring(client: httpx.AsyncClient, number: int) -> list[str]:
    """Samples with different images, of label 3."""
    answers = [await upload(client, png(colour=(20 * n, 90, 200 - 9 * n)), label="3") for n in range(number)]
    return [answer.json()["id"] for answer in answers]


async def listed(client: httpx.AsyncClient, **changes: Any) -> tuple[int, list[str]]:
    found = (await client.get("/api/v1/samples", params=QUERY | changes)).json()
    return found["total"], [item["id"] for item in found["items"]]


def test_the_head_that_is_asked_and_what_it_says() -> None:
    assert head_asked("drawing", ("svhn", "mnist")) == "mnist"
    assert head_asked("upload", ("svhn", "mnist")) == head_asked("drawing", ("svhn",)) == ""
    heads = np.array([[0.5, 0.3, 0.2], [0.1, 0.2, 0.7]])
    asked, certain = answer_of(heads, ("mnist", "svhn"), "mnist"), answer_of(heads, ("mnist", "svhn"), "")
    assert (asked.label, asked.probability, asked.domain) == (0, 0.5, "mnist")
    assert (certain.label, certain.probability, certain.domain) == (2, 0.7, "svhn")


async def test_what_is_kept_is_what_the_network_says(tmp_path: Path) -> None:
    async with running(settings(tmp_path)) as app, client_of(app) as client:
        await bring(client, 3)
        await upload(client, drawing(), origin="drawing", label="1")
        await listed(client, origin="drawing")
        wrong, right = await listed(client), await listed(client, wrong=False)
        rows, model = kept(app), zoo.load(MODEL)
        assert wrong[0] + right[0] == 3 and len(rows) == 4
        for row in rows:
            image = app.state.services.samples._uploads.image_of(row.image)
            with torch.no_grad():
                heads = model(Pictures(image[None].float() / 255)).softmax(-1)[0]
            domains = zoo.info(MODEL).domains
            if row.asked:
                assert (row.asked, row.domain) == ("mnist", "mnist")
            else:
                assert row.domain == domains[int(heads.max(-1).values.argmax())]
            of_head = heads[domains.index(row.domain)]
            assert row.label == int(of_head.argmax()) and row.probability == pytest.approx(
                float(of_head.max()), abs=1e-5
            )
        assert sum(bool(row.asked) for row in rows) == 1


async def test_another_start_reads_them_and_computes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many who ask at once share the computation."""
    given = count(monkeypatch)
    monkeypatch.setattr(module, "BATCH", 2)
    async with serving(settings(tmp_path)) as client:
        await bring(client, 5)
        answers = await asyncio.gather(*(listed(client) for _ in range(8)))
        assert given == [2, 2, 1] and all(answer == answers[0] for answer in answers)
        first = answers[0], await listed(client, wrong=False), await listed(client, limit=2, offset=1)
    async with serving(settings(tmp_path)) as client:
        monkeypatch.setattr(module, "probabilities", None)
        again = await listed(client), await listed(client, wrong=False), await listed(client, limit=2, offset=1)
        assert again == first and len(first[0][1]) + len(first[1][1]) == 5
        shown = (await client.get("/api/v1/samples", params={"origin": "upload", "model": MODEL})).json()["items"]
        assert all(item["prediction"] for item in shown)


async def test_a_trace_says_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of the network as it is: under an intervention it says something else."""
    given = count(monkeypatch)
    async with running(settings(tmp_path)) as app, client_of(app) as client:
        first, second = await bring(client, 2)
        for sample, change in ((first, {"drop": ["f1"]}), (second, {}), ("mnist.validation.1", {})):
            asked = {"model": MODEL, "sample": sample, "intervention": change}
            assert (await client.post("/api/v1/traces", json=asked)).status_code == 201
        (row,) = kept(app)
        sample = (await client.get(f"/api/v1/samples/{second}", params={"model": MODEL})).json()
        assert sample["prediction"] == {"label": row.label, "probability": row.probability, "domain": row.domain}
        assert given == []
        await listed(client)
        assert given == [1]


async def test_samples_that_are_gone_and_earlier_revisions_are_forgotten(tmp_path: Path) -> None:
    """Unless another sample has the image."""
    make_model("changing", seed=1)
    async with running(settings(tmp_path)) as app, client_of(app) as client:
        twins = [(await upload(client, label="1")).json()["id"] for _ in range(2)]
        await listed(client)
        for sample, left in zip(twins, (1, 0), strict=True):
            await client.delete(f"/api/v1/samples/{sample}")
            assert len(kept(app)) == left
        await upload(client, label="1")
        await listed(client)
        await listed(client, model="changing")
        earlier = {row.revision for row in kept(app) if row.model == "changing"}
        make_model("changing", seed=2)
        await listed(client, model="changing")
        later = {row.revision for row in kept(app) if row.model == "changing"}
        assert len(kept(app)) == 2 and later == {zoo.info("changing").revision} and not earlier & later
        predictions = app.state.services.predictions
        question = predictions.question(zoo.info(MODEL), "upload", "0" * 64)
        predictions.keep({question: module.Prediction(1, 0.5, "mnist")})
        assert len(kept(app)) == 3
    async with running(settings(tmp_path)) as app:
        assert len(kept(app)) == 2, "what no sample has is swept at the next start"


async def test_images_that_are_gone_and_rows_that_cannot_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(settings(tmp_path)) as app, client_of(app) as client:
        await bring(client, 1)
        monkeypatch.setattr(app.state.services.predictions._store, "writing", None)
        total = (await listed(client))[0] + (await listed(client, wrong=False))[0]
        assert total == 1 and "predictions could not be kept" in caplog.text
