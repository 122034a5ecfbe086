"""Who may talk to the service, and what browsers may do with its answers."""

from collections.abc import Callable
from urllib.parse import quote, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api import problems
from app.api.middleware.sessions import Sessions, cookie_in
from app.settings import Settings, is_loopback

#: Reachable without the token.
OPEN_PATHS = frozenset({"/api/v1/health", "/api/v1/ready", "/login"})
METRICS = "/metrics"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
BEARER = {"WWW-Authenticate": "Bearer"}


def address_of(scope: Scope) -> str:
    """Whom a request came from: what connected, or whom a trusted proxy names."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def too_many_tries(wait: int) -> Response:
    """For an address that tried too many wrong tokens and may do so again in ``wait`` seconds."""
    detail = f"Too many wrong tokens came from this address; it may try again in {wait} seconds."
    return problems.problem(429, "too-many-tries", "Too many tries", detail, headers={"Retry-After": str(wait)})


class Access:
    """ASGI middleware: the token, or without one the loopback alone; and no changes from other sites' pages."""

    def __init__(self, app: ASGIApp, settings: Settings, sessions: Sessions) -> None:
        self._app = app
        self._settings = settings
        self._sessions = sessions
        self._open = OPEN_PATHS | {METRICS} if settings.metrics == "open" else OPEN_PATHS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in {"http", "websocket"}:
            refusal = self._refusal(scope)
            if refusal is not None:
                if scope["type"] == "websocket":
                    await send({"type": "websocket.close", "code": 1008})
                else:
                    await refusal(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if self._settings.secret is None:
            if not self._is_local(scope, headers):
                detail = "Without a token this service answers on its own machine only, as localhost or 127.0.0.1."
                return problems.problem(403, "not-local", "Not from here", detail)
        elif scope["path"] not in self._open and not self._sessions.is_valid(cookie_in(headers.get("cookie", ""))):
            scheme, _, offered = headers.get("authorization", "").partition(" ")
            if scheme.lower() == "bearer" and offered.strip():
                return self._of_bearer(scope, headers, offered.strip())
            if _wants_page(scope, headers):
                query = scope["query_string"].decode("latin-1")
                asked = quote(scope["path"], safe="/") + ("?" + query if query else "")
                return RedirectResponse(f"/login?next={quote(asked, safe='/')}", 303)
            detail = "This service wants its token: send the header 'Authorization: Bearer TOKEN', or log in at /login."
            return problems.problem(401, "no-token", "Token needed", detail, headers=BEARER)
        return self._of_origin(scope, headers)

    def _of_bearer(self, scope: Scope, headers: Headers, offered: str) -> Response | None:
        address = address_of(scope)
        if wait := self._sessions.guesses.wait(address):
            return too_many_tries(wait)
        if not self._sessions.accepts(offered, address):
            return problems.problem(
                401, "wrong-token", "Not the token", "That is not this service's token.", headers=BEARER
            )
        return self._of_origin(scope, headers)

    def _of_origin(self, scope: Scope, headers: Headers) -> Response | None:
        if (scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS) and not self._same_origin(headers):
            detail = (
                "Changes are accepted from this service's own pages and from programs, not from other sites' pages."
            )
            return problems.problem(403, "other-origin", "From another site", detail)
        return None

    def _is_local(self, scope: Scope, headers: Headers) -> bool:
        """The connection arrived on a loopback address, and under a name that only this machine has."""
        server = scope.get("server")
        if server is not None and server[1] is not None and not is_loopback(str(server[0])):
            return False
        name = _host_of("//" + headers.get("host", ""))
        return name is not None and (is_loopback(name) or name in self._settings.allowed_hosts)

    def _same_origin(self, headers: Headers) -> bool:
        origin = headers.get("origin")
        if origin is None:
            return headers.get("sec-fetch-site", "none") in {"same-origin", "none"}
        if origin in self._settings.allowed_origins:
            return True
        return origin != "null" and urlsplit(origin).netloc.lower() == headers.get("host", "").lower()


def _host_of(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _wants_page(scope: Scope, headers: Headers) -> bool:
    return (
        scope["type"] == "http"
        and scope["method"] == "GET"
        and not scope["path"].startswith("/api/v1")
        and "text/html" in headers.get("accept", "")
    )


class BrowserRules:
    """ASGI middleware: headers that bind browsers.

    Args:
        script_hashes: gives the Content-Security-Policy hashes of the page's inline scripts.
    """

    def __init__(self, app: ASGIApp, script_hashes: Callable[[], tuple[str, ...]]) -> None:
        self._app = app
        self._script_hashes = script_hashes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_rules(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._rules(scope["path"]).items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_rules)

    def _rules(self, path: str) -> dict[str, str]:
        return {
            "Content-Security-Policy": self._policy(path),
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        }

    def _policy(self, path: str) -> str:
        closed = "base-uri 'none'; frame-ancestors 'none'; object-src 'none'"
        if path.startswith("/api/docs"):
            return (
                "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
                f"connect-src 'self'; form-action 'none'; {closed}"
            )
        if path.startswith("/api"):
            return f"default-src 'none'; form-action 'none'; {closed}"
        if path == "/login":
            return f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; {closed}"
        # Mantine and Plotly write style attributes; scripts are files of ours or the page's own, known by hash.
        scripts = " ".join(("'self'", *self._script_hashes()))
        return (
            f"default-src 'self'; script-src {scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
            f"font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; form-action 'self'; {closed}"
        )
