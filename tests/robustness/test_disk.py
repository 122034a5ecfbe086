"""A full disk: said as what it is, nothing half-written, and the service unhealthy until there is room."""

import errno
import os
import sqlite3
from pathlib import Path
from typing import Any, NoReturn

import httpx
import psycopg
import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import OperationalError

from routescope_app.services.disk import ran_out
from routescope_app.services.jobs.results import Results
from routescope_app.services.store import Store
from tests.app.api.follow import ended, start
from tests.app.serving import MODEL, client_of, is_problem, running, serving, settings, upload
from tests.robustness.record import came_back

SAMPLES = "/api/v1/samples"


def full(*_: object, **__: object) -> NoReturn:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/secret/place")


def is_full(answer: httpx.Response) -> None:
    assert is_problem(answer, 507)["type"] == "urn:routescope:problem:disk-full"
    assert "secret" not in answer.text


async def test_a_disk_that_becomes_full_while_a_sample_is_written(
    client: httpx.AsyncClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("routescope_app.services.files.os.fsync", full)
        refused = await upload(client)
        is_full(refused)
        came_back("full disk", "a picture, and the disk becomes full while it is written", refused)
    assert not [path for path in (tmp_path / "samples").rglob("*") if path.is_file()]
    assert (await client.get(SAMPLES, params={"origin": "upload"})).json()["total"] == 0
    assert (await upload(client)).status_code == 201


async def test_a_database_that_cannot_grow(tmp_path: Path) -> None:
    """SQLite itself says so here: it may not have another page."""
    async with running(settings(tmp_path)) as app, client_of(app) as client:
        engine = app.state.services.store.engine

        @event.listens_for(engine, "connect")
        def _bounded(connection: Any, _record: Any) -> None:
            connection.execute("PRAGMA max_page_count=1")  # as many as there are already

        engine.dispose()
        body = {"name": "a", "note": "n" * 2_000, "address": "/paths?x=" + "a" * 16_000}
        answers = [await client.post("/api/v1/snapshots", json=body) for _ in range(20)]
        is_full(answers[-1])
        kept = sum(answer.status_code == 201 for answer in answers)
        assert len((await client.get("/api/v1/snapshots")).json()["items"]) == kept < 20


#: Makes a PostgreSQL server say what it says when its disk is full, of each sample and of what it is asked to see
#: whether there is room.
NO_ROOM = """
CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'could not extend file "base/secret"' USING ERRCODE = 'disk_full'; END $$;
CREATE TRIGGER no_room BEFORE INSERT ON samples EXECUTE FUNCTION no_room();
CREATE FUNCTION no_room_at_all() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'could not extend file "base/secret"' USING ERRCODE = 'disk_full'; END $$;
CREATE EVENT TRIGGER no_room ON ddl_command_start WHEN TAG IN ('CREATE TABLE AS') EXECUTE FUNCTION no_room_at_all();
"""
ROOM = "DROP TRIGGER no_room ON samples; DROP EVENT TRIGGER no_room;"


async def test_a_full_disk_of_postgresql(postgresql: str, tmp_path: Path) -> None:
    async with serving(settings(tmp_path, database_url=postgresql)) as client:
        with psycopg.connect(postgresql, autocommit=True) as server:
            server.execute(NO_ROOM)
        assert (await client.get("/api/v1/health")).status_code == 200, "nothing did not fit yet"
        is_full(await upload(client))
        assert not list((tmp_path / "samples").rglob("*.png")), "nothing half-kept"
        for path, kind in (("health", "unhealthy"), ("ready", "not-ready")):
            problem = is_problem(await client.get(f"/api/v1/{path}"), 503)
            assert problem["type"].endswith(kind) and problem["detail"].startswith("The disk of the database is full")
        with psycopg.connect(postgresql, autocommit=True) as server:
            server.execute(ROOM)
        assert (await client.get("/api/v1/health")).status_code == 200
        assert (await upload(client)).status_code == 201
    # The server's own word of a limit that is reached.
    store = Store(settings(Path(), database_url=postgresql).database)
    with pytest.raises(OperationalError) as caught, store.writing() as session:
        session.execute(text("SET LOCAL temp_file_limit = '64kB'; SET LOCAL work_mem = '64kB'"))
        session.execute(text("SELECT count(*) FROM (SELECT n FROM generate_series(1, 100000) n ORDER BY n DESC) AS m"))
    assert ran_out(caught.value) is not None
    store.close()


async def test_with_little_left_it_is_unhealthy_and_takes_nothing_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(settings(tmp_path, min_free_bytes=10_000_000)) as client:
        before = (await upload(client)).json()["id"]
        with monkeypatch.context() as patch:
            little = os.statvfs_result((4096, 4096, 10_000, 3_000, 2_000, 100, 100, 100, 0, 255))
            patch.setattr("routescope_app.services.disk.os.statvfs", lambda _folder: little)
            detail = is_problem(await client.get("/api/v1/health"), 503)["detail"]
            assert "7 MiB left" in detail and "wants 9 MiB" in detail and "free some" in detail
            refused = await upload(client)
            is_full(refused)
            came_back("full disk", "a picture, with 7 MiB left where 9 are wanted; health is 503", refused)
            is_full(await client.post("/api/v1/importances", json={"model": MODEL, "samples": 9}))
            binary = {"Content-Type": "application/octet-stream"}
            is_full(await client.post("/api/v1/logs", content=b"{}", headers=binary))
            trace = await client.post("/api/v1/traces", json={"model": MODEL, "sample": before})
            assert trace.status_code == 201  # what keeps nothing goes on
            assert (await client.delete(f"{SAMPLES}/{before}")).status_code == 204  # which makes room
        assert (await client.get("/api/v1/health")).status_code == 200
        assert (await upload(client)).status_code == 201


async def test_a_job_whose_result_does_not_fit(
    client: httpx.AsyncClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Results, "finish", full)
    job = await ended(client, await start(client, "importances", {"model": MODEL, "samples": 3}))
    assert (job["state"], job["problem"]["status"]) == ("failed", 507)
    assert job["problem"]["type"].endswith("disk-full") and "secret" not in str(job["problem"])
    assert not list((tmp_path / "results").iterdir())


def test_other_errors_are_no_full_disk() -> None:
    assert ran_out(OSError(errno.EACCES, "no")) is None and ran_out(ValueError()) is None
    assert ran_out(sqlite3.ProgrammingError("closed")) is None, "of Python's own, without SQLite's code"
    try:
        try:
            full()
        except OSError as error:
            raise RuntimeError("a library's own") from error
    except RuntimeError as error:
        assert ran_out(error) is not None
