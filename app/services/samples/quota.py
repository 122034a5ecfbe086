"""How much one owner may keep: samples of any kind, and their bytes."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.services.errors import Refusal, TooLarge
from app.services.store import SampleRow, WrittenRow
from app.settings import MEBIBYTE, Settings


class QuotaReached(Refusal):
    kind, title, status = "quota", "Your room is used up", 409


def check_quota(session: Session, settings: Settings, owner: str | None, needed: int) -> None:
    """Refuse a further sample of so many bytes where its owner has too much; what is everybody's has no quota.

    Raises:
        TooLarge: it is larger than all that one owner may keep.
        QuotaReached: it does not fit beside what the owner has.
    """
    most, most_bytes = settings.owner_samples, settings.owner_sample_bytes
    if owner is None or not (most or most_bytes):
        return
    if most_bytes and needed > most_bytes:
        raise TooLarge(f"The sample takes {_size(needed)}; one owner may keep up to {_size(most_bytes)} in all.")
    count = size = 0
    for row, width in ((SampleRow, SampleRow.bytes), (WrittenRow, func.length(WrittenRow.content))):
        found = session.execute(select(func.count(), func.coalesce(func.sum(width), 0)).where(row.owner == owner)).one()
        count, size = count + found[0], size + int(found[1])
    if most and count >= most:
        raise QuotaReached(f"You have {count} samples, and one owner may keep up to {most}; delete some first.")
    if most_bytes and size + needed > most_bytes:
        raise QuotaReached(
            f"Your samples take {_size(size)}, and one owner may keep up to {_size(most_bytes)}: one of up to "
            f"{_size(most_bytes - size)} is accepted, and this one takes {_size(needed)}. Delete some first."
        )


def _size(count: int) -> str:
    return f"{count / MEBIBYTE:.3g} MiB" if count >= MEBIBYTE else f"{count / 1024:.3g} KiB"
