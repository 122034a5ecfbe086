"""Uncaught errors, before a library answers them without an id or a log line."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from routescope_app.api import problems


class Defects:
    """ASGI middleware: answers with a problem, and logs the traceback under its id.

    Args:
        passed: exceptions for outer middleware.
        missing: exceptions of a library for an unknown address.
    """

    def __init__(
        self,
        app: ASGIApp,
        passed: tuple[type[Exception], ...] = (),
        missing: tuple[type[Exception], ...] = (),
    ) -> None:
        self._app = app
        self._passed = passed
        self._missing = missing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except self._passed:
            raise
        except Exception as error:
            if not started and isinstance(error, self._missing):
                await problems.nothing_here()(scope, receive, send)
                return
            answer = problems.unexpected(error)
            if started:
                raise
            await answer(scope, receive, send)
