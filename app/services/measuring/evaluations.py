"""Evaluations: an intervention scored beside the model as it is; a stream of figures that become more precise."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from app.services.engine.threads import Priority
from app.services.errors import Busy, NotAccepted, Refusal
from app.services.measuring import snapshots
from app.services.measuring.comparison import Sides, check_comparable
from app.services.measuring.controls import controls_of, size_of
from app.services.measuring.scope import Measured, Measuring
from app.services.measuring.scoring import Run, Scoring
from app.settings import Settings
from core.routing import Intervention, Scores

#: Seconds between two events of a stream.
EVENT_SECONDS = 0.08
STREAM = Priority.STREAM


@dataclass
class _Evaluation:
    """One evaluation under way."""

    measured: Measured
    intervention: Intervention
    own: Run
    baseline: Run
    started: float
    draws: int
    controls: list[Intervention] = field(default_factory=list)
    exact: bool = False
    control_scores: list[Scores] = field(default_factory=list)
    control_done: int = 0
    phase: str = "preparing"
    flops: int | None = None
    baseline_flops: int | None = None
    computed: bool = False
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
            "seconds": time.perf_counter() - self.started,
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

    def __init__(self, settings: Settings, measuring: Measuring, scoring: Scoring) -> None:
        self._settings = settings
        self._measuring = measuring
        self._scoring = scoring
        self._running = 0

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
        last: dict[str, Any] = {}
        if request["against"] is not None:
            await asyncio.to_thread(lambda: self._checked_against(request, self._checked(request)[0]))
        async with aclosing(self.stream(request)) as states:
            async for state in states:
                last = state
        return last

    async def stream(self, request: dict[str, Any]) -> AsyncGenerator[dict[str, Any], None]:
        """What is known of an evaluation, whenever that has become more, until it is done.

        Args:
            request: model, data, samples, intervention, controls and against, as the API takes them.

        Raises:
            NotFound, NotAccepted: what was asked for is not there, or not possible.
            Busy: too many evaluations are running.
        """
        started = time.perf_counter()
        measured, intervention = await asyncio.to_thread(self._checked, request)
        if self._running >= self._settings.max_evaluations:
            raise Busy(
                "Many evaluations are running; please ask again in a moment.", self._settings.retry_after_seconds
            )
        self._running += 1
        try:
            evaluate = partial(self._evaluate, draws=request["controls"], started=started)
            if request["against"] is None:
                found = evaluate(measured, intervention)
            else:
                found = self._beside(request, measured, intervention, evaluate)
            async with aclosing(found) as states:
                async for state in states:
                    yield state
        finally:
            self._running -= 1

    async def time(self, request: dict[str, Any]) -> dict[str, Any]:
        """How fast an intervention is beside the model as it is: both timed in turn, on the same samples.

        Raises:
            NotFound, NotAccepted, Busy: as ``stream``.
        """
        measured, intervention = await asyncio.to_thread(self._checked, {**request, "controls": 0})
        if self._running >= self._settings.max_evaluations:
            raise Busy(
                "Many evaluations are running; please ask again in a moment.", self._settings.retry_after_seconds
            )
        self._running += 1
        try:
            return await self._scoring.timed(measured, intervention, self._settings.timing_rounds, STREAM)
        finally:
            self._running -= 1

    def _checked(self, request: dict[str, Any]) -> tuple[Measured, Intervention]:
        if request["controls"] > self._settings.max_control_draws:
            raise NotAccepted(f"Up to {self._settings.max_control_draws} random sets are compared with.")
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

    async def _beside(
        self,
        request: dict[str, Any],
        measured: Measured,
        intervention: Intervention,
        evaluate: Callable[..., AsyncGenerator[dict[str, Any], None]],
    ) -> AsyncGenerator[dict[str, Any], None]:
        """The evaluation with its ``comparison``: with another one, that is scored in turn with it.

        What cannot be compared is said there, in words; the evaluation itself goes on.
        """
        nothing: dict[str, Any] = {"problem": None, "a": None, "covered": 0, "total": measured.count}
        nothing["by_distribution"] = []
        try:
            against, change = await asyncio.to_thread(self._checked_against, request, measured)
        except Refusal as problem:
            async with aclosing(evaluate(measured, intervention)) as states:
                async for state in states:
                    yield {**state, "comparison": {**nothing, "problem": str(problem)}}
            return
        runs: dict[str, Run] = {}
        last: dict[str, dict[str, Any]] = {}
        known: tuple[int, dict[str, Any]] | None = None
        async with (
            aclosing(evaluate(against, change, began=partial(runs.__setitem__, "a"))) as a,
            aclosing(evaluate(measured, intervention, began=partial(runs.__setitem__, "b"))) as b,
        ):
            streams = {"a": a, "b": b}
            while streams:
                news = False
                for name, states in list(streams.items()):
                    try:
                        last[name], news = await anext(states), True
                    except StopAsyncIteration:
                        del streams[name]
                if len(last) < 2 or not news:
                    continue
                sides = Sides.of((against, runs["a"]), (measured, runs["b"]))
                if known is None or known[0] != sides.rounds:
                    known = sides.rounds, await asyncio.to_thread(sides.known)
                waits = last["b"]["state"] == "done" and last["a"]["state"] != "done"
                state = {**last["b"], **({"state": "running", "phase": "comparing"} if waits else {})}
                yield {**state, "comparison": {**nothing, **known[1], "a": last["a"]}}

    async def _evaluate(
        self,
        measured: Measured,
        intervention: Intervention,
        draws: int,
        started: float,
        began: Callable[[Run], None] = lambda _: None,
    ) -> AsyncGenerator[dict[str, Any], None]:
        scoring = self._scoring
        own, baseline = await scoring.runs(measured, [intervention, Intervention()])
        if measured.plain(intervention) == Intervention():
            baseline = own
        began(own)
        state = _Evaluation(measured, intervention, own, baseline, started, draws)
        state.computed = not (own.cached and baseline.cached)
        beat = _Beat()
        if state.computed:
            yield await asyncio.to_thread(state.snapshot)
        while not (own.is_done and baseline.is_done):
            behind = own if not own.is_done and (own.done <= baseline.done or baseline.is_done) else baseline
            before = state.scored
            await behind.advance(STREAM)
            if state.phase == "preparing" and (own.rounds or baseline.rounds):
                state.phase = "scoring"
                yield await asyncio.to_thread(state.snapshot)
                beat.strike()
            elif state.phase == "scoring" and state.scored > before and beat.is_due:
                beat.strike()
                yield await asyncio.to_thread(state.snapshot)
            if state.flops is None and state.scored > before:
                await self._count(state)
        await self._count(state)
        state.controls, state.exact = controls_of(measured, intervention, draws)
        if state.controls:
            async with aclosing(self._control(state, beat)) as states:
                async for known in states:
                    yield known
        state.phase = "done"
        yield await asyncio.to_thread(state.snapshot)

    async def _count(self, state: _Evaluation) -> None:
        info, bare = state.measured.info, state.baseline.intervention
        state.baseline_flops = await self._scoring.flops(info, bare, STREAM)
        state.flops = await self._scoring.flops(info, state.intervention, STREAM)

    async def _control(self, state: _Evaluation, beat: "_Beat") -> AsyncGenerator[dict[str, Any], None]:
        """Score the control sets one after the other."""
        runs = await self._scoring.runs(state.measured, state.controls)
        if any(not run.cached for run in runs):
            state.phase, state.computed = "controls", True
            yield await asyncio.to_thread(state.snapshot)
            beat.strike()
        for number, run in enumerate(runs):
            while not run.is_done:
                await run.advance(STREAM)
                state.control_done = number * state.measured.count + run.done
                if beat.is_due:
                    beat.strike()
                    yield await asyncio.to_thread(state.snapshot)
            state.control_scores.append(run.joined())
            state.control_done = (number + 1) * state.measured.count


class _Beat:
    """Events come no more often than people can see."""

    def __init__(self) -> None:
        self._last = float("-inf")

    @property
    def is_due(self) -> bool:
        return time.monotonic() - self._last >= EVENT_SECONDS

    def strike(self) -> None:
        self._last = time.monotonic()
