"""How much of what is kept one client may take, so that others find room: the same rule for every kind.

A client is an account of ``routescope_app.services.engine.clients``: a user, else a browser, else an address. What the
service itself keeps takes nobody's share.
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import SQLColumnExpression, func, select
from sqlalchemy.orm import Session

from routescope_app.services.engine.clients import client
from routescope_app.services.errors import Refusal, StoreFull, TooLarge
from routescope_app.services.store import SampleRow, SnapshotRow, WrittenRow
from routescope_app.settings import MEBIBYTE, Settings


class QuotaReached(Refusal):
    """The client has its share; others have room."""

    kind, title, status = "quota", "Your room is used up", 409


@dataclass(frozen=True)
class Limit:
    """A limit of what is kept of one kind, by all clients together.

    Attributes:
        noun: what is kept, in the plural.
        most: how many, or how many bytes, are kept.
        sized: whether bytes are counted.
        own: what a client does whose share is taken.
        others: when there is room again, where all of it is taken.
    """

    noun: str
    most: int
    sized: bool = False
    own: str = "delete some of yours, and there is room for further ones"
    others: str = "some are deleted"

    def share(self, settings: Settings) -> int:
        """Return how much of it one client may take: a whole number, 1 at least."""
        return max(1, int(self.most * settings.owner_share))

    def shown(self, amount: int) -> str:
        """Return an amount as a refusal says it."""
        return _size(amount) if self.sized else f"{amount:,}"


@dataclass(frozen=True)
class LimitUse:
    """What is taken of a limit.

    Attributes:
        total: by all clients.
        mine: by the client whose request is being answered.
    """

    total: int
    mine: int


def check_room(settings: Settings, limit: Limit, taken: LimitUse, needed: int = 1) -> None:
    """Refuse what does not fit into the client's share, or into the room that all have together.

    Args:
        needed: what a further one takes.

    Raises:
        TooLarge: it takes more than a whole share.
        QuotaReached: it does not fit beside what the client keeps.
        StoreFull: it does not fit beside what all keep.
    """
    share, noun, shown = limit.share(settings), limit.noun, limit.shown
    shared = bool(client.get()) and share < limit.most
    if shared and needed > share:
        raise TooLarge(f"This takes {shown(needed)}; all {noun} of one owner take up to {shown(share)}.")
    if shared and taken.mine + needed > share:
        if not limit.sized:
            raise QuotaReached(f"You keep {taken.mine:,} {noun}, and one owner may keep up to {share:,}; {limit.own}.")
        raise QuotaReached(
            f"Your {noun} take {shown(taken.mine)}, and those of one owner may take up to {shown(share)}: "
            f"{shown(max(share - taken.mine, 0))} are left, and this takes {shown(needed)}; {limit.own}."
        )
    if taken.total + needed > limit.most:
        raise StoreFull(
            f"The {noun} of all owners are {shown(taken.total)}, and up to {shown(limit.most)} are kept: there is room "
            f"for this when {limit.others}."
        )


def taken_rows(
    session: Session,
    row: type[SampleRow | WrittenRow | SnapshotRow],
    width: SQLColumnExpression[Any] | None = None,
) -> LimitUse:
    """Count the rows of a table, or sum up ``width`` of them: of all, and of the client."""
    amount = func.count() if width is None else func.sum(width)
    mine = amount.filter(row.account == client.get())
    total, of_client = session.execute(select(amount, mine).select_from(row)).one()
    return LimitUse(int(total or 0), int(of_client or 0))


def _size(count: int) -> str:
    return f"{count / MEBIBYTE:.3g} MiB" if count >= MEBIBYTE else f"{count / 1024:.3g} KiB"
