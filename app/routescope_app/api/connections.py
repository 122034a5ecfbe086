"""Deadlines of idle connections, and a limit on their number.

A connection is silent until the head of a request is complete, and again after its answer. At the limit the oldest
silent one is closed, never one with a request in progress, so that complete requests are answered however many are
silent.
"""

import asyncio
import logging
import time
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol

from routescope_app.api import problems
from routescope_app.api.middleware.endings import STOPPING
from routescope_app.api.middleware.limits import MAX_CALLBACK_BYTES, MAX_HEADER_BYTES
from routescope_app.settings import Settings

#: Connections of one address without a request in progress; for a further one its oldest is closed.
MAX_SILENT = 250
#: Seconds within which the head of a request must have arrived, from the connection on.
HEAD_SECONDS = 15.0
#: Seconds after which a client is left that does not read what it is sent.
UNREAD_SECONDS = 30.0

log = logging.getLogger(__name__)
#: Seconds between two lines of the log about connections that were closed.
LOG_SECONDS = 60
#: Seconds that a refused client gets to read why.
LAST_WORDS_SECONDS = 1


class SilentConnections:
    """The silent connections of a server, the oldest first."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._by_address: dict[str, dict[WatchedProtocol, None]] = {}
        self._all: dict[WatchedProtocol, None] = {}
        self._closed = 0
        self._logged = -float(LOG_SECONDS)

    def add(self, connection: "WatchedProtocol", address: str, connections: int) -> None:
        """Add one, of so many connections in all; closes another one if that is too many."""
        self._all[connection] = None
        same_address = self._by_address.setdefault(address, {})
        same_address[connection] = None
        if len(same_address) > MAX_SILENT:
            self._close(next(iter(same_address)))
        elif connections > self._settings.max_connections and len(self._all) > 1:
            self._close(next(iter(self._all)))

    def remove(self, connection: "WatchedProtocol", address: str) -> None:
        """Remove one that sends a request, or is closed."""
        self._all.pop(connection, None)
        same_address = self._by_address.get(address, {})
        same_address.pop(connection, None)
        if not same_address:
            self._by_address.pop(address, None)

    def _close(self, connection: "WatchedProtocol") -> None:
        connection.drop()
        self._closed += 1
        if time.monotonic() - self._logged >= LOG_SECONDS:
            log.warning("many connections say nothing; the oldest were closed, %d so far", self._closed)
            self._logged = time.monotonic()


class WatchedProtocol(H11Protocol):
    """uvicorn's HTTP protocol with h11 and deadlines; ``server_options`` makes a class of it for each server."""

    settings: Settings
    silent: SilentConnections
    _address = ""
    _deadline: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _heard = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._address = self.client[0] if self.client else ""
        self._falls_silent()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        before = self.cycle
        self._heard = True
        super().data_received(data)
        if self.cycle is not before and not self.transport.is_closing():
            self._speaks()

    def on_response_complete(self) -> None:
        before = self.cycle
        super().on_response_complete()
        if self.cycle is before:
            self._falls_silent()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._forget()
        super().handle_websocket_upgrade(event)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(UNREAD_SECONDS, self.drop)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def shutdown(self) -> None:
        """Notify streams of events that the server stops."""
        super().shutdown()
        stopping = self.app_state.get(STOPPING)
        if isinstance(stopping, asyncio.Event):
            stopping.set()

    def drop(self) -> None:
        """Close it at once, with unread data."""
        self._forget()
        self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        detail = "This is not a request that can be read; HTTP/1.1 is accepted."
        self._refuse(problems.problem(400, "malformed", "Malformed request", detail))

    def _falls_silent(self) -> None:
        """Start the deadline for the head of the next request."""
        self._speaks()
        self._heard = False
        self._deadline = self.loop.call_later(HEAD_SECONDS, self._too_late)
        self.silent.add(self, self._address, len(self.connections))

    def _speaks(self) -> None:
        self.silent.remove(self, self._address)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _forget(self) -> None:
        self._speaks()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _too_late(self) -> None:
        """Close it after the deadline; a client that has begun a head gets an answer."""
        if not self._heard or self.transport.is_closing() or self.conn.our_state is not h11.IDLE:
            self.drop()
            return
        detail = f"The request's head did not arrive in time; it is accepted within {HEAD_SECONDS:g} seconds."
        self._refuse(problems.problem(408, "too-slow", "Request too slow", detail))

    def _refuse(self, answer: problems.ProblemResponse) -> None:
        """Answer with the reason, and close; if an answer has begun, only close."""
        self._forget()
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state not in {h11.IDLE, h11.SEND_RESPONSE}:
            self.drop()
            return
        answer.report("a connection", self._address)
        headers = [*self.server_state.default_headers, *answer.raw_headers, (b"connection", b"close")]
        reason = STATUS_PHRASES[answer.status_code]
        response = h11.Response(status_code=answer.status_code, headers=headers, reason=reason)
        for event in (response, h11.Data(data=bytes(answer.body)), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
        self._deadline = self.loop.call_later(LAST_WORDS_SECONDS, self.drop)


def server_options(settings: Settings) -> dict[str, Any]:
    """Return the options of uvicorn: h11, which limits the head of a request, and watched connections."""
    return {
        "h11_max_incomplete_event_size": MAX_HEADER_BYTES,
        "ws_max_size": MAX_CALLBACK_BYTES,
        "timeout_graceful_shutdown": settings.shutdown_seconds,
        "access_log": False,
        "server_header": False,
        "proxy_headers": False,
        "http": _watching(settings),
    }


def _watching(settings: Settings) -> type[WatchedProtocol]:
    """The protocol class of one server, whose silent connections are counted together."""
    members: dict[str, Any] = {"settings": settings, "silent": SilentConnections(settings)}
    return type("WatchedProtocol", (WatchedProtocol,), members)
