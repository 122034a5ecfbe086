"""A data folder of version 0.6 opens: every stored thing is there, and the API answers as 0.6 did, field by field.

The rows are in SQLite, as in the folder, or in PostgreSQL: the same rows in tables at 0.6's database revision.
``data_0_6.zip`` was made by ``tests/upgrade/make_data_folder.py`` of commit 743d86da with the code of 0.6 (commit
b79e021b). It holds six small models, samples of every kind, traces, logs, snapshots, a set of units, a user, an ended
login, a finished job of every kind, a queued job, and ``answers.json``: the GET requests to 0.6 and their answers.
"""

import copy
import hashlib
import json
import re
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import parse_qsl, urlsplit

import httpx
import numpy as np
import pytest
import torch
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, MetaData, create_engine, func, inspect, select

from routescope import zoo
from routescope.routing import Trace, record
from routescope_app.dashboard import PAGES, validation
from routescope_app.services.store import MIGRATIONS, JobRow, ScoreRow, Store
from routescope_app.settings import Settings
from tests.app.api.follow import ended
from tests.app.serving import client_of, running, settings

PACKED = Path(__file__).parent / "data_0_6.zip"
with zipfile.ZipFile(PACKED) as packed:
    SAID: dict[str, Any] = json.loads(packed.read("answers.json"))
CALLERS: dict[str, dict[str, str]] = SAID["callers"]
SERVICE = CALLERS["everybody"]["Authorization"].removeprefix("Bearer ")
#: The database revision of 0.6.
REVISION_0_6 = "0012"
#: Fields that depend on when, how fast, or how often something was computed or read.
PASSING = {"cached", "seconds", "samples_per_second", "flops_per_second"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the data folder."""
    with zipfile.ZipFile(PACKED) as packed:
        packed.extractall(tmp_path)
    monkeypatch.setenv("ROUTESCOPE_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


def make_tables(connection: Connection) -> None:
    """Make the tables of 0.6."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, REVISION_0_6)


def move_rows(source: str, target: str) -> None:
    """Make the tables of 0.6 in another database, and copy all rows of the SQLite file into them."""
    engine, tables = create_engine(source), MetaData()
    tables.reflect(engine)
    target_engine = create_engine(target)
    with engine.connect() as old, target_engine.begin() as new:
        make_tables(new)
        made = MetaData()
        made.reflect(new)
        assert {*made.tables} == {*tables.tables}
        for name, table in made.tables.items():
            rows = [in_utc(dict(row)) for row in old.execute(select(tables.tables[name])).mappings()]
            assert rows, f"the folder has no rows in {name}"
            if name != "alembic_version":
                new.execute(table.insert(), rows)
    engine.dispose()
    target_engine.dispose()


def in_utc(row: dict[str, Any]) -> dict[str, Any]:
    """A row whose moments have the zone that SQLite leaves out."""
    return {k: v.replace(tzinfo=UTC) if isinstance(v, datetime) else v for k, v in row.items()}


@pytest.fixture(params=["sqlite", "postgresql"])
def chosen(folder: Path, request: pytest.FixtureRequest) -> Settings:
    """Settings of a server on that folder and on the database with the rows of 0.6."""
    if request.param == "sqlite":
        return settings(folder, token=SERVICE)
    moved = settings(folder, token=SERVICE, database_url=request.getfixturevalue("postgresql"))
    move_rows(f"sqlite:///{folder / 'routescope.db'}", moved.database)
    (folder / "routescope.db").unlink()
    return moved


def differences(old: Any, new: Any, path: str = "") -> list[str]:
    """List where a new answer lacks or changes a field of the old answer; further fields of the new one are ignored.

    Numbers may differ by 1e-5: loads of logs are rounded to five decimals since 0.6.
    """
    if isinstance(old, dict) and isinstance(new, dict):
        kept = {key: value for key, value in old.items() if key not in PASSING}
        return [line for key, value in kept.items() for line in differences(value, new.get(key), f"{path}.{key}")]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = enumerate(zip(old, new, strict=True))
        return [line for at, (a, b) in pairs for line in differences(a, b, f"{path}[{at}]")]
    if isinstance(old, float) and isinstance(new, float | int):
        return [] if new == pytest.approx(old, rel=1e-5, abs=1e-5) else [f"{path}: {old} in 0.6, {new} now"]
    return [] if old == new else [f"{path}: {str(old)[:80]} in 0.6, {str(new)[:80]} now"]


def logs_without_layers(body: dict[str, Any], _caller: str) -> dict[str, Any]:
    """Lists and paths of logs leave the facts' layers and notes out; ``GET /logs/{id}`` has them."""
    logs = [body["log"]] if "log" in body else body["items"]
    for log in logs:
        log["facts"] |= {"layers": [], "notes": []}
    return body


def jobs_of_others_hidden(body: dict[str, Any], caller: str) -> dict[str, Any]:
    """A list says of another's job which kind it is, its state and its progress in percent; the operator reads all."""
    for job in body["items"]:
        if job["owner"] == "another" and caller != "everybody":
            del job["id"]
            job |= {"what": job["state"], "result": None, "request": {}, "done": 100, "total": 100}
    return body


#: Answers that later versions changed on purpose, by a pattern of their path.
CHANGED = {r"/logs(/\w+/(path.*|load))?": logs_without_layers, "/jobs": jobs_of_others_hidden}


def expected(kept: dict[str, Any]) -> Any:
    """The answer of 0.6 with what later versions changed on purpose."""
    changes = [change for pattern, change in CHANGED.items() if re.fullmatch(pattern, kept["path"])]
    return changes[0](copy.deepcopy(kept["body"]), kept["caller"]) if changes else kept["body"]


def body_of(answer: httpx.Response) -> Any:
    """The JSON of an answer, or the hash of other bytes."""
    is_json = answer.headers["content-type"].startswith("application/json")
    return answer.json() if is_json else hashlib.sha256(answer.content).hexdigest()


def schema_of(connection: Connection) -> dict[str, list[str]]:
    """Columns, keys and indexes of every table, as text."""
    tables = inspect(connection)
    return {
        name: [
            *map(str, tables.get_columns(name)),
            str(tables.get_pk_constraint(name)),
            *map(str, tables.get_unique_constraints(name)),
            *sorted(map(str, tables.get_indexes(name))),
        ]
        for name in tables.get_table_names()
    }


def test_the_baseline_makes_the_tables_of_0_6(folder: Path) -> None:
    kept, made = create_engine(f"sqlite:///{folder / 'routescope.db'}"), create_engine("sqlite://")
    with kept.connect() as old, made.begin() as new:
        make_tables(new)
        assert schema_of(new) == schema_of(old)
    kept.dispose()
    made.dispose()


def rows(chosen: Settings, kind: Any) -> int:
    """Return the number of rows of a table."""
    store = Store(chosen.database)
    with store.reading() as session:
        count = session.scalar(select(func.count()).select_from(kind))
    store.close()
    return count or 0


async def test_stored_things_are_read_reused_and_changed(chosen: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(chosen) as app, client_of(app) as client:
        client.headers.update(CALLERS["everybody"])
        await check_answers(client)
        await check_reuse(client, chosen, monkeypatch)
        check_model(app.state.services.samples.image(SAID["samples"]["square"]), Path(chosen.data_dir))
        await check_changes(client)


async def check_answers(client: httpx.AsyncClient) -> None:
    """Run the queued job to its end, and compare every GET request of every caller with 0.6."""
    queued = await ended(client, (await client.get(f"/api/v1/jobs/{SAID['queued']}")).json())
    assert queued["state"] == "done", queued
    wrong = []
    for kept in SAID["answers"]:
        answer = await client.get(f"/api/v1{kept['path']}", headers=CALLERS[kept["caller"]])
        if answer.status_code != 200:
            wrong.append(f"{kept['path']}: {answer.status_code} {answer.text[:200]}")
        else:
            lines = differences(expected(kept), body_of(answer))
            wrong += [f"{kept['path']} as {kept['caller']} {line}" for line in lines[:8]]
    assert not wrong, "\n" + "\n".join(wrong)


async def check_reuse(client: httpx.AsyncClient, chosen: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests that 0.6 computed are not computed again by the same version, so today's version takes 0.6's number.

    Evaluations of accuracy are: 0.6 stored their scores without the confidence that they show now.
    """
    for module in ("measuring.scope", "circuits.sentence_maps", "circuits.graphs"):
        monkeypatch.setattr(f"routescope_app.services.{module}.__version__", SAID["version"])
    before = [rows(chosen, kind) for kind in (ScoreRow, JobRow)]
    assert len({request["path"] for request in SAID["requests"]}) == 9, "traces, evaluations, and jobs of seven kinds"
    for request in SAID["requests"]:
        answer = await client.post(
            f"/api/v1{request['path']}", json=request["body"], headers=CALLERS[request["caller"]]
        )
        assert answer.status_code in {200, 201}, (request["path"], answer.text)
        scored_again = answer.json().get("by_confidence") is not None
        assert answer.json().get("cached", True) != scored_again, request["path"]
        assert not differences(request["answer"], answer.json()), request["path"]
    assert [rows(chosen, kind) for kind in (ScoreRow, JobRow)] == before


def check_model(image: np.ndarray, folder: Path) -> None:
    """Record the trace of an uploaded picture again with the checkpoint that 0.6 trained."""
    traces = map(Trace.load, (folder / "cache" / "traces").rglob("*.nc"))
    kept = next(trace for trace in traces if trace.dataset.attrs["model"] == "mine")
    assert len(kept.paths().segments) and kept.graph().number_of_edges()
    images = torch.as_tensor(image)[None].float() / 255
    again = record(zoo.load("mine"), images, only=("compatibility",), intervention=kept.intervention)
    np.testing.assert_allclose(again["compatibility"].values, kept["compatibility"].values, atol=1e-5)


async def check_changes(client: httpx.AsyncClient) -> None:
    """The owner renames, traces and deletes an old sample, and deletes a snapshot and a log."""
    sample, anna = SAID["samples"]["circle"], CALLERS["user"]
    refused = await client.delete(f"/api/v1/samples/{sample}", headers=CALLERS["browser"])
    assert refused.status_code == 403
    answer = await client.patch(f"/api/v1/samples/{sample}", json={"name": "mine", "label": 3}, headers=anna)
    assert (answer.status_code, answer.json()["name"], answer.json()["label"]) == (200, "mine", 3)
    answer = await client.post("/api/v1/traces", json={"model": "mine", "sample": sample}, headers=anna)
    assert answer.status_code == 201, answer.text
    snapshots = (await client.get("/api/v1/snapshots", headers=anna)).json()["items"]
    mine = next(snapshot for snapshot in snapshots if snapshot["owner"] == "you")
    logs = (await client.get("/api/v1/logs", headers=anna)).json()["items"]
    nobodys = next(log for log in logs if log["owner"] == "everybody")
    for path in (f"samples/{sample}", f"snapshots/{mine['id']}", f"logs/{nobodys['id']}"):
        assert (await client.delete(f"/api/v1/{path}", headers=anna)).status_code == 204, path
        assert (await client.get(f"/api/v1/{path}", headers=anna)).status_code == 404, path


def parameters_read(address: str, chosen: Settings) -> dict[str, Any]:
    """Return the values that a page of the dashboard reads of its address, by parameter."""
    parts = urlsplit(address)
    query = dict(parse_qsl(parts.query, strict_parsing=True))
    read: dict[str, Any] = {}
    of_query = validation.Input.of_query.__func__

    def noted(cls: Any, query: dict[str, Any]) -> Any:
        choice = of_query(cls, query)
        read.update(choice.model_dump(mode="json"))
        return choice

    with mock.patch.object(validation.Input, "of_query", classmethod(noted)):
        next(page for page in PAGES if page.path == parts.path).layout(chosen, **query)
        validation.Selection.of_query(query)
    return {name: read[name] for name in query}


def test_addresses_of_snapshots_are_read_as_in_0_6(tmp_path: Path) -> None:
    assert {address: parameters_read(address, settings(tmp_path)) for address in SAID["read"]} == SAID["read"]
