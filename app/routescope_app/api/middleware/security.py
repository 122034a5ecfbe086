"""Access to the service, and headers that limit browsers."""

import ipaddress
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from routescope_app.api import callers, problems
from routescope_app.api.middleware.sessions import Sessions, cookie_in
from routescope_app.api.middleware.users import Users
from routescope_app.api.probes import HEALTH, METRICS, READY
from routescope_app.api.schemas.users import WITHIN
from routescope_app.services.errors import Busy
from routescope_app.settings import Settings, is_loopback

#: Reachable without the token.
OPEN_PATHS = frozenset({HEALTH, READY, "/login"})
#: Where the scope of a request says what connected, and the user who was let in.
PEER, USER = "routescope.peer", "routescope.user"
#: Characters of the name by which a proxy may call a user.
LONGEST_NAME = 200
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
BEARER = {"WWW-Authenticate": "Bearer"}


def address_of(scope: Scope) -> str:
    """The address of a client: of the connection, or from a trusted proxy."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def too_many_tries(wait: int) -> Response:
    """The answer for an address that tried too many wrong tokens and has to wait for so many seconds."""
    detail = f"Too many wrong tokens came from this address; it may try again in {wait} seconds."
    return problems.problem(429, "too-many-tries", "Too many tries", detail, headers={"Retry-After": str(wait)})


class Peers:
    """ASGI middleware: keeps the address of the connection, before a proxy's header replaces it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in {"http", "websocket"}:
            scope[PEER] = address_of(scope)
        await self._app(scope, receive, send)


@dataclass(frozen=True)
class Admission:
    """An admitted client.

    Attributes:
        user: name of the user; None for others.
        service: whether it sent the token of the service itself.
        login: whether it sent the cookie of the login form.
    """

    user: str | None = None
    service: bool = False
    login: bool = False


class Access:
    """ASGI middleware: requires a token, or without one the loopback; refuses changes from pages of other sites."""

    def __init__(self, app: ASGIApp, settings: Settings, sessions: Sessions, users: Users) -> None:
        self._app = app
        self._settings = settings
        self._sessions = sessions
        self._users = users
        self._open = OPEN_PATHS | {METRICS} if settings.metrics == "open" else OPEN_PATHS
        self._proxies = tuple(ipaddress.ip_network(each) for each in settings.trusted_proxies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        try:
            entered = await self._enter(scope, headers)
        except Busy as busy:
            entered = problems.of_refusal(busy)
        refusal = entered if isinstance(entered, Response) else self._of_origin(scope, headers, entered.login)
        if refusal is not None or isinstance(entered, Response):
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            elif refusal is not None:
                await refusal(scope, receive, send)
            return
        scope[USER] = entered.user
        named, with_secret = callers.user.set(entered.user), callers.service.set(entered.service)
        with_cookie = callers.login.set(entered.login)
        try:
            await self._app(scope, receive, send)
        finally:
            callers.login.reset(with_cookie)
            callers.service.reset(with_secret)
            callers.user.reset(named)

    async def _enter(self, scope: Scope, headers: Headers) -> Admission | Response:
        if self._settings.secret is None:
            if not self._is_local(scope, headers):
                detail = "Without a token this service answers on its own machine only, as localhost or 127.0.0.1."
                return problems.problem(403, "not-local", "Not from here", detail)
            user = _on_behalf(headers) if scope.get(PEER) == WITHIN else None
            return Admission(user or self._told_by_proxy(scope, headers))
        if (user := self._told_by_proxy(scope, headers)) is not None:
            return Admission(user)
        if is_loopback(self._settings.host) and not self._is_named(headers) and not self._is_from_within(scope):
            detail = (
                "This service listens on its own machine alone, and was addressed by another name than localhost or "
                "127.0.0.1; accepted are names in ROUTESCOPE_ALLOWED_HOSTS, or requests of ROUTESCOPE_TRUSTED_PROXIES."
            )
            return problems.problem(403, "not-local", "Not from here", detail)
        if scope["path"] in self._open:
            return Admission()
        cookie = cookie_in(headers.get("cookie", ""))
        if self._sessions.is_valid(cookie) and not await self._users.has_ended(cookie):
            identity = self._sessions.issued_of(cookie)
            name = await self._users.of_id(identity) if identity else None
            if name is not None or not identity:  # else its token was revoked
                return Admission(name, login=True)
        scheme, _, offered = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and offered.strip():
            return await self._of_bearer(scope, headers, offered.strip())
        if _wants_page(scope, headers):
            query = scope["query_string"].decode("latin-1")
            asked = quote(scope["path"], safe="/") + ("?" + query if query else "")
            return RedirectResponse(f"/login?next={quote(asked, safe='/')}", 303)
        detail = "This service wants its token: send the header 'Authorization: Bearer TOKEN', or log in at /login."
        return problems.problem(401, "no-token", "Token needed", detail, headers=BEARER)

    async def _of_bearer(self, scope: Scope, headers: Headers, offered: str) -> Admission | Response:
        address = address_of(scope)
        if wait := self._sessions.guesses.wait(address):
            return too_many_tries(wait)
        if self._sessions.token_is(offered):
            return Admission(_on_behalf(headers), service=True)
        if (name := await self._users.of_token(offered)) is not None:
            return Admission(name)
        self._sessions.guesses.failed(address, offered)
        return problems.problem(
            401, "wrong-token", "Not the token", "That is not this service's token.", headers=BEARER
        )

    def _told_by_proxy(self, scope: Scope, headers: Headers) -> str | None:
        """The user that a trusted proxy has logged in; None if there is none."""
        if self._settings.user_header is None or not self._is_of_a_proxy(scope):
            return None
        named = headers.getlist(self._settings.user_header)
        return _name(named[0]) if len(named) == 1 else None

    def _is_of_a_proxy(self, scope: Scope) -> bool:
        try:
            peer = ipaddress.ip_address(scope.get(PEER, ""))
        except ValueError:
            return False
        return any(peer in network for network in self._proxies)

    def _is_from_within(self, scope: Scope) -> bool:
        """Whether it comes from the page of this process, or from a trusted proxy, which has checked the host name."""
        return scope.get(PEER) == WITHIN or self._is_of_a_proxy(scope)

    def _of_origin(self, scope: Scope, headers: Headers, login: bool) -> Response | None:
        """The refusal of a change; with the cookie of a login, and for the login itself, the origin has to be ours."""
        if scope["type"] == "http" and scope["method"] in SAFE_METHODS:
            return None
        asks = login or (scope["path"] == "/login" and self._settings.secret is not None)
        if self._same_origin(headers, programs=not asks):
            return None
        detail = "Changes are accepted from this service's own pages and from programs, not from other sites' pages."
        if asks and "origin" not in headers:
            detail = (
                "With a login by the form, changes are accepted from this service's own pages, which send the header "
                "Origin; programs send 'Authorization: Bearer TOKEN' instead."
            )
        return problems.problem(403, "other-origin", "From another site", detail)

    def _is_local(self, scope: Scope, headers: Headers) -> bool:
        """Whether it arrived on a loopback address, under a name that only this machine has."""
        server = scope.get("server")
        if server is not None and server[1] is not None and not is_loopback(str(server[0])):
            return False
        return self._is_named(headers)

    def _is_named(self, headers: Headers) -> bool:
        """Whether its host name may only be this machine, so that pages of other names cannot reach it."""
        name = _host_of("//" + headers.get("host", ""))
        return name is not None and (is_loopback(name) or name in self._settings.allowed_hosts)

    def _same_origin(self, headers: Headers, programs: bool) -> bool:
        """Whether it comes from a page of ours, or, with ``programs``, from no page."""
        origin = headers.get("origin")
        if origin is None:
            site = headers.get("sec-fetch-site")
            return site == "same-origin" or (programs and site in {None, "none"})
        if origin in self._settings.allowed_origins:
            return True
        return origin != "null" and urlsplit(origin).netloc.lower() == headers.get("host", "").lower()


def _on_behalf(headers: Headers) -> str | None:
    """The user for whom a page's server asks."""
    return _name(unquote(headers.get(callers.ON_BEHALF, "")))


def _name(value: str) -> str | None:
    value = value.strip()
    return value if 0 < len(value) <= LONGEST_NAME and value.isprintable() else None


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
    """ASGI middleware: security headers for browsers.

    Args:
        script_hashes: returns the Content-Security-Policy hashes of the page's inline scripts.
        framing: origins whose pages may show the pages of this service in a frame.
    """

    def __init__(self, app: ASGIApp, script_hashes: Callable[[], tuple[str, ...]], framing: Sequence[str] = ()) -> None:
        self._app = app
        self._script_hashes = script_hashes
        self._framing = " ".join(framing) or "'none'"

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
        policy = self._policy(path)
        # X-Frame-Options knows no list of origins.
        frames = {"X-Frame-Options": "DENY"} if "frame-ancestors 'none'" in policy else {}
        return frames | {
            "Content-Security-Policy": policy,
            "X-Content-Type-Options": "nosniff",
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
            f"font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; form-action 'self'; "
            f"base-uri 'none'; frame-ancestors {self._framing}; object-src 'none'"
        )
