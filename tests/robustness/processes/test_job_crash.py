"""The service ends while a job runs: it was acknowledged, so it goes on afterwards and gives the same figures."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import httpx

from routescope import assets
from routescope_app.services.store import JobRow, Store
from tests.app.serving import MODEL, settings
from tests.robustness.processes.test_crash import kill_9, server

ROOT = Path(__file__).resolve().parents[3]

REQUEST: dict[str, Any] = {"model": MODEL, "samples": 240}


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[tuple[httpx.Client, BaseProcess]]:
    """A client of a service of its own that knows the small model."""
    shutil.copytree(assets.data_dir() / "checkpoints" / MODEL, folder / "checkpoints" / MODEL, dirs_exist_ok=True)
    with server(folder) as (url, process), httpx.Client(base_url=url, timeout=60) as client:
        yield client, process


def until(client: httpx.Client, job_id: str, done: int = 0, seconds: float = 120) -> dict[str, Any]:
    """Wait until a job has come so far, or ended."""
    deadline = time.monotonic() + seconds
    while True:
        job: dict[str, Any] = client.get(f"/api/v1/jobs/{job_id}").json()
        if job["state"] not in {"queued", "running"} or (done and job["done"] >= done):
            return job
        assert time.monotonic() < deadline, job
        time.sleep(0.02)


def test_a_job_goes_on_after_kill_9(tmp_path: Path) -> None:
    with serving(tmp_path) as (client, process):
        asked = client.post("/api/v1/importances", json=REQUEST)
        waiting = client.post("/api/v1/observations", json={**REQUEST, "samples": 6})
        assert asked.status_code == waiting.status_code == 202
        job = until(client, asked.json()["id"], done=240 * 3)
        assert job["state"] == "running"
        kill_9(process)
        process.join()
    with serving(tmp_path) as (client, _):
        listed = {item["id"] for item in client.get("/api/v1/jobs").json()["items"]}
        assert listed == {asked.json()["id"], waiting.json()["id"]}
        whole = {**REQUEST, "controls": 0}
        assert client.post("/api/v1/evaluations", json=whole).json()["cached"]  # what was scored was kept
        ended = until(client, job["id"])
        assert ended["state"] == "done" and ended["problem"] is None
        after = client.get(ended["result"]).json()
        assert until(client, waiting.json()["id"])["state"] == "done"
    with serving(tmp_path / "undisturbed") as (client, _):
        undisturbed = until(client, client.post("/api/v1/importances", json=REQUEST).json()["id"])
        expected = client.get(undisturbed["result"]).json()
    for name in ("shapley", "single", "interactions", "usage", "total", "baseline"):
        assert after[name] == expected[name], name
    folders = {path.name for path in (tmp_path / "results").iterdir()}
    assert folders == {asked.json()["id"], waiting.json()["id"]}  # nothing half is left


def test_killed_at_random_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    acknowledged: set[str] = set()
    for round_number in range(4):  # no end of the service is a job's fault, however many there are
        with serving(tmp_path) as (client, process):
            states = {item["id"]: item["state"] for item in client.get("/api/v1/jobs").json()["items"]}
            assert acknowledged <= set(states) and set(states.values()) <= {"queued", "running", "done"}
            for number in range(3):
                request = {**REQUEST, "samples": 60 + 10 * round_number + number}
                acknowledged.add(client.post("/api/v1/importances", json=request).json()["id"])
            time.sleep(0.4 * round_number)
            kill_9(process)
            process.join()
    with serving(tmp_path) as (client, _):
        for job_id in acknowledged:
            assert until(client, job_id)["state"] == "done"
            assert client.get(f"/api/v1/importances/{job_id}").status_code == 200


def test_sigterm_ends_the_service_though_a_page_follows_a_job(tmp_path: Path) -> None:
    """The stream's last event says why, and the service ends with 0; the job waits for the next start."""
    shutil.copytree(assets.data_dir() / "checkpoints" / MODEL, tmp_path / "checkpoints" / MODEL)
    variables = {"DATA_DIR": str(tmp_path), "ROLE": "api", "WARM_UP": "false", "SHUTDOWN_SECONDS": "30"}
    env = os.environ | {f"ROUTESCOPE_{name}": value for name, value in variables.items()}
    command = [sys.executable, "-c", "from routescope_app.commands import serve; serve('127.0.0.1', 0)"]
    process = subprocess.Popen(command, cwd=ROOT, env=env, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        output = ""
        while (match := re.search(r"http://[0-9.:]+", output)) is None:
            line = process.stderr.readline()
            assert line, output
            output += line
        drain = threading.Thread(target=process.stderr.read, daemon=True)
        drain.start()
        with httpx.Client(base_url=match[0], timeout=60) as client:
            job_id = client.post("/api/v1/importances", json={**REQUEST, "samples": 3_000}).json()["id"]
            with client.stream("GET", f"/api/v1/jobs/{job_id}/events") as followed:
                lines = followed.iter_lines()
                while '"running"' not in next(lines):
                    pass
                process.send_signal(signal.SIGTERM)
                rest = [line for line in lines if line]  # it ends, though nobody has closed the connection
                assert rest[-2] == "event: problem" and rest[-1].startswith("data: ")
                problem = json.loads(rest[-1].removeprefix("data: "))
                assert (problem["status"], problem["retryable"]) == (503, True)
                assert problem["type"].endswith(":stopping") and problem["instance"].startswith("urn:uuid:")
                assert process.wait(timeout=20) == 0
    finally:
        process.kill()
        process.wait()
    store = Store(settings(tmp_path).database)
    with store.reading() as session:
        row = session.get(JobRow, job_id)
    store.close()
    assert row is not None and (row.state, row.attempts) == ("queued", 0)
