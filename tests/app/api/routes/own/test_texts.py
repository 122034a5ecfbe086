"""Texts that people bring: kept as they were sent, scored and traced as those of data sets, refused in words."""

import httpx
import pytest

from routescope import zoo
from routescope.nn.inputs.text import Text
from routescope.routing import record
from tests.app.serving import MODEL, is_problem

EXPERTS = "moe-bytes"
TEXT = "def f(x):\n    return x + 1  # é, 漢\n"


async def bring(client: httpx.AsyncClient, text: str = TEXT, **more: str) -> dict[str, object]:
    """A text as a sample."""
    made = await client.post("/api/v1/samples/texts", json={"text": text, **more})
    assert made.status_code == 201, made.text
    body: dict[str, object] = made.json()
    assert made.headers["location"] == f"/api/v1/tables/{body['id']}"
    return body


async def test_a_text_is_a_sample_of_models_that_read_texts(client: httpx.AsyncClient) -> None:
    brought = await bring(client, name="notes.txt")
    assert brought["set"] is None and brought["set_title"] == "notes.txt" and brought["label"] == len(TEXT.encode())
    reply = (await client.get(f"/api/v1/tables/{brought['id']}", params={"model": EXPERTS})).json()
    assert [line for _, line in reply["rows"]] == TEXT.splitlines()
    model = zoo.load(EXPERTS)
    nats = float(model(Text((TEXT,)))[0, 0].sum())
    bits = nats / 0.6931471805599453 / len(TEXT.encode())
    assert reply["score"]["measure"]["name"] == "bits a byte" and reply["score"]["value"] == pytest.approx(
        bits, rel=1e-4
    )
    asked = {"model": EXPERTS, "sample": brought["id"], "fields": ["top_experts"]}
    made = (await client.post("/api/v1/traces", json=asked)).json()
    values = (await client.get(f"/api/v1/traces/{made['id']}/fields/top_experts")).json()["values"]
    assert values == record(model, Text((TEXT,)), only=["top_experts"])["top_experts"].values.tolist()
    listed = (await client.get("/api/v1/samples/texts", params={"rows": 1})).json()
    assert listed["total"] == 1 and listed["items"][0]["id"] == brought["id"] and len(listed["items"][0]["rows"]) == 1
    assert (await client.get("/api/v1/samples")).json()["items"][0]["origin"] == "data"  # it is no picture

    is_problem(await client.get(f"/api/v1/tables/{brought['id']}", params={"model": MODEL}), 422)
    picture = {"model": MODEL, "sample": brought["id"], "fields": []}
    is_problem(await client.post("/api/v1/traces", json=picture), 404)
    assert (await client.delete(f"/api/v1/samples/{brought['id']}")).status_code == 204
    is_problem(await client.get(f"/api/v1/tables/{brought['id']}"), 404)
    is_problem(await client.post("/api/v1/traces", json={**asked, "fields": ["margin"]}), 404)


async def test_without_a_name_a_text_is_called_by_how_it_begins(client: httpx.AsyncClient) -> None:
    assert (await bring(client, "  many\nlines of text, more than a name has room for"))["set_title"] == (
        "many lines of text, more than a name has"
    )
