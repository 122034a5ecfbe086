"""The login form: the token once, then an HttpOnly cookie."""

import html
import uuid
from typing import Annotated

from fastapi import APIRouter, FastAPI, Form
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from routescope_app.api import refusals
from routescope_app.api.middleware.security import address_of, too_many_tries
from routescope_app.api.middleware.sessions import COOKIE, Sessions, cookie_in
from routescope_app.api.middleware.users import Users, id_of
from routescope_app.settings import Settings

#: Characters of the address that the form leads to; of a longer one the start page.
LONGEST_ADDRESS = 4096

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Log in to Routescope</title>
<link rel="icon" href="data:,">
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; display: grid; place-items: center; min-height: 100vh; margin: 0; }
form { display: grid; gap: .75rem; width: min(22rem, 90vw); }
h1 { font-size: 1.25rem; margin: 0; }
input, button { font: inherit; padding: .5rem .75rem; }
p { margin: 0; }
</style>
</head>
<body>
<main>
<form method="post" action="/login">
<h1>Log in to Routescope</h1>
__MESSAGE__
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<input type="hidden" name="next" value="__NEXT__">
<button type="submit">Log in</button>
</form>
</main>
</body>
</html>
"""


def safe_next(target: str) -> str:
    """An address of this service; anything else becomes the start page."""
    plain = target.startswith("/") and not target.startswith("//") and "\\" not in target and target.isprintable()
    return target if plain and len(target) <= LONGEST_ADDRESS else "/"


def _page(target: str, message: str = "", status: int = 200) -> HTMLResponse:
    shown = f'<p role="alert">{html.escape(message)}</p>' if message else ""
    page = PAGE.replace("__MESSAGE__", shown).replace("__NEXT__", html.escape(safe_next(target), quote=True))
    return HTMLResponse(page, status, headers={"Cache-Control": "no-store"})


def install(app: FastAPI, settings: Settings, sessions: Sessions, users: Users) -> None:
    """Add the form's routes."""
    router = APIRouter(include_in_schema=False)

    @router.get("/login")
    async def form(request: Request) -> Response:
        target = request.query_params.get("next", "/")
        return RedirectResponse(safe_next(target), 303) if settings.secret is None else _page(target)

    @router.post("/login")
    async def log_in(
        request: Request,
        token: Annotated[str, Form(max_length=4096)] = "",
        next: Annotated[str, Form(max_length=LONGEST_ADDRESS)] = "/",
    ) -> Response:
        address = address_of(request.scope)
        if wait := sessions.guesses.wait(address):
            return too_many_tries(wait)
        of_service = sessions.token_is(token)
        if not of_service and await users.of_token(token) is None:
            sessions.guesses.failed(address, token)
            message, instance = "That is not the token.", f"urn:uuid:{uuid.uuid4()}"
            refusals.write(401, "wrong-token", instance, "POST /login", message, address)
            return _page(next, message, 401)
        response = RedirectResponse(safe_next(next), 303)
        response.set_cookie(
            COOKIE,
            sessions.issue("" if of_service else id_of(token)),
            max_age=int(settings.session_hours * 3600),
            httponly=True,
            samesite="strict",
            secure="https" in (request.url.scheme, request.headers.get("origin", "").partition(":")[0]),
        )
        return response

    @router.post("/logout")
    async def log_out(request: Request) -> Response:
        cookie = cookie_in(request.headers.get("cookie", ""))
        if settings.secret is not None and sessions.is_valid(cookie):
            await users.end(cookie, sessions.until(cookie))
        response = RedirectResponse("/login", 303)
        response.delete_cookie(COOKIE, httponly=True, samesite="strict")
        return response

    app.include_router(router)
