"""Joins a Ray cluster, or starts one of this machine alone: Ray told to be quiet, and its errors in words."""

import os
import secrets
import socket
from pathlib import Path
from typing import Any

#: The environment variable that names the cluster.
VARIABLE = "ROUTESCOPE_RAY_ADDRESS"
#: Its value for no cluster.
NONE = "none"
#: Its value for a cluster of this machine alone, which is started by who uses it and stopped after that.
LOCAL = "local"

#: What Ray asks for of shared memory, at least.
LEAST_SHARED_BYTES = 100 * 2**20
#: A start takes seconds; Ray gives it half a minute, which a machine with much else to do may not keep.
STARTS = 3
#: Ray tells nobody that it is used, asks nobody, and writes nothing but what it is asked for.
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
    """Ray does not run what it is to; the message says what would do."""


def is_named(address: str | None) -> bool:
    """Whether an address stands for any cluster: neither None, nor empty, nor ``none``."""
    return bool(address) and address != NONE


def ray_library(address: str) -> Any:
    """The module ``ray``, told to be quiet before it looks.

    Raises:
        ClusterError: it is not installed.
    """
    for name, value in (QUIET | OF_THIS_MACHINE if address == LOCAL else QUIET).items():
        os.environ.setdefault(name, value)
    try:
        import ray
    except ImportError as error:
        raise ClusterError(
            f"Ray is not installed: pip install 'routescope[cluster]', or set {VARIABLE}={NONE} to do without it"
        ) from error
    return ray


def join(ray: Any, address: str, scratch: Path, shared_bytes: int = LEAST_SHARED_BYTES) -> None:
    """Join the cluster at an address, or start one of this machine.

    Args:
        ray: what ``ray_library`` gave.
        address: ``host:port``, ``ray://host:port``, ``auto`` or ``local``.
        scratch: a folder for what a cluster of this machine writes; its name is short, as names of sockets in it have
            room for 107 characters.
        shared_bytes: of the shared memory of a cluster of this machine.

    Raises:
        ClusterError: nobody answers there, or Ray does not start here.
    """
    common: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if address != LOCAL:
        for attempt in range(STARTS):
            check_reachable(address)
            try:
                ray.init(address=address, **common)
                return
            except (OSError, ValueError) as error:  # a ConnectionError is an OSError
                if isinstance(error, ValueError) or attempt == STARTS - 1:
                    raise _no_cluster(address, error) from error
                ray.shutdown()
    for attempt in range(STARTS):
        try:
            ray.init(
                address="local",
                num_cpus=len(os.sched_getaffinity(0)),
                include_dashboard=False,
                object_store_memory=shared_bytes,
                _temp_dir=str(scratch / f"ray{attempt}"),
                _node_ip_address="127.0.0.1",
                **common,
            )
            return
        except Exception as error:  # Ray has no class of its own for it
            ray.shutdown()
            if attempt == STARTS - 1:
                raise ClusterError(f"Ray did not start on this machine: {last_line(error)}") from error


def check_reachable(address: str) -> None:
    """See that anybody listens there, which Ray itself takes minutes to find out.

    Raises:
        ClusterError: nobody does, or it is no address.
    """
    if address in {"auto", LOCAL}:
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        raise _no_cluster(address, "not host:port")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
    except (OSError, OverflowError) as error:  # a port beyond all that there are
        raise _no_cluster(address, error) from error


def _no_cluster(address: str, error: Exception | str) -> ClusterError:
    return ClusterError(
        f"there is no Ray cluster at {address!r} ({last_line(error)}); {VARIABLE} is host:port, ray://host:port from a"
        f" machine that is none of the cluster's, 'auto' for the one that runs on this machine, {LOCAL!r} for one that"
        f" is started, or {NONE!r} for no Ray"
    )


def last_line(error: BaseException | str) -> str:
    """The last line of what an error says that is not empty; its kind where it says nothing."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
