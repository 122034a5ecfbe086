"""The one client of a Ray cluster: join or start it, start actors, run tasks, and put Ray's errors into words."""

import os
import secrets
import shutil
import socket
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import torch

from routescope import __version__

#: The environment variable that names the cluster.
VARIABLE = "ROUTESCOPE_RAY_ADDRESS"
#: Its value for no cluster.
NONE = "none"
#: Its value for a cluster of this machine alone, which is started by who uses it and stopped after that.
LOCAL = "local"

#: The least shared memory that Ray starts with.
LEAST_SHARED_BYTES = 100 * 2**20
#: Tries to start or join: Ray gives a start half a minute, which a busy machine may exceed.
STARTS = 3
#: Ray sends no usage statistics and asks no questions.
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_USAGE_STATS_PROMPT_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}
#: A cluster of this machine listens on the loopback interface only, answers only this process's token, and runs with
#: normal priority.
OF_THIS_MACHINE = {
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # one node, on every system
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": secrets.token_hex(32),  # otherwise Ray writes one into the user's home folder
    "RAY_worker_niceness": "0",
}


class ClusterError(RuntimeError):
    """The Ray cluster cannot do what it is asked; the message says what would help."""


class ActorLost(ClusterError):
    """The node or the process of an actor is gone."""


class NoRoom(ClusterError):
    """No node had room for an actor in time."""


class NoAnswer(ClusterError):
    """The cluster does not answer."""


class OtherVersion(ClusterError):
    """The nodes have another version of a library that may change results."""


def is_named(address: str | None) -> bool:
    """Return whether an address names a cluster: it is neither None, nor empty, nor ``none``."""
    return bool(address) and address != NONE


def ray_library(address: str) -> Any:
    """Return the module ``ray``, imported so that it keeps quiet; raises ClusterError if it is not installed."""
    for name, value in (QUIET | OF_THIS_MACHINE if address == LOCAL else QUIET).items():
        os.environ.setdefault(name, value)
    try:
        import ray
    except ImportError as error:
        raise ClusterError(
            f"Ray is not installed: pip install 'routescope[cluster]', or set {VARIABLE}={NONE} to run without it"
        ) from error
    return ray


def join(ray: Any, address: str, scratch: Path, shared_bytes: int = LEAST_SHARED_BYTES) -> None:
    """Join the cluster at an address, or start one of this machine.

    Args:
        ray: the module, from ``ray_library``.
        address: ``host:port``, ``ray://host:port``, ``auto`` or ``local``.
        scratch: folder for the files of a cluster of this machine. Its path must be short, because socket paths in it
            are limited to 107 characters.
        shared_bytes: shared memory of a cluster of this machine.

    Raises:
        ClusterError: no cluster answers at the address, or Ray does not start on this machine.
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
        except Exception as error:  # Ray has no error class for a failed start
            ray.shutdown()
            if attempt == STARTS - 1:
                raise ClusterError(f"Ray did not start on this machine: {last_line(error)}") from error


def check_reachable(address: str) -> None:
    """Check within seconds that something listens at an address; raises ClusterError for none, or a bad address."""
    if address in {"auto", LOCAL}:
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        raise _no_cluster(address, "not host:port")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
    except (OSError, OverflowError) as error:  # OverflowError: a port above 65535
        raise _no_cluster(address, error) from error


def _no_cluster(address: str, error: Exception | str) -> ClusterError:
    return ClusterError(
        f"there is no Ray cluster at {address!r} ({last_line(error)}); {VARIABLE} is host:port, ray://host:port from a"
        f" machine outside the cluster, 'auto' for the cluster that runs on this machine, {LOCAL!r} to start one, or"
        f" {NONE!r} to run without Ray"
    )


def last_line(error: BaseException | str) -> str:
    """Return the last non-empty line of an error's message; its class name if the message is empty."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__


def versions() -> dict[str, str]:
    """Return the versions of the libraries that decide results, by name; an actor's ``about`` contains them."""
    return {"version": __version__, "torch": torch.__version__}


def version_difference(about: Mapping[str, Any]) -> str | None:
    """Return in words which library an actor has in another version than this process; None if all are equal."""
    for key, name in (("version", "Routescope"), ("torch", "PyTorch")):
        if (here := versions()[key]) != about[key]:
            return f"the nodes of the Ray cluster have {name} {about[key]}, and this machine {here}; install the same"
    return None


class ClusterActor:
    """An actor of a cluster, whose methods take and return plain data."""

    def __init__(self, ray: Any, handle: Any) -> None:
        self._ray, self._handle = ray, handle

    def ask(self, method: str, *arguments: Any, seconds: float | None = None) -> Any:
        """Return the result of a method; blocking.

        Raises:
            ActorLost, NoAnswer: the node is gone, or the cluster does not answer.
            TimeoutError: no result in so many seconds.
        """
        with _errors_in_words(self._ray):
            return self._ray.get(getattr(self._handle, method).remote(*arguments), timeout=seconds)

    def stop(self) -> None:
        """End its process, whatever it computes."""
        self._ray.kill(self._handle)


class Cluster:
    """A Ray cluster that this process joins or starts, and leaves in the end.

    If this process is on a cluster already, that one is used, and stays joined.

    Args:
        address, shared_bytes: see ``join``.

    Raises:
        ClusterError: Ray is not installed.
    """

    def __init__(self, address: str, shared_bytes: int = LEAST_SHARED_BYTES) -> None:
        self._address, self._shared_bytes = address, shared_bytes
        self._ray = ray_library(address)
        self._scratch: Path | None = None

    def open(self) -> Self:
        """Join or start the cluster; raises ClusterError as ``join``."""
        if not self._ray.is_initialized():
            self._scratch = Path(tempfile.mkdtemp(prefix="rs-"))  # short, see ``join``
            try:
                join(self._ray, self._address, self._scratch, self._shared_bytes)
            except ClusterError:
                self.close()
                raise
        return self

    def close(self) -> None:
        """Leave the cluster, and stop it if this process started it."""
        if self._scratch is not None:
            self._ray.shutdown()
            shutil.rmtree(self._scratch, ignore_errors=True)
            self._scratch = None

    def __enter__(self) -> Self:
        return self.open()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def start_actor(
        self,
        kind: type[Any],
        argument: str,
        processors: int,
        gpus: float,
        calls_at_once: int = 1,
        seconds: float | None = None,
    ) -> ClusterActor:
        """Start an actor on a node that has room, and check the versions of its libraries; blocking.

        Args:
            kind: class of the actor, with a method ``about`` that contains ``versions``.
            argument: of its constructor.
            gpus: how many GPUs it gets, or which share of one.
            seconds: how long to wait for room; None: until there is room.

        Raises:
            NoRoom, OtherVersion, ActorLost, NoAnswer.
        """
        options = {"num_cpus": processors, "num_gpus": gpus, "max_restarts": 0, "max_concurrency": calls_at_once}
        with _errors_in_words(self._ray):
            handle = self._ray.remote(**options, scheduling_strategy="SPREAD")(kind).remote(argument)
        actor = ClusterActor(self._ray, handle)
        try:
            difference = version_difference(actor.ask("about", seconds=seconds))
        except TimeoutError as error:
            actor.stop()
            room = f"{processors} processor" + ("s" if processors > 1 else "")
            raise NoRoom(f"no node of the Ray cluster had {room} free in {seconds:g} s") from error
        if difference is not None:
            actor.stop()
            raise OtherVersion(difference)
        return actor

    def processors(self) -> int:
        """Return how many processors the nodes have, busy or free.

        Raises:
            NoAnswer: the cluster does not answer.
        """
        with _errors_in_words(self._ray):
            return int(self._ray.cluster_resources().get("CPU", 0))

    def run_tasks(
        self, function: Callable[[Any, Any], Any], arguments: Sequence[Any], shared: Any, processors: int
    ) -> Iterator[tuple[int, Any]]:
        """Run ``function(argument, shared)`` for each argument on the nodes; yield each result when it is ready.

        A task whose node is lost runs again on another node. Tasks that are left when the iteration ends are cancelled.

        Args:
            shared: data of all tasks, sent once.

        Yields:
            The position of the argument, and the result.

        Raises:
            ClusterError: a task failed, or the cluster does not answer.
        """
        with _errors_in_words(self._ray):
            remote, sent = self._ray.remote(num_cpus=processors)(function), self._ray.put(shared)
            waiting = {remote.remote(argument, sent): index for index, argument in enumerate(arguments)}
        try:
            while waiting:
                with _errors_in_words(self._ray):
                    (ready,), _ = self._ray.wait(list(waiting), num_returns=1)
                    result = self._ray.get(ready)
                yield waiting.pop(ready), result
        finally:
            with suppress(ConnectionError, self._ray.exceptions.RayError):  # a cluster that is gone runs no tasks
                for reference in waiting:
                    self._ray.cancel(reference, force=True)


@contextmanager
def _errors_in_words(ray: Any) -> Iterator[None]:
    """Raise Ray's errors as those of this module; TimeoutError stays."""
    errors = ray.exceptions
    try:
        yield
    except errors.GetTimeoutError as error:
        raise TimeoutError(last_line(error)) from error
    except errors.RayActorError as error:
        raise ActorLost(last_line(error)) from error
    except errors.RayTaskError as error:
        raise ClusterError(f"a task failed on a node of the Ray cluster: {last_line(error)}") from error
    except (ConnectionError, errors.RayError) as error:
        raise NoAnswer(f"the Ray cluster does not answer ({last_line(error)})") from error
