"""Jobs that leave out units, subset by subset: exact up to ten units, sampled above.

Every score goes through the store of scores, so a job that was cancelled or cut off goes on where it stopped.
"""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from routescope.routing import Intervention
from routescope.routing.caused.importance import importance_of
from routescope.routing.caused.importance_plan import NoPlan, Plan
from routescope.routing.caused.retention import anytime
from routescope.routing.caused.scoring import KeptUnits
from routescope.routing.observed.usage import observe_usage
from routescope.routing.options import OPTIONS
from routescope.routing.progress import Progress
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.job_thread import JobThread
from routescope_app.services.errors import NotAccepted, sentence
from routescope_app.services.measuring.importance_tables import described
from routescope_app.services.measuring.scope import Measuring, OfOne
from routescope_app.services.measuring.scoring import JobScorer, Scoring

#: Orders of the units that one sampled importance may ask for.
MAX_PERMUTATIONS = 2_000
#: Subsets times samples of one sampled importance, of more than ten units.
MAX_SCORES = 5_000_000
#: Fields of an intervention that hold for all scores: those that do not name units, routes or gates.
BASE = tuple(name for name, option in OPTIONS.items() if option.form in ("count", "share"))


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
        whole = {name: request[name] for name in BASE}
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
        """Run core's functions in the thread of the job, and write what they give."""
        thread = JobThread(self._inference, progress)
        await thread.run(partial(self._measure, thread, job_id, request, folder))

    def _measure(self, thread: JobThread, job_id: str, request: dict[str, Any], folder: Path) -> None:
        one, bare, plan = self._checked(request)
        info, model = one.measured.info, self._inference.model(one.measured.info)
        scorer = JobScorer(self._scoring, one.measured, thread)
        report = scorer.progress if plan.exact else thread.progress
        value = KeptUnits(scorer, plan.players, request["kind"], bare, one.taken, progress=report)
        found = importance_of(model, plan, value, request["seed"], counted=1)
        most = max(info.iterations, request["iterations"] or 0)
        passes = range(model.bounds.least, most + 1)
        curve = anytime(scorer, passes, base=bare, taken=one.taken, progress=thread.progress)
        usage = observe_usage(model, one.datasets, bare, turn=thread.turn, progress=thread.progress)
        facts = {"id": job_id, **{name: request[name] for name in (*BASE, "layer", "kind", "seed")}}
        result = described(one, found, curve, [] if usage is None else usage.table(), facts)
        found.subsets.to_csv(folder / "subsets.csv", index=False)
        (folder / "importance.json").write_text(json.dumps(result, allow_nan=False))
