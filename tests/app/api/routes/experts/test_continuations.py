"""A text that a model continues: the events are what the core writes, and what cannot be is refused in words."""

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from routescope import zoo
from routescope.data import load
from routescope.routing import Intervention
from routescope.routing.continuing import NewToken, continued
from routescope_app.services.traces import continuing
from tests.app.api.routes.test_evaluations import app_of, parse
from tests.app.serving import MODEL, is_problem, serving, settings

EXPERTS, SAMPLE = "moe-bytes", "sums.validation.2"
PATH = "/api/v1/continuations/stream"


async def events(client: httpx.AsyncClient, **query: Any) -> list[tuple[str, dict[str, Any]]]:
    response = await client.get(PATH, params={"model": EXPERTS, "sample": SAMPLE, **query})
    assert response.status_code == 200, response.text
    return parse(response.text)


async def test_the_tokens_are_those_of_the_core(client: httpx.AsyncClient) -> None:
    result = await events(client, tokens=5, drop="l2.e3,l3.e5", among=3, seed=4)
    change = Intervention(drop=("l2.e3", "l3.e5"))
    expected = list(continued(zoo.load(EXPERTS), load("sums", "validation").inputs([2]), 5, change, among=3, seed=4))
    assert [name for name, _ in result] == ["token"] * 5 + ["done"] and result[-1][1] == {}
    body = {"model": EXPERTS, "sample": SAMPLE, "tokens": 5, "among": 3, "seed": 4}
    whole = await client.post(PATH.removesuffix("/stream"), json=body | {"intervention": {"drop": ["l2.e3", "l3.e5"]}})
    assert whole.json()["tokens"] == [reply for _, reply in result[:-1]]
    for (_, reply), item in zip(result, expected, strict=False):
        assert (reply["text"], reply["probability"]) == (
            item.token.text,
            pytest.approx(item.token.probability, rel=1e-4),
        )
        assert [candidate["text"] for candidate in reply["candidates"]] == [one.text for one in item.candidates]
        for layer, decision in zip(reply["path"], item.path, strict=True):
            assert (layer["step"], [taken["unit"] for taken in layer["experts"]]) == (
                decision.step,
                [*decision.experts],
            )
            assert not {"l2.e3", "l3.e5"} & set(decision.experts)
            assert layer["margin"] == pytest.approx(decision.margin, abs=1e-3)


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ({"model": MODEL}, "continues no texts"),
        ({"sample": "mnist.validation.3"}, "reads something else"),
        ({"drop": "l9.e9"}, "l9.e9"),
        ({"drop": ",".join(f"l1.e{e}" for e in range(1, 8))}, "layer 1 needs 2 experts"),
        ({"tokens": 257}, "Up to 256 tokens"),
    ],
)
async def test_what_cannot_be_is_said(client: httpx.AsyncClient, query: dict[str, Any], says: str) -> None:
    ((name, problem),) = await events(client, **query)
    assert name == "problem" and says in problem["detail"], json.dumps(problem)


async def test_what_is_no_question_is_refused_at_once(client: httpx.AsyncClient) -> None:
    is_problem(await client.get(PATH, params={"model": EXPERTS}), 422)
    is_problem(await client.get(PATH, params={"model": EXPERTS, "sample": SAMPLE, "tokens": 0}), 422)


async def test_too_many_continuations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()

    def waiting(*given: Any, **named: Any) -> Iterator[NewToken]:
        for token in continued(*given, **named):
            gate.wait(30)
            yield token

    monkeypatch.setattr(continuing, "continued", waiting)
    path, body = PATH.removesuffix("/stream"), {"model": EXPERTS, "sample": SAMPLE, "tokens": 1}
    monkeypatch.setattr("routescope_app.services.traces.continuing.MAX_CONTINUATIONS", 1)
    async with serving(settings(tmp_path)) as client:
        running = asyncio.create_task(client.post(path, json=body))
        while not app_of(client).services.continuations._running:
            await asyncio.sleep(0.01)
        refused = await client.post(path, json=body)
        gate.set()
        assert is_problem(refused, 503)["retryable"] is True and int(refused.headers["Retry-After"]) > 0
        assert (await running).status_code == 200
        assert (await client.post(path, json=body)).status_code == 200
