"""Many at once: the bounded queue, lost memory, other people's interventions, hooks, and caches that stay small."""

import asyncio
import json
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from fastapi import FastAPI
from sqlalchemy import func, select
from torch import nn

from routescope import zoo
from routescope.data import load
from routescope.routing import Intervention, record
from routescope_app.services.store import TraceRow
from routescope_app.services.traces import traces as traces_module
from routescope_app.services.traces.traces import Traces
from routescope_app.settings import DISK_SHARES, MEMORY_SHARES
from tests.app.serving import MODEL, UNITS, client_of, is_problem, running, serving, settings
from tests.robustness.record import came_back

TRACES = "/api/v1/traces"
LARGEST = {"intervention": {"iterations": 40}, "fields": ["compatibility", "types", "attention", "states"]}


def body(index: int = 1, **changes: Any) -> dict[str, Any]:
    return {"model": MODEL, "sample": f"mnist.validation.{index}", **changes}


def resident() -> int:
    """Bytes of memory that this process has in RAM."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


@pytest.fixture
async def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FastAPI]:
    monkeypatch.setattr("routescope_app.services.engine.inference.MAX_COST", 60)
    async with running(settings(tmp_path, queue_seconds=0)) as app:
        yield app


async def test_fifty_of_the_largest_at_once(small: FastAPI) -> None:
    async with client_of(small) as client:
        answers = await asyncio.gather(*(client.post(TRACES, json=body(i, **LARGEST)) for i in range(50)))
        statuses = [answer.status_code for answer in answers]
        assert set(statuses) == {201, 503}
        for answer in answers:
            if answer.status_code == 503:
                assert is_problem(answer, 503)["retryable"] is True
                assert int(answer.headers["retry-after"]) >= 1
        refused = statuses.index(503)
        again = await client.post(TRACES, json=body(refused, **LARGEST))
        assert again.status_code == 201, "the queue did not empty"
    got = "201, or 503 with Retry-After; and 201 for one of the refused a moment later"
    came_back("exhaustion", "50 of the largest traces at once, where little is admitted and nothing waits", got)


async def test_more_than_is_ever_admitted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routescope_app.services.engine.inference.MAX_COST", 2)
    async with serving(settings(tmp_path, max_concurrent_requests=3)) as client:
        assert "fewer" in is_problem(await client.post(TRACES, json=body(**LARGEST)), 422)["detail"]
        answers = await asyncio.gather(*(client.post(TRACES, json=body(i)) for i in range(12)))
        assert {answer.status_code for answer in answers} == {201, 503}, "more than 3 requests were in progress"
        assert (await client.post(TRACES, json=body())).status_code == 201


async def test_health_alone_is_asked_for_beside_them(tmp_path: Path) -> None:
    """Not posted to: bodies that never come would otherwise be received without end."""
    ends = asyncio.Event()

    async def never() -> AsyncIterator[bytes]:
        await ends.wait()
        yield b""

    async with serving(settings(tmp_path, max_concurrent_requests=1)) as client:
        waiting = asyncio.create_task(client.post(TRACES, content=never()))
        await asyncio.sleep(0.1)
        assert (await client.get("/api/v1/health")).status_code == 200
        is_problem(await client.post("/api/v1/health", content=b"{}"), 503)
        ends.set()
        await waiting


async def test_equal_requests_share_one_computation(small: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    """So does a request that looked too early: it finds what was computed meanwhile."""
    calls, look_up = [], Traces._look_up
    looked, answered = asyncio.Event(), asyncio.Event()

    def counting(*args: Any, **kwargs: Any) -> Any:
        calls.append(args)
        return record(*args, **kwargs)

    async def first_one_waits(self: Traces, trace_id: str) -> Any:
        outcome = await look_up(self, trace_id)
        if not looked.is_set():
            looked.set()
            await answered.wait()
        return outcome

    monkeypatch.setattr(traces_module, "record", counting)
    monkeypatch.setattr(Traces, "_look_up", first_one_waits)
    async with client_of(small) as client:
        early = asyncio.create_task(client.post(TRACES, json=body()))
        await looked.wait()
        answers = await asyncio.gather(*(client.post(TRACES, json=body()) for _ in range(10)))
        answered.set()
        assert {answer.status_code for answer in (*answers, await early)} == {201} and len(calls) == 1


LOST = (
    torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 9 GiB"),
    RuntimeError("[enforce fail at alloc_cpu.cpp:127] DefaultCPUAllocator: can't allocate memory: you tried"),
    MemoryError(),
)


async def test_lost_memory_is_retryable_and_a_defect_tells_nothing(
    small: FastAPI, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with client_of(small) as client:
        for number, error in enumerate((*LOST, RuntimeError("the inner secret"))):

            def fail(*_: Any, error: Exception = error, **__: Any) -> None:
                raise error

            with monkeypatch.context() as patch:
                patch.setattr(traces_module, "record", fail)
                answer = await client.post(TRACES, json=body(number))
            assert "alloc" not in answer.text and "secret" not in answer.text
            problem = is_problem(answer, 503 if error in LOST else 500)
            if error in LOST:
                assert problem["type"].endswith("out-of-memory") and problem["retryable"] is True
                assert int(answer.headers["retry-after"]) >= 1
            else:
                assert answer.headers["x-content-type-options"] == "nosniff"
                assert problem["instance"] in caplog.text and "the inner secret" in caplog.text
            assert (await client.post(TRACES, json=body(number))).status_code == 201


# -- other people --------------------------------------------------------------------------------------------

#: Answers of each client.
ROUNDS = 500


async def test_two_clients_with_different_drop_sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers interleaved in two threads and never from a cache, equal the serial ones."""
    images = load("mnist", "validation").images
    model = zoo.load(MODEL)
    choices: list[list[Intervention]] = [
        [Intervention(("f1",)), Intervention((), ("f3",)), Intervention(("f2", "f4"), iterations=2)],
        [Intervention(), Intervention(UNITS), Intervention(("f3",), ("f1",), 4)],
    ]
    serial: dict[tuple[str, int], np.ndarray] = {}
    for intervention in (i for choice in choices for i in choice):
        for index in range(8):
            batch = torch.as_tensor(images[index])[None].float() / 255
            trace = record(model, batch, intervention=intervention)
            serial[intervention.digest, index] = np.stack(list(trace.predictions()[0].values()))

    before = {name: parameter.clone() for name, parameter in model.named_parameters()}
    hooks = hooks_of(model)
    monkeypatch.setitem(MEMORY_SHARES, "traces", 0)
    monkeypatch.setitem(DISK_SHARES, "traces", 0)
    monkeypatch.setattr("routescope_app.services.traces.traces.MAX_ROWS", 10)
    chosen = settings(tmp_path, inference_workers=2)
    async with running(chosen) as app:

        async def client_with(choice: list[Intervention], seed: int) -> None:
            dice = random.Random(seed)
            async with client_of(app) as client:
                for _ in range(ROUNDS):
                    intervention, index = dice.choice(choice), dice.randrange(8)
                    wanted = json.loads(intervention.to_json())
                    answer = (await client.post(TRACES, json=body(index, intervention=wanted))).json()
                    got = np.array([p["probabilities"] for p in answer["predictions"]])
                    np.testing.assert_allclose(got, serial[intervention.digest, index], atol=1e-5)
                    assert answer["cached"] is False

        await asyncio.gather(*(client_with(choice, seed) for seed, choice in enumerate(choices)))
    assert hooks_of(model) == hooks
    for name, parameter in model.named_parameters():
        assert torch.equal(parameter, before[name]), name
    sent = "traces of two clients with three interventions each, interleaved in two threads"
    came_back("cross-user leak", sent, "each as computed alone, within 1e-5; no hook or weight has changed")


def hooks_of(model: nn.Module) -> int:
    return sum(len(module._forward_hooks) + len(module._forward_pre_hooks) for module in model.modules())


async def test_hooks_go_when_the_network_fails_and_when_clients_leave(
    small: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = zoo.load(MODEL)
    before = hooks_of(model)
    original = type(model).forward

    def failing(self: Any, *args: Any, **kwargs: Any) -> Any:
        original(self, *args, **kwargs)
        raise RuntimeError("in the middle")

    async with client_of(small) as client:
        with monkeypatch.context() as patch:
            patch.setattr(type(model), "forward", failing)
            is_problem(await client.post(TRACES, json=body()), 500)
        assert hooks_of(model) == before
        came_back("hook leak", "an error in the midst of a network", "500: as many hooks as before")
        for i in range(10):
            request = asyncio.create_task(client.post(TRACES, json=body(i, **LARGEST)))
            await asyncio.sleep(0.01)
            request.cancel()
            await asyncio.gather(request, return_exceptions=True)
        async with asyncio.timeout(60):
            while small.state.services.inference._turns.inside:
                await asyncio.sleep(0.02)
        assert hooks_of(model) == before
        assert (await client.post(TRACES, json=body(99))).status_code == 201
    came_back("hook leak", "10 clients that leave while they are answered", "as many hooks as before")


# -- caches --------------------------------------------------------------------------------------------------


async def test_caches_stay_within_their_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory, disk, rows = 100_000, 150_000, 15
    monkeypatch.setitem(MEMORY_SHARES, "traces", memory)
    monkeypatch.setitem(DISK_SHARES, "traces", disk)
    monkeypatch.setattr("routescope_app.services.traces.traces.MAX_ROWS", rows)
    chosen = settings(tmp_path)
    async with running(chosen) as app, client_of(app) as client:
        traces = app.state.services.traces
        ids = []
        for i in range(24):
            ids.append((await client.post(TRACES, json=body(i))).json()["id"])
            assert traces._memory.kept.nbytes <= memory
        await asyncio.to_thread(traces.flush)
        files = list((tmp_path / "cache" / "traces").rglob("*.nc"))
        assert files and sum(path.stat().st_size for path in files) <= disk
        with app.state.services.store.reading() as session:
            assert (session.scalar(select(func.count()).select_from(TraceRow)) or 0) <= rows
            assert (session.scalar(select(func.sum(TraceRow.bytes))) or 0) <= disk
        assert (await client.get(f"{TRACES}/{ids[-1]}")).status_code == 200
        is_problem(await client.get(f"{TRACES}/{ids[0]}"), 404)  # forgotten altogether
        again = await client.post(TRACES, json=body(0))
        assert again.json()["id"] == ids[0] and again.json()["cached"] is False
    came_back("cache growth", "24 samples, of whose traces few have room", "201: memory, disk and rows within limits")


async def test_memory_of_many_samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Distinct traces of many times the bytes that the cache may hold: the process does not grow with them."""
    monkeypatch.setitem(MEMORY_SHARES, "traces", 2_000_000)
    monkeypatch.setitem(DISK_SHARES, "traces", 0)
    monkeypatch.setattr("routescope_app.services.engine.inference.MAX_COST", 200)
    chosen = settings(tmp_path)
    wanted = {**LARGEST, "intervention": {"iterations": 40}}
    async with serving(chosen) as client:
        for i in range(20):
            await client.post(TRACES, json=body(i, **wanted))
        before = resident()
        passed = 0
        for i in range(100, 160):
            info = (await client.post(TRACES, json=body(i, **wanted))).json()
            passed += sum(4 * int(np.prod(field["shape"])) for field in info["fields"])
        grown = resident() - before
    assert passed > 10 * 2_000_000
    assert grown < passed / 2, f"{grown / 1e6:.0f} MB kept of {passed / 1e6:.0f} MB"
