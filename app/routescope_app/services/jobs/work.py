"""Kinds of jobs: what each one depends on, and how its result is computed."""

from abc import ABC, abstractmethod
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from routescope.routing.progress import Progress
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.job_thread import JobThread


class Work(Protocol):
    """A kind of job."""

    def identify(self, request: dict[str, Any]) -> str:
        """Return a hash of everything that the result depends on; blocking. Raises refusals of impossible requests."""
        ...

    async def run(self, job_id: str, request: dict[str, Any], folder: Path, progress: Progress) -> None:
        """Compute the result and write it to ``folder``."""
        ...


class ThreadWork(ABC):
    """A kind of job that is computed in a thread of its own, with functions of core."""

    def __init__(self, inference: Inference) -> None:
        self._inference = inference

    @abstractmethod
    def identify(self, request: dict[str, Any]) -> str:
        """Return a hash of everything that the result depends on; blocking. Raises refusals of impossible requests."""

    @abstractmethod
    def compute(self, thread: JobThread, job_id: str, request: dict[str, Any], folder: Path) -> None:
        """Compute the result in the thread and write it to ``folder``."""

    async def run(self, job_id: str, request: dict[str, Any], folder: Path, progress: Progress) -> None:
        thread = JobThread(self._inference, progress)
        await thread.run(partial(self.compute, thread, job_id, request, folder))
