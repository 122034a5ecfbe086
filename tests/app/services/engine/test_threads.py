"""Kinds, clients and requests get their shares of the time; nothing is interrupted, nothing runs after the end."""

import contextvars
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from typing import Any

import pytest

from routescope_app.services.engine import threads as threads_module
from routescope_app.services.engine.clients import client, request
from routescope_app.services.engine.threads import MOST_CHARGED, SHARES, Priority, SharedThreads


def held(threads: SharedThreads) -> threading.Event:
    """Keep one thread busy until the event is set."""
    gate, begun = threading.Event(), threading.Event()
    threads.submit(lambda: (begun.set(), gate.wait(20)), Priority.JOB)
    assert begun.wait(20)
    return gate


class Clock:
    """A time that passes while pieces run, and not otherwise."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seconds = 0.0
        monkeypatch.setattr(threads_module.time, "perf_counter", lambda: self.seconds)

    def piece(self, seconds: float, then: Callable[[], Any] = lambda: None) -> Callable[[], None]:
        def run() -> None:
            self.seconds += seconds
            then()

        return run


def submit(
    threads: SharedThreads, work: Callable[[], Any], priority: Priority, own: str = "", asked: int = 0
) -> "Future[Any]":
    """Submit work for that request of that client."""

    def asking() -> "Future[Any]":
        client.set(own), request.set(asked)
        return threads.submit(work, priority)

    return contextvars.copy_context().run(asking)


def test_of_equals_the_most_urgent_goes_first_and_those_of_a_request_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    Clock(monkeypatch)  # nothing takes any time
    threads, seen = SharedThreads(1, "test"), list[str]()
    gate = held(threads)
    futures = [
        threads.submit(lambda name=name: seen.append(name), priority)  # type: ignore[misc]
        for name, priority in (
            ("job", Priority.JOB), ("stream 1", Priority.STREAM), ("trace", Priority.TRACE),
            ("stream 2", Priority.STREAM), ("late trace", Priority.TRACE),
        )
    ]  # fmt: skip
    gate.set()
    for future in futures:
        future.result(20)
    assert seen == ["trace", "late trace", "stream 1", "stream 2", "job"]
    threads.shutdown()


def test_where_all_wait_kinds_have_their_shares_and_clients_and_requests_even_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However many pieces each brings, and however long they are, up to what a client is charged for one."""
    clock = Clock(monkeypatch)
    unit = MOST_CHARGED / 30
    threads, took = SharedThreads(1, "test"), Counter[tuple[Priority, str, int]]()
    gate = held(threads)
    asking = {
        (Priority.TRACE, "a", 1): 10, (Priority.TRACE, "a", 2): 3, (Priority.TRACE, "b", 3): 30,
        (Priority.STREAM, "a", 4): 7, (Priority.STREAM, "b", 5): 10, (Priority.JOB, "", 0): 5,
    }  # fmt: skip
    done, most = threading.Event(), 14_000

    def count(who: tuple[Priority, str, int], seconds: int) -> None:
        took[who] += seconds
        if took.total() >= most:
            done.set()

    futures = []
    for (priority, expected, asked), seconds in asking.items():
        who = (priority, expected, asked)
        for _ in range(most // seconds):
            work = clock.piece(unit * seconds, lambda who=who, seconds=seconds: done.is_set() or count(who, seconds))  # type: ignore[misc]
            futures.append(submit(threads, work, priority, expected, asked))
    gate.set()
    assert done.wait(60)
    threads.shutdown()
    by_kind = {kind: sum(item for who, item in took.items() if who[0] == kind) for kind in Priority}
    for kind, share in SHARES.items():
        assert by_kind[kind] == pytest.approx(most * share / sum(SHARES.values()), abs=100)
    assert took[Priority.TRACE, "b", 3] == pytest.approx(by_kind[Priority.TRACE] / 2, abs=100)
    assert took[Priority.TRACE, "a", 1] == pytest.approx(by_kind[Priority.TRACE] / 4, abs=100)
    assert took[Priority.STREAM, "a", 4] == pytest.approx(by_kind[Priority.STREAM] / 2, abs=100)


def test_a_client_with_a_long_piece_does_not_wait_until_others_had_as_much(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, threads, order = Clock(monkeypatch), SharedThreads(1, "test"), list[str]()
    gate = held(threads)
    futures = [submit(threads, clock.piece(100, lambda: order.append("long")), Priority.TRACE, "a", 1)]
    for number in range(60):
        short = clock.piece(MOST_CHARGED / 5, lambda: order.append("short"))
        futures.append(submit(threads, short, Priority.TRACE, "b", 2 + number))
    futures.append(submit(threads, clock.piece(1, lambda: order.append("next")), Priority.TRACE, "a", 70))
    gate.set()
    for future in futures:
        future.result(20)
    threads.shutdown()
    assert order.index("next") - order.index("long") <= 7  # five short ones are as much as it was charged


def test_what_is_cancelled_while_it_waits_never_runs_and_keeps_no_place() -> None:
    threads, seen = SharedThreads(1, "test"), list[int]()
    gate = held(threads)
    gone = [submit(threads, lambda: seen.append(1), Priority.TRACE, "gone", number) for number in range(100)]
    kept = threads.submit(lambda: seen.append(2))
    assert all(item.cancel() for item in gone)
    gate.set()
    kept.result(20)
    threads.submit(lambda: None, Priority.JOB).result(20)
    deadline = time.monotonic() + 20
    while any(threads._waiting.values()) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert seen == [2]
    threads.shutdown()
    assert not any(queue._lines for queue in threads._waiting.values())


def test_errors_go_to_who_asked_and_nothing_runs_after_the_end() -> None:
    threads = SharedThreads(1, "test")
    with pytest.raises(ZeroDivisionError):
        threads.submit(lambda: 1 / 0).result(20)
    assert threads.submit(lambda: threading.current_thread().name).result(20).startswith("test-")
    gate = held(threads)
    waiting = threads.submit(lambda: None)
    threading.Timer(0.05, gate.set).start()
    threads.shutdown()
    with pytest.raises(CancelledError):
        waiting.result(1)
    with pytest.raises(RuntimeError):
        threads.submit(lambda: None)
