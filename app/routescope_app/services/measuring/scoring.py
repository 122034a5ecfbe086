"""Scores of a model under an intervention, batch by batch in the inference threads, each part kept once it is whole."""

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
from routescope_app.services.measuring.computing import Computing, Pieces, Rows, Unscored
from routescope_app.services.measuring.order import ScoredSamples
from routescope_app.services.measuring.scope import Measured, SampleRange
from routescope_app.services.measuring.score_store import ScoreStore

#: Counts of operations kept in memory.
REMEMBERED = 10_000


class Run:
    """The scoring of one intervention: all samples in one random order, round by round (see ``Order``)."""

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

    def found(self, scores: Mapping[str, Scores]) -> None:
        """Take what was scored before."""
        for part in self.measured.parts:
            known = scores.get(self.measured.key(part, self.intervention))
            if known is not None and known.count == part.limit:
                self._whole[part] = known
        self.cached = self.is_done

    @property
    def is_done(self) -> bool:
        return len(self._whole) == len(self.measured.parts)

    @property
    def done(self) -> int:
        """Samples scored."""
        return sum(map(self._done, self.measured.parts))

    @property
    def rounds(self) -> int:
        """Rounds of the order that are whole: figures cover the samples of these."""
        return min(map(self._rounds, self.measured.parts))

    def _done(self, part: SampleRange) -> int:
        if part in self._whole:
            return part.limit
        return sum(piece.count for piece in self._pieces[part])

    def _rounds(self, part: SampleRange) -> int:
        return self.measured.order.rounds_of(self._number[part], self._done(part))

    async def advance(self, priority: Priority) -> None:
        """Score one more batch, of a part that the round under way waits for, and of those with the same inputs."""
        behind = min((part for part in self.measured.parts if part not in self._whole), key=self._rounds)
        together = self._together(behind)
        batches = self._batches.get(together)
        if batches is None:
            self._batches[together] = batches = self._scoring.computing.scores(self._unscored(together))
        found = await batches.following(priority)
        if found is not None:
            rows, pieces = found
            for part, piece in zip(together, pieces, strict=True):
                self._pieces[part].append(piece.take(rows < part.limit) if piece.count else piece)
            return
        whole = {part: self._in_their_places(part, Scores.join(self._pieces.pop(part))) for part in together}
        del self._batches[together]
        kept = {self.measured.key(part, self.intervention): scores for part, scores in whole.items()}
        await asyncio.to_thread(self._scoring.store.put, kept)
        self._whole |= whole

    def _together(self, part: SampleRange) -> tuple[SampleRange, ...]:
        """The parts that are not whole with the same inputs as one of them, itself among them."""
        order, parts = self.measured.order, self.measured.parts
        (own,) = (group for group in order.together if self._number[part] in group)
        return tuple(parts[number] for number in own if parts[number] not in self._whole)

    def _unscored(self, parts: tuple[SampleRange, ...]) -> Unscored:
        """Parts with the same inputs, in the batches of the random order."""
        batches = partial(self.measured.order.batches, self._number[parts[0]])
        return Unscored(self.measured.info, self._model, parts, self.intervention, batches)

    def _in_their_places(self, part: SampleRange, scores: Scores) -> Scores:
        """Scores of a part, which came in the random order, as its data set has the samples."""
        return scores.take(np.argsort(self.measured.order.places[self._number[part]][: scores.count]))

    def scored(self, rounds: int | None = None) -> dict[SampleRange, ScoredSamples]:
        """The samples of the first so many rounds, of all that are whole when None, as their sets have them."""
        order, rounds = self.measured.order, self.rounds if rounds is None else rounds
        found = {}
        for part, number in self._number.items():
            rows = order.rows(number, rounds)
            if part in self._whole:
                scores = self._whole[part] if len(rows) == part.limit else self._whole[part].take(rows)
            else:
                pieces = Scores.join([Scores.none(measure=self.measure(part)), *self._pieces[part]])
                scores = self._in_their_places(part, pieces.take(slice(len(rows))))
            found[part] = ScoredSamples(rows, scores)
        return found

    def measure(self, part: SampleRange) -> Measure:
        """The measure of the head that answers for the part."""
        return self._model.all_heads[self._model.head_of(part.dataset.domain)].measure

    def joined(self) -> Scores:
        """All samples of whole rounds, part after part."""
        return Scores.join(each.scores for each in self.scored().values())


class Scoring:
    """Starts runs, and counts the operations of interventions."""

    def __init__(self, inference: Inference, store: ScoreStore, computing: Computing) -> None:
        self.inference = inference
        self.store = store
        self.computing = computing
        self._flops = SingleFlight[tuple[str, str, str], int](REMEMBERED)

    async def runs(self, measured: Measured, interventions: Sequence[Intervention]) -> list[Run]:
        """A run for each, with what was scored before."""
        model = await asyncio.to_thread(self.inference.model, measured.info)
        runs = [Run(self, measured, intervention, model) for intervention in interventions]
        await self.look_up(measured, runs)
        return runs

    async def look_up(self, measured: Measured, runs: Sequence[Run]) -> None:
        """Give runs that did not begin what was scored before, by others too since they were made."""
        if not runs:
            return
        measures = {measured.key(part, run.intervention): run.measure(part) for run in runs for part in measured.parts}
        known = await asyncio.to_thread(self.store.get, measures)
        for run in runs:
            run.found(known)

    async def finish(self, run: Run, priority: Priority, progress: Callable[[], None] | None = None) -> Scores:
        """Score all of a run."""
        while not run.is_done:
            await run.advance(priority)
            if progress is not None:
                progress()
        return run.joined()

    async def timed(
        self, measured: Measured, intervention: Intervention, rounds: int, priority: Priority
    ) -> dict[str, Any]:
        """The speed of an intervention beside that of the model as it is, from rounds in which they take turns."""
        model = await asyncio.to_thread(self.inference.model, measured.info)
        part = measured.parts[0]
        samples = min(part.limit, BATCH)
        batches = alternated(model, part.dataset, intervention, samples, rounds)
        taken: list[tuple[float, float]] = []
        while len(taken) < rounds:
            found = await self.inference.run(partial(next, batches, None), priority=priority)
            if found is not None:
                taken.append(found)
        own, bare = np.array(taken).T
        ratios = bare / own
        return {
            "rounds": rounds,
            "samples": samples,
            "samples_per_second": samples / float(np.median(own)),
            "baseline_samples_per_second": samples / float(np.median(bare)),
            "ratio": {"value": float(np.median(ratios)), "low": float(ratios.min()), "high": float(ratios.max())},
        }

    async def flops(self, info: ModelInfo, intervention: Intervention, priority: Priority) -> int:
        """Operations for one sample."""

        async def count() -> int:
            model = await asyncio.to_thread(self.inference.model, info)
            return int(await self.inference.run(partial(flops_per_sample, model, intervention), priority=priority))

        return await self._flops.find((info.id, info.revision, intervention.to_json()), count)


class JobScorer:
    """Scores for the thread of a job, kept in the store of scores; see ``routescope.routing.caused.scoring.Scorer``."""

    def __init__(self, scoring: Scoring, measured: Measured, thread: JobThread) -> None:
        self._scoring = scoring
        self._measured = measured
        self._thread = thread
        self._reported: tuple[int, int, str] | None = None

    def scores(self, intervention: Intervention) -> Scores:
        """All samples, part after part; raises Cancelled."""
        return self._thread.wait(self._scored(intervention))

    async def _scored(self, intervention: Intervention) -> Scores:
        (run,) = await self._scoring.runs(self._measured, [intervention])
        return await self._scoring.finish(run, Priority.JOB, lambda: self._report(run.done))

    def flops(self, intervention: Intervention) -> int:
        """Operations for one sample; raises Cancelled."""
        return self._thread.wait(self._scoring.flops(self._measured.info, intervention, Priority.JOB))

    def progress(self, done: int, total: int, what: str) -> None:
        """Report interventions that were scored, of so many, as samples; raises Cancelled."""
        self._reported = done, total, what
        self._thread.progress(done * self._measured.count, total * self._measured.count, what)

    def _report(self, samples: int) -> None:
        if self._reported is None:
            return
        done, total, what = self._reported
        self._thread.report(min(done, total - 1) * self._measured.count + samples, total * self._measured.count, what)
