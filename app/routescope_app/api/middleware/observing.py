"""Ids of requests, metrics by route, and optional log lines in JSON."""

import json
import re
import secrets
import sys
import time
from datetime import UTC, datetime
from typing import TextIO

from starlette.datastructures import Headers, MutableHeaders
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from routescope_app.api import problems, refusals
from routescope_app.api.metrics import Metrics
from routescope_app.api.middleware.security import USER
from routescope_app.services import tracing

HEADER = "X-Request-Id"
#: Ids that a proxy gave already.
_GIVEN = re.compile(r"[A-Za-z0-9._-]{8,64}")
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
#: Where routes of the API are, which know themselves without it.
VERSION = "/api/v1"
#: The route of what matched none.
NONE = "none"


class Observing:
    """ASGI middleware: ids, metrics, log lines.

    Args:
        lines: writes a line of JSON for each request; None: no lines.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics, lines: TextIO | None) -> None:
        self._app = app
        self._metrics = metrics
        self._lines = lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(HEADER, "")
        answer = _Answer(given if _GIVEN.fullmatch(given) else secrets.token_hex(16))
        tracing.describe(request=answer.id)

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer.begin(message)
            elif message["type"] == "http.response.body":
                answer.size += len(message.get("body", b""))
            await send(message)

        self._metrics.in_progress.inc()
        try:
            await self._app(scope, receive, watched)
        finally:
            self._metrics.in_progress.dec()
            self._tell(scope, answer)

    def _tell(self, scope: Scope, answer: "_Answer") -> None:
        method = scope["method"] if scope["method"] in METHODS else "other"
        seconds = time.monotonic() - answer.began
        problem = problems.answered(scope)
        if answer.status:
            waited = answer.first if answer.streams else seconds
            self._metrics.answered(method, route_of(scope), answer.status, waited)
            if problem is not None:
                self._metrics.refused(answer.status, problem.reason)
        if self._lines is None:
            return
        line = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "request": answer.id,
            "trace": tracing.trace_id(),
            "method": method,
            "path": refusals.plain(scope["path"], refusals.LONGEST_PATH),
            "route": route_of(scope),
            "status": answer.status,
            "seconds": round(seconds, 4),
            "bytes": answer.size,
            "address": str(scope["client"][0]) if scope.get("client") else "",
            "user": scope.get(USER),
            "problem": None if problem is None else problem.instance,
            "reason": None if problem is None else problem.reason,
        }
        print(json.dumps(line), file=self._lines, flush=True)


class _Answer:
    """Facts about an answer; status 0: none began, as the connection was closed."""

    def __init__(self, identity: str) -> None:
        self.id = identity
        self.began = time.monotonic()
        self.status = self.size = 0
        self.first = 0.0
        self.streams = False

    def begin(self, start: Message) -> None:
        self.status = start["status"]
        self.first = time.monotonic() - self.began
        headers = MutableHeaders(scope=start)
        self.streams = headers.get("content-type", "").startswith("text/event-stream")
        headers[HEADER] = self.id


def route_of(scope: Scope) -> str:
    """The template of the matched address."""
    route = scope.get("route")
    if not isinstance(route, Route):
        return NONE
    versioned = scope["path"].startswith(VERSION + "/") and not route.path.startswith("/api")
    return VERSION + route.path if versioned else route.path


def standard_output() -> TextIO:
    """The stream for log lines of requests; other logs go to standard error."""
    return sys.stdout
