"""Workers of one PostgreSQL database are killed, stopped and cut off under 30 jobs: all end as if nothing had been."""

import contextlib
import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from sqlalchemy import select

from routescope import assets
from routescope_app.services.store import JobRow, Store
from tests.app.serving import EXPERTS, MODEL, make_experts, settings
from tests.deploy.stack import free_port
from tests.robustness.processes.test_crash import FORKS, serve, server
from tests.robustness.processes.test_job_crash import until
from tests.robustness.processes.test_workers import untimed
from tests.robustness.record import came_back

#: Jobs of every kind; the long ones first, so that they run while workers end.
DIGITS: dict[str, Any] = {"model": MODEL, "data": ["mnist"]}
TEXTS: dict[str, Any] = {"model": EXPERTS, "data": ["sums"]}
JOBS: list[tuple[str, dict[str, Any]]] = [
    *(("importances", DIGITS | {"samples": 100 + number}) for number in range(3)),
    *(("embeddings", DIGITS | {"samples": 6 + number, "method": "tsne", "perplexity": 5}) for number in range(2)),
    *(("prunings", TEXTS | {"samples": 4, "points": 2, "draws": 2, "seed": number}) for number in range(4)),
    *(("observations", DIGITS | {"samples": 12 + number, "shuffles": 5}) for number in range(6)),
    *(("behaviours", DIGITS | {"samples": 40 + number, "order": "heads"}) for number in range(5)),
    *(("expert-loads", TEXTS | {"samples": 8 + number, "shuffles": 5}) for number in range(5)),
    *(("embeddings", DIGITS | {"samples": 12 + number, "method": "pca"}) for number in range(5)),
]
#: Seconds within which something happens, on a busy machine too.
PATIENCE = 300
LEASE = {"JOB_POLL_SECONDS": "0.2", "JOB_LEASE_SECONDS": "2"}


@dataclass
class Service:
    """A process that answers, and workers that are replaced when they are killed."""

    folder: Path
    url: str
    store: Store
    processes: list[BaseProcess] = field(default_factory=list)

    def start(self, role: str, running: int) -> tuple[int, BaseProcess]:
        """A process, and its port."""
        variables = {
            "DATA_DIR": str(self.folder), "DATABASE_URL": self.url, "WARM_UP": "false", "TORCH_THREADS": "1",
            "UNREAD_JOB_SECONDS": "0", "MAX_QUEUED_JOBS": "64", "ROLE": role, "RUNNING_JOBS": str(running), **LEASE,
        }  # fmt: skip
        port = free_port()
        process = FORKS.Process(
            target=serve, args=(port, {f"ROUTESCOPE_{name}": variables[name] for name in variables})
        )
        process.start()
        self.processes.append(process)
        return port, process

    def rows(self) -> dict[str, JobRow]:
        with self.store.reading() as session:
            return {row.id: row for row in session.scalars(select(JobRow))}

    def wait_for(self, is_so: Callable[[JobRow], bool]) -> JobRow:
        """The first job of which something is so, once it is."""
        deadline = time.monotonic() + PATIENCE
        while (row := next(filter(is_so, self.rows().values()), None)) is None:
            assert time.monotonic() < deadline, {row.id: (row.state, row.what) for row in self.rows().values()}
            time.sleep(0.05)
        return row

    def children(self) -> dict[int, str]:
        """Processes that make maps of this service, by their numbers, with the folders that they work in."""
        commands = {}
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                command = path.read_bytes().decode(errors="replace")
                if "routescope.routing.maps.process" in command and str(self.folder) in command:
                    commands[int(path.parent.name)] = command
        return commands

    def map_under_way(self) -> tuple[JobRow, int]:
        """A job whose map is being made, and the process that makes it."""
        deadline = time.monotonic() + PATIENCE
        while True:
            running = [row for row in self.rows().values() if row.state == "running"]
            for number, command in self.children().items():
                for row in running:
                    if row.id in command:
                        return row, number
            assert time.monotonic() < deadline, "no map is made"
            time.sleep(0.02)


def number_of(row: JobRow) -> int:
    """The process that works on a job."""
    assert row.worker is not None
    return int(row.worker.split("-")[-2])


def is_gone(number: int) -> bool:
    """Whether a process has ended, though whoever started it may not have heard of it."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.fixture
def service(tmp_path: Path, postgresql: str) -> Iterator[Service]:
    make_experts()
    folder = tmp_path / "shared"
    for model in (MODEL, EXPERTS):
        shutil.copytree(assets.data_dir() / "checkpoints" / model, folder / "checkpoints" / model)
    made = Service(folder, postgresql, Store(settings(folder, database_url=postgresql).database))
    try:
        yield made
    finally:
        for process in made.processes:
            process.kill()
            process.join()
        made.store.close()


def ask_all(client: httpx.Client) -> dict[str, str]:
    """Ids of all jobs, with the addresses of their results."""
    asked = {}
    for kind, request in JOBS:
        answer = client.post(f"/api/v1/{kind}", json=request)
        assert answer.status_code == 202, answer.text
        asked[answer.json()["id"]] = f"/api/v1/{kind}/{answer.json()['id']}"
    assert len(asked) == len(JOBS) == 30
    return asked


def results(client: httpx.Client, asked: dict[str, str]) -> dict[str, Any]:
    """What all jobs gave, once they are done, but for the time that it took."""
    outcome = {}
    for job_id, address in asked.items():
        job = until(client, job_id, seconds=PATIENCE)
        assert job["state"] == "done", job
        outcome[job_id] = untimed(client.get(address).json())
        if "embeddings" in address:
            outcome[f"{job_id} places"] = client.get(f"{address}/arrays/xy").json()
    return outcome


@contextlib.contextmanager
def answering(port: int) -> Iterator[httpx.Client]:
    """A client of a process, once that answers."""
    deadline = time.monotonic() + PATIENCE
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        while True:
            with contextlib.suppress(httpx.HTTPError):
                client.get("/api/v1/health")
                break
            assert time.monotonic() < deadline, "it did not start"
            time.sleep(0.1)
        yield client


def test_whatever_ends_workers_all_jobs_are_done(service: Service, tmp_path: Path) -> None:
    port, _ = service.start("api", 0)
    with answering(port) as client:
        asked = ask_all(client)
        workers = {process.pid: process for process in (service.start("worker", 2)[1] for _ in range(2))}

        def killed(number: int) -> None:
            os.kill(number, signal.SIGKILL)
            workers.pop(number).join()
            process = service.start("worker", 2)[1]
            workers[process.pid] = process

        def runs(row: JobRow) -> bool:
            """Whether it runs in a worker that is there: rows of one that was killed say so until its lease ends."""
            return row.state == "running" and row.total > 0 and number_of(row) in workers

        # 1. A worker that scores.
        killed(number_of(service.wait_for(lambda row: row.kind == "importance" and row.done > 0)))
        # 2. A worker whose child makes a map: the child ends with it.
        row, child = service.map_under_way()
        killed(number_of(row))
        deadline = time.monotonic() + 30
        while not is_gone(child):
            assert time.monotonic() < deadline, "the child of a killed worker goes on"
            time.sleep(0.02)
        # 3. The child alone.
        os.kill(service.map_under_way()[1], signal.SIGKILL)
        # 4. A worker that stops for longer than its lease, and then goes on: its jobs are another's by then.
        stopped = None
        while stopped is None:
            row = service.wait_for(runs)
            os.kill(number_of(row), signal.SIGSTOP)
            now = service.rows()[row.id]
            if (now.state, now.worker) == ("running", row.worker):
                stopped = row
            else:  # it had just ended that job
                os.kill(number_of(row), signal.SIGCONT)
        service.wait_for(lambda later: later.id == stopped.id and later.worker != stopped.worker)
        os.kill(number_of(stopped), signal.SIGCONT)
        # 5. All connections to the database are cut.
        service.wait_for(runs)
        with psycopg.connect(service.url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        # 6. A worker that runs anything.
        killed(number_of(service.wait_for(runs)))

        outcome = results(client, asked)
    rows = service.rows()
    assert {row.state for row in rows.values()} == {"done"} and set(rows) == set(asked)
    assert sum(row.attempts for row in rows.values()) >= len(JOBS) + 4, "nothing was interrupted"
    deadline = time.monotonic() + 30
    while service.children() or list((service.folder / "unfinished").rglob("*.nc")):
        assert time.monotonic() < deadline, "something is left"
        time.sleep(0.05)
    assert {path.name for path in (service.folder / "results").iterdir()} == set(asked)
    came_back(
        "killed workers",
        "30 jobs of two workers on PostgreSQL: kill -9 of three workers and of the process that makes a map, a worker "
        "that is stopped for longer than its lease, all connections to the database cut",
        "30 done, with the results of a service that nobody disturbs; no process and no file is left",
    )
    shutil.copytree(service.folder / "checkpoints", tmp_path / "alone" / "checkpoints")
    with server(tmp_path / "alone") as (url, _), httpx.Client(base_url=url, timeout=60) as client:
        undisturbed = results(client, ask_all(client))
    assert set(outcome) == set(undisturbed)
    for name in outcome:
        assert outcome[name] == undisturbed[name], name
