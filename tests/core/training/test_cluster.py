"""Addresses of clusters, and Ray's errors in words; experiments, sweeps and the service test real clusters."""

import socket
from pathlib import Path

import pytest

from routescope.training.cluster import ClusterError, check_reachable, is_named, join, last_line


@pytest.mark.parametrize(("address", "named"), [(None, False), ("", False), ("none", False), ("auto", True)])
def test_none_is_no_cluster(address: str | None, named: bool) -> None:
    assert is_named(address) is named


def test_somebody_who_listens_is_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        check_reachable(f"127.0.0.1:{port}")
        check_reachable(f"ray://127.0.0.1:{port}")
    with pytest.raises(ClusterError, match="there is no Ray cluster at"):
        check_reachable(f"127.0.0.1:{port}")


@pytest.mark.parametrize("address", ["head", "head:", ":6379", "head:port"])
def test_what_is_no_address_is_told(address: str) -> None:
    with pytest.raises(ClusterError, match="not host:port"):
        check_reachable(address)


@pytest.mark.parametrize("address", ["127.0.0.1:1", "somewhere", "ray://127.0.0.1:1"])
def test_joining_an_address_without_a_cluster_fails_before_ray_is_used(address: str, tmp_path: Path) -> None:
    with pytest.raises(ClusterError, match=f"there is no Ray cluster at '{address}'.*'auto'.*'local'.*'none'"):
        join(None, address, tmp_path)


def test_of_an_error_the_last_line_that_says_something_is_kept() -> None:
    assert last_line(ValueError("one\n two \n\n")) == "two"
    assert last_line(ValueError()) == "ValueError"
