"""The order of waiting jobs: clients take turns, and the jobs of each client stay in order.

The next job belongs to a client with the fewest running jobs. Of several such clients, it is the one for which the
longest time has passed since a worker last finished one of its jobs. So a newcomer never waits for a second job of
another client, and newcomers keep nobody waiting for ever. A job whose workers died repeatedly pauses between its
starts, and finally runs alone in its process.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from routescope_app.services.store import JobRow

#: Seconds between a start that its worker did not survive and the next one; the last for all further starts.
PAUSES = (10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600)


def is_alone(row: JobRow, often: int) -> bool:
    """Whether a waiting job has to run alone in its process, after ``often`` starts in vain."""
    return row.attempts >= often


def is_pausing(row: JobRow, often: int, moment: datetime) -> bool:
    """Whether a waiting job is not started yet, after ``often`` starts in vain and a recent one.

    A job that ran for longer than its pause does not pause.
    """
    if not is_alone(row, often) or row.begun is None:
        return False
    seconds = PAUSES[min(row.attempts - often, len(PAUSES) - 1)]
    return row.begun + timedelta(seconds=seconds) > moment


def words_of(row: JobRow, often: int) -> str:
    """Return the state of an interrupted job, for people."""
    return f"interrupted {row.attempts} times" if is_alone(row, often) else "waiting"


@dataclass(frozen=True)
class Waiting:
    """A waiting job.

    Attributes:
        accounts: the clients that want it; the first turn of any of them counts.
        queued: when it began to wait.
    """

    id: str
    accounts: tuple[str, ...]
    queued: datetime


def in_turn(
    waiting: Iterable[Waiting], running: Mapping[str, int], served: Mapping[str, datetime]
) -> list[tuple[int, str]]:
    """Return (number of jobs of its client before it, id) of each job, in the order of turns.

    Args:
        running: number of running jobs, by client.
        served: when a worker last started or finished a job, by client.
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
