"""Scoring of a model under an intervention, batch by batch; each part is cached once it is complete."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from routescope.nn.measures import Measure
from routescope.nn.network import Network
from routescope.routing import Intervention
from routescope.routing.caused.scores import Scores
from routescope.routing.compute import flops_per_sample
from routescope.routing.running import BATCH
from routescope.routing.timing import alternated
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.job_thread import JobThread
from routescope_app.services.engine.single_flight import SingleFlight
from routescope_app.services.engine.threads import Priority
from routescope_app.services.measuring.computing import Computing, Pieces, Rows, ScoreRequest
from routescope_app.services.measuring.order import ScoredSamples
from routescope_app.services.measuring.scope import Measured, SampleRange
from routescope_app.services.measuring.score_store import ScoreStore

#: Cached counts of operations.
REMEMBERED = 10_000


class Run:
    """The scoring of one intervention, round by round in random order (see ``Order``)."""

    def __init__(self, scoring: "Scoring", measured: Measured, intervention: Intervention, model: Network) -> None:
        self.measured = measured
        self.intervention = intervention
        self.cached = True
        self._scoring = scoring
        self._model = model
        self._number = {part: number for number, part in enumerate(measured.parts)}
        self._whole: dict[SampleRange, Scores] = {}
        self._pieces: dict[SampleRange, list[Scores]] = {part: [] for part in measured.parts}
        self._batches: dict[tuple[SampleRange, ...], Pieces[tuple[Rows, tuple[Scores, ...]]]] = {}

    def use_cached(self, scores: Mapping[str, Scores]) -> None:
        """Take cached scores, by key."""
        for part in self.measured.parts:
            cached = scores.get(self.measured.key(part, self.intervention))
            if cached is not None and cached.count == part.limit:
                self._whole[part] = cached
        self.cached = self.is_done

    @property
    def is_done(self) -> bool:
        return len(self._whole) == len(self.measured.parts)

    @property
    def done(self) -> int:
        """Number of scored samples."""
        return sum(map(self._done, self.measured.parts))

    @property
    def rounds(self) -> int:
        """Number of complete rounds, whose samples figures cover."""
        return min(map(self._rounds, self.measured.parts))

    def _done(self, part: SampleRange) -> int:
        if part in self._whole:
            return part.limit
        return sum(piece.count for piece in self._pieces[part])

    def _rounds(self, part: SampleRange) -> int:
        return self.measured.order.rounds_of(self._number[part], self._done(part))

    async def advance(self, priority: Priority) -> None:
        """Score one more batch: of the part that is furthest behind, and of parts with the same inputs."""
        behind = min((part for part in self.measured.parts if part not in self._whole), key=self._rounds)
        together = self._together(behind)
        batches = self._batches.get(together)
        if batches is None:
            self._batches[together] = batches = self._scoring.computing.scores(self._request(together))
        batch = await batches.following(priority)
        if batch is not None:
            rows, pieces = batch
            for part, piece in zip(together, pieces, strict=True):
                self._pieces[part].append(piece.take(rows < part.limit) if piece.count else piece)
            return
        whole = {part: self._sorted(part, Scores.join(self._pieces.pop(part))) for part in together}
        del self._batches[together]
        cached = {self.measured.key(part, self.intervention): scores for part, scores in whole.items()}
        await asyncio.to_thread(self._scoring.store.put, cached)
        self._whole |= whole

    def _together(self, part: SampleRange) -> tuple[SampleRange, ...]:
        """Return the incomplete parts with the same inputs as a part, itself included."""
        order, parts = self.measured.order, self.measured.parts
        (numbers,) = (group for group in order.together if self._number[part] in group)
        return tuple(parts[number] for number in numbers if parts[number] not in self._whole)

    def _request(self, parts: tuple[SampleRange, ...]) -> ScoreRequest:
        """Return the request for parts with the same inputs, in batches of the random order."""
        batches = partial(self.measured.order.batches, self._number[parts[0]])
        return ScoreRequest(self.measured.info, self._model, parts, self.intervention, batches)

    def _sorted(self, part: SampleRange, scores: Scores) -> Scores:
        """Return scores in the order of the data set, from scores in random order."""
        return scores.take(np.argsort(self.measured.order.rows_in_order[self._number[part]][: scores.count]))

    def scored(self, rounds: int | None = None) -> dict[SampleRange, ScoredSamples]:
        """Return the samples of the first rounds (None: all complete ones), in the order of their data sets."""
        order, rounds = self.measured.order, self.rounds if rounds is None else rounds
        scored = {}
        for part, number in self._number.items():
            rows = order.rows(number, rounds)
            if part in self._whole:
                scores = self._whole[part] if len(rows) == part.limit else self._whole[part].take(rows)
            else:
                pieces = Scores.join([Scores.none(measure=self.measure(part)), *self._pieces[part]])
                scores = self._sorted(part, pieces.take(slice(len(rows))))
            scored[part] = ScoredSamples(rows, scores)
        return scored

    def measure(self, part: SampleRange) -> Measure:
        """Return the measure of the head that answers for a part."""
        return self._model.all_heads[self._model.head_of(part.dataset.domain)].measure

    def joined(self) -> Scores:
        """Return the scores of all complete rounds, part after part."""
        return Scores.join(samples.scores for samples in self.scored().values())


class Scoring:
    """Starts runs, times interventions, and counts their operations."""

    def __init__(self, inference: Inference, store: ScoreStore, computing: Computing) -> None:
        self.inference = inference
        self.store = store
        self.computing = computing
        self._flops = SingleFlight[tuple[str, str, str], int](REMEMBERED)

    async def runs(self, measured: Measured, interventions: Sequence[Intervention]) -> list[Run]:
        """Return a run for each intervention, with cached scores."""
        model = await asyncio.to_thread(self.inference.model, measured.info)
        runs = [Run(self, measured, intervention, model) for intervention in interventions]
        await self.look_up(measured, runs)
        return runs

    async def look_up(self, measured: Measured, runs: Sequence[Run]) -> None:
        """Give runs that have not begun their cached scores, which others may have stored meanwhile."""
        if not runs:
            return
        measures = {measured.key(part, run.intervention): run.measure(part) for run in runs for part in measured.parts}
        cached = await asyncio.to_thread(self.store.get, measures)
        for run in runs:
            run.use_cached(cached)

    async def finish(self, run: Run, priority: Priority, progress: Callable[[], None] | None = None) -> Scores:
        """Complete a run and return its scores."""
        while not run.is_done:
            await run.advance(priority)
            if progress is not None:
                progress()
        return run.joined()

    async def timed(
        self, measured: Measured, intervention: Intervention, rounds: int, priority: Priority
    ) -> dict[str, Any]:
        """Return the fields of ``Timing``: intervention and full model take turns in every round."""
        model = await asyncio.to_thread(self.inference.model, measured.info)
        part = measured.parts[0]
        samples = min(part.limit, BATCH)
        batches = alternated(model, part.dataset, intervention, samples, rounds)
        seconds: list[tuple[float, float]] = []
        while len(seconds) < rounds:
            pair = await self.inference.run(partial(next, batches, None), priority=priority)
            if pair is not None:
                seconds.append(pair)
        changed, full = np.array(seconds).T
        ratios = full / changed
        return {
            "rounds": rounds,
            "samples": samples,
            "samples_per_second": samples / float(np.median(changed)),
            "baseline_samples_per_second": samples / float(np.median(full)),
            "ratio": {"value": float(np.median(ratios)), "low": float(ratios.min()), "high": float(ratios.max())},
        }

    async def flops(self, info: ModelInfo, intervention: Intervention, priority: Priority) -> int:
        """Return the operations for one sample."""

        async def count() -> int:
            model = await asyncio.to_thread(self.inference.model, info)
            return int(await self.inference.run(partial(flops_per_sample, model, intervention), priority=priority))

        return await self._flops.find((info.id, info.revision, intervention.to_json()), count)


class JobScorer:
    """Cached scores for the thread of a job; see ``routescope.routing.caused.scoring.Scorer``."""

    def __init__(self, scoring: Scoring, measured: Measured, thread: JobThread) -> None:
        self._scoring = scoring
        self._measured = measured
        self._thread = thread
        self._reported: tuple[int, int, str] | None = None

    def scores(self, intervention: Intervention) -> Scores:
        """Return the scores of all samples, part after part; raises Cancelled."""
        return self._thread.wait(self._scored(intervention))

    async def _scored(self, intervention: Intervention) -> Scores:
        (run,) = await self._scoring.runs(self._measured, [intervention])
        return await self._scoring.finish(run, Priority.JOB, lambda: self._report(run.done))

    def flops(self, intervention: Intervention) -> int:
        """Return the operations for one sample; raises Cancelled."""
        return self._thread.wait(self._scoring.flops(self._measured.info, intervention, Priority.JOB))

    def progress(self, done: int, total: int, what: str) -> None:
        """Report the number of scored interventions, converted to samples; raises Cancelled."""
        self._reported = done, total, what
        self._thread.progress(done * self._measured.count, total * self._measured.count, what)

    def _report(self, samples: int) -> None:
        if self._reported is None:
            return
        done, total, what = self._reported
        self._thread.report(min(done, total - 1) * self._measured.count + samples, total * self._measured.count, what)
