"""Who asks: a user with a token of their own, a browser that the page has given a cookie, or somebody without one.

The cookie is random and proves nothing but that it is the same browser again; what is stored is its hash.
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
    """The browser's cookie in a header ``Cookie``; None where there is none, or one that was not made here."""
    try:
        morsel = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return None
    return morsel.value if morsel is not None and _VALUE.fullmatch(morsel.value) else None


def owner_of(cookie: str | None) -> str | None:
    """What is stored as the owner: nobody who reads the database can pass for the browser."""
    return None if cookie is None else hashlib.sha256(f"{COOKIE} {cookie}".encode()).hexdigest()


def caller() -> str | None:
    """The owner whose request is being answered: a user, else a browser."""
    name = user.get()
    return owner_of(browser.get()) if name is None else owner_of_user(name)


def on_behalf() -> dict[str, str]:
    """Headers with which the API is asked for the user and the browser whose request is being answered."""
    cookie, name = browser.get(), user.get()
    headers = {} if cookie is None else {"Cookie": f"{COOKIE}={cookie}"}
    return headers if name is None else headers | {ON_BEHALF: quote(name, safe="@+")}


async def _caller() -> str | None:
    return caller()


#: Of a route: the owner that its caller is, or None.
Caller = Annotated[str | None, Depends(_caller)]
