"""Errors that nobody caught, before a library answers them in its own way, without an id or a line of the log."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from routescope_app.api import problems


class Defects:
    """ASGI middleware: a problem with an id, and the traceback in the log under it.

    Args:
        passed: exceptions that mean something to what is outside of this.
        missing: exceptions with which a library says that there is nothing at an address.
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
