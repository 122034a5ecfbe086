"""What the page's server makes of hostile callbacks, and the rules that it gives to browsers."""

import json
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from routescope_app.api import refusals
from tests.app.serving import client_of, is_problem, png, running, serving, settings
from tests.robustness.record import came_back


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def page(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    async with serving(settings(tmp_path_factory.mktemp("page"), role="all")) as client:
        yield client


@pytest.mark.asyncio(loop_scope="module")
async def test_headers_of_every_kind_of_answer(page: httpx.AsyncClient) -> None:
    sample = (await page.post("/api/v1/samples", files={"file": ("a.png", png())})).json()
    own = ("/", "/paths", "/assets/stubs.js", "/api/docs", "/api/v1/models", "/api/nothing", "/login")
    for path in (*own, sample["image"]):
        headers = (await page.get(path)).headers
        policy = headers["content-security-policy"]
        assert "frame-ancestors 'none'" in policy and "object-src 'none'" in policy and "base-uri 'none'" in policy
        assert "default-src 'self'" in policy or "default-src 'none'" in policy
        script = next((part for part in policy.split(";") if "script-src" in part), "")
        assert "unsafe" not in script and "http" not in script and "*" not in policy
        assert (headers["x-content-type-options"], headers["x-frame-options"]) == ("nosniff", "DENY")


async def test_only_named_origins_show_pages_in_a_frame(tmp_path: Path) -> None:
    async with serving(settings(tmp_path, role="all", allowed_origins=("https://lab.example",))) as client:
        for path in ("/", "/drop"):
            headers = (await client.get(path)).headers
            assert "frame-ancestors https://lab.example;" in headers["content-security-policy"]
            assert "x-frame-options" not in headers
        for path in ("/login", "/api/docs", "/api/v1/models"):
            headers = (await client.get(path)).headers
            assert "frame-ancestors 'none'" in headers["content-security-policy"]
            assert headers["x-frame-options"] == "DENY"


# -- forged callbacks ----------------------------------------------------------------------------------------


def forgeries() -> list[Any]:
    dice = random.Random(3)
    scraps: list[Any] = [
        None,
        1,
        -1,
        "x",
        [],
        {},
        [[]],
        {"id": "x"},
        "../..",
        "__proto__",
        "a.b",
        "..x..y...",
        True,
        1e308,
    ]
    keys = ["output", "outputs", "inputs", "state", "changedPropIds", "parsedChangedPropsIds"]
    fixed = [[], "text", None, 5, {}, {"output": "nobody.children", "outputs": {}, "inputs": []}]
    return fixed + [{key: dice.choice(scraps) for key in keys if dice.random() < 0.8} for _ in range(60)]


async def test_forged_callbacks(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refusals, "LINES_A_MINUTE", 1_000)
    async with serving(settings(tmp_path, role="all")) as client:
        for forged in forgeries():
            response = await client.post("/_dash-update-component", json=forged)
            assert 400 <= response.status_code < 500, (forged, response.text[:200])
            identity = is_problem(response, response.status_code)["instance"]
            written = [record.getMessage() for record in caplog.records if identity in record.getMessage()]
            assert len(written) == 1 and "POST /_dash-update-component" in written[0], forged
        assert (await client.get("/")).status_code == 200
    assert "Traceback" not in caplog.text
    got = "a problem with an id each time, which the log has too; the page is there"
    came_back("callback forgery", f"{len(forgeries())} forged requests of the page's callbacks", got)


CALLBACK = "/_dash-update-component"
OUTPUTS = {"id": "user", "property": "data"}
RIGHT = {"output": "user.data", "outputs": OUTPUTS, "inputs": [{"id": "pages", "property": "data"}]}
#: Places of a callback that are not its own.
ELSEWHERE: tuple[dict[str, Any], ...] = (
    {"output": "selection.data"},  # which runs in the browser
    {"output": "user.value"},
    {"outputs": [OUTPUTS]},
    {"outputs": {"id": "pages", "property": "data"}},
    {"outputs": None},
    {"outputs": {"id": '{"models":1}', "property": "data"}},
    {"inputs": []},
    {"inputs": [{"id": "pages", "property": "value"}]},
    {"inputs": [OUTPUTS]},
    {"inputs": 2 * [{"id": "pages", "property": "data"}]},
    {"state": [{"id": "pages", "property": "data"}]},
    {"inputs": [{"id": {"pages": [{}]}, "property": "data"}]},
)
#: Content type, body and status of what is no callback.
NO_CALLBACKS = (
    ("application/json", b"", 400), ("application/json", b"\xff", 400),
    ("application/json", b'"' + b"x" * 5_000_000 + b'"', 413), ("application/json", b"[" * 1000 + b"]" * 1000, 400),
    ("application/json", b'{"inputs": [NaN]}', 422), ("application/x-www-form-urlencoded", b"output=models.data", 415),
    ("multipart/form-data; boundary=x", b"--x--", 415), ("application/problem+json", b"{}", 415),
    ("text/plain", b"", 415), ("", b"", 415),
)  # fmt: skip


@pytest.mark.asyncio(loop_scope="module")
async def test_what_is_no_callback_is_refused(page: httpx.AsyncClient) -> None:
    right = {**RIGHT, "state": [], "changedPropIds": ["pages.data"]}
    assert (await page.post(CALLBACK, json=right)).status_code == 200
    for changes in ELSEWHERE:
        is_problem(await page.post(CALLBACK, json=right | changes), 422)
    for kind, content, status in NO_CALLBACKS:
        is_problem(await page.post(CALLBACK, content=content, headers={"Content-Type": kind}), status)
    is_problem(await page.post(CALLBACK, json={}, headers={"Origin": "https://evil.example"}), 403)
    for path in ("dash/nothing.js", "nothing/x.js", "dash/..%2f..%2fdash.py", "dash/dash.py"):
        is_problem(await page.get(f"/_dash-component-suites/{path}"), 404)


async def test_a_defect_within_dash_has_an_id(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Dash would answer it with words of its own, and write nothing."""

    def broken(*_: object, **__: object) -> None:
        raise LookupError("secret of the house")

    async with running(settings(tmp_path, role="all")) as app, client_of(app) as client:
        app.state.dashboard.callback_map["user.data"]["callback"] = broken
        answer = await client.post(CALLBACK, json=RIGHT | {"changedPropIds": []})
    identity = is_problem(answer, 500)["instance"]
    assert "secret" not in answer.text
    assert identity in caplog.text and "LookupError: secret of the house" in caplog.text


HOSTILE: list[Any] = [
    None, "", "../../etc", {"a": 1}, [1, 2], -1, 1e9, "x" * 5000, True, [{"id": 1}], "<img onerror=1>",
]  # fmt: skip


@pytest.mark.asyncio(loop_scope="module")
async def test_forged_inputs_of_real_callbacks(page: httpx.AsyncClient) -> None:
    """Every callback of the page, called with what no page would send."""
    dice = random.Random(5)
    callbacks = (await page.get("/_dash-dependencies")).json()
    server_side = [callback for callback in callbacks if callback.get("clientside_function") is None]
    assert server_side
    for callback in server_side * 2:
        outputs = [outs(part) for part in callback["output"].strip(".").split("...")]
        forged = {
            "output": callback["output"],
            "outputs": outputs if callback["output"].startswith("..") else outputs[0],
            "inputs": [given | {"value": dice.choice(HOSTILE)} for given in callback["inputs"]],
            "state": [given | {"value": dice.choice(HOSTILE)} for given in callback.get("state", [])],
            "changedPropIds": [f"{given['id']}.{given['property']}" for given in callback["inputs"][:1]],
        }
        response = await page.post(CALLBACK, json=forged)
        assert response.status_code in {200, 204}, response.text[:300]
        assert not any(words in response.text for words in ("Traceback", 'File "', "site-packages"))
    assert (await page.get("/api/v1/health")).status_code == 200


def outs(part: str) -> dict[str, Any]:
    identity, _, name = part.rpartition(".")
    return {"id": json.loads(identity) if identity.startswith("{") else identity, "property": name}
