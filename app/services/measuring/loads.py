"""Jobs that observe how tokens of texts spread over experts, batch by batch; nothing of it is caused."""

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
from app.settings import Settings
from core.data import LabelledSamples
from core.nn.network import Network
from core.routing import Intervention
from core.routing.observed.load import Exemplar, Load, LoadObserver

#: Tokens before and after an exemplar that are told with it.
BEFORE, AFTER = 28, 16
#: Layers whose every pair of experts is told, as long as there are no more numbers than this in all.
MOST_PAIRS = 200_000


class LoadWork:
    """See ``jobs.Work``."""

    def __init__(self, settings: Settings, measuring: Measuring, inference: Inference) -> None:
        self._settings = settings
        self._measuring = measuring
        self._inference = inference

    def _checked(self, request: dict[str, Any]) -> tuple[Measured, Intervention]:
        measured = self._measuring.measured(request["model"], request["data"], request["samples"])
        if not measured.info.layers:
            raise NotAccepted("Load is observed of models whose tokens are routed to experts; this one has none.")
        if request["shuffles"] > self._settings.max_shuffles:
            raise NotAccepted(f"Up to {self._settings.max_shuffles} shuffles are accepted.")
        return measured, self._measuring.intervention(measured.info, request["intervention"])

    def identify(self, request: dict[str, Any]) -> str:
        """Hash of all that the result depends on."""
        measured, intervention = self._checked(request)
        facts = [str(request["shuffles"]), str(request["seed"])]
        return measured.digest("expert-load", measured.plain(intervention).to_json(), *facts)

    async def run(self, job_id: str, request: dict[str, Any], folder: Path, progress: Progress) -> None:
        """Observe, then count what it comes to."""
        measured, intervention = await asyncio.to_thread(self._checked, request)
        model = await asyncio.to_thread(self._inference.model, measured.info)
        options = {"shuffles": request["shuffles"], "seed": request["seed"]}
        sets = measured.datasets
        observer = await in_thread(partial(LoadObserver, model, sets, intervention=intervention, **options))
        batches = iter(observer)
        while (done := await self._inference.run(partial(next, batches, None), priority=Priority.JOB)) is not None:
            progress(done[0], done[1], "observing experts")
        progress(measured.count, measured.count, "shuffling the data sets of texts")
        found = await in_thread(observer.result)
        facts = {
            "id": job_id,
            "model": measured.info.id,
            "revision": measured.info.revision,
            "seed": request["seed"],
            "shuffles": request["shuffles"],
            "intervention": intervention.to_dict(),
            "data": measured.data(),
        }
        told = await in_thread(partial(described, found, model, sets))
        text = json.dumps(facts | told, allow_nan=False)
        await asyncio.to_thread((folder / "load.json").write_text, text)


def described(found: Load, model: Network, sets: list[LabelledSamples]) -> dict[str, Any]:
    """What was observed, as the API says it."""
    lift, total = found.lift, found.load
    pairs = found.together.size <= MOST_PAIRS
    layers = []
    for at, layer in enumerate(found.layers):
        E = layer.experts
        layers.append(
            {
                "name": layer.name,
                "units": list(layer.units),
                "load": total[at, :E].tolist(),
                "weight": (found.weight[at, :E] / max(1, found.tokens)).tolist(),
                "effective": float(found.effective[at]),
                "most_over_mean": float(total[at, :E].max() * E),
                "dead": list(found.dead[at]),
                "token_entropy": float(found.token_entropy[at]),
                "specialisation": finite(float(found.specialised[at])),
                "null": finite(float(found.null[at])),
                "null_high": finite(float(found.null_high[at])),
                "by_domain": found.of_domain[at, :E].tolist(),
                "low": found.low[at, :E].tolist(),
                "high": found.high[at, :E].tolist(),
                "together": finite(lift[at, :E, :E].tolist()) if pairs else None,
            }
        )
    return {
        "count": found.texts,
        "tokens": found.tokens,
        "domains": list(found.domains),
        "layers": layers,
        "exemplars": _exemplars(found.exemplars, model, sets),
    }


def _exemplars(found: tuple[Exemplar, ...], model: Network, sets: list[LabelledSamples]) -> list[dict[str, Any]]:
    """Tokens within what stands around them."""
    read: dict[tuple[int, int], tuple[str, ...]] = {}
    told = []
    for each in found:
        place = each.set, each.sample
        dataset = sets[each.set]
        if place not in read:
            texts = model.token_texts(model.as_inputs(dataset.inputs([each.sample])))
            read[place] = () if texts is None else texts[0]
        tokens, at = read[place], each.token
        told.append(
            {
                "unit": each.unit,
                "sample": f"{dataset.name}.{dataset.split}.{each.sample}",
                "domain": dataset.domain,
                "token": at,
                "weight": each.weight,
                "before": "".join(tokens[max(1, at - BEFORE) : at]),
                "text": tokens[at] if at < len(tokens) else "",
                "after": "".join(tokens[at + 1 : at + 1 + AFTER]),
            }
        )
    return told
