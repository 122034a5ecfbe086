"""Jobs that observe routing over data, batch by batch; nothing of it is caused."""

import asyncio
import json
from functools import partial
from pathlib import Path
from typing import Any

from app.services.engine.in_thread import in_thread
from app.services.engine.inference import Inference
from app.services.engine.threads import Priority
from app.services.errors import NotAccepted
from app.services.jobs.jobs import Progress
from app.services.measuring.scope import Measured, Measuring
from app.services.measuring.snapshots import finite
from app.services.reading import check_reads_samples
from app.settings import Settings
from core.routing import Intervention
from core.routing.observed.observer import Observer
from core.routing.observed.result import NAMES, Observation


class ObservationWork:
    """See ``jobs.Work``."""

    def __init__(self, settings: Settings, measuring: Measuring, inference: Inference) -> None:
        self._settings = settings
        self._measuring = measuring
        self._inference = inference

    def _checked(self, request: dict[str, Any]) -> tuple[Measured, Intervention]:
        measured = self._measuring.measured(request["model"], request["data"], request["samples"])
        check_reads_samples(measured.info)
        intervention = self._measuring.intervention(measured.info, request["intervention"])
        if request["shuffles"] > self._settings.max_shuffles:
            raise NotAccepted(f"Up to {self._settings.max_shuffles} shuffles are accepted.")
        if "compatibility" not in measured.info.fields:
            raise NotAccepted(
                "Routing is observed in the compatibilities of tokens and units; this model records "
                f"{', '.join(measured.info.fields)}."
            )
        iterations = measured.info.iterations
        if (iterations if intervention.iterations is None else intervention.iterations) < 1:
            raise NotAccepted("Routing is observed at every step; at least one iteration is needed.")
        return measured, intervention

    def identify(self, request: dict[str, Any]) -> str:
        """Hash of all that the result depends on."""
        measured, intervention = self._checked(request)
        facts = [str(request["shuffles"]), str(request["seed"])]
        return measured.digest("observation", measured.plain(intervention).to_json(), *facts)

    async def run(self, job_id: str, request: dict[str, Any], folder: Path, progress: Progress) -> None:
        """Observe, then count what it comes to."""
        measured, intervention = await asyncio.to_thread(self._checked, request)
        model = await asyncio.to_thread(self._inference.model, measured.info)
        progress(0, measured.count, "grouping patches by what they look like")
        options = {"shuffles": request["shuffles"], "seed": request["seed"]}
        sets = measured.image_sets()
        observer = await in_thread(partial(Observer, model, sets, intervention=intervention, **options))
        batches = iter(observer)
        while (done := await self._inference.run(partial(next, batches, None), priority=Priority.JOB)) is not None:
            progress(done[0], done[1], "observing")
        progress(measured.count, measured.count, "shuffling labels and comparing outputs")
        observation = await in_thread(observer.result)
        facts = {
            "id": job_id,
            "model": measured.info.id,
            "revision": measured.info.revision,
            "seed": request["seed"],
            "intervention": intervention.structural.to_dict(),
            "data": measured.data(),
        }
        await in_thread(partial(_write, folder, observation, measured, facts))


def _write(folder: Path, observation: Observation, measured: Measured, facts: dict[str, Any]) -> None:
    """The observation as a file, and as the API says it."""
    dataset = observation.dataset
    names = {name: [str(value) for value in dataset[name].values] for name in ("step", "unit", "label", "token")}
    described = facts | {
        "count": int(dataset.attrs["count"]),
        "units": names["unit"],
        "steps": names["step"],
        "labels": names["label"],
        "tokens": names["token"],
        "tables": list(NAMES),
        "variables": {
            str(name): {"dims": [str(dim) for dim in array.dims], "values": finite(array.values.tolist())}
            for name, array in dataset.data_vars.items()
        },
        "exemplars": _exemplars(observation, measured, names),
    }
    (folder / "observation.json").write_text(json.dumps(described, allow_nan=False))
    observation.save(folder / "observation.nc")


def _exemplars(observation: Observation, measured: Measured, names: dict[str, list[str]]) -> list[dict[str, Any]]:
    """Samples and tokens that route to each unit most, by name."""
    at = {
        name: observation[f"exemplar_{name}"].transpose("unit", "rank").values
        for name in ("set", "sample", "token", "step", "weight")
    }
    found = []
    for u, unit in enumerate(names["unit"]):
        for rank in range(at["sample"].shape[1]):
            if at["sample"][u, rank] < 0:
                continue
            dataset = measured.parts[int(at["set"][u, rank])].dataset
            found.append(
                {
                    "unit": unit,
                    "rank": rank + 1,
                    "sample": f"{dataset.name}.{dataset.split}.{int(at['sample'][u, rank])}",
                    "token": names["token"][int(at["token"][u, rank])],
                    "step": names["step"][int(at["step"][u, rank])],
                    "weight": float(at["weight"][u, rank]),
                }
            )
    return found


def table(folder: Path, name: str) -> str:
    """One table, below lines that say where it comes from."""
    observation = Observation.load(folder / "observation.nc")
    named = ("model", "revision", "intervention", "data", "count", "seed")
    head = "".join(f"# {fact}: {observation.dataset.attrs[fact]}\n" for fact in named)
    return head + str(observation.table(name).to_csv(index=False, lineterminator="\n"))
