"""Quick runs of experiments: how long each takes, why one cannot run in a service, and the program that runs one.

``python -m routescope.experiments.results.quick ID FOLDER`` writes the record into the folder, and one line of JSON
{"done", "total", "what"} to standard output for every step. A run that is impossible here ends with status 2 and a last
line {"problem": ...}.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

from routescope.assets import MissingLibrary, require
from routescope.experiments.shared.catalogue import find
from routescope.experiments.shared.frame import Extent
from routescope.experiments.shared.record import reproduce
from routescope.files import DataError
from routescope.zoo.catalogue import UnknownModel

#: Politeness towards the service that answers people meanwhile.
NICE = 10
#: Longest quick run that a service starts, in seconds.
LONGEST = 300
#: Seconds of each quick run, of one thread beside other work on two cores; from 300 on, at least.
SECONDS = {
    "ni-boolean": 900,
    "ni-digits": 600,
    "ni-adapt": 31,
    "ni-extend": 99,
    "ni-drop": 57,
    "ni-pgm": 600,
    "ni-anytime": 41,
    "ni-sweep": 600,
    "ni-types": 208,
    "nac-images": 26,
    "nac-drop": 53,
    "nac-edges": 34,
    "nac-fewshot": 60,
    "nac-points": 44,
    "nac-listops": 67,
    "nac-bytes": 30,
    "nac-nlvr2": 80,
    "nac-sentences": 32,
    "smfr-addmul": 94,
    "smfr-double": 43,
    "smfr-algo": 66,
    "smfr-bpmnist": 23,
    "smfr-inspect": 22,
}


def why_not(experiment_id: str) -> str | None:
    """Return why a service does not run an experiment quickly, a sentence; None: it does."""
    try:
        require("lightning")
    except MissingLibrary as error:
        return f"Experiments need further libraries: {error}."
    if (seconds := SECONDS[experiment_id]) > LONGEST:
        return (
            f"Its quick run takes about {seconds // 60} minutes; a service runs up to {LONGEST // 60}. "
            f"Run it with: routescope reproduce {experiment_id} --quick"
        )
    return None


def write(line: dict[str, Any]) -> None:
    """Write one line of JSON, at once."""
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def main(arguments: list[str]) -> int:
    """Run one experiment quickly; return the exit status."""
    experiment_id, folder = arguments
    os.nice(NICE)

    def progress(done: int, total: int, what: str) -> None:
        write({"done": done, "total": total, "what": what or "loading models and data"})

    try:
        reproduce(find(experiment_id), Extent(quick=True), folder=Path(folder), progress=progress)
    except (DataError, MissingLibrary, UnknownModel) as error:
        write({"problem": str(error)})
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
