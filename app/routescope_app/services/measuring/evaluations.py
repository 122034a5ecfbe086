"""Evaluations: an intervention scored beside the model as it is; a stream of figures that become more precise.

Controls are random sets of as many units under the same kinds of ablation. Where an intervention cuts links, its
control cuts the same share of the least probable links among the modules that its draw leaves. Interventions without
units, and interventions that change routes or gates of single blocks, have no control.
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
from routescope_app.services.measuring.snapshots import RUNNING_RESAMPLES, Pairs, accuracy_of, loss_of, paired

#: Random sets that one evaluation may be compared with.
MAX_DRAWS = 64
#: Seconds of computing of the evaluations that run at the same time, as fast as their models were last.
COMPUTING_SECONDS = 0.1
#: Rounds in which an intervention and the full model are timed, in turn, on one batch.
TIMING_ROUNDS = 9


def check_comparable(a: Measured, b: Measured) -> None:
    """Whether the two say of the same samples how well they are answered.

    Raises:
        NotAccepted: other samples, labels or measures.
    """
    if [(part.content, part.limit) for part in a.parts] != [(part.content, part.limit) for part in b.parts]:
        raise NotAccepted(f"{a.info.id} and {b.info.id} are not measured on the same samples.")
    if tuple(a.info.labels) != tuple(b.info.labels):
        raise NotAccepted(
            f"{a.info.id} answers with other labels than {b.info.id}: their answers are not right or wrong alike."
        )


@dataclass(frozen=True)
class Sides:
    """A and B: what each is measured on, which is the same, what is done to each, and its run."""

    measured: Measured
    runs: tuple[Run, Run]
    iterations: int
    turned: bool

    @classmethod
    def of(cls, a: tuple[Measured, Run], b: tuple[Measured, Run]) -> Self:
        """Put A and B beside each other; what either training left out is out, what both showed is in."""
        (first, one), (second, other) = a, b
        shown = tuple(domain for domain in second.info.trained_on if domain in first.info.trained_on)
        beyond = tuple({*first.info.held_out, *second.info.held_out})
        info = replace(second.info, held_out=beyond, trained_on=shown)
        iterations = other.intervention.iterations
        return cls(
            measured=replace(second, info=info),
            runs=(one, other),
            iterations=second.info.iterations if iterations is None else iterations,
            turned=_name(first, one) > _name(second, other),
        )

    @property
    def rounds(self) -> int:
        """Rounds of the order that both have scored."""
        return min(run.rounds for run in self.runs)

    def known(self) -> dict[str, Any]:
        """B minus A over the samples of the rounds that both have scored, apart by distribution."""
        rounds, of = self.rounds, {"total": self.measured.count}
        if not rounds:
            return {"covered": 0, **of, "by_distribution": []}
        a, b = self.runs
        pairs = paired(self.measured, b.scored(rounds), a.scored(rounds), self.iterations)
        measures = pairs.baseline.measure.name, pairs.own.measure.name
        if measures[0] != measures[1]:
            words = "A is measured by {} and B by {}, which have no difference.".format(*measures)
            return {"problem": words, "covered": 0, **of, "by_distribution": []}
        resamples = RESAMPLES if rounds == self.measured.order.rounds else RUNNING_RESAMPLES
        found = []
        for name in DISTRIBUTIONS:
            own = pairs.distribution == name
            if own.any():
                found.append({"name": name, **self._of_one(pairs, own, resamples)})
        return {"covered": pairs.own.count, **of, "by_distribution": found}

    def _of_one(self, pairs: Pairs, own: np.ndarray, resamples: int) -> dict[str, Any]:
        a, b = pairs.baseline.take(own), pairs.own.take(own)
        effect = drop_effect(a, b, mirrored=self.turned, resamples=resamples)
        groups = partial(_groups, a=a, b=b, turned=self.turned, resamples=resamples)
        return {
            "count": len(b),
            "a": {"accuracy": accuracy_of(a), "loss": loss_of(a)},
            "b": {"accuracy": accuracy_of(b), "loss": loss_of(b)},
            "difference": {
                name: {"value": change.value, "low": change.low, "high": change.high}
                for name, change in (("accuracy", effect.figure), ("loss", effect.loss))
            },
            "outcomes": outcomes(a, b) if b.measure.share else None,
            "by_label": groups(pairs.labels[own], names=self.measured.info.labels),
            "by_domain": groups(pairs.part[own], names=[part.dataset.name for part in self.measured.parts]),
            "by_kind": groups(pairs.kind[own], names=pairs.kinds),
        }


def _name(measured: Measured, run: Run) -> tuple[bool, str, str, str]:
    """What puts two in order, whichever is A: the model as it is comes first, as in the change of an evaluation."""
    plain = measured.plain(run.intervention)
    return plain != Intervention(), measured.info.id, measured.info.revision, plain.to_json()


def _groups(groups: np.ndarray, a: Scores, b: Scores, names: Any, turned: bool, resamples: int) -> list[dict[str, Any]]:
    table = effects_by(groups, a, b, list(names), mirrored=turned, resamples=resamples)
    table = table[table["count"] > 0].rename(columns={"group": "name", b.measure.name: "accuracy"})
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]


SEED = 0
#: Draws that are made for each set that is asked for, as the same may come again.
ATTEMPTS = 8


def size_of(intervention: Intervention) -> int:
    """How many units it names."""
    return sum(len(getattr(intervention, kind)) for kind in KINDS)


def like(intervention: Intervention, units: Sequence[str]) -> Intervention:
    """The same kinds of ablation, in the same numbers, of other units; which gets which is drawn from a fixed seed.

    Iterations and the share of the links that is kept stay as they are.
    """
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
    """Distinct random sets of ``size`` experts, without any of which each layer still has as many as a token takes.

    They are drawn one after the other, at random among those that can still go; fewer than ``draws`` sets where hardly
    more than these are possible. All there are of one expert each, where these are no more than ``draws``.
    """
    group = {unit: layer.name for layer in layers for unit in layer.units}
    spare = {layer.name: layer.experts - (top_k or layer.top_k) for layer in layers}
    able = [unit for unit, name in group.items() if spare[name] > 0]
    if size == 1 and len(able) <= draws:
        return [(unit,) for unit in able]
    place = {unit: at for at, unit in enumerate(group)}
    found = dict[tuple[str, ...], None]()
    for attempt in range(ATTEMPTS * draws):
        left, taken = dict(spare), list[str]()
        for unit in random.Random(f"{SEED} {attempt}").sample(able, len(able)):
            if len(taken) < size and left[group[unit]] > 0:
                taken.append(unit)
                left[group[unit]] -= 1
        if len(taken) == size and len(found) < draws:
            found[tuple(sorted(taken, key=place.__getitem__))] = None
    return list(found)


def controls_of(measured: Measured, intervention: Intervention, draws: int) -> tuple[list[Intervention], bool]:
    """What to compare with, and whether it is every set of that size: so where there are no more than ``draws``.

    It depends on nothing but the request, so that the same request is compared with the same sets.
    """
    size, units = size_of(intervention), measured.info.units
    steered = intervention.mute_routes or intervention.copy_routes or intervention.gates
    if not size or not draws or steered:
        return [], False
    if intervention.drop and measured.info.layers:
        drawn = within_layers(measured.info.layers, size, draws, intervention.top_k)
    else:
        drawn = random_control(units, size, draws, SEED)
    sets = dict.fromkeys(like(intervention, each) for each in drawn)
    one_kind = sum(bool(getattr(intervention, kind)) for kind in KINDS) == 1
    return list(sets), one_kind and comb(len(units), size) <= draws


#: Seconds between two events of a stream.
EVENT_SECONDS = 0.08
STREAM = Priority.STREAM
#: Evaluations of one client that run at the same time while nobody else evaluates, such as those of its tabs.
FEW = 4
#: How many times as long as others a stream waits for its turn: a page shows meanwhile that it does, and can end it.
STREAM_PATIENCE = 10
#: Says what is known, as it is when it is asked: some milliseconds, which nobody waits for whom the end is enough.
Tell = Callable[[], dict[str, Any]]
States = AsyncGenerator[Tell, None]


@dataclass(frozen=True)
class _Planned:
    """What an evaluation consists of, with what of it was scored before."""

    measured: Measured
    intervention: Intervention
    own: Run
    baseline: Run
    draws: int
    controls: Sequence[Intervention]
    control_runs: Sequence[Run]
    exact: bool

    @property
    def samples(self) -> float:
        """Those still to be scored, each as much of one through all iterations as it runs through."""
        left = {id(run): run for run in (self.own, self.baseline, *self.control_runs) if not run.cached}
        shares = (share_of_iterations(self.measured.info, run.intervention) for run in left.values())
        return self.measured.count * sum(shares)


@dataclass
class _Evaluation:
    """One evaluation under way."""

    measured: Measured
    intervention: Intervention
    own: Run
    baseline: Run
    started: float
    draws: int
    controls: Sequence[Intervention] = ()
    exact: bool = False
    control_scores: list[Scores] = field(default_factory=list)
    control_done: int = 0
    phase: str = "preparing"
    flops: int | None = None
    baseline_flops: int | None = None
    computed: bool = False
    ended: float | None = None
    _known: tuple[tuple[int, int], dict[str, Any]] | None = None
    _control: tuple[int, dict[str, Any] | None] | None = None

    @property
    def scored(self) -> int:
        return self.own.done + (0 if self.baseline is self.own else self.baseline.done)

    @property
    def total(self) -> int:
        return self.measured.count * (1 if self.baseline is self.own else 2)

    def snapshot(self) -> dict[str, Any]:
        """What is known now."""
        progress = (self.own.rounds, self.baseline.rounds)
        if self._known is None or self._known[0] != progress:
            self._known = (progress, snapshots.known(self.measured, self.own, self.baseline, self.intervention))
        known = self._known[1]
        reference = known["baseline"]
        share = self.flops / self.baseline_flops if self.flops is not None and self.baseline_flops else None
        scoring = self.phase in {"preparing", "scoring"} or not self.controls
        return {
            "id": self.measured.digest("evaluation", self.intervention.to_json(), str(self.draws)),
            "model": self.measured.info.id,
            "revision": self.measured.info.revision,
            "data": self.measured.data(),
            "intervention": self.intervention.to_dict(),
            "kinds": snapshots.kinds_of(self.measured.info, self.intervention),
            "state": "done" if self.phase == "done" else "running",
            "phase": self.phase,
            "done": self.scored if scoring else self.control_done,
            "total": self.total if scoring else self.measured.count * len(self.controls),
            "cached": not self.computed,
            "seconds": (time.perf_counter() if self.ended is None else self.ended) - self.started,
            **known,
            "baseline": None if reference is None else reference | {"flops": self.baseline_flops},
            "flops": self.flops,
            "flops_share": share,
            "saved": None if share is None else 1 - share,
            "control": self.control(),
            "chance": snapshots.chance_of(self.measured, self.intervention.iterations),
        }

    def control(self) -> dict[str, Any] | None:
        """What is known of the control sets."""
        done = len(self.control_scores)
        if self._control is None or self._control[0] != done or not self.controls:
            size = size_of(self.intervention)
            said = snapshots.control_of(self.measured, size, self.controls, self.control_scores, self.exact)
            self._control = done, said
        return self._control[1]


class Evaluations:
    """Evaluates interventions; what is shared with others is kept in the store of scores."""

    def __init__(self, measuring: Measuring, scoring: Scoring) -> None:
        self._measuring = measuring
        self._scoring = scoring
        patience = scoring.inference.patience
        self._turns = Turnstile(COMPUTING_SECONDS, patience, "Many evaluations are running", FEW)

    @property
    def waiting(self) -> int:
        """Evaluations that wait for their turn."""
        return self._turns.waiting

    async def prepare(self, model: str, samples: int = 1_000) -> None:
        """Score a model as it is, which every evaluation is compared with, before anybody waits for it."""
        measured = await asyncio.to_thread(self._measuring.measured, model, [], samples)
        (run,) = await self._scoring.runs(measured, [Intervention()])
        await self._scoring.finish(run, Priority.JOB)
        await self._scoring.flops(measured.info, Intervention(), Priority.JOB)

    async def evaluate(self, request: dict[str, Any]) -> dict[str, Any]:
        """The last of what ``stream`` says.

        Raises:
            NotFound, NotAccepted, Busy: as ``stream``, and where it cannot be compared with ``request["against"]``.
        """
        last: Tell = dict
        if request["against"] is not None:
            await asyncio.to_thread(lambda: self._checked_against(request, self._checked(request)[0]))
        async with aclosing(self._states(request)) as states:
            async for state in states:
                last = state
        return await asyncio.to_thread(last)

    async def stream(self, request: dict[str, Any]) -> AsyncGenerator[dict[str, Any], None]:
        """What is known of an evaluation, whenever that has become more, until it is done.

        Args:
            request: model, data, samples, intervention, controls and against, as the API takes them.

        Raises:
            NotFound, NotAccepted: what was asked for is not there, or not possible.
            Busy: it did not get its turn in time.
        """
        async with aclosing(self._states(request, STREAM_PATIENCE)) as states:
            async for state in states:
                yield await asyncio.to_thread(state)

    async def _states(self, request: dict[str, Any], patience: float = 1) -> States:
        started = time.perf_counter()
        measured, intervention = await asyncio.to_thread(self._checked, request)
        planned = await self._plan(measured, intervention, request["controls"])
        if request["against"] is None:
            async with self._admitted(patience, planned), aclosing(self._evaluate(planned, started)) as states:
                async for state in states:
                    yield state
            return
        try:
            against, change = await asyncio.to_thread(self._checked_against, request, measured)
        except Refusal as problem:
            async with self._admitted(patience, planned), aclosing(self._evaluate(planned, started)) as states:
                async for state in states:
                    yield partial(_not_compared, state, measured, str(problem))
            return
        other = await self._plan(against, change, request["controls"])
        async with (  # room for both at once: two halves that wait for each other would wait in vain
            self._admitted(patience, planned, other),
            aclosing(self._beside(planned, other, started)) as states,
        ):
            async for state in states:
                yield state

    def _admitted(self, patience: float, *planned: _Planned) -> AbstractAsyncContextManager[None]:
        """Room for all of them, from when there is some; what is known already costs nothing."""
        seconds = self._scoring.computing.seconds
        return self._turns.admitted(sum(seconds(plan.measured.info, plan.samples) for plan in planned), patience)

    async def _plan(self, measured: Measured, intervention: Intervention, draws: int) -> _Planned:
        """The runs of an evaluation and of the sets that it is compared with."""
        controls, exact = await asyncio.to_thread(controls_of, measured, intervention, draws)
        own, baseline, *control_runs = await self._scoring.runs(measured, [intervention, Intervention(), *controls])
        if measured.plain(intervention) == Intervention():
            baseline = own
        return _Planned(measured, intervention, own, baseline, draws, controls, control_runs, exact)

    async def time(self, request: dict[str, Any]) -> dict[str, Any]:
        """How fast an intervention is beside the model as it is: both timed in turn, on the same samples.

        Raises:
            NotFound, NotAccepted, Busy: as ``stream``.
        """
        measured, intervention = await asyncio.to_thread(self._checked, {**request, "controls": 0})
        rounds = TIMING_ROUNDS
        samples = 2 * rounds * min(measured.parts[0].limit, BATCH)
        async with self._turns.admitted(self._scoring.computing.seconds(measured.info, samples)):
            return await self._scoring.timed(measured, intervention, rounds, STREAM)

    def _checked(self, request: dict[str, Any]) -> tuple[Measured, Intervention]:
        if request["controls"] > MAX_DRAWS:
            raise NotAccepted(f"Up to {MAX_DRAWS} random sets are compared with.")
        measured = self._measuring.measured(request["model"], request["data"], request["samples"])
        return measured, self._measuring.intervention(measured.info, request["intervention"])

    def _checked_against(self, request: dict[str, Any], own: Measured) -> tuple[Measured, Intervention]:
        """What an evaluation is compared with, which is measured on the same samples.

        Raises:
            NotFound, NotAccepted: it is not there, cannot be, or does not answer for the same samples.
        """
        against = request["against"]
        info = self._measuring.info(against["model"])
        names = [part.dataset.name for part in own.parts]
        if unread := [name for name in names if name not in info.domains]:
            raise NotAccepted(
                f"{own.info.id} is measured on {', '.join(names)}; {info.id} does not read {', '.join(unread)}, so "
                "the two are not compared."
            )
        measured = self._measuring.measured(info.id, names, request["samples"])
        check_comparable(measured, own)
        return measured, self._measuring.intervention(info, against["intervention"])

    async def _beside(self, own: _Planned, other: _Planned, started: float) -> States:
        """The evaluation with its ``comparison``: with another one, that is scored in turn with it."""
        beside = _Beside(own.measured)
        async with (
            aclosing(self._evaluate(other, started)) as a,
            aclosing(self._evaluate(own, started)) as b,
        ):
            streams = {"a": a, "b": b}
            while streams:
                news = False
                for name, states in list(streams.items()):
                    try:
                        beside.last[name], news = await anext(states), True
                    except StopAsyncIteration:
                        del streams[name]
                if len(beside.last) < 2 or not news:
                    continue
                beside.sides = Sides.of((other.measured, other.own), (own.measured, own.own))
                yield beside.told

    async def _evaluate(self, planned: _Planned, started: float) -> States:
        own, baseline = planned.own, planned.baseline
        await self._scoring.look_up(planned.measured, [run for run in (own, baseline) if not run.is_done])
        state = _Evaluation(planned.measured, planned.intervention, own, baseline, started, planned.draws)
        state.computed = not (own.cached and baseline.cached)
        beat = _Beat()
        if state.computed:
            yield state.snapshot
        while not (own.is_done and baseline.is_done):
            behind = own if not own.is_done and (own.done <= baseline.done or baseline.is_done) else baseline
            before = state.scored
            await behind.advance(STREAM)
            if state.phase == "preparing" and (own.rounds or baseline.rounds):
                state.phase = "scoring"
                yield state.snapshot
                beat.strike()
            elif state.phase == "scoring" and state.scored > before and beat.is_due:
                beat.strike()
                yield state.snapshot
            if state.flops is None and state.scored > before:
                await self._count(state)
        await self._count(state)
        state.controls, state.exact = planned.controls, planned.exact
        if state.controls:
            async with aclosing(self._control(state, planned.control_runs, beat)) as states:
                async for known in states:
                    yield known
        state.phase, state.ended = "done", time.perf_counter()
        yield state.snapshot

    async def _count(self, state: _Evaluation) -> None:
        info, bare = state.measured.info, state.baseline.intervention
        state.baseline_flops = await self._scoring.flops(info, bare, STREAM)
        state.flops = await self._scoring.flops(info, state.intervention, STREAM)

    async def _control(self, state: _Evaluation, runs: Sequence[Run], beat: "_Beat") -> States:
        """Score the control sets one after the other."""
        await self._scoring.look_up(state.measured, [run for run in runs if not run.is_done])
        if any(not run.cached for run in runs):
            state.phase, state.computed = "controls", True
            yield state.snapshot
            beat.strike()
        for number, run in enumerate(runs):
            while not run.is_done:
                await run.advance(STREAM)
                state.control_done = number * state.measured.count + run.done
                if beat.is_due:
                    beat.strike()
                    yield state.snapshot
            state.control_scores.append(run.joined())
            state.control_done = (number + 1) * state.measured.count


def _nothing(measured: Measured) -> dict[str, Any]:
    """A comparison of which nothing is known."""
    return {"problem": None, "a": None, "covered": 0, "total": measured.count, "by_distribution": []}


def _not_compared(state: Tell, measured: Measured, problem: str) -> dict[str, Any]:
    return {**state(), "comparison": {**_nothing(measured), "problem": problem}}


@dataclass
class _Beside:
    """An evaluation, "b", beside the one that it is compared with, "a", both under way."""

    measured: Measured
    last: dict[str, Tell] = field(default_factory=dict)
    sides: Sides | None = None
    _known: tuple[int, dict[str, Any]] | None = None

    def told(self) -> dict[str, Any]:
        """What is known of both now."""
        assert self.sides is not None
        if self._known is None or self._known[0] != self.sides.rounds:
            self._known = self.sides.rounds, self.sides.known()
        a, b = self.last["a"](), self.last["b"]()
        waits = b["state"] == "done" and a["state"] != "done"
        state = {**b, **({"state": "running", "phase": "comparing"} if waits else {})}
        return {**state, "comparison": {**_nothing(self.measured), **self._known[1], "a": a}}


class _Beat:
    """Events come no more often than people can see."""

    def __init__(self) -> None:
        self._last = float("-inf")

    @property
    def is_due(self) -> bool:
        return time.monotonic() - self._last >= EVENT_SECONDS

    def strike(self) -> None:
        self._last = time.monotonic()
