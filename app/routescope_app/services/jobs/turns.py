"""The order of jobs that wait: clients take turns, and each client's jobs stay in the order of their coming.

The next job is one of the client with the fewest jobs running. Of several such clients it is the one that has waited
longest since a worker last left a job of its own. So a newcomer waits for no second job of anybody else, and newcomers
keep nobody waiting for ever.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime


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
