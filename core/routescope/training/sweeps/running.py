"""Run the trials of a sweep: beside each other on a Ray cluster, or one after the other in this process.

A trial gives the same numbers either way. Ray keeps no results: an interrupted sweep continues from the run's journal.
"""

import os
from collections.abc import Callable, Sequence
from typing import Any

from routescope.training.cluster import LEAST_SHARED_BYTES, LOCAL, NONE, VARIABLE, Cluster
from routescope.training.sweeps.trial import SweepData, SweepTrial, train_trial

#: Called with (trial, its result, seconds that it took) when a trial has ended.
Done = Callable[[SweepTrial, dict[str, Any], float], None]
#: Called with the progress of a trial in words.
Tell = Callable[[str], None]


def run_trials(
    trials: Sequence[SweepTrial],
    data: SweepData,
    done: Done,
    tell: Tell | None = None,
    address: str | None = None,
) -> None:
    """Run trials, and report each result as soon as it is there.

    Args:
        trials: in the order in which they run in this process.
        data: what all of them are trained and scored on.
        done: called in this process; an exception that it raises ends the run.
        tell: called with the progress of a trial that runs in this process.
        address: of the Ray cluster; ``local`` starts one on this machine's processors, ``none`` runs without Ray. None:
            the environment variable ``ROUTESCOPE_RAY_ADDRESS``, else ``local``.

    Raises:
        ClusterError: Ray is not installed, no cluster is at the address, or a trial failed there.
    """
    address = address or os.environ.get(VARIABLE) or LOCAL
    if not trials:
        return
    if address == NONE:
        _run_here(trials, data, done, tell)
        return
    threads = max(trial.threads for trial in trials)
    with Cluster(address, shared_bytes(data)) as cluster:
        for index, result in cluster.run_tasks(_train, [trial.as_data for trial in trials], data, threads):
            done(trials[index], result, result["seconds"])


def _run_here(trials: Sequence[SweepTrial], data: SweepData, done: Done, tell: Tell | None) -> None:
    for trial in trials:

        def look(step: int, steps: int, name: str = trial.name) -> None:
            if tell is not None and step % 50 == 0:
                tell(f"{name}: step {step:,} of {steps:,}")

        result = train_trial(trial, data, look)
        done(trial, result, result["seconds"])


def _train(trial: dict[str, Any], data: SweepData) -> dict[str, Any]:
    return train_trial(SweepTrial.from_data(trial), data)


def shared_bytes(data: SweepData) -> int:
    """Return the shared memory in bytes that a cluster of this machine needs for the data."""
    size = sum(images.nbytes for images in (data.mixture.images, *(dataset.images for dataset in data.sets)))
    return LEAST_SHARED_BYTES + 2 * size
