"""Jobs that find in which order experts go, and what is left of the figure while fewer and fewer are kept.

The order is chosen on the last samples of every data set, and what it costs is measured on the first ones. Every score
goes through the store of scores, so a job that was cancelled or cut off goes on where it stopped.
"""

import asyncio
import contextlib
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from cachetools import LRUCache

from routescope.nn.network import Network
from routescope.routing import Intervention
from routescope.routing.caused.pruning import (
    KeepList,
    PruningError,
    RetainedPoint,
    UseObserver,
    band_of,
    by_chance,
    by_least,
    check_counts,
    effect_asking,
    greedy_asking,
    kept_of,
    kept_with,
    layers_of,
    points_of,
    scores_of_order,
    shares_of,
    with_everything,
)
from routescope.routing.caused.scores import Scores
from routescope.zoo.pruning import not_written
from routescope_app.services.engine.in_thread import in_thread
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.threads import Priority
from routescope_app.services.errors import NotAccepted, NotFound, sentence
from routescope_app.services.jobs.jobs import Progress
from routescope_app.services.measuring.by_batches import each_batch
from routescope_app.services.measuring.evaluations import MAX_DRAWS
from routescope_app.services.measuring.scope import Measured, Measuring, SampleRange
from routescope_app.services.measuring.scoring import Scoring, answered
from routescope_app.services.measuring.snapshots import accuracy_of, finite, measure_of

#: Sets of experts times samples that one pruning may score, for its order and its curves.
MAX_SCORES = 1_000_000

P = ParamSpec("P")
T = TypeVar("T")
JOB = Priority.JOB
FILE = "pruning.json"
#: Jobs of which what is known can be read before they are done.
REMEMBERED = 16
#: What is being done, for people.
DOING = {
    "tokens": "counting tokens",
    "weight": "observing routing weight",
    "effect": "dropping each expert alone",
    "greedy": "dropping experts one after the other",
    "chance": "drawing an order",
}


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
        asked = await asyncio.to_thread(self._checked, request)
        facts = self._learn(_facts(job_id, asked, request))
        going = await self._order(asked, request, progress)
        facts = self._learn(facts | {"sequence": list(going)})
        whole = await self._scores(asked.measured, Intervention())
        baseline = [{"domain": domain, "figure": accuracy_of(each)} for domain, each in whole.items()]
        measure = measure_of(next(iter(whole.values())))
        facts = self._learn(facts | {"baseline": baseline, "measure": measure})
        steps: list[float | list[int]] = [] if request["keep"] is None else [request["keep"]]  # may be refused yet
        steps += asked.shares
        for number, step in enumerate(steps):
            words = f"measuring {number + 1} of {len(steps)} shares"
            total = len(steps) * (1 + request["draws"])

            def report(done: int, number: int = number, words: str = words, total: int = total) -> None:
                progress(number * (1 + request["draws"]) + done, total, words)

            points = await self._points(asked, request, going, step, whole, report)
            name = "chosen" if isinstance(step, list) else "curve"
            facts = self._learn(facts | {name: [*facts[name], *points]})
        text = json.dumps(self._learn(facts | {"complete": True}), allow_nan=False)
        await asyncio.to_thread((folder / FILE).write_text, text)

    def _learn(self, facts: dict[str, Any]) -> dict[str, Any]:
        """Keep what is known of a job; of the last few, whether they ended or not."""
        self._known[facts["id"]] = facts
        return facts

    async def _order(self, asked: _Asked, request: dict[str, Any], progress: Progress) -> tuple[str, ...]:
        order, model, words = request["order"], asked.model, DOING[request["order"]]
        if order == "chance":
            return by_chance(model, request["seed"])
        if order in ("tokens", "weight"):
            observer = UseObserver(model, asked.chosen.datasets)
            async for done, total in each_batch(self._inference, observer):
                progress(done, total, words)
            used = observer.result()
            return by_least(model, used.tokens if order == "tokens" else used.weight)
        scored = 0

        async def score(kept: frozenset[str]) -> Scores:
            nonlocal scored
            gone = tuple(unit for unit in model.units if unit not in kept)
            found = await self._runs(asked.chosen, Intervention(drop=gone))
            scored = min(scored + 1, asked.ordering)
            progress(scored, asked.ordering, words)
            return Scores.join(found.values())

        asking = effect_asking(model) if order == "effect" else greedy_asking(model, 0.0, "all", request["at_once"])
        return await answered(asking, score)

    async def _points(
        self,
        asked: _Asked,
        request: dict[str, Any],
        going: Sequence[str],
        step: float | list[int],
        whole: dict[str, Scores],
        report: Callable[[int], None],
    ) -> list[dict[str, Any]]:
        """Points by domain of one share, or of numbers by layer, with the band of random sets."""
        scope, seed = request["scope"], request["seed"]

        def kept(order: Sequence[str]) -> KeepList:
            if isinstance(step, list):
                return self._accepted(asked.model, order, step)
            return kept_of(asked.model, order, step, scope)

        own = await in_thread(partial(kept, going))
        after = await self._scores(asked.measured, Intervention(drop=own.dropped))
        report(1)
        drawn = []
        for draw in range(request["draws"]):
            with contextlib.suppress(NotAccepted):  # groups of experts may ask for more than these numbers
                other = await in_thread(partial(kept, by_chance(asked.model, seed + 1 + draw)))
                drawn.append(await self._scores(asked.measured, Intervention(drop=other.dropped)))
            report(2 + draw)
        keep = own.share if isinstance(step, list) else step
        mine = await in_thread(partial(points_of, request["order"], keep, own.share, whole, after))
        band = await in_thread(partial(band_of, keep, own.share, whole, drawn)) if drawn else [None] * len(mine)
        experts = sum(len(layer.kept) for layer in own.layers)
        return [_told(point, beside, experts) for point, beside in zip(mine, band, strict=True)]

    async def _runs(self, measured: Measured, change: Intervention) -> dict[SampleRange, Scores]:
        (run,) = await self._scoring.runs(measured, [change])
        await self._scoring.finish(run, JOB)
        return {part: each.scores for part, each in run.scored().items()}

    async def _scores(self, measured: Measured, change: Intervention) -> dict[str, Scores]:
        """Scores by domain, and of all of them together."""
        found = await self._runs(measured, change)
        return with_everything({part.dataset.domain: scores for part, scores in found.items()})

    # -- what was found ------------------------------------------------------------------------------------

    def known(self, job_id: str) -> dict[str, Any] | None:
        """What is known of one of the last jobs that ran here, also where it was cancelled; else None."""
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


def _told(point: RetainedPoint, beside: RetainedPoint | None, experts: int) -> dict[str, Any]:
    """A point as the API says it."""
    return {
        "domain": point.domain,
        "keep": point.keep,
        "share": point.share,
        "experts": experts,
        "figure": _interval(point.figure, point.low, point.high),
        "change": _interval(point.change, point.change_low, point.change_high),
        "random": None if beside is None else _interval(beside.figure, beside.low, beside.high),
        "random_change": None if beside is None else _interval(beside.change, beside.change_low, beside.change_high),
        "draws": 0 if beside is None else beside.draws,
    }


def _interval(value: float, low: float, high: float) -> dict[str, float | None]:
    return {"value": float(value), "low": finite(float(low)), "high": finite(float(high))}
