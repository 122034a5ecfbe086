"""Where the trials of a sweep run: as Ray Tune trials beside each other, or one after the other in this process.

A trial gives the same numbers either way. What Ray writes lies in a folder of the run's own, which is removed with its
end: what goes on is the run's journal, not Tune's.
"""

import os
import secrets
import shutil
import socket
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from core.training.sweeps.trial import SweepData, SweepTrial, trained

#: The environment variable that names the cluster.
VARIABLE = "ROUTESCOPE_RAY_ADDRESS"
#: Its value for no cluster: trials run here, one after the other.
NONE = "none"
#: Its value for a cluster of this machine alone, which is started for the run and stopped after it.
LOCAL = "local"

#: Told (trial, what it gave, seconds that it took) when a trial is done.
Done = Callable[[SweepTrial, dict[str, Any], float], None]
#: Told in words how far a trial is.
Tell = Callable[[str], None]

#: Of the shared memory in which trials find their data: what Ray asks for at least, and what is left beside the data.
LEAST_SHARED_BYTES = 100 * 2**20
#: A start takes seconds; Ray gives it half a minute, which a machine with much else to do may not keep.
STARTS = 3
#: Ray tells nobody that it is used, asks nobody, and writes nothing but what the run asks for.
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_USAGE_STATS_PROMPT_ENABLED": "0",
    "RAY_AIR_NEW_OUTPUT": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_CHDIR_TO_TRIAL_DIR": "0",
    "TUNE_DISABLE_AUTO_CALLBACK_LOGGERS": "1",
    "TUNE_DISABLE_SIGINT_HANDLER": "1",  # Tune would take an interruption for the wish to end well
}
#: A cluster of this machine listens on the loopback alone, answers who has this process's token, and is not put behind
#: whatever else runs.
OF_THIS_MACHINE = {
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # also elsewhere it is this that decides
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": secrets.token_hex(32),  # else Ray writes one into the folder of the user
    "RAY_worker_niceness": "0",
}


class ClusterError(RuntimeError):
    """Trials cannot run where they are to; the message says what would do."""


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
    ray, tune = _ray(address == LOCAL)
    threads = max(trial.threads for trial in trials)
    own = not ray.is_initialized()
    scratch = Path(tempfile.mkdtemp(prefix="rs-"))  # short: names of sockets in it have room for 107 characters
    try:
        if own:
            _start(ray, address, data, scratch)
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
            raise ClusterError(f"a trial failed: {_last_line(first)}") from cause
    finally:
        if own:
            ray.shutdown()
        shutil.rmtree(scratch, ignore_errors=True)


def _ray(of_this_machine: bool) -> tuple[Any, Any]:
    """Ray and Tune, told to be quiet before they look."""
    for name, value in (QUIET | OF_THIS_MACHINE if of_this_machine else QUIET).items():
        os.environ.setdefault(name, value)
    try:
        import ray
        from ray import tune
    except ImportError as error:
        raise ClusterError(
            "trials run on Ray, which is not installed: pip install 'routescope[cluster]', or set"
            f" {VARIABLE}={NONE} to run them one after the other without it"
        ) from error
    return ray, tune


def _start(ray: Any, address: str, data: SweepData, scratch: Path) -> None:
    """Join the cluster at an address, or start one of this machine."""
    common: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if address != LOCAL:
        try:
            _reach(address)
            ray.init(address=address, **common)
        except (OSError, ValueError) as error:  # a ConnectionError is an OSError
            raise ClusterError(
                f"there is no Ray cluster at {address!r} ({_last_line(error)}); {VARIABLE} is host:port, 'auto' for the"
                f" one that runs on this machine, {LOCAL!r} for one that is started, or {NONE!r} for no Ray"
            ) from error
        return
    size = sum(images.nbytes for images in (data.mixture.images, *(each.images for each in data.sets)))
    for attempt in range(STARTS):
        try:
            ray.init(
                address="local",
                num_cpus=len(os.sched_getaffinity(0)),
                include_dashboard=False,
                object_store_memory=LEAST_SHARED_BYTES + 2 * size,
                _temp_dir=str(scratch / f"ray{attempt}"),
                _node_ip_address="127.0.0.1",
                **common,
            )
            return
        except Exception as error:  # Ray has no class of its own for it
            ray.shutdown()
            if attempt == STARTS - 1:
                raise ClusterError(f"Ray did not start on this machine: {_last_line(error)}") from error


def _reach(address: str) -> None:
    """Whether anybody listens there, which Ray itself takes minutes to find out; OSError or ValueError if not."""
    if address == "auto":
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        raise ValueError("not host:port")
    socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()


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


def _last_line(error: BaseException | str) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
