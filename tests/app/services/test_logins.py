"""Logins that were ended: in the database, in the file of an earlier version, and forgotten once they would be over."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from routescope_app.services.logins import FILE, KEPT, LATEST, LOCK, EndedLogins
from routescope_app.services.store import Store

A, B = "a" * 64, "b" * 64
DAY = 24 * 3600


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


def test_the_file_of_an_earlier_version_is_taken_over(store: Store, tmp_path: Path) -> None:
    ended, until = EndedLogins(store), int(time.time()) + DAY
    ended.take_over(tmp_path)
    (tmp_path / FILE).write_text(json.dumps({A: until, B: 5, "c": until}))
    (tmp_path / LOCK).touch()
    ended.end({A: until})
    ended.take_over(tmp_path)
    assert A in ended.digests() and "c" not in ended.digests()
    assert not (tmp_path / FILE).exists() and not (tmp_path / LOCK).exists()
    ended.take_over(tmp_path)
    assert A in ended.digests()


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"a": "b"}', b"\xff", b'{"a": 1e999}'])
def test_a_file_that_is_damaged(tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture) -> None:
    store = Store(f"sqlite:///{tmp_path / 'test.db'}")
    store.migrate()
    (tmp_path / FILE).write_bytes(content)
    EndedLogins(store).take_over(tmp_path)
    assert "is damaged" in caplog.text and not (tmp_path / FILE).exists()
    assert EndedLogins(store).digests() == frozenset()
    store.close()


def test_a_file_that_cannot_be_opened_stays(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = Store(f"sqlite:///{tmp_path / 'test.db'}")
    store.migrate()
    (tmp_path / FILE).mkdir()
    EndedLogins(store).take_over(tmp_path)
    assert "cannot be read" in caplog.text and (tmp_path / FILE).exists()
    store.close()
