"""A read-only service: requests that store something are refused."""

import re

from starlette.types import ASGIApp, Receive, Scope, Send

from routescope_app.api.problems import of_refusal
from routescope_app.services.errors import ServiceReadOnly

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
#: Below ``/api/v1``: requests with a body that only ask, and the end of a login. Jobs are among them: those that are
#: done are told, and new ones refused where they would be queued. Sets of units are held in memory alone.
ASKING = re.compile(
    r"traces|code|unit-sets|evaluations|evaluations/timing|continuations|behaviours/own|sentence-maps/[^/]+/places"
    r"|models/[^/]+/(?:answers|designs|designs/links|block-runs)"
    r"|users/logouts|importances|observations|embeddings|sentence-maps|prunings|expert-loads|behaviours"
)
API = "/api/v1/"


class ReadOnlyMode:
    """ASGI middleware: refuses every request below ``/api/v1`` that writes."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and writes(scope["method"], scope["path"]):
            await of_refusal(ServiceReadOnly())(scope, receive, send)
            return
        await self._app(scope, receive, send)


def writes(method: str, path: str) -> bool:
    """Whether a request stores, changes or deletes something."""
    if method in SAFE or not path.startswith(API):
        return False
    return not (method == "POST" and ASKING.fullmatch(path.removeprefix(API)))
