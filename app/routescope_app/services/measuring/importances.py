"""Jobs that measure the effects of leaving out units: exact up to ten units, sampled above.

Every score is cached, so a job that was cancelled or interrupted resumes where it stopped.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from routescope.routing import Intervention
from routescope.routing.caused.importance import importance_of
from routescope.routing.caused.importance_plan import NoPlan, Plan
from routescope.routing.caused.retention import anytime
from routescope.routing.caused.scoring import KeptUnits
from routescope.routing.observed.usage import observe_usage
from routescope.routing.options import OPTIONS
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.job_thread import JobThread
from routescope_app.services.errors import NotAccepted, sentence
from routescope_app.services.jobs.work import ThreadWork
from routescope_app.services.measuring.importance_tables import FACTS, SUBSETS, described
from routescope_app.services.measuring.scope import DistributionSubset, Measuring
from routescope_app.services.measuring.scoring import JobScorer, Scoring

#: Largest number of orders of one sampled importance.
MAX_PERMUTATIONS = 2_000
#: Largest number of subsets times samples of one sampled importance, of more than ten units.
MAX_SCORES = 5_000_000
#: Fields of an intervention that hold for all scores: those that do not name units, routes or gates.
BASE = tuple(name for name, option in OPTIONS.items() if option.form in ("count", "share"))
#: Fields of a request that the result repeats.
REPEATED = (*BASE, "layer", "kind", "seed")


class ImportanceWork(ThreadWork):
    """Jobs that measure importance; see ``jobs.work.Work``."""

    def __init__(self, measuring: Measuring, scoring: Scoring, inference: Inference) -> None:
        super().__init__(inference)
        self._measuring = measuring
        self._scoring = scoring

    def _checked(self, request: dict[str, Any]) -> tuple[DistributionSubset, Intervention, Plan]:
        whole = self._measuring.measured(request["model"], request["data"], request["samples"])
        subset = whole.within(request["distribution"])
        measured = subset.measured
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
        options = {name: request[name] for name in BASE}
        examples = plan.players[:1]
        if measured.info.layers:  # one unit of each layer
            examples = tuple(layer.units[0] for layer in measured.info.layers if layer.units[0] in plan.players)
        for unit in examples:
            self._measuring.intervention(measured.info, {**options, request["kind"]: [unit]})  # may refuse
        return subset, self._measuring.intervention(measured.info, options), plan

    @staticmethod
    def _planned(info: ModelInfo, request: dict[str, Any]) -> Plan:
        if not info.units:
            raise NotAccepted("This model has no units that could be dropped.")
        try:
            options = {name: request[name] for name in ("permutations", "pairs")}
            return Plan.of(info.units, info.layers, request["layer"], request["kind"], **options)
        except NoPlan as problem:
            raise NotAccepted(sentence(problem)) from None

    def identify(self, request: dict[str, Any]) -> str:
        """Hash everything that the result depends on; sampling does not matter if all subsets are scored."""
        subset, bare, plan = self._checked(request)
        measured = subset.measured
        sampling = "" if plan.exact else f"{plan.permutations} {plan.pairs}"
        parts = [request["kind"], measured.plain(bare).to_json(), str(request["seed"]), sampling]
        if subset.taken is not None or subset.distribution == "unknown":
            parts.append(subset.distribution)
        if measured.info.layers:
            parts += ["alone" if plan.alone else "sets", request["layer"] or ""]
        return measured.digest("importance", *parts)

    def compute(self, thread: JobThread, job_id: str, request: dict[str, Any], folder: Path) -> None:
        subset, bare, plan = self._checked(request)
        info = subset.measured.info
        model = self._inference.model(info)
        scorer = JobScorer(self._scoring, subset.measured, thread)
        report = scorer.progress if plan.exact else thread.progress
        value = KeptUnits(scorer, plan.players, request["kind"], bare, subset.taken, progress=report)
        importance = importance_of(model, plan, value, request["seed"], counted=1)
        passes = range(model.bounds.least, max(info.iterations, request["iterations"] or 0) + 1)
        curve = anytime(scorer, passes, base=bare, taken=subset.taken, progress=thread.progress)
        usage = observe_usage(model, subset.datasets, bare, turn=thread.turn, progress=thread.progress)
        facts = subset.measured.facts(job_id) | {name: request[name] for name in REPEATED}
        result = described(subset, importance, curve, [] if usage is None else usage.table(), facts)
        importance.subsets.to_csv(folder / SUBSETS, index=False)
        (folder / FACTS).write_text(json.dumps(result, allow_nan=False))
