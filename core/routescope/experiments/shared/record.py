"""Running an experiment, and the record that each run leaves: one JSON file."""

import json
import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch

from routescope import assets
from routescope.experiments.shared.catalogue import find
from routescope.experiments.shared.cluster_run import ClusterRun
from routescope.experiments.shared.description import describe
from routescope.experiments.shared.frame import USUAL, Context, Experiment, Extent, Progress
from routescope.experiments.shared.journal import write_whole
from routescope.experiments.shared.runner import RunRequest
from routescope.experiments.shared.schema import OWN_RECORDS, parse
from routescope.nn.network import Network
from routescope.training.cluster import VARIABLE, is_named


def reproduce(
    experiment: str | Experiment,
    extent: Extent = USUAL,
    sources: Mapping[str, str] | None = None,
    folder: Path | None = None,
    progress: Progress | None = None,
    resume: bool = True,
    load_model: Callable[[str], Network] | None = None,
) -> tuple[dict[str, Any], Path]:
    """Run an experiment and leave its record.

    Args:
        experiment: an experiment or its id.
        extent: how much of it.
        sources: where real data sets are, by name.
        folder: where the record goes; ``records`` of the data folder by default.
        progress: told (done, total, words) of every measurement.
        resume: continue an interrupted run that is alike in settings, data and models.
        load_model: gives a model for its id; the zoo by default.

    With ``ROUTESCOPE_RAY_ADDRESS`` it runs on the Ray cluster there, unless ``load_model`` is given or the experiment
    has the cluster compute its parts.

    Returns:
        The record, and the file that holds it.

    Raises:
        UnknownExperiment: no such id.
        OSError: the folder cannot be written to (found out before anything is measured).
        DataError: a source cannot be read.
        ValueError: full settings of an experiment that has none; or quick ones too; or a part or seeds that it has not.
        ClusterError: there is no cluster where it is to run, or it failed there.
    """
    if isinstance(experiment, str):
        experiment = find(experiment)
    chosen = experiment.settings_of(extent)
    folder = assets.data_dir() / OWN_RECORDS if folder is None else folder
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=folder):
        pass  # raises here, not after the measurements, when nothing can be written
    address = os.environ.get(VARIABLE)
    if address is not None and is_named(address) and load_model is None and not experiment.spreads:
        threads = torch.get_num_threads()
        request = RunRequest(experiment.id, extent, dict(sources or {}), resume, threads)
        with ClusterRun(address, request, progress) as run:
            record = run.run()
            path = _write(folder, record, run.digest)
            run.finish()
        return record, path
    context = Context(experiment, chosen, sources, progress, resume, load_model)
    outcome = experiment.run(context)
    record = describe(context, outcome, extent)
    path = _write(folder, record, context.digest)
    context.finish()
    return record, path


def _write(folder: Path, record: dict[str, Any], digest: str) -> Path:
    """Write a valid record; raises RecordError for another one. Its measurements are still in the journal then."""
    path = folder / f"{record['id']}-{digest}.json"
    text = json.dumps(record, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    parse(json.loads(text))
    write_whole(path, text + "\n")
    return path
