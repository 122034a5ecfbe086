"""One client brings all that it may: others find room, and nobody loses what another keeps."""

import io
import json
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from fastapi import FastAPI
from PIL import Image
from sqlalchemy import delete, select, update

from routescope_app.services.store import SampleRow, UnitSetKeeperRow, UnitSetRow, WrittenRow, now
from routescope_app.services.unit_sets import OF_ROW
from routescope_app.settings import DISK_SHARES
from tests.app.api.routes.experts.test_logs import A, response
from tests.app.serving import client_of, is_problem, png, running, settings, upload
from tests.robustness.record import came_back

SERVICE = "a-long-enough-token-for-tests"
SETS = "/api/v1/unit-sets"
Bring = Callable[[httpx.AsyncClient, int], Awaitable[httpx.Response]]


def browser_cookie(digit: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {SERVICE}", "Cookie": f"routescope_browser={digit * 32}"}


async def picture(client: httpx.AsyncClient, number: int) -> httpx.Response:
    answer: httpx.Response = await upload(client, png(colour=(number, 1, 2)), label="3")
    return answer


async def text(client: httpx.AsyncClient, number: int) -> httpx.Response:
    return await client.post("/api/v1/samples/texts", json={"text": f"text {number}"})


async def snapshot(client: httpx.AsyncClient, number: int, address: str = "/drop") -> httpx.Response:
    return await client.post("/api/v1/snapshots", json={"name": f"view {number}", "address": address})


async def routing_log(client: httpx.AsyncClient, number: int) -> httpx.Response:
    if number == 1:  # one of them is recorded here
        return await client.post("/api/v1/logs/recordings", json={"model": "moe-bytes", "texts": 1})
    headers = {"Content-Type": "application/octet-stream"}
    return await client.post("/api/v1/logs", content=response(A).encode(), params={"name": "a.json"}, headers=headers)


#: Of each kind: its limit, and how one is brought.
KINDS: dict[str, tuple[str, Bring]] = {
    "pictures": ("max_samples", picture),
    "texts": ("max_texts", text),
    "snapshots": ("max_snapshots", snapshot),
    "routing logs": ("max_logs", routing_log),
}


@asynccontextmanager
async def clients_of(app: FastAPI) -> AsyncIterator[dict[str, httpx.AsyncClient]]:
    """A client each: three browsers, a user, and programs of two addresses."""
    async with AsyncExitStack() as stack:
        headers = {"a browser": browser_cookie("a"), "another browser": browser_cookie("b")}
        headers["a third browser"] = browser_cookie("c")
        headers["a user"] = {"Authorization": f"Bearer {app.state.services.tokens.add('anna')}"}
        headers["a program"] = headers["another program"] = {"Authorization": f"Bearer {SERVICE}"}
        opened = {}
        for name, sent in headers.items():
            address = "2001:db8::1" if name == "a program" else "198.51.100.7"
            opened[name] = await stack.enter_async_context(client_of(app, address, headers=sent))
        yield opened


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
async def test_one_client_takes_its_share_and_others_are_served(
    tmp_path: Path, request: pytest.FixtureRequest, database: str
) -> None:
    address = request.getfixturevalue("postgresql") if database == "postgresql" else None
    limits: dict[str, Any] = dict.fromkeys((setting for setting, _ in KINDS.values()), 10)
    limits |= {"owner_share": 0.2, "database_url": address, "token": SERVICE}
    async with running(settings(tmp_path, **limits)) as app, clients_of(app) as clients:
        first, last = clients.pop("a browser"), clients.pop("another program")
        for kind, (_, bring) in KINDS.items():
            kept = [await bring(first, number) for number in range(2)]
            assert [answer.status_code for answer in kept] == [201, 201]
            refused = await bring(first, 3)
            problem = is_problem(refused, 409)
            assert problem["type"].endswith(":quota") and "one owner may keep up to 2" in problem["detail"]
            came_back("one owner takes all", f"a third of {kind}, where 10 are kept and an owner may keep 2", refused)
            for name, client in clients.items():
                assert [(await bring(client, number)).status_code for number in range(3)] == [201, 201, 409], name
            async with client_of(app, "2001:db8::ffff", headers=dict(clients["a program"].headers)) as neighbour:
                is_problem(await bring(neighbour, 3), 409)  # addresses of one /64 are one client
            assert "10" in is_problem(await bring(last, 0), 507)["detail"]
            assert is_problem(await bring(first, 3), 409)["detail"] == refused.json()["detail"]
            location = kept[0].headers["location"].replace("/tables/", "/samples/")
            assert (await first.delete(location)).status_code == 204
            assert (await bring(last, 0)).status_code == 201
            is_problem(await bring(first, 3), 507)  # its room is free, that of all is not
        with app.state.services.store.reading() as session:
            for row in (SampleRow, WrittenRow):
                owners = session.execute(select(row.account, row.owner)).all()
                assert len({account for account, _ in owners}) == 6 and None not in {account for account, _ in owners}
                assert all(str(account).startswith("address:") == (owner is None) for account, owner in owners)


async def test_bytes_are_shared_like_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noise = np.random.default_rng(0)

    def noisy(side: int) -> bytes:
        buffer = io.BytesIO()
        Image.fromarray(noise.integers(0, 256, (side, side, 3), dtype=np.uint8)).save(buffer, "PNG")
        return buffer.getvalue()

    monkeypatch.setitem(DISK_SHARES, "pictures", 80_000)
    limits = {"owner_share": 0.5, "token": SERVICE}
    async with running(settings(tmp_path, **limits)) as app, clients_of(app) as clients:
        first, other, third = (clients[name] for name in ("a browser", "another browser", "a third browser"))
        detail = is_problem(await upload(first, noisy(128)), 413)["detail"]
        assert "39.1 KiB" in detail and "of one owner" in detail
        assert (await upload(first, noisy(96))).status_code == 201
        detail = is_problem(await upload(first, noisy(64)), 409)["detail"]
        assert "Your pictures take" in detail and "are left" in detail
        assert (await upload(other, noisy(96))).status_code == 201
        is_problem(await upload(third, noisy(96)), 507)


# -- sets of units -------------------------------------------------------------------------------------------------


def units(number: int) -> list[str]:
    return [f"l{number}.e{expert}" for expert in range(1, 201)]


#: Bytes that such a set takes at most.
SIZE = max(len(zlib.compress(json.dumps(sorted(units(number))).encode(), 9)) for number in range(100)) + OF_ROW
#: Room for so many in a quarter of it.
ROOM = 4
LIMIT = int(4 * (ROOM + 0.5) * SIZE)


async def keep(client: httpx.AsyncClient, number: int) -> httpx.Response:
    return await client.post(SETS, json={"units": units(number)})


async def alive(client: httpx.AsyncClient, *kept: httpx.Response) -> list[bool]:
    return [(await client.get(answer.headers["location"])).status_code == 200 for answer in kept]


async def test_one_browsers_sets_push_out_its_own_oldest_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DISK_SHARES, "unit-sets", LIMIT)
    async with running(settings(tmp_path, token=SERVICE)) as app, clients_of(app) as clients:
        first, other = clients["a browser"], clients["another browser"]
        theirs = await keep(other, 1)
        mine = [await keep(first, number) for number in range(2, 62)]
        assert {answer.status_code for answer in mine} == {201}
        assert await alive(first, theirs, *mine) == [True] + [False] * (60 - ROOM) + [True] * ROOM
        came_back(
            "one owner takes all",
            "60 sets of units, of which a share holds 4",
            "201 each; the browser's own oldest are gone, the set of another browser is there",
        )
        assert (await keep(first, 61)).json() == mine[-1].json()
        assert await alive(first, mine[-ROOM]) == [True], "a set that is kept already takes no further room"


async def test_a_set_is_kept_while_anybody_keeps_it_or_names_it_in_a_snapshot(
    tmp_path: Path, postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(DISK_SHARES, "unit-sets", LIMIT)
    async with running(settings(tmp_path, token=SERVICE, database_url=postgresql)) as app, clients_of(app) as clients:
        first, other, third = (clients[name] for name in ("a browser", "another browser", "a user"))
        both, named, plain = [await keep(first, number) for number in range(3)]
        assert (await keep(other, 0)).json()["id"] == both.json()["id"]
        address = f"/drop?units={named.json()['name'].replace(':', '%3A')},l1.e1&kind=drop"
        view = await snapshot(third, 1, address)
        for number in range(10, 16):
            assert (await keep(first, number)).status_code == 201
        assert await alive(first, both, named, plain) == [True, True, False]
        for number in range(30, 36):
            assert (await keep(other, number)).status_code == 201
        assert await alive(first, both, named) == [False, True]
        changed = await third.patch(view.headers["location"], json={"name": "the same"})
        assert changed.status_code == 200
        for number in range(50, 56):
            assert (await keep(third, number)).status_code == 201
        assert await alive(first, named) == [True]
        assert (await third.patch(view.headers["location"], json={"address": "/drop"})).status_code == 200
        for number in range(70, 76):
            assert (await keep(third, number)).status_code == 201
        assert await alive(first, named) == [False]


async def test_snapshots_that_name_sets_take_the_share_of_who_keeps_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody keeps more than a share by naming what others keep."""
    monkeypatch.setitem(DISK_SHARES, "unit-sets", LIMIT)
    async with running(settings(tmp_path, token=SERVICE)) as app, clients_of(app) as clients:
        first, other = clients["a browser"], clients["another browser"]
        sets = [await keep(other, 0)]
        views = []
        for number in range(ROOM):
            sets[0] = await keep(other, number)
            views.append(await snapshot(first, number, f"/drop?units={sets[0].json()['name']}"))
        assert [view.status_code for view in views] == [201] * ROOM
        last = await keep(other, 99)
        detail = is_problem(await snapshot(first, 99, f"/drop?units={last.json()['name']}"), 409)["detail"]
        assert "snapshots" in detail and "sets of units" in detail
        refused = await keep(first, 98)
        assert is_problem(refused, 409)["type"].endswith(":quota")
        sent = "a further set of units, where one's snapshots name all that fit"
        came_back("one owner takes all", sent, "409: quota")
        assert (await first.delete(views[0].headers["location"])).status_code == 204
        assert (await keep(first, 98)).status_code == 201


async def test_the_room_of_all_is_for_who_uses_it(
    tmp_path: Path, postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A newcomer is refused while others use all of it; what nobody used for long goes, and what nobody keeps."""
    monkeypatch.setitem(DISK_SHARES, "unit-sets", int(3.5 * SIZE))
    monkeypatch.setattr("routescope_app.services.unit_sets.UNUSED_DAYS", 30)
    on = {"token": SERVICE, "database_url": postgresql}
    async with running(settings(tmp_path, owner_share=0.35, **on)) as app, clients_of(app) as clients:
        first, other, third = (clients[name] for name in ("a browser", "another browser", "a user"))
        kept = [await keep(client, number) for number, client in enumerate((first, other, third))]
        assert [answer.status_code for answer in kept] == [201] * 3
        newcomer = clients["a third browser"]
        refused = await keep(newcomer, 7)
        assert "30 days" in is_problem(refused, 507)["detail"]
        came_back("one owner takes all", "a set of units, where three others have taken all the room", "507")
        assert await alive(first, *kept) == [True] * 3
        view = await snapshot(first, 1, f"/drop?units={kept[0].json()['name']}")
        assert view.status_code == 201
        with app.state.services.store.writing() as session:
            old = now() - timedelta(days=31)
            session.execute(update(UnitSetRow).values(used=old))
        assert await alive(first, kept[1]) == [True], "reading a set is a use of it"
        assert (await keep(newcomer, 7)).status_code == 201
        assert await alive(first, *kept) == [True, True, False], "not what a snapshot names, nor what was used"
        with app.state.services.store.writing() as session:
            session.execute(delete(UnitSetKeeperRow))
        assert (await keep(third, 8)).status_code == 201
        assert await alive(first, *kept[:2]) == [True, False], "of earlier versions: nobody keeps it"
