"""Jobs that leave out units, subset by subset: exact up to ten units, sampled above.

Every score goes through the store of scores, so a job that was cancelled or cut off goes on where it stopped.
"""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd

from routescope.nn.measures import signs_of
from routescope.routing import Intervention
from routescope.routing.caused.effects import random_control
from routescope.routing.caused.importance import interactions, orders_by_links, single_effects
from routescope.routing.caused.importance_plan import NoPlan, Plan
from routescope.routing.caused.retention import no_curves, retention, retention_asking
from routescope.routing.caused.scores import Scores
from routescope.routing.caused.shapley import SampledShapley, shapley_asking, shapley_exact
from routescope.routing.caused.subsets import Asking, Subsets, for_each_subset
from routescope.routing.observed.usage import USED, WEIGHTS, BlockUsage, Usage
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.engine.in_thread import in_thread
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.threads import Priority
from routescope_app.services.errors import NotAccepted, sentence
from routescope_app.services.jobs.jobs import Progress
from routescope_app.services.measuring.by_batches import each_batch
from routescope_app.services.measuring.importance_tables import described, subset_table
from routescope_app.services.measuring.scope import Measuring, OfOne
from routescope_app.services.measuring.scoring import Scoring, answered
from routescope_app.services.measuring.snapshots import measure_of

#: Orders of the units that one sampled importance may ask for.
MAX_PERMUTATIONS = 2_000
#: Subsets times samples of one sampled importance, of more than ten units.
MAX_SCORES = 5_000_000

T = TypeVar("T")
JOB = Priority.JOB


class ImportanceWork:
    """See ``jobs.Work``."""

    def __init__(self, measuring: Measuring, scoring: Scoring, inference: Inference) -> None:
        self._measuring = measuring
        self._scoring = scoring
        self._inference = inference

    def _checked(self, request: dict[str, Any]) -> tuple[OfOne, Intervention, Plan]:
        asked = self._measuring.measured(request["model"], request["data"], request["samples"])
        one = asked.within(request["distribution"])
        measured = one.measured
        plan = self._planned(measured.info, request)
        if plan.permutations > MAX_PERMUTATIONS:
            raise NotAccepted(f"Up to {MAX_PERMUTATIONS} permutations are accepted.")
        subsets, most = plan.subsets, MAX_SCORES
        if not plan.exact and subsets * measured.count > most:
            bare = replace(plan, permutations=0, pairs=False).subsets
            raise NotAccepted(
                f"{plan} may score {subsets} subsets on {measured.count} samples; up to {most} subsets times samples "
                f"are accepted. Ask for up to {most // subsets} samples, or, with permutations 0 and without pairs, up "
                f"to {most // bare}."
            )
        whole = {name: request[name] for name in ("iterations", "keep_edges", "top_k")}
        first = plan.players[:1]
        if measured.info.layers:  # of every layer one
            first = tuple(layer.units[0] for layer in measured.info.layers if layer.units[0] in plan.players)
        for unit in first:
            self._measuring.intervention(measured.info, {**whole, request["kind"]: [unit]})  # refused if it cannot be
        return one, self._measuring.intervention(measured.info, whole), plan

    @staticmethod
    def _planned(info: ModelInfo, request: dict[str, Any]) -> Plan:
        if not info.units:
            raise NotAccepted("This model has no units that could be dropped.")
        try:
            asked = {name: request[name] for name in ("permutations", "pairs")}
            return Plan.of(info.units, info.layers, request["layer"], request["kind"], **asked)
        except NoPlan as problem:
            raise NotAccepted(sentence(problem)) from None

    def identify(self, request: dict[str, Any]) -> str:
        """What is sampled does not matter where all subsets are scored."""
        one, bare, plan = self._checked(request)
        measured = one.measured
        sampling = "" if plan.exact else f"{plan.permutations} {plan.pairs}"
        plain = measured.plain(bare).to_json()
        apart: list[str] = [] if one.taken is None and one.distribution != "unknown" else [one.distribution]
        if measured.info.layers:
            apart += ["alone" if plan.alone else "sets", request["layer"] or ""]
        return measured.digest("importance", request["kind"], plain, str(request["seed"]), sampling, *apart)

    async def run(self, job_id: str, request: dict[str, Any], folder: Path, progress: Progress) -> None:
        """Score, then put the tables together."""
        one, bare, plan = await asyncio.to_thread(self._checked, request)
        measured = one.measured
        model = await asyncio.to_thread(self._inference.model, measured.info)
        sweep = _Sweep(self._scoring, one, plan, request, progress)
        units, seed = plan.players, request["seed"]
        orders = orders_by_links(model) if plan.orders else {}
        shapley: pd.DataFrame | SampledShapley | None = None
        if plan.exact:
            subsets = await sweep.all_subsets()
            shapley = await in_thread(partial(shapley_exact, subsets))
            found = await in_thread(partial(_from_all, subsets, seed, orders))
            await in_thread(partial(subset_table(subsets).to_csv, folder / "subsets.csv", index=False))
        else:
            sweep.expects(plan.subsets)
            if plan.permutations:
                shapley = await sweep.answered(shapley_asking(units, plan.permutations, seed), "sampling orders")
            for kept in for_each_subset(units, 2 if plan.pairs else 1):
                if kept or not plan.alone:
                    await sweep.counted(kept, "dropping units and pairs" if plan.pairs else "dropping units")
            found = await in_thread(partial(_pairs_at_most, units, sweep.known, plan.pairs))
            if plan.alone:
                found["retention"] = no_curves(sweep.known[frozenset(units)].measure.name)
            else:
                asking = retention_asking(units, draws=plan.draws, seed=seed, greedy=False, orders=orders)
                found["retention"] = await sweep.with_flops(await sweep.answered(asking, "retention curves"))
            await in_thread(partial(sweep.table().to_csv, folder / "subsets.csv", index=False))
        anytime = await sweep.anytime(model.bounds.least)
        usage = [each for each in await self._usage(one, bare, progress) if each["unit"] in units]
        whole = await sweep.score(frozenset(units))
        total = None if plan.alone else whole.worth - (await sweep.score(frozenset())).worth
        facts = {
            "id": job_id,
            "iterations": request["iterations"],
            "keep_edges": request["keep_edges"],
            "top_k": request["top_k"],
            "layer": request["layer"],
            "units": list(units),
            "exact": plan.exact,
            "kind": request["kind"],
            "seed": seed,
            "baseline": whole.figure,
            "total": total,
            "measure": measure_of(whole),
            "signs": signs_of(whole.measure.higher_is_better),
        }
        result = described(one, shapley, found, anytime, usage, facts)
        (folder / "importance.json").write_text(json.dumps(result, allow_nan=False))

    async def _usage(self, one: OfOne, bare: Intervention, progress: Progress) -> list[dict[str, Any]]:
        """How much each unit is used, as observed in the network that is whole; nothing where none is chosen."""
        measured = one.measured
        model = await asyncio.to_thread(self._inference.model, measured.info)
        usage: Usage | BlockUsage
        if WEIGHTS in measured.info.fields:
            usage = BlockUsage(model, one.datasets, bare)
        elif set(USED) & set(measured.info.fields):
            usage = Usage(model, one.datasets, bare)
        else:
            return []
        async for done in each_batch(self._inference, usage):
            progress(done, one.count, "observing usage")
        return usage.table()


Orders = Mapping[str, Sequence[str]]


def _from_all(subsets: Subsets, seed: int, orders: Orders) -> dict[str, Any]:
    """Single effects, interactions and retention, where every subset was scored."""
    return {
        "single": single_effects(subsets.units, subsets.value),
        "interactions": interactions(subsets.units, subsets.value),
        "retention": retention(subsets.units, subsets.value, seed=seed, flops=subsets.flops, orders=orders),
    }


def _pairs_at_most(units: Sequence[str], known: Mapping[frozenset[str], Scores], pairs: bool) -> dict[str, Any]:
    """Single effects and, where pairs were scored, interactions, from the subsets that lack up to two units."""
    return {
        "single": single_effects(units, known.__getitem__),
        "interactions": interactions(units if pairs else (), known.__getitem__),
    }


class _Sweep:
    """The scores of subsets of units for one job."""

    def __init__(self, scoring: Scoring, one: OfOne, plan: Plan, request: dict[str, Any], progress: Progress) -> None:
        self._scoring = scoring
        self._one = one
        self._measured = one.measured
        self._plan = plan
        self._kind = request["kind"]
        self._seed = request["seed"]
        self._iterations = request["iterations"]
        self._keep_edges = request["keep_edges"]
        self._top_k = request["top_k"]
        self._progress = progress
        self._known: dict[frozenset[str], Scores] = {}
        self._most = 0

    def _without(self, kept: frozenset[str]) -> Intervention:
        gone = [unit for unit in self._plan.players if unit not in kept]
        return Intervention.of(self._kind, gone, self._iterations, keep_edges=self._keep_edges, top_k=self._top_k)

    async def score(self, kept: frozenset[str], what: Callable[[int], None] | None = None) -> Scores:
        """The scores with these units kept; ``what`` is called with samples done."""
        if kept not in self._known:
            (run,) = await self._scoring.runs(self._measured, [self._without(kept)])
            scores = await self._scoring.finish(run, JOB, lambda: what(run.done) if what else None)
            self._known[kept] = self._one.of(scores)
        return self._known[kept]

    async def all_subsets(self) -> Subsets:
        """Every subset: all units, none, all but one, all but two, the rest."""
        units, count = self._plan.players, self._measured.count
        order = list(for_each_subset(units))
        flops: dict[frozenset[str], int] = {}
        total = count * len(order)
        for number, kept in enumerate(order):
            gone = len(units) - len(kept)
            words = f"scoring subsets: {gone} of {len(units)} units dropped" if gone else "scoring the whole network"

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

    async def answered(self, asking: Asking[T], what: str) -> T:
        """Run a computation that asks for scores; progress by subsets."""
        return await answered(asking, partial(self.counted, what=what))

    async def with_flops(self, retention: pd.DataFrame) -> pd.DataFrame:
        """Operations of each point of the curves; of random sets those of the first that was drawn."""
        info, units, counts = self._measured.info, self._plan.players, []
        for number, (order, dropped, kept) in enumerate(
            retention[["order", "dropped", "kept"]].itertuples(index=False)
        ):
            if order == "random":
                kept = set(units) - set(random_control(units, dropped, self._plan.draws, self._seed + dropped)[0])
            counts.append(await self._scoring.flops(info, self._without(frozenset(kept)), JOB))
            self._progress(number + 1, len(retention), "counting operations")
        return retention.assign(flops=counts)

    async def anytime(self, fewest: int) -> pd.DataFrame:
        """Accuracy of the whole network after every number of iterations, from the fewest on that it can run."""
        measured, rows = self._measured, []
        most = max(measured.info.iterations, self._iterations or 0)
        for iterations in range(fewest, most + 1):
            self._progress(iterations - fewest, most + 1 - fewest, "accuracy after every iteration")
            change = Intervention(iterations=iterations, keep_edges=self._keep_edges, top_k=self._top_k)
            (run,) = await self._scoring.runs(measured, [change])
            scores = self._one.of(await self._scoring.finish(run, JOB))
            flops = await self._scoring.flops(measured.info, change, JOB)
            low, high = scores.interval
            rows.append((iterations, scores.figure, low, high, flops, scores.samples_per_second))
        return pd.DataFrame(rows, columns=["iterations", "accuracy", "low", "high", "flops", "samples_per_second"])

    def table(self) -> pd.DataFrame:
        """Every subset that was scored."""
        units = self._plan.players
        return pd.DataFrame(
            [
                {
                    "kept": " ".join(unit for unit in units if unit in kept),
                    "dropped": len(units) - len(kept),
                    "accuracy": scores.figure,
                    "low": scores.interval[0],
                    "high": scores.interval[1],
                    "loss": scores.mean_loss,
                    "samples_per_second": scores.samples_per_second,
                }
                for kept, scores in self._known.items()
            ]
        )
