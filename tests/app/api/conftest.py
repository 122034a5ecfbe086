"""One service for all tests of a file; a test that counts, fills or stops a service makes its own with `serving`."""

from tests.app.fixtures import shared as client  # noqa: F401
