"""Runs a blocking function in a thread; a cancel notifies the function and waits for its end."""

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Cancelled(Exception):
    """Raised in a thread by work that sees that it is cancelled."""


async def in_thread(work: Callable[[], T], cancelled: threading.Event | None = None) -> T:
    """Like ``asyncio.to_thread``, but a cancel waits until the thread has ended.

    So processor time and files of the work are free afterwards.

    Args:
        cancelled: set on a cancel; long work checks it, and may raise ``Cancelled``.
    """
    thread = asyncio.create_task(asyncio.to_thread(work))
    return await until_ended(thread, (lambda: None) if cancelled is None else cancelled.set)


async def until_ended(thread: "asyncio.Future[T]", cancel: Callable[[], None]) -> T:
    """The result of the thread; a cancel calls ``cancel`` and waits until the thread has ended."""
    try:
        return await asyncio.shield(thread)
    except asyncio.CancelledError:
        cancel()
        await asyncio.gather(thread, return_exceptions=True)
        raise
