"""Jobs that find in which order experts go, and what is left of the figure while fewer and fewer are kept.

The order is chosen on the last samples of every data set, and what it costs is measured on the first ones. Every score
goes through the store of scores, so a job that was cancelled or cut off goes on where it stopped.
"""

import hashlib
import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from cachetools import LRUCache

from routescope.nn.network import Network
from routescope.routing import Intervention
from routescope.routing.caused.pruning import (
    RANDOM,
    DomainScores,
    KeepList,
    PruningError,
    RetainedPoint,
    check_counts,
    find_order,
    kept_with,
    layers_of,
    retained_steps,
    scores_of_order,
    shares_of,
)
from routescope.routing.progress import Progress
from routescope.zoo.pruning import not_written
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.job_thread import JobThread
from routescope_app.services.errors import NotAccepted, NotFound, sentence
from routescope_app.services.measuring.evaluations import MAX_DRAWS
from routescope_app.services.measuring.scope import Measured, Measuring, SampleRange
from routescope_app.services.measuring.scoring import JobScorer, Scoring
from routescope_app.services.measuring.snapshots import accuracy_of, finite, measure_of

#: Sets of experts times samples that one pruning may score, for its order and its curves.
MAX_SCORES = 1_000_000

P = ParamSpec("P")
T = TypeVar("T")
FILE = "pruning.json"
#: Jobs of which what is known can be read before they are done.
REMEMBERED = 16


@dataclass(frozen=True)
class _Asked:
    """What a request asks for: samples that choose the order, others that measure it, and sizes of all of it."""

    chosen: Measured
    measured: Measured
    model: Network
    shares: tuple[float, ...]
    ordering: int
    """Sets of experts that are scored before the order is known."""


class PruningWork:
    """See ``jobs.Work``; and what is known of a job that runs, and keep-lists along its order."""

    def __init__(self, measuring: Measuring, scoring: Scoring, inference: Inference) -> None:
        self._measuring = measuring
        self._scoring = scoring
        self._inference = inference
        self._known: LRUCache[str, dict[str, Any]] = LRUCache(REMEMBERED)
        self._learning = threading.Lock()

    # -- what is asked for ---------------------------------------------------------------------------------

    def _checked(self, request: dict[str, Any]) -> _Asked:
        whole = self._measuring.measured(request["model"], request["data"], request["samples"])
        if not whole.info.layers:
            raise NotAccepted("Experts are pruned of models whose tokens are routed to experts; this one has none.")
        if request["draws"] > MAX_DRAWS:
            raise NotAccepted(f"Up to {MAX_DRAWS} random sets are drawn.")
        model = self._inference.model(whole.info)
        ordering = scores_of_order(model, request["order"], request["at_once"])
        shares = shares_of(model, request["scope"], request["points"])
        chosen, measured = _apart(whole)
        if request["keep"] is not None:
            _in_words(check_counts, model, _every(model, request["keep"]))
        sets = 1 + (len(shares) + (request["keep"] is not None)) * (1 + request["draws"])
        cost, most = ordering * chosen.count + sets * measured.count, MAX_SCORES
        if cost > most:
            raise NotAccepted(
                f"This scores {ordering:,} sets of experts for the order and {sets:,} for the curves, on "
                f"{whole.count:,} samples each; up to {most:,} sets times samples are accepted. Ask for fewer "
                "samples, for more experts that go at once, or for an order by tokens or weight, which scores none."
            )
        return _Asked(chosen, measured, model, shares, ordering)

    def identify(self, request: dict[str, Any]) -> str:
        """What does not matter for an order or a scope is left out."""
        asked = self._checked(request)
        at_once = str(request["at_once"]) if request["order"] == "greedy" else ""
        facts = [request["order"], request["scope"], at_once, str(request["keep"])]
        facts += [str(request[name]) for name in ("seed", "draws", "points")]
        return asked.measured.digest("pruning", *facts)

    # -- as a job ------------------------------------------------------------------------------------------

    async def run(self, job_id: str, request: dict[str, Any], folder: Path, progress: Progress) -> None:
        """Find the order, then measure share after share; what is known so far can be read meanwhile."""
        thread = JobThread(self._inference, progress)
        await thread.run(partial(_in_words, self._measure, thread, job_id, request, folder))

    def _measure(self, thread: JobThread, job_id: str, request: dict[str, Any], folder: Path) -> None:
        asked = self._checked(request)
        facts = self._learn(_facts(job_id, asked, request))
        going = find_order(
            asked.model,
            asked.chosen.datasets,
            request["order"],
            together=request["at_once"],
            seed=request["seed"],
            scorer=JobScorer(self._scoring, asked.chosen, thread),
            turn=thread.turn,
            progress=thread.progress,
        )
        facts = self._learn(facts | {"sequence": list(going)})
        scores_of = DomainScores(JobScorer(self._scoring, asked.measured, thread), asked.measured.datasets)
        whole = scores_of(Intervention())
        baseline = [{"domain": domain, "figure": accuracy_of(scores)} for domain, scores in whole.items()]
        measure = measure_of(next(iter(whole.values())))
        facts = self._learn(facts | {"baseline": baseline, "measure": measure})
        keeps = list[float | Sequence[int]](asked.shares)
        if request["keep"] is not None:
            keeps.insert(0, _every(asked.model, request["keep"]))  # first, as it may be refused yet
        options = {"scope": request["scope"], "draws": request["draws"], "seed": request["seed"] + 1}
        steps = retained_steps(
            asked.model, scores_of, whole, {request["order"]: going}, keeps, progress=thread.progress, **options
        )
        experts = sum(layer.experts for layer in layers_of(asked.model))
        for keep, points in zip(keeps, steps, strict=True):
            name = "curve" if isinstance(keep, float) else "chosen"
            facts = self._learn(facts | {name: facts[name] + _told(points, experts)})
        text = json.dumps(self._learn(facts | {"complete": True}), allow_nan=False)
        (folder / FILE).write_text(text)

    def _learn(self, facts: dict[str, Any]) -> dict[str, Any]:
        """Keep what is known of a job; of the last few, whether they ended or not."""
        with self._learning:
            self._known[facts["id"]] = facts
        return facts

    # -- what was found ------------------------------------------------------------------------------------

    def known(self, job_id: str) -> dict[str, Any] | None:
        """What is known of one of the last jobs that ran here, also where it was cancelled; else None."""
        with self._learning:
            return self._known.get(job_id)

    def keep_list(self, found: dict[str, Any], counts: Sequence[int]) -> tuple[Network, KeepList]:
        """The model and its keep-list along the order that was found; blocking.

        Args:
            counts: how many experts each layer keeps; one number: every layer.

        Raises:
            NotFound: the order is not known yet, or the model is no longer there, or has other weights by now.
            NotAccepted: numbers that the model cannot be left with.
        """
        if not found["sequence"] and not found["complete"]:
            raise NotFound("In which order experts go is not known yet; ask again once the job has found it.")
        info = self._inference.info(found["model"])
        if info.revision != found["revision"]:
            raise NotFound("The model was replaced meanwhile; ask for its pruning again.")
        model = self._inference.model(info)
        made = {"order": found["order"], "scope": found["scope"], "seed": found["seed"]}
        if missing := not_written(model):
            made["not_written"] = missing
        return model, self._accepted(model, found["sequence"], counts, made)

    def _accepted(
        self,
        model: Network,
        order: Sequence[str],
        counts: Sequence[int],
        made: dict[str, str | float | int] | None = None,
    ) -> KeepList:
        return _in_words(kept_with, model, order, _every(model, counts), made)


def _every(model: Network, counts: Sequence[int]) -> Sequence[int]:
    """A number for every layer, where one number is for all."""
    return list(counts) * len(layers_of(model)) if len(counts) == 1 else counts


def _in_words(ask: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """What it gives; refuses in the words of what it refuses."""
    try:
        return ask(*given, **named)
    except PruningError as error:
        raise NotAccepted(sentence(error)) from error


def _apart(whole: Measured) -> tuple[Measured, Measured]:
    """The last samples of every part, and as many of the first ones: no sample is in both.

    Raises:
        NotAccepted: a data set of a single sample.
    """
    chosen, measured = [], []
    for part in whole.parts:
        size = len(part.dataset)
        count = min(part.limit, size // 2)
        if not count:
            raise NotAccepted(f"{part.dataset.title} has {size} sample: some choose the order, others measure it.")
        content = hashlib.sha256(f"{part.content} last {count}".encode()).hexdigest()
        chosen.append(SampleRange(part.dataset.take(slice(size - count, size)), count, content))
        measured.append(replace(part, limit=count))
    return replace(whole, parts=tuple(chosen)), replace(whole, parts=tuple(measured))


def _facts(job_id: str, asked: _Asked, request: dict[str, Any]) -> dict[str, Any]:
    """What is known before anything is computed."""
    info = asked.measured.info
    asks = ("order", "scope", "at_once", "draws", "seed", "keep")
    return {
        "id": job_id,
        "model": info.id,
        "revision": info.revision,
        **{name: request[name] for name in asks},
        "data": asked.measured.data(),
        "count": asked.measured.count,
        "chosen_on": asked.chosen.count,
        "layers": [
            {"name": each.name, "experts": each.experts, "least": each.top_k} for each in layers_of(asked.model)
        ],
        "complete": False,
        "sequence": [],
        "measure": None,
        "baseline": [],
        "curve": [],
        "chosen": [],
    }


def _told(points: Sequence[RetainedPoint], experts: int) -> list[dict[str, Any]]:
    """Points of one share as the API says them, each beside the random sets of its domain."""
    random = {point.domain: point for point in points if point.order == RANDOM}
    return [_point(point, random.get(point.domain), experts) for point in points if point.order != RANDOM]


def _point(point: RetainedPoint, beside: RetainedPoint | None, experts: int) -> dict[str, Any]:
    return {
        "domain": point.domain,
        "keep": point.keep,
        "share": point.share,
        "experts": round(point.share * experts),
        "figure": _interval(point.figure, point.low, point.high),
        "change": _interval(point.change, point.change_low, point.change_high),
        "random": None if beside is None else _interval(beside.figure, beside.low, beside.high),
        "random_change": None if beside is None else _interval(beside.change, beside.change_low, beside.change_high),
        "draws": 0 if beside is None else beside.draws,
    }


def _interval(value: float, low: float, high: float) -> dict[str, float | None]:
    return {"value": float(value), "low": finite(float(low)), "high": finite(float(high))}
