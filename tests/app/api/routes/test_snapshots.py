"""Snapshots through the API: keep, list, rename, delete; what is no page of the dashboard is refused."""

from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from routescope_app.services.errors import NotAccepted
from routescope_app.services.snapshots import Snapshots
from routescope_app.services.store import Store
from routescope_app.services.unit_sets import UnitSets
from routescope_app.settings import Settings
from tests.app.serving import is_problem, serving, settings

pytestmark = pytest.mark.asyncio(loop_scope="module")

VIEW = "/drop?model=tiny&kind=mute&units=f1,f2&edges=0.5"


async def keep(client: httpx.AsyncClient, name: str = "one", **more: str) -> httpx.Response:
    return await client.post("/api/v1/snapshots", json={"name": name, "address": VIEW, **more})


async def test_a_view_is_kept_found_renamed_and_deleted(client: httpx.AsyncClient) -> None:
    kept = await keep(client, " without\u202e f1 ", note="first line \r\nsecond\x00 line\n")
    assert kept.status_code == 201
    body = kept.json()
    assert (body["name"], body["note"], body["address"]) == ("without f1", "first line\nsecond line", VIEW)
    url = kept.headers["location"]
    assert url == f"/api/v1/snapshots/{body['id']}" and (await client.get(url)).json() == body

    renamed = (await client.patch(url, json={"name": "another"})).json()
    assert renamed == body | {"name": "another"}
    assert (await client.patch(url, json={"note": ""})).json()["note"] == ""
    assert (await client.patch(url, json={"note": None})).json()["name"] == "another"  # None changes nothing

    assert (await client.delete(url)).status_code == 204
    for gone in (client.get(url), client.delete(url), client.patch(url, json={"name": "x"})):
        is_problem(await gone, 404)
    assert (await client.get("/api/v1/snapshots")).json() == {"items": [], "total": 0}
    addresses = {"a": "/", "b": "/?model=a", "c": "/circuits?s1=is%20it%3F&lasso=text:0,0,1,0,1,1"}
    for name, address in addresses.items():
        assert (await keep(client, name, address=address)).json()["address"] == address
    every = (await client.get("/api/v1/snapshots")).json()
    assert [item["name"] for item in every["items"]] == ["c", "b", "a"] and every["total"] == 3
    part = (await client.get("/api/v1/snapshots", params={"limit": 1, "offset": 1})).json()
    assert [item["name"] for item in part["items"]] == ["b"] and part["total"] == 3


@pytest.mark.parametrize(
    "address",
    [
        "drop?model=a", "//elsewhere.example/drop", "https://elsewhere.example/", "/\\elsewhere.example", "/drop#part",
        "/api?x=1", "/api/v1/models", "/web/abc/boot.js", "/login", "javascript:alert(1)", "/drop?a=\n", "/drop?a= b",
        "/drop?a=é", "/drop?a=<b>", "/Drop",
    ],
)  # fmt: skip
async def test_what_is_no_page_of_the_dashboard_is_refused(client: httpx.AsyncClient, address: str) -> None:
    is_problem(await keep(client, address=address), 422)
    there = (await keep(client)).json()
    is_problem(await client.patch(f"/api/v1/snapshots/{there['id']}", json={"address": address}), 422)


async def test_there_is_an_end_to_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routescope_app.services.snapshots.MAX_NOTE", 5)
    monkeypatch.setattr("routescope_app.services.snapshots.MAX_ADDRESS", len(VIEW))
    async with serving(settings(tmp_path, owner_share=1, max_snapshots=2)) as client:
        is_problem(await keep(client, note="longer"), 422)
        is_problem(await keep(client, address=VIEW + "1"), 422)
        kept = [await keep(client, name, note="short") for name in "ab"]
        is_problem(await keep(client, "c"), 507)
        assert (await client.delete(kept[0].headers["location"])).status_code == 204
        assert (await keep(client, "c")).status_code == 201


async def test_whatever_is_kept_is_a_place_on_this_server(tmp_path: Path) -> None:
    store, limits = Store(f"sqlite:///{tmp_path / 'unused.db'}"), Settings(data_dir=tmp_path)
    snapshots = Snapshots(store, limits, UnitSets(store, limits))

    @hypothesis_settings(max_examples=40, deadline=None)
    @given(st.one_of(st.text(), st.from_regex(r"/[a-z/\\.]*\?[ -~]*", fullmatch=True)))
    def check(address: str) -> None:
        try:
            snapshots._check_address(address)
        except NotAccepted:
            return
        joined = httpx.URL("http://here.example/").join(address)
        assert joined.host == "here.example" and "/" not in joined.path[1:] and joined.fragment == ""

    check()
