"""Pauses between the starts of a job whose workers ended again and again."""

from datetime import datetime, timedelta

from routescope_app.services.store import JobRow

#: Seconds between a start that its worker did not survive and the next one; the last for all further starts.
PAUSES = (10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600)


def is_alone(row: JobRow, often: int) -> bool:
    """Whether a job that waits is to be the only one in its process, as it was started ``often`` times in vain."""
    return row.attempts >= often


def is_pausing(row: JobRow, often: int, moment: datetime) -> bool:
    """Whether a job that waits is not to be started yet, as it was started ``often`` times in vain, and not long ago.

    A job that ran for longer than its pause does not pause.
    """
    if not is_alone(row, often) or row.begun is None:
        return False
    seconds = PAUSES[min(row.attempts - often, len(PAUSES) - 1)]
    return row.begun + timedelta(seconds=seconds) > moment


def words_of(row: JobRow, often: int) -> str:
    """Return what a job that was interrupted does, for people."""
    return f"interrupted {row.attempts} times" if is_alone(row, often) else "waiting"
