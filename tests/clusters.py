"""Start Ray clusters on this machine, node by node."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from routescope.training.cluster import ray_library

SHARED_BYTES = 100 * 2**20
STARTS = 3


@contextmanager
def joined_cluster(head_processors: int, nodes: int, **environment: str) -> Iterator[Any]:
    """Start a head and nodes of one processor each at normal priority, join them, and yield the cluster."""
    ray = ray_library("auto")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"RAY_worker_niceness": "0", **environment}.items():
            patch.setenv(name, value)
        made = started(head_processors, nodes)
        try:
            ray.init(address=made.address, log_to_driver=False, logging_level="ERROR")
            yield made
        finally:
            ray.shutdown()
            made.shutdown()


@contextmanager
def prioritised() -> Iterator[None]:
    """Give the processes that this thread starts priority, where it may."""
    try:
        os.nice(-15)
    except PermissionError:
        yield
        return
    try:
        yield
    finally:
        os.nice(15)


def started(head_processors: int, nodes: int) -> Any:
    """Return a cluster whose nodes have started.

    A node ends itself if its agent has not started within 15 s, a constant of Ray 2.60, however busy the machine is. So
    a start is tried three times.
    """
    from ray.cluster_utils import Cluster

    head = {"num_cpus": head_processors, "include_dashboard": False, "object_store_memory": SHARED_BYTES}
    for attempt in range(STARTS):
        made = Cluster(initialize_head=False)
        try:
            with prioritised():
                made.add_node(**head)
                for _ in range(nodes):
                    made.add_node(num_cpus=1, object_store_memory=SHARED_BYTES)
            return made
        except Exception:  # Ray raises no narrower one: "The current node timed out during startup"
            made.shutdown()
            if attempt == STARTS - 1:
                raise
    raise AssertionError("unreachable")
