"""Sessions of the login form, and how often an address may try tokens."""

import fcntl
import hashlib
import hmac
import ipaddress
import json
import logging
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.cookies import CookieError, SimpleCookie
from pathlib import Path

from app.services.files import write_durably
from app.settings import Settings

log = logging.getLogger(__name__)
COOKIE = "routescope_session"
#: Where sessions are kept that ended before their time, in the data folder.
ENDED = "ended-sessions.json"
#: Addresses whose wrong tokens are remembered; beyond them those that tried longest ago are forgotten.
MOST_ADDRESSES = 10_000
MINUTE = 60.0
#: Of a file that nobody has looked at.
_NEVER = (0, 0, 0)


def cookie_in(header: str) -> str:
    """The session's cookie in a header ``Cookie``; nothing where there is none."""
    try:
        found = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return "" if found is None else found.value


class Guesses:
    """Wrong tokens of the last minute, by the address that they came from: one that guesses keeps nobody else waiting.

    The same wrong token again is no further guess, so a program with an old token does not keep its neighbours out.
    """

    def __init__(self, settings: Settings) -> None:
        self._most = settings.login_failures_per_minute
        self._wrong: OrderedDict[str, dict[bytes, float]] = OrderedDict()

    def wait(self, address: str) -> int:
        """Seconds until this address may try again; 0: at once."""
        key = _network(address)
        latest = time.monotonic() - MINUTE
        wrong = {token: at for token, at in self._wrong.get(key, {}).items() if at > latest}
        if not wrong:
            self._wrong.pop(key, None)
            return 0
        self._wrong[key] = wrong
        return 0 if len(wrong) < self._most else max(1, int(min(wrong.values()) - latest) + 1)

    def failed(self, address: str, token: str) -> None:
        """It tried a token that is wrong."""
        wrong = self._wrong.setdefault(_network(address), {})
        wrong.setdefault(hashlib.sha256(token.encode("utf-8", "replace")).digest(), time.monotonic())
        self._wrong.move_to_end(_network(address))
        while len(self._wrong) > MOST_ADDRESSES:
            self._wrong.popitem(last=False)


def _network(address: str) -> str:
    """Whoever has an address of IPv6 has as many as they like of the same /64."""
    with suppress(ValueError):
        parsed = ipaddress.ip_address(address)
        if parsed.version == 6:
            return str(ipaddress.ip_network((parsed, 64), strict=False))
    return address


class Sessions:
    """Sessions of the login form: signed and expiring; the server keeps those that were ended before.

    Those are in a file, which all processes of one data folder look into.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.guesses = Guesses(settings)
        self._file = settings.data_dir / ENDED
        self._ending = threading.Lock()
        self._seen = _NEVER
        self._ended: dict[str, int] = {}
        self._look()

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
        """Whether the value was issued here, with the present token, has not expired and was not ended."""
        body, _, signature = value.rpartition(".")
        if not hmac.compare_digest(signature.encode("utf-8", "replace"), self._signature(body).encode()):
            return False
        expires = body.partition(".")[0]
        return expires.isdigit() and int(expires) > time.time() and _digest(value) not in self._look()

    @staticmethod
    def issued_of(value: str) -> str:
        """Of a valid value: the id of the user's token that was offered; empty where there was none."""
        _, _, *of, _ = value.split(".")
        return of[0] if of else ""

    def end(self, value: str) -> None:
        """The session is over, also for who has kept its cookie, and after a start; blocking."""
        if not self.is_valid(value):
            return
        with self._ending, _alone_with(self._file):
            now = time.time()
            lasting = {each: until for each, until in self._look().items() if until > now}
            self._ended = lasting | {_digest(value): int(value.partition(".")[0])}
            try:
                write_durably(self._file, json.dumps(self._ended).encode())
            except OSError:
                log.exception("a session was ended, but not in writing: a new start would take its cookie again")

    def _look(self) -> dict[str, int]:
        """Sessions that were ended, read where another process has written since the last look."""
        seen = _NEVER
        try:
            found = self._file.stat()
            seen = found.st_ino, found.st_mtime_ns, found.st_size
            if seen != self._seen:
                read = json.loads(self._file.read_bytes())
                self._ended = self._ended | {str(each): int(until) for each, until in read.items()}
                self._seen = seen
        except FileNotFoundError:
            pass
        except (OSError, ValueError, AttributeError, TypeError):
            if seen != self._seen:
                log.warning("%s could not be read: sessions that were ended before may be open again", ENDED)
                self._seen = seen
        return self._ended

    def _signature(self, body: str) -> str:
        key = hashlib.sha256(b"routescope session" + (self._settings.secret or "").encode()).digest()
        return hmac.new(key, body.encode("utf-8", "replace"), "sha256").hexdigest()


@contextmanager
def _alone_with(file: Path) -> Iterator[None]:
    """While no other process writes the file, where the file system has locks."""
    with ExitStack() as stack:
        with suppress(OSError):
            lock = stack.enter_context(file.with_suffix(".lock").open("w"))
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _digest(value: str) -> str:
    """What is kept of a session: nobody who reads it can take the session up."""
    return hashlib.sha256(value.encode("utf-8", "replace")).hexdigest()
