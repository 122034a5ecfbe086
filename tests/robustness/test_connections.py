"""Connections that say nothing, say it slowly or never read: whole requests are answered meanwhile, and they end."""

import contextlib
import resource
import select
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from routescope_app.api.refusals import LINES_A_MINUTE
from tests.app.serving import MODEL, is_problem, listening, settings
from tests.robustness.raw import Raw, head
from tests.robustness.record import came_back

HEALTH = "/api/v1/health"
TRACES = "/api/v1/traces"


@contextlib.contextmanager
def silent(port: int, count: int) -> Iterator[list[socket.socket]]:
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60)) for _ in range(count)]


def is_open(connection: socket.socket, seconds: float = 0.5) -> bool:
    """Whether the server has left it open, as far as it is known after a while."""
    connection.settimeout(seconds)
    try:
        return connection.recv(1) != b""
    except TimeoutError:
        return True
    except OSError:
        return False


def answers(port: int) -> None:
    """Check that a new connection from the same address has health and a trace."""
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        assert client.get(HEALTH).status_code == 200
        answer = client.post(TRACES, json={"model": MODEL, "sample": "mnist.validation.1"})
        assert answer.status_code == 201, answer.text


def test_whole_requests_beside_two_thousand_silent_connections(tmp_path: Path) -> None:
    """As many as the machine allows; and a request that was in progress before them goes on."""
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    body = b'{"model": "%s", "sample": "mnist.validation.2"}' % MODEL.encode()
    with listening(settings(tmp_path)) as port, Raw(port) as speaking:
        speaking.send(head("POST", TRACES, Content_Type="application/json", Content_Length=len(body)) + body[:5])
        with silent(port, min(2_000, allowed - 800)):
            answers(port)
            speaking.send(body[5:])
            assert speaking.answer()[0] == 201
    sent = "2,000 connections that say nothing, or as many as the machine allows"
    came_back("silent sockets", sent, "health and traces of the same address are answered, and what was begun ends")


def test_at_the_cap_the_oldest_silent_one_goes(tmp_path: Path) -> None:
    with listening(settings(tmp_path, max_connections=4)) as port, Raw(port) as speaking:
        speaking.send(head("POST", TRACES, Content_Type="application/json", Content_Length=100) + b"{")
        with silent(port, 3) as first:
            assert is_open(first[0])
            with silent(port, 2) as further:
                assert [is_open(member) for member in (*first, *further)] == [False, False, True, True, True]
                assert is_open(speaking.socket)


def test_one_address_has_so_many_silent_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routescope_app.api.connections.MAX_SILENT", 2)
    with listening(settings(tmp_path)) as port, silent(port, 3) as opened:
        assert [is_open(member) for member in opened] == [False, True, True]


def test_heads_have_a_deadline_and_refused_bodies_keep_nothing_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A head that began is told, one that said nothing is closed; so is one that stays after its answer."""
    monkeypatch.setattr("routescope_app.api.connections.HEAD_SECONDS", 1)
    with listening(settings(tmp_path, body_seconds=1)) as port:
        with Raw(port) as slow, silent(port, 1) as (nothing,), Raw(port) as stays:
            slow.send(b"GET / HT")
            stays.send(head("GET", HEALTH))
            assert stays.answer()[0] == 200
            status, problem = slow.answer()
            assert status == 408 and problem["type"].endswith("too-slow")
            assert problem["instance"].startswith("urn:uuid:") and "1 seconds" in problem["detail"]
            got = f"{status}: {problem['detail']}"
            came_back("silent sockets", "half a request line, where a second is given", got)
            assert not is_open(nothing, 20) and not is_open(stays.socket, 20)
        with Raw(port) as raw:
            raw.send(head("POST", TRACES, Content_Type="application/json", Content_Length=200_000))
            ends = time.monotonic() + 30
            while raw.send(b" ") and time.monotonic() < ends:
                time.sleep(0.1)
            assert time.monotonic() < ends
        answers(port)


def test_a_client_that_never_reads_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routescope_app.api.connections.UNREAD_SECONDS", 1)
    with listening(settings(tmp_path)) as port:
        whole = len(httpx.get(f"http://127.0.0.1:{port}/api/openapi.json", timeout=60).content)
        count = 60_000_000 // whole
        with socket.socket() as raw:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
            raw.settimeout(20)
            raw.connect(("127.0.0.1", port))
            with contextlib.suppress(OSError):
                raw.sendall(head("GET", "/api/openapi.json") * count)
            waiting = select.poll()
            waiting.register(raw, 0)  # hears of nothing but the end
            waiting.poll(4_000)
            received = 0
            with contextlib.suppress(ConnectionError):
                while part := raw.recv(1 << 20):
                    received += len(part)
            assert received < 0.5 * whole * count


def test_what_is_no_request_is_refused_with_an_id(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Which a line of the log has too; of many such connections some are counted only."""
    with listening(settings(tmp_path)) as port:
        with Raw(port) as raw:
            raw.send(b"\x16\x03\x01\x02\0 this is not HTTP\r\n\r\n")
            status, problem = raw.answer()
        assert status == 400 and problem["instance"].startswith("urn:uuid:")
        assert f"{problem['instance']} 400 malformed: a connection from 127.0.0.1" in caplog.text
        for _ in range(2 * LINES_A_MINUTE):
            with Raw(port) as raw:
                raw.send(b"\0\r\n\r\n")
                assert raw.answer()[0] == 400
        assert caplog.text.count("400 malformed: a connection") <= LINES_A_MINUTE
        with Raw(port) as raw:
            raw.send(
                head("POST", TRACES, Content_Type="application/json", Transfer_Encoding="chunked") + b"nonsense\r\n"
            )
            assert raw.answer()[0] in {400, None}
        is_problem(httpx.get(f"http://127.0.0.1:{port}/api/nothing", timeout=60), 404)
