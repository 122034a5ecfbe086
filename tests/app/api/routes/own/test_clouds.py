"""Clouds from files: kept, shown, traced and labelled as those of data sets."""

import io
from typing import Any

import httpx
import numpy as np
import pytest
import torch
from PIL import Image

from routescope import zoo
from routescope.data import load
from routescope.nn.inputs.points import Points
from routescope.routing import Intervention
from routescope.routing.caused.scores import evaluate
from tests.app.serving import MODEL, is_problem, make_circuit

POINTS = "tiny-points"
CLOUD = np.random.default_rng(4).normal(size=(40, 3)).astype(np.float32)


@pytest.fixture(scope="module", autouse=True)
def _model(_own_data_folder: Any) -> None:
    make_circuit(POINTS, tokenizer="points", max_length=32, domains=("clouds",), held_out=(), classes=12)


async def test_a_file_becomes_a_sample_that_is_traced_and_labelled(client: httpx.AsyncClient) -> None:
    file = io.BytesIO()
    np.save(file, CLOUD)
    files = {"file": ("folder/mine.npy", file.getvalue())}
    made = await client.post("/api/v1/samples/files", data={"inputs": "points"}, files=files)
    assert made.status_code == 201, made.text
    sample = made.json()
    assert made.headers["location"] == f"/api/v1/tables/{sample['id']}"
    assert (sample["set"], sample["set_title"], sample["inputs"], sample["label"]) == (None, "mine.npy", "points", -1)
    assert sample["columns"] == ["point", "x", "y", "z"] and sample["space"] == ["x", "y", "z"]
    assert sample["total_rows"] == len(sample["rows"]) == 40 and sample["pictured"]
    shown = np.array(sample["rows"])[:, 1:].astype(float)
    assert np.linalg.norm(shown, axis=1).max() == pytest.approx(1, abs=1e-5)

    points = torch.tensor(shown, dtype=torch.float32)[None]
    model = zoo.load(POINTS)
    with torch.inference_mode():
        probabilities = model(Points(points))[0, 0].softmax(-1)
    told = (await client.get(f"/api/v1/tables/{sample['id']}", params={"model": POINTS})).json()["score"]
    assert told["predicted"] == int(probabilities.argmax()) and told["value"] is None and told["loss"] is None
    asked = {"model": POINTS, "sample": sample["id"], "fields": ["read_in"]}
    trace = (await client.post("/api/v1/traces", json=asked)).json()
    assert trace["predictions"][0]["probabilities"] == pytest.approx(probabilities.tolist(), abs=1e-4)
    assert [(each["name"], each["kind"]) for each in trace["tokens"][:2]] == [
        ("point:0", "point"),
        ("point:1", "point"),
    ]
    field = (await client.get(f"/api/v1/traces/{trace['id']}/fields/read_in")).json()
    assert field["dims"] == ["sample", "unit", "token"] and field["shape"] == [1, 12, 32]

    is_problem(await client.get(f"/api/v1/tables/{sample['id']}", params={"model": MODEL}), 422)
    assert (await client.delete(f"/api/v1/samples/{sample['id']}")).status_code == 204
    is_problem(await client.get(f"/api/v1/tables/{sample['id']}/picture"), 404)


async def test_clouds_of_data_sets_are_pictured(client: httpx.AsyncClient) -> None:
    told = (await client.get("/api/v1/tables/clouds.validation.5", params={"model": POINTS})).json()
    assert told["label_name"] == "torus" and told["total_rows"] == 1024 and told["score"]["value"] in (0, 1)
    dataset = load("clouds", "validation", limit=6)
    first = dataset.inputs([5]).values[0, 0].tolist()
    assert told["rows"][0][1:] == pytest.approx(first)
    answer = await client.get("/api/v1/tables/clouds.validation.5/picture", params={"side": 64})
    with Image.open(io.BytesIO(answer.content)) as picture:
        assert picture.size == (64, 64) and picture.mode == "RGBA"
        seen = np.asarray(picture)[..., 3] > 0
    assert 0.1 < seen.mean() < 0.9 and not seen[0].any() and not seen[:, 0].any()
    is_problem(await client.get("/api/v1/tables/boolean-01.validation.0/picture"), 404)


async def test_drop_and_graphs_serve_them(client: httpx.AsyncClient) -> None:
    asked = {"model": POINTS, "data": "clouds", "samples": 24, "drop": "m1,m2"}
    stream = await client.get("/api/v1/evaluations/stream", params=asked)
    assert stream.status_code == 200 and "event: evaluation" in stream.text
    data, dropped = load("clouds", "validation", limit=24), Intervention(drop=("m1", "m2"))
    due = evaluate(zoo.load(POINTS), data, dropped).accuracy
    assert f'"accuracy":{due}' in stream.text.rpartition("event: evaluation")[2]
    graph = (await client.get(f"/api/v1/models/{POINTS}/graph")).json()
    assert len(graph["units"]) == 12
