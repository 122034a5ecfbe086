"""Two servers on one data folder: the second says so and ends; nothing of the first is touched."""

import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from routescope_app.services.folder_lock import FolderInUse, FolderLock
from routescope_app.services.store import JobRow, Store
from tests.app.serving import MODEL, running, settings
from tests.robustness.processes.test_crash import kill_9, server
from tests.robustness.processes.test_job_crash import serving, until
from tests.robustness.record import came_back

ROOT = Path(__file__).resolve().parents[3]


def command(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """``routescope`` with these words, on that folder."""
    env = os.environ | {
        "ROUTESCOPE_DATA_DIR": str(folder),
        "PYTHONPATH": os.pathsep.join((str(ROOT / "core"), str(ROOT / "app"))),
    }
    line = [sys.executable, "-c", "from routescope.cli import main; main()", *words]
    return subprocess.run(line, cwd=ROOT, env=env, capture_output=True, text=True, timeout=120, check=False)


def attempts(folder: Path, job_id: str) -> int:
    """How often a job was begun."""
    store = Store(settings(folder).database)
    with store.reading() as session:
        row = session.get(JobRow, job_id)
    store.close()
    assert row is not None
    return row.attempts


def test_the_second_server_says_who_has_the_folder_and_ends(tmp_path: Path) -> None:
    """The first one's job goes on; commands that do not serve open the folder; after kill -9 it is free."""
    with serving(tmp_path) as (client, process):
        job_id = client.post("/api/v1/importances", json={"model": MODEL, "samples": 1_000}).json()["id"]
        assert until(client, job_id, done=1)["state"] == "running"
        second = command(tmp_path, "serve", "--port", "0")
        assert second.returncode == 2, second.stderr
        text = " ".join(second.stderr.split())
        assert "Traceback" not in text and f"in use by another Routescope: process {process.pid}, since" in text
        assert f"kill {process.pid}" in text and "ROUTESCOPE_DATA_DIR" in text
        got = "it says which process has the folder, and ends with 2; the job of the first goes on"
        came_back("two processes, one folder", "a second server on the folder of one that runs a job", got)
        listed = command(tmp_path, "models")
        assert listed.returncode == 0 and MODEL in listed.stdout
        assert attempts(tmp_path, job_id) == 1  # nobody queued it again
        client.delete(f"/api/v1/jobs/{job_id}")
        kill_9(process)
        process.join()
    with server(tmp_path) as (url, _):
        assert httpx.get(f"{url}/api/v1/health", timeout=60).status_code == 200


async def test_a_server_that_stopped_leaves_the_folder_to_others(tmp_path: Path) -> None:
    chosen = settings(tmp_path)
    async with running(chosen):
        with pytest.raises(FolderInUse, match=f"process {os.getpid()}"):
            FolderLock(chosen).check()
    FolderLock(chosen).check()


def test_postgresql_needs_no_lock(tmp_path: Path) -> None:
    """Its server knows who is connected; the folder has no lock then."""
    chosen = settings(tmp_path / "data", database_url="postgresql://user:password@host/name")
    first, second = FolderLock(chosen), FolderLock(chosen)
    first.take()
    second.take()
    assert not first.held and not second.held, "nothing is swept then: it may be another's"
    assert not (tmp_path / "data").exists()


def test_one_database_of_two_folders_is_locked_too(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'shared' / 'routescope.db'}"
    first = FolderLock(settings(tmp_path / "a", database_url=url))
    first.take()
    with pytest.raises(FolderInUse, match="shared"):
        FolderLock(settings(tmp_path / "b", database_url=url)).check()
    FolderLock(settings(tmp_path / "b")).check()  # what could not be taken whole was given back
    first.release()


@pytest.mark.parametrize("written", ["", "no JSON", "[]", '{"process": "x"}'])
def test_a_lock_whose_file_says_nothing(tmp_path: Path, written: str) -> None:
    first = FolderLock(settings(tmp_path))
    first.take()
    (tmp_path / "routescope.lock").write_text(written)
    with pytest.raises(FolderInUse, match="another process"):
        FolderLock(settings(tmp_path)).check()
    first.release()
