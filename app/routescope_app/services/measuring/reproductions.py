"""Jobs that run an experiment of a paper quickly, in a process, and keep its record beside the user's own."""

import hashlib
import json
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

from routescope.assets import installed_version
from routescope.experiments.results.quick import LONGEST, SECONDS, why_not
from routescope.experiments.shared.catalogue import find
from routescope.experiments.shared.schema import OWN_RECORDS, record_files
from routescope.routing.progress import Progress
from routescope_app.services.engine.programs import ChildProgram, ProgramLimits, run_program
from routescope_app.services.errors import NotAccepted, NotFound
from routescope_app.settings import Settings

QUICK = ChildProgram("routescope.experiments.results.quick", "quick run")
#: Processor seconds of a run on a slower machine, or with more threads, per second of the longest.
SLOWER = 6


class ReproductionWork:
    """Quick runs of experiments; see ``jobs.work.Work``."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def identify(self, request: dict[str, Any]) -> str:
        """Hash the experiment, its quick settings and the version; raises NotAccepted for one that cannot run."""
        if (experiment_id := request["experiment"]) not in SECONDS:
            raise NotAccepted(f"There is no experiment {experiment_id!r}; there are {', '.join(SECONDS)}.")
        if (why := why_not(experiment_id)) is not None:
            raise NotAccepted(why)
        facts = [experiment_id, asdict(find(experiment_id).quick), installed_version()]
        return hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()[:40]

    async def run(self, job_id: str, request: dict[str, Any], folder: Path, progress: Progress) -> None:
        limits = ProgramLimits(self._settings.map_memory_bytes, SLOWER * LONGEST)
        progress(0, 0, "starting")
        await run_program(QUICK, [request["experiment"], str(folder)], self._settings.data_dir, limits, progress)
        self.keep(folder)

    def keep(self, result: Path) -> str:
        """Copy a result's record beside the user's own, once; return its file name; blocking; raises NotFound."""
        if not (records := record_files(result)):
            raise NotFound("This run left no record.")
        own = self._settings.data_dir / OWN_RECORDS
        own.mkdir(exist_ok=True)
        target = own / records[0].name
        if not target.exists():
            part = own / f".{target.name}.partial"
            shutil.copyfile(records[0], part)
            part.replace(target)
        return target.name
