"""Who asks: a browser that the page has given a cookie, or somebody without one, such as a program.

The cookie is random and proves nothing but that it is the same browser again; what is stored is its hash.
"""

import contextvars
import hashlib
import re
from http.cookies import CookieError, SimpleCookie
from typing import Annotated

from fastapi import Depends

COOKIE = "routescope_browser"
_VALUE = re.compile(r"[0-9a-f]{32}")
#: The cookie of the request that is being answered, for what asks the API on its behalf.
browser: contextvars.ContextVar[str | None] = contextvars.ContextVar("browser", default=None)


def cookie_in(header: str) -> str | None:
    """The browser's cookie in a header ``Cookie``; None where there is none, or one that was not made here."""
    try:
        found = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return None
    return found.value if found is not None and _VALUE.fullmatch(found.value) else None


def owner_of(cookie: str | None) -> str | None:
    """What is stored as the owner: nobody who reads the database can pass for the browser."""
    return None if cookie is None else hashlib.sha256(f"{COOKIE} {cookie}".encode()).hexdigest()


def caller() -> str | None:
    """The owner whose request is being answered."""
    return owner_of(browser.get())


def on_behalf() -> dict[str, str]:
    """Headers with which the API is asked for the browser whose request is being answered."""
    cookie = browser.get()
    return {} if cookie is None else {"Cookie": f"{COOKIE}={cookie}"}


async def _caller() -> str | None:
    return caller()


#: Of a route: the owner that its caller is, or None.
Caller = Annotated[str | None, Depends(_caller)]
