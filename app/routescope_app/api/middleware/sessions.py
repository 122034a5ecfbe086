"""Sessions of the login form, and how often an address may try tokens."""

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
    """The session's cookie in a header ``Cookie``; nothing where there is none."""
    try:
        morsel = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return "" if morsel is None else morsel.value


class Guesses:
    """Wrong tokens of the last minute, by the address that they came from: one that guesses keeps nobody else waiting.

    The same wrong token again is no further guess, so a program with an old token does not keep its neighbours out.
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
        """It tried a token that is wrong."""
        wrong = self._wrong.setdefault(network_of(address), {})
        wrong.setdefault(hashlib.sha256(token.encode("utf-8", "replace")).digest(), time.monotonic())


def network_of(address: str) -> str:
    """Return what a client cannot change of its address: of IPv6, where it has a whole /64, that network."""
    with suppress(ValueError):
        parsed = ipaddress.ip_address(address)
        if parsed.version == 6:
            return str(ipaddress.ip_network((parsed, 64), strict=False))
    return address


class Sessions:
    """Sessions of the login form: signed and expiring. Which were ended before is known by who knows the users."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.guesses = Guesses(settings)

    def token_is(self, offered: str) -> bool:
        """Compare in constant time."""
        expected = self._settings.secret
        return expected is not None and hmac.compare_digest(offered.encode("utf-8", "replace"), expected.encode())

    def issue(self, of: str = "") -> str:
        """A cookie's value that is valid for some hours.

        Args:
            of: id of the user's token that was offered; empty: it was the token of the service.
        """
        expires = int(time.time() + self._settings.session_hours * 3600)
        body = f"{expires}.{secrets.token_hex(16)}" + (f".{of}" if of else "")
        return f"{body}.{self._signature(body)}"

    def is_valid(self, value: str) -> bool:
        """Whether the value was issued here, with the present token, and has not expired."""
        body, _, signature = value.rpartition(".")
        if not hmac.compare_digest(signature.encode("utf-8", "replace"), self._signature(body).encode()):
            return False
        expires = body.partition(".")[0]
        return expires.isdigit() and int(expires) > time.time()

    @staticmethod
    def issued_of(value: str) -> str:
        """Of a valid value: the id of the user's token that was offered; empty where there was none."""
        _, _, *of, _ = value.split(".")
        return of[0] if of else ""

    @staticmethod
    def until(value: str) -> int:
        """Of a valid value: when it expires, in seconds since 1970."""
        return int(value.partition(".")[0])

    def _signature(self, body: str) -> str:
        key = hashlib.sha256(b"routescope session" + (self._settings.secret or "").encode()).digest()
        return hmac.new(key, body.encode("utf-8", "replace"), "sha256").hexdigest()
