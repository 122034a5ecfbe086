"""The client of a request: a user with a token, a browser with the cookie of the page, or neither.

The cookie is random, and only shows that the same browser is back; its hash is stored.
"""

import contextvars
import hashlib
import re
from http.cookies import CookieError, SimpleCookie
from typing import Annotated
from urllib.parse import quote

from fastapi import Depends

from routescope_app.services.users import owner_of_user

COOKIE = "routescope_browser"
_VALUE = re.compile(r"[0-9a-f]{32}")
#: The cookie of the request that is being answered, for what asks the API on its behalf.
browser: contextvars.ContextVar[str | None] = contextvars.ContextVar("browser", default=None)

#: The name of the user of the request that is being answered.
user: contextvars.ContextVar[str | None] = contextvars.ContextVar("user", default=None)
#: Whether it came with the token of the service itself.
service: contextvars.ContextVar[bool] = contextvars.ContextVar("service", default=False)
#: Whether it came with the cookie of the login form, which a log-out ends.
login: contextvars.ContextVar[bool] = contextvars.ContextVar("login", default=False)
#: By which a page's server names the user for whom it asks; believed with the token of the service alone.
ON_BEHALF = "X-Routescope-User"


def cookie_in(header: str) -> str | None:
    """The browser's cookie in a header ``Cookie``; None if there is none, or one of another form."""
    try:
        morsel = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return None
    return morsel.value if morsel is not None and _VALUE.fullmatch(morsel.value) else None


def owner_of(cookie: str | None) -> str | None:
    """The stored name of an owner, from which nobody can make the cookie."""
    return None if cookie is None else hashlib.sha256(f"{COOKIE} {cookie}".encode()).hexdigest()


def caller() -> str | None:
    """The owner of the current request: a user, else a browser."""
    name = user.get()
    return owner_of(browser.get()) if name is None else owner_of_user(name)


def on_behalf() -> dict[str, str]:
    """Headers of a request to the API for the user and the browser of the current request."""
    cookie, name = browser.get(), user.get()
    headers = {} if cookie is None else {"Cookie": f"{COOKIE}={cookie}"}
    return headers if name is None else headers | {ON_BEHALF: quote(name, safe="@+")}


async def _caller() -> str | None:
    return caller()


#: Of a route: the owner that its caller is, or None.
Caller = Annotated[str | None, Depends(_caller)]
