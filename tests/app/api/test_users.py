"""Users with tokens of their own, users whom a proxy names, and a service that is to be looked at only."""

import asyncio
import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute, iter_route_contexts
from pydantic import ValidationError
from typer.testing import CliRunner

from routescope_app import commands
from routescope_app.api import client as api_client
from routescope_app.api.client import ApiProblem
from routescope_app.api.middleware import users
from routescope_app.api.middleware.read_only import writes
from routescope_app.api.middleware.sessions import COOKIE
from routescope_app.services.errors import NotAccepted, NotFound
from routescope_app.services.store import SampleRow, Store, TokenRow
from routescope_app.services.users import AccessTokens, digest_of, owner_of_user
from tests.app.serving import (
    MODEL,
    PAGE,
    client_of,
    is_problem,
    listening,
    migrate,
    png,
    running,
    serving,
    settings,
    upload,
)
from tests.robustness.record import came_back

SERVICE = "a-long-enough-token-for-tests"


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is revoked is known at the next request."""
    monkeypatch.setattr(users, "KNOWN_SECONDS", 0.0)


@asynccontextmanager
async def with_users(folder: Path, **changes: Any) -> AsyncIterator[tuple[FastAPI, httpx.AsyncClient, dict[str, str]]]:
    """An app with the users anna and ben, a client, and their tokens."""
    async with running(settings(folder, token=SERVICE, **changes)) as app, client_of(app) as client:
        yield app, client, {name: app.state.services.tokens.add(name) for name in ("anna", "ben")}


async def bring(client: httpx.AsyncClient, headers: dict[str, str]) -> str:
    file = {"file": ("a.png", png(), "image/png")}
    answer = await client.post("/api/v1/samples", files=file, headers=headers)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


async def listed(client: httpx.AsyncClient, headers: dict[str, str]) -> dict[str, str]:
    body = (await client.get("/api/v1/samples", params={"origin": "upload"}, headers=headers)).json()
    return {item["id"]: item["owner"] for item in body["items"]}


async def name_of(client: httpx.AsyncClient, headers: dict[str, str]) -> str | None:
    answer = await client.get("/api/v1/user", headers=headers)
    assert answer.status_code == 200, answer.text
    name: str | None = answer.json()["name"]
    return name


# -- tokens --------------------------------------------------------------------------------------------------


async def test_a_token_of_ones_own_opens_and_names(tmp_path: Path) -> None:
    async with with_users(tmp_path) as (app, client, tokens):
        anna, ben = bearer(tokens["anna"]), bearer(tokens["ben"])
        assert (await name_of(client, anna), await name_of(client, bearer(SERVICE))) == ("anna", None)
        mine, theirs = await bring(client, anna), await bring(client, ben)
        assert await listed(client, anna) == {mine: "you"} and await listed(client, ben) == {theirs: "you"}
        assert (await client.get(f"/api/v1/samples/{mine}", headers=ben)).json()["owner"] == "another"
        refused = await client.delete(f"/api/v1/samples/{mine}", headers=ben)
        assert "another user" in is_problem(refused, 403)["detail"]
        came_back("privacy", "the deletion of another user's sample, which lists do not show", refused)
        with app.state.services.store.reading() as session:
            assert session.get(SampleRow, mine).owner == "user:anna"
        job = {"model": MODEL, "data": ["mnist"], "samples": 10}
        queued = (await client.post("/api/v1/importances", json=job, headers=anna)).json()
        for headers, whose in ((anna, "you"), (ben, "another")):
            assert (await client.get(f"/api/v1/jobs/{queued['id']}", headers=headers)).json()["owner"] == whose
        assert (await client.delete(f"/api/v1/samples/{mine}", headers=anna)).status_code == 204
        with app.state.services.store.reading() as session:
            assert session.get(TokenRow, "anna").digest == digest_of(tokens["anna"])
    assert len({*tokens.values()}) == 2 and all(len(token) > 40 for token in tokens.values())
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or tokens["anna"].encode() not in path.read_bytes(), "hashes alone are kept"


async def test_a_revoked_token_is_worth_nothing_nor_are_its_logins(tmp_path: Path) -> None:
    async with with_users(tmp_path) as (app, client, tokens):
        cookies = {
            name: (await client.post("/login", data={"token": token}, headers=PAGE)).cookies[COOKIE]
            for name, token in (*tokens.items(), ("", SERVICE))
        }
        client.cookies.clear()
        login = {name: PAGE | {"Cookie": f"{COOKIE}={cookie}"} for name, cookie in cookies.items()}
        assert [await name_of(client, login[name]) for name in ("anna", "ben", "")] == ["anna", "ben", None]
        mine = await bring(client, login["anna"])
        assert await listed(client, bearer(tokens["anna"])) == {mine: "you"}
        app.state.services.tokens.revoke("anna")
        is_problem(await client.get("/api/v1/user", headers=bearer(tokens["anna"])), 401)
        is_problem(await client.get("/api/v1/user", headers=login["anna"]), 401)
        assert (await client.post("/login", data={"token": tokens["anna"]}, headers=PAGE)).status_code == 401
        assert [await name_of(client, login[name]) for name in ("ben", "")] == ["ben", None]
        again = app.state.services.tokens.add("anna")
        is_problem(await client.get("/api/v1/user", headers=login["anna"]), 401)
        assert await listed(client, bearer(again)) == {mine: "you"}, "what a user owns stays"


async def test_what_was_read_counts_for_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database is asked once for many requests, and where it does not answer those who were known go on."""
    monkeypatch.setattr(users, "KNOWN_SECONDS", 1_000.0)
    async with with_users(tmp_path) as (app, client, tokens):
        reads: list[int] = []
        tokens_of = app.state.services.tokens
        digests = type(tokens_of).digests
        monkeypatch.setattr(type(tokens_of), "digests", lambda self: (reads.append(1), digests(self))[1])
        names = await asyncio.gather(*(name_of(client, bearer(tokens["anna"])) for _ in range(20)))
        assert set(names) == {"anna"} and len(reads) == 1
    stored = users.Users(_never, _never)
    stored._names = {users.id_of("x"): "anna"}
    assert await stored.of_token("x") == "anna" and await stored.of_token("y") is None


async def test_where_users_were_never_read_nobody_is_called_a_stranger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A right token gets 503 and Retry-After, not 401, and counts as no guess."""
    async with with_users(tmp_path, login_failures_per_minute=1) as (app, client, tokens):
        tokens_of = type(app.state.services.tokens)
        digests = tokens_of.digests

        def gone(_: object) -> dict[str, str]:
            raise OSError("gone")

        monkeypatch.setattr(tokens_of, "digests", gone)
        for _ in range(3):
            answer = await client.get("/api/v1/user", headers=bearer(tokens["anna"]))
            is_problem(answer, 503)
            assert answer.headers["retry-after"] == "2"
        monkeypatch.setattr(tokens_of, "digests", digests)
        monkeypatch.setattr(users, "KNOWN_SECONDS", 0.0)
        assert await name_of(client, bearer(tokens["anna"])) == "anna"


async def _never(*_: object) -> Any:
    raise OSError("gone")


async def test_guesses_count_and_nobody_names_themselves(tmp_path: Path) -> None:
    async with with_users(tmp_path, login_failures_per_minute=3) as (_, client, tokens):
        headers = {"X-Routescope-User": "ben", "X-Forwarded-Email": "ben", "X-Forwarded-User": "ben"}
        assert await name_of(client, bearer(tokens["anna"]) | headers) == "anna"
        is_problem(await client.get("/api/v1/user", headers=headers), 401)
        assert await name_of(client, bearer(SERVICE) | {"X-Routescope-User": "ben"}) == "ben"  # as a page's server asks
        for wrong in ("rsu_guess-one", digest_of(tokens["anna"]), digest_of(tokens["anna"])[:32]):
            is_problem(await client.get("/api/v1/user", headers=bearer(wrong)), 401)
        is_problem(await client.get("/api/v1/user", headers=bearer(tokens["anna"])), 429)


async def test_hashes_are_for_the_service(tmp_path: Path) -> None:
    async with with_users(tmp_path) as (_, client, tokens):
        names = (await client.get("/api/v1/users/tokens", headers=bearer(SERVICE))).json()["names"]
        assert names == {digest_of(token): name for name, token in tokens.items()}
        is_problem(await client.get("/api/v1/users/tokens", headers=bearer(tokens["anna"])), 403)
        for_anna = bearer(SERVICE) | {"X-Routescope-User": "anna"}
        is_problem(await client.get("/api/v1/users/tokens", headers=for_anna), 403)
        is_problem(await client.get("/api/v1/users/tokens"), 401)
        ended = {"items": [{"digest": "a" * 64, "until": 1}]}
        for headers, status in ((bearer(tokens["anna"]), 403), (for_anna, 403), ({}, 401), (bearer(SERVICE), 204)):
            answer = await client.post("/api/v1/users/logouts", json=ended, headers=headers)
            assert answer.status_code == status
        for digest, until in (("a" * 63, 1), ("A" * 64, 1), ("a" * 64, -1)):
            wrong = {"items": [{"digest": digest, "until": until}]}
            is_problem(await client.post("/api/v1/users/logouts", json=wrong, headers=bearer(SERVICE)), 422)


def test_a_page_that_runs_apart_knows_the_users_too(tmp_path: Path) -> None:
    """By header and by login; what it hands on is asked for the user, whatever a browser says of itself."""
    chosen = settings(tmp_path / "api", token=SERVICE)
    with listening(chosen) as port:
        store = Store(chosen.database)
        anna = AccessTokens(store).add("anna")

        async def ask() -> None:
            apart = settings(tmp_path / "page", token=SERVICE, role="dashboard", api_url=f"http://127.0.0.1:{port}")
            async with serving(apart) as client:
                headers = {"X-Routescope-User": "ben"}
                assert await name_of(client, bearer(anna) | headers) == "anna"
                asked = await name_of(client, bearer(SERVICE) | headers)
                assert asked == "ben", "the service's own token asks for anybody"
                sample = await bring(client, bearer(anna))
                answer = await client.post("/login", data={"token": anna}, headers=PAGE)
                login = {"Cookie": f"{COOKIE}={answer.cookies[COOKIE]}"}
                client.cookies.clear()
                assert await listed(client, login) == {sample: "you"}
                is_problem(await client.get("/api/v1/users/tokens", headers=login), 403)
                AccessTokens(store).revoke("anna")
                is_problem(await client.get("/api/v1/user", headers=login), 401)

        asyncio.run(ask())
        store.close()


async def frame_user(client: httpx.AsyncClient, headers: dict[str, str]) -> dict[str, Any]:
    """What the frame of the page is told of who looks."""
    body = {
        "output": "user.data",
        "outputs": {"id": "user", "property": "data"},
        "inputs": [{"id": "pages", "property": "data", "value": []}],
        "changedPropIds": ["pages.data"],
    }
    answer = await client.post("/_dash-update-component", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    reply: dict[str, Any] = answer.json()["response"]["user"]["data"]
    return reply


async def test_the_frame_is_told_who_looks_and_whether_a_login_can_end(tmp_path: Path) -> None:
    async with with_users(tmp_path, role="all", read_only=True) as (_, client, tokens):
        cookie = (await client.post("/login", data={"token": tokens["anna"]}, headers=PAGE)).cookies[COOKIE]
        client.cookies.clear()
        anna = {"name": "anna", "read_only": True}
        assert await frame_user(client, PAGE | {"Cookie": f"{COOKIE}={cookie}"}) == anna | {"login": True}
        assert await frame_user(client, bearer(tokens["anna"])) == anna | {"login": False}
        assert (await frame_user(client, bearer(SERVICE)))["name"] is None


def test_pages_that_run_apart_take_log_outs_and_read_only_from_the_api(tmp_path: Path) -> None:
    """A log-out is known to the API, to another page's server, and after a new start."""
    with listening(settings(tmp_path / "api", token=SERVICE, read_only=True)) as port:
        base = f"http://127.0.0.1:{port}"
        apart = {"token": SERVICE, "role": "dashboard", "api_url": base}
        pages = [settings(tmp_path / name, **apart) for name in ("first", "second")]
        with pytest.raises(ValidationError, match="a setting of the API"):
            settings(tmp_path / "page", read_only=True, **apart)  # set there alone it leaves callbacks open

        async def ask() -> None:
            async with serving(pages[1]) as second, httpx.AsyncClient(base_url=base, timeout=60) as api:
                async with running(pages[0]) as app, client_of(app) as first:
                    assert (await frame_user(first, bearer(SERVICE)))["read_only"] is True
                    with pytest.raises(ApiProblem, match="looked at"):
                        await app.state.client.request("DELETE", "/samples", params={"owner": "you"})
                    logins = [await first.post("/login", data={"token": SERVICE}, headers=PAGE) for _ in range(2)]
                    kept, ended = [{"Cookie": f"{COOKIE}={login.cookies[COOKIE]}"} for login in logins]
                    first.cookies.clear()
                    for client in (first, second, api):
                        await name_of(client, ended)
                    await first.post("/logout", headers=PAGE | ended)
                async with serving(pages[0]) as again:
                    for client in (again, second, api):
                        await name_of(client, kept)
                        is_problem(await client.get("/api/v1/user", headers=ended), 401)
            came_back("log-out, guessing", "that cookie at another server with the same users", "401 there too")

        asyncio.run(ask())


async def test_an_api_that_hangs_keeps_nobody_waiting_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It takes connections and says nothing; who came together waits together."""
    monkeypatch.setattr(api_client, "USERS_SECONDS", 0.3)
    monkeypatch.setattr(users, "KNOWN_SECONDS", 5.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        chosen = settings(tmp_path, role="dashboard", api_url=url, token=SERVICE)
        async with running(chosen) as app, client_of(app) as client:
            async with asyncio.timeout(5):
                answers = await asyncio.gather(*(client.get("/", headers=bearer("rsu_somebody")) for _ in range(20)))
            assert all("cannot be read just now" in is_problem(item, 503)["detail"] for item in answers)
    assert len([item for item in caplog.records if "did not answer in time" in item.getMessage()]) == 1


# -- the command ---------------------------------------------------------------------------------------------


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUTESCOPE_DATA_DIR", str(tmp_path))
    runner = CliRunner()
    made = runner.invoke(commands.token, ["add", "anna"])
    assert made.exit_code == 0 and re.fullmatch(r"rsu_[\w-]{43}", made.stdout.strip())
    assert "ROUTESCOPE_TOKEN" in made.stderr
    monkeypatch.setenv("ROUTESCOPE_TOKEN", SERVICE)
    assert runner.invoke(commands.token, ["add", "ben@lab.example"]).stderr == ""
    twice = runner.invoke(commands.token, ["add", "anna"])
    assert twice.exit_code == 2 and "revoke it first" in twice.stderr
    lines = runner.invoke(commands.token, ["list"]).stdout.splitlines()
    assert [line.split()[1] for line in lines] == ["anna", "ben@lab.example"]
    assert made.stdout.strip() not in "".join(lines)
    assert "revoked" in runner.invoke(commands.token, ["revoke", "anna"]).stdout
    gone = runner.invoke(commands.token, ["revoke", "anna"])
    assert gone.exit_code == 2 and "no token of 'anna'" in gone.stderr


def test_what_is_no_name(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'test.db'}")
    migrate(store)
    for name in ("", " ", "a b", "-a", "ä", "a/b", "a" * 59, "a\n"):
        with pytest.raises(NotAccepted, match="letters, digits"):
            AccessTokens(store).add(name)
        with pytest.raises(NotFound):
            AccessTokens(store).revoke(name)
    store.close()
    assert owner_of_user("anna") == "user:anna" and len(owner_of_user("a" * 59)) == 64
    long = owner_of_user("a" * 60)
    assert len(long) == 64 and long != owner_of_user("a" * 61), "owners fit their column"


# -- a proxy that logs users in ------------------------------------------------------------------------------

HEADER = "X-Forwarded-Email"


@pytest.mark.parametrize(("proxies", "name"), [(("127.0.0.0/8",), "anna@lab.example"), (("10.0.0.0/8",), None)])
async def test_a_header_is_believed_from_named_proxies_alone(
    tmp_path: Path, proxies: tuple[str, ...], name: str | None
) -> None:
    """Whatever it says of where a request came from."""
    chosen = settings(tmp_path, token=SERVICE, user_header=HEADER, trusted_proxies=proxies)
    async with serving(chosen) as client:
        reply = {HEADER: "anna@lab.example", "X-Forwarded-For": "10.0.0.7", "X-Forwarded-Proto": "https"}
        answer = await client.get("/api/v1/user", headers=reply)
        if name is None:
            is_problem(answer, 401)
        else:
            assert answer.json()["name"] == name
            sample = await bring(client, reply)
            assert await listed(client, reply) == {sample: "you"}
            assert await listed(client, reply | {HEADER: "ben@lab.example"}) == {}
        for value in ("", " ", "a\x01b", "x" * 201):
            is_problem(await client.get("/api/v1/user", headers={HEADER: value}), 401)
        two = httpx.Headers([(HEADER, "anna@lab.example"), (HEADER, "ben@lab.example")])
        is_problem(await client.get("/api/v1/user", headers=two), 401)
        other = await client.post("/api/v1/evaluations", json={}, headers=reply | {"Origin": "https://evil.example"})
        is_problem(other, 401 if name is None else 403)


async def test_without_a_token_the_machine_is_asked_for_as_before(tmp_path: Path) -> None:
    chosen = settings(tmp_path, user_header=HEADER, trusted_proxies=("127.0.0.1",))
    async with serving(chosen) as client:
        assert await name_of(client, {HEADER: "anna"}) == "anna" and await name_of(client, {}) is None
        assert await name_of(client, {"X-Routescope-User": "anna"}) is None
        is_problem(await client.get("/api/v1/user", headers={HEADER: "anna", "Host": "rebound.example"}), 403)


def test_a_header_is_not_believed_from_half_the_internet(tmp_path: Path) -> None:
    inner = ("10.0.0.0/8", "172.16.0.0/12", "fd00::/8", "203.0.113.7", "2001:db8::/48")
    settings(tmp_path, user_header=HEADER, trusted_proxies=inner)
    for wide in ("0.0.0.0/0", "::/0", "0.0.0.0/1", "8.0.0.0/8", "203.0.0.0/15", "2000::/3"):
        with pytest.raises(ValidationError, match=re.escape(f"all of {wide}, so that")):
            settings(tmp_path, user_header=HEADER, trusted_proxies=(*inner, wide))
        settings(tmp_path, trusted_proxies=(wide,))  # whom it does not name
    with pytest.raises(ValidationError, match="ROUTESCOPE_TRUSTED_PROXIES"):
        settings(tmp_path, user_header=HEADER)
    with pytest.raises(ValidationError, match="no name of a header"):
        settings(tmp_path, user_header="a b", trusted_proxies=("127.0.0.1",))


# -- read-only -----------------------------------------------------------------------------------------------

#: Every request of the API that is no GET: whether a service that is to be looked at answers it.
CHANGES = {
    "POST /samples": False, "DELETE /samples": False, "POST /samples/texts": False, "POST /samples/written": False,
    "POST /samples/files": False, "PATCH /samples/{sample_id}": False, "DELETE /samples/{sample_id}": False,
    "POST /tables/{sample_id}/exchanged": False, "POST /unit-sets": True, "PATCH /jobs/{job_id}": False,
    "DELETE /jobs/{job_id}": False, "POST /logs": False, "POST /logs/recordings": False, "DELETE /logs/{log_id}": False,
    "POST /snapshots": False, "PATCH /snapshots/{snapshot_id}": False, "DELETE /snapshots/{snapshot_id}": False,
    "POST /users/logouts": True, "POST /code": True,
    "POST /traces": True, "POST /evaluations": True, "POST /evaluations/timing": True, "POST /continuations": True,
    "POST /behaviours/own": True, "POST /sentence-maps/{job_id}/places": True, "POST /models/{model_id}/answers": True,
    "POST /models/{model_id}/designs": True, "POST /models/{model_id}/designs/links": True,
    "POST /models/{model_id}/block-runs": True,
    "POST /importances": True, "POST /observations": True, "POST /embeddings": True, "POST /sentence-maps": True,
    "POST /prunings": True, "POST /expert-loads": True, "POST /behaviours": True, "POST /reproductions": False,
}  # fmt: skip


async def test_every_request_is_known_as_writing_or_asking(tmp_path: Path) -> None:
    async with running(settings(tmp_path, read_only=True)) as app, client_of(app) as client:
        result = {
            f"{method} {str(route.path).removeprefix('/api/v1')}"
            for route in iter_route_contexts(app.routes)
            if isinstance(route.original_route, APIRoute) and route.include_in_schema
            for method in (route.methods or set()) - {"GET", "HEAD"}
        }
        assert result == set(CHANGES)
        for request, answered in CHANGES.items():
            method, _, path = request.partition(" ")
            path = "/api/v1" + re.sub(r"\{\w+\}", "0" * 32, path)
            assert writes(method, path) is not answered, request
            if not answered:
                fields = is_problem(await client.request(method, path, json={}), 403)
                assert fields["type"].endswith("service-read-only") and "looked at" in fields["detail"], request
    assert not writes("POST", "/login") and not writes("GET", "/api/v1/samples") and writes("PUT", "/api/v1/traces")


async def test_what_is_asked_is_answered_and_jobs_that_are_done(tmp_path: Path) -> None:
    job = {"model": MODEL, "data": ["mnist"], "samples": 10}
    async with serving(settings(tmp_path)) as client:
        sample = await bring(client, {})
        queued = (await client.post("/api/v1/importances", json=job)).json()["id"]
        while (await client.get(f"/api/v1/jobs/{queued}")).json()["state"] != "done":
            await asyncio.sleep(0.05)
    async with running(settings(tmp_path, read_only=True)) as app, client_of(app) as client:
        assert (await client.get("/api/v1/user")).json() == {"name": None, "read_only": True}
        trace = await client.post("/api/v1/traces", json={"model": MODEL, "sample": sample})
        assert trace.status_code == 201
        done = await client.post("/api/v1/importances", json=job)
        assert done.status_code == 200 and done.json()["id"] == queued
        assert (await client.get(f"/api/v1/importances/{queued}")).status_code == 200
        is_problem(await client.post("/api/v1/importances", json=job | {"samples": 11}), 403)
        is_problem(await upload(client), 403)
        assert (await client.get(f"/api/v1/samples/{sample}/image")).status_code == 200
        assert len(await app.state.services.jobs.newest(10, None, None)) == 1
