"""What all jobs have in common that observe a model over data, batch by batch; nothing of it is caused."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from routescope.nn.network import Network
from routescope.routing import Intervention
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.engine.in_thread import in_thread
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.threads import Priority
from routescope_app.services.errors import NotAccepted
from routescope_app.services.jobs.jobs import Progress
from routescope_app.services.measuring.scope import Measured, Measuring

#: Shuffles of the labels that one observation may ask for.
MAX_SHUFFLES = 1_000

T = TypeVar("T")
Observing = TypeVar("Observing")


async def each_batch(inference: Inference, batches: Iterable[T]) -> AsyncIterator[T]:
    """What every batch gives; a batch is computed in the inference threads, where others wait for one at most."""
    rest = iter(batches)
    while (done := await inference.run(partial(next, rest, None), priority=Priority.JOB)) is not None:
        yield done


class BatchedWork(ABC, Generic[Observing]):
    """A job that observes: checks, runs, writes. See ``jobs.Work``.

    Attributes:
        name: what tells its results from those of other jobs on the same data.
        before, after: what it does before the first batch and after the last one, for people.
    """

    name: ClassVar[str]
    before: ClassVar[str]
    after: ClassVar[str]

    def __init__(self, measuring: Measuring, inference: Inference) -> None:
        self._measuring = measuring
        self._inference = inference

    @abstractmethod
    def accept(self, info: ModelInfo) -> None:
        """Raise NotAccepted for a model of which nothing is observed here."""

    def once(self, info: ModelInfo) -> bool:
        """Whether of all data sets with the same inputs one is enough, as nothing here depends on what is right."""
        return False

    def accept_change(self, info: ModelInfo, intervention: Intervention) -> None:
        """Raise NotAccepted for an intervention under which nothing is left to observe."""

    @abstractmethod
    def observer(
        self, model: Network, measured: Measured, intervention: Intervention, options: Mapping[str, Any]
    ) -> Observing:
        """Blocking: who observes, with ``shuffles`` and ``seed``."""

    @abstractmethod
    def stages(self, observer: Observing) -> Iterable[tuple[str, Iterable[tuple[int, int]]]]:
        """What runs, one after the other: in words, and batches that say what is done, of what."""

    @abstractmethod
    def write(
        self, folder: Path, observer: Observing, model: Network, measured: Measured, facts: Mapping[str, Any]
    ) -> None:
        """Blocking: put together what was observed, and write it with the facts that say of what it is."""

    def _checked(self, request: dict[str, Any]) -> tuple[Measured, Intervention]:
        once = self.once(self._measuring.info(request["model"]))
        measured = self._measuring.measured(request["model"], request["data"], request["samples"], once=once)
        self.accept(measured.info)
        intervention = self._measuring.intervention(measured.info, request["intervention"])
        if request["shuffles"] > MAX_SHUFFLES:
            raise NotAccepted(f"Up to {MAX_SHUFFLES} shuffles are accepted.")
        self.accept_change(measured.info, intervention)
        return measured, intervention

    def identify(self, request: dict[str, Any]) -> str:
        """Hash of all that the result depends on."""
        measured, intervention = self._checked(request)
        facts = [str(request["shuffles"]), str(request["seed"])]
        return measured.digest(self.name, measured.plain(intervention).to_json(), *facts)

    async def run(self, job_id: str, request: dict[str, Any], folder: Path, progress: Progress) -> None:
        """Observe, then count what it comes to."""
        measured, intervention = await asyncio.to_thread(self._checked, request)
        model = await asyncio.to_thread(self._inference.model, measured.info)
        progress(0, measured.count, self.before)
        options = {"shuffles": request["shuffles"], "seed": request["seed"]}
        observer = await in_thread(partial(self.observer, model, measured, intervention, options))
        for words, batches in self.stages(observer):
            async for done, total in each_batch(self._inference, batches):
                progress(done, total, words)
        progress(measured.count, measured.count, self.after)
        facts = {
            "id": job_id,
            "model": measured.info.id,
            "revision": measured.info.revision,
            "seed": request["seed"],
            "shuffles": request["shuffles"],
            "intervention": intervention.structural.to_dict(),
            "data": measured.data(),
        }
        await in_thread(partial(self.write, folder, observer, model, measured, facts))
