"""Jobs that observe a model over data, batch by batch."""

from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from routescope.nn.network import Network
from routescope.routing import Intervention
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.job_thread import JobThread
from routescope_app.services.errors import NotAccepted
from routescope_app.services.jobs.work import ThreadWork
from routescope_app.services.measuring.scope import Measured, Measuring

#: Largest number of shuffles in one observation.
MAX_SHUFFLES = 1_000


class BatchedWork(ThreadWork):
    """A job that observes a model.

    Attributes:
        name: distinguishes its results from those of other jobs on the same data.
    """

    name: ClassVar[str]

    def __init__(self, measuring: Measuring, inference: Inference) -> None:
        super().__init__(inference)
        self._measuring = measuring

    @abstractmethod
    def check_model(self, info: ModelInfo) -> None:
        """Raise NotAccepted for a model that this job cannot observe."""

    def check_change(self, info: ModelInfo, intervention: Intervention) -> None:
        """Raise NotAccepted for an intervention that leaves nothing to observe."""

    def ignores_labels(self, info: ModelInfo) -> bool:
        """Return whether one of several data sets with the same inputs is enough."""
        return False

    @abstractmethod
    def observe(
        self, folder: Path, model: Network, measured: Measured, facts: Mapping[str, Any], options: Mapping[str, Any]
    ) -> None:
        """Write the result of core's function with ``options``, and ``facts`` about the request; blocking."""

    def _checked(self, request: dict[str, Any]) -> tuple[Measured, Intervention]:
        once = self.ignores_labels(self._measuring.info(request["model"]))
        measured = self._measuring.measured(request["model"], request["data"], request["samples"], once=once)
        self.check_model(measured.info)
        intervention = self._measuring.intervention(measured.info, request["intervention"])
        if request["shuffles"] > MAX_SHUFFLES:
            raise NotAccepted(f"Up to {MAX_SHUFFLES} shuffles are accepted.")
        self.check_change(measured.info, intervention)
        return measured, intervention

    def identify(self, request: dict[str, Any]) -> str:
        measured, intervention = self._checked(request)
        plain = measured.plain(intervention).to_json()
        return measured.digest(self.name, plain, str(request["shuffles"]), str(request["seed"]))

    def compute(self, thread: JobThread, job_id: str, request: dict[str, Any], folder: Path) -> None:
        measured, intervention = self._checked(request)
        settings = {"shuffles": request["shuffles"], "seed": request["seed"]}
        facts = measured.facts(job_id) | settings | {"intervention": intervention.structural.to_dict()}
        options = {**settings, "intervention": intervention, "progress": thread.progress, "turn": thread.turn}
        self.observe(folder, self._inference.model(measured.info), measured, facts, options)
