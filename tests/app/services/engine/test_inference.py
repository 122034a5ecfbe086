"""Where networks run: devices, precision, admission, the warm-up, models that come and go."""

import asyncio
import threading
import time
from pathlib import Path

import numpy as np
import pytest
import torch

from routescope import zoo
from routescope.nn import prepared
from routescope_app.api.schemas.catalogue import Health, TraceInfo
from routescope_app.services.engine.inference import GPU_BATCH, Device, Inference
from routescope_app.services.errors import Busy, NotAccepted, NotFound
from routescope_app.settings import MEMORY_SHARES
from tests.app.serving import MODEL, make_model, running, settings


def test_devices() -> None:
    assert Device.choose("cpu", "float32").torch == torch.device("cpu")
    assert Device.choose("auto", "float32").torch.type == ("cuda" if torch.cuda.is_available() else "cpu")
    assert str(Device.choose("cpu", "bfloat16")) == "cpu bfloat16"
    for name in ("meta", "tpu", "cuda:99x") if torch.cuda.is_available() else ("meta", "tpu", "cuda", "cuda:0"):
        with pytest.raises((ValueError, RuntimeError)):
            Device.choose(name, "float32")
    together = [Device(torch.device(name), "float32").together(n) for name, n in (("cuda", 0), ("cpu", 0), ("cpu", 7))]
    assert together == [GPU_BATCH, 1, 7] and GPU_BATCH == 16


async def test_the_named_precision_is_used(tmp_path: Path) -> None:
    answers = []
    for precision in ("float32", "bfloat16"):
        async with running(settings(tmp_path / precision, precision=precision)) as app:
            assert (await app.state.client.ask(Health, "GET", "/health")).device.endswith(precision)
            trace = await app.state.client.ask(
                TraceInfo, "POST", "/traces", json={"model": MODEL, "sample": "mnist.validation.1"}
            )
            answers.append([prediction.probabilities for prediction in trace.predictions])
    assert answers[0] != answers[1]
    np.testing.assert_allclose(*answers, atol=0.05)


async def test_work_runs_elsewhere_and_without_gradients_in_its_budget_of_prepared_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepared, "MOST_BYTES", prepared.MOST_BYTES)
    monkeypatch.setitem(MEMORY_SHARES, "prepared-weights", 12_345)
    inference = Inference(settings(tmp_path))
    assert prepared.MOST_BYTES == 12_345
    thread, gradients = await inference.run(lambda: (threading.current_thread().name, torch.is_grad_enabled()))
    assert thread.startswith("inference") and gradients is False
    inference.close()


async def test_admission_by_cost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routescope_app.services.engine.inference.MAX_COST", 12)
    inference = Inference(settings(tmp_path, queue_seconds=0))
    gate = threading.Event()
    waiting = [asyncio.create_task(inference.run(gate.wait, cost=4)) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(Busy) as caught:
        await inference.run(lambda: None, cost=4)
    assert caught.value.retry_after == 2
    fits = asyncio.create_task(inference.run(lambda: "done", cost=2))
    expected = asyncio.create_task(inference.run(lambda: "own", cost=0))  # the service's own work is never refused
    await asyncio.sleep(0)
    gate.set()
    assert await asyncio.gather(*waiting, fits, expected) == [True, True, "done", "own"]
    assert await inference.run(lambda: "again", cost=12) == "again"
    with pytest.raises(NotAccepted):
        await inference.run(lambda: None, cost=13)
    inference.close()


async def test_cost_is_given_back_after_errors_and_cancellation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("routescope_app.services.engine.inference.MAX_COST", 1)
    inference = Inference(settings(tmp_path, queue_seconds=0))

    def fail() -> None:
        raise KeyError

    with pytest.raises(KeyError):
        await inference.run(fail, cost=1)
    begun, gate = threading.Event(), threading.Event()

    def held() -> None:
        begun.set()
        gate.wait()

    task = asyncio.create_task(inference.run(held, cost=1))
    assert await asyncio.to_thread(begun.wait, 30)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    with pytest.raises(Busy):  # nobody waits for it, and still it computes
        await inference.run(lambda: 1, cost=1)
    gate.set()
    await inference.run(lambda: None)
    assert await inference.run(lambda: 1, cost=1) == 1
    inference.close()


async def test_a_replaced_model_is_seen(tmp_path: Path) -> None:
    """Nor is another revision taken for the one that was asked about."""
    inference = Inference(settings(tmp_path))
    make_model("replaced", seed=1)
    before = inference.info("replaced")
    old = inference.model(before)
    make_model("replaced", seed=2)
    after = inference.info("replaced")
    assert after.revision != before.revision
    assert not torch.equal(inference.model(after).cls, old.cls)
    with pytest.raises(NotFound, match="replaced"):
        inference.model(before)
    zoo.path_of("replaced").unlink()
    with pytest.raises(NotFound):
        inference.info("replaced")
    with pytest.raises(NotFound, match="no longer"):
        inference.model(after)
    inference.close()


async def test_the_start_scores_the_galleries_in_the_background(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Inference, "models", lambda _: [zoo.info(MODEL)])  # or it waits for what is bundled
    async with running(settings(tmp_path, warm_up=True)) as app:
        assert (await app.state.client.ask(Health, "GET", "/health")).status == "ok"  # it answers at once
        gallery, info = app.state.services.gallery, zoo.info(MODEL)
        deadline = time.monotonic() + 120
        while any(gallery.known_scores(info, dataset) is None for dataset in gallery.datasets()):
            assert time.monotonic() < deadline, "the galleries were not scored"
            await asyncio.sleep(0.1)
    assert len(list((tmp_path / "cache" / "scores").glob(f"{MODEL}-*.npz"))) == 3


async def test_stopping_does_not_wait_for_the_warm_up(tmp_path: Path) -> None:
    async with running(settings(tmp_path, warm_up=True)) as app:
        await app.state.client.request("GET", "/health")
    with pytest.raises(RuntimeError, match="shut down"):
        await app.state.services.inference.run(lambda: None)
