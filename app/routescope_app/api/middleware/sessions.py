"""Sessions of the login form, and a limit on wrong tokens of an address."""

import hashlib
import hmac
import ipaddress
import secrets
import time
from contextlib import suppress
from http.cookies import CookieError, SimpleCookie

from cachetools import LRUCache

from routescope_app.settings import Settings

COOKIE = "routescope_session"
#: Addresses whose wrong tokens are remembered; beyond them those that tried longest ago are forgotten.
MOST_ADDRESSES = 10_000
MINUTE = 60.0


def cookie_in(header: str) -> str:
    """The session's cookie in a header ``Cookie``; empty if there is none."""
    try:
        morsel = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return "" if morsel is None else morsel.value


class Guesses:
    """Wrong tokens of the last minute by address, so that only the address that guesses has to wait.

    The same wrong token counts once, so that a program with an old token does not lock out its neighbours.
    """

    def __init__(self, settings: Settings) -> None:
        self._most = settings.login_failures_per_minute
        self._wrong: LRUCache[str, dict[bytes, float]] = LRUCache(MOST_ADDRESSES)

    def wait(self, address: str) -> int:
        """Seconds until this address may try again; 0: at once."""
        key = network_of(address)
        latest = time.monotonic() - MINUTE
        wrong = {token: at for token, at in self._wrong.get(key, {}).items() if at > latest}
        if not wrong:
            self._wrong.pop(key, None)
            return 0
        self._wrong[key] = wrong
        return 0 if len(wrong) < self._most else max(1, int(min(wrong.values()) - latest) + 1)

    def failed(self, address: str, token: str) -> None:
        """Count a wrong token of an address."""
        wrong = self._wrong.setdefault(network_of(address), {})
        wrong.setdefault(hashlib.sha256(token.encode("utf-8", "replace")).digest(), time.monotonic())


def network_of(address: str) -> str:
    """Return the part of an address that a client cannot change: its /64 network for IPv6."""
    with suppress(ValueError):
        parsed = ipaddress.ip_address(address)
        if parsed.version == 6:
            return str(ipaddress.ip_network((parsed, 64), strict=False))
    return address


class Sessions:
    """Sessions of the login form: signed and expiring. ``Users`` has those that were ended earlier."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.guesses = Guesses(settings)

    def token_is(self, offered: str) -> bool:
        """Compare in constant time."""
        expected = self._settings.secret
        return expected is not None and hmac.compare_digest(offered.encode("utf-8", "replace"), expected.encode())

    def issue(self, of: str = "") -> str:
        """Return a cookie's value, valid for some hours, of a user's token id, or empty for the service's token."""
        expires = int(time.time() + self._settings.session_hours * 3600)
        body = f"{expires}.{secrets.token_hex(16)}" + (f".{of}" if of else "")
        return f"{body}.{self._signature(body)}"

    def is_valid(self, value: str) -> bool:
        """Whether the value was issued here with the present token, and has not expired."""
        body, _, signature = value.rpartition(".")
        if not hmac.compare_digest(signature.encode("utf-8", "replace"), self._signature(body).encode()):
            return False
        expires = body.partition(".")[0]
        return expires.isdigit() and int(expires) > time.time()

    @staticmethod
    def issued_of(value: str) -> str:
        """The id of the user's token in a valid value; empty for the token of the service."""
        _, _, *of, _ = value.split(".")
        return of[0] if of else ""

    @staticmethod
    def until(value: str) -> int:
        """When a valid value expires, in seconds since 1970."""
        return int(value.partition(".")[0])

    def _signature(self, body: str) -> str:
        key = hashlib.sha256(b"routescope session" + (self._settings.secret or "").encode()).digest()
        return hmac.new(key, body.encode("utf-8", "replace"), "sha256").hexdigest()
