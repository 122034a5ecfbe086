"""Two servers on one data folder: the second says so and ends; nothing of the first is touched."""

import os
from pathlib import Path

import pytest

from routescope_app.services.folder_lock import FolderInUse, FolderLock
from routescope_app.services.store import JobRow, Store
from tests.app.serving import MODEL, running, settings
from tests.core.cli.program import refused, words_of
from tests.robustness.processes.service import ask, kill_9, server, until
from tests.robustness.record import came_back


def test_the_second_server_says_who_has_the_folder_and_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first one's job goes on; commands that do not serve open the folder; after kill -9 it is free."""
    with server(tmp_path, MODEL) as (client, process):
        job_id = ask(client, "importances", {"model": MODEL, "samples": 1_000})
        assert until(client, job_id, done=1)["state"] == "running"
        monkeypatch.setattr(os, "umask", lambda _mode: 0)
        monkeypatch.setenv("ROUTESCOPE_PORT", "0")
        monkeypatch.setenv("ROUTESCOPE_DATA_DIR", str(tmp_path))
        second = refused("serve")
        assert f"in use by another Routescope: process {process.pid}, since" in second
        assert f"kill {process.pid}" in second and "ROUTESCOPE_DATA_DIR" in second
        got = "it says which process has the folder, and ends with 2; the job of the first goes on"
        came_back("two processes, one folder", "a second server on the folder of one that runs a job", got)
        assert MODEL in words_of("models")
        store = Store(settings(tmp_path).database)
        with store.reading() as session:
            row = session.get(JobRow, job_id)
        store.close()
        assert row is not None and row.attempts == 1, "somebody queued it again"
        client.delete(f"/api/v1/jobs/{job_id}")
        kill_9(process)
    with server(tmp_path) as (client, _):
        assert client.get("/api/v1/health").status_code == 200


async def test_a_server_that_stopped_leaves_the_folder_to_others(tmp_path: Path) -> None:
    chosen = settings(tmp_path)
    async with running(chosen):
        with pytest.raises(FolderInUse, match=f"process {os.getpid()}"):
            FolderLock(chosen).check()
    FolderLock(chosen).check()
    first = FolderLock(chosen)
    first.take()
    for written in ("", "no JSON", "[]", '{"process": "x"}'):
        (tmp_path / "routescope.lock").write_text(written)
        with pytest.raises(FolderInUse, match="another process"):
            FolderLock(chosen).check()
    first.release()


def test_databases_are_locked_unless_a_server_has_them(tmp_path: Path) -> None:
    """PostgreSQL knows who is connected; SQLite is locked where two folders share it."""
    chosen = settings(tmp_path / "data", database_url="postgresql://user:password@host/name")
    first, second = FolderLock(chosen), FolderLock(chosen)
    first.take()
    second.take()
    assert not first.held and not second.held, "nothing is swept then: it may be another's"
    assert not (tmp_path / "data").exists()
    url = f"sqlite:///{tmp_path / 'shared' / 'routescope.db'}"
    first = FolderLock(settings(tmp_path / "a", database_url=url))
    first.take()
    with pytest.raises(FolderInUse, match="shared"):
        FolderLock(settings(tmp_path / "b", database_url=url)).check()
    FolderLock(settings(tmp_path / "b")).check()  # what could not be taken whole was given back
    first.release()
