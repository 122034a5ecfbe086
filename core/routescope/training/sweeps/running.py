"""Where the trials of a sweep run: as Ray Tune trials beside each other, or one after the other in this process.

A trial gives the same numbers either way. What Ray writes lies in a folder of the run's own, which is removed with its
end: what goes on is the run's journal, not Tune's.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from routescope.training.cluster import (
    LEAST_SHARED_BYTES,
    LOCAL,
    NONE,
    VARIABLE,
    ClusterError,
    join,
    last_line,
    ray_library,
)
from routescope.training.sweeps.trial import SweepData, SweepTrial, trained

#: Told (trial, what it gave, seconds that it took) when a trial is done.
Done = Callable[[SweepTrial, dict[str, Any], float], None]
#: Told in words how far a trial is.
Tell = Callable[[str], None]


def run_trials(
    trials: Sequence[SweepTrial],
    data: SweepData,
    done: Done,
    tell: Tell | None = None,
    address: str | None = None,
) -> None:
    """Run trials, and tell of each as soon as it is done.

    Args:
        trials: which; in this order where they run one after the other.
        data: for all of them.
        done: called in this process; an exception that it raises ends the run.
        tell: told how far a trial is, where they run here.
        address: of the Ray cluster; ``local`` for one of this machine's processors, ``none`` for no Ray. None: what the
            environment variable ``ROUTESCOPE_RAY_ADDRESS`` says, else ``local``.

    Raises:
        ClusterError: no Ray where it is needed, no cluster at the address, or a trial that failed.
    """
    address = address or os.environ.get(VARIABLE) or LOCAL
    if not trials:
        return
    if address == NONE:
        _here(trials, data, done, tell)
    else:
        _on_ray(trials, data, done, address)


def _here(trials: Sequence[SweepTrial], data: SweepData, done: Done, tell: Tell | None) -> None:
    for trial in trials:

        def look(step: int, steps: int, name: str = trial.name) -> None:
            if tell is not None and step % 50 == 0:
                tell(f"{name}: step {step:,} of {steps:,}")

        found = trained(trial, data, look)
        done(trial, found, found["seconds"])


def _on_ray(trials: Sequence[SweepTrial], data: SweepData, done: Done, address: str) -> None:
    ray = ray_library(address)
    from ray import tune

    threads = max(trial.threads for trial in trials)
    own = not ray.is_initialized()
    scratch = Path(tempfile.mkdtemp(prefix="rs-"))  # short: names of sockets in it have room for 107 characters
    try:
        if own:
            join(ray, address, scratch, shared_bytes(data))
        keeping = _keeping(tune, trials, done)
        tuner = tune.Tuner(
            tune.with_resources(tune.with_parameters(_tuned, data=data), {"cpu": threads}),
            param_space={"trial": tune.grid_search([trial.as_data for trial in trials])},
            tune_config=tune.TuneConfig(reuse_actors=True),
            run_config=tune.RunConfig(
                name="sweep",
                storage_path=str(scratch / "tune"),
                failure_config=tune.FailureConfig(fail_fast=True),
                callbacks=[keeping],
                verbose=0,
            ),
        )
        try:
            results = tuner.fit()
        except Exception as error:
            raise keeping.raised or error from None
        if keeping.raised is not None:  # which Tune may take for a trial's
            raise keeping.raised
        if results.errors:  # exceptions, or their words where Tune could not keep them
            first = results.errors[0]
            cause = first if isinstance(first, BaseException) else None
            raise ClusterError(f"a trial failed: {last_line(first)}") from cause
    finally:
        if own:
            ray.shutdown()
        shutil.rmtree(scratch, ignore_errors=True)


def shared_bytes(data: SweepData) -> int:
    """Of the shared memory in which trials find their data, with what is left beside it."""
    size = sum(images.nbytes for images in (data.mixture.images, *(each.images for each in data.sets)))
    return LEAST_SHARED_BYTES + 2 * size


def _tuned(config: dict[str, Any], data: SweepData) -> None:
    """What Tune runs in a process of its own."""
    from ray import tune

    tune.report({"found": trained(SweepTrial.from_data(config["trial"]), data)})


def _keeping(tune: Any, trials: Sequence[SweepTrial], done: Done) -> Any:
    """A callback of Tune's that tells ``done`` of every trial, and keeps what that raises."""
    by_number = {trial.number: trial for trial in trials}

    class Keeping(tune.Callback):
        raised: BaseException | None = None

        def __reduce__(self) -> tuple[type, tuple[()]]:
            # Tune writes its callbacks down to go on by itself, which no sweep does; nothing can write a lock down.
            return tune.Callback, ()

        def on_trial_complete(self, iteration: int, trials: list[Any], trial: Any, **info: Any) -> None:
            found = trial.last_result["found"]
            try:
                done(by_number[trial.config["trial"]["number"]], found, found["seconds"])
            except BaseException as error:
                self.raised = error
                raise

    return Keeping()
