"""The order of jobs that wait: clients take turns, and each client's jobs stay in the order of their coming.

The next job is one of the client with the fewest jobs running. Of several such clients it is the one that has waited
longest since a worker last left a job of its own. So a newcomer waits for no second job of anybody else, and newcomers
keep nobody waiting for ever. A job whose workers died repeatedly pauses between its starts, and at last runs
alone in its process.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Waiting:
    """A job that waits.

    Attributes:
        accounts: the clients that want it; it comes when the first of them has its turn.
        queued: when it began to wait.
    """

    id: str
    accounts: tuple[str, ...]
    queued: datetime


def in_turn(
    waiting: Iterable[Waiting], running: Mapping[str, int], served: Mapping[str, datetime]
) -> list[tuple[int, str]]:
    """Return (how many jobs of its client come before it, id) of each job, in the order of turns.

    Args:
        running: number of jobs that run, by client.
        served: when a worker last took up or left a job, by client.
    """
    lines = defaultdict[str, list[Waiting]](list)
    for job in sorted(waiting, key=lambda job: (job.queued, job.id)):
        for account in job.accounts:
            lines[account].append(job)
    turns: dict[str, tuple[int, datetime, datetime, str]] = {}
    for account, line in lines.items():
        since = max(line[0].queued, served.get(account, line[0].queued))
        for before, job in enumerate(line, running.get(account, 0)):
            turn = before, since, job.queued, job.id
            turns[job.id] = min(turns.get(job.id, turn), turn)
    return [(before, job_id) for before, _, _, job_id in sorted(turns.values())]
