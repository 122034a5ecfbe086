"""Start Ray clusters on this machine, node by node."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from routescope.training.cluster import ray_library

SHARED_BYTES = 100 * 2**20


@contextmanager
def joined_cluster(head_processors: int, nodes: int, **environment: str) -> Iterator[Any]:
    """Start a head and nodes of one processor each at normal priority, join them, and yield the cluster."""
    ray = ray_library("auto")
    from ray.cluster_utils import Cluster

    head = {"num_cpus": head_processors, "include_dashboard": False, "object_store_memory": SHARED_BYTES}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"RAY_worker_niceness": "0", **environment}.items():
            patch.setenv(name, value)
        made = Cluster(initialize_head=True, head_node_args=head)
        try:
            for _ in range(nodes):
                made.add_node(num_cpus=1, object_store_memory=SHARED_BYTES)
            ray.init(address=made.address, log_to_driver=False, logging_level="ERROR")
            yield made
        finally:
            ray.shutdown()
            made.shutdown()
