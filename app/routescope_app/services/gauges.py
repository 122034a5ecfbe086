"""The load of a server: its jobs, caches, stores, disk and devices, for monitoring."""

from dataclasses import dataclass, field

import torch
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from routescope_app.services.container import Services
from routescope_app.services.disk import free_bytes
from routescope_app.services.engine import recent
from routescope_app.services.store import JobRow, SampleRow, ScoreRow, TraceRow, UnitSetRow, WrittenRow, now

#: States of jobs that are under way.
OPEN = ("queued", "running")


@dataclass(frozen=True)
class Gauges:
    """Present figures.

    Attributes:
        jobs: number in each state of ``OPEN``.
        oldest_seconds: since the job that waits longest was queued; 0 if none waits.
        waiting: requests and evaluations that wait for their turn.
        memory_bytes: of caches in memory, by name.
        disk_bytes: on disk and in the database, by kind.
        samples: number of uploads.
        database_bytes: of the whole database, if known.
        free_bytes: on the disk of the data folder.
        device_bytes: of the memory of the GPU: allocated, reserved, total; empty without one.
        cluster: actors, and tasks that they did for this process; empty without a cluster.
    """

    jobs: dict[str, int]
    oldest_seconds: float
    waiting: dict[str, int]
    memory_bytes: dict[str, int]
    disk_bytes: dict[str, int]
    samples: int
    database_bytes: int
    free_bytes: int
    device_bytes: dict[str, int] = field(default_factory=dict)
    cluster: dict[str, int] = field(default_factory=dict)


def gauges(services: Services) -> Gauges:
    """Read all figures; blocking."""
    with services.store.reading() as session:
        counted = session.execute(
            select(JobRow.state, func.count(), func.min(JobRow.queued))
            .where(JobRow.state.in_(OPEN))
            .group_by(JobRow.state)
        ).all()
        disk = _disk(session)
        samples = session.scalar(select(func.count()).select_from(SampleRow)) or 0
    queued = [first for state, _, first in counted if state == "queued"]
    return Gauges(
        jobs=dict.fromkeys(OPEN, 0) | {state: number for state, number, _ in counted},
        oldest_seconds=max((now() - queued[0]).total_seconds(), 0.0) if queued else 0.0,
        waiting={"requests": services.inference.waiting, "evaluations": services.evaluations.waiting},
        memory_bytes=recent.sizes(),
        disk_bytes=disk,
        samples=samples,
        database_bytes=services.store.size(),
        free_bytes=free_bytes(services.settings.data_dir),
        device_bytes=_device(services.inference.device.torch),
        cluster=dict(services.computing.figures),
    )


def _disk(session: Session) -> dict[str, int]:
    columns = {
        "traces": TraceRow.bytes,
        "scores": ScoreRow.bytes,
        "results": JobRow.bytes,
        "samples": SampleRow.bytes,
        "texts": func.length(WrittenRow.content),
        "unit-sets": UnitSetRow.bytes,
    }
    return {name: int(session.scalar(select(func.sum(column))) or 0) for name, column in columns.items()}


def _device(device: torch.device) -> dict[str, int]:
    if device.type != "cuda":
        return {}
    return {
        "allocated": torch.cuda.memory_allocated(device),
        "reserved": torch.cuda.memory_reserved(device),
        "total": torch.cuda.mem_get_info(device)[1],
    }
