"""Requests that wait at the same moment are computed together, and each is answered as if it had been alone."""

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

from routescope.routing import Trace
from routescope_app.api.schemas.catalogue import TraceInfo
from routescope_app.api.schemas.evaluations import Evaluation
from routescope_app.services.engine.batching import RequestBatcher
from routescope_app.services.engine.inference import Inference
from routescope_app.services.errors import Busy, OutOfMemory
from routescope_app.services.measuring import scoring
from routescope_app.services.traces import traces
from routescope_app.services.traces.traces import StoredTrace
from tests.app.serving import CIRCUIT, MODEL, make_circuit, running, settings

#: On a processor in other batches, and on a GPU.
DEVICES = ["cpu", pytest.param("cuda", marks=pytest.mark.needs_gpu)]
#: How far an answer may be from the one that a processor gives to it alone, as docs/deployment.md has it.
TOLERANCE = {"cpu": 1e-5, "cuda": 1e-4}
SAMPLES = tuple(f"mnist.validation.{index}" for index in range(3))


class Doubling:
    """Doubles whole numbers, together; cannot double 13, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[int]] = []

    def __call__(self, numbers: Sequence[int]) -> list[int]:
        self.asked.append(list(numbers))
        if 13 in numbers:
            raise MemoryError("13")
        return [2 * number for number in numbers]


@pytest.fixture
async def inference(tmp_path: Path) -> AsyncIterator[Inference]:
    result = Inference(settings(tmp_path, queue_seconds=0.2))
    yield result
    result.close()


async def those(waiting: int, batches: "RequestBatcher[Any, Any, Any]") -> None:
    """Returns once so many wait."""
    async with asyncio.timeout(60):
        while sum(map(len, batches._waiting.values())) < waiting:
            await asyncio.sleep(0.001)


class Holding:
    """Keeps the one thread of networks busy, so that what comes meanwhile waits."""

    def __init__(self, inference: Inference) -> None:
        self._gate = threading.Event()
        self._held = asyncio.create_task(inference.run(self._gate.wait))

    async def let_go_once(self, waiting: int, batches: "RequestBatcher[Any, Any, Any]") -> None:
        await those(waiting, batches)
        self._gate.set()
        await self._held


async def test_those_that_wait_are_computed_together(inference: Inference) -> None:
    double = Doubling()
    batches = RequestBatcher[str, int, int](inference, 4, double)
    holding = Holding(inference)
    asked = [asyncio.create_task(batches.run("a" if n % 2 else "b", n, 1.0)) for n in range(10)]
    await holding.let_go_once(10, batches)
    assert await asyncio.gather(*asked) == [2 * n for n in range(10)]
    assert sorted(double.asked) == [[0, 2, 4, 6], [1, 3, 5, 7], [8], [9]], "by key, at most four, in their order"
    assert not batches._waiting and inference.waiting == 0
    assert await batches.run("a", 21, 1.0) == 42 and double.asked[-1] == [21], "nobody waits for others"


async def test_one_that_fails_fails_alone_and_who_leaves_disturbs_nobody(inference: Inference) -> None:
    """Also the one whose turn comes first, and one whose batch has begun."""
    double = Doubling()
    batches = RequestBatcher[str, int, int](inference, 8, double)
    holding = Holding(inference)
    asked = [asyncio.create_task(batches.run("a", n, 1.0)) for n in (1, 13, 3)]
    await holding.let_go_once(3, batches)
    one, failed, three = await asyncio.gather(*asked, return_exceptions=True)
    assert (one, three) == (2, 6) and isinstance(failed, OutOfMemory)
    assert double.asked == [[1, 13, 3], [1], [13], [3]]

    holding = Holding(inference)
    asked = [asyncio.create_task(batches.run("a", n, 1.0)) for n in range(4)]
    await those(4, batches)
    for leaves in (asked[0], asked[2]):
        leaves.cancel()
        await asyncio.wait((leaves,))
    await holding.let_go_once(2, batches)
    assert await asyncio.gather(asked[1], asked[3]) == [2, 6] and double.asked[-1] == [1, 3]

    began, gate = threading.Event(), threading.Event()

    def slowly(numbers: Sequence[int]) -> list[int]:
        began.set()
        assert gate.wait(60)
        return double(numbers)

    slow = RequestBatcher[str, int, int](inference, 8, slowly)
    holding = Holding(inference)
    first, second = (asyncio.create_task(slow.run("a", n, 1.0)) for n in (5, 6))
    await holding.let_go_once(2, slow)
    await asyncio.to_thread(began.wait, 60)
    first.cancel()
    await asyncio.wait((first,))
    gate.set()
    assert await second == 12 and double.asked[-1] == [5, 6] and not slow._waiting


async def test_admission_is_of_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is not let in waits outside of every batch, and is refused as ever."""
    monkeypatch.setattr("routescope_app.services.engine.inference.MAX_COST", 4)
    inference = Inference(settings(tmp_path, queue_seconds=0.05))
    double = Doubling()
    batches = RequestBatcher[str, int, int](inference, 8, double)
    holding = Holding(inference)
    inside = [asyncio.create_task(batches.run("a", n, 1.0)) for n in range(3)]
    await those(3, batches)
    with pytest.raises(Busy):
        await batches.run("a", 3, 1.0)
    await holding.let_go_once(3, batches)
    assert await asyncio.gather(*inside) == [0, 2, 4] and double.asked == [[0, 1, 2]]
    async with asyncio.timeout(60):
        while inference._turns.inside:  # room comes back with the end of the work, a moment after the answers
            await asyncio.sleep(0.001)
    inference.close()


# -- traces --------------------------------------------------------------------------------------------------


async def traced(folder: Path, monkeypatch: pytest.MonkeyPatch, *, batch: int, device: str) -> list[StoredTrace]:
    """Traces of ``SAMPLES`` through two networks, each as it is and without a unit, that were asked for at once."""
    monkeypatch.setattr("routescope_app.services.engine.inference.MAX_COST", 10_000)
    async with running(settings(folder, trace_batch=batch, device=device)) as app:
        services = app.state.services
        infos = [services.inference.info(model) for model in (MODEL, CIRCUIT)]
        holding = Holding(services.inference)
        asked = [
            asyncio.create_task(services.traces.create(info, sample, change, info.fields))
            for info in infos
            for change in ({}, {"drop": [services.inference.model(info).units[0]]})
            for sample in SAMPLES
        ]
        await holding.let_go_once(len(asked), services.traces._batches)
        return list(await asyncio.gather(*asked))


@pytest.mark.slow
@pytest.mark.parametrize("device", DEVICES)
async def test_traces_that_wait_share_a_forward_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, device: str
) -> None:
    """Each equals the one that was recorded alone on the processor, and knows of no other's sample."""
    make_circuit()
    alone = await traced(tmp_path / "alone", monkeypatch, batch=1, device="cpu")
    forwards: list[list[str]] = []
    record = traces.record

    def counting(*args: Any, **options: Any) -> Trace:
        forwards.append(sorted(options["sample_ids"]))
        return record(*args, **options)

    monkeypatch.setattr(traces, "record", counting)
    together = await traced(tmp_path / "together", monkeypatch, batch=16, device=device)
    assert forwards == [list(SAMPLES)] * 4, "one forward pass for each network and intervention"
    for one, other in zip(alone, together, strict=True):
        assert one.id == other.id and list(other.trace.dataset["sample"].values) == [other.sample]
        mine, theirs = one.trace.dataset, other.trace.dataset
        xr.testing.assert_allclose(mine, theirs, rtol=0, atol=TOLERANCE[device])
        assert mine.attrs == theirs.attrs and mine.nbytes == theirs.nbytes
        assert {name: item.dtype for name, item in mine.items()} == {name: item.dtype for name, item in theirs.items()}


async def answers(folder: Path, device: str) -> list[list[float]]:
    """On a device: probabilities of a trace, figures of a drop, and those at the end of a stream."""
    asked = {"model": MODEL, "data": ["mnist"], "samples": 40, "controls": 2}
    async with running(settings(folder, device=device)) as app:
        client = app.state.client
        traced = {"model": MODEL, "sample": SAMPLES[1], "intervention": {"drop": ["f1"]}}
        trace = await client.ask(TraceInfo, "POST", "/traces", json=traced)
        dropped = await client.ask(Evaluation, "POST", "/evaluations", json=asked | {"intervention": {"drop": ["f1"]}})
        query = {"model": MODEL, "data": "mnist", "samples": 40, "controls": 2, "mute": "f2"}
        events = (await client.request("GET", "/evaluations/stream", params=query)).text
    last = [line.removeprefix("data: ") for line in events.splitlines() if line.startswith("data: ")][-1]
    probabilities = [share for item in trace.predictions for share in item.probabilities]
    return [probabilities, figures(dropped), figures(Evaluation.model_validate_json(last))]


def figures(found: Evaluation) -> list[float]:
    assert found.state == "done" and found.covered == 40 and found.accuracy and found.loss and found.change
    assert found.baseline and found.control and found.control.draws_done == 2
    of = (found.accuracy, found.loss, found.change.accuracy, found.change.loss, found.baseline.accuracy)
    return [item.value for item in of] + [found.baseline.loss.value, *(item.accuracy for item in found.control.sets)]


@pytest.mark.parametrize("device", DEVICES)
async def test_the_api_answers_on_every_device_as_on_the_processor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, device: str
) -> None:
    expected = await answers(tmp_path / "expected", "cpu")
    monkeypatch.setattr(scoring, "BATCH", 7)
    for one, other in zip(expected, await answers(tmp_path / "other", device), strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=TOLERANCE[device])
