"""The description of a run: its record as plain data, with the command that repeats it."""

import os
import platform
import shlex
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

from routescope.experiments.shared.frame import Context, Extent, Outcome, shown_source
from routescope.experiments.shared.schema import LAYOUT
from routescope.routing.trace import library_versions

#: Libraries that the data sets are made with, besides those of ``library_versions``.
DATA_LIBRARIES = ("mlxtend", "scikit-learn", "matplotlib", "pillow", "datasets")


def describe(context: Context, outcome: Outcome, extent: Extent) -> dict[str, Any]:
    """Return the record of a run as plain data."""
    experiment = context.experiment
    return {
        "layout": LAYOUT,
        "id": experiment.id,
        "title": experiment.title,
        "paper": experiment.paper_reference,
        "paper_figures": [asdict(figure_in_paper) for figure_in_paper in experiment.paper_figures],
        "quick": extent.quick,
        "settings": asdict(context.settings),
        "data": context.data_used,
        "models": context.models_used,
        "seeds": context.seeds,
        "figures": [asdict(figure) for figure in outcome.figures],
        "tables": {name: [dict(row) for row in rows] for name, rows in outcome.tables.items()},
        "notes": list(outcome.notes),
        "versions": {**library_versions(), **{name: version(name) for name in DATA_LIBRARIES}},
        "machine": machine(),
        "seconds": round(context.seconds, 3),
        "measurements": {"all": context.done, "from_an_interrupted_run": context.resumed},
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": command(experiment.id, extent, context.sources),
    }


def machine() -> dict[str, Any]:
    """Return the processor, its cores, the threads of PyTorch, and the GPU of this machine; it has no host name."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "threads": torch.get_num_threads(),
        "accelerator": torch.cuda.get_device_name() if torch.cuda.is_available() else None,
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:  # not Linux
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return next(filter(None, names), "") or platform.processor() or platform.machine() or "unknown"


def command(experiment_id: str, extent: Extent, sources: Mapping[str, str]) -> str:
    """Return the command line that repeats a run; paths are shortened to the last name."""
    options = [
        f"--photographs {shlex.quote(shown_source(source))}"
        if name == "photographs"
        else f"--data {shlex.quote(f'{name}={shown_source(source)}')}"
        for name, source in sources.items()
    ]
    return " ".join(["routescope reproduce", experiment_id, *extent.options, *options])
