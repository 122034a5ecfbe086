"""A data folder of version 0.5 goes on: samples, traces, scores, results of jobs and a user's own checkpoint.

Its rows are in SQLite, as in the folder that was kept, or in PostgreSQL, where the same rows stand in tables that 0.5's
own revisions made, which are in the chain still.
"""

import json
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
import torch
from alembic import command
from alembic.config import Config
from sqlalchemy import MetaData, create_engine, func, select

from routescope import zoo
from routescope.routing import Trace, record
from routescope_app.services.store import MIGRATIONS, JobRow, ScoreRow, Store
from routescope_app.settings import Settings
from tests.app.serving import running, serving, settings

HERE = Path(__file__).parent
SAID = json.loads((HERE / "answers_0_5.json").read_text())
#: What depends on when and how fast something was computed.
PASSING = {"cached", "seconds", "samples_per_second", "flops_per_second"}
#: Sentences for people, whose words are others since, also in results that were kept.
REWORDED = {
    "removed; the compatibilities of the others are renormalised": (
        "dropped; the compatibilities of the others are renormalised"
    )
}


#: The last revision of the tables that 0.5 knew.
REVISION_0_5 = "0002"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the folder, which is the user's."""
    with zipfile.ZipFile(HERE / "data_0_5.zip") as packed:
        packed.extractall(tmp_path)
    monkeypatch.setenv("ROUTESCOPE_DATA_DIR", str(tmp_path))
    return tmp_path


def move_rows(source: str, target: str) -> None:
    """Tables as 0.5 made them, with the rows of its SQLite file and of nothing else."""
    engine, tables = create_engine(source), MetaData()
    tables.reflect(engine)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    there = create_engine(target)
    with engine.connect() as old, there.begin() as new:
        config.attributes["connection"] = new
        command.upgrade(config, REVISION_0_5)
        own = MetaData()
        own.reflect(new)
        assert {*own.tables} == {*tables.tables}
        for name, table in own.tables.items():
            found = [dict(row) for row in old.execute(select(tables.tables[name])).mappings()]
            assert found, f"0.5 left nothing in {name}"
            if name != "alembic_version":
                new.execute(table.insert(), found)
    engine.dispose()
    there.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def chosen(folder: Path, request: pytest.FixtureRequest) -> Settings:
    """Settings of a server on that folder, and on the database where 0.5 kept its rows."""
    if request.param == "sqlite":
        return settings(folder)
    moved = settings(folder, database_url=request.getfixturevalue("postgresql"))
    move_rows(f"sqlite:///{folder / 'routescope.db'}", moved.database)
    (folder / "routescope.db").unlink()
    return moved


@pytest.fixture
async def client(chosen: Settings) -> AsyncIterator[httpx.AsyncClient]:
    async with serving(chosen) as client:
        yield client


def differences(old: Any, new: Any, place: str = "") -> list[str]:
    """Where an answer does not say what the old one said; what it says besides is its own affair."""
    if isinstance(old, dict) and isinstance(new, dict):
        kept = {key: value for key, value in old.items() if key not in PASSING}
        return [line for key, value in kept.items() for line in differences(value, new.get(key), f"{place}.{key}")]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = enumerate(zip(old, new, strict=True))
        return [line for at, (a, b) in pairs for line in differences(a, b, f"{place}[{at}]")]
    if isinstance(old, float) and isinstance(new, float | int):
        return [] if new == pytest.approx(old, rel=1e-5, abs=1e-7) else [f"{place}: {old} was said, {new} is"]
    if isinstance(old, str) and new == REWORDED.get(old):
        return []
    return [] if old == new else [f"{place}: {str(old)[:80]} was said, {str(new)[:80]} is"]


def rows(chosen: Settings, kind: Any) -> int:
    store = Store(chosen.database)
    with store.reading() as session:
        count = session.scalar(select(func.count()).select_from(kind))
    store.close()
    return count or 0


async def test_every_address_says_what_it_said(client: httpx.AsyncClient) -> None:
    for place, old in SAID["found"].items():
        answer = await client.get(place)
        assert answer.status_code == 200, (place, answer.text)
        assert not differences(old, answer.json()), (place, differences(old, answer.json())[:5])
        assert not any(before in answer.text for before in REWORDED), "what is shown has today's words"
    for sample in SAID["samples"]:
        picture = await client.get(f"/api/v1/samples/{sample}/image")
        assert picture.status_code == 200 and picture.headers["content-type"] == "image/png"
    listed = (await client.get("/api/v1/samples", params={"source": "own"})).json()
    assert {each["id"] for each in listed["items"]} >= set(SAID["samples"])


async def test_what_was_computed_is_not_computed_again(
    client: httpx.AsyncClient, chosen: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results belong to the version that computed them: a newer one finds them at their addresses, and computes anew
    what is asked again. All else that names a result is as it was: of 0.5's own version everything is found."""
    for module in ("measuring.scope", "circuits.sentence_maps", "circuits.graphs"):
        monkeypatch.setattr(f"routescope_app.services.{module}.__version__", "0.5.0")
    scores, jobs = rows(chosen, ScoreRow), rows(chosen, JobRow)
    assert scores and jobs == 3
    trace = (await client.get(f"/api/v1/traces/{SAID['trace']}")).json()
    assert trace["cached"]
    for kind, said in SAID["said"].items():
        if kind == "evaluation":
            answer = await client.post("/api/v1/evaluations", json=said["request"])
            assert answer.status_code == 200, answer.text
            assert answer.json()["cached"]
        else:
            answer = await client.post(f"/api/v1/{kind}", json=said["request"])
            assert answer.status_code == 200, (kind, answer.text)
        assert not differences(said["answer"], answer.json()), kind
    assert (rows(chosen, ScoreRow), rows(chosen, JobRow)) == (scores, jobs)


async def test_an_own_checkpoint_computes_what_it_computed(folder: Path, chosen: Settings) -> None:
    info = zoo.info("mine")
    old = SAID["found"]["/api/v1/models/mine"]
    assert (info.revision, list(info.units)) == (old["revision"], old["units"])
    kept = Trace.load(next((folder / "cache" / "traces").rglob("*.nc")))
    assert len(kept.paths().segments) and kept.graph().number_of_edges()
    async with running(chosen) as app:
        image = app.state.services.samples.image(SAID["samples"][0])
    images = torch.as_tensor(image)[None].float() / 255
    again = record(zoo.load("mine"), images, only=("compatibility",), intervention=kept.intervention)
    np.testing.assert_allclose(again["compatibility"].values, kept["compatibility"].values, atol=1e-5)


async def test_it_goes_on_from_there(client: httpx.AsyncClient) -> None:
    """An old sample is renamed, traced anew and deleted, as every other."""
    old = SAID["samples"][0]
    answer = await client.patch(f"/api/v1/samples/{old}", json={"name": "mine", "label": 3})
    assert (answer.status_code, answer.json()["name"], answer.json()["label"]) == (200, "mine", 3)
    answer = await client.post("/api/v1/traces", json={"model": "mine", "sample": old})
    assert answer.status_code == 201, answer.text
    assert (await client.delete(f"/api/v1/samples/{old}")).status_code == 204
    assert (await client.get(f"/api/v1/samples/{old}")).status_code == 404
