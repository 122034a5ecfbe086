"""kill -9 at random: what was acknowledged is there afterwards, whole; the rest left nothing half."""

import contextlib
import multiprocessing
import os
import random
import signal
import socket
import threading
import time
from collections.abc import Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path

import httpx
import uvicorn

from tests.app.serving import png
from tests.robustness.record import came_back

ROUNDS = 3


#: Of one process that has imported the service each server is a fork: the import takes longer than what is tested here.
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["routescope_app.main"])


def serve(port: int, env: dict[str, str]) -> None:
    """The service in a process of its own."""
    os.environ.update(env)
    uvicorn.run("routescope_app.main:server", port=port, log_level="error")


@contextlib.contextmanager
def server(folder: Path) -> Iterator[tuple[str, BaseProcess]]:
    """The service as a process of its own; ends with it."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    env = {
        "ROUTESCOPE_DATA_DIR": str(folder), "ROUTESCOPE_ROLE": "api", "ROUTESCOPE_WARM_UP": "false",
        "ROUTESCOPE_MAX_SAMPLES": "100000", "ROUTESCOPE_UNREAD_JOB_SECONDS": "0",
        "ROUTESCOPE_MAX_QUEUED_JOBS": "64",
    }  # fmt: skip
    process = FORKS.Process(target=serve, args=(port, env))
    process.start()
    url = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + 120
        with httpx.Client(base_url=url, timeout=5) as client:  # one for all: each makes a TLS context
            while True:
                assert process.is_alive() and time.monotonic() < deadline, "the server did not start"
                with contextlib.suppress(httpx.HTTPError):
                    client.get("/api/v1/health")
                    break
                time.sleep(0.1)
        yield url, process
    finally:
        process.kill()
        process.join()


def kill_9(process: BaseProcess) -> None:
    """End the service without a word."""
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)


def test_what_was_acknowledged_survives(tmp_path: Path) -> None:
    dice = random.Random(7)
    acknowledged: dict[str, tuple[int, int]] = {}
    deleted: set[str] = set()
    started = 0
    for round_number in range(ROUNDS):
        with server(tmp_path) as (url, process):
            check(url, acknowledged, deleted)
            before = len(acknowledged) + len(deleted)
            stop = threading.Event()

            def send(seed: int, url: str = url, stop: threading.Event = stop) -> None:
                nonlocal started
                random_numbers = random.Random(seed)
                with httpx.Client(base_url=url, timeout=60) as client, contextlib.suppress(httpx.HTTPError):
                    while not stop.is_set():
                        size = (random_numbers.randrange(20, 90), random_numbers.randrange(20, 90))
                        colour = tuple(random_numbers.randrange(256) for _ in range(3))
                        started += 1
                        answer = client.post("/api/v1/samples", files={"file": ("a.png", png(*size, colour))})
                        if answer.status_code != 201:
                            continue
                        acknowledged[answer.json()["id"]] = size
                        if random_numbers.random() < 0.2:
                            gone = answer.json()["id"]
                            del acknowledged[gone]
                            if client.delete(f"/api/v1/samples/{gone}").status_code == 204:
                                deleted.add(gone)

            threads = [threading.Thread(target=send, args=(10 * round_number + i,)) for i in range(3)]
            for thread in threads:
                thread.start()
            while len(acknowledged) + len(deleted) == before and any(thread.is_alive() for thread in threads):
                time.sleep(0.02)  # a busy machine takes a while for the first
            time.sleep(dice.uniform(0.3, 1.2))
            kill_9(process)
            stop.set()
            for thread in threads:
                thread.join(timeout=30)
    with server(tmp_path) as (url, _):
        check(url, acknowledged, deleted)
    assert len(acknowledged) >= ROUNDS and started > len(acknowledged)
    got = "every upload that was acknowledged is there, whole; every deletion too"
    came_back("crash", f"kill -9, {ROUNDS} times, while three clients upload and delete", got)


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
