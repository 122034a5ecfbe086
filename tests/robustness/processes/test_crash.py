"""The service is killed or stopped: what was acknowledged is whole afterwards, and jobs go on with the same figures."""

import asyncio
import contextlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from routescope_app.services.store import JobRow, Store
from tests.app.serving import MODEL, png, settings
from tests.robustness.processes.service import ask, copy_models, kill_9, server, undisturbed, until, untimed
from tests.robustness.record import came_back

ROOT = Path(__file__).resolve().parents[3]
ROUNDS = 3
REQUEST: dict[str, Any] = {"model": MODEL, "samples": 120}


class Clients:
    """Clients that upload and delete while their service runs, and what it acknowledged."""

    def __init__(self) -> None:
        self.samples: dict[str, tuple[int, int]] = {}
        self.deleted: set[str] = set()

    def send(self, url: httpx.URL, seed: int) -> None:
        dice = random.Random(seed)
        with httpx.Client(base_url=url, timeout=60) as client, contextlib.suppress(httpx.HTTPError):
            for _ in range(40):
                size = (dice.randrange(20, 90), dice.randrange(20, 90))
                colour = tuple(dice.randrange(256) for _ in range(3))
                answer = client.post("/api/v1/samples", files={"file": ("a.png", png(*size, colour))})
                if answer.status_code != 201:
                    continue
                identity = answer.json()["id"]
                if dice.random() >= 0.2:
                    self.samples[identity] = size
                elif client.delete(f"/api/v1/samples/{identity}").status_code == 204:
                    self.deleted.add(identity)

    def check(self, client: httpx.Client) -> None:
        for identity, size in self.samples.items():
            sample = client.get(f"/api/v1/samples/{identity}")
            assert sample.status_code == 200, "an acknowledged sample is gone"
            assert (sample.json()["width"], sample.json()["height"]) == size
        for identity in self.deleted:
            assert client.get(f"/api/v1/samples/{identity}").status_code == 404
        # Whatever else is listed, acknowledged or not, is whole.
        listed = client.get("/api/v1/samples", params={"origin": "upload", "limit": 200}).json()["items"]
        for sample in listed:
            for view in ("network", "original"):
                image = client.get(sample["image"], params={"view": view})
                assert image.status_code == 200 and image.content.endswith(b"IEND\xaeB`\x82")


@pytest.mark.slow
def test_killed_at_random_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    dice, clients = random.Random(7), Clients()
    jobs: set[str] = set()
    for round_number in range(ROUNDS):
        with server(tmp_path, MODEL) as (client, process):
            clients.check(client)
            states = {item["id"]: item["state"] for item in client.get("/api/v1/jobs").json()["items"]}
            assert jobs <= set(states) and set(states.values()) <= {"queued", "running", "done"}
            before = len(clients.samples)
            threads = [
                threading.Thread(target=clients.send, args=(client.base_url, 10 * round_number + i)) for i in range(3)
            ]
            for thread in threads:
                thread.start()
            for number in range(2):
                request = {**REQUEST, "samples": 60 + 10 * round_number + number}
                jobs.add(ask(client, "importances", request))
            while len(clients.samples) == before and any(thread.is_alive() for thread in threads):
                time.sleep(0.02)  # a busy machine takes a while for the first
            time.sleep(dice.uniform(0.1, 0.6))  # the moment of the kill is random
            kill_9(process)
            for thread in threads:
                thread.join(timeout=30)
    with server(tmp_path, MODEL) as (client, _):
        clients.check(client)
        for job_id in jobs:
            assert until(client, job_id)["state"] == "done"
            assert client.get(f"/api/v1/importances/{job_id}").status_code == 200
    assert len(clients.samples) >= ROUNDS
    got = "every upload that was acknowledged is there, whole; every deletion too; every job ends"
    came_back("crash", f"kill -9, {ROUNDS} times, while clients upload, delete and ask for jobs", got)


@pytest.mark.slow
def test_a_job_goes_on_after_kill_9(tmp_path: Path) -> None:
    with server(tmp_path, MODEL) as (client, process):
        asked = ask(client, "importances", REQUEST)
        waiting = ask(client, "observations", {**REQUEST, "samples": 6})
        assert until(client, asked, done=120 * 3)["state"] == "running"
        kill_9(process)
    with server(tmp_path, MODEL) as (client, _):
        assert {item["id"] for item in client.get("/api/v1/jobs").json()["items"]} == {asked, waiting}
        whole = {**REQUEST, "controls": 0}
        assert client.post("/api/v1/evaluations", json=whole).json()["cached"]  # what was scored was kept
        ended = until(client, asked)
        assert ended["state"] == "done" and ended["problem"] is None
        after = untimed(client.get(ended["result"]).json())
        assert until(client, waiting)["state"] == "done"
    (expected,) = asyncio.run(undisturbed(tmp_path / "undisturbed", [("importances", REQUEST)]))
    for name in ("shapley", "single", "interactions", "usage", "total", "baseline"):
        assert after[name] == expected[name], name
    folders = {path.name for path in (tmp_path / "results").iterdir()}
    assert folders == {asked, waiting}  # nothing half is left


@pytest.mark.slow
def test_sigterm_ends_the_service_though_a_page_follows_a_job(tmp_path: Path) -> None:
    """The stream's last event says why, and the service ends with 0; the job waits for the next start."""
    copy_models(tmp_path, MODEL)
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
            job_id = ask(client, "importances", {**REQUEST, "samples": 3_000})
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
                assert process.wait(timeout=60) == 0
    finally:
        process.kill()
        process.wait()
    store = Store(settings(tmp_path).database)
    with store.reading() as session:
        row = session.get(JobRow, job_id)
    store.close()
    assert row is not None and (row.state, row.attempts) == ("queued", 0)
