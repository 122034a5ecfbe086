"""The share of each client in what the service stores, with one rule for every kind.

A client is an account of ``routescope_app.services.engine.clients``: a user, else a browser, else an address. The
service itself takes nobody's share.
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
    """The client has used its share; others have room."""

    kind, title, status = "quota", "Your room is used up", 409


@dataclass(frozen=True)
class Limit:
    """A limit of one kind of stored things, for all clients together.

    Attributes:
        noun: their name, in the plural.
        most: largest number, or bytes.
        sized: whether bytes are counted.
        own: what a client can do after using its share.
        others: when there is room again, if all of it is taken.
    """

    noun: str
    most: int
    sized: bool = False
    own: str = "delete some of yours, and there is room for further ones"
    others: str = "some are deleted"

    def share(self, settings: Settings) -> int:
        """Return the share of one client: a whole number, 1 at least."""
        return max(1, int(self.most * settings.owner_share))

    def shown(self, amount: int) -> str:
        """Return an amount as text for refusals."""
        return _size(amount) if self.sized else f"{amount:,}"


@dataclass(frozen=True)
class LimitUse:
    """The used part of a limit.

    Attributes:
        total: by all clients.
        mine: by the current client.
    """

    total: int
    mine: int


def check_room(settings: Settings, limit: Limit, taken: LimitUse, needed: int = 1) -> None:
    """Refuse what exceeds the share of the client, or the limit of all clients.

    Args:
        needed: amount to add.

    Raises:
        TooLarge: it exceeds a whole share.
        QuotaReached: it exceeds the rest of the client's share.
        StoreFull: it exceeds the rest of the limit.
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
    """Count the rows of a table, or sum up ``width``: of all clients, and of the current one."""
    amount = func.count() if width is None else func.sum(width)
    mine = amount.filter(row.account == client.get())
    total, of_client = session.execute(select(amount, mine).select_from(row)).one()
    return LimitUse(int(total or 0), int(of_client or 0))


def _size(count: int) -> str:
    return f"{count / MEBIBYTE:.3g} MiB" if count >= MEBIBYTE else f"{count / 1024:.3g} KiB"
