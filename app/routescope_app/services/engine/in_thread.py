"""Runs a blocking function in a thread; a cancel tells it, and waits until it has ended."""

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Cancelled(Exception):
    """Raised in a thread by work that sees that it is cancelled."""


async def in_thread(work: Callable[[], T], cancelled: threading.Event | None = None) -> T:
    """As ``asyncio.to_thread``, but a cancel waits until the thread has ended.

    So whatever the work takes, room on the processor and files that it writes, is free afterwards.

    Args:
        cancelled: set on a cancel; long work looks at it, and may raise ``Cancelled``.
    """
    thread = asyncio.create_task(asyncio.to_thread(work))
    return await until_ended(thread, (lambda: None) if cancelled is None else cancelled.set)


async def until_ended(thread: "asyncio.Future[T]", cancel: Callable[[], None]) -> T:
    """What the thread gives; a cancel calls ``cancel`` and waits until the thread has ended."""
    try:
        return await asyncio.shield(thread)
    except asyncio.CancelledError:
        cancel()
        await asyncio.gather(thread, return_exceptions=True)
        raise
