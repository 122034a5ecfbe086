"""Ids that want to be paths: traversal on every id of every route, through real decoding."""

import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.app.serving import (
    BLOCKS_PICTURES,
    CIRCUIT,
    MODEL,
    STATEMENTS,
    is_problem,
    listening,
    png,
    serving,
    settings,
    upload,
)
from tests.robustness.raw import Raw, head
from tests.robustness.record import came_back

SECRET = "the-secret-of-the-machine"
EVIL = (
    "..", ".", "../secret.txt", "..%2fsecret.txt", "%2e%2e%2fsecret.txt", "%252e%252e%252fsecret.txt",
    "..%5csecret.txt", "..%255c..%255csecret.txt", "....//secret.txt", "//etc/passwd", "%2fetc%2fpasswd",
    "..%c0%afsecret.txt", "%00", "secret.txt%00.png", "mnist.validation.-1", "mnist.validation.1e3",
    "mnist.validation.00", "mnist.validation.%D9%A1", "mnist.validation.9999999999999999999999",
    "mnist.validation.1%00", "mnist.validation.1%0a", "mnist.vali%2fdation.1", "..%2f..%2f.1", "-1", "nan",
    "%F0%9F%A6%8A", "a" * 5000, "%ff%fe", "~root", "$HOME", "${7*7}", "';DROP%20TABLE%20samples;--", "C:%5cWindows",
    "file:%2f%2f%2fetc%2fpasswd", "http:%2f%2f127.0.0.1",
)  # fmt: skip
NOBODY = "0" * 40
#: Method -> routes below the API, with the place of an id.
ROUTES = {
    "GET": (
        "samples/{}", "samples/{}/image", "samples/images?id={}", "tables/{}", "tables/{}/picture", "tables/{}/panels",
        "traces/{}", "traces/{}/fields/compatibility", f"traces/{NOBODY}/fields/{{}}", "traces/{}/file", "models/{}",
        "models/{}/graph", "models/{}/graph/edges", "models/{}/graph/matrix", "models/{}/graph/file",
        "models/{}/graph/modules/m1", f"models/{CIRCUIT}/graph/modules/{{}}",
        f"models/{CIRCUIT}/graph/modules/m1?sample={{}}", "models/{}/card", "models/{}/use", "models/{}/indicators",
        "models/{}/units", "models/{}/units?rule=l1.*", f"models/{CIRCUIT}/units?rule={{}}", "expert-loads/{}",
        "prunings/{}", "prunings/{}/keep-list?keep=6", "prunings/{}/model?keep=6",
        f"prunings/{NOBODY}/keep-list?keep={{}}", "unit-sets/{}", "snapshots/{}", "statements/{}",
        "statements/{}/pictures/0", "statements/scenes.validation.1/pictures/{}", "sentence-maps/{}", "behaviours/{}",
        "../{}", "../docs/static/{}",
    ),
    "PATCH": ("samples/{}", "snapshots/{}"),
    "DELETE": ("samples/{}", "snapshots/{}"),
    "POST": (
        "tables/{}/exchanged", "models/{}/answers", "models/{}/designs", "models/{}/designs/links",
        "models/{}/block-runs", "sentence-maps/{}/places",
    ),
}  # fmt: skip


BODIES = {"PATCH": b'{"name": "x"}', "POST": b'{"sentences": ["a"]}'}
RUNS = b'{"input": {"digits": [1, 2, 3, 4, 5], "program": [0]}}'


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    folder = tmp_path_factory.mktemp("ids")
    for spot in (folder, folder / "data", folder / "data" / "samples", folder / "data" / "cache"):
        spot.mkdir(exist_ok=True)
        (spot / "secret.txt").write_text(SECRET)
    with listening(settings(folder / "data")) as port:
        yield port
    for spot in (folder, folder / "data", folder / "data" / "samples", folder / "data" / "cache"):
        assert (spot / "secret.txt").read_text() == SECRET


@pytest.mark.parametrize("method", ROUTES)
def test_no_id_is_a_path(port: int, method: str) -> None:
    """Sent as they are, over a socket: no client normalises them first."""
    for route in ROUTES[method]:
        place = "/api/" + route[3:] if route.startswith("../") else f"/api/v1/{route}"
        for evil in EVIL:
            with Raw(port) as raw:
                body = RUNS if route.endswith("/block-runs") else BODIES.get(method, b"")
                extra = {"Content_Type": "application/json", "Content_Length": len(body)} if body else {}
                raw.send(head(method, place.format(evil), **extra) + body)
                status, problem = raw.answer()
            assert status in {400, 404, 405, 414, 422, 307}, (place, evil, status)
            if status not in {307, 400}:  # a redirect to the same address without the last slash; the server's own 400
                assert problem and SECRET not in str(problem) and "passwd" not in str(problem), (evil, problem)
    count = sum(map(len, ROUTES.values()))
    sent = f"{len(EVIL)} ids such as {EVIL[2]}, {EVIL[5]} and {EVIL[12]}, on each of {count} routes"
    came_back("path traversal", sent, "307, 400, 404, 405, 414 or 422 each time: nothing of a file, nor its path")


async def test_no_address_is_fetched(client: httpx.AsyncClient) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/a.png"
        for key in ("model", "sample"):
            await client.post("/api/v1/traces", json={"model": MODEL, "sample": "mnist.validation.1"} | {key: url})
        picture = f'<svg xmlns="http://www.w3.org/2000/svg"><image href="{url}"/></svg>'
        for content in (url.encode(), picture.encode()):
            is_problem(await upload(client, content, name=url.replace("/", "%2f")), 422)
        assert (await upload(client, png(), name=url)).status_code == 201
        assert (await client.post("/api/v1/samples/texts", json={"text": url})).status_code == 201
        listener.settimeout(0.3)
        with pytest.raises(TimeoutError):
            listener.accept()
    came_back(
        "SSRF", "an address as model, sample, file, SVG, name and text", "422 or kept as text: nothing is fetched"
    )


PATHS = ("../../checkpoints/tiny", f"{MODEL}/../{MODEL}", f"./{MODEL}", "mnist.validation.1/../../x")
TRACE = {"model": MODEL, "sample": "mnist.validation.1"}
SEARCH = {"model": MODEL, "order": "nearest", "to": "mnist.validation.1"}
#: Place -> bodies in which an id stands.
BODIES_OF: dict[str, Callable[[str], tuple[dict[str, Any], ...]]] = {
    "traces": lambda evil: (TRACE | {"model": evil}, TRACE | {"sample": evil}),
    "evaluations": lambda evil: ({"model": MODEL, "samples": 3, "against": {"model": evil, "intervention": {}}},),
    "behaviours": lambda evil: (SEARCH | {"model": evil}, SEARCH | {"to": evil}),
    "behaviours/own": lambda evil: (SEARCH | {"model": evil}, SEARCH | {"to": evil}),
    f"models/{STATEMENTS}/answers": lambda evil: (
        {"sentences": ["a"], "pictures": {"statement": evil}},
        {"sentences": ["a"], "pictures": {"samples": [evil, evil]}},
    ),
    "code": lambda evil: ({"figure": "log-usage", "ids": [evil], "logs": ["log.json"]},),
    f"models/{BLOCKS_PICTURES}/block-runs": lambda evil: ({"input": {"sample": evil, "permutation": 0}},),
}


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("place", BODIES_OF)
async def test_no_id_in_a_body_is_a_path(shared: httpx.AsyncClient, place: str) -> None:
    for evil in (*EVIL, *PATHS, "algo.validation.1", "scenes.validation.-1"):
        for body in BODIES_OF[place](evil):
            response = await shared.post(f"/api/v1/{place}", json=body)
            assert response.status_code in {404, 422}, (evil, response.status_code)
            is_problem(response, response.status_code)


@pytest.mark.asyncio(loop_scope="module")
async def test_no_filter_and_no_comparison_is_a_path(shared: httpx.AsyncClient) -> None:
    for evil in EVIL[:-1]:
        for key in ("set", "model", "origin"):
            response = await shared.get("/api/v1/samples", params={key: evil})
            assert response.status_code in {404, 422}, (evil, response.status_code)
        query = {"model": MODEL, "samples": 3, "against": json.dumps({"model": evil, "intervention": {}})}
        response = await shared.get("/api/v1/evaluations/stream", params=query)
        refused = "event: problem" in response.text and "event: evaluation" not in response.text
        assert refused or '"comparison":{"problem":"There is no such model' in response.text, evil  # of the form of one
        assert SECRET not in response.text


@pytest.mark.asyncio(loop_scope="module")
async def test_negative_and_huge_numbers_are_refused(shared: httpx.AsyncClient) -> None:
    for key in ("limit", "offset", "label"):
        for number in ("-1", "1e9", "99999999999999999999", "NaN", "0x10"):
            is_problem(await shared.get("/api/v1/samples", params={key: number, "set": "mnist"}), 422)
    for scale in ("0", "-1", "65", "33", "1e3", "99999999999999999999"):
        is_problem(await shared.get("/api/v1/samples/mnist.validation.1/image", params={"scale": scale}), 422)


async def test_ids_cannot_be_guessed(shared: httpx.AsyncClient) -> None:
    ids = [(await upload(shared, png())).json()["id"] for _ in range(20)]
    assert len(set(ids)) == 20 and all(len(i) == 32 for i in ids)
    numbers = [int(i, 16) for i in ids]
    assert min(abs(a - b) for a, b in zip(numbers, numbers[1:], strict=False)) > 2**64


async def test_only_web_files_are_served(tmp_path: Path) -> None:
    async with serving(settings(tmp_path, role="all")) as client:
        for path in (
            "/assets/../checkpoints/ni-digits/model.safetensors",
            "/assets/..%2fcheckpoints%2fni-digits%2fmodel.safetensors",
            "/assets/%2e%2e/checkpoints/ni-digits/card.json",
            "/assets/..%5c..%5capp%5cmain.py",
            "/assets//etc/passwd",
            "/assets/%00",
            "/_dash-component-suites/dash/../../main.py",
            "/_dash-component-suites/dash/..%2f..%2fdash%2fdash.py",
            "/_dash-component-suites/os/posixpath.py",
        ):
            response = await client.get(path)
            assert response.status_code in {400, 404, 422, 500} or response.text.startswith("<!DOCTYPE html>"), path
            for secret in (b"def create_app", b'"architecture"', b"root:", b"import ", b"Traceback"):
                assert secret not in response.content, (path, secret)
