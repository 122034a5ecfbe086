"""The users that a server knows by their tokens, asked for again every few seconds."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping

from app.services.errors import Busy
from app.services.users import digest_of

log = logging.getLogger(__name__)
#: Seconds for which what was read counts: so long may a token be used that was revoked.
KNOWN_SECONDS = 2.0
#: Seconds after which a client is to ask again where nothing is known yet.
AGAIN_SECONDS = 2
#: Characters of a token's hash that a login has.
ID_LENGTH = 32


class Unread(Exception):
    """The users cannot be read, for a reason that is said in words."""


class Users:
    """Names by token, and by the id of a token that a login has.

    Args:
        read: gives the name of each token's hash; may raise ``Unread``.
    """

    def __init__(self, read: Callable[[], Awaitable[Mapping[str, str]]]) -> None:
        self._read = read
        self._names: dict[str, str] | None = None
        self._until = 0.0
        self._reading = asyncio.Lock()

    async def of_token(self, token: str) -> str | None:
        """Whose it is; raises Busy where the users could not be read yet."""
        return (await self._known()).get(id_of(token))

    async def of_id(self, identity: str) -> str | None:
        """Whose a login is; raises Busy where the users could not be read yet."""
        return (await self._known()).get(identity)

    async def _known(self) -> Mapping[str, str]:
        async with self._reading:
            if time.monotonic() >= self._until:
                await self._read_again()
            if self._names is None:
                raise Busy("Who may come in cannot be read just now; please ask again in a moment.", AGAIN_SECONDS)
            return self._names

    async def _read_again(self) -> None:
        """Who waited meanwhile gets the same answer, or the same refusal, instead of asking once more."""
        try:
            self._names = {digest[:ID_LENGTH]: name for digest, name in (await self._read()).items()}
        except Unread as error:
            log.error("the tokens of users cannot be read from the API (%s); those that were known go on", error)
        except Exception:  # whatever a driver raises
            log.exception("the tokens of users cannot be read; those that were known go on")
        self._until = time.monotonic() + KNOWN_SECONDS


def id_of(token: str) -> str:
    """What a login has of a token."""
    return digest_of(token)[:ID_LENGTH]
