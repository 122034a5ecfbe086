"""Texts as samples of the service: listed, routed through experts, scored in bits a byte under interventions."""

import httpx
import numpy as np
import pytest

from routescope import zoo
from routescope.data import load
from routescope.routing import Intervention, record, score

pytestmark = pytest.mark.asyncio(loop_scope="module")

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
    changed = asked | {"fields": ["top_experts"], "intervention": {"drop": ["l2.e3"], "top_k": 1}}
    body = (await client.post("/api/v1/traces", json=changed)).json()
    every = [unit for names in body["units_by_step"] for unit in names]
    assert every == list(zoo.load(EXPERTS).all_units)
    assert body["units_by_step"][1][2] == "l2.e3" and body["units"][2] == "e3"
    assert body["kept"] == [unit for unit in every if unit != "l2.e3"]
    (array,) = [item for item in body["fields"] if item["name"] == "top_experts"]
    assert array["shape"][-1] == 1, "a token takes one expert"


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
    asked = {"model": EXPERTS, "data": ["sums", "python"], "samples": 8, "controls": 0}
    dropped = asked | {"intervention": {"drop": ["l3.least:2"]}}
    body = (await client.post("/api/v1/evaluations", json=dropped)).json()
    assert sorted(body["intervention"]["drop"]) == sorted(expected)
    assert body["measure"]["name"] == "bits a byte" and not body["measure"]["higher_is_better"]
    assert body["by_label"] == []
    for row in body["by_domain"]:
        own = score(zoo.load(EXPERTS), load(row["name"]).take(slice(4)), Intervention(drop=tuple(expected)))
        assert row["accuracy"] == pytest.approx(own.figure, rel=1e-4)
    muted = (await client.get(units, params={"rule": "l3.*", "kind": "mute"})).json()
    assert muted["units"] == [f"l3.e{e}" for e in range(1, 9)] and muted["observed"] is None
