"""One PostgreSQL server per worker, and an empty database in it for each test or module."""

import os
import secrets
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import psycopg
import pytest

from tests.deploy.stack import free_port, start_postgres

USER, PASSWORD = "routescope", secrets.token_hex(16)
PATIENCE = 60.0


@contextmanager
def postgresql_server() -> Iterator[int]:
    """Start a PostgreSQL server on 127.0.0.1 and yield its port."""
    folder = Path(tempfile.mkdtemp(prefix="routescope-postgresql-", dir=os.environ.get("PYTEST_DEBUG_TEMPROOT")))
    folder.chmod(0o755)
    (folder / "server").mkdir()
    port = free_port()
    asked = {"environment": {"POSTGRES_USER": USER, "POSTGRES_PASSWORD": PASSWORD}}
    process = start_postgres(asked, port, folder / "server", folder / "log")
    try:
        deadline = time.monotonic() + PATIENCE
        while True:
            with suppress(psycopg.OperationalError):
                _connected(port).close()
                break
            assert process.poll() is None and time.monotonic() < deadline, (folder / "log").read_text()
            time.sleep(0.05)
        yield port
    finally:
        process.send_signal(signal.SIGINT)  # fast shutdown: open connections of tests are closed
        process.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


def _connected(port: int) -> psycopg.Connection:
    address = f"host=127.0.0.1 port={port} user={USER} dbname=postgres"
    return psycopg.connect(address, password=PASSWORD, autocommit=True)


@pytest.fixture(scope="session")
def _postgresql() -> Iterator[int]:
    with postgresql_server() as port:
        yield port


@pytest.fixture
def postgresql(_postgresql: int) -> str:
    """Address of an empty database for one test."""
    return new_database(_postgresql)


@pytest.fixture(scope="module")
def shared_postgresql(_postgresql: int) -> str:
    """Address of a database for all tests of a module."""
    return new_database(_postgresql)


def new_database(port: int) -> str:
    """Create an empty database on the server at `port` and return its address."""
    name = f"test_{secrets.token_hex(6)}"
    with closing(_connected(port)) as connection:
        connection.execute(f"create database {name}".encode())
    return f"postgresql://{USER}:{PASSWORD}@127.0.0.1:{port}/{name}"
