"""The service in processes of its own, which tests kill and stop."""

import contextlib
import multiprocessing
import os
import shutil
import signal
import time
from collections.abc import Iterator, Sequence
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from routescope import assets
from tests.app import serving as in_process
from tests.app.serving import settings
from tests.deploy.stack import free_port

#: Each server is a fork of a process that has imported the service, because the import takes long.
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["routescope_app.main"])
#: Seconds within which a server starts and a job ends, on a busy machine too.
PATIENCE = 300
Job = tuple[str, dict[str, Any]]


def serve(port: int, env: dict[str, str]) -> None:
    """Run the service."""
    os.environ.update(env)
    # A busy client may pause for longer than the seconds after which a server closes its connection.
    uvicorn.run("routescope_app.main:server", port=port, log_level="error", timeout_keep_alive=PATIENCE)


def start(folder: Path, **variables: object) -> tuple[int, BaseProcess]:
    """Start a service with settings; return its port and its process."""
    common = {"role": "api", "warm_up": False, "torch_threads": 1, "unread_job_seconds": 0, "max_queued_jobs": 64}
    common["max_samples"] = 100_000
    env = {f"ROUTESCOPE_{name.upper()}": str(value) for name, value in (common | variables).items()}
    port = free_port()
    process = FORKS.Process(target=serve, args=(port, env | {"ROUTESCOPE_DATA_DIR": str(folder)}))
    process.start()
    return port, process


@contextlib.contextmanager
def answering(port: int, process: BaseProcess) -> Iterator[httpx.Client]:
    """Yield a client of a service that has started."""
    deadline = time.monotonic() + PATIENCE
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        while True:
            assert process.is_alive() and time.monotonic() < deadline, "the server did not start"
            with contextlib.suppress(httpx.HTTPError):
                client.get("/api/v1/health")
                break
            time.sleep(0.05)
        yield client


def copy_models(folder: Path, *models: str) -> None:
    """Give a service the small models."""
    for model in models:
        source = assets.data_dir() / "checkpoints" / model
        shutil.copytree(source, folder / "checkpoints" / model, dirs_exist_ok=True)


@contextlib.contextmanager
def server(folder: Path, *models: str) -> Iterator[tuple[httpx.Client, BaseProcess]]:
    """Yield a client of a service and its process, which ends afterwards."""
    copy_models(folder, *models)
    port, process = start(folder)
    try:
        with answering(port, process) as client:
            yield client, process
    finally:
        process.kill()
        process.join()


def kill_9(process: BaseProcess) -> None:
    """End a service without a word."""
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()


def ask(client: httpx.Client, kind: str, request: dict[str, Any]) -> str:
    """Ask for a job; return its id."""
    answer = client.post(f"/api/v1/{kind}", json=request)
    assert answer.status_code == 202, answer.text
    job_id: str = answer.json()["id"]
    return job_id


def until(client: httpx.Client, job_id: str, done: int = 0) -> dict[str, Any]:
    """Wait until a job has come so far, or ended."""
    deadline = time.monotonic() + PATIENCE
    while True:
        job: dict[str, Any] = client.get(f"/api/v1/jobs/{job_id}").json()
        if job["state"] not in {"queued", "running"} or (done and job["done"] >= done):
            return job
        assert time.monotonic() < deadline, job
        time.sleep(0.02)


def untimed(result: Any) -> Any:
    """Return a result without measured times.

    The probability of a prediction has six digits: predictions are computed when a result is read, in batches of any
    size, and the size changes the last bit.
    """
    if isinstance(result, dict):
        return {
            name: round(value, 6) if name == "probability" and value is not None else untimed(value)
            for name, value in result.items()
            if "second" not in name
        }
    return [untimed(value) for value in result] if isinstance(result, list) else result


async def undisturbed(folder: Path, jobs: Sequence[Job]) -> list[Any]:
    """Return the results of jobs, computed in this process on SQLite."""
    results = []
    async with in_process.serving(settings(folder, max_queued_jobs=64)) as client:
        asked = [(await client.post(f"/api/v1/{kind}", json=request)).json()["id"] for kind, request in jobs]
        for (kind, _), job_id in zip(jobs, asked, strict=True):
            await client.get(f"/api/v1/jobs/{job_id}/events")
            results.append(untimed((await client.get(f"/api/v1/{kind}/{job_id}")).json()))
    return results
