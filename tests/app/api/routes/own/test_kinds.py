"""Samples of one's own of every kind: kept, listed, scored and traced as those of data sets, and deleted."""

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
import torch
from PIL import Image

from routescope import zoo
from routescope.data import load
from routescope.data.text.sets import own_texts
from routescope.nn.inputs.numbers import Numbers
from routescope.nn.inputs.points import Points
from routescope.nn.inputs.text import Text
from routescope.routing import Intervention, Scores, record, score
from routescope.routing.ablation import Ablation
from routescope.routing.caused.scores import evaluate
from tests.app.api.follow import result_of
from tests.app.serving import MODEL, NUMBER_SETS, NUMBERS, is_problem, make_circuit, make_numbers

pytestmark = pytest.mark.asyncio(loop_scope="module")

POINTS, EXPERTS, FUNCTION = "tiny-points", "moe-bytes", "boolean-03"
TEXT = "def f(x):\n    return x + 1  # é, 漢\n"
POINT = (0.1, 0.9, 0.5, 0.25, 1.0)
CLOUD = np.random.default_rng(4).normal(size=(40, 3)).astype(np.float32)


@pytest.fixture(scope="module", autouse=True)
def _models(_own_data_folder: Path) -> None:
    make_numbers()
    make_circuit(POINTS, tokenizer="points", max_length=32, domains=("clouds",), held_out=(), classes=12)


async def text(client: httpx.AsyncClient) -> httpx.Response:
    return await client.post("/api/v1/samples/texts", json={"text": TEXT, "name": "notes.txt"})


async def point(client: httpx.AsyncClient) -> httpx.Response:
    asked = {"inputs": "numbers", "content": ", ".join(map(str, POINT)), "set": FUNCTION, "name": "mine"}
    return await client.post("/api/v1/samples/written", json=asked)


async def cloud(client: httpx.AsyncClient) -> httpx.Response:
    file = io.BytesIO()
    np.save(file, CLOUD)
    files = {"file": ("folder/mine.npy", file.getvalue())}
    return await client.post("/api/v1/samples/files", data={"inputs": "points"}, files=files)


async def check_text(client: httpx.AsyncClient, sample: dict[str, Any], trace: dict[str, Any]) -> None:
    model, score = zoo.load(EXPERTS), sample["score"]
    assert sample["label"] == len(TEXT.encode()) and [line for _, line in sample["rows"]] == TEXT.splitlines()
    bits = float(model(Text((TEXT,)))[0, 0].sum()) / np.log(2) / len(TEXT.encode())
    assert (score["measure"]["name"], score["value"]) == ("bits a byte", pytest.approx(bits, rel=1e-4))
    values = (await client.get(f"/api/v1/traces/{trace['id']}/fields/top_experts")).json()["values"]
    assert values == record(model, Text((TEXT,)), only=["top_experts"])["top_experts"].values.tolist()
    listed = (await client.get("/api/v1/samples/texts", params={"rows": 1})).json()
    assert listed["total"] == 1 and len(listed["items"][0]["rows"]) == 1
    unnamed = {"text": "  many\nlines of text, more than a name has room for"}
    made = (await client.post("/api/v1/samples/texts", json=unnamed)).json()
    assert made["set_title"] == "many lines of text, more than a name has"


async def check_point(client: httpx.AsyncClient, sample: dict[str, Any], trace: dict[str, Any]) -> None:
    score, told = sample["score"], sample["point"]
    answers = zoo.load(NUMBERS)(Numbers(torch.tensor([POINT])))[0, :, 0]
    assert (score["domain"], score["measure"]["name"]) == (FUNCTION, "R2")
    assert score["answer"] == pytest.approx(float(answers[2]), abs=1e-5)
    assert score["target"] == pytest.approx(told["value"], abs=1e-6)
    assert told["names"] == list("abcde") and told["values"] == pytest.approx(POINT)
    rest = np.prod([1 - each["value"] for each in told["products"] if each["true"]])
    assert len(told["products"]) == 32 and 1 - rest == pytest.approx(told["value"], abs=1e-6)
    assert told["expression"].split(" ⊕ ") == [each["name"] for each in told["products"] if each["true"]]
    named = {each["set"]: each["value"] for each in told["functions"]}
    assert len(named) == 30 and named[FUNCTION] == pytest.approx(told["value"])
    assert {each["domain"]: each["value"] for each in trace["numbers"]} == {
        domain: pytest.approx(float(answer), abs=1e-5) for domain, answer in zip(NUMBER_SETS, answers, strict=True)
    }
    assert trace["predictions"] == [] and trace["grid"] == {"rows": 1, "columns": 5}
    assert [(each["name"], each["kind"], each["row"], each["column"]) for each in trace["tokens"][-5:]] == [
        (f"number:{name}", "number", 0, at) for at, name in enumerate("abcde")
    ]
    assert trace["units_by_step"] == [["s1.f1", "s1.f2"]] * 2 + [["s2.f1", "s2.f2"]] * 2


async def check_cloud(client: httpx.AsyncClient, sample: dict[str, Any], trace: dict[str, Any]) -> None:
    assert sample["columns"] == ["point", "x", "y", "z"] and sample["space"] == ["x", "y", "z"]
    assert sample["total_rows"] == len(sample["rows"]) == 40 and sample["pictured"]
    shown = np.array(sample["rows"])[:, 1:].astype(float)
    assert np.linalg.norm(shown, axis=1).max() == pytest.approx(1, abs=1e-5)
    with torch.inference_mode():
        probabilities = zoo.load(POINTS)(Points(torch.tensor(shown, dtype=torch.float32)[None]))[0, 0].softmax(-1)
    score = sample["score"]
    assert score["predicted"] == int(probabilities.argmax()) and score["value"] is score["loss"] is None
    assert trace["predictions"][0]["probabilities"] == pytest.approx(probabilities.tolist(), abs=1e-4)
    assert [(each["name"], each["kind"]) for each in trace["tokens"][:1]] == [("point:0", "point")]
    field = (await client.get(f"/api/v1/traces/{trace['id']}/fields/read_in")).json()
    assert field["dims"] == ["sample", "unit", "token"] and field["shape"] == [1, 12, 32]


@dataclass(frozen=True)
class Kind:
    """How a sample of a kind is brought, which model reads it, and what is special about it."""

    bring: Callable[..., Any]
    model: str
    title: str
    field: str
    check: Callable[..., Any]


KINDS = {
    "text": Kind(text, EXPERTS, "notes.txt", "top_experts", check_text),
    "numbers": Kind(point, NUMBERS, "mine", "compatibility", check_point),
    "points": Kind(cloud, POINTS, "mine.npy", "read_in", check_cloud),
}


@pytest.mark.parametrize("name", KINDS)
async def test_what_is_brought_is_a_sample(client: httpx.AsyncClient, name: str) -> None:
    kind = KINDS[name]
    made = await kind.bring(client)
    assert made.status_code == 201, made.text
    sample = made.json()
    url = f"/api/v1/tables/{sample['id']}"
    assert made.headers["location"] == url
    assert (sample["set"], sample["set_title"], sample["inputs"]) == (None, kind.title, name)
    asked = {"model": kind.model, "sample": sample["id"], "fields": [kind.field]}
    trace = (await client.post("/api/v1/traces", json=asked)).json()
    await kind.check(client, (await client.get(url, params={"model": kind.model})).json(), trace)
    for kinds, there in ((name, True), ("matrices", False)):
        own = (await client.get("/api/v1/samples/written", params={"inputs": kinds})).json()["items"]
        assert (sample["id"] in [each["id"] for each in own]) == there
    assert (await client.get("/api/v1/samples")).json()["items"][0]["origin"] == "data", "it is no picture"
    is_problem(await client.get(url, params={"model": MODEL}), 422)
    is_problem(await client.post("/api/v1/traces", json=asked | {"model": MODEL, "fields": []}), 404)
    assert (await client.delete(f"/api/v1/samples/{sample['id']}")).status_code == 204
    is_problem(await client.get(url), 404)
    is_problem(await client.post("/api/v1/traces", json=asked | {"fields": []}), 404)


async def test_a_text_longer_than_the_context_is_scored_whole_and_traced_in_part(client: httpx.AsyncClient) -> None:
    text = "".join(load("python", "validation").texts[3:5])
    made = (await client.post("/api/v1/samples/written", json={"inputs": "text", "content": text})).json()
    asked = {"model": EXPERTS, "sample": made["id"], "fields": ["top_experts"]}
    body = (await client.post("/api/v1/traces", json=asked)).json()
    left = len(text.encode()) - 256
    assert body["tokens_left_out"] == body["bytes_left_out"] == left > 0
    assert (await client.get(f"/api/v1/traces/{body['id']}")).json()["tokens_left_out"] == left
    told = (await client.get(f"/api/v1/tables/{made['id']}", params={"model": EXPERTS})).json()["score"]
    assert told["value"] == pytest.approx(score(zoo.load(EXPERTS), own_texts(text, "python")).figure, rel=1e-5)
    for sample, model, number in (("python.validation.3", EXPERTS, 0), ("mnist.validation.1", MODEL, None)):
        short = (await client.post("/api/v1/traces", json={"model": model, "sample": sample, "fields": []})).json()
        assert short["tokens_left_out"] is short["bytes_left_out"] is number


async def test_clouds_of_data_sets_are_pictured_and_measured(client: httpx.AsyncClient) -> None:
    told = (await client.get("/api/v1/tables/clouds.validation.5", params={"model": POINTS})).json()
    assert told["label_name"] == "torus" and told["total_rows"] == 1024 and told["score"]["value"] in (0, 1)
    data = load("clouds", "validation", limit=24)
    assert told["rows"][0][1:] == pytest.approx(data.inputs([5]).values[0, 0].tolist())
    answer = await client.get("/api/v1/tables/clouds.validation.5/picture", params={"side": 64})
    with Image.open(io.BytesIO(answer.content)) as picture:
        assert picture.size == (64, 64) and picture.mode == "RGBA"
        seen = np.asarray(picture)[..., 3] > 0
    assert 0.1 < seen.mean() < 0.9 and not seen[0].any() and not seen[:, 0].any()
    asked = {"model": POINTS, "data": ["clouds"], "samples": 24, "controls": 0}
    scored = (await client.post("/api/v1/evaluations", json=asked | {"intervention": {"drop": ["m1", "m2"]}})).json()
    expected = evaluate(zoo.load(POINTS), data, Intervention(drop=("m1", "m2")))
    assert scored["accuracy"]["value"] == expected.accuracy
    assert len((await client.get(f"/api/v1/models/{POINTS}/graph")).json()["units"]) == 12


async def test_a_sample_of_a_function_has_its_value(client: httpx.AsyncClient) -> None:
    told = (await client.get("/api/v1/tables/boolean-02.validation.3", params={"model": NUMBERS})).json()
    target = float(load("boolean-02", "validation", limit=4).targets([3])[0])
    assert told["score"]["target"] == told["point"]["value"] == pytest.approx(target)
    unanswered = (await client.get("/api/v1/tables/boolean-21.validation.0", params={"model": NUMBERS})).json()
    assert unanswered["score"] is None  # the model has no head for it
    _, embedding = await result_of(
        client, "embeddings", {"model": NUMBERS, "method": "pca", "samples": 12, "tokens": "patches"}
    )
    assert [each["name"] for each in embedding["data"]] == ["boolean-01"], "all functions have the same points"
    assert embedding["count"] == 12 * 5 * 4 and len(set(embedding["samples"])) == 12


async def test_functions_at_the_same_points_are_scored_in_one_run(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """31 samples are 11 points of the first function and 10 of the others: 11 run, with and without the unit."""
    ran: list[int] = []
    forward = Ablation.run

    def counted(self: Ablation, inputs: Any) -> torch.Tensor:
        ran.append(len(inputs))
        return forward(self, inputs)

    monkeypatch.setattr(Ablation, "run", counted)
    asked = {"model": NUMBERS, "intervention": {"drop": ["s1.f2"]}, "samples": 31, "controls": 0}
    found = (await client.post("/api/v1/evaluations", json=asked)).json()
    assert ran == [11, 11] and found["done"] == found["total"] == 62
    assert found["measure"]["name"] == "R2" and found["measure"]["higher_is_better"] and found["by_label"] == []
    assert [(each["name"], each["count"]) for each in found["by_domain"]] == list(
        zip(NUMBER_SETS, (11, 10, 10), strict=True)
    )
    sets = [load(name, "validation", limit=limit) for name, limit in zip(NUMBER_SETS, (11, 10, 10), strict=True)]
    alone = Scores.join(score(zoo.load(NUMBERS), each, Intervention(drop=("s1.f2",))) for each in sets)
    assert found["accuracy"]["value"] == pytest.approx(alone.figure, rel=1e-5)
    assert found["loss"]["value"] == pytest.approx(alone.mean_loss, rel=1e-5)
    ran.clear()
    again = (await client.post("/api/v1/evaluations", json={**asked, "data": ["boolean-02"], "samples": 10})).json()
    assert again["cached"] and not ran  # of each set, scores are kept as of a set alone
