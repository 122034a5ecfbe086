"""Points that people write: kept, put to a function, traced and scored as those of data sets, refused in words."""

from typing import Any

import httpx
import pytest
import torch

from routescope import zoo
from routescope.data import load
from routescope.nn.inputs.kind import Inputs
from routescope.nn.inputs.numbers import Numbers
from routescope.routing import Intervention, Scores, score
from routescope.routing.ablation import Ablation
from tests.app.api.follow import ended, start
from tests.app.serving import MODEL, NUMBER_SETS, NUMBERS, is_problem, make_numbers

POINT = (0.1, 0.9, 0.5, 0.25, 1.0)
WRITTEN = ", ".join(map(str, POINT))
FUNCTION = "boolean-03"


@pytest.fixture(scope="module", autouse=True)
def _model(_own_data_folder: Any) -> None:
    make_numbers()


async def write(client: httpx.AsyncClient, content: str = WRITTEN, **more: Any) -> dict[str, Any]:
    """A point as a sample."""
    asked = {"inputs": "numbers", "content": content, "set": FUNCTION, **more}
    made = await client.post("/api/v1/samples/written", json=asked)
    assert made.status_code == 201, made.text
    found: dict[str, Any] = made.json()
    assert made.headers["location"] == f"/api/v1/tables/{found['id']}"
    return found


async def test_a_point_is_a_sample_of_models_that_read_numbers(client: httpx.AsyncClient) -> None:
    sample = await write(client, name="mine")
    assert sample["set"] is None and sample["set_title"] == "mine" and sample["inputs"] == "numbers"
    model = zoo.load(NUMBERS)
    answers = model(Numbers(torch.tensor([POINT])))[0, :, 0]
    told = (await client.get(f"/api/v1/tables/{sample['id']}", params={"model": NUMBERS})).json()
    score, point = told["score"], told["point"]
    assert score["domain"] == FUNCTION and score["measure"]["name"] == "R2"
    assert score["answer"] == pytest.approx(float(answers[2]), abs=1e-5)
    assert score["target"] == pytest.approx(point["value"], abs=1e-6)
    assert point["names"] == list("abcde") and point["values"] == pytest.approx(POINT)
    rest = 1.0
    for each in point["products"]:
        rest *= 1 - each["value"] if each["true"] else 1
    assert len(point["products"]) == 32 and 1 - rest == pytest.approx(point["value"], abs=1e-6)
    assert point["expression"].split(" ⊕ ") == [each["name"] for each in point["products"] if each["true"]]
    named = {each["set"]: each["value"] for each in point["functions"]}
    assert len(named) == 30 and named[FUNCTION] == pytest.approx(point["value"])

    asked = {"model": NUMBERS, "sample": sample["id"], "fields": ["compatibility"]}
    made = (await client.post("/api/v1/traces", json=asked)).json()
    assert {each["domain"]: each["value"] for each in made["numbers"]} == {
        domain: pytest.approx(float(answer), abs=1e-5) for domain, answer in zip(NUMBER_SETS, answers, strict=True)
    }
    assert made["predictions"] == []
    assert [(each["name"], each["kind"], each["row"], each["column"]) for each in made["tokens"][-5:]] == [
        (f"number:{name}", "number", 0, at) for at, name in enumerate("abcde")
    ]
    assert made["grid"] == {"rows": 1, "columns": 5}
    assert made["units_by_step"] == [["s1.f1", "s1.f2"]] * 2 + [["s2.f1", "s2.f2"]] * 2
    under = {**asked, "intervention": {"drop": ["s2.f1"]}}
    assert (await client.post("/api/v1/traces", json=under)).json()["kept"] == ["s1.f1", "s1.f2", "s2.f2"]

    listed = (await client.get("/api/v1/samples/written", params={"inputs": "numbers"})).json()
    assert [each["id"] for each in listed["items"]] == [sample["id"]] and not listed["items"][0]["point"]["products"]
    assert (await client.get("/api/v1/samples/written", params={"inputs": "text"})).json()["total"] == 0
    assert (await client.get("/api/v1/samples/texts")).json()["total"] == 0
    assert (await client.get("/api/v1/samples/written")).json()["total"] == 1

    is_problem(await client.get(f"/api/v1/tables/{sample['id']}", params={"model": "moe-bytes"}), 422)
    is_problem(await client.post("/api/v1/traces", json={"model": MODEL, "sample": sample["id"], "fields": []}), 404)
    assert (await client.delete(f"/api/v1/samples/{sample['id']}")).status_code == 204
    is_problem(await client.get(f"/api/v1/tables/{sample['id']}"), 404)


async def test_a_sample_of_a_function_has_its_value(client: httpx.AsyncClient) -> None:
    dataset = load("boolean-02", "validation", limit=4)
    told = (await client.get("/api/v1/tables/boolean-02.validation.3", params={"model": NUMBERS})).json()
    assert told["score"]["target"] == pytest.approx(float(dataset.targets([3])[0]))
    assert told["point"]["set"] == "boolean-02" and told["point"]["value"] == told["score"]["target"]
    unanswered = (await client.get("/api/v1/tables/boolean-21.validation.0", params={"model": NUMBERS})).json()
    assert unanswered["score"] is None  # the model has no head for it


async def test_a_map_of_all_functions_has_their_points_once(client: httpx.AsyncClient) -> None:
    asked = {"model": NUMBERS, "method": "pca", "samples": 12, "tokens": "patches"}
    job = await ended(client, await start(client, "embeddings", asked))
    assert job["state"] == "done", job
    embedding = (await client.get(job["result"])).json()
    assert [each["name"] for each in embedding["data"]] == ["boolean-01"]
    assert embedding["count"] == 12 * 5 * 4 and len(set(embedding["samples"])) == 12


async def test_dropping_a_function_is_measured_by_r2(client: httpx.AsyncClient) -> None:
    asked = {"model": NUMBERS, "intervention": {"drop": ["s2.f1"]}, "samples": 30, "controls": 2}
    found = (await client.post("/api/v1/evaluations", json=asked)).json()
    assert found["measure"]["name"] == "R2" and found["measure"]["higher_is_better"]
    assert [each["name"] for each in found["by_domain"]] == list(NUMBER_SETS) and found["by_label"] == []


async def test_functions_at_the_same_points_are_scored_in_one_run(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """31 samples are 11 points of the first function and 10 of the others: 11 run, with and without the unit."""
    ran: list[int] = []
    forward = Ablation.run

    def counted(self: Ablation, inputs: Inputs) -> torch.Tensor:
        ran.append(len(inputs))
        return forward(self, inputs)

    monkeypatch.setattr(Ablation, "run", counted)
    asked = {"model": NUMBERS, "intervention": {"drop": ["s1.f2"]}, "samples": 31, "controls": 0}
    found = (await client.post("/api/v1/evaluations", json=asked)).json()
    assert ran == [11, 11]
    assert found["done"] == found["total"] == 62
    assert [each["count"] for each in found["by_domain"]] == [11, 10, 10]
    change = Intervention(drop=("s1.f2",))
    sets = [load(name, "validation", limit=limit) for name, limit in zip(NUMBER_SETS, (11, 10, 10), strict=True)]
    alone = Scores.join(score(zoo.load(NUMBERS), each, change) for each in sets)
    assert found["accuracy"]["value"] == pytest.approx(alone.figure, rel=1e-5)
    assert found["loss"]["value"] == pytest.approx(alone.mean_loss, rel=1e-5)
    ran.clear()
    again = (await client.post("/api/v1/evaluations", json={**asked, "data": ["boolean-02"], "samples": 10})).json()
    assert again["cached"] and not ran  # of each set, scores are kept as of a set alone
