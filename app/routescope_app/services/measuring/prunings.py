"""Jobs that find the order in which experts are removed, and the figure while fewer and fewer are kept.

The order is chosen on the last samples of every data set, and its cost is measured on the first ones. Every score is
cached, so a job that was cancelled or interrupted resumes where it stopped.
"""

import hashlib
import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
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
from routescope.zoo.pruning import not_written
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.job_thread import JobThread
from routescope_app.services.errors import NotAccepted, NotFound, sentence
from routescope_app.services.jobs.work import ThreadWork
from routescope_app.services.measuring.evaluations import MAX_DRAWS
from routescope_app.services.measuring.scope import Measured, Measuring, SampleRange
from routescope_app.services.measuring.scoring import JobScorer, Scoring
from routescope_app.services.measuring.snapshots import accuracy_of, measure_of
from routescope_app.services.packed import interval

#: Largest number of sets of experts times samples that one job scores, for the order and the curves.
MAX_SCORES = 1_000_000
#: Fields of a request that the result repeats.
REPEATED = ("order", "scope", "at_once", "draws", "seed", "keep")
#: The file of a result.
FACTS = "pruning.json"
#: Jobs with partial results in memory.
REMEMBERED = 16

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class _Setup:
    """A possible request: samples that choose the order, samples that measure it, and the shares of the curves."""

    chosen: Measured
    measured: Measured
    model: Network
    shares: tuple[float, ...]


class PruningWork(ThreadWork):
    """Jobs that prune (see ``jobs.work.Work``), partial results of running jobs, and keep-lists."""

    def __init__(self, measuring: Measuring, scoring: Scoring, inference: Inference) -> None:
        super().__init__(inference)
        self._measuring = measuring
        self._scoring = scoring
        self._partial: LRUCache[str, dict[str, Any]] = LRUCache(REMEMBERED)
        self._lock = threading.Lock()

    # -- requests ------------------------------------------------------------------------------------------

    def _checked(self, request: dict[str, Any]) -> _Setup:
        whole = self._measuring.measured(request["model"], request["data"], request["samples"])
        if not whole.info.layers:
            raise NotAccepted("Experts are pruned of models whose tokens are routed to experts; this one has none.")
        if request["draws"] > MAX_DRAWS:
            raise NotAccepted(f"Up to {MAX_DRAWS} random sets are drawn.")
        model = self._inference.model(whole.info)
        ordering = scores_of_order(model, request["order"], request["at_once"])
        shares = shares_of(model, request["scope"], request["points"])
        chosen, measured = _halves(whole)
        if request["keep"] is not None:
            _accepted(check_counts, model, _per_layer(model, request["keep"]))
        sets = 1 + (len(shares) + (request["keep"] is not None)) * (1 + request["draws"])
        if ordering * chosen.count + sets * measured.count > MAX_SCORES:
            raise NotAccepted(
                f"This scores {ordering:,} sets of experts for the order and {sets:,} for the curves, on "
                f"{whole.count:,} samples each; up to {MAX_SCORES:,} sets times samples are accepted. Ask for fewer "
                "samples, for more experts that go at once, or for an order by tokens or weight, which scores none."
            )
        return _Setup(chosen, measured, model, shares)

    def identify(self, request: dict[str, Any]) -> str:
        """Hash everything that the result depends on, without options of other orders."""
        setup = self._checked(request)
        at_once = str(request["at_once"]) if request["order"] == "greedy" else ""
        facts = [request["order"], request["scope"], at_once, str(request["keep"])]
        facts += [str(request[name]) for name in ("seed", "draws", "points")]
        return setup.measured.digest("pruning", *facts)

    # -- computing -----------------------------------------------------------------------------------------

    def compute(self, thread: JobThread, job_id: str, request: dict[str, Any], folder: Path) -> None:
        """Find the order, then measure share after share; partial results can be read meanwhile."""
        _accepted(self._measure, thread, job_id, request, folder)

    def _measure(self, thread: JobThread, job_id: str, request: dict[str, Any], folder: Path) -> None:
        setup = self._checked(request)
        facts = self._publish(_facts(job_id, setup, request))
        order = find_order(
            setup.model,
            setup.chosen.datasets,
            request["order"],
            together=request["at_once"],
            seed=request["seed"],
            scorer=JobScorer(self._scoring, setup.chosen, thread),
            turn=thread.turn,
            progress=thread.progress,
        )
        facts = self._publish(facts | {"sequence": list(order)})
        scores_of = DomainScores(JobScorer(self._scoring, setup.measured, thread), setup.measured.datasets)
        whole = scores_of(Intervention())
        baseline = [{"domain": domain, "figure": accuracy_of(scores)} for domain, scores in whole.items()]
        measure = measure_of(next(iter(whole.values())))
        facts = self._publish(facts | {"baseline": baseline, "measure": measure})
        keeps = list[float | Sequence[int]](setup.shares)
        if request["keep"] is not None:
            keeps.insert(0, _per_layer(setup.model, request["keep"]))  # first, because it may still be refused
        options = {"scope": request["scope"], "draws": request["draws"], "seed": request["seed"] + 1}
        steps = retained_steps(
            setup.model, scores_of, whole, {request["order"]: order}, keeps, progress=thread.progress, **options
        )
        experts = sum(layer.experts for layer in layers_of(setup.model))
        for keep, points in zip(keeps, steps, strict=True):
            name = "curve" if isinstance(keep, float) else "chosen"
            facts = self._publish(facts | {name: facts[name] + _points(points, experts)})
        text = json.dumps(self._publish(facts | {"complete": True}), allow_nan=False)
        (folder / FACTS).write_text(text)

    def _publish(self, facts: dict[str, Any]) -> dict[str, Any]:
        """Keep a partial result in memory, and return it."""
        with self._lock:
            self._partial[facts["id"]] = facts
        return facts

    # -- results -------------------------------------------------------------------------------------------

    def partial_result(self, job_id: str) -> dict[str, Any] | None:
        """Return the result so far of one of the last jobs of this process, even a cancelled one; else None."""
        with self._lock:
            return self._partial.get(job_id)

    def keep_list(self, pruning: dict[str, Any], counts: Sequence[int]) -> tuple[Network, KeepList]:
        """Return the model and its keep-list along the order of a result; blocking.

        Args:
            counts: experts to keep per layer, or one number for all layers.

        Raises:
            NotFound: the order is not known yet, or the model is gone or has other weights.
            NotAccepted: numbers that the model cannot be left with.
        """
        if not pruning["sequence"] and not pruning["complete"]:
            raise NotFound("In which order experts go is not known yet; ask again once the job has found it.")
        info = self._inference.info(pruning["model"])
        if info.revision != pruning["revision"]:
            raise NotFound("The model was replaced meanwhile; ask for its pruning again.")
        model = self._inference.model(info)
        made = {"order": pruning["order"], "scope": pruning["scope"], "seed": pruning["seed"]}
        if missing := not_written(model):
            made["not_written"] = missing
        return model, _accepted(kept_with, model, pruning["sequence"], _per_layer(model, counts), made)


def _per_layer(model: Network, counts: Sequence[int]) -> Sequence[int]:
    """Return a number for every layer, repeating a single number."""
    return list(counts) * len(layers_of(model)) if len(counts) == 1 else counts


def _accepted(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function of core; raise NotAccepted for what it refuses."""
    try:
        return function(*args, **kwargs)
    except PruningError as error:
        raise NotAccepted(sentence(error)) from error


def _halves(whole: Measured) -> tuple[Measured, Measured]:
    """Return the last samples of every part, and as many first ones; raises NotAccepted for a single sample."""
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


def _facts(job_id: str, setup: _Setup, request: dict[str, Any]) -> dict[str, Any]:
    """Return the result before anything is computed."""
    layers = layers_of(setup.model)
    return {
        **setup.measured.facts(job_id),
        **{name: request[name] for name in REPEATED},
        "count": setup.measured.count,
        "chosen_on": setup.chosen.count,
        "layers": [{"name": layer.name, "experts": layer.experts, "least": layer.top_k} for layer in layers],
        "complete": False,
        "sequence": [],
        "measure": None,
        "baseline": [],
        "curve": [],
        "chosen": [],
    }


def _points(points: Sequence[RetainedPoint], experts: int) -> list[dict[str, Any]]:
    """Return the points of one share, each beside the random sets of its domain."""
    random = {point.domain: point for point in points if point.order == RANDOM}
    return [_point(point, random.get(point.domain), experts) for point in points if point.order != RANDOM]


def _point(point: RetainedPoint, random: RetainedPoint | None, experts: int) -> dict[str, Any]:
    return {
        "domain": point.domain,
        "keep": point.keep,
        "share": point.share,
        "experts": round(point.share * experts),
        "figure": interval(point.figure, point.low, point.high),
        "change": interval(point.change, point.change_low, point.change_high),
        "random": None if random is None else interval(random.figure, random.low, random.high),
        "random_change": None if random is None else interval(random.change, random.change_low, random.change_high),
        "draws": 0 if random is None else random.draws,
    }
