"""Bodies: too large, too slow, lying, of too many parts, too deep, not finite."""

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.app.serving import MODEL, is_problem, listening, png, serving, settings
from tests.robustness.raw import FILE, Raw, form, head
from tests.robustness.record import came_back

MEBIBYTE = 1024 * 1024
TRACES = "/api/v1/traces"
SAMPLES = "/api/v1/samples"
JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A real server that is impatient."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("routescope_app.api.middleware.limits.MAX_BODIES", 4)
        with listening(settings(tmp_path_factory.mktemp("bodies"), body_seconds=2)) as port:
            yield port


def alive(port: int) -> bool:
    return httpx.get(f"http://127.0.0.1:{port}/api/v1/health", timeout=60).status_code == 200


def post(port: int, *parts: tuple[str, bytes]) -> httpx.Response:
    content_type, body = form(*parts)
    url = f"http://127.0.0.1:{port}{SAMPLES}"
    return httpx.post(url, content=body, headers={"Content-Type": content_type}, timeout=60)


def test_bodies_are_cut_at_the_cap(port: int) -> None:
    response = post(port, (FILE, png() + bytes(11 * MEBIBYTE)))
    assert "8.06 MiB" in is_problem(response, 413)["detail"]
    came_back("oversized body", "a picture with 11 MiB behind it", response)
    assert post(port, (FILE, png() + bytes(8 * MEBIBYTE - 2000))).status_code == 201


def test_endless_chunks(port: int) -> None:
    """No Content-Length at all: counted while it streams, and cut."""
    with Raw(port) as raw:
        content_type, body = form((FILE, b""))
        raw.send(head("POST", SAMPLES, Content_Type=content_type, Transfer_Encoding="chunked"))
        chunk = b"10000\r\n" + bytes(0x10000) + b"\r\n"
        sent = 0
        while sent < 1000 and raw.send(chunk):
            sent += 1
        status, problem = raw.answer()
    assert sent < 1000, "the server took 62 MiB without closing"
    assert status in {413, None}  # None: closed while the client was still sending
    if status == 413:
        assert problem["type"].endswith("too-large")
    assert alive(port)


@pytest.mark.parametrize("declared", [10 * MEBIBYTE * 1024, 99999999999])
def test_a_length_that_is_too_large_is_refused_before_the_body(port: int, declared: int) -> None:
    with Raw(port) as raw:
        content_type, _ = form()
        raw.send(head("POST", SAMPLES, Content_Type=content_type, Content_Length=declared, Expect="100-continue"))
        status, problem = raw.answer()
    assert (status, problem["type"]) == (413, "urn:routescope:problem:too-large")
    came_back("oversized body", f"Content-Length: {declared}, and Expect", f"{status}: {problem['detail']}")


def test_lengths_that_lie(port: int) -> None:
    """What never comes meets the deadline; what follows a body is not taken for part of it."""
    body = json.dumps({"model": MODEL, "sample": "mnist.validation.1"}).encode()
    lengths = {str(len(body) + 50): 408, "10": 400} | dict.fromkeys(("-1", "1e3", "ten", "0x10", "1, 2"), 400)
    for length, expected in lengths.items():
        with Raw(port) as raw:
            raw.send(head("POST", TRACES, Content_Type="application/json", Content_Length=length) + body)
            status, problem = raw.answer()
        assert status == expected, length
        assert status == 400 or problem["type"] == "urn:routescope:problem:too-slow"
    assert alive(port)


def test_one_byte_a_second(port: int) -> None:
    """Slow bodies meet the deadline, take the places of no others, and do not delay quick requests."""
    results: list[int | None] = []

    def slow() -> None:
        with Raw(port) as raw:
            raw.send(head("POST", TRACES, Content_Type="application/json", Content_Length=1000))
            for _ in range(10):
                if not raw.send(b" "):
                    break
                time.sleep(0.5)
            results.append(raw.answer()[0])

    threads = [threading.Thread(target=slow) for _ in range(6)]
    for thread in threads:
        thread.start()
    time.sleep(0.8)
    response = httpx.post(
        f"http://127.0.0.1:{port}{TRACES}", json={"model": MODEL, "sample": "mnist.validation.1"}, timeout=60
    )
    assert response.status_code == 201
    for thread in threads:
        thread.join()
    assert len(results) == 6 and set(results) <= {408, 503, None} and 408 in results
    assert 503 in results, "more bodies than MAX_BODIES were received at once"
    sent = "6 bodies of a byte each half second, where 4 are received at once and have 2 seconds"
    came_back("slow body", sent, "408 or 503; another request was answered meanwhile")
    assert alive(port)


def test_a_client_that_leaves(port: int) -> None:
    for _ in range(20):
        with Raw(port) as raw:
            raw.send(head("POST", TRACES, Content_Type="application/json", Content_Length=1000) + b"{")
    assert alive(port)


def test_many_parts_and_long_headers(port: int) -> None:
    response = post(port, *[('Content-Disposition: form-data; name="a"', b"")] * 10_000)
    assert "Maximum number of fields is 7" in is_problem(response, 400)["detail"]
    came_back("many parts, huge fields", "10,000 empty parts", response)
    for lines in (
        FILE + "\r\nX-Long: " + "a" * MEBIBYTE,
        "Content-Disposition: form-data; name=" + "n" * MEBIBYTE,
        "\r\n".join(f"X-{i}: {i}" for i in range(20_000)) + "\r\n" + FILE,
    ):
        is_problem(post(port, (lines, b"")), 400)
    with Raw(port) as raw:
        raw.send(head("GET", "/api/v1/health", X_Long="a" * MEBIBYTE))
        assert raw.answer()[0] in {400, 431, None}
    assert alive(port)


KINDS_OF_BODY = (
    (TRACES, "text/plain", 415), (TRACES, "application/x-www-form-urlencoded", 415), (TRACES, "application/xml", 415),
    (SAMPLES, "image/png", 415), (SAMPLES, "application/json", 422), (SAMPLES, "multipart/form-data", 400),
)  # fmt: skip


@pytest.mark.asyncio(loop_scope="module")
async def test_long_fields_and_bodies_of_other_kinds(shared: httpx.AsyncClient) -> None:
    is_problem(await shared.get("/api/v1/health", headers={"X-Long": "a" * 40_000}), 431)
    is_problem(await shared.get("/api/v1/samples", params={"set": "a" * 20_000}), 414)
    file = {"file": ("a.png", png(), "image/png")}
    response = await shared.post(SAMPLES, files=file, data={"name": "n" * 20_000})
    assert "maximum size of 16KB" in is_problem(response, 400)["detail"]
    came_back("many parts, huge fields", "a name of 20,000 characters", response)
    is_problem(await shared.post(SAMPLES, files={"other": ("a.png", png())}), 422)
    for path, kind, status in KINDS_OF_BODY:
        is_problem(await shared.post(path, content=b"{}", headers={"Content-Type": kind}), status)
    for content in (b"", b"\r\n", b"--", b"\0" * 500, png()):
        boundary = {"Content-Type": "multipart/form-data; boundary=frontier"}
        response = await shared.post(SAMPLES, content=content, headers=boundary)
        assert response.status_code in {400, 422}
        is_problem(response, response.status_code)
    packed = JSON | {"Content-Encoding": "gzip"}
    is_problem(await shared.post(TRACES, content=b"\x1f\x8b", headers=packed), 415)


#: Of hostile JSON, what the document tells.
TOLD = {
    "[" * 10_000 + "]" * 10_000,
    '{"intervention": {"iterations": NaN}}',
    '{"intervention": {"iterations": 1e999}}',
    '{"model": "\\ud800", "sample": "x"}',
    '{"model": 1}',
}
GOOD = {"model": MODEL, "sample": "mnist.validation.1"}


#: Hostile JSON -> status.
HOSTILE = {
    "[" * 10_000 + "]" * 10_000: 400, '{"a":' * 10_000 + "1" + "}" * 10_000: 400, "[" * 100_000: 400,
    '{"intervention": {"iterations": NaN}}': 422, '{"intervention": {"iterations": Infinity}}': 422,
    '{"intervention": {"iterations": -Infinity}}': 422, '{"intervention": {"iterations": 1e999}}': 422,
    '{"intervention": {"iterations": -1e999}}': 422, '{"intervention": {"iterations": ' + "9" * 5000 + "}}": 400,
    '{"model": "\\ud800", "sample": "x"}': 400, "{": 400, "": 422, "null": 422, "[]": 422, '"text"': 422,
    '{"model": 1}': 422, "{'model': 1}": 400, '{"model": "tiny"} {}': 400, '\ufeff{"model": "tiny"}': 400,
    '{"model": "ti\\u0000ny", "sample": "mnist.validation.1"}': 422,
    '{"model": "tiny\\n", "sample": "mnist.validation.1"}': 422,
    # a quarter megabyte of what makes careless patterns slow
    '"' + '\\"' * 120_000: 400, '"' * 240_000: 400, "\\" * 240_000: 400, '"\\\\' * 80_000: 400,
}  # fmt: skip


@pytest.mark.asyncio(loop_scope="module")
async def test_hostile_json(shared: httpx.AsyncClient) -> None:
    for body, status in HOSTILE.items():
        response = await shared.post(TRACES, content=body.encode(), headers=JSON)
        is_problem(response, status)
        if body in TOLD:
            came_back("text, JSON", f"{body[:40]}{'...' if len(body) > 40 else ''}", response)
    for encoding in ("utf-16", "utf-32", "latin-1"):
        content = json.dumps({"model": "tïny", "sample": "x"}, ensure_ascii=False).encode(encoding)
        is_problem(await shared.post(TRACES, content=content, headers=JSON), 400)


@pytest.mark.asyncio(loop_scope="module")
async def test_brackets_in_strings_are_no_depth_and_errors_echo_nothing(shared: httpx.AsyncClient) -> None:
    units = ["[" * 39 + '"']
    response = await shared.post(TRACES, json={**GOOD, "intervention": {"drop": units}})
    assert "unknown units" in is_problem(response, 422)["detail"]
    came_back("drop sets", "a unit that there is not", response)
    secret = "correct horse battery staple"
    for body in ({"model": secret}, {**GOOD, "sample": secret}, {**GOOD, "intervention": {"iterations": secret}}):
        response = await shared.post(TRACES, json=body)
        assert secret not in response.text
        is_problem(response, 422)


async def test_drop_sets_of_a_million(client: httpx.AsyncClient, tmp_path: Path) -> None:
    async with serving(settings(tmp_path / "wide", max_json_bytes=16 * MEBIBYTE)) as wide:
        response = await wide.post(TRACES, json={**GOOD, "intervention": {"drop": ["f1"] * 1_000_000}})
        assert "1024" in is_problem(response, 422)["detail"]
        came_back("drop sets", "1,000,000 units to be dropped", response)
        assert len(response.content) < 3000
    response = await client.post(TRACES, json={**GOOD, "intervention": {"drop": ["f1"] * 200_000}})
    assert "256 KiB" in is_problem(response, 413)["detail"]
    folded = await client.post(TRACES, json={**GOOD, "intervention": {"drop": ["f1"] * 1024}})
    assert folded.json()["intervention"]["drop"] == ["f1"]
    together = await client.post(TRACES, json={**GOOD, "intervention": {"drop": ["f1"] * 600, "mute": ["f2"] * 600}})
    is_problem(together, 422)
