"""Pictures of few bytes that cost much work: the service goes on meanwhile, and its own memory stays as it is."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image

from routescope_app.services.errors import NotAccepted, TooLarge
from routescope_app.services.samples.decoding_pool import LIMITS, DecodingPool
from tests.app.serving import client_of, is_problem, listening, png, running, settings, upload
from tests.robustness.hostile import gif_of_frames, gif_with_far_frame, jpeg_of_scans
from tests.robustness.record import came_back
from tests.robustness.test_pictures import encoded

#: Name -> picture, status (None: accepted), word of the refusal.
SENT: dict[str, tuple[Callable[[], bytes], int | None, str]] = {
    "a second frame far away": (lambda: gif_with_far_frame(8900, 8900), 413, "megapixels"),
    "20,000 scans": (lambda: jpeg_of_scans(20_000), 422, "scans"),
    "1,001 frames": (lambda: gif_of_frames(1_001, 4_900), 422, "frames"),
    "999 frames": (lambda: gif_of_frames(999, 4_900), None, ""),
}
POOL = "routescope_app.services.samples.decoding_pool"


def of_process(pid: int | str, field: str) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field + ":"))


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with listening(settings(tmp_path_factory.mktemp("pictures"))) as port:
        yield port


@pytest.mark.parametrize("kind", SENT)
def test_health_is_answered_meanwhile(port: int, kind: str) -> None:
    """Eight at once, to a real server, which decodes nothing itself: its memory does not grow by a canvas."""
    make, status, words = SENT[kind]
    content = make()

    async def attack() -> tuple[list[httpx.Response], int, int]:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=120) as client:
            assert (await upload(client)).status_code == 201
            assert (await client.get("/api/v1/health")).status_code == 200  # loads what it needs
            before = of_process("self", "VmRSS")
            sent = [asyncio.create_task(upload(client, content)) for _ in range(8)]
            answered, grown = 0, 0
            while not all(task.done() for task in sent):
                assert (await client.get("/api/v1/health")).status_code == 200
                answered += not all(task.done() for task in sent)
                grown = max(grown, of_process("self", "VmRSS") - before)
                await asyncio.sleep(0.02)
            return [await task for task in sent], answered, grown

    answers, answered, grown = asyncio.run(attack())
    assert answered or status is not None, "health was answered after all pictures"
    for answer in answers:
        if status is None:
            assert answer.status_code == 201 and (answer.json()["width"], answer.json()["height"]) == (2048, 2048)
        else:
            assert words in is_problem(answer, status)["detail"]
    reported = answers[0] if status is not None else "201: the first frame, reduced to 2048 x 2048"
    sent = f"eight at once of {kind}, {len(content):,} bytes each; health is answered meanwhile"
    came_back("frames and scans", sent, reported)
    if status is not None:
        assert grown < 40_000, f"{grown} kB"


async def test_one_that_takes_too_long_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were scans not counted: 20,000 of them take half a minute of a processor; its process may have one second."""
    content = jpeg_of_scans(20_000)
    monkeypatch.setattr(f"{POOL}.CPU_SECONDS", 1)
    monkeypatch.setattr(f"{POOL}.LIMITS", replace(LIMITS, max_scans=10**6))
    async with running(settings(tmp_path, concurrency=1)) as app, client_of(app) as client:
        assert (await upload(client)).status_code == 201
        (first,) = pids(app.state.services.decoding)
        detail = is_problem(await upload(client, content), 422)["detail"]
        assert "too long" in detail and "up to 1 seconds" in detail
        came_back("frames and scans", "20,000 scans, were they not counted, and a second is given", f"422: {detail}")
        assert not alive(first) and not pids(app.state.services.decoding)
        assert (await upload(client)).status_code == 201


async def test_a_process_that_hangs_or_died_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{POOL}.SECONDS", 1)
    async with running(settings(tmp_path, concurrency=1)) as app, client_of(app) as client:
        assert (await upload(client)).status_code == 201
        (stopped,) = pids(app.state.services.decoding)
        os.kill(stopped, signal.SIGSTOP)
        assert "too long" in is_problem(await upload(client), 422)["detail"]
        assert not alive(stopped)
        assert (await upload(client)).status_code == 201
        (killed,) = pids(app.state.services.decoding)
        os.kill(killed, signal.SIGKILL)
        os.waitid(os.P_PID, killed, os.WEXITED | os.WNOWAIT)
        assert (await upload(client)).status_code == 201
        assert pids(app.state.services.decoding) != [killed]
    assert not alive(killed)


async def test_one_that_takes_too_much_memory_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    large = encoded(Image.new("RGBA", (5000, 5000), (1, 2, 3, 4)), "PNG", compress_level=1)
    monkeypatch.setattr(f"{POOL}.MEMORY_BYTES", 64 * 1024 * 1024)
    async with running(settings(tmp_path)) as app, client_of(app) as client:
        assert "memory" in is_problem(await upload(client, large), 413)["detail"]
        assert (await upload(client)).status_code == 201
        for pid in pids(app.state.services.decoding):
            assert of_process(pid, "VmHWM") < 100_000


async def test_further_ones_are_asked_to_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{POOL}.MAX_WAITING", 2)  # of one client two
    async with running(settings(tmp_path, concurrency=1)) as app, client_of(app) as client:
        answers = await asyncio.gather(*(upload(client, gif_of_frames(2, 3_000)) for _ in range(6)))
        assert sorted(answer.status_code for answer in answers) == [201, 201, 503, 503, 503, 503]
        busy = next(answer for answer in answers if answer.status_code == 503)
        assert is_problem(busy, 503)["retryable"] and busy.headers["Retry-After"] == "2"
        assert (await upload(client)).status_code == 201


async def test_processes_know_nothing_of_the_service_and_end_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROUTESCOPE_TOKEN", "a-secret-of-this-service")
    async with running(settings(tmp_path, token=None)) as app, client_of(app) as client:
        await upload(client)
        (pid,) = pids(app.state.services.decoding)
        assert b"a-secret" not in Path(f"/proc/{pid}/environ").read_bytes()
        assert "torch" not in Path(f"/proc/{pid}/maps").read_text()
        assert of_process(pid, "VmRSS") < 60_000
    assert not alive(pid)


def test_unused_processes_end(tmp_path: Path) -> None:
    pool = DecodingPool(settings(tmp_path))
    try:
        assert pool.clean(png()).picture.size == (40, 30)
        (pid,) = pids(pool)
        assert pool.forget_unused(60) == 0 and alive(pid)
        assert pool.forget_unused(0) == 1 and not alive(pid)
        with pytest.raises(NotAccepted):
            pool.clean(b"no picture")
        with pytest.raises(TooLarge):
            pool.clean(gif_with_far_frame(8900, 8900))
        assert len(pids(pool)) == 1, "a refusal ended the process"
    finally:
        pool.close()


def pids(pool: Any) -> list[int]:
    return [member._child.process.pid for member in pool._idle]


def alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()
