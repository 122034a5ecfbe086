"""Routing logs through the API: brought as a stream, told, compared, deleted; what is no log is refused."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from routescope.routing.logs import RoutingLog, read_log
from routescope_app.services.logs import parts
from tests.app.serving import is_problem, serving, settings

pytestmark = pytest.mark.asyncio(loop_scope="module")

LAYERS, SLOTS = 2, 2
LOGS = "routescope_app.services.logs.logs"


def response(experts: list[list[list[int]]], ids: list[int] | None = None) -> str:
    choice: dict[str, Any] = {"index": 0, "routed_experts": experts}
    if ids is not None:
        choice |= {"prompt_token_ids": ids[:1], "token_ids": ids[1:]}
    return json.dumps({"id": "x", "choices": [choice]})


A = [[[0, 1], [2, 3]], [[1, 2], [0, 3]], [[3, 0], [1, 2]]]
B = [[[1, 0], [2, 3]], [[1, 2], [0, 1]], [[3, 1], [1, 2]]]


async def bring(
    client: httpx.AsyncClient, content: str | bytes | AsyncIterator[bytes], **message: Any
) -> httpx.Response:
    sent = content.encode() if isinstance(content, str) else content
    headers = {"Content-Type": "application/octet-stream"}
    return await client.post("/api/v1/logs", content=sent, params={"name": "log.json", **message}, headers=headers)


async def test_a_log_is_brought_told_by_parts_and_deleted(tmp_path: Path) -> None:
    async with serving(settings(tmp_path / "data")) as client:
        kept = await bring(client, response(A, [7, 8, 9, 10]), experts=8)
        assert kept.status_code == 201
        body, url = kept.json(), kept.headers["location"]
        facts = body["facts"]
        assert (body["name"], facts["format"], facts["tokens"], body["owner"]) == ("log.json", "vLLM", 3, "everybody")
        assert (facts["experts"], facts["top_k"], facts["layer_count"]) == (8, SLOTS, LAYERS)
        assert facts["note_count"] == len(facts["notes"])
        assert (await client.get(url)).json() == body
        listed = {**body, "facts": {**facts, "layers": [], "assumed": [], "notes": []}}
        assert (await client.get("/api/v1/logs")).json() == {"items": [listed], "total": 1}

        file = await client.get(url + "/file")
        assert file.headers["content-type"] == "application/vnd.apache.parquet"
        (tmp_path / "copy.parquet").write_bytes(file.content)
        np.testing.assert_array_equal(read_log(tmp_path / "copy.parquet").experts, A)
        usage = (await client.get(url + "/usage")).json()
        assert usage["layers"] == ["l1", "l2"] and usage["counts"][0] == [2, 2, 1, 1, 0, 0, 0, 0]
        tokens = (await client.get(url + "/tokens", params={"offset": 1, "limit": 1})).json()
        assert tokens == {"items": [{"place": 1, "sequence": "x.0", "text": "8", "experts": A[1]}], "total": 3}
        sequences = (await client.get(url + "/sequences")).json()
        assert sequences == {"items": [{"sequence": 0, "name": "x.0", "tokens": 3}], "total": 1}
        path = (await client.get(url + "/path", params={"start": 1, "tokens": 1})).json()
        assert (path["sequence_name"], path["start"], path["total"], path["log"]["name"]) == ("x.0", 1, 3, "log.json")
        assert (path["steps"], path["indices"], path["units"]) == (["l1", "l2"], [0, 1], 8)
        assert path["tokens"] == [{"place": 1, "text": None, "number": 8}] and path["margin"] is None
        assert path["experts"] == [[A[1][0]], [A[1][1]]], "by layer, token and slot"
        assert path["shares"] == [[[0.5, 0.5]], [[0.5, 0.5]]] and not path["weighted"]
        for far in ({"sequence": 1}, {"start": 3}):
            refused = is_problem(await client.get(url + "/path", params=far), 404)
        assert "it has 3, counted from 0" in refused["detail"]
        load = (await client.get(url + "/load")).json()
        assert (load["count"], load["tokens"], load["domains"], load["exemplars"]) == (1, 3, ["log.json"], [])
        first = load["layers"][0]
        assert first["load"] == pytest.approx([2 / 6, 2 / 6, 1 / 6, 1 / 6, 0, 0, 0, 0], abs=1e-5)
        assert (
            first["dead"] == ["l1.e5", "l1.e6", "l1.e7", "l1.e8"] and first["weight"] is first["token_entropy"] is None
        )
        assert first["together"][0][1] == pytest.approx(1 / (2 * 2 / 3))

        parts = ("", "/usage", "/file", "/load", "/path", "/sequences")
        assert (await client.delete(url)).status_code == 204
        for gone in (client.delete(url), *(client.get(url + part) for part in parts)):
            is_problem(await gone, 404)
        left = [path for path in tmp_path.rglob("*") if "logs" in path.parts and path.is_file()]
        assert not left, "nothing of it stays on disk"
        url = (await bring(client, response(A))).headers["location"]
        for file in tmp_path.rglob("data/**/*.parquet"):
            file.unlink()
        for part in ("/file", "/usage"):
            assert is_problem(await client.get(url + part), 404)["detail"] == "This routing log is no longer there."


async def test_one_clients_slow_logs_keep_nobody_else_waiting(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are two places; of one client's three requests one has a place, and another client has the other one."""
    slow, quick = [(await bring(client, response(A), name=name)).json()["id"] for name in ("slow", "quick")]
    ends, counted, begun = threading.Event(), parts.usage, threading.Semaphore(0)

    def counting(log: RoutingLog, *limits: int) -> dict[str, Any]:
        if log.source.file == "slow":
            begun.release()
            assert ends.wait(60)
        return counted(log, *limits)

    monkeypatch.setattr(parts, "usage", counting)
    asked = [asyncio.create_task(client.get(f"/api/v1/logs/{slow}/usage", params={"offset": n})) for n in range(3)]
    assert await asyncio.to_thread(begun.acquire, timeout=60)
    another = {"Cookie": f"routescope_browser={0:032x}"}
    answer = await asyncio.wait_for(client.get(f"/api/v1/logs/{quick}/usage", headers=another), 60)
    assert answer.status_code == 200 and not any(task.done() for task in asked)
    ends.set()
    assert [(await task).status_code for task in asked] == [200] * 3


async def test_two_logs_are_compared(client: httpx.AsyncClient) -> None:
    a, b = [(await bring(client, response(item))).json()["id"] for item in (A, B)]
    body = (await client.get("/api/v1/logs/comparison", params={"a": a, "b": b})).json()
    assert [item["same"] for item in body["layers"]] == [pytest.approx(2 / 3, abs=1e-6)] * 2
    assert [item["first_differs"] for item in body["layers"]] == [1, 1]
    text = (await client.get("/api/v1/logs/comparison/tokens", params={"a": a, "b": b})).json()
    assert [item["agreement"] for item in text["items"]] == [1, 0.5, 0.5]
    assert [item["first"] for item in text["items"]] == [None, "l2", "l1"] and text["start"] == 0
    one = (await client.get("/api/v1/logs/comparison/token", params={"a": a, "b": b, "token": 2})).json()
    assert (one["at"], one["sequence"], one["place"], one["place_b"], one["name"]) == (2, 0, 2, 2, "x.0")
    assert [item["same"] for item in one["layers"]] == [False, True] and not one["weighted"]
    assert [item["unit"] for item in one["layers"][0]["b"]["taken"]] == ["l1.e4", "l1.e2"]
    is_problem(await client.get("/api/v1/logs/comparison/token", params={"a": a, "b": b, "token": 3}), 404)
    is_problem(await client.get("/api/v1/logs/comparison", params={"a": a, "b": "0" * 32}), 404)
    far = {"a": a, "b": b, "sequence": 5}
    is_problem(await client.get("/api/v1/logs/comparison/tokens", params=far), 404)
    choices = [{"index": index, "routed_experts": A} for index in range(2)]
    a, b = [(await bring(client, json.dumps({"id": name, "choices": choices}))).json()["id"] for name in "xx"]
    text = (await client.get("/api/v1/logs/comparison/tokens", params={"a": a, "b": b, "sequence": 1})).json()
    assert text["start"] == len(A) and [item["place"] - text["start"] for item in text["items"]] == [0, 1, 2]
    for item in text["items"]:
        asked = {"a": a, "b": b, "token": item["place"]}
        decision = (await client.get("/api/v1/logs/comparison/token", params=asked)).json()
        assert decision["place"] == item["place"] - text["start"], "a token has one number in its sequence"


def ranks(*first: int) -> str:
    """Router traces of Megatron-core, one layer of three tokens for each rank, whose first token takes this expert."""
    record = {"step": 0, "layer": 0, "num_tokens": 3, "topk": 1}
    return "\n".join(
        json.dumps(record | {"rank": rank, "top_indices": [[expert], [2], [1]]}) for rank, expert in enumerate(first)
    )


async def test_a_log_says_what_was_assumed_and_the_address_says_otherwise(client: httpx.AsyncClient) -> None:
    asked = await bring(client, ranks(0, 3))
    is_problem(asked, 422)
    assert "Say what they are (--ranks): pipeline" in asked.json()["detail"]
    stages = (await bring(client, ranks(0, 3), ranks="pipeline")).json()["facts"]
    assert (stages["tokens"], len(stages["layers"])) == (3, 2) and "stages" in stages["assumed"][0]
    data = (await bring(client, ranks(0, 3), ranks="data", experts=4)).json()["facts"]
    assert (data["tokens"], len(data["layers"]), len(data["assumed"])) == (6, 1, 1)
    assert data["notes"][:1] == data["assumed"]
    is_problem(await bring(client, ranks(0, 3), ranks="model"), 422)
    short = response(A, [1, 2, 3, 7, 8, 9, 10])
    assert "(--start)" in "".join((await bring(client, short)).json()["facts"]["assumed"])
    body = (await bring(client, short, start=3, experts=4)).json()
    assert body["facts"]["has"]["token_ids"] and "first 3 tokens" in body["facts"]["assumed"][0]
    assert (await client.get(f"/api/v1/logs/{body['id']}/tokens")).json()["items"][0]["text"] == "7"


async def test_a_load_opens_where_a_load_is_shown_and_has_no_paths(client: httpx.AsyncClient) -> None:
    log = (await bring(client, "layer_id,expert_id,count\n0,0,30\n0,1,10\n1,2,40\n")).json()
    facts, url = log["facts"], f"/api/v1/logs/{log['id']}"
    assert facts["counts_only"] and facts["tokens"] == 0 and facts["top_k"] is facts["layers"][0]["tokens"] is None
    assert (await client.get(url + "/usage")).json()["counts"] == [[30, 10, 0], [0, 0, 40]]
    load = (await client.get(url + "/load")).json()
    first, second = load["layers"]
    assert first["load"] == [0.75, 0.25, 0] and first["dead"] == ["l1.e3"] and second["effective"] == pytest.approx(1)
    assert first["weight"] is first["together"] is first["token_entropy"] is first["specialisation"] is None
    assert load["kinds"] == load["exemplars"] == [] and any("no tokens" in note for note in load["notes"])
    refused = await client.get(url + "/path")
    is_problem(refused, 404)
    assert "no paths" in refused.json()["detail"]
    assert (await client.get(url + "/sequences")).json() == {"items": [], "total": 0}
    is_problem(await client.get("/api/v1/logs/comparison", params={"a": log["id"], "b": log["id"]}), 422)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (json.dumps({"choices": [{"routed_experts": [[[0, 0]] * 4] * 6}]}), "nothing was recorded"),
        ('{"0":[1,2]}\n{"1":[0,3]}\n', "is a keep-list"),
        ("hello", "Read are vLLM responses"),
        ("", "it is empty"),
        (response(A)[:-20], "no JSON"),
        (response([[[0, 9]]]), "there are 8"),
        ('{"meta_info": {"routed_experts": "AAAA"}}', "top_k"),
    ],
)
async def test_what_is_no_log_is_refused_in_words(client: httpx.AsyncClient, content: str, said: str) -> None:
    before = (await client.get("/api/v1/logs")).json()["total"]
    assert said in is_problem(await bring(client, content, experts=8), 422)["detail"]
    assert (await client.get("/api/v1/logs")).json()["total"] == before


async def test_a_log_has_bounds_of_its_own(tmp_path: Path) -> None:
    content = response(A).encode()
    limits = {"max_log_bytes": len(content), "max_upload_bytes": 10, "max_json_bytes": 10, "max_logs": 1}
    async with serving(settings(tmp_path, **limits)) as client:
        is_problem(await bring(client, content + b" "), 413)

        async def pieces() -> AsyncIterator[bytes]:
            for at in range(0, len(content) + 1, 7):
                yield (content + b" ")[at : at + 7]

        is_problem(await bring(client, pieces()), 413)  # nobody said how long it is
        assert (await bring(client, content)).status_code == 201
        is_problem(await bring(client, content), 507)
        assert not list(tmp_path.rglob("incoming-*"))


async def test_answers_about_logs_have_bounds(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few numbers fit into an answer: a path is shorter, a token and a load are refused, and so are large logs."""
    url, other = [(await bring(client, response(log))).headers["location"] for log in (A, B)]
    token = {"a": url.rpartition("/")[2], "b": other.rpartition("/")[2], "token": 0}
    monkeypatch.setattr(f"{LOGS}.MAX_VALUES", 2 * LAYERS * (2 * SLOTS + 1))
    assert len((await client.get(url + "/path")).json()["tokens"]) == 2
    monkeypatch.setattr(f"{LOGS}.MAX_VALUES", 8 * LAYERS * 2 * SLOTS - 1)
    refused = is_problem(await client.get("/api/v1/logs/comparison/token", params=token), 422)
    assert "Up to 63 numbers fit into an answer" in refused["detail"]
    monkeypatch.setattr(f"{LOGS}.MAX_VALUES", 5 * LAYERS * 4 - 1)
    assert (await client.get(url + "/usage")).status_code == 200
    assert "too many layers times experts" in is_problem(await client.get(url + "/load"), 422)["detail"]
    monkeypatch.undo()
    many = (await bring(client, response(A), experts=2**13)).headers["location"]
    first = (await client.get(many + "/load")).json()["layers"][0]
    assert (len(first["load"]), first["together"], first["alike"]) == (2**13, None, None)
    monkeypatch.setattr(f"{LOGS}.MAX_PACKED_BYTES", 10)
    assert "10 bytes of memory" in is_problem(await bring(client, response(A)), 422)["detail"]


@pytest.mark.slow
async def test_a_model_is_recorded_in_two_precisions_and_with_fewer_experts(client: httpx.AsyncClient) -> None:
    async def record(**asked: object) -> dict[str, Any]:
        answer = await client.post("/api/v1/logs/recordings", json={"model": "moe-bytes", "texts": 2, **asked})
        assert answer.status_code == 201, answer.text
        log: dict[str, Any] = answer.json()
        return log

    first, second = [await record(precision=item) for item in ("float32", "bfloat16")]
    assert second["name"] == "moe-bytes in bfloat16"
    assert first["facts"]["has"] == {"weights": True, "margin": True, "token_ids": False, "token_texts": True}
    body = (await client.get("/api/v1/logs/comparison", params={"a": first["id"], "b": second["id"]})).json()
    assert 0.9 < body["same_at_every_layer"] < 1 and len(body["margins"]) == 10
    name = (await client.post("/api/v1/unit-sets", json={"units": ["l1.e1", "l4.e8"]})).json()["name"]
    three = await record(top_k=3, drop=[name], mute=["l2.least:3"])
    assert three["name"].endswith(", muted l2.least:3, 3 a token") and three["facts"]["top_k"] == 3
    counts = np.array((await client.get(f"/api/v1/logs/{three['id']}/usage")).json()["counts"])
    assert counts[0, 0] == counts[3, 7] == 0 < counts[1, 0] and (counts.sum(axis=1) == counts[0].sum()).all()
