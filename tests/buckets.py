"""A server of S3's protocol for a whole run of tests, and an empty bucket on it for each that asks."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpx
import pytest

if TYPE_CHECKING:
    from s3fs import S3FileSystem

KEY, SECRET = "routescope", secrets.token_hex(16)


@contextmanager
def bucket_server(port: int = 0) -> Iterator[str]:
    """The address of a server on 127.0.0.1 that answers; all of one process have the same buckets."""
    from moto.server import ThreadedMotoServer  # a second to load

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=port, verbose=False)
    server.start()
    try:
        address = "http://{}:{}".format(*server.get_host_and_port())
        httpx.get(address, timeout=60)  # on a busy machine its first answer takes seconds, which no client waits
        yield address
    finally:
        server.stop()


@pytest.fixture(scope="session")
def _buckets() -> Iterator[str]:
    with bucket_server() as address:
        yield address


def files_of(chosen: dict[str, Any]) -> "S3FileSystem":
    """What is in a bucket, seen by another client."""
    from s3fs import S3FileSystem

    options: dict[str, Any] = {"use_listings_cache": False, "skip_instance_cache": True}
    return S3FileSystem(key=KEY, secret=SECRET, endpoint_url=chosen["storage_endpoint"], **options)


@pytest.fixture
def bucket(_buckets: str) -> dict[str, Any]:
    """Settings of an empty bucket."""
    return new_bucket(_buckets)


def new_bucket(address: str) -> dict[str, Any]:
    """Settings of an empty bucket on the server of that address."""
    name = f"test-{secrets.token_hex(6)}"
    httpx.put(f"{address}/{name}", timeout=60).raise_for_status()
    keys = {"storage_key": KEY, "storage_secret": SECRET}
    return {"storage": f"s3://{name}/lab", "storage_endpoint": address} | keys
