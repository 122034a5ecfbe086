"""Ended logins are kept in the database until they would have expired."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from routescope_app.services.logins import KEPT, LATEST, EndedLogins
from routescope_app.services.store import Store

A, B = "a" * 64, "b" * 64


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    sqlite = request.param == "sqlite"
    made = Store(f"sqlite:///{tmp_path / 'test.db'}" if sqlite else request.getfixturevalue("postgresql"))
    made.migrate()
    yield made
    made.close()


def test_they_are_forgotten_after_they_would_have_expired(store: Store) -> None:
    ended, present = EndedLogins(store), int(time.time())
    ended.end({A: present + 60})
    ended.end({A: present + 60, B: present - int(KEPT.total_seconds()) + 60})
    assert ended.digests() == {A, B}, "clocks of machines differ"
    ended.end({B: present - int(KEPT.total_seconds()) - 60})
    ended.sweep()
    assert ended.digests() == {A}
    ended.end({B: LATEST * 10**9})
    assert ended.digests() == {A, B}
