"""Identifies browsers by a random cookie of the page; uploads belong to it."""

import itertools
import secrets

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from routescope_app.api import callers
from routescope_app.api.middleware.sessions import network_of
from routescope_app.services.engine.clients import client, client_at, operator, request
from routescope_app.settings import Settings

DAY = 24 * 60 * 60
REQUESTS = itertools.count(1)


class Browsers:
    """ASGI middleware: sets the cookie with the page, and the client of each request.

    The client is the user, the browser, or the address of a program. The operator is a program that has the token of
    the service and asks for nobody else.

    The API itself sets no cookie: uploads of programs without one belong to everybody.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        cookie = callers.cookie_in(headers.get("cookie", ""))

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_page(scope, message):
                value = cookie or secrets.token_hex(16)
                MutableHeaders(scope=message).append("Set-Cookie", self._cookie(value, scope["scheme"] == "https"))
            await send(message)

        address = (scope.get("client") or ("",))[0]
        told = callers.browser.set(cookie)
        caller = callers.caller()
        asking, asked = client.set(caller or client_at(network_of(address))), request.set(next(REQUESTS))
        operating = operator.set(callers.service.get() and caller is None)
        try:
            await self._app(scope, receive, send_with_cookie)
        finally:
            operator.reset(operating)
            request.reset(asked)
            client.reset(asking)
            callers.browser.reset(told)

    def _cookie(self, value: str, secure: bool) -> str:
        """The cookie with a new expiry date, so that it lasts while the browser comes back."""
        ends = f"Max-Age={int(self._settings.browser_days * DAY)}"
        return f"{callers.COOKIE}={value}; {ends}; Path=/; HttpOnly; SameSite=Lax" + ("; Secure" if secure else "")


def _is_page(scope: Scope, message: Message) -> bool:
    return (
        scope["method"] == "GET"
        and message["status"] == 200
        and not scope["path"].startswith(("/api/", "/login"))
        and Headers(raw=message["headers"]).get("content-type", "").startswith("text/html")
    )
