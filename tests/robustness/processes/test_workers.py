"""Two that answer and two that work, as processes of one PostgreSQL database: nothing is lost, nothing is run twice."""

import contextlib
import json
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from routescope import assets
from routescope_app.services.store import JobRow, Store
from tests.app.serving import MODEL, serving, settings
from tests.deploy.stack import free_port
from tests.robustness.processes.test_crash import FORKS, kill_9, serve
from tests.robustness.processes.test_job_crash import until

REQUEST: dict[str, Any] = {"model": MODEL, "data": ["mnist"]}
#: Samples of a job that is cancelled, and of one whose worker is killed.
LONG, KILLED = 3_000, 200
#: Data sets of a job that is cancelled: of one set alone a fast processor scores all subsets between two polls.
SETS = ["mnist", "mnist-m", "street-digits"]


@dataclass
class Cluster:
    """Two replicas of the API, two workers, and the folder and the database that they share."""

    folder: Path
    store: Store
    replicas: list[httpx.Client]
    workers: dict[int, BaseProcess]

    def rows(self) -> dict[str, JobRow]:
        with self.store.reading() as session:
            return {row.id: row for row in session.scalars(select(JobRow))}

    def at_work(self, job_id: str) -> int:
        """The process that works on a job, once it does."""
        deadline = time.monotonic() + 60
        while not ((row := self.rows()[job_id]).state == "running" and row.total):
            assert row.state in {"queued", "running"} and time.monotonic() < deadline
            time.sleep(0.02)
        assert row.worker is not None
        return int(row.worker.split("-")[-2])


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory, shared_postgresql: str) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("shared")
    shutil.copytree(assets.data_dir() / "checkpoints" / MODEL, folder / "checkpoints" / MODEL)
    common = {
        "DATA_DIR": str(folder), "DATABASE_URL": shared_postgresql, "WARM_UP": "false", "TORCH_THREADS": "1",
        "JOB_POLL_SECONDS": "0.2", "JOB_LEASE_SECONDS": "2", "UNREAD_JOB_SECONDS": "0",
        "MAX_QUEUED_JOBS": "64",
    }  # fmt: skip
    roles = [{"ROLE": "api", "RUNNING_JOBS": "0"}] * 2 + [{"ROLE": "worker", "RUNNING_JOBS": "1"}] * 2
    ports, processes = [free_port() for _ in roles], []
    for port, role in zip(ports, roles, strict=True):
        env = {f"ROUTESCOPE_{name}": value for name, value in {**common, **role}.items()}
        processes.append(FORKS.Process(target=serve, args=(port, env)))
        processes[-1].start()
    with contextlib.ExitStack() as stack:
        stack.callback(lambda: [(process.kill(), process.join()) for process in processes])
        clients = [stack.enter_context(httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60)) for port in ports]
        deadline = time.monotonic() + 120
        for client, process in zip(clients, processes, strict=True):
            while True:
                assert process.is_alive() and time.monotonic() < deadline, "it did not start"
                with contextlib.suppress(httpx.HTTPError):
                    assert client.get("/api/v1/health").json()["status"] == "ok"
                    break
                time.sleep(0.1)
        store = Store(settings(folder, database_url=shared_postgresql).database)
        stack.callback(store.close)
        workers = {process.pid: process for process in processes[2:] if process.pid is not None}
        assert clients[2].get("/api/v1/jobs").status_code == 404, "a worker answers for its health alone"
        yield Cluster(folder, store, clients[:2], workers)


def asked(client: httpx.Client, kind: str, **more: Any) -> str:
    answer = client.post(f"/api/v1/{kind}", json=REQUEST | more)
    assert answer.status_code == 202, answer.text
    job_id: str = answer.json()["id"]
    return job_id


def test_progress_and_cancel_come_through_the_other_replica(cluster: Cluster) -> None:
    first, second = cluster.replicas
    job_id = asked(first, "importances", samples=LONG, data=SETS)
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


@pytest.fixture
async def undisturbed(tmp_path: Path) -> dict[str, Any]:
    """The long job's result by one process on SQLite."""
    async with serving(settings(tmp_path)) as client:
        job = (await client.post("/api/v1/importances", json=REQUEST | {"samples": KILLED})).json()
        await client.get(f"/api/v1/jobs/{job['id']}/events")
        answer: dict[str, Any] = (await client.get(f"/api/v1/importances/{job['id']}")).json()
        return answer


def untimed(result: Any) -> Any:
    """A result without what was measured of time."""
    if isinstance(result, dict):
        return {name: untimed(value) for name, value in result.items() if "second" not in name}
    return [untimed(value) for value in result] if isinstance(result, list) else result


def test_a_worker_is_killed_and_every_job_is_done_once(cluster: Cluster, undisturbed: dict[str, Any]) -> None:
    before = set(cluster.rows())
    long = asked(cluster.replicas[0], "importances", samples=KILLED)
    jobs = {long: "importances"}
    for number in range(19):
        jobs[asked(cluster.replicas[number % 2], "observations", samples=6 + number, shuffles=2)] = "observations"
    assert len(jobs) == 20
    killed = cluster.workers.pop(cluster.at_work(long))
    kill_9(killed)
    killed.join()
    states = [until(cluster.replicas[number % 2], job_id)["state"] for number, job_id in enumerate(jobs)]
    assert states == ["done"] * 20
    rows = {job_id: row for job_id, row in cluster.rows().items() if job_id not in before}
    assert {job_id: row.attempts for job_id, row in rows.items()} == dict.fromkeys(jobs, 1) | {long: 2}
    assert {path.name for path in (cluster.folder / "results").iterdir()} == set(jobs), "nothing half is left"
    for client in cluster.replicas:
        for job_id, kind in jobs.items():
            assert client.get(f"/api/v1/{kind}/{job_id}").status_code == 200
        answer = client.get(f"/api/v1/importances/{long}").json()
        assert untimed(answer) == untimed(undisturbed)


def test_a_worker_that_is_stopped_gives_back_what_it_ran(cluster: Cluster) -> None:
    """At once, not when its lease has run out; and it counts as if it had not been begun."""
    ((pid, worker),) = cluster.workers.items()
    long = asked(cluster.replicas[0], "importances", samples=LONG - 1, data=SETS)
    assert cluster.at_work(long) == pid
    worker.terminate()
    worker.join(30)
    row = cluster.rows()[long]
    assert (row.state, row.attempts, row.worker) == ("queued", 0, None) and row.seconds > 0
    assert cluster.replicas[1].delete(f"/api/v1/jobs/{long}").json()["state"] == "cancelled"
