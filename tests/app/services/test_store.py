"""The database: migrations, transactions, several processes."""

import re
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import delete, select, text

from routescope_app.main import in_use
from routescope_app.services import store as database
from routescope_app.services.container import Services
from routescope_app.services.store import (
    MIGRATIONS,
    Base,
    OtherRevision,
    SampleRow,
    SnapshotSetRow,
    Store,
    UnitSetKeeperRow,
)
from tests.app.serving import settings


def make_store(folder: Path) -> Store:
    store = Store(f"sqlite:///{folder / 'test.db'}")
    store.migrate()
    return store


def row(name: str = "one", identity: str = "a" * 32) -> SampleRow:
    return SampleRow(
        id=identity, origin="upload", name=name, label=None, width=3, height=4, picture="0" * 64, image="1" * 64,
        bytes=7, created=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
    )  # fmt: skip


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_migrations_make_what_the_models_say(database: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Once: migrating again changes nothing."""
    url = f"sqlite:///{tmp_path / 'test.db'}" if database == "sqlite" else request.getfixturevalue("postgresql")
    store = Store(url)
    store.migrate()
    with store.writing() as session:
        session.add(row())
    store.migrate()
    with store.reading() as session:
        assert session.get_one(SampleRow, "a" * 32).created == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []
        if database == "sqlite":
            assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"


@pytest.mark.parametrize(("revision", "advice"), [("0002", "open it once with"), ("0099", "open it with the")])
def test_a_database_of_another_version_is_refused_and_not_changed(tmp_path: Path, revision: str, advice: str) -> None:
    """By the command that serves, before a start, and by every other that opens the database."""
    sentence = f"The database is at revision {revision}, and this version reads 0012 to 0015: {advice}"
    chosen = settings(tmp_path)
    assert in_use(chosen) is None and not (tmp_path / "routescope.db").exists()
    store = Store(chosen.database)
    store.migrate()
    assert in_use(chosen) is None
    with store.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})
        session.execute(text("DROP TABLE tokens"))
    with store.engine.connect() as connection:
        before = list(connection.connection.driver_connection.iterdump())  # type: ignore[union-attr]
        assert str(in_use(chosen)).startswith(sentence)
        for refused in (store.check, store.migrate, lambda: Services(chosen)._open()):
            with pytest.raises(OtherRevision, match=re.escape(sentence)):
                refused()
        assert list(connection.connection.driver_connection.iterdump()) == before  # type: ignore[union-attr]
    store.close()


def test_sets_of_units_of_an_earlier_database_are_kept_by_who_brought_or_named_them(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'test.db'}")
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    moment, named = "2026-01-02 03:04:05", ["0" * 15 + digit for digit in "abcd"]
    with store.engine.connect().execution_options(writes=True) as connection, connection.begin():
        config.attributes["connection"] = connection
        command.upgrade(config, "0013")
        for set_id, account in zip(named[:3], ("anna", None, None), strict=True):
            connection.exec_driver_sql(
                "INSERT INTO unit_sets (id, units, bytes, used, account) VALUES (?, ?, 9, ?, ?)",
                (set_id, b"", moment, account),
            )
        address = f"/drop?units=set%3A{named[0]},set:{named[1]},set:{named[3]}"
        for account in ("ben", None):
            connection.exec_driver_sql(
                "INSERT INTO snapshots (id, name, note, address, account, created) VALUES (?, '', '', ?, ?, ?)",
                (f"of {account}", address, account, moment),
            )
    store.migrate()
    with store.reading() as session:
        keepers = {(row.account, row.set_id) for row in session.scalars(select(UnitSetKeeperRow))}
        assert keepers == {("anna", named[0]), ("ben", named[0]), ("ben", named[1])}
        names = {(row.snapshot, row.set_id, row.account) for row in session.scalars(select(SnapshotSetRow))}
    kept = (named[0], named[1], named[3])
    assert names == {(f"of {account}", set_id, account) for account in ("ben", None) for set_id in kept}


def together(count: int, work: Callable[[], object]) -> None:
    """Do the work in so many threads, and raise their errors."""
    with ThreadPoolExecutor(count) as threads:
        for done in [threads.submit(work) for _ in range(count)]:
            done.result()


def test_many_may_migrate_at_once(tmp_path: Path) -> None:
    together(6, lambda: make_store(tmp_path).close())


class Locked:
    """A cursor of a file that says so many times that it is locked."""

    def __init__(self, times: int) -> None:
        self.left, self.asked = times, 0

    def execute(self, _: str) -> None:
        self.asked += 1
        if self.left:
            self.left -= 1
            raise sqlite3.OperationalError("database is locked")


def test_a_file_that_says_at_once_that_it_is_locked_is_asked_again() -> None:
    cursor = Locked(3)
    database._keep_a_log(cursor, 10)  # type: ignore[arg-type]
    assert cursor.asked == 4
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        database._keep_a_log(Locked(1_000_000), 0.05)  # type: ignore[arg-type]


def test_a_failed_migration_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def half(config: Config, revision: str) -> None:
        config.attributes["connection"].exec_driver_sql("CREATE TABLE half (x INTEGER)")
        raise RuntimeError("power lost")

    monkeypatch.setattr(command, "upgrade", half)
    with pytest.raises(RuntimeError):
        make_store(tmp_path)
    with sqlite3.connect(tmp_path / "test.db") as connection:
        assert connection.execute("SELECT name FROM sqlite_master WHERE name = 'half'").fetchall() == []


def test_an_exception_takes_everything_back(tmp_path: Path) -> None:
    store = make_store(tmp_path)
    with pytest.raises(RuntimeError), store.writing() as session:
        session.add(row())
        session.flush()
        raise RuntimeError
    with store.reading() as session:
        assert session.get(SampleRow, "a" * 32) is None


def test_writers_wait_for_each_other(tmp_path: Path) -> None:
    """Read, then write: without an immediate transaction some of these would fail as locked or lose a count."""
    store = make_store(tmp_path)
    with store.writing() as session:
        session.add(row("0"))

    def count() -> None:
        for _ in range(10):
            with store.writing() as session:
                result = session.get_one(SampleRow, "a" * 32)
                result.name = str(int(result.name) + 1)

    together(5, count)
    with store.reading() as session:
        assert session.get_one(SampleRow, "a" * 32).name == "50"


def test_the_file_shrinks_after_deletes(tmp_path: Path) -> None:
    """In steps, between which others write."""
    store = make_store(tmp_path)
    with store.writing() as session:
        session.add_all(row("x" * 40_000, f"{number:032x}") for number in range(100))
    full = store.size()
    assert not store.shrink() and store.size() >= full > 4_000_000
    with store.writing() as session:
        session.execute(delete(SampleRow))
    steps = 0
    while store.shrink():
        steps += 1
        with store.writing() as session:
            session.merge(row("kept"))
    assert 1 <= steps <= 4, "each step gives back many pages"
    assert store.size() < full / 8
    with store.reading() as session:
        assert session.get(SampleRow, "a" * 32) is not None
    store.close()
    assert sum(path.stat().st_size for path in tmp_path.glob("test.db*")) < full / 8
