"""A server of S3's protocol for a whole run of tests, and an empty bucket on it for each that asks."""

import secrets
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from s3fs import S3FileSystem

KEY, SECRET = "routescope", secrets.token_hex(16)


@pytest.fixture(scope="session")
def _buckets() -> Iterator[str]:
    """The server's address."""
    from moto.server import ThreadedMotoServer  # a second to load

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


def files_of(chosen: dict[str, Any]) -> "S3FileSystem":
    """What is in a bucket, seen by another client."""
    from s3fs import S3FileSystem

    options: dict[str, Any] = {"use_listings_cache": False, "skip_instance_cache": True}
    return S3FileSystem(key=KEY, secret=SECRET, endpoint_url=chosen["storage_endpoint"], **options)


@pytest.fixture
def bucket(_buckets: str) -> dict[str, Any]:
    """Settings of an empty bucket."""
    name = f"test-{secrets.token_hex(6)}"
    chosen = {
        "storage": f"s3://{name}/lab",
        "storage_endpoint": _buckets,
        "storage_key": KEY,
        "storage_secret": SECRET,
    }
    files_of(chosen).mkdir(name)
    return chosen
