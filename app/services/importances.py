"""Jobs that leave out units, subset by subset: exact up to ten units, sampled above.

Every score goes through the store of scores, so a job that was cancelled or cut off goes on where it stopped.
"""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from app.services.errors import NotAccepted
from app.services.importance_tables import described, subset_table
from app.services.in_thread import in_thread
from app.services.inference import Inference
from app.services.jobs import Progress
from app.services.measured import Measured, Measuring
from app.services.priority_threads import Priority
from app.services.scoring import Scoring
from app.services.usage import Usage
from app.settings import Settings
from core.routing import Intervention
from core.routing.importance import interactions, single_effects
from core.routing.retention import SAMPLED_DRAWS, retention, retention_asking
from core.routing.scoring import Scores
from core.routing.shapley import shapley_asking, shapley_exact
from core.routing.subsets import MOST_UNITS_EXACT, Asking, Subsets, for_each_subset

JOB = Priority.JOB
FEWEST_PERMUTATIONS = 4


class ImportanceWork:
    """See ``jobs.Work``."""

    def __init__(self, settings: Settings, measuring: Measuring, scoring: Scoring, inference: Inference) -> None:
        self._settings = settings
        self._measuring = measuring
        self._scoring = scoring
        self._inference = inference

    def _checked(self, request: dict[str, Any]) -> tuple[Measured, Intervention]:
        measured = self._measuring.measured(request["model"], request["data"], request["samples"])
        if request["permutations"] > self._settings.max_permutations:
            raise NotAccepted(f"Up to {self._settings.max_permutations} permutations are accepted.")
        units, most = len(measured.info.units), self._settings.max_sampled_scores
        subsets = _most_subsets(units, request["permutations"])
        if units > MOST_UNITS_EXACT and subsets * measured.count > most:
            few = _most_subsets(units, FEWEST_PERMUTATIONS)
            raise NotAccepted(
                f"{request['permutations']} permutations of {units} units may score {subsets} subsets on "
                f"{measured.count} samples; up to {most} subsets times samples are accepted. Ask for up to "
                f"{most // subsets} samples, or, with {FEWEST_PERMUTATIONS} permutations, up to {most // few}."
            )
        iterations = {"iterations": request["iterations"]}
        return measured, self._measuring.intervention(measured.info, iterations)

    def identify(self, request: dict[str, Any]) -> str:
        """The number of permutations does not matter where all subsets are scored."""
        measured, bare = self._checked(request)
        exact = len(measured.info.units) <= MOST_UNITS_EXACT
        sampling = "" if exact else str(request["permutations"])
        plain = measured.plain(bare).to_json()
        return measured.digest("importance", request["kind"], plain, str(request["seed"]), sampling)

    async def run(self, job_id: str, request: dict[str, Any], folder: Path, progress: Progress) -> None:
        """Score, then put the tables together."""
        measured, _ = await asyncio.to_thread(self._checked, request)
        sweep = _Sweep(self._scoring, measured, request, progress)
        units, seed = measured.info.units, request["seed"]
        shapley: Any
        if len(units) <= MOST_UNITS_EXACT:
            subsets = await sweep.all_subsets()
            shapley = await in_thread(partial(shapley_exact, subsets))
            found = await in_thread(partial(_from_all, subsets, seed))
            await in_thread(partial(subset_table(subsets).to_csv, folder / "subsets.csv", index=False))
        else:
            subsets = None
            sweep.expects(_most_subsets(len(units), request["permutations"]))
            shapley = await sweep.answered(shapley_asking(units, request["permutations"], seed), "sampling orders")
            for kept in for_each_subset(units, 2):
                await sweep.counted(kept, "leaving out units and pairs")
            found = await in_thread(partial(_pairs_at_most, units, sweep.known))
            asking = retention_asking(units, draws=SAMPLED_DRAWS, seed=seed, greedy=False)
            found["retention"] = await sweep.answered(asking, "retention curves")
            await in_thread(partial(sweep.table().to_csv, folder / "subsets.csv", index=False))
        anytime = await sweep.anytime()
        usage = await self._usage(measured, request, progress)
        whole, none = await sweep.score(frozenset(units)), await sweep.score(frozenset())
        facts = {
            "id": job_id,
            "iterations": request["iterations"],
            "exact": subsets is not None,
            "kind": request["kind"],
            "seed": seed,
            "baseline": whole.accuracy,
            "total": whole.accuracy - none.accuracy,
        }
        result = described(measured, shapley, found, anytime, usage, facts)
        (folder / "importance.json").write_text(json.dumps(result, allow_nan=False))

    async def _usage(self, measured: Measured, request: dict[str, Any], progress: Progress) -> list[dict[str, Any]]:
        """How much each unit is used, as observed in the network that is whole."""
        model = await asyncio.to_thread(self._inference.model, measured.info)
        usage = Usage(model, measured.datasets, Intervention(iterations=request["iterations"]))
        batches = iter(usage)
        while (done := await self._inference.run(partial(next, batches, None), priority=JOB)) is not None:
            progress(done, measured.count, "observing usage")
        return usage.table()


def _from_all(subsets: Subsets, seed: int) -> dict[str, Any]:
    """Single effects, interactions and retention, where every subset was scored."""
    return {
        "single": single_effects(subsets.units, subsets.value),
        "interactions": interactions(subsets.units, subsets.value),
        "retention": retention(subsets.units, subsets.value, seed=seed, flops=subsets.flops),
    }


def _pairs_at_most(units: Sequence[str], known: Mapping[frozenset[str], Scores]) -> dict[str, Any]:
    """Single effects and interactions, from the subsets that lack up to two units."""
    return {
        "single": single_effects(units, known.__getitem__),
        "interactions": interactions(units, known.__getitem__),
    }


def _most_subsets(count: int, permutations: int) -> int:
    """How many subsets a sampled importance scores at most."""
    return 2 + count + count * (count - 1) // 2 + (count - 1) * (permutations + SAMPLED_DRAWS + 2)


class _Sweep:
    """The scores of subsets of units for one job."""

    def __init__(self, scoring: Scoring, measured: Measured, request: dict[str, Any], progress: Progress) -> None:
        self._scoring = scoring
        self._measured = measured
        self._kind = request["kind"]
        self._iterations = request["iterations"]
        self._progress = progress
        self._known: dict[frozenset[str], Scores] = {}
        self._most = 0

    def _without(self, kept: frozenset[str]) -> Intervention:
        gone = [unit for unit in self._measured.info.units if unit not in kept]
        return Intervention.of(self._kind, gone, self._iterations)

    async def score(self, kept: frozenset[str], what: Callable[[int], None] | None = None) -> Scores:
        """The scores with these units kept; ``what`` is called with samples done."""
        if kept not in self._known:
            (run,) = await self._scoring.runs(self._measured, [self._without(kept)])
            self._known[kept] = await self._scoring.finish(run, JOB, lambda: what(run.done) if what else None)
        return self._known[kept]

    async def all_subsets(self) -> Subsets:
        """Every subset: all units, none, all but one, all but two, the rest."""
        units, count = self._measured.info.units, self._measured.count
        order = list(for_each_subset(units))
        flops: dict[frozenset[str], int] = {}
        total = count * len(order)
        for number, kept in enumerate(order):
            gone = len(units) - len(kept)
            words = f"scoring subsets: {gone} of {len(units)} units left out" if gone else "scoring the whole network"

            def report(done: int, number: int = number, words: str = words) -> None:
                self._progress(number * count + done, total, words)

            report(0)
            await self.score(kept, report)
            flops[kept] = await self._scoring.flops(self._measured.info, self._without(kept), JOB)
        self._progress(total, total, "Shapley values, interactions and retention")
        scores = {kept: self._known[kept] for kept in order}
        return await asyncio.to_thread(Subsets.from_scores, units, self._kind, scores, flops)

    @property
    def known(self) -> Mapping[frozenset[str], Scores]:
        """What was scored, by the units kept."""
        return self._known

    def expects(self, most: int) -> None:
        """Progress is counted in subsets, of so many."""
        self._most = most

    async def counted(self, kept: frozenset[str], what: str) -> Scores:
        """The scores with these units kept; progress by subsets."""
        scores = await self.score(kept)
        self._progress(min(len(self._known), self._most), self._most, what)
        return scores

    async def answered(self, asking: Asking[Any], what: str) -> Any:
        """Run a computation that asks for scores. Its own work between two questions is short."""
        try:
            kept = next(asking)
            while True:
                kept = asking.send(await self.counted(kept, what))
        except StopIteration as ended:
            return ended.value

    async def anytime(self) -> pd.DataFrame:
        """Accuracy of the whole network after every number of iterations."""
        measured, rows = self._measured, []
        configured = int(measured.info.config.get("iterations", 1))
        most = max(configured, self._iterations or 0)
        for iterations in range(most + 1):
            self._progress(iterations, most + 1, "accuracy after every iteration")
            change = Intervention(iterations=iterations)
            (run,) = await self._scoring.runs(measured, [change])
            scores = await self._scoring.finish(run, JOB)
            flops = await self._scoring.flops(measured.info, change, JOB)
            low, high = scores.interval
            rows.append((iterations, scores.accuracy, low, high, flops, scores.samples_per_second))
        return pd.DataFrame(rows, columns=["iterations", "accuracy", "low", "high", "flops", "samples_per_second"])

    def table(self) -> pd.DataFrame:
        """Every subset that was scored."""
        units = self._measured.info.units
        return pd.DataFrame(
            [
                {
                    "kept": " ".join(unit for unit in units if unit in kept),
                    "dropped": len(units) - len(kept),
                    "accuracy": scores.accuracy,
                    "low": scores.interval[0],
                    "high": scores.interval[1],
                    "loss": scores.mean_loss,
                    "samples_per_second": scores.samples_per_second,
                }
                for kept, scores in self._known.items()
            ]
        )
