"""What the page's server makes of hostile callbacks, and the rules that it gives to browsers."""

import random
from pathlib import Path
from typing import Any

import httpx

from tests.app.serving import is_problem, png, serving, settings


async def test_headers_of_every_kind_of_answer(tmp_path: Path) -> None:
    async with serving(settings(tmp_path, role="all")) as client:
        sample = (await client.post("/api/v1/samples", files={"file": ("a.png", png())})).json()
        for path in (
            "/",
            "/paths",
            "/assets/stubs.js",
            "/api/docs",
            "/api/v1/models",
            sample["image"],
            "/api/nothing",
            "/login",
        ):
            headers = (await client.get(path)).headers
            policy = headers["content-security-policy"]
            assert "frame-ancestors 'none'" in policy and "object-src 'none'" in policy and "base-uri 'none'" in policy
            assert "default-src 'self'" in policy or "default-src 'none'" in policy
            script = next((part for part in policy.split(";") if "script-src" in part), "")
            assert "unsafe" not in script and "http" not in script and "*" not in policy
            assert (headers["x-content-type-options"], headers["x-frame-options"]) == ("nosniff", "DENY")


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


def is_quiet(response: httpx.Response) -> None:
    assert "Traceback" not in response.text and 'File "' not in response.text and "site-packages" not in response.text


async def test_forged_callbacks(tmp_path: Path) -> None:
    """Nonsense gets a refusal without a traceback, and the page lives on."""
    async with serving(settings(tmp_path, role="all")) as client:
        for forged in forgeries():
            response = await client.post("/_dash-update-component", json=forged)
            assert response.status_code >= 400, (forged, response.text[:200])
            is_quiet(response)
        assert (await client.get("/")).status_code == 200


async def test_forged_inputs_of_real_callbacks(tmp_path: Path) -> None:
    """Every callback of the page, called with what no page would send."""
    hostile: list[Any] = [
        None,
        "",
        "../../etc",
        {"a": 1},
        [1, 2],
        -1,
        1e9,
        "x" * 5000,
        True,
        [{"id": 1}],
        "<img onerror=1>",
    ]
    dice = random.Random(5)
    async with serving(settings(tmp_path, role="all")) as client:
        callbacks = (await client.get("/_dash-dependencies")).json()
        server_side = [callback for callback in callbacks if callback.get("clientside_function") is None]
        assert server_side
        for callback in server_side:
            for _ in range(2):
                inputs = [given | {"value": dice.choice(hostile)} for given in callback["inputs"]]
                state = [given | {"value": dice.choice(hostile)} for given in callback.get("state", [])]
                outputs = [outs(part) for part in callback["output"].strip(".").split("...")]
                forged = {
                    "output": callback["output"],
                    "outputs": outputs if callback["output"].startswith("..") else outputs[0],
                    "inputs": inputs,
                    "state": state,
                    "changedPropIds": [f"{given['id']}.{given['property']}" for given in callback["inputs"][:1]],
                }
                response = await client.post("/_dash-update-component", json=forged)
                is_quiet(response)
                assert response.status_code in {200, 204, 422, 500}, response.text[:300]
        assert (await client.get("/api/v1/health")).status_code == 200


def outs(part: str) -> dict[str, str]:
    identity, _, name = part.rpartition(".")
    return {"id": identity, "property": name}


async def test_callbacks_are_bounded(tmp_path: Path) -> None:
    async with serving(settings(tmp_path, role="all")) as client:
        path, kind = "/_dash-update-component", {"Content-Type": "application/json"}
        is_problem(await client.post(path, content=b'"' + b"x" * 5_000_000 + b'"', headers=kind), 413)
        is_problem(await client.post(path, content=b"[" * 1000 + b"]" * 1000, headers=kind), 400)
        is_problem(await client.post(path, content=b'{"inputs": [NaN]}', headers=kind), 422)
        is_problem(await client.post(path, json={}, headers={"Origin": "https://evil.example"}), 403)
