"""Replicas and workers of one PostgreSQL database are killed, stopped and cut off: all jobs end as if undisturbed."""

import asyncio
import contextlib
import itertools
import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TypeVar

import httpx
import psycopg
import pytest
from sqlalchemy import select

from routescope_app.services.store import JobRow, Store
from tests.app.serving import EXPERTS, MODEL, make_experts, settings
from tests.robustness.processes.service import (
    PATIENCE,
    Job,
    answering,
    ask,
    copy_models,
    kill_9,
    start,
    undisturbed,
    until,
    untimed,
)
from tests.robustness.record import came_back

pytestmark = pytest.mark.slow

Result = TypeVar("Result")

DIGITS: dict[str, Any] = {"model": MODEL, "data": ["mnist"]}
TEXTS: dict[str, Any] = {"model": EXPERTS, "data": ["sums"]}
#: Takes minutes. Of one set alone a fast processor scores all subsets between two polls.
ENDLESS: dict[str, Any] = {"model": MODEL, "samples": 3_000, "data": ["mnist", "mnist-m", "street-digits"]}
#: Short jobs of every kind: five before anybody is killed, and three more beside each of the long ones.
SHORT: list[Job] = [
    job
    for number in range(5)
    for job in (
        ("prunings", TEXTS | {"samples": 4, "points": 2, "draws": 2, "seed": number}),
        ("observations", DIGITS | {"samples": 12 + number, "shuffles": 5}),
        ("behaviours", DIGITS | {"samples": 40 + number, "order": "heads"}),
        ("expert-loads", TEXTS | {"samples": 8 + number, "shuffles": 5}),
        ("embeddings", DIGITS | {"samples": 12 + number, "method": "pca"}),
    )
][:24]
#: Long jobs, each of which is interrupted.
SCORED: list[Job] = [("importances", DIGITS | {"samples": 200 + number}) for number in range(4)]
MAPPED: list[Job] = [
    ("embeddings", DIGITS | {"samples": 6 + number, "method": "tsne", "perplexity": 5}) for number in range(2)
]


@dataclass
class Cluster:
    """Two replicas of the API, two workers, and the folder and the database that they share."""

    folder: Path
    url: str
    store: Store
    replicas: list[httpx.Client] = field(default_factory=list)
    workers: dict[int, BaseProcess] = field(default_factory=dict)
    processes: list[BaseProcess] = field(default_factory=list)

    def start(self, role: str, running: int) -> tuple[int, BaseProcess]:
        port, process = start(self.folder, database_url=self.url, role=role, running_jobs=running, job_lease_seconds=2)
        self.processes.append(process)
        if role == "worker":
            assert process.pid is not None
            self.workers[process.pid] = process
        return port, process

    def kill(self, number: int) -> None:
        kill_9(self.workers.pop(number))
        self.start("worker", 1)

    def rows(self) -> dict[str, JobRow]:
        with self.store.reading() as session:
            return {row.id: row for row in session.scalars(select(JobRow))}

    def at_work(self, job_id: str, is_so: Callable[[JobRow], bool] = lambda row: row.total > 0) -> int:
        """Return the worker of a job, once the job runs in a worker that is there."""

        def runs() -> int | None:
            row = self.rows()[job_id]
            assert row.state in {"queued", "running"}, "the job ended before it was interrupted"
            number = int(row.worker.split("-")[-2]) if row.worker else None
            return number if row.state == "running" and is_so(row) and number in self.workers else None

        return wait_for(runs)

    def child_of(self, job_id: str) -> int:
        def found() -> int | None:
            return next((number for number, command in self.children().items() if job_id in command), None)

        return wait_for(found)

    def children(self) -> dict[int, str]:
        """Return the processes that make maps of this service, with their commands."""
        commands = {}
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                command = path.read_bytes().decode(errors="replace")
                if "routescope.routing.maps.process" in command and str(self.folder) in command:
                    commands[int(path.parent.name)] = command
        return commands


def wait_for(look: Callable[[], Result | None]) -> Result:
    deadline = time.monotonic() + PATIENCE
    while not (result := look()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)
    return result


def is_gone(number: int) -> bool:
    """Return whether a process has ended, though its parent may not have heard of it."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory, shared_postgresql: str) -> Iterator[Cluster]:
    make_experts()
    folder = tmp_path_factory.mktemp("shared")
    copy_models(folder, MODEL, EXPERTS)
    made = Cluster(folder, shared_postgresql, Store(settings(folder, database_url=shared_postgresql).database))
    with contextlib.ExitStack() as stack:
        stack.callback(made.store.close)
        stack.callback(lambda: [(process.kill(), process.join()) for process in made.processes])
        started = [
            made.start(role, running) for role, running in (("api", 0), ("api", 0), ("worker", 1), ("worker", 1))
        ]
        clients = [stack.enter_context(answering(*member)) for member in started]
        assert clients[2].get("/api/v1/jobs").status_code == 404, "a worker answers for its health alone"
        made.replicas = clients[:2]
        yield made


def test_progress_and_cancel_come_through_the_other_replica(cluster: Cluster) -> None:
    first, second = cluster.replicas
    job_id = ask(first, "importances", ENDLESS)
    seen: list[dict[str, Any]] = []
    with second.stream("GET", f"/api/v1/jobs/{job_id}/events") as followed:
        for line in followed.iter_lines():
            if line.startswith("data: "):
                seen.append(json.loads(line.removeprefix("data: ")))
                if len({event["done"] for event in seen if event["done"]}) == 2:
                    ended = second.delete(f"/api/v1/jobs/{job_id}").json()
                    assert ended["state"] == "cancelled" and 0 < ended["done"] < ended["total"]
    assert seen[-1]["state"] == "cancelled", "the stream hears of it and ends"
    done = [event["done"] for event in seen]
    assert done == sorted(done) and {event["state"] for event in seen} >= {"running", "cancelled"}
    assert first.get(f"/api/v1/jobs/{job_id}").json()["state"] == "cancelled"


def test_whatever_ends_workers_every_job_is_done(cluster: Cluster, tmp_path: Path) -> None:
    before = set(cluster.rows())
    jobs: dict[str, Job] = {}
    short = iter(SHORT)

    def add(job: Job) -> str:
        job_id = ask(cluster.replicas[len(jobs) % 2], *job)
        jobs[job_id] = job
        return job_id

    def add_long(job: Job) -> str:
        """Ask for a long job, and for short ones that wait behind it or run beside it."""
        job_id = add(job)
        for other in itertools.islice(short, 3):
            add(other)
        return job_id

    for job in itertools.islice(short, 5):
        until(cluster.replicas[0], add(job))
    interrupted = []
    # 1. A worker that scores.
    interrupted.append(add_long(SCORED[0]))
    cluster.kill(cluster.at_work(interrupted[-1], lambda row: row.done > 0))
    # 2. A worker whose child makes a map: the child ends with it. 3. The child of its successor.
    interrupted.append(add_long(MAPPED[0]))
    child = cluster.child_of(interrupted[-1])
    cluster.kill(cluster.at_work(interrupted[-1], lambda row: True))
    wait_for(lambda: is_gone(child))
    os.kill(cluster.child_of(add_long(MAPPED[1])), signal.SIGKILL)
    # 4. A worker that stops for longer than its lease, and then goes on: its job is another's by then.
    interrupted.append(add_long(SCORED[1]))
    stopped = cluster.at_work(interrupted[-1])
    os.kill(stopped, signal.SIGSTOP)
    wait_for(lambda: cluster.rows()[interrupted[-1]].attempts > 1)
    os.kill(stopped, signal.SIGCONT)
    # 5. All connections to the database are cut.
    cluster.at_work(add_long(SCORED[2]))
    with psycopg.connect(cluster.url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    # 6. A worker once more.
    interrupted.append(add_long(SCORED[3]))
    cluster.kill(cluster.at_work(interrupted[-1]))
    for job in short:
        add(job)

    assert len(jobs) == 30
    results = []
    for (job_id, (kind, _)), answers in zip(jobs.items(), cluster.replicas * len(jobs), strict=False):
        assert until(answers, job_id)["state"] == "done"
        results.append(untimed(answers.get(f"/api/v1/{kind}/{job_id}").json()))
    rows = {job_id: row for job_id, row in cluster.rows().items() if job_id not in before}
    assert set(rows) == set(jobs)
    assert all(rows[job_id].attempts > 1 for job_id in interrupted), "nothing was interrupted"
    wait_for(lambda: not cluster.children() and not list((cluster.folder / "unfinished").rglob("*.nc")))
    assert {path.name for path in (cluster.folder / "results").iterdir()} == set(jobs)
    assert results == asyncio.run(undisturbed(tmp_path, list(jobs.values())))
    came_back(
        "killed workers",
        "30 jobs of two workers on PostgreSQL: kill -9 of three workers and of the process that makes a map, a worker "
        "that is stopped for longer than its lease, all connections to the database cut",
        "30 done, with the results of a service that nobody disturbs; no process and no file is left",
    )


def test_a_worker_that_is_stopped_gives_back_what_it_ran(cluster: Cluster) -> None:
    """At once, not when its lease has run out; and it counts as if it had not been begun."""
    long = ask(cluster.replicas[0], "importances", ENDLESS | {"samples": 2_999})
    worker = cluster.workers.pop(cluster.at_work(long))
    for other in cluster.workers.values():
        kill_9(other)
    worker.terminate()
    worker.join(60)
    row = cluster.rows()[long]
    assert (row.state, row.attempts, row.worker) == ("queued", 0, None) and row.seconds > 0
    assert cluster.replicas[1].delete(f"/api/v1/jobs/{long}").json()["state"] == "cancelled"
