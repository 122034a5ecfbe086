"""The users that a server knows by their tokens, asked for again every few seconds."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping

from app.services.users import digest_of

log = logging.getLogger(__name__)
#: Seconds for which what was read counts: so long may a token be used that was revoked.
KNOWN_SECONDS = 2.0
#: Characters of a token's hash that a login has.
ID_LENGTH = 32


class Users:
    """Names by token, and by the id of a token that a login has.

    Args:
        read: gives the name of each token's hash.
    """

    def __init__(self, read: Callable[[], Awaitable[Mapping[str, str]]]) -> None:
        self._read = read
        self._names: dict[str, str] = {}
        self._until = 0.0
        self._reading = asyncio.Lock()

    async def of_token(self, token: str) -> str | None:
        """Whose it is."""
        await self._refresh()
        return self._names.get(id_of(token))

    async def of_id(self, identity: str) -> str | None:
        """Whose a login is."""
        await self._refresh()
        return self._names.get(identity)

    async def _refresh(self) -> None:
        async with self._reading:
            if time.monotonic() < self._until:
                return
            try:
                self._names = {digest[:ID_LENGTH]: name for digest, name in (await self._read()).items()}
            except Exception:  # whatever a driver or the way to the API raises
                log.exception("the tokens of users cannot be read; those that were known go on")
            self._until = time.monotonic() + KNOWN_SECONDS


def id_of(token: str) -> str:
    """What a login has of a token."""
    return digest_of(token)[:ID_LENGTH]
