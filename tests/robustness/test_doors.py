"""Who gets in: the token, the login form, other origins, other names for this machine."""

import html
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from pydantic import ValidationError

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


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def closed_to_all(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    """The same for tests that never come in: one app for all of them."""
    folder = tmp_path_factory.mktemp("closed")
    async with serving(settings(folder, token=TOKEN, role="all")) as client:
        yield client


EVERY_ROUTE = [
    ("GET", "/"),
    ("GET", "/paths"),
    ("GET", "/api/docs"),
    ("GET", "/api/openapi.json"),
    ("GET", "/api/v1/models"),
    ("GET", f"/api/v1/models/{MODEL}"),
    ("GET", "/api/v1/data"),
    ("GET", "/api/v1/samples"),
    ("POST", "/api/v1/samples"),
    ("GET", "/api/v1/samples/mnist.validation.1/image"),
    ("DELETE", "/api/v1/samples/" + "0" * 32),
    ("POST", "/api/v1/traces"),
    ("GET", "/api/v1/traces/" + "0" * 40),
    ("GET", "/api/nothing"),
    ("GET", "/assets/stubs.js"),
    ("GET", "/web/0123456789abcdef/boot.js"),
    ("GET", "/_dash-layout"),
    ("GET", "/_dash-dependencies"),
    ("POST", "/_dash-update-component"),
    ("POST", "/logout"),
    ("GET", "/api/v1/health/"),
    ("GET", "/metrics"),
    ("GET", "/metrics/"),
    ("GET", "//api/v1/health"),
    ("GET", "/login/x"),
    ("OPTIONS", "/api/v1/samples"),
]


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(("method", "path"), EVERY_ROUTE)
async def test_every_route_wants_the_token(closed_to_all: httpx.AsyncClient, method: str, path: str) -> None:
    for headers in (
        {},
        {"Authorization": "Bearer wrong"},
        {"Authorization": f"Bearer {TOKEN}x"},
        {"Authorization": f"Bearer {TOKEN[:-1]}"},
        {"Authorization": f"Basic {TOKEN}"},
        {"Authorization": TOKEN},
        {"Authorization": "Bearer "},
        {"Cookie": f"{COOKIE}={TOKEN}"},
        {"Cookie": f"{COOKIE}="},
        {"Cookie": f"{COOKIE}=9999999999.x.y"},
        {"X-Token": TOKEN},
    ):
        response = await closed_to_all.request(method, path, headers=headers)
        is_problem(response, 401)
        assert response.headers["www-authenticate"] == "Bearer"
        assert TOKEN not in response.text
    sent = f"no token, a wrong one, a part of it, or it elsewhere, on each of {len(EVERY_ROUTE)} addresses"
    came_back("open door", sent, "401 each time")


@pytest.mark.parametrize("query", [f"token={TOKEN}", f"access_token={TOKEN}", f"Authorization=Bearer%20{TOKEN}"])
async def test_never_in_the_query(closed: httpx.AsyncClient, query: str) -> None:
    answer = await closed.get(f"/api/v1/models?{query}")
    is_problem(answer, 401)
    came_back("open door", f"the token as {query.partition('=')[0]} in the query", answer)
    assert (await closed.get(f"/login?{query}")).cookies.get(COOKIE) is None


async def test_health_needs_none(closed: httpx.AsyncClient) -> None:
    assert (await closed.get("/api/v1/health")).status_code == 200


async def test_the_header_opens(closed: httpx.AsyncClient) -> None:
    for scheme in ("Bearer", "bearer"):
        assert (await closed.get("/api/v1/models", headers={"Authorization": f"{scheme} {TOKEN}"})).status_code == 200


async def test_browsers_are_led_to_the_form(closed: httpx.AsyncClient) -> None:
    response = await closed.get("/paths", headers={"Accept": "text/html"})
    assert (response.status_code, response.headers["location"]) == (303, "/login?next=/paths")
    form = await closed.get("/login?next=/paths", headers={"Accept": "text/html"})
    assert form.status_code == 200 and 'value="/paths"' in form.text and "<script" not in form.text


async def test_the_form_leads_to_the_whole_link(closed: httpx.AsyncClient) -> None:
    link = "/circuits?s1=is%20it%20%26%20true%3F&pin=a%2Cb&x=%22"
    led = await closed.get(link, headers={"Accept": "text/html"})
    form = await closed.get(led.headers["location"], headers={"Accept": "text/html"})
    (shown,) = re.findall(r'name="next" value="([^"]*)"', form.text)
    right = await closed.post("/login", data={"token": TOKEN, "next": html.unescape(shown)}, headers=PAGE)
    assert (right.status_code, right.headers["location"]) == (303, link)


async def test_the_form_opens_with_a_cookie(closed: httpx.AsyncClient) -> None:
    wrong = await closed.post("/login", data={"token": "wrong", "next": "/paths"}, headers=PAGE)
    assert wrong.status_code == 401 and COOKIE not in wrong.cookies and "wrong" not in wrong.text
    right = await closed.post("/login", data={"token": TOKEN, "next": "/paths"}, headers=PAGE)
    assert (right.status_code, right.headers["location"]) == (303, "/paths")
    cookie = right.headers["set-cookie"]
    assert "HttpOnly" in cookie and "samesite=strict" in cookie.lower() and TOKEN not in cookie
    assert (await closed.get("/api/v1/models")).status_code == 200  # the client kept the cookie
    assert (await closed.get("/")).status_code == 200
    await closed.post("/logout", headers=PAGE)
    is_problem(await closed.get("/api/v1/models"), 401)


async def test_the_cookie_is_secure_over_https(tmp_path: Path) -> None:
    async with running(settings(tmp_path, token=TOKEN)) as app, client_of(app) as client:
        client.base_url = "https://127.0.0.1"
        response = await client.post("/login", data={"token": TOKEN}, headers=PAGE)
        assert "secure" in response.headers["set-cookie"].lower()


async def test_the_cookie_is_secure_behind_a_proxy_that_ends_https(closed: httpx.AsyncClient) -> None:
    headers = {"Origin": "https://127.0.0.1"}
    response = await closed.post("/login", data={"token": TOKEN}, headers=headers)
    assert "secure" in response.headers["set-cookie"].lower()


async def test_logging_out_ends_the_cookie_of_this_login_alone(tmp_path: Path) -> None:
    """Also for who has kept it, and after a new start."""
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
    """Two addresses of this machine: one tries a thousand tokens by header and by form, the other comes in."""
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


@pytest.mark.parametrize(("proxies", "blocked"), [((), [429, 429]), (("127.0.0.0/8",), [429, 401])])
async def test_forwarded_addresses_count_from_named_proxies(
    tmp_path: Path, proxies: tuple[str, ...], blocked: list[int]
) -> None:
    """Else anybody would say that they are somebody else with every guess."""
    chosen = settings(tmp_path, token=TOKEN, login_failures_per_minute=3, trusted_proxies=proxies)
    async with serving(chosen) as client:
        for n in range(3):
            headers = bearer(f"guess-{n}") | {"X-Forwarded-For": "1.2.3.4, 203.0.113.9"}
            assert (await client.get("/api/v1/models", headers=headers)).status_code == 401
        for address, status in zip(("203.0.113.9", "203.0.113.10"), blocked, strict=True):
            headers = bearer("another") | {"X-Forwarded-For": f"1.2.3.4, {address}"}
            assert (await client.get("/api/v1/models", headers=headers)).status_code == status


@pytest.mark.parametrize(("proxies", "secure"), [((), False), (("127.0.0.1",), True)])
async def test_the_forwarded_scheme_counts_from_named_proxies(
    tmp_path: Path, proxies: tuple[str, ...], secure: bool
) -> None:
    async with serving(settings(tmp_path, token=TOKEN, trusted_proxies=proxies)) as client:
        answer = await client.post("/login", data={"token": TOKEN}, headers=PAGE | {"X-Forwarded-Proto": "https"})
        assert ("secure" in answer.headers["set-cookie"].lower()) == secure


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
    import time

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


@pytest.mark.parametrize(
    ("target", "safe"),
    [
        ("/paths?model=tiny", "/paths?model=tiny"),
        ("//evil.example", "/"),
        ("https://evil.example", "/"),
        ("/\\evil.example", "/"),
        ("javascript:alert(1)", "/"),
        ("/a\r\nSet-Cookie: x=y", "/"),
        ("", "/"),
        ("/" + "a" * 5000, "/"),
    ],
)
def test_the_form_leads_nowhere_else(target: str, safe: str) -> None:
    assert safe_next(target) == safe


async def test_the_form_shows_its_target_escaped(closed: httpx.AsyncClient) -> None:
    text = (await closed.get("/login", params={"next": '/"><script>alert(1)</script>'})).text
    assert "<script" not in text and "&lt;script&gt;" in text


# -- other origins -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Origin": "http://127.0.0.1.evil.example"},
        {"Origin": ""},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
async def test_other_sites_change_nothing(client: httpx.AsyncClient, headers: dict[str, str]) -> None:
    file = {"file": ("a.png", png(), "image/png")}
    is_problem(await client.post("/api/v1/samples", files=file, headers=headers), 403)
    is_problem(await client.delete(f"/api/v1/samples/{'0' * 32}", headers=headers), 403)
    assert (await client.get("/api/v1/samples", params={"origin": "upload"})).json()["total"] == 0


@pytest.mark.parametrize("headers", [{"Origin": "http://127.0.0.1"}, {"Sec-Fetch-Site": "same-origin"}, {}])
async def test_the_own_page_and_programs_do(client: httpx.AsyncClient, headers: dict[str, str]) -> None:
    file = {"file": ("a.png", png(), "image/png")}
    assert (await client.post("/api/v1/samples", files=file, headers=headers)).status_code == 201


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (PAGE, 201), ({"Sec-Fetch-Site": "same-origin"}, 201), ({}, 403), ({"Sec-Fetch-Site": "none"}, 403),
        ({"Origin": "https://evil.example"}, 403), ({"Origin": "null"}, 403), ({"Sec-Fetch-Site": "same-site"}, 403),
    ],
)  # fmt: skip
async def test_the_cookie_of_a_login_needs_an_origin(
    closed: httpx.AsyncClient, origin: dict[str, str], status: int
) -> None:
    """Every browser sends one with what changes anything; the token as a header is a program's and needs none."""
    assert (await closed.post("/login", data={"token": TOKEN}, headers=origin)).status_code == (
        303 if status == 201 else 403
    )
    await closed.post("/login", data={"token": TOKEN}, headers=PAGE)
    file = {"file": ("a.png", png(), "image/png")}
    answer = await closed.post("/api/v1/samples", files=file, headers=origin)
    assert answer.status_code == status
    if status == 403:
        is_problem(await closed.post("/logout", headers=origin), 403)
        shown = ", ".join(f"{name}: {value}" for name, value in origin.items()) or "no Origin"
        came_back("rebinding, forged origins", f"an upload with the cookie of a login and {shown}", answer)
    assert (await closed.get("/api/v1/samples")).status_code == 200  # the login goes on
    closed.cookies.clear()
    program = await closed.post("/api/v1/samples", files=file, headers=bearer(TOKEN))
    assert program.status_code == 201


async def test_named_origins_do(tmp_path: Path) -> None:
    async with serving(settings(tmp_path, allowed_origins=("https://lab.example",))) as client:
        file = {"file": ("a.png", png(), "image/png")}
        response = await client.post("/api/v1/samples", files=file, headers={"Origin": "https://lab.example"})
        assert response.status_code == 201


async def test_nobody_else_reads(client: httpx.AsyncClient) -> None:
    response = await client.get("/api/v1/models", headers={"Origin": "https://evil.example"})
    assert not any(name.startswith("access-control") for name in response.headers)
    assert response.headers["cross-origin-resource-policy"] == "same-origin"


# -- this machine only ---------------------------------------------------------------------------------------


OTHER_NAMES = (
    "evil.example", "192.168.0.7:8000", "127.0.0.1.evil.example", "localhost.evil.example", "", "[::ffff:8.8.8.8]",
    "evil.example:127", "127.0.0.1@evil.example", "0.0.0.0", "[", "xn--lcalhost-54a",
)  # fmt: skip


@pytest.mark.parametrize("token", [None, TOKEN])
async def test_other_names_of_this_machine_are_refused(tmp_path: Path, token: str | None) -> None:
    """A page whose name was pointed at this machine (DNS rebinding) gets nothing, with the token neither."""
    headers = {} if token is None else bearer(token)
    async with serving(settings(tmp_path, token=token, role="all")) as client:
        for host in OTHER_NAMES:
            for path in ("/", "/login", "/api/v1/health", "/api/v1/samples", "/assets/stubs.js", "/metrics"):
                answer = await client.get(path, headers=headers | {"Host": host})
                is_problem(answer, 403)
            changed = await client.delete(f"/api/v1/samples/{'0' * 32}", headers=headers | {"Host": host})
            is_problem(changed, 403)
        for host in ("localhost:8000", "127.0.0.1", "[::1]:8000", "LOCALHOST"):
            assert (await client.get("/api/v1/samples", headers=headers | {"Host": host})).status_code == 200
    which = "no token" if token is None else "a token, which the request has"
    sent = f"{len(OTHER_NAMES)} names such as Host: evil.example, to a service on the loopback with {which}"
    came_back("rebinding, forged origins", sent, answer)


async def test_a_named_proxy_sees_to_the_name(tmp_path: Path) -> None:
    for proxies, status in (((), 403), (("127.0.0.1",), 200)):
        async with serving(settings(tmp_path, token=TOKEN, trusted_proxies=proxies)) as client:
            answer = await client.get("/api/v1/models", headers=bearer(TOKEN) | {"Host": "lab.example"})
            assert answer.status_code == status


async def test_named_hosts_are_accepted(tmp_path: Path) -> None:
    async with serving(settings(tmp_path, allowed_hosts=("lab.example",))) as client:
        assert (await client.get("/api/v1/health", headers={"Host": "lab.example:8000"})).status_code == 200


async def test_a_connection_from_elsewhere_is_refused_whatever_started_the_server(tmp_path: Path) -> None:
    """``uvicorn routescope_app.main:server --host 0.0.0.0`` goes around the settings: each request is looked at."""
    async with running(settings(tmp_path)) as app:
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://192.0.2.7:8000") as client:
            is_problem(await client.get("/api/v1/health", headers={"Host": "127.0.0.1"}), 403)


def test_a_door_to_others_does_not_open_without_a_token(tmp_path: Path) -> None:
    script = "from routescope_app.main import server"
    env = {**os.environ, "ROUTESCOPE_HOST": "0.0.0.0", "ROUTESCOPE_DATA_DIR": str(tmp_path)}
    env.pop("ROUTESCOPE_TOKEN", None)
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert run.returncode != 0 and "needs a token" in run.stderr
