"""kill -9 at random: what was acknowledged is there afterwards, whole; the rest left nothing half."""

import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx

from tests.app.serving import png

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 3


@contextlib.contextmanager
def server(folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The service as a process of its own; ends with it."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    env = {
        **os.environ, "ROUTESCOPE_DATA_DIR": str(folder), "ROUTESCOPE_ROLE": "api", "ROUTESCOPE_WARM_UP": "false",
        "ROUTESCOPE_MAX_SAMPLES": "100000", "ROUTESCOPE_UNREAD_JOB_SECONDS": "0",
    }  # fmt: skip
    command = [sys.executable, "-m", "uvicorn", "app.main:server", "--port", str(port), "--log-level", "error"]
    process = subprocess.Popen(command, cwd=ROOT, env=env)
    url = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + 120
        while True:
            assert process.poll() is None and time.monotonic() < deadline, "the server did not start"
            with contextlib.suppress(httpx.HTTPError):
                httpx.get(url + "/api/v1/health", timeout=5)
                break
            time.sleep(0.1)
        yield url, process
    finally:
        process.kill()
        process.wait()


def test_what_was_acknowledged_survives(tmp_path: Path) -> None:
    dice = random.Random(7)
    acknowledged: dict[str, tuple[int, int]] = {}
    deleted: set[str] = set()
    started = 0
    for round_number in range(ROUNDS):
        with server(tmp_path) as (url, process):
            check(url, acknowledged, deleted)
            known = len(acknowledged) + len(deleted)
            stop = threading.Event()

            def send(seed: int, url: str = url, stop: threading.Event = stop) -> None:
                nonlocal started
                own = random.Random(seed)
                with httpx.Client(base_url=url, timeout=10) as client, contextlib.suppress(httpx.HTTPError):
                    while not stop.is_set():
                        size = (own.randrange(20, 90), own.randrange(20, 90))
                        colour = tuple(own.randrange(256) for _ in range(3))
                        started += 1
                        answer = client.post("/api/v1/samples", files={"file": ("a.png", png(*size, colour))})
                        if answer.status_code != 201:
                            continue
                        acknowledged[answer.json()["id"]] = size
                        if own.random() < 0.2:
                            gone = answer.json()["id"]
                            del acknowledged[gone]
                            if client.delete(f"/api/v1/samples/{gone}").status_code == 204:
                                deleted.add(gone)

            threads = [threading.Thread(target=send, args=(10 * round_number + i,)) for i in range(3)]
            for thread in threads:
                thread.start()
            while len(acknowledged) + len(deleted) == known and any(thread.is_alive() for thread in threads):
                time.sleep(0.02)  # a busy machine takes a while for the first
            time.sleep(dice.uniform(0.3, 1.2))
            os.kill(process.pid, signal.SIGKILL)
            stop.set()
            for thread in threads:
                thread.join(timeout=30)
    with server(tmp_path) as (url, _):
        check(url, acknowledged, deleted)
    assert len(acknowledged) >= ROUNDS and started > len(acknowledged)


def check(url: str, acknowledged: dict[str, tuple[int, int]], deleted: set[str]) -> None:
    with httpx.Client(base_url=url, timeout=30) as client:
        for identity, size in acknowledged.items():
            sample = client.get(f"/api/v1/samples/{identity}")
            assert sample.status_code == 200, "an acknowledged sample is gone"
            assert (sample.json()["width"], sample.json()["height"]) == size
            for view in ("network", "original"):
                image = client.get(sample.json()["image"], params={"view": view})
                assert image.status_code == 200 and image.content.endswith(b"IEND\xaeB`\x82")
        for identity in deleted:
            assert client.get(f"/api/v1/samples/{identity}").status_code == 404
        # Whatever else is listed, acknowledged or not, is whole.
        listed = client.get("/api/v1/samples", params={"origin": "upload", "limit": 200}).json()["items"]
        for sample in listed:
            assert client.get(sample["image"]).status_code == 200
