"""Users by their tokens, and logins that were ended, both read again every few seconds."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field

from routescope_app.services.errors import Busy
from routescope_app.services.users import digest_of

log = logging.getLogger(__name__)
#: Seconds for which what was read counts: so long may a token be used that was revoked, and a login that was ended
#: at another server.
KNOWN_SECONDS = 2.0
#: Characters of a token's hash that a login has.
ID_LENGTH = 32


class UsersUnavailable(Exception):
    """The users cannot be read, or an ended login cannot be written; the message has the reason."""


@dataclass(frozen=True)
class KnownUsers:
    """The users that may come in, and the logins that were ended.

    Attributes:
        names: the name of each token's hash.
        ended: hashes of the cookies of logins that were ended.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    ended: Collection[str] = frozenset()


class Users:
    """Names of users by token, and by the id of a token in a login; and which logins were ended.

    Args:
        read: reads both; may raise ``UsersUnavailable``.
        end: stores ended logins, by the hash of the cookie and when each would have expired, in seconds since 1970; may
            raise ``UsersUnavailable``.
    """

    def __init__(
        self, read: Callable[[], Awaitable[KnownUsers]], end: Callable[[Mapping[str, int]], Awaitable[None]]
    ) -> None:
        self._read = read
        self._end = end
        self._names: dict[str, str] | None = None
        self._ended: Collection[str] = frozenset()
        self._ended_here: dict[str, int] = {}
        self._until = 0.0
        self._reading = asyncio.Lock()

    async def of_token(self, token: str) -> str | None:
        """The user of a token; raises Busy if the users could not be read yet."""
        return (await self._known()).get(id_of(token))

    async def of_id(self, identity: str) -> str | None:
        """The user of a login; raises Busy if the users could not be read yet."""
        return (await self._known()).get(identity)

    async def has_ended(self, cookie: str) -> bool:
        """Whether the login with that cookie was ended; raises Busy if that could not be read yet."""
        digest = digest_of(cookie)
        if digest in self._ended_here:
            return True
        await self._known()
        return digest in self._ended

    async def end(self, cookie: str, until: int) -> None:
        """End a login, here at once, and elsewhere after some seconds; ``until``: when it would have expired."""
        present = time.time()
        self._ended_here = {digest: at for digest, at in self._ended_here.items() if at > present}
        self._ended_here[digest_of(cookie)] = until
        try:
            await self._end({digest_of(cookie): until})
        except Exception:  # whatever a driver raises
            log.exception("a login was ended here, but that could not be kept: elsewhere its cookie goes on")

    async def _known(self) -> Mapping[str, str]:
        async with self._reading:
            if time.monotonic() >= self._until:
                await self._read_again()
            if self._names is None:
                raise Busy("Who may come in cannot be read just now; please ask again in a moment.")
            return self._names

    async def _read_again(self) -> None:
        """Read users again; requests that waited meanwhile share the result."""
        try:
            users = await self._read()
            self._names = {digest[:ID_LENGTH]: name for digest, name in users.names.items()}
            self._ended = users.ended
        except UsersUnavailable as error:
            log.error("the tokens of users cannot be read from the API (%s); those that were known go on", error)
        except Exception:  # whatever a driver raises
            log.exception("the tokens of users cannot be read; those that were known go on")
        self._until = time.monotonic() + KNOWN_SECONDS


def id_of(token: str) -> str:
    """The id of a token in a login."""
    return digest_of(token)[:ID_LENGTH]
