"""Whose samples and jobs are: of one browser each, in its lists alone, to be looked at by whoever has the link."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from routescope_app.api.callers import COOKIE, cookie_in, owner_of
from routescope_app.services.store import SampleRow
from tests.app.serving import MODEL, client_of, is_problem, listening, png, running, settings

TOKEN = "a-long-enough-token-for-tests"


async def bring(client: httpx.AsyncClient, name: str) -> str:
    """Upload a picture; its id."""
    answer = await client.post("/api/v1/samples", files={"file": ("a.png", png(), "image/png")}, data={"name": name})
    assert answer.status_code == 201
    return str(answer.json()["id"])


async def listed(client: httpx.AsyncClient) -> dict[str, str]:
    """Names of the uploads that a client finds, and whose they are to it."""
    items = (await client.get("/api/v1/samples", params={"origin": "upload"})).json()["items"]
    return {item["name"]: item["owner"] for item in items}


@contextlib.asynccontextmanager
async def browser(app: FastAPI, **options: Any) -> AsyncIterator[httpx.AsyncClient]:
    """A client with cookies of its own, which has opened the page."""
    async with client_of(app, **options) as client:
        assert (await client.get("/", headers={"Accept": "text/html"})).status_code == 200
        yield client


async def test_uploads_belong_to_the_browser(tmp_path: Path) -> None:
    """`docs/owners.md` has what every route answers to others."""
    async with (
        running(settings(tmp_path, role="all")) as app,
        browser(app) as one,
        browser(app) as other,
        client_of(app) as program,
    ):
        assert one.cookies[COOKIE] != other.cookies[COOKIE] and not program.cookies
        before = await bring(program, "everybody's")
        mine, _ = await bring(one, "first"), await bring(other, "second")
        with app.state.services.store.reading() as session:
            owner = session.get(SampleRow, mine).owner
        assert owner == owner_of(one.cookies[COOKIE]) and one.cookies[COOKIE] not in owner
        assert await listed(one) == {"first": "you", "everybody's": "everybody"}
        assert await listed(other) == {"second": "you", "everybody's": "everybody"}
        assert await listed(program) == {"everybody's": "everybody"}
        for client, whose in ((one, "you"), (other, "another"), (program, "another")):  # by a link
            assert (await client.get(f"/api/v1/samples/{mine}")).json()["owner"] == whose
        fields = is_problem(await other.patch(f"/api/v1/samples/{mine}", json={"name": "x"}), 403)
        assert fields["type"].endswith("not-yours") and "another browser" in fields["detail"]
        assert (await one.patch(f"/api/v1/samples/{mine}", json={"name": "x"})).json()["owner"] == "you"
        assert (await other.delete(f"/api/v1/samples/{before}")).status_code == 204  # as before there were owners
        dataset = (await one.get("/api/v1/samples", params={"origin": "data", "limit": 1})).json()["items"]
        assert [item["owner"] for item in dataset] == [None] * len(dataset)


async def test_the_cookie(tmp_path: Path) -> None:
    chosen = settings(tmp_path, role="all", browser_days=2, trusted_proxies=("10.0.0.1",))
    async with running(chosen) as app, client_of(app) as client, client_of(app, "10.0.0.1") as proxy:
        given = (await client.get("/")).headers["set-cookie"]
        assert given.startswith(COOKIE) and given.endswith("; Max-Age=172800; Path=/; HttpOnly; SameSite=Lax")
        assert (await client.get("/")).headers["set-cookie"] == given  # the same browser, counted anew
        assert "set-cookie" not in (await client.get("/api/v1/models")).headers
        assert "set-cookie" not in (await client.get("/api/docs")).headers
        for asking, secure in ((client, False), (proxy, True)):  # a named proxy is believed that it speaks https
            given = (await asking.get("/", headers={"X-Forwarded-Proto": "https"})).headers["set-cookie"]
            assert given.endswith("; Secure") == secure


@pytest.mark.parametrize("value", ["", "x", "0" * 31, "0" * 33, "A" * 32, '"; drop', "../" * 8, "0" * 4_000])
def test_a_cookie_that_was_not_made_here_is_none(value: str) -> None:
    assert cookie_in(f"{COOKIE}={value}") is None
    assert cookie_in(f"a=b; {COOKIE}={'0a' * 16}; c=d") == "0a" * 16 and owner_of(None) is None


async def picker(client: httpx.AsyncClient) -> str:
    """What the frame's callback shows of samples, as text."""
    body = {
        "output": "sample-picker-content.children",
        "outputs": {"id": "sample-picker-content", "property": "children"},
        "inputs": [{"id": "sample-picker", "property": "n_clicks", "value": 1}],
        "state": [{"id": "selection", "property": "data", "value": {"model": MODEL, "sample": None}}],
        "changedPropIds": ["sample-picker.n_clicks"],
    }
    answer = await client.post("/_dash-update-component", json=body)
    assert answer.status_code == 200, answer.text
    return json.dumps(answer.json())


async def test_pages_before_an_api_elsewhere(tmp_path: Path) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with listening(settings(tmp_path / "api", token=TOKEN)) as port:
        page = settings(tmp_path / "page", role="dashboard", api_url=f"http://127.0.0.1:{port}", token=TOKEN)
        async with running(page) as app, browser(app, headers=headers) as one, browser(app, headers=headers) as other:
            mine, theirs = await bring(one, "mine"), await bring(other, "theirs")
            shown = await asyncio.gather(*(picker(client) for _ in range(6) for client in (one, other)))
            for at, text in enumerate(shown):  # many times at once: nothing is mixed up
                assert (mine in text, theirs in text) == ((True, False), (False, True))[at % 2]
            assert await listed(one) == {"mine": "you"} and await listed(other) == {"theirs": "you"}


async def test_a_job_of_two_goes_on_until_both_end_it(tmp_path: Path) -> None:
    async with (
        running(settings(tmp_path, role="all")) as app,
        browser(app) as one,
        browser(app) as other,
        client_of(app) as program,
    ):
        request = {"model": MODEL, "samples": 3_000}
        job = (await one.post("/api/v1/importances", json=request)).json()
        assert (job["owner"], job["kept"]) == ("you", False)
        url = f"/api/v1/jobs/{job['id']}"
        for client in (other, program):
            assert (await client.get("/api/v1/jobs")).json()["items"][0]["owner"] == "another"
            assert "another browser" in is_problem(await client.delete(url), 403)["detail"]
            is_problem(await client.patch(url, json={"keep": True}), 403)
        assert (await other.post("/api/v1/importances", json=request)).json()["owner"] == "you"  # it asked, too
        assert (await one.patch(url, json={"keep": True})).json()["kept"] is True
        is_problem(await one.patch(url, json={"keep": "yes"}), 422)
        is_problem(await one.patch(f"/api/v1/jobs/{'f' * 40}", json={"keep": True}), 404)
        left = (await other.delete(url)).json()
        assert left["state"] in {"queued", "running"} and left["owner"] == "another", "it goes on for the one"
        ended = (await one.delete(url)).json()
        assert (ended["state"], ended["what"]) == ("cancelled", "cancelled")
        assert (await one.patch(url, json={"keep": False})).json()["kept"] is True, "what has ended stays"
        again = (await program.post("/api/v1/importances", json=request)).json()
        assert (again["owner"], again["kept"], again["state"]) == ("everybody", False, "queued")
        await one.delete(url)
