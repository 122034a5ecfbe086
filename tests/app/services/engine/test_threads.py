"""What is urgent goes first; nothing is interrupted, nothing runs after the end."""

import threading
from concurrent.futures import CancelledError

import pytest

from app.services.engine.threads import Priority, PriorityThreads


def held(threads: PriorityThreads) -> threading.Event:
    """Keep one thread busy until the event is set."""
    gate, begun = threading.Event(), threading.Event()
    threads.submit(lambda: (begun.set(), gate.wait(20)))
    assert begun.wait(20)
    return gate


def test_the_most_urgent_goes_first_and_equals_in_order() -> None:
    threads, seen = PriorityThreads(1, "test"), list[str]()
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


def test_what_is_cancelled_while_it_waits_never_runs() -> None:
    threads, seen = PriorityThreads(1, "test"), list[int]()
    gate = held(threads)
    gone, kept = threads.submit(lambda: seen.append(1)), threads.submit(lambda: seen.append(2))
    assert gone.cancel()
    gate.set()
    kept.result(20)
    assert seen == [2]
    threads.shutdown()


def test_errors_go_to_who_asked() -> None:
    threads = PriorityThreads(2, "test")
    with pytest.raises(ZeroDivisionError):
        threads.submit(lambda: 1 / 0).result(20)
    assert threads.submit(lambda: threading.current_thread().name).result(20).startswith("test-")
    threads.shutdown()


def test_after_the_end() -> None:
    threads = PriorityThreads(1, "test")
    gate = held(threads)
    waiting = threads.submit(lambda: None)
    threading.Timer(0.05, gate.set).start()
    threads.shutdown()
    with pytest.raises(CancelledError):
        waiting.result(1)
    with pytest.raises(RuntimeError):
        threads.submit(lambda: None)
