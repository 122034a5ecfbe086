"""Evaluations: an intervention scored beside the full model, as a stream of figures that become more precise.

Controls are random sets of the same size under the same kinds of ablation. If an intervention cuts links, each control
cuts the same share of the least probable links among its remaining modules. Interventions without units, and
interventions on routes or gates of single blocks, have no control.
"""

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, aclosing
from dataclasses import dataclass, field, replace
from functools import partial
from math import comb
from typing import Any, Self

import numpy as np

from routescope.nn.experts import RoutedLayer
from routescope.routing import KINDS, Intervention, Scores
from routescope.routing.caused.distributions import DISTRIBUTIONS
from routescope.routing.caused.effects import drop_effect, effects_by, outcomes, random_control
from routescope.routing.caused.intervals import RESAMPLES
from routescope.routing.running import BATCH
from routescope_app.services.engine.threads import Priority
from routescope_app.services.engine.turnstile import Turnstile
from routescope_app.services.errors import NotAccepted, Refusal
from routescope_app.services.measuring import snapshots
from routescope_app.services.measuring.computing import share_of_iterations
from routescope_app.services.measuring.scope import Measured, Measuring
from routescope_app.services.measuring.scoring import Run, Scoring
from routescope_app.services.measuring.snapshots import (
    RUNNING_RESAMPLES,
    Pairs,
    accuracy_of,
    change_of,
    loss_of,
    paired,
)

#: Largest number of random sets of one evaluation.
MAX_DRAWS = 64
#: Expected seconds of computing of the evaluations that run at the same time.
COMPUTING_SECONDS = 0.1
#: Rounds of a timing.
TIMING_ROUNDS = 9
#: Seed of the random sets.
SEED = 0
#: Draws per random set, because sets may repeat.
ATTEMPTS = 8
#: Least seconds between two events of a stream, as people see no more.
EVENT_SECONDS = 0.08
STREAM = Priority.STREAM
#: Evaluations of one client that run at the same time while nobody else evaluates, such as those of its tabs.
FEW = 4
#: Waiting time of a stream for its turn, relative to other requests: the page shows that it waits, and can end it.
STREAM_PATIENCE = 10
#: Callback that returns the fields of ``Evaluation`` as they are now; takes some milliseconds.
Snapshot = Callable[[], dict[str, Any]]
Snapshots = AsyncGenerator[Snapshot, None]


def check_comparable(a: Measured, b: Measured) -> None:
    """Check that two measurements are of the same samples and labels; raises NotAccepted for others."""
    if [(part.content, part.limit) for part in a.parts] != [(part.content, part.limit) for part in b.parts]:
        raise NotAccepted(f"{a.info.id} and {b.info.id} are not measured on the same samples.")
    if tuple(a.info.labels) != tuple(b.info.labels):
        raise NotAccepted(
            f"{a.info.id} answers with other labels than {b.info.id}: their answers are not right or wrong alike."
        )


@dataclass(frozen=True)
class ComparedRuns:
    """The runs of A and B on the same samples.

    Attributes:
        iterations: those of B, after which labels are taken.
        turned: whether resamples are drawn for A minus B, so that exchanging A and B only flips signs.
    """

    measured: Measured
    runs: tuple[Run, Run]
    iterations: int
    turned: bool

    @classmethod
    def of(cls, a: "_Plan", b: "_Plan") -> Self:
        """Compare two plans. Data held out from either model are out; data that both were trained on are in."""
        info_a, info_b = a.measured.info, b.measured.info
        trained_on = tuple(domain for domain in info_b.trained_on if domain in info_a.trained_on)
        info = replace(info_b, held_out=tuple({*info_a.held_out, *info_b.held_out}), trained_on=trained_on)
        iterations = b.intervention.iterations
        return cls(
            measured=replace(b.measured, info=info),
            runs=(a.run, b.run),
            iterations=info_b.iterations if iterations is None else iterations,
            turned=_sort_key(a) > _sort_key(b),
        )

    @property
    def rounds(self) -> int:
        """Number of rounds of the order that both have completed."""
        return min(run.rounds for run in self.runs)

    def compared(self) -> dict[str, Any]:
        """Return B minus A over the samples that both have scored, by distribution."""
        rounds, nothing = self.rounds, _empty_comparison(self.measured)
        if not rounds:
            return nothing
        a, b = self.runs
        pairs = paired(self.measured, b.scored(rounds), a.scored(rounds), self.iterations)
        measures = pairs.baseline.measure.name, pairs.changed.measure.name
        if measures[0] != measures[1]:
            return nothing | {"problem": "A is measured by {} and B by {}, which have no difference.".format(*measures)}
        resamples = RESAMPLES if rounds == self.measured.order.rounds else RUNNING_RESAMPLES
        masks = {name: pairs.distribution == name for name in DISTRIBUTIONS}
        described = [
            {"name": name, **self._in_distribution(pairs, mask, resamples)}
            for name, mask in masks.items()
            if mask.any()
        ]
        return nothing | {"covered": pairs.changed.count, "by_distribution": described}

    def _in_distribution(self, pairs: Pairs, mask: np.ndarray, resamples: int) -> dict[str, Any]:
        a, b = pairs.baseline.take(mask), pairs.changed.take(mask)
        effect = drop_effect(a, b, mirrored=self.turned, resamples=resamples)
        groups = partial(_groups, a, b, turned=self.turned, resamples=resamples)
        return {
            "count": len(b),
            "a": {"accuracy": accuracy_of(a), "loss": loss_of(a)},
            "b": {"accuracy": accuracy_of(b), "loss": loss_of(b)},
            "difference": change_of(effect),
            "outcomes": outcomes(a, b) if b.measure.share else None,
            "by_label": groups(pairs.labels[mask], self.measured.info.labels),
            "by_domain": groups(pairs.part[mask], [part.dataset.name for part in self.measured.parts]),
            "by_kind": groups(pairs.kind[mask], pairs.kinds),
        }


def _sort_key(plan: "_Plan") -> tuple[bool, str, str, str]:
    """Return a key that orders two evaluations, the full model first, whichever is A."""
    plain, info = plan.measured.plain(plan.intervention), plan.measured.info
    return plain != Intervention(), info.id, info.revision, plain.to_json()


def _groups(
    a: Scores, b: Scores, groups: np.ndarray, names: Sequence[str], *, turned: bool, resamples: int
) -> list[dict[str, Any]]:
    table = effects_by(groups, a, b, list(names), mirrored=turned, resamples=resamples)
    table = table[table["count"] > 0].rename(columns={"group": "name", b.measure.name: "accuracy"})
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]


def size_of(intervention: Intervention) -> int:
    """Return the number of units that an intervention names."""
    return sum(len(getattr(intervention, kind)) for kind in KINDS)


def like(intervention: Intervention, units: Sequence[str]) -> Intervention:
    """Return the intervention with other units in random roles, and as many of each kind of ablation."""
    mixed = list(units)
    random.Random(SEED).shuffle(mixed)
    fields: dict[str, Any] = {}
    start = 0
    for kind in KINDS:
        count = len(getattr(intervention, kind))
        fields[kind] = tuple(mixed[start : start + count])
        start += count
    return replace(intervention, **fields)


def within_layers(
    layers: Sequence[RoutedLayer], size: int, draws: int, top_k: int | None = None
) -> list[tuple[str, ...]]:
    """Return distinct random sets of ``size`` experts that leave top-k experts in each layer.

    Experts are drawn one by one among those that may still go. There are fewer than ``draws`` sets if hardly more are
    possible; for ``size`` 1 all sets, if these are no more than ``draws``.
    """
    group = {unit: layer.name for layer in layers for unit in layer.units}
    spare = {layer.name: layer.experts - (top_k or layer.top_k) for layer in layers}
    candidates = [unit for unit, name in group.items() if spare[name] > 0]
    if size == 1 and len(candidates) <= draws:
        return [(unit,) for unit in candidates]
    position = {unit: index for index, unit in enumerate(group)}
    sets = dict[tuple[str, ...], None]()
    for attempt in range(ATTEMPTS * draws):
        left, taken = dict(spare), list[str]()
        for unit in random.Random(f"{SEED} {attempt}").sample(candidates, len(candidates)):
            if len(taken) < size and left[group[unit]] > 0:
                taken.append(unit)
                left[group[unit]] -= 1
        if len(taken) == size and len(sets) < draws:
            sets[tuple(sorted(taken, key=position.__getitem__))] = None
    return list(sets)


def controls_of(measured: Measured, intervention: Intervention, draws: int) -> tuple[list[Intervention], bool]:
    """Return the random sets to compare with, and whether these are all sets of that size.

    They depend on the request only, so that the same request has the same sets.
    """
    size, units = size_of(intervention), measured.info.units
    steered = intervention.mute_routes or intervention.copy_routes or intervention.gates
    if not size or not draws or steered:
        return [], False
    if intervention.drop and measured.info.layers:
        drawn = within_layers(measured.info.layers, size, draws, intervention.top_k)
    else:
        drawn = random_control(units, size, draws, SEED)
    sets = dict.fromkeys(like(intervention, drawn_units) for drawn_units in drawn)
    one_kind = sum(bool(getattr(intervention, kind)) for kind in KINDS) == 1
    return list(sets), one_kind and comb(len(units), size) <= draws


@dataclass(frozen=True)
class _Plan:
    """The runs of an evaluation, with cached scores.

    Attributes:
        run: under the intervention.
        baseline: of the full model; the same object without an intervention.
    """

    measured: Measured
    intervention: Intervention
    run: Run
    baseline: Run
    draws: int
    controls: Sequence[Intervention]
    control_runs: Sequence[Run]
    exact: bool

    @property
    def missing_samples(self) -> float:
        """Number of samples to score, each weighted by its share of the model's iterations."""
        missing = {id(run): run for run in (self.run, self.baseline, *self.control_runs) if not run.cached}
        shares = (share_of_iterations(self.measured.info, run.intervention) for run in missing.values())
        return self.measured.count * sum(shares)


@dataclass
class _Evaluation:
    """An evaluation in progress."""

    plan: _Plan
    started: float
    control_scores: list[Scores] = field(default_factory=list)
    control_done: int = 0
    phase: str = "preparing"
    flops: int | None = None
    baseline_flops: int | None = None
    computed: bool = False
    ended: float | None = None
    last_snapshot: float = float("-inf")
    _figures: tuple[tuple[int, int], dict[str, Any]] | None = None
    _control: tuple[int, dict[str, Any] | None] | None = None

    @property
    def scored(self) -> int:
        plan = self.plan
        return plan.run.done + (0 if plan.baseline is plan.run else plan.baseline.done)

    @property
    def is_due(self) -> bool:
        """Whether the last snapshot is old enough for another event."""
        return time.monotonic() - self.last_snapshot >= EVENT_SECONDS

    def snapshot(self) -> dict[str, Any]:
        """Return the fields of ``Evaluation`` as they are now."""
        plan, measured = self.plan, self.plan.measured
        rounds = (plan.run.rounds, plan.baseline.rounds)
        if self._figures is None or self._figures[0] != rounds:
            self._figures = (rounds, snapshots.known(measured, plan.run, plan.baseline, plan.intervention))
        figures = self._figures[1]
        baseline = figures["baseline"]
        share = self.flops / self.baseline_flops if self.flops is not None and self.baseline_flops else None
        self.last_snapshot = time.monotonic()
        in_controls = self.phase in {"controls", "done"} and bool(plan.controls)
        total = measured.count * (1 if plan.baseline is plan.run else 2)
        return {
            "id": measured.digest("evaluation", plan.intervention.to_json(), str(plan.draws)),
            "model": measured.info.id,
            "revision": measured.info.revision,
            "data": measured.data(),
            "intervention": plan.intervention.to_dict(),
            "kinds": snapshots.kinds_of(measured.info, plan.intervention),
            "state": "done" if self.phase == "done" else "running",
            "phase": self.phase,
            "done": self.control_done if in_controls else self.scored,
            "total": measured.count * len(plan.controls) if in_controls else total,
            "cached": not self.computed,
            "seconds": (time.perf_counter() if self.ended is None else self.ended) - self.started,
            **figures,
            "baseline": None if baseline is None else baseline | {"flops": self.baseline_flops},
            "flops": self.flops,
            "flops_share": share,
            "saved": None if share is None else 1 - share,
            "control": self.control() if self.phase in {"controls", "done"} else None,
            "chance": snapshots.chance_of(measured, plan.intervention.iterations),
        }

    def control(self) -> dict[str, Any] | None:
        """Return the control sets so far."""
        plan, done = self.plan, len(self.control_scores)
        if self._control is None or self._control[0] != done:
            size = size_of(plan.intervention)
            described = snapshots.control_of(plan.measured, size, plan.controls, self.control_scores, plan.exact)
            self._control = done, described
        return self._control[1]


class Evaluations:
    """Evaluates interventions; scores are shared through the cache."""

    def __init__(self, measuring: Measuring, scoring: Scoring) -> None:
        self._measuring = measuring
        self._scoring = scoring
        patience = scoring.inference.patience
        self._turns = Turnstile(COMPUTING_SECONDS, patience, "Many evaluations are running", FEW)

    @property
    def waiting(self) -> int:
        """Number of evaluations that wait for their turn."""
        return self._turns.waiting

    async def prepare(self, model: str, samples: int = 1_000) -> None:
        """Score the full model, which every evaluation is compared with, ahead of requests."""
        measured = await asyncio.to_thread(self._measuring.measured, model, [], samples)
        (run,) = await self._scoring.runs(measured, [Intervention()])
        await self._scoring.finish(run, Priority.JOB)
        await self._scoring.flops(measured.info, Intervention(), Priority.JOB)

    async def evaluate(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the last state of ``stream``; raises as ``stream``, and for an impossible ``request["against"]``."""
        last: Snapshot = dict
        if request["against"] is not None:
            await asyncio.to_thread(lambda: self._checked_against(request, self._checked(request)[0]))
        async with aclosing(self._states(request)) as states:
            async for state in states:
                last = state
        return await asyncio.to_thread(last)

    async def stream(self, request: dict[str, Any]) -> AsyncGenerator[dict[str, Any], None]:
        """Yield the fields of ``Evaluation`` as they become more precise, until it is done.

        Args:
            request: fields of ``EvaluationRequest``.

        Raises:
            NotFound, NotAccepted: an impossible request.
            Busy: it did not get its turn in time.
        """
        async with aclosing(self._states(request, STREAM_PATIENCE)) as states:
            async for state in states:
                yield await asyncio.to_thread(state)

    async def _states(self, request: dict[str, Any], patience: float = 1) -> Snapshots:
        started = time.perf_counter()
        measured, intervention = await asyncio.to_thread(self._checked, request)
        plan = await self._plan(measured, intervention, request["controls"])
        if request["against"] is None:
            async with self._admitted(patience, plan), aclosing(self._evaluate(plan, started)) as states:
                async for state in states:
                    yield state
            return
        try:
            other_measured, other_change = await asyncio.to_thread(self._checked_against, request, measured)
        except Refusal as problem:
            async with self._admitted(patience, plan), aclosing(self._evaluate(plan, started)) as states:
                async for state in states:
                    yield partial(_not_compared, state, measured, str(problem))
            return
        other = await self._plan(other_measured, other_change, request["controls"])
        async with (  # room for both at once, as two halves would wait for each other in vain
            self._admitted(patience, plan, other),
            aclosing(self._compare(other, plan, started)) as states,
        ):
            async for state in states:
                yield state

    def _admitted(self, patience: float, *plans: _Plan) -> AbstractAsyncContextManager[None]:
        """Wait for room for all plans; cached scores need none."""
        seconds = self._scoring.computing.seconds
        return self._turns.admitted(sum(seconds(plan.measured.info, plan.missing_samples) for plan in plans), patience)

    async def _plan(self, measured: Measured, intervention: Intervention, draws: int) -> _Plan:
        controls, exact = await asyncio.to_thread(controls_of, measured, intervention, draws)
        run, baseline, *control_runs = await self._scoring.runs(measured, [intervention, Intervention(), *controls])
        if measured.plain(intervention) == Intervention():
            baseline = run
        return _Plan(measured, intervention, run, baseline, draws, controls, control_runs, exact)

    async def time(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the speeds of intervention and full model, timed in turn on the same samples; raises as ``stream``."""
        measured, intervention = await asyncio.to_thread(self._checked, {**request, "controls": 0})
        samples = 2 * TIMING_ROUNDS * min(measured.parts[0].limit, BATCH)
        async with self._turns.admitted(self._scoring.computing.seconds(measured.info, samples)):
            return await self._scoring.timed(measured, intervention, TIMING_ROUNDS, STREAM)

    def _checked(self, request: dict[str, Any]) -> tuple[Measured, Intervention]:
        if request["controls"] > MAX_DRAWS:
            raise NotAccepted(f"Up to {MAX_DRAWS} random sets are compared with.")
        measured = self._measuring.measured(request["model"], request["data"], request["samples"])
        return measured, self._measuring.intervention(measured.info, request["intervention"])

    def _checked_against(self, request: dict[str, Any], measured: Measured) -> tuple[Measured, Intervention]:
        """Return the model and intervention of ``request["against"]``, on the same samples.

        Raises:
            NotFound, NotAccepted: an impossible request, or other samples.
        """
        against = request["against"]
        info = self._measuring.info(against["model"])
        names = [part.dataset.name for part in measured.parts]
        if unread := [name for name in names if name not in info.domains]:
            raise NotAccepted(
                f"{measured.info.id} is measured on {', '.join(names)}; {info.id} does not read "
                f"{', '.join(unread)}, so the two are not compared."
            )
        other = self._measuring.measured(info.id, names, request["samples"])
        check_comparable(other, measured)
        return other, self._measuring.intervention(info, against["intervention"])

    async def _compare(self, a: _Plan, b: _Plan, started: float) -> Snapshots:
        """Evaluate both in turn, and yield B with its comparison to A."""
        comparison = _Comparison(ComparedRuns.of(a, b))
        async with aclosing(self._evaluate(a, started)) as states_a, aclosing(self._evaluate(b, started)) as states_b:
            streams = {"a": states_a, "b": states_b}
            while streams:
                changed = False
                for name, states in list(streams.items()):
                    try:
                        comparison.last[name], changed = await anext(states), True
                    except StopAsyncIteration:
                        del streams[name]
                if len(comparison.last) == 2 and changed:
                    yield comparison.snapshot

    async def _evaluate(self, plan: _Plan, started: float) -> Snapshots:
        run, baseline = plan.run, plan.baseline
        await self._scoring.look_up(plan.measured, [missing for missing in (run, baseline) if not missing.is_done])
        state = _Evaluation(plan, started)
        state.computed = not (run.cached and baseline.cached)
        if state.computed:
            yield state.snapshot
        while not (run.is_done and baseline.is_done):
            behind = run if not run.is_done and (run.done <= baseline.done or baseline.is_done) else baseline
            before = state.scored
            await behind.advance(STREAM)
            if state.phase == "preparing" and (run.rounds or baseline.rounds):
                state.phase = "scoring"
                yield state.snapshot
            elif state.phase == "scoring" and state.scored > before and state.is_due:
                yield state.snapshot
            if state.flops is None and state.scored > before:
                await self._count(state)
        await self._count(state)
        async with aclosing(self._control(state)) as states:
            async for snapshot in states:
                yield snapshot
        state.phase, state.ended = "done", time.perf_counter()
        yield state.snapshot

    async def _count(self, state: _Evaluation) -> None:
        plan = state.plan
        state.baseline_flops = await self._scoring.flops(plan.measured.info, plan.baseline.intervention, STREAM)
        state.flops = await self._scoring.flops(plan.measured.info, plan.intervention, STREAM)

    async def _control(self, state: _Evaluation) -> Snapshots:
        """Score the control sets one after the other."""
        measured, runs = state.plan.measured, state.plan.control_runs
        await self._scoring.look_up(measured, [run for run in runs if not run.is_done])
        if any(not run.cached for run in runs):
            state.phase, state.computed = "controls", True
            yield state.snapshot
        for number, run in enumerate(runs):
            while not run.is_done:
                await run.advance(STREAM)
                state.control_done = number * measured.count + run.done
                if state.is_due:
                    yield state.snapshot
            state.control_scores.append(run.joined())
            state.control_done = (number + 1) * measured.count


def _empty_comparison(measured: Measured) -> dict[str, Any]:
    return {"problem": None, "a": None, "covered": 0, "total": measured.count, "by_distribution": []}


def _not_compared(state: Snapshot, measured: Measured, problem: str) -> dict[str, Any]:
    return {**state(), "comparison": {**_empty_comparison(measured), "problem": problem}}


@dataclass
class _Comparison:
    """Evaluations A and B in progress, with the last state of each."""

    runs: ComparedRuns
    last: dict[str, Snapshot] = field(default_factory=dict)
    _compared: tuple[int, dict[str, Any]] | None = None

    def snapshot(self) -> dict[str, Any]:
        """Return the state of B with its comparison to A."""
        if self._compared is None or self._compared[0] != self.runs.rounds:
            self._compared = self.runs.rounds, self.runs.compared()
        a, b = self.last["a"](), self.last["b"]()
        waits = b["state"] == "done" and a["state"] != "done"
        state = {**b, **({"state": "running", "phase": "comparing"} if waits else {})}
        return {**state, "comparison": {**self._compared[1], "a": a}}
