"""What all jobs have in common that observe a model over data, batch by batch; nothing of it is caused."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from routescope.nn.network import Network
from routescope.routing import Intervention
from routescope.routing.progress import Progress
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.job_thread import JobThread
from routescope_app.services.errors import NotAccepted
from routescope_app.services.measuring.scope import Measured, Measuring

#: Shuffles of the labels that one observation may ask for.
MAX_SHUFFLES = 1_000


class BatchedWork(ABC):
    """A job that observes: checks, runs, writes. See ``jobs.Work``.

    Attributes:
        name: what tells its results from those of other jobs on the same data.
    """

    name: ClassVar[str]

    def __init__(self, measuring: Measuring, inference: Inference) -> None:
        self._measuring = measuring
        self._inference = inference

    @abstractmethod
    def accept(self, info: ModelInfo) -> None:
        """Raise NotAccepted for a model of which nothing is observed here."""

    def once(self, info: ModelInfo) -> bool:
        """Whether of all data sets with the same inputs one is enough, as nothing here depends on what is right."""
        return False

    def accept_change(self, info: ModelInfo, intervention: Intervention) -> None:  # noqa: B027 (most have none)
        """Raise NotAccepted for an intervention under which nothing is left to observe."""

    @abstractmethod
    def observe(
        self, folder: Path, model: Network, measured: Measured, facts: Mapping[str, Any], options: Mapping[str, Any]
    ) -> None:
        """Blocking: observe, and write what was observed with the facts that say of what it is.

        Args:
            options: of core's function: intervention, shuffles, seed, progress and turn.
        """

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
        """Observe in the thread of the job."""
        thread = JobThread(self._inference, progress)
        await thread.run(partial(self._observe, thread, job_id, request, folder))

    def _observe(self, thread: JobThread, job_id: str, request: dict[str, Any], folder: Path) -> None:
        measured, intervention = self._checked(request)
        model = self._inference.model(measured.info)
        asked = {"shuffles": request["shuffles"], "seed": request["seed"]}
        facts = {
            "id": job_id,
            "model": measured.info.id,
            "revision": measured.info.revision,
            **asked,
            "intervention": intervention.structural.to_dict(),
            "data": measured.data(),
        }
        options = {**asked, "intervention": intervention, "progress": thread.progress, "turn": thread.turn}
        self.observe(folder, model, measured, facts, options)
