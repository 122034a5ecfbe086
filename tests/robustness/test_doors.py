"""Who gets in: the token, the login form, other origins, other names for this machine."""

import html
import re
import time
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from pydantic import ValidationError

from routescope_app import main
from routescope_app.api.middleware.sessions import COOKIE, Guesses, Sessions
from routescope_app.api.routes.login import safe_next
from routescope_app.services.logins import EndedLogins
from tests.app.serving import MODEL, PAGE, client_of, is_problem, listening, png, running, serving, settings
from tests.robustness.record import came_back

TOKEN = "a-long-enough-token-for-tests"
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
async def closed(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A client of an app, page included, that wants a token."""
    async with serving(settings(tmp_path, token=TOKEN, role="all")) as client:
        yield client


EVERY_ROUTE = {
    "GET": (
        "/", "/paths", "/api/docs", "/api/openapi.json", "/api/v1/models", f"/api/v1/models/{MODEL}", "/api/v1/data",
        "/api/v1/samples", "/api/v1/samples/mnist.validation.1/image", "/api/v1/traces/" + "0" * 40, "/api/nothing",
        "/assets/stubs.js", "/web/0123456789abcdef/boot.js", "/_dash-layout", "/_dash-dependencies", "/api/v1/health/",
        "/metrics", "/metrics/", "//api/v1/health", "/login/x",
    ),
    "POST": ("/api/v1/samples", "/api/v1/traces", "/_dash-update-component", "/logout"),
    "DELETE": ("/api/v1/samples/" + "0" * 32,),
    "OPTIONS": ("/api/v1/samples",),
}  # fmt: skip


async def test_every_route_wants_the_token_in_the_header(closed: httpx.AsyncClient) -> None:
    addresses = [(method, path) for method, paths in EVERY_ROUTE.items() for path in paths]
    headers = [{"Authorization": value} for value in ("Bearer wrong", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}")]
    headers += [{"Authorization": value} for value in (f"Basic {TOKEN}", TOKEN, "Bearer ")]
    headers += [{"Cookie": f"{COOKIE}={value}"} for value in (TOKEN, "", "9999999999.x.y")]
    for method, path in addresses:
        for sent in ({}, {"X-Token": TOKEN}, *headers):
            response = await closed.request(method, path, headers=sent)
            is_problem(response, 401)
            assert response.headers["www-authenticate"] == "Bearer"
            assert TOKEN not in response.text
    sent = f"no token, a wrong one, a part of it, or it elsewhere, on each of {len(addresses)} addresses"
    came_back("open door", sent, "401 each time")
    for query in (f"token={TOKEN}", f"access_token={TOKEN}", f"Authorization=Bearer%20{TOKEN}"):
        answer = await closed.get(f"/api/v1/models?{query}")
        is_problem(answer, 401)
        came_back("open door", f"the token as {query.partition('=')[0]} in the query", answer)
        assert (await closed.get(f"/login?{query}")).cookies.get(COOKIE) is None
    assert (await closed.get("/api/v1/health")).status_code == 200
    for scheme in ("Bearer", "bearer"):
        assert (await closed.get("/api/v1/models", headers={"Authorization": f"{scheme} {TOKEN}"})).status_code == 200


async def test_the_form_opens_with_a_cookie_and_leads_to_the_whole_link(closed: httpx.AsyncClient) -> None:
    link = "/circuits?s1=is%20it%20%26%20true%3F&pin=a%2Cb&x=%22"
    led = await closed.get(link, headers={"Accept": "text/html"})
    assert led.status_code == 303 and led.headers["location"].startswith("/login?next=/circuits")
    form = await closed.get(led.headers["location"], headers={"Accept": "text/html"})
    assert form.status_code == 200 and "<script" not in form.text
    (shown,) = re.findall(r'name="next" value="([^"]*)"', form.text)
    wrong = await closed.post("/login", data={"token": "wrong", "next": "/paths"}, headers=PAGE)
    assert wrong.status_code == 401 and COOKIE not in wrong.cookies and "wrong" not in wrong.text
    right = await closed.post("/login", data={"token": TOKEN, "next": html.unescape(shown)}, headers=PAGE)
    assert (right.status_code, right.headers["location"]) == (303, link)
    cookie = right.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie and TOKEN not in cookie and "secure" not in cookie
    assert (await closed.get("/api/v1/models")).status_code == 200  # the client kept the cookie
    assert (await closed.get("/")).status_code == 200
    await closed.post("/logout", headers=PAGE)
    is_problem(await closed.get("/api/v1/models"), 401)
    text = (await closed.get("/login", params={"next": '/"><script>alert(1)</script>'})).text
    assert "<script" not in text and "&lt;script&gt;" in text


async def test_the_cookie_is_secure_over_https(closed: httpx.AsyncClient) -> None:
    behind = await closed.post("/login", data={"token": TOKEN}, headers={"Origin": "https://127.0.0.1"})
    closed.base_url = httpx.URL("https://127.0.0.1")
    direct = await closed.post("/login", data={"token": TOKEN}, headers=PAGE)
    assert all("secure" in answer.headers["set-cookie"].lower() for answer in (behind, direct))


async def test_logging_out_ends_the_cookie_of_this_login_alone(tmp_path: Path) -> None:
    chosen = settings(tmp_path, token=TOKEN)
    async with serving(chosen) as client:
        kept = [(await client.post("/login", data={"token": TOKEN}, headers=PAGE)).cookies[COOKIE] for _ in range(2)]
        client.cookies.clear()
        await client.post("/logout", headers=PAGE | {"Cookie": f"{COOKIE}={kept[0]}"})
        for cookie, status in ((kept[0], 401), (kept[1], 200)):
            answer = await client.get("/api/v1/models", headers={"Cookie": f"{COOKIE}={cookie}"})
            assert answer.status_code == status
        for nonsense in ("", "x", f"{COOKIE}=x.y.z", f"{COOKIE}={kept[0]}"):
            assert (await client.post("/logout", headers=PAGE | {"Cookie": nonsense})).status_code in {303, 401}
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or kept[0].encode() not in path.read_bytes(), path
    came_back("log-out, guessing", "the cookie of a login that was ended", "401; another login goes on")
    async with serving(chosen) as client:
        for cookie, status in ((kept[0], 401), (kept[1], 200)):
            answer = await client.get("/api/v1/models", headers={"Cookie": f"{COOKIE}={cookie}"})
            assert answer.status_code == status


async def test_logging_out_without_a_token_keeps_nothing(tmp_path: Path) -> None:
    """Where no login is needed anybody could make cookies, and end as many as they like."""
    chosen = settings(tmp_path)
    async with running(chosen) as app, client_of(app) as client:
        cookie = Sessions(chosen).issue()
        assert (await client.post("/logout", headers={"Cookie": f"{COOKIE}={cookie}"})).status_code == 303
        assert app.state.services.ended_logins.digests() == frozenset()


async def test_a_log_out_that_cannot_be_kept_counts_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def gone(*_: object) -> None:
        raise OSError("gone")

    monkeypatch.setattr(EndedLogins, "end", gone)
    monkeypatch.setattr(EndedLogins, "sweep", lambda _: None)
    async with serving(settings(tmp_path, token=TOKEN)) as client:
        cookie = (await client.post("/login", data={"token": TOKEN}, headers=PAGE)).cookies[COOKIE]
        assert (await client.get("/api/v1/models")).status_code == 200
        assert (await client.post("/logout", headers=PAGE)).status_code == 303
        is_problem(await client.get("/api/v1/models", headers={"Cookie": f"{COOKIE}={cookie}"}), 401)
    assert "elsewhere its cookie goes on" in caplog.text


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_who_guesses_keeps_nobody_else_waiting(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Two addresses of this machine: one tries many tokens by header and by form, the other comes in."""
    right = bearer(TOKEN)
    with listening(settings(tmp_path, token=TOKEN)) as port:
        other = httpx.HTTPTransport(local_address="127.0.0.2")
        base = f"http://127.0.0.1:{port}"
        with httpx.Client(base_url=base) as guesser, httpx.Client(base_url=base, transport=other) as neighbour:
            guesser.headers["Origin"] = neighbour.headers["Origin"] = base
            session = guesser.post("/login", data={"token": TOKEN}).cookies[COOKIE]
            guesser.cookies.clear()
            got = [guesser.get("/api/v1/models", headers=bearer(f"guess-{n}")).status_code for n in range(1_000)]
            assert got == [401] * 10 + [429] * 990
            got_then = "401 ten times, then 429; another address comes in meanwhile, and who is in stays in"
            came_back("log-out, guessing", "1,000 wrong tokens from one address", got_then)
            blocked = guesser.get("/api/v1/models", headers=right)
            assert 0 < int(blocked.headers["retry-after"]) <= 61
            is_problem(blocked, 429)
            is_problem(guesser.post("/login", data={"token": TOKEN}), 429)
            # Who is in stays in, at the same address too.
            assert guesser.get("/api/v1/models", headers={"Cookie": f"{COOKIE}={session}"}).status_code == 200
            assert neighbour.get("/api/v1/models", headers=right).status_code == 200
            assert neighbour.post("/login", data={"token": TOKEN}).status_code == 303
    assert caplog.text.count("401 wrong-token: GET /api/v1/models from 127.0.0.1") == 10
    assert 0 < caplog.text.count("429 too-many-tries") <= 30


async def test_the_form_counts_guesses_of_an_address(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The same wrong token again is no guess: a program with an old one keeps nobody out."""
    async with serving(settings(tmp_path, token=TOKEN, login_failures_per_minute=3)) as client:
        for _ in range(20):
            assert (await client.get("/api/v1/models", headers=bearer("an-old-token-of-theirs"))).status_code == 401
        assert (await client.get("/api/v1/models", headers=bearer(TOKEN))).status_code == 200
        for n in range(2):
            assert (await client.post("/login", data={"token": f"guess-{n}"}, headers=PAGE)).status_code == 401
        is_problem(await client.post("/login", data={"token": TOKEN}, headers=PAGE), 429)
        assert "401 wrong-token: POST /login from 127.0.0.1" in caplog.text and "guess-" not in caplog.text


def test_guesses_are_forgotten_and_bounded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    now = 1_000.0
    monkeypatch.setattr("routescope_app.api.middleware.sessions.time.monotonic", lambda: now)
    monkeypatch.setattr("routescope_app.api.middleware.sessions.MOST_ADDRESSES", 2)
    guesses = Guesses(settings(tmp_path, token=TOKEN, login_failures_per_minute=1))
    guesses.failed("2001:db8::1", "a")
    assert guesses.wait("2001:db8::ffff") == 61 and guesses.wait("2001:db8:0:1::1") == 0
    now += 61
    assert guesses.wait("2001:db8::1") == 0
    for address in ("10.0.0.1", "10.0.0.2", "10.0.0.3"):
        guesses.failed(address, "a")
    assert [guesses.wait(f"10.0.0.{n}") > 0 for n in (1, 2, 3)] == [False, True, True]


# -- proxies -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("proxies", "blocked", "secure", "named"), [((), 429, False, 403), (("127.0.0.0/8",), 401, True, 200)]
)
async def test_headers_of_proxies_count_where_the_proxy_is_named(
    tmp_path: Path, proxies: tuple[str, ...], blocked: int, secure: bool, named: int
) -> None:
    """Else anybody would say that they are somebody else with every guess."""
    chosen = settings(tmp_path, token=TOKEN, login_failures_per_minute=3, trusted_proxies=proxies)
    async with serving(chosen) as client:
        answer = await client.get("/api/v1/models", headers=bearer(TOKEN) | {"Host": "lab.example"})
        assert answer.status_code == named
        answer = await client.post("/login", data={"token": TOKEN}, headers=PAGE | {"X-Forwarded-Proto": "https"})
        assert ("secure" in answer.headers["set-cookie"].lower()) == secure
        client.cookies.clear()
        for n in range(3):
            headers = bearer(f"guess-{n}") | {"X-Forwarded-For": "1.2.3.4, 203.0.113.9"}
            assert (await client.get("/api/v1/models", headers=headers)).status_code == 401
        for address, status in (("203.0.113.9", 429), ("203.0.113.10", blocked)):
            headers = bearer("another") | {"X-Forwarded-For": f"1.2.3.4, {address}"}
            assert (await client.get("/api/v1/models", headers=headers)).status_code == status


@pytest.mark.parametrize("wrong", ["*", "proxy.example", "10.0.0.1/8", "1.2.3"])
def test_proxies_are_named_by_address(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(ValidationError, match="no address and no network"):
        settings(tmp_path, trusted_proxies=wrong)


def test_sessions_expire_and_cannot_be_forged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sessions = Sessions(settings(tmp_path, token=TOKEN, session_hours=1))
    value = sessions.issue()
    assert sessions.is_valid(value) and value != sessions.issue()
    expires, nonce, signature = value.split(".")
    for forged in (
        f"{int(expires) + 1}.{nonce}.{signature}",
        f"{expires}.{nonce[::-1]}.{signature}",
        f"{expires}.{nonce}.{'0' * 64}",
        f"{expires}.{nonce}.",
        "",
        "..",
        "\ud800",
        f"٩.{nonce}.{signature}",
    ):
        assert not sessions.is_valid(forged), forged
    other = Sessions(settings(tmp_path, token=TOKEN + "2", session_hours=1))
    assert not other.is_valid(value)
    later = time.time() + 3601
    monkeypatch.setattr("routescope_app.api.middleware.sessions.time.time", lambda: later)
    assert not sessions.is_valid(value)


def test_comparison_is_constant_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The token and the signature go through hmac.compare_digest and no other comparison."""
    compared = []

    def compare(a: bytes, b: bytes) -> bool:
        compared.append((a, b))
        return False

    monkeypatch.setattr("routescope_app.api.middleware.sessions.hmac.compare_digest", compare)
    sessions = Sessions(settings(tmp_path, token=TOKEN))
    assert not sessions.token_is(TOKEN) and not sessions.is_valid(sessions.issue())
    assert len(compared) == 2


ELSEWHERE = (
    "//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", "/a\r\nSet-Cookie: x=y", "",
    "/" + "a" * 5000,
)  # fmt: skip


def test_the_form_leads_nowhere_else() -> None:
    assert safe_next("/paths?model=tiny") == "/paths?model=tiny"
    assert {target: safe_next(target) for target in ELSEWHERE} == dict.fromkeys(ELSEWHERE, "/")


FOREIGN = (
    {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Origin": "http://127.0.0.1:9999"},
    {"Origin": "http://127.0.0.1.evil.example"}, {"Origin": ""}, {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
)  # fmt: skip


async def test_other_sites_change_and_read_nothing(tmp_path: Path) -> None:
    async with serving(settings(tmp_path, allowed_origins=("https://lab.example",))) as client:
        for headers in FOREIGN:
            is_problem(await upload(client, headers), 403)
            is_problem(await client.delete(f"/api/v1/samples/{'0' * 32}", headers=headers), 403)
        assert (await client.get("/api/v1/samples", params={"origin": "upload"})).json()["total"] == 0
        for headers in (PAGE, {"Sec-Fetch-Site": "same-origin"}, {}, {"Origin": "https://lab.example"}):
            assert (await upload(client, headers)).status_code == 201
        response = await client.get("/api/v1/models", headers={"Origin": "https://evil.example"})
        assert not any(name.startswith("access-control") for name in response.headers)
        assert response.headers["cross-origin-resource-policy"] == "same-origin"


async def test_the_cookie_of_a_login_needs_an_origin(closed: httpx.AsyncClient) -> None:
    """Every browser sends one with what changes anything; the token as a header is a program's and needs none."""
    for origin, status in (
        (PAGE, 201), ({"Sec-Fetch-Site": "same-origin"}, 201), ({}, 403), ({"Sec-Fetch-Site": "none"}, 403),
        ({"Origin": "https://evil.example"}, 403), ({"Origin": "null"}, 403), ({"Sec-Fetch-Site": "same-site"}, 403),
    ):  # fmt: skip
        opened = await closed.post("/login", data={"token": TOKEN}, headers=origin)
        assert opened.status_code == (303 if status == 201 else 403)
        await closed.post("/login", data={"token": TOKEN}, headers=PAGE)
        answer = await upload(closed, origin)
        assert answer.status_code == status
        if status == 403:
            is_problem(await closed.post("/logout", headers=origin), 403)
            shown = ", ".join(f"{name}: {value}" for name, value in origin.items()) or "no Origin"
            came_back("rebinding, forged origins", f"an upload with the cookie of a login and {shown}", answer)
        assert (await closed.get("/api/v1/samples")).status_code == 200  # the login goes on
        closed.cookies.clear()
    assert (await upload(closed, bearer(TOKEN))).status_code == 201


async def upload(client: httpx.AsyncClient, headers: dict[str, str]) -> httpx.Response:
    file = {"file": ("a.png", png(), "image/png")}
    return await client.post("/api/v1/samples", files=file, headers=headers)


# -- this machine only ---------------------------------------------------------------------------------------


OTHER_NAMES = (
    "evil.example", "192.168.0.7:8000", "127.0.0.1.evil.example", "localhost.evil.example", "", "[::ffff:8.8.8.8]",
    "evil.example:127", "127.0.0.1@evil.example", "0.0.0.0", "[", "xn--lcalhost-54a",
)  # fmt: skip


@pytest.mark.parametrize("token", [None, TOKEN])
async def test_other_names_of_this_machine_are_refused(tmp_path: Path, token: str | None) -> None:
    """A page whose name was pointed at this machine (DNS rebinding) gets nothing, with the token neither."""
    headers = {} if token is None else bearer(token)
    async with serving(settings(tmp_path, token=token, role="all", allowed_hosts=("lab.example",))) as client:
        for host in OTHER_NAMES:
            for path in ("/", "/login", "/api/v1/health", "/api/v1/samples", "/assets/stubs.js", "/metrics"):
                answer = await client.get(path, headers=headers | {"Host": host})
                is_problem(answer, 403)
            changed = await client.delete(f"/api/v1/samples/{'0' * 32}", headers=headers | {"Host": host})
            is_problem(changed, 403)
        for host in ("localhost:8000", "127.0.0.1", "[::1]:8000", "LOCALHOST", "lab.example:8000"):
            assert (await client.get("/api/v1/samples", headers=headers | {"Host": host})).status_code == 200
    which = "no token" if token is None else "a token, which the request has"
    sent = f"{len(OTHER_NAMES)} names such as Host: evil.example, to a service on the loopback with {which}"
    came_back("rebinding, forged origins", sent, answer)


async def test_a_connection_from_elsewhere_is_refused_whatever_started_the_server(tmp_path: Path) -> None:
    """``uvicorn routescope_app.main:server --host 0.0.0.0`` goes around the settings: each request is looked at."""
    async with running(settings(tmp_path)) as app:
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://192.0.2.7:8000") as client:
            is_problem(await client.get("/api/v1/health", headers={"Host": "127.0.0.1"}), 403)


def test_a_door_to_others_does_not_open_without_a_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUTESCOPE_HOST", "0.0.0.0")
    monkeypatch.delenv("ROUTESCOPE_TOKEN", raising=False)
    with pytest.raises(ValidationError, match="needs a token"):
        _ = main.server
