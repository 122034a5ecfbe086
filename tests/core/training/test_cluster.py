"""Which addresses stand for a cluster, and whether anybody is there; joining is tested where it is used."""

import socket

import pytest

from routescope.training.cluster import ClusterError, check_reachable, is_named, last_line


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


def test_of_an_error_the_last_line_that_says_something_is_kept() -> None:
    assert last_line(ValueError("one\n two \n\n")) == "two"
    assert last_line(ValueError()) == "ValueError"
