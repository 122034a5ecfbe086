"""Samples that go many at once: all of an owner, those that are old; and how much one owner may keep."""

import asyncio
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import func, select

from routescope_app.services.samples import clearing
from routescope_app.services.store import PredictionRow, SampleRow, Store, TraceRow, WrittenRow, now
from tests.app.serving import MODEL, client_of, is_problem, png, running, settings, upload

BROWSER = {"Cookie": "routescope_browser=" + "a" * 32}
OTHER = {"Cookie": "routescope_browser=" + "b" * 32}


def count(app: FastAPI, table: type) -> int:
    with app.state.services.store.reading() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


def files(folder: Path) -> int:
    return len(list((folder / "samples").rglob("*.png")))


async def text(client: httpx.AsyncClient, words: str, headers: dict[str, str] | None = None) -> httpx.Response:
    return await client.post("/api/v1/samples/texts", json={"text": words}, headers=headers)


async def bring(client: httpx.AsyncClient, headers: dict[str, str], *colours: int) -> list[httpx.Response]:
    client.headers.update(headers)
    answers = [await upload(client, png(colour=(colour, 1, 2)), label="3") for colour in colours]
    client.headers.pop("Cookie", None)
    return answers


async def test_all_of_one_owner_go_with_what_hangs_on_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clearing, "AT_ONCE", 2)
    async with running(settings(tmp_path)) as app, client_of(app) as client:
        mine = [answer.json()["id"] for answer in await bring(client, BROWSER, 10, 20, 30, 40, 50)]
        theirs = [answer.json()["id"] for answer in await bring(client, OTHER, 10, 60)]
        await text(client, "of mine", BROWSER)
        await text(client, "of theirs", OTHER)
        for sample in (mine[0], mine[1], theirs[0]):
            await client.post("/api/v1/traces", json={"model": MODEL, "sample": sample})
        app.state.services.traces.flush()
        before = files(tmp_path)
        answer = await client.delete("/api/v1/samples", params={"owner": "you"}, headers=BROWSER)
        assert answer.json() == {"count": 6}
        assert (count(app, SampleRow), count(app, WrittenRow), count(app, TraceRow)) == (2, 1, 1)
        assert count(app, PredictionRow) == 1  # of the image that both have
        assert files(tmp_path) == 4 < before
        for sample, status in ((mine[0], 404), (mine[4], 404), (theirs[0], 200), (theirs[1], 200)):
            assert (await client.get(f"/api/v1/samples/{sample}/image")).status_code == status
        assert (await client.delete("/api/v1/samples", params={"owner": "you"}, headers=BROWSER)).json() == {"count": 0}


async def test_who_may_delete_what_at_once(tmp_path: Path) -> None:
    async with running(settings(tmp_path)) as app, client_of(app) as client:
        await bring(client, BROWSER, 1)
        await bring(client, {}, 2, 3)
        for params in ({}, {"owner": "another"}, {"owner": ""}):
            is_problem(await client.delete("/api/v1/samples", params=params), 422)
        said = is_problem(await client.delete("/api/v1/samples", params={"owner": "you"}), 422)
        assert "owner=everybody" in said["detail"]
        refused = await client.delete("/api/v1/samples", params={"owner": "everybody"}, headers=BROWSER)
        assert is_problem(refused, 403)["type"].endswith("not-yours")
        assert count(app, SampleRow) == 3
        assert (await client.delete("/api/v1/samples", params={"owner": "everybody"})).json() == {"count": 2}
        assert count(app, SampleRow) == 1


async def test_what_is_old_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rounds are awaited: the second begins only after the first has deleted what it finds."""
    loop, rounds = asyncio.get_running_loop(), asyncio.Semaphore(0)
    shrink = Store.shrink

    def watched(self: Store) -> bool:
        loop.call_soon_threadsafe(rounds.release)
        return shrink(self)

    monkeypatch.setattr(clearing, "ROUND_SECONDS", 0)
    monkeypatch.setattr(Store, "shrink", watched)
    async with running(settings(tmp_path, upload_days=0)) as app, client_of(app) as client:
        await bring(client, BROWSER, 1, 2)
        await text(client, "old")
        await text(client, "new")
        old = now() - timedelta(days=8)
        with app.state.services.store.writing() as session:
            session.scalars(select(SampleRow)).first().created = old
            session.scalar(select(WrittenRow).where(WrittenRow.name == "old")).created = old
        for _ in range(2):
            await rounds.acquire()
        assert (count(app, SampleRow), count(app, WrittenRow)) == (2, 2), "nothing is deleted unless it is asked for"
    rounds = asyncio.Semaphore(0)
    async with running(settings(tmp_path, upload_days=7)) as app:
        for _ in range(2):
            await rounds.acquire()
        assert (count(app, SampleRow), count(app, WrittenRow)) == (1, 1)
