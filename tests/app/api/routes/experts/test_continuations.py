"""Continuing a text through the API: the tokens are those of the core, as events and as one answer."""

import asyncio
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
from tests.app.api.follow import app_of, events_of
from tests.app.serving import is_problem, serving, settings

pytestmark = pytest.mark.asyncio(loop_scope="module")

EXPERTS, SAMPLE = "moe-bytes", "sums.validation.2"
PATH = "/api/v1/continuations/stream"


async def test_the_tokens_are_those_of_the_core(client: httpx.AsyncClient) -> None:
    body = {"model": EXPERTS, "sample": SAMPLE, "tokens": 5, "among": 3, "seed": 4}
    result = events_of((await client.get(PATH, params=body | {"drop": "l2.e3,l3.e5"})).text)
    change = Intervention(drop=("l2.e3", "l3.e5"))
    expected = list(continued(zoo.load(EXPERTS), load("sums", "validation").inputs([2]), 5, change, among=3, seed=4))
    assert [name for name, _ in result] == ["token"] * 5 + ["done"] and result[-1][1] == {}
    whole = await client.post(PATH.removesuffix("/stream"), json=body | {"intervention": {"drop": ["l2.e3", "l3.e5"]}})
    assert whole.json()["tokens"] == [reply for _, reply in result[:-1]]
    for (_, reply), item in zip(result, expected, strict=False):
        probability = pytest.approx(item.token.probability, rel=1e-4)
        assert (reply["text"], reply["probability"]) == (item.token.text, probability)
        assert [candidate["text"] for candidate in reply["candidates"]] == [one.text for one in item.candidates]
        for layer, decision in zip(reply["path"], item.path, strict=True):
            taken = [expert["unit"] for expert in layer["experts"]]
            assert (layer["step"], taken) == (decision.step, [*decision.experts])
            assert not {"l2.e3", "l3.e5"} & set(decision.experts)
            assert layer["margin"] == pytest.approx(decision.margin, abs=1e-3)


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
