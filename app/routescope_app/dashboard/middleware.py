"""Answers 404 at addresses of no page, where Dash answers 200."""

from collections.abc import Iterable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: What Dash answers every address with that nothing else has.
EVERYTHING_ELSE = "{path:path}"


class PageAddresses:
    """ASGI middleware that answers 404 at addresses of no page.

    Args:
        paths: of the pages.
    """

    def __init__(self, app: ASGIApp, paths: Iterable[str]) -> None:
        self._app = app
        self._paths = {path.strip("/") for path in paths}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] not in {"GET", "HEAD"}:
            await self._app(scope, receive, send)
            return

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 200 and self._is_none(scope):
                message["status"] = 404
            await send(message)

        await self._app(scope, receive, told)

    def _is_none(self, scope: Scope) -> bool:
        """Return whether the address of an index belongs to no page; known once the request was routed."""
        route = getattr(scope.get("route"), "path", None)
        return str(route).strip("/") == EVERYTHING_ELSE and scope["path"].strip("/") not in self._paths
