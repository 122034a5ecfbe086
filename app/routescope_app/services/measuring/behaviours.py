"""Samples by what a model does with them: rerouted most by an intervention, heads that disagree, nearest in routing.

Samples of data sets are measured by a job, whose result everybody may read. What somebody brought is measured when it
is asked for, as only those who may see it hear of it: the newest ones, a bounded number, of which values are kept.
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

from routescope.nn.inputs.kind import Inputs
from routescope.nn.network import Network
from routescope.routing import Intervention
from routescope.routing.observed.behaviour import (
    Measure,
    NoSuchBehaviour,
    batches,
    disagreement,
    heads_that_may_disagree,
    nearness,
    rerouting,
    routed_field,
)
from routescope.routing.progress import Progress, in_turns
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.job_thread import JobThread
from routescope_app.services.engine.recent import Recent
from routescope_app.services.engine.single_flight import SingleFlight
from routescope_app.services.errors import NotAccepted, NotFound
from routescope_app.services.measuring.scope import Measured, Measuring
from routescope_app.services.measuring.snapshots import finite
from routescope_app.services.samples.gallery import Gallery
from routescope_app.services.samples.samples import Sample, SampleStore, check_own
from routescope_app.settings import MAX_PAGE

#: Samples of data sets that one search by behaviour may measure, where a measurement may use as many.
MAX_SEARCHED = 3_000
#: Uploaded and drawn samples that one search by behaviour measures, the newest ones.
MAX_UPLOADED = 100

FACTS = "behaviour.json"
#: What was measured of jobs that were cancelled, in bytes: eight a sample.
BEGUN_BYTES = 2**20
#: Values of pictures that somebody brought, which are kept.
REMEMBERED = 20_000
#: What is being done, for people.
DOING = {
    "rerouted": "routing samples with and without the intervention",
    "heads": "comparing the answers of the heads",
    "nearest": "comparing the routing of samples",
}


class SampleFilters(TypedDict):
    """Which samples are listed, as ``SampleStore.find`` has it."""

    label: int | None
    wrong: bool | None
    find: str | None


@dataclass(frozen=True)
class Placed:
    """A sample and its value; what is known of it, where it was brought by somebody."""

    id: str
    value: float
    sample: Sample | None = None


@dataclass(frozen=True)
class RankedPage:
    """A page of samples in their order.

    Attributes:
        facts: what was measured, as ``Behaviours`` in the API says it.
        total: how many match in all.
    """

    facts: dict[str, Any]
    items: list[Placed]
    total: int


class Behaviours:
    """See ``jobs.Work``; and lists what was found."""

    def __init__(self, measuring: Measuring, inference: Inference, gallery: Gallery, samples: SampleStore) -> None:
        self._measuring = measuring
        self._inference = inference
        self._gallery = gallery
        self._samples = samples
        self._begun = Recent[str, list[np.ndarray]](BEGUN_BYTES)
        self._own = SingleFlight[tuple[str, str, str], float](REMEMBERED)

    # -- what is asked for ---------------------------------------------------------------------------------

    def resolved(self, request: dict[str, Any]) -> dict[str, Any]:
        """The request as a job keeps it, which everybody may read: a sample that somebody brought goes by its picture.

        Blocking; raises NotFound.
        """
        sample = request["to"]
        key = None if sample is None else self._samples.image_key(sample)
        return request | {"to": sample if key is None else None, "picture": key}

    def _intervention(self, info: ModelInfo, request: dict[str, Any]) -> Intervention:
        """What is changed, once it is sure that the model can be asked for this; blocking."""
        model = self._inference.model(info)
        intervention = self._measuring.intervention(info, request["intervention"])
        order = request["order"]
        try:
            if order == "heads":
                heads_that_may_disagree(model)
            else:
                routed_field(model)
        except NoSuchBehaviour as error:
            raise NotAccepted(f"Samples cannot be ordered so for {info.id}: {error}.") from error
        if order != "heads" and intervention.iterations_on(model) < 1:
            raise NotAccepted("Routing is compared at every step; at least one iteration is needed.")
        if order == "rerouted" and _plain(info, intervention) == Intervention():
            raise NotAccepted(
                "Nothing is changed that could reroute a sample: name units to mute or to drop, links to cut, or "
                "another number of iterations."
            )
        if order == "nearest" and request["to"] is None and request.get("picture") is None:
            raise NotAccepted("Name the sample that others are to be near to.")
        return intervention

    def _reference(self, info: ModelInfo, request: dict[str, Any]) -> tuple[Inputs | None, str]:
        """What is compared with, and a hash of it."""
        if request["order"] != "nearest":
            return None, ""
        if (key := request.get("picture")) is not None:
            return self._samples.inputs_of_image(info, key), key
        return self._samples.inputs_of_set(info, request["to"])

    def _checked(self, request: dict[str, Any]) -> tuple[Measured, Intervention, Inputs | None, str]:
        most = MAX_SEARCHED
        if request["samples"] > most:
            raise NotAccepted(f"Up to {most} samples are searched at once.")
        measured = self._measuring.measured(request["model"], request["data"], request["samples"])
        intervention = self._intervention(measured.info, request)
        return measured, intervention, *self._reference(measured.info, request)

    # -- as a job ------------------------------------------------------------------------------------------

    def identify(self, request: dict[str, Any]) -> str:
        """Hash of all that the result depends on."""
        measured, intervention, _, reference = self._checked(request)
        return measured.digest("behaviour", request["order"], measured.plain(intervention).to_json(), reference)

    async def run(self, job_id: str, request: dict[str, Any], folder: Path, progress: Progress) -> None:
        """Measure every sample; a job that was cancelled goes on where it stopped."""
        thread = JobThread(self._inference, progress)
        await thread.run(partial(self._search, thread, job_id, request, folder))

    def _search(self, thread: JobThread, job_id: str, request: dict[str, Any], folder: Path) -> None:
        measured, intervention, reference, _ = self._checked(request)
        model = self._inference.model(measured.info)
        measure = thread.turn(partial(_measure, model, request["order"], intervention, reference))
        values = list(self._begun.get(job_id) or [])
        done = sum(map(len, values))
        thread.progress(done, measured.count, DOING[request["order"]])
        inputs = (batch for part in measured.parts for batch in batches(model, part.dataset, part.limit))
        for piece in in_turns(map(measure, islice(inputs, len(values), None)), thread.turn):
            values.append(piece)
            done += len(piece)
            self._begun.put(job_id, list(values), 8 * done)
            thread.progress(done, measured.count, DOING[request["order"]])
        facts = self._facts(measured.info, model, request, intervention) | {
            "id": job_id,
            "data": measured.data(),
            "contents": [part.content for part in measured.parts],
            "count": measured.count,
            "values": finite(np.concatenate(values).tolist()),
        }
        (folder / FACTS).write_text(json.dumps(facts, allow_nan=False))
        self._begun.remove(job_id)

    async def read(self, folder: Path, filters: SampleFilters, offset: int, limit: int) -> RankedPage:
        """A page of what a job found, of the samples that match; raises NotFound where data sets are others by now."""
        self._check_page(limit)
        facts = json.loads(await asyncio.to_thread((folder / FACTS).read_text))
        info = await asyncio.to_thread(self._inference.info, facts["model"])
        if filters["wrong"] is not None and info.revision != facts["revision"]:
            raise NotFound("The model was replaced meanwhile; ask again.")
        ids, mask = list[str](), list[np.ndarray]()
        for part, content in zip(facts["data"], facts.pop("contents"), strict=True):
            if await asyncio.to_thread(self._gallery.content, part["name"]) != content:
                raise NotFound("The data set was replaced meanwhile; ask again.")
            dataset, count = self._gallery.dataset(part["name"]), part["count"]
            ids += [f"{dataset.name}.{dataset.split}.{at}" for at in range(count)]
            mask.append((await self._samples.matching(dataset, info=info, **filters))[:count])
        values = np.array([np.nan if each is None else each for each in facts.pop("values")])
        chosen = np.concatenate(mask) & (np.array(ids) != (facts["to"] or ""))
        places = _ordered(values, chosen, facts["order"])
        items = [Placed(ids[at], float(values[at])) for at in places[offset : offset + limit]]
        return RankedPage(facts, items, len(places))

    # -- what somebody brought -----------------------------------------------------------------------------

    async def own(
        self, request: dict[str, Any], caller: str | None, filters: SampleFilters, offset: int, limit: int
    ) -> RankedPage:
        """A page of the caller's and everybody's samples that match, of the newest ones."""
        self._check_page(limit)
        info = await asyncio.to_thread(self._inference.info, request["model"])
        check_own(info)
        intervention = await asyncio.to_thread(self._intervention, info, request)
        reference, reference_key = await asyncio.to_thread(self._reference, info, request)
        rows, _ = await self._samples.own(caller, info=info, most=MAX_UPLOADED, **filters)
        keys = await asyncio.to_thread(lambda: [self._samples.image_key(row.id) or "" for row in rows])
        what = "\n".join((request["order"], _plain(info, intervention).to_json(), reference_key))
        model = await asyncio.to_thread(self._inference.model, info)

        async def compute(missing: Sequence[tuple[str, str, str]]) -> dict[tuple[str, str, str], float]:
            measure = await self._inference.run(partial(_measure, model, request["order"], intervention, reference))
            found = {}
            for key in missing:
                inputs = await asyncio.to_thread(self._samples.inputs_of_image, info, key[2])
                found[key] = float((await self._inference.run(partial(measure, inputs), cost=2))[0])
            return found

        asked = [(info.revision, what, key) for key in keys]
        known = await self._own.find_all(asked, compute)
        values = np.array([known[key] for key in asked])
        same = np.array([key != request.get("picture") for key in keys], dtype=bool)
        places = _ordered(values, same, request["order"])
        facts = self._facts(info, model, request, intervention) | {"id": None, "data": [], "count": len(rows)}
        items = [Placed(rows[at].id, float(values[at]), rows[at]) for at in places[offset : offset + limit]]
        return RankedPage(facts, items, len(places))

    def _check_page(self, limit: int) -> None:
        if limit > MAX_PAGE:
            raise NotAccepted(f"One page has up to {MAX_PAGE} samples; ask for further ones with offset.")

    @staticmethod
    def _facts(info: ModelInfo, model: Network, request: dict[str, Any], change: Intervention) -> dict[str, Any]:
        heads = request["order"] == "heads"
        return {
            "model": info.id,
            "revision": info.revision,
            "order": request["order"],
            "to": request["to"],
            "intervention": change.to_dict(),
            "unit": "bit" if heads else "share",
            "most": float(np.log2(len(heads_that_may_disagree(model)))) if heads else 1.0,
        }


def _plain(info: ModelInfo, intervention: Intervention) -> Intervention:
    """Without what the model does anyway."""
    return Measured(info, (), "").plain(intervention)


def _measure(model: Network, order: str, intervention: Intervention, reference: Inputs | None) -> Measure:
    if order == "heads":
        return disagreement(model, intervention)
    if reference is None:
        return rerouting(model, intervention)
    return nearness(model, reference.to(model.device), intervention)


def _ordered(values: np.ndarray, chosen: np.ndarray, order: str) -> list[int]:
    """Places of the chosen samples with a value: the nearest first, else the largest value first."""
    places = np.flatnonzero(chosen & np.isfinite(values))
    keys = values[places] if order == "nearest" else -values[places]
    return [int(at) for at in places[np.argsort(keys, kind="stable")]]
