"""Addresses as the server answers them before Dash does: those of version 0.5, and those of nothing."""

from collections.abc import Iterable

from starlette.datastructures import URL
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: What Dash answers every address with that nothing else has.
EVERYTHING_ELSE = "{path:path}"


class PageAddresses:
    """ASGI middleware: links of 0.5 to its first page lead where that page is now; no page is 404, not 200.

    Args:
        paths: of the pages.
        first: where the page is now that was at ``/`` in 0.5. It had a query; the page at ``/`` has none.
    """

    def __init__(self, app: ASGIApp, paths: Iterable[str], first: str) -> None:
        self._app = app
        self._paths = {path.strip("/") for path in paths}
        self._first = first

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] not in {"GET", "HEAD"}:
            await self._app(scope, receive, send)
            return
        if scope["path"] == "/" and scope["query_string"]:
            address = URL(path=self._first, query=scope["query_string"].decode("latin-1"))
            await RedirectResponse(address)(scope, receive, send)
            return

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 200 and self._is_none(scope):
                message["status"] = 404
            await send(message)

        await self._app(scope, receive, told)

    def _is_none(self, scope: Scope) -> bool:
        """Whether the index was sent for an address that is no page's; known once the request was routed."""
        route = getattr(scope.get("route"), "path", None)
        return str(route).strip("/") == EVERYTHING_ELSE and scope["path"].strip("/") not in self._paths
