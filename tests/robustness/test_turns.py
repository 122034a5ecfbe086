"""A real server under clients that leave, and under many clients of both kinds: everybody has their turn."""

import asyncio
import itertools
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from routescope.routing.caused.scores import Scores
from routescope_app.services.measuring import computing
from routescope_app.settings import DISK_SHARES
from tests.app.serving import MODEL, UNITS, listening, settings
from tests.robustness.record import came_back

EVALUATIONS = "/api/v1/evaluations"
#: Clients of the second test, half of them of traces.
CLIENTS = 50
#: Seconds after which a test gives up: no measure of speed.
LONG = 600


class Counted:
    def __init__(self, seconds: float) -> None:
        self.count = 0
        self._seconds = seconds
        self._original = computing.score_together

    def __call__(self, *given: Any, **named: Any) -> Iterator[tuple[Scores, ...]]:
        for piece in self._original(*given, **named):
            self.count += 1
            time.sleep(self._seconds)
            yield piece


def different() -> Iterator[dict[str, list[str]]]:
    """Interventions, none of which was scored before: each unit is dropped, silenced or left as it is."""
    for chosen in itertools.product(("drop", "mute", ""), repeat=len(UNITS)):
        change = {kind: [unit for unit, choice in zip(UNITS, chosen, strict=True) if choice == kind] for kind in chosen}
        change.pop("", None)
        if change and len(change.get("drop", ())) < len(UNITS):
            yield change


def address(port: int) -> str:
    return f"http://127.0.0.1:{port}"


@pytest.mark.slow
async def test_evaluations_end_at_the_next_batch_after_their_clients_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = Counted(0.02)
    monkeypatch.setattr(computing, "score_together", counted)
    sizes = [3_000 - number for number in range(16)]  # each has its own scores
    with listening(settings(tmp_path)) as port:
        async with httpx.AsyncClient(base_url=address(port), timeout=LONG) as client:

            async def asked(samples: int) -> None:
                body = {"model": MODEL, "samples": samples, "controls": 6, "intervention": {"drop": ["f1"]}}
                await client.post(EVALUATIONS, json=body)

            first = await client.post(EVALUATIONS, json={"model": MODEL, "samples": 30})  # data sets are read
            assert first.status_code == 200
            before = counted.count
            left = [asyncio.create_task(asked(samples)) for samples in sizes]
            async with asyncio.timeout(LONG):
                while counted.count == before:
                    await asyncio.sleep(0.05)
            for member in left:
                member.cancel()  # its connection is closed
            assert [type(member) for member in await asyncio.gather(*left, return_exceptions=True)] == [
                asyncio.CancelledError
            ] * len(left), "one of them ended before its client left"
            begun = counted.count
            answer = await client.post(EVALUATIONS, json={"model": MODEL, "samples": 100, "controls": 0})
            assert answer.status_code == 200
            after = begun
            while counted.count > after:  # until no batch comes for half a second
                after = counted.count
                await asyncio.sleep(0.5)
    own = 3  # three sets of 33 samples
    assert after - begun <= own + 2 * len(sizes), "of some thousand that were asked for"
    sent = "16 evaluations of 3,000 samples, closed when the first one runs"
    came_back("abandoned work", sent, "each ends at its next batch or the one after; the next evaluation is answered")


@pytest.mark.slow
async def test_many_clients_of_both_kinds_are_all_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    statuses, numbers, done = Counter[int](), itertools.count(), asyncio.Event()
    changes = different()

    async def traces(client: httpx.AsyncClient) -> None:
        while not done.is_set():
            # each is another trace: none is found in memory
            gate = next(numbers)
            body = {"model": MODEL, "sample": f"mnist.validation.{gate % 500}"}
            body["intervention"] = {"iterations": 1 + gate // 500 % 6}
            body["fields"] = ["compatibility", "types", "attention"]
            statuses[(await client.post("/api/v1/traces", json=body)).status_code] += 1

    async def evaluation(client: httpx.AsyncClient) -> None:
        body = {"model": MODEL, "data": ["mnist"], "samples": 100, "controls": 0, "intervention": next(changes)}
        answer = await client.post(EVALUATIONS, json=body)
        statuses[answer.status_code] += 1
        assert answer.json()["state"] == "done" and not answer.json()["cached"]

    monkeypatch.setitem(DISK_SHARES, "traces", 0)
    with listening(settings(tmp_path, queue_seconds=LONG)) as port:
        async with asyncio.timeout(LONG), asyncio.TaskGroup() as group:
            clients = [
                httpx.AsyncClient(base_url=address(port), timeout=LONG, cookies=cookie)
                for number in range(CLIENTS)
                for cookie in ({"routescope_browser": f"{number:032x}"} if number % 4 < 2 else {},)
            ]
            flood = [group.create_task(traces(client)) for client in clients[::2]]
            await asyncio.gather(*map(evaluation, clients[1::2]))
            done.set()
            await asyncio.gather(*flood)
            await asyncio.gather(*(client.aclose() for client in clients))
    assert set(statuses) == {200, 201} and statuses[200] == CLIENTS // 2, statuses
    assert statuses[201] >= CLIENTS // 2
    sent = f"{CLIENTS // 2} clients that ask for traces without a pause, and {CLIENTS // 2} for an evaluation each"
    came_back("starvation", sent, "every evaluation is answered, and none refused")
