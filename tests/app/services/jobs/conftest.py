"""A PostgreSQL database for tests of jobs that several processes share."""

from tests.databases import _postgresql, postgresql, shared_postgresql  # noqa: F401
