"""Users by name: tokens of their own, of which hashes alone are kept, and what owns their samples and jobs."""

import hashlib
import re
import secrets
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select

from routescope_app.services.errors import NotAccepted, NotFound
from routescope_app.services.store import Store, TokenRow, now

#: What a user may be called.
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,57}")
ACCEPTED = "letters, digits and . _ @ + -, from 1 to 58 of them, beginning with a letter or digit"
#: How tokens of users begin, so that one that is found somewhere is known for what it is.
PREFIX = "rsu_"
#: Of an owner that is a user; those that are browsers are a hash alone.
OWNER = "user:"
LONGEST_OWNER = 64


def digest_of(token: str) -> str:
    """Return the stored hash of a token, SHA-256: a token is random and long, so its hash does not reveal it."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def owner_of_user(name: str) -> str:
    """Return the stored name of an owner: the name, or a hash of a long one."""
    owner = OWNER + name
    return owner if len(owner) <= LONGEST_OWNER else OWNER + hashlib.sha256(name.encode()).hexdigest()[:59]


class AccessTokens:
    """Tokens of users; blocking."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, name: str) -> str:
        """Return a new token of a user, this once; raises NotAccepted for no name, or one that has a token."""
        if not NAME.fullmatch(name):
            raise NotAccepted(f"A name has {ACCEPTED}.")
        token = PREFIX + secrets.token_urlsafe(32)
        with self._store.exclusive("users") as session:
            if session.get(TokenRow, name) is not None:
                raise NotAccepted(f"{name} has a token; revoke it first, and what {name} owns stays.")
            session.add(TokenRow(name=name, digest=digest_of(token), created=now()))
        return token

    def names(self) -> Sequence[tuple[str, datetime]]:
        """(name, when the token was made) of every user, by name."""
        with self._store.reading() as session:
            rows = session.execute(select(TokenRow.name, TokenRow.created).order_by(TokenRow.name))
            return [(row.name, row.created) for row in rows]

    def revoke(self, name: str) -> None:
        """The token of a user is worth nothing from now on, nor are the logins with it; raises NotFound."""
        with self._store.exclusive("users") as session:
            row = session.get(TokenRow, name)
            if row is None:
                raise NotFound(f"There is no token of {name!r}.")
            session.delete(row)

    def digests(self) -> dict[str, str]:
        """Names by the hash of their token."""
        with self._store.reading() as session:
            return {row.digest: row.name for row in session.scalars(select(TokenRow))}
