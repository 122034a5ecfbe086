"""Ids that want to be paths: traversal on every id of every route, through real decoding."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from routescope_app.main import create_app
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
EVIL = [
    "..",
    ".",
    "../secret.txt",
    "..%2fsecret.txt",
    "%2e%2e%2fsecret.txt",
    "%252e%252e%252fsecret.txt",
    "..%5csecret.txt",
    "..%255c..%255csecret.txt",
    "....//secret.txt",
    "//etc/passwd",
    "%2fetc%2fpasswd",
    "..%c0%afsecret.txt",
    "%00",
    "secret.txt%00.png",
    "mnist.validation.-1",
    "mnist.validation.1e3",
    "mnist.validation.00",
    "mnist.validation.%D9%A1",
    "mnist.validation.9999999999999999999999",
    "mnist.validation.1%00",
    "mnist.validation.1%0a",
    "mnist.vali%2fdation.1",
    "..%2f..%2f.1",
    "-1",
    "nan",
    "%F0%9F%A6%8A",
    "a" * 5000,
    "%ff%fe",
    "~root",
    "$HOME",
    "${7*7}",
    "';DROP%20TABLE%20samples;--",
    "C:%5cWindows",
    "file:%2f%2f%2fetc%2fpasswd",
    "http:%2f%2f127.0.0.1",
]
ROUTES = [
    ("GET", "/api/v1/samples/{}"),
    ("GET", "/api/v1/tables/{}"),
    ("GET", "/api/v1/tables/{}/picture"),
    ("GET", "/api/v1/tables/{}/panels"),
    ("POST", "/api/v1/tables/{}/exchanged"),
    ("GET", "/api/v1/samples/{}/image"),
    ("GET", "/api/v1/samples/images?id={}"),
    ("PATCH", "/api/v1/samples/{}"),
    ("DELETE", "/api/v1/samples/{}"),
    ("GET", "/api/v1/traces/{}"),
    ("GET", "/api/v1/traces/{}/fields/compatibility"),
    ("GET", f"/api/v1/traces/{'0' * 40}/fields/{{}}"),
    ("GET", "/api/v1/traces/{}/file"),
    ("GET", "/api/v1/models/{}"),
    ("GET", "/api/v1/models/{}/graph"),
    ("GET", "/api/v1/models/{}/graph/edges"),
    ("GET", "/api/v1/models/{}/graph/matrix"),
    ("GET", "/api/v1/models/{}/graph/file"),
    ("GET", "/api/v1/models/{}/card"),
    ("GET", "/api/v1/models/{}/use"),
    ("GET", "/api/v1/models/{}/units?rule=l1.*"),
    ("GET", f"/api/v1/models/{CIRCUIT}/units?rule={{}}"),
    ("GET", "/api/v1/expert-loads/{}"),
    ("GET", "/api/v1/prunings/{}"),
    ("GET", "/api/v1/prunings/{}/keep-list?keep=6"),
    ("GET", "/api/v1/prunings/{}/model?keep=6"),
    ("GET", f"/api/v1/prunings/{'0' * 40}/keep-list?keep={{}}"),
    ("GET", "/api/v1/unit-sets/{}"),
    ("GET", "/api/v1/snapshots/{}"),
    ("PATCH", "/api/v1/snapshots/{}"),
    ("DELETE", "/api/v1/snapshots/{}"),
    ("GET", "/api/v1/models/{}/graph/modules/m1"),
    ("GET", f"/api/v1/models/{CIRCUIT}/graph/modules/{{}}"),
    ("GET", f"/api/v1/models/{CIRCUIT}/graph/modules/m1?sample={{}}"),
    ("GET", "/api/v1/statements/{}"),
    ("GET", "/api/v1/statements/{}/pictures/0"),
    ("GET", "/api/v1/statements/scenes.validation.1/pictures/{}"),
    ("POST", "/api/v1/models/{}/answers"),
    ("POST", "/api/v1/models/{}/designs"),
    ("POST", "/api/v1/models/{}/designs/links"),
    ("POST", "/api/v1/models/{}/block-runs"),
    ("GET", "/api/v1/models/{}/indicators"),
    ("GET", "/api/v1/sentence-maps/{}"),
    ("POST", "/api/v1/sentence-maps/{}/places"),
    ("GET", "/api/v1/behaviours/{}"),
    ("GET", "/api/v1/models/{}/units"),
    ("GET", "/api/v1/models/{}/use"),
    ("GET", "/api/{}"),
    ("GET", "/api/docs/static/{}"),
]


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


@pytest.mark.parametrize(("method", "route"), ROUTES)
def test_no_id_is_a_path(port: int, method: str, route: str) -> None:
    """Sent as they are, over a socket: no client normalises them first."""
    for evil in EVIL:
        with Raw(port) as raw:
            body = RUNS if route.endswith("/block-runs") else BODIES.get(method, b"")
            extra = {"Content_Type": "application/json", "Content_Length": len(body)} if body else {}
            raw.send(head(method, route.format(evil), **extra) + body)
            status, problem = raw.answer()
        assert status in {400, 404, 405, 414, 422, 307}, (evil, status)
        if status not in {307, 400}:  # a redirect to the same address without the last slash; the server's own 400
            assert problem and SECRET not in str(problem) and "passwd" not in str(problem), (evil, problem)
    sent = f"{len(EVIL)} ids such as {EVIL[2]}, {EVIL[5]} and {EVIL[12]}, on each of {len(ROUTES)} routes"
    came_back("path traversal", sent, "307, 400, 404, 405, 414 or 422 each time: nothing of a file, nor its path")


async def test_no_address_is_fetched(client: httpx.AsyncClient) -> None:
    """A server that waits for a connection gets none, wherever its address stands."""
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


@pytest.mark.parametrize("key", ["model", "sample"])
async def test_no_id_in_a_body_is_a_path(client: httpx.AsyncClient, key: str) -> None:
    for evil in [*EVIL, "../../checkpoints/tiny", f"{MODEL}/../{MODEL}", f"./{MODEL}", "mnist.validation.1/../../x"]:
        body = {"model": MODEL, "sample": "mnist.validation.1", key: evil}
        response = await client.post("/api/v1/traces", json=body)
        assert response.status_code in {404, 422}, (evil, response.status_code)
        is_problem(response, response.status_code)


async def test_no_model_that_is_compared_with_is_a_path(client: httpx.AsyncClient) -> None:
    for evil in [*EVIL, "../../checkpoints/tiny", f"{MODEL}/../{MODEL}", f"./{MODEL}"]:
        against = {"model": evil, "intervention": {}}
        response = await client.post("/api/v1/evaluations", json={"model": MODEL, "samples": 3, "against": against})
        assert response.status_code in {404, 422}, (evil, response.status_code)
        is_problem(response, response.status_code)
        query = {"model": MODEL, "samples": 3, "against": json.dumps(against)}
        response = await client.get("/api/v1/evaluations/stream", params=query)
        refused = "event: problem" in response.text and "event: evaluation" not in response.text
        assert refused or '"comparison":{"problem":"There is no such model' in response.text, evil  # of the form of one
        assert SECRET not in response.text


@pytest.mark.parametrize("place", ["behaviours", "behaviours/own"])
@pytest.mark.parametrize("key", ["model", "to"])
async def test_no_id_of_a_search_is_a_path(client: httpx.AsyncClient, place: str, key: str) -> None:
    for evil in [*EVIL, "../../checkpoints/tiny", "mnist.validation.1/../../x", "picture"]:
        body = {"model": MODEL, "order": "nearest", "to": "mnist.validation.1", key: evil}
        response = await client.post(f"/api/v1/{place}", json=body)
        assert response.status_code in {404, 422}, (evil, response.status_code)
        is_problem(response, response.status_code)


async def test_no_statement_in_a_body_is_a_path(client: httpx.AsyncClient) -> None:
    location = f"/api/v1/models/{STATEMENTS}/answers"
    for evil in [*EVIL, "scenes.validation.-1", "scenes.validation.1/../../x", "../scenes.validation.1"]:
        for pictures in ({"statement": evil}, {"samples": [evil, evil]}):
            response = await client.post(location, json={"sentences": ["a"], "pictures": pictures})
            assert response.status_code in {404, 422}, (evil, response.status_code)
            is_problem(response, response.status_code)


async def test_no_picture_of_a_run_is_a_path(client: httpx.AsyncClient) -> None:
    for evil in [*EVIL, "mnist.validation.1/../../x", "../mnist.validation.1", "algo.validation.1", "mnist.test.1"]:
        body = {"input": {"sample": evil, "permutation": 0}}
        response = await client.post(f"/api/v1/models/{BLOCKS_PICTURES}/block-runs", json=body)
        assert response.status_code in {404, 422}, (evil, response.status_code)
        is_problem(response, response.status_code)


@pytest.mark.parametrize("key", ["set", "model", "origin"])
async def test_no_filter_is_a_path(client: httpx.AsyncClient, key: str) -> None:
    for evil in EVIL[:-1]:
        response = await client.get("/api/v1/samples", params={key: evil})
        assert response.status_code in {404, 422}, (evil, response.status_code)


async def test_negative_and_huge_numbers(client: httpx.AsyncClient) -> None:
    numbers = ["-1", "1e9", "99999999999999999999", "NaN", "0x10", "١", "1_0", " 1"]
    for key in ("limit", "offset", "label"):
        for number in numbers:
            response = await client.get("/api/v1/samples", params={key: number, "set": "mnist"})
            assert response.status_code in {200, 422}, (key, number)
            if response.status_code == 422:
                is_problem(response, 422)
    for scale in ("0", "-1", "65", "33", "1e3", "99999999999999999999"):
        is_problem(await client.get("/api/v1/samples/mnist.validation.1/image", params={"scale": scale}), 422)


async def test_ids_cannot_be_guessed(client: httpx.AsyncClient) -> None:
    ids = [(await upload(client, png())).json()["id"] for _ in range(20)]
    assert len(set(ids)) == 20 and all(len(i) == 32 for i in ids)
    numbers = [int(i, 16) for i in ids]
    assert min(abs(a - b) for a, b in zip(numbers, numbers[1:], strict=False)) > 2**64


async def test_only_web_files_are_served(tmp_path: Path) -> None:
    """Of the bundled files the page's own are served, and neither checkpoints nor sources."""
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


def test_the_app_serves_nothing_else(tmp_path: Path) -> None:
    """Every address of the API alone is known here: a new one must be looked at."""
    app = create_app(settings(tmp_path))
    paths = {path.removeprefix("/api/v1") for path in app.openapi()["paths"]}
    assert paths == {
        "/health", "/ready", "/user", "/users/tokens", "/users/logouts",
        "/models", "/models/{model_id}", "/data", "/samples", "/samples/{sample_id}",
        "/samples/{sample_id}/image", "/samples/images",
        "/traces", "/traces/{trace_id}", "/traces/{trace_id}/fields/{name}",
        "/traces/{trace_id}/file", "/evaluations", "/evaluations/stream", "/jobs", "/jobs/{job_id}",
        "/jobs/{job_id}/events", "/importances", "/importances/{job_id}", "/observations", "/observations/{job_id}",
        "/embeddings", "/embeddings/{job_id}", "/embeddings/{job_id}/arrays/{name}",
        "/models/{model_id}/graph", "/models/{model_id}/graph/edges", "/models/{model_id}/graph/matrix",
        "/models/{model_id}/graph/modules/{unit}", "/scenes/vocabulary", "/statements", "/statements/{statement_id}",
        "/statements/{statement_id}/pictures/{place}", "/models/{model_id}/answers", "/models/{model_id}/designs",
        "/models/{model_id}/designs/links", "/sentence-maps", "/sentence-maps/{job_id}",
        "/sentence-maps/{job_id}/places", "/block-tasks", "/models/{model_id}/block-runs",
        "/models/{model_id}/indicators", "/inputs", "/tables", "/tables/{sample_id}", "/models/{model_id}/card",
        "/tables/{sample_id}/picture", "/tables/{sample_id}/panels", "/tables/{sample_id}/exchanged", "/samples/files",
        "/models/{model_id}/graph/file", "/evaluations/timing", "/snapshots", "/snapshots/{snapshot_id}",
        "/unit-sets", "/unit-sets/{set_id}",
        "/behaviours", "/behaviours/own", "/behaviours/{job_id}", "/models/{model_id}/use", "/models/{model_id}/units",
        "/continuations", "/continuations/stream", "/samples/texts", "/samples/written", "/expert-loads",
        "/expert-loads/{job_id}",
        "/logs", "/logs/comparison", "/logs/comparison/token", "/logs/comparison/tokens", "/logs/recordings",
        "/logs/{log_id}",
        "/logs/{log_id}/file", "/logs/{log_id}/load", "/logs/{log_id}/path", "/logs/{log_id}/sequences",
        "/logs/{log_id}/tokens", "/logs/{log_id}/usage",
        "/prunings", "/prunings/{job_id}", "/prunings/{job_id}/keep-list", "/prunings/{job_id}/model",
    }  # fmt: skip
