"""Texts as samples of the service: listed, routed through experts, scored in bits a byte under interventions."""

import math

import httpx
import numpy as np
import pytest

from routescope import zoo
from routescope.data import load
from routescope.data.text.sets import own_texts
from routescope.routing import Intervention, record, score
from tests.app.serving import MODEL, is_problem

EXPERTS = "moe-bytes"
SAMPLE = "python.validation.3"


async def test_a_text_is_shown_by_its_lines_and_scored_by_a_model_of_texts(client: httpx.AsyncClient) -> None:
    text = load("python", "validation").texts[3]
    body = (await client.get(f"/api/v1/tables/{SAMPLE}", params={"model": EXPERTS})).json()
    assert [line for _, line in body["rows"]] == text.splitlines()
    assert body["label"] == len(text.encode())
    expected = score(zoo.load(EXPERTS), load("python", "validation").take([3]))
    assert body["score"]["measure"]["name"] == "bits a byte"
    assert body["score"]["value"] == pytest.approx(expected.figure, rel=1e-5)
    is_problem(await client.get(f"/api/v1/tables/{SAMPLE}", params={"model": MODEL}), 422)


async def test_its_trace_tells_the_experts_of_every_token(client: httpx.AsyncClient) -> None:
    asked = {"model": EXPERTS, "sample": SAMPLE, "fields": ["top_experts", "top_weights", "margin"]}
    made = await client.post("/api/v1/traces", json=asked)
    assert made.status_code in (200, 201), made.text
    body = made.json()
    expected = record(zoo.load(EXPERTS), load("python", "validation").inputs([3]), only=asked["fields"])
    shapes = {item["name"]: item["shape"] for item in body["fields"]}
    for name in asked["fields"]:
        values = (await client.get(f"/api/v1/traces/{body['id']}/fields/{name}")).json()["values"]
        assert shapes[name] == list(expected[name].shape)
        np.testing.assert_allclose(np.array(values, dtype=float), expected[name].values, rtol=1e-6)
    start, *tokens = [token["text"] for token in body["tokens"]]
    assert start == "<start>" and "".join(tokens) == load("python", "validation").texts[3]
    assert {token["kind"] for token in body["tokens"]} == {"text"}


async def test_its_trace_names_the_experts_of_every_layer(client: httpx.AsyncClient) -> None:
    asked = {"model": EXPERTS, "sample": SAMPLE, "fields": ["compatibility"], "intervention": {"drop": ["l2.e3"]}}
    body = (await client.post("/api/v1/traces", json=asked)).json()
    every = [unit for names in body["units_by_step"] for unit in names]
    assert every == list(zoo.load(EXPERTS).all_units)
    assert body["units_by_step"][1][2] == "l2.e3" and body["units"][2] == "e3"
    assert body["kept"] == [unit for unit in every if unit != "l2.e3"]


async def test_two_experts_a_token_become_one(client: httpx.AsyncClient) -> None:
    asked = {"model": EXPERTS, "sample": SAMPLE, "fields": ["top_experts"], "intervention": {"top_k": 1}}
    body = (await client.post("/api/v1/traces", json=asked)).json()
    (array,) = [item for item in body["fields"] if item["name"] == "top_experts"]
    assert array["shape"][-1] == 1
    problem = is_problem(await client.post("/api/v1/traces", json=asked | {"intervention": {"top_k": 9}}), 422)
    assert "1 to 8 experts" in problem["detail"]


async def test_a_layer_without_enough_experts_is_refused_in_words(client: httpx.AsyncClient) -> None:
    gone = [f"l2.e{e}" for e in range(1, 8)]
    asked = {"model": EXPERTS, "sample": SAMPLE, "fields": ["top_experts"], "intervention": {"drop": gone}}
    problem = is_problem(await client.post("/api/v1/traces", json=asked), 422)
    assert "layer 2 needs 2 experts" in problem["detail"]


@pytest.mark.slow
async def test_an_evaluation_tells_what_dropped_experts_cost_each_domain(client: httpx.AsyncClient) -> None:
    asked = {"model": EXPERTS, "data": ["sums", "python"], "samples": 16, "intervention": {"drop": ["l1.e2", "l3.e5"]}}
    body = (await client.post("/api/v1/evaluations", json=asked)).json()
    assert body["measure"]["name"] == "bits a byte" and not body["measure"]["higher_is_better"]
    model, drop = zoo.load(EXPERTS), Intervention(drop=("l1.e2", "l3.e5"))
    for name in ("sums", "python"):
        expected = score(model, load(name, "validation").take(slice(8)), drop)
        (reply,) = [item for item in body["by_domain"] if item["name"] == name]
        assert reply["accuracy"] == pytest.approx(expected.figure, rel=1e-4) and math.isfinite(reply["accuracy"])


async def test_a_rule_is_told_by_its_units_and_an_evaluation_takes_it(client: httpx.AsyncClient) -> None:
    use = (await client.get(f"/api/v1/models/{EXPERTS}/use")).json()
    assert use["measure"] == "weight"
    shares = {unit["unit"]: unit["share"] for unit in use["units"]}
    assert use["count"] == 64 and sorted(use["data"]) == ["listops", "manual", "python", "sums"]
    for layer in range(1, 5):
        assert sum(shares[f"l{layer}.e{e}"] for e in range(1, 9)) == pytest.approx(1, abs=1e-4)
    units = f"/api/v1/models/{EXPERTS}/units"
    least = (await client.get(units, params={"rule": "l3.least:2"})).json()
    expected = sorted((f"l3.e{e}" for e in range(1, 9)), key=shares.__getitem__)[:2]
    assert sorted(least["units"]) == sorted(expected) and least["observed"]["count"] == 64
    asked = {"model": EXPERTS, "data": ["sums"], "samples": 4, "controls": 0, "intervention": {"drop": ["l3.least:2"]}}
    body = (await client.post("/api/v1/evaluations", json=asked)).json()
    assert sorted(body["intervention"]["drop"]) == sorted(expected)
    muted = (await client.get(units, params={"rule": "l3.*", "kind": "mute"})).json()
    assert muted["units"] == [f"l3.e{e}" for e in range(1, 9)] and muted["observed"] is None
    problem = is_problem(await client.get(units, params={"rule": "l3.*"}), 422)
    assert "layer 3 needs 2 experts" in problem["detail"]
    assert "up to 24 of 32" in is_problem(await client.get(units, params={"rule": "least:25"}), 422)["detail"]
    assert "is no rule" in is_problem(await client.get(units, params={"rule": "most:2"}), 422)["detail"]
    is_problem(await client.get("/api/v1/models/nothing/units", params={"rule": "l3.*"}), 404)


async def test_samples_of_one_label_are_no_label_rows_of_texts(client: httpx.AsyncClient) -> None:
    asked = {"model": EXPERTS, "data": ["sums"], "samples": 4, "controls": 0}
    assert (await client.post("/api/v1/evaluations", json=asked)).json()["by_label"] == []


async def test_a_text_longer_than_the_context_is_scored_whole_and_traced_in_part(client: httpx.AsyncClient) -> None:
    text = "".join(load("python", "validation").texts[3:5])
    made = (await client.post("/api/v1/samples/written", json={"inputs": "text", "content": text})).json()
    asked = {"model": EXPERTS, "sample": made["id"], "fields": ["top_experts"]}
    body = (await client.post("/api/v1/traces", json=asked)).json()
    left = len(text.encode()) - 256
    assert body["tokens_left_out"] == body["bytes_left_out"] == left > 0
    assert (await client.get(f"/api/v1/traces/{body['id']}")).json()["tokens_left_out"] == left
    short = (await client.post("/api/v1/traces", json=asked | {"sample": SAMPLE})).json()
    assert short["tokens_left_out"] == short["bytes_left_out"] == 0
    expected = score(zoo.load(EXPERTS), own_texts(text, "python"))
    scored = (await client.get(f"/api/v1/tables/{made['id']}", params={"model": EXPERTS})).json()["score"]
    assert expected.weights.tolist() == [len(text.encode())]
    assert scored["value"] == pytest.approx(expected.figure, rel=1e-5)


async def test_samples_that_are_no_texts_leave_nothing_to_say(client: httpx.AsyncClient) -> None:
    asked = {"model": MODEL, "sample": "mnist.validation.1", "fields": ["compatibility"]}
    body = (await client.post("/api/v1/traces", json=asked)).json()
    assert body["tokens_left_out"] is None and body["bytes_left_out"] is None
