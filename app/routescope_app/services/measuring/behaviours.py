"""Samples ranked by model behaviour: rerouting, head disagreement, routing distance.

A job measures samples of data sets, and everybody may read its result. Uploads are measured on request, because only
their owners may see them: the newest ones, with cached values.
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

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
from routescope.routing.progress import in_turns
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.job_thread import JobThread
from routescope_app.services.engine.recent import Recent
from routescope_app.services.engine.single_flight import SingleFlight
from routescope_app.services.errors import NotAccepted, NotFound
from routescope_app.services.jobs.work import ThreadWork
from routescope_app.services.measuring.scope import Measured, Measuring
from routescope_app.services.packed import finite
from routescope_app.services.samples.gallery import Gallery
from routescope_app.services.samples.samples import Sample, SampleFilters, SampleStore, check_own

#: Largest number of samples of data sets that one job ranks.
MAX_SEARCHED = 3_000
#: Number of uploads that one request ranks, the newest ones.
MAX_UPLOADED = 100

#: The file of a result.
FACTS = "behaviour.json"
#: Bytes of values of cancelled jobs, which resume with them: eight per sample.
BEGUN_BYTES = 2**20
#: Cached values of uploads.
REMEMBERED = 20_000
#: Progress of a job in words, by order.
PROGRESS_WORDS = {
    "rerouted": "routing samples with and without the intervention",
    "heads": "comparing the answers of the heads",
    "nearest": "comparing the routing of samples",
}


@dataclass(frozen=True)
class RankedSample:
    """A sample with its score, and its metadata if it was uploaded."""

    id: str
    value: float
    sample: Sample | None = None


@dataclass(frozen=True)
class RankedPage:
    """A page of ranked samples.

    Attributes:
        facts: other fields of ``Behaviours`` in the API.
        total: number of matches.
    """

    facts: dict[str, Any]
    items: list[RankedSample]
    total: int


class Behaviours(ThreadWork):
    """Jobs that rank samples (see ``jobs.work.Work``), pages of their results, and rankings of uploads."""

    def __init__(self, measuring: Measuring, inference: Inference, gallery: Gallery, samples: SampleStore) -> None:
        super().__init__(inference)
        self._measuring = measuring
        self._gallery = gallery
        self._samples = samples
        self._begun = Recent[str, list[np.ndarray]](BEGUN_BYTES)
        self._own = SingleFlight[tuple[str, str, str], float](REMEMBERED)

    # -- requests ------------------------------------------------------------------------------------------

    def resolved(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the request as a job stores it, with a hash of its picture in place of an upload's id.

        Everybody may read the requests of jobs. Blocking; raises NotFound.
        """
        sample = request["to"]
        key = None if sample is None else self._samples.image_key(sample)
        return request | {"to": sample if key is None else None, "picture": key}

    def _intervention(self, info: ModelInfo, request: dict[str, Any]) -> Intervention:
        """Return the intervention of a possible request; blocking. Raises NotAccepted for others."""
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
        """Return the inputs to compare with, and a hash of them."""
        if request["order"] != "nearest":
            return None, ""
        if (key := request.get("picture")) is not None:
            return self._samples.inputs_of_image(info, key), key
        return self._samples.inputs_of_set(info, request["to"])

    def _checked(self, request: dict[str, Any]) -> tuple[Measured, Intervention, Inputs | None, str]:
        if request["samples"] > MAX_SEARCHED:
            raise NotAccepted(f"Up to {MAX_SEARCHED} samples are searched at once.")
        measured = self._measuring.measured(request["model"], request["data"], request["samples"])
        intervention = self._intervention(measured.info, request)
        return measured, intervention, *self._reference(measured.info, request)

    # -- as a job ------------------------------------------------------------------------------------------

    def identify(self, request: dict[str, Any]) -> str:
        measured, intervention, _, reference = self._checked(request)
        return measured.digest("behaviour", request["order"], measured.plain(intervention).to_json(), reference)

    def compute(self, thread: JobThread, job_id: str, request: dict[str, Any], folder: Path) -> None:
        """Measure every sample; a cancelled job resumes where it stopped."""
        measured, intervention, reference, _ = self._checked(request)
        model = self._inference.model(measured.info)
        measure = thread.turn(partial(_measure, model, request["order"], intervention, reference))
        values = list(self._begun.get(job_id) or [])
        done = sum(map(len, values))
        thread.progress(done, measured.count, PROGRESS_WORDS[request["order"]])
        inputs = (batch for part in measured.parts for batch in batches(model, part.dataset, part.limit))
        for piece in in_turns(map(measure, islice(inputs, len(values), None)), thread.turn):
            values.append(piece)
            done += len(piece)
            self._begun.put(job_id, list(values), 8 * done)
            thread.progress(done, measured.count, PROGRESS_WORDS[request["order"]])
        facts = (
            measured.facts(job_id)
            | self._facts(measured.info, model, request, intervention)
            | {
                "contents": [part.content for part in measured.parts],
                "count": measured.count,
                "values": finite(np.concatenate(values).tolist()),
            }
        )
        (folder / FACTS).write_text(json.dumps(facts, allow_nan=False))
        self._begun.remove(job_id)

    async def read(self, folder: Path, filters: SampleFilters, offset: int, limit: int) -> RankedPage:
        """Return a page of the matching samples of a job; raises NotFound if model or data have changed since."""
        facts = json.loads(await asyncio.to_thread((folder / FACTS).read_text))
        info = await asyncio.to_thread(self._inference.info, facts["model"])
        if filters.wrong is not None and info.revision != facts["revision"]:
            raise NotFound("The model was replaced meanwhile; ask again.")
        ids, mask = list[str](), list[np.ndarray]()
        for part, content in zip(facts["data"], facts.pop("contents"), strict=True):
            if await asyncio.to_thread(self._gallery.content, part["name"]) != content:
                raise NotFound("The data set was replaced meanwhile; ask again.")
            dataset, count = self._gallery.dataset(part["name"]), part["count"]
            ids += [f"{dataset.name}.{dataset.split}.{row}" for row in range(count)]
            mask.append((await self._samples.matching(dataset, filters, info))[:count])
        values = np.array([np.nan if value is None else value for value in facts.pop("values")])
        chosen = np.concatenate(mask) & (np.array(ids) != (facts["to"] or ""))
        rows = _ordered(values, chosen, facts["order"])
        items = [RankedSample(ids[row], float(values[row])) for row in rows[offset : offset + limit]]
        return RankedPage(facts, items, len(rows))

    # -- of uploads ----------------------------------------------------------------------------------------

    async def own(
        self, request: dict[str, Any], caller: str | None, filters: SampleFilters, offset: int, limit: int
    ) -> RankedPage:
        """Return a page of the newest matching uploads of the caller and of everybody."""
        info = await asyncio.to_thread(self._inference.info, request["model"])
        check_own(info)
        intervention = await asyncio.to_thread(self._intervention, info, request)
        reference, reference_key = await asyncio.to_thread(self._reference, info, request)
        samples, _ = await self._samples.uploads(filters, caller, info, 0, MAX_UPLOADED)
        keys = await asyncio.to_thread(lambda: [self._samples.image_key(sample.id) or "" for sample in samples])
        what = "\n".join((request["order"], _plain(info, intervention).to_json(), reference_key))
        model = await asyncio.to_thread(self._inference.model, info)

        async def compute(missing: Sequence[tuple[str, str, str]]) -> dict[tuple[str, str, str], float]:
            measure = await self._inference.run(partial(_measure, model, request["order"], intervention, reference))
            results = {}
            for key in missing:
                inputs = await asyncio.to_thread(self._samples.inputs_of_image, info, key[2])
                results[key] = float((await self._inference.run(partial(measure, inputs), cost=2))[0])
            return results

        wanted = [(info.revision, what, key) for key in keys]
        results = await self._own.find_all(wanted, compute)
        values = np.array([results[key] for key in wanted])
        others = np.array([key != request.get("picture") for key in keys], dtype=bool)
        rows = _ordered(values, others, request["order"])
        facts = self._facts(info, model, request, intervention) | {"id": None, "data": [], "count": len(samples)}
        items = [RankedSample(samples[row].id, float(values[row]), samples[row]) for row in rows]
        return RankedPage(facts, items[offset : offset + limit], len(rows))

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
    """Return the intervention without the model's own settings."""
    return Measured(info, (), "").plain(intervention)


def _measure(model: Network, order: str, intervention: Intervention, reference: Inputs | None) -> Measure:
    if order == "heads":
        return disagreement(model, intervention)
    if reference is None:
        return rerouting(model, intervention)
    return nearness(model, reference.to(model.device), intervention)


def _ordered(values: np.ndarray, chosen: np.ndarray, order: str) -> list[int]:
    """Return the rows of the chosen samples with a value: the nearest first, or the largest value first."""
    rows = np.flatnonzero(chosen & np.isfinite(values))
    keys = values[rows] if order == "nearest" else -values[rows]
    return [int(row) for row in rows[np.argsort(keys, kind="stable")]]
