"""The database of samples, traces, scores and jobs: SQLite (WAL) by default, or PostgreSQL."""

import logging
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import (
    BigInteger,
    Boolean,
    DateTime,
    Engine,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Text,
    create_engine,
    event,
    text,
)
from sqlalchemy.engine import Connection, make_url
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, sessionmaker
from sqlalchemy.pool import StaticPool
from sqlalchemy.types import TypeDecorator

from routescope_app.services.disk import ran_out
from routescope_app.services.engine.clients import client
from routescope_app.services.errors import Refusal

log = logging.getLogger(__name__)
MIGRATIONS = Path(__file__).parent / "migrations"
_MIGRATION_LOCK = 0x726F757465  # any constants that other users of the PostgreSQL database do not use
_EXCLUSIVE_LOCK = _MIGRATION_LOCK + 1
#: What is changed by one at a time, in whatever process: each has a lock of its own. Samples are pictures and texts.
Alone = Literal["samples", "jobs", "traces", "scores", "snapshots", "unit_sets", "users", "logins"]
_ALONE: tuple[Alone, ...] = get_args(Alone)
#: Takes about a megabyte on the disk of a PostgreSQL server for a moment.
_TAKE_ROOM = (
    "CREATE TEMPORARY TABLE room ON COMMIT DROP AS SELECT md5(number::text) FROM generate_series(1, 16000) AS number"
)
#: How PostgreSQL is connected to: a server whose machine is gone is given up after some 25 seconds.
CONNECTING = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
}
#: Seconds for which a process that stops within a transaction, as by SIGSTOP or with its machine, has its locks.
IDLE_SECONDS = 60
#: Of SQLite: pages that deleted rows left are given back when they are asked for.
_INCREMENTAL = 2
#: Pages that are given back in one transaction, and the share of all, one in so many, from which it is worth it.
PAGES_AT_ONCE, LEAST_SHARE = 500, 10


class UtcDateTime(TypeDecorator[datetime]):
    """A moment in UTC; SQLite forgets the zone, so it is put back."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> datetime | None:
        return value.astimezone(UTC) if value is not None else None

    def process_result_value(self, value: datetime | None, dialect: Any) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class OtherRevision(Refusal):
    """Another version wrote the tables, and this one cannot read them."""

    kind, title, status = "database-revision", "Database of another version", 503


class Base(DeclarativeBase):
    """All tables."""


def _client() -> str | None:
    """The client of the current request; None: the service itself, or rows from before clients were counted."""
    return client.get() or None


class SampleRow(Base):
    """An uploaded or drawn sample; its two pictures lie in the data folder under their hashes."""

    __tablename__ = "samples"

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    origin: Mapped[str] = mapped_column(String(16), index=True)
    name: Mapped[str] = mapped_column(String(400))
    label: Mapped[int | None] = mapped_column(Integer, default=None)
    width: Mapped[int] = mapped_column(Integer)
    height: Mapped[int] = mapped_column(Integer)
    picture: Mapped[str] = mapped_column(String(64), index=True)
    """SHA-256 of the re-encoded picture file."""
    image: Mapped[str] = mapped_column(String(64), index=True)
    """SHA-256 of the file with the 3 x 32 x 32 image that networks see."""
    bytes: Mapped[int] = mapped_column(BigInteger)
    created: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    owner: Mapped[str | None] = mapped_column(String(64), default=None, index=True)
    """The browser that it came from; none: everybody's."""
    account: Mapped[str | None] = mapped_column(String(64), default=_client)
    """The client whose room it takes (see `routescope_app.services.engine.clients`)."""


class PredictionRow(Base):
    """The prediction of a model for the picture of an uploaded or drawn sample, by everything that it depends on."""

    __tablename__ = "predictions"
    __table_args__ = {"sqlite_with_rowid": False}

    model: Mapped[str] = mapped_column(String(100), primary_key=True)
    revision: Mapped[str] = mapped_column(String(100), primary_key=True)
    precision: Mapped[str] = mapped_column(String(16), primary_key=True)
    """The number format that networks compute in."""
    asked: Mapped[str] = mapped_column(String(40), primary_key=True)
    """The domain whose head was asked; empty: all, of which the most certain one answers."""
    image: Mapped[str] = mapped_column(String(64), primary_key=True, index=True)
    """As ``SampleRow.image``; samples with the same image share the row."""
    label: Mapped[int] = mapped_column(Integer)
    probability: Mapped[float] = mapped_column(Float)
    domain: Mapped[str] = mapped_column(String(40))
    """Of the head that answered."""


class WrittenRow(Base):
    """A sample that somebody wrote: a text, or the numbers of a point."""

    __tablename__ = "texts"

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    name: Mapped[str] = mapped_column(String(400))
    content: Mapped[bytes] = mapped_column(LargeBinary)
    """UTF-8."""
    digest: Mapped[str] = mapped_column(String(64))
    """SHA-256 of the content."""
    created: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    owner: Mapped[str | None] = mapped_column(String(64), default=None, index=True)
    """The browser that it came from; none: everybody's."""
    account: Mapped[str | None] = mapped_column(String(64), default=_client)
    """The client whose room it takes (see `routescope_app.services.engine.clients`)."""
    inputs: Mapped[str] = mapped_column(String(40), default="text", index=True)
    """The kind of input that it is a sample of."""
    data: Mapped[str | None] = mapped_column(String(40), default=None)
    """The data set that says what is right of it; none: any of its kind does."""


class TraceRow(Base):
    """Everything needed to record a trace again, and the last use of its file in the cache."""

    __tablename__ = "traces"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    model: Mapped[str] = mapped_column(String(100))
    revision: Mapped[str] = mapped_column(String(100))
    sample: Mapped[str] = mapped_column(String(100), index=True)
    content: Mapped[str] = mapped_column(String(64))
    """SHA-256 of the sample's image as networks see it."""
    intervention: Mapped[str] = mapped_column(Text)
    fields: Mapped[str] = mapped_column(Text)
    """JSON list of field names, sorted."""
    bytes: Mapped[int] = mapped_column(BigInteger)
    """Size of the file in the cache; 0 when there is none."""
    seconds: Mapped[float] = mapped_column(Float)
    created: Mapped[datetime] = mapped_column(UtcDateTime)
    used: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


class ScoreRow(Base):
    """Per-sample scores of a model under an intervention on one data set, found by the hash of all of that."""

    __tablename__ = "scores"
    __table_args__ = (Index("ix_scores_used_bytes", "used", "bytes"),)  # sums of bytes need not read the rows

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    count: Mapped[int] = mapped_column(Integer)
    correct: Mapped[bytes] = mapped_column(LargeBinary)
    """One bit a sample."""
    loss: Mapped[bytes] = mapped_column(LargeBinary)
    """Little-endian float32."""
    predicted: Mapped[bytes] = mapped_column(LargeBinary)
    """Little-endian int16."""
    measure: Mapped[str | None] = mapped_column(String(100), default=None)
    """Its name; none: every sample is right or wrong, and `correct` says which."""
    value: Mapped[bytes | None] = mapped_column(LargeBinary, default=None)
    """Little-endian float32 in the unit of the measure, where there is one; so is the weight of each sample."""
    weight: Mapped[bytes | None] = mapped_column(LargeBinary, default=None)
    confidence: Mapped[bytes | None] = mapped_column(LargeBinary, default=None)
    """Little-endian float32; none: no label was chosen, or a version before 0015 stored the scores."""
    seconds: Mapped[float] = mapped_column(Float)
    bytes: Mapped[int] = mapped_column(BigInteger)
    used: Mapped[datetime] = mapped_column(UtcDateTime)


class JobRow(Base):
    """A job; its result is in the data folder under its id."""

    __tablename__ = "jobs"
    __table_args__ = (Index("ix_jobs_state_queued", "state", "queued"),)

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    kind: Mapped[str] = mapped_column(String(20))
    state: Mapped[str] = mapped_column(String(16))
    request: Mapped[str] = mapped_column(Text)
    """JSON, everything the result depends on."""
    done: Mapped[int] = mapped_column(BigInteger, default=0)
    total: Mapped[int] = mapped_column(BigInteger, default=0)
    what: Mapped[str] = mapped_column(Text, default="")
    seconds: Mapped[float] = mapped_column(Float, default=0.0)
    attempts: Mapped[int] = mapped_column(Integer, default=0)
    """Starts that did not end: a job that brings the process down is not tried for ever."""
    problem: Mapped[str | None] = mapped_column(Text, default=None)
    """JSON."""
    bytes: Mapped[int] = mapped_column(BigInteger, default=0)
    """Size of the result on disk."""
    created: Mapped[datetime] = mapped_column(UtcDateTime)
    queued: Mapped[datetime] = mapped_column(UtcDateTime)
    used: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    owner: Mapped[str | None] = mapped_column(String(64), default=None)
    """The browser that had it queued; none: everybody's."""
    account: Mapped[str | None] = mapped_column(String(64), default=_client)
    """The client whose room it takes (see `routescope_app.services.engine.clients`)."""
    kept: Mapped[bool] = mapped_column(Boolean, default=False)
    """Whether it goes on when nobody reads it."""
    worker: Mapped[str | None] = mapped_column(String(64), default=None)
    """The process that runs it, or did last."""
    lease: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)
    """Until when it is that process's; who runs it renews it, and what has expired is anybody's."""
    begun: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)
    """When that process took it up."""
    ended: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)
    """When a worker left it last; none: no worker has since it was queued."""
    cancelling: Mapped[str | None] = mapped_column(Text, default=None)
    """Why whoever runs it is to stop; none: nobody wants that."""
    read: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)
    """When somebody was last known to read it; none: not since it was queued."""
    askers: Mapped[int] = mapped_column(Integer, default=1)
    """How often it was asked for since it was queued, less those who gave it up."""
    owners: Mapped[str] = mapped_column(Text, default="{}")
    """JSON of who asked for it since it was queued, and who keeps it (see `routescope_app.services.jobs.askers`)."""


class SnapshotRow(Base):
    """A named view of the dashboard."""

    __tablename__ = "snapshots"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(400))
    note: Mapped[str] = mapped_column(Text, default="")
    address: Mapped[str] = mapped_column(Text)
    """Relative: the path of a page and its query."""
    owner: Mapped[str | None] = mapped_column(String(64), default=None)
    """The browser that keeps it; None: everybody."""
    account: Mapped[str | None] = mapped_column(String(64), default=_client)
    """The client whose room it takes (see `routescope_app.services.engine.clients`)."""
    created: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


class UnitSetRow(Base):
    """Units that an address names by one short id."""

    __tablename__ = "unit_sets"
    __table_args__ = (Index("ix_unit_sets_used_bytes", "used", "bytes"),)  # sums of bytes need not read the rows

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    """First digits of the SHA-256 of what is in it."""
    units: Mapped[bytes] = mapped_column(LargeBinary)
    """A JSON list of names, packed by zlib."""
    bytes: Mapped[int] = mapped_column(BigInteger)
    used: Mapped[datetime] = mapped_column(UtcDateTime)


class UnitSetKeeperRow(Base):
    """A client who holds a set of units, and whose room it takes."""

    __tablename__ = "unit_set_keepers"
    __table_args__ = {"sqlite_with_rowid": False}

    account: Mapped[str] = mapped_column(String(64), primary_key=True)
    set_id: Mapped[str] = mapped_column(
        String(16), ForeignKey("unit_sets.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    bytes: Mapped[int] = mapped_column(BigInteger)
    """Those of the set."""


class SnapshotSetRow(Base):
    """A set of units that the address of a snapshot names, whether it is stored or not."""

    __tablename__ = "snapshot_sets"

    snapshot: Mapped[str] = mapped_column(String(32), ForeignKey("snapshots.id", ondelete="CASCADE"), primary_key=True)
    set_id: Mapped[str] = mapped_column(String(16), primary_key=True, index=True)
    account: Mapped[str | None] = mapped_column(String(64), default=_client)
    """The client who wrote that address, and whose room the set takes."""


class TokenRow(Base):
    """A token of a user."""

    __tablename__ = "tokens"

    name: Mapped[str] = mapped_column(String(58), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    """SHA-256 of the token, which nobody has but the user."""
    created: Mapped[datetime] = mapped_column(UtcDateTime)


class EndedLoginRow(Base):
    """A login that was ended before it expired."""

    __tablename__ = "ended_logins"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    """SHA-256 of its cookie."""
    until: Mapped[datetime] = mapped_column(UtcDateTime)
    """When it would have expired."""


def now() -> datetime:
    return datetime.now(UTC)


class Store:
    """Connections to the database; one session per piece of work.

    Args:
        url: SQLAlchemy address.
        busy_seconds: how long to wait for another writer.
    """

    def __init__(self, url: str, busy_seconds: float = 10) -> None:
        self.engine = _engine(url, busy_seconds)
        self._full = False
        self._reading = sessionmaker(self.engine, expire_on_commit=False)
        self._writing = sessionmaker(self.engine.execution_options(writes=True), expire_on_commit=False)

    @classmethod
    def in_memory(cls) -> "Store":
        """A new database in memory, with all tables; one thread at a time may use it."""
        store = cls("sqlite://")
        Base.metadata.create_all(store.engine)
        return store

    def check(self) -> None:
        """Raise OtherRevision if this version cannot read the tables; a missing file is not created."""
        file = self.engine.url.database
        if self.shared or (file and Path(file).exists()):
            with self.engine.connect() as connection:
                _revision_of(connection, ScriptDirectory.from_config(_alembic()))

    def migrate(self) -> bool:
        """Migrate the tables to the newest revision, safely in several processes; return whether there were none.

        Raises:
            OtherRevision: another version wrote the tables, and this one cannot read them. Nothing is changed.
        """
        config = _alembic()
        scripts = ScriptDirectory.from_config(config)
        with self.engine.connect().execution_options(writes=True) as connection:
            before = _revision_of(connection, scripts)
            if before == scripts.get_current_head():
                return False
            connection.rollback()
            with connection.begin():
                _wait_for_other_migrations(connection)
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
        return before is None

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that changes nothing."""
        with self._reading() as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session that is committed at the end, or rolled back by an exception."""
        try:
            with self._writing.begin() as session:
                yield session
        except Exception as error:
            self._full = self._full or ran_out(error) is not None
            raise

    def is_full(self) -> bool:
        """Whether the disk of a PostgreSQL server is: from the first write that did not fit until there is room.

        Of SQLite ``is_low`` says so. A database that does not answer says nothing of its disk.
        """
        if self._full and self.shared:
            try:
                with self._writing.begin() as session:
                    session.execute(text(_TAKE_ROOM))
            except SQLAlchemyError as error:
                return ran_out(error) is not None
        self._full = False
        return False

    @contextmanager
    def exclusive(self, *of: Alone) -> Iterator[Session]:
        """Like ``writing``, for one holder of each name at a time, among all processes, until its commit.

        Several names are locked in one order, so that no two holders wait for each other.
        """
        with self.writing() as session:
            for number in sorted(map(_ALONE.index, of)) if self.shared else ():
                session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _EXCLUSIVE_LOCK + number})
            yield session

    @property
    def shared(self) -> bool:
        """Whether several processes may use the database at the same time, as with PostgreSQL."""
        return self.engine.dialect.name == "postgresql"

    def moment(self, session: Session) -> datetime:
        """The present moment, by a clock that all processes share."""
        if not self.shared:
            return now()
        value: datetime = session.execute(text("SELECT clock_timestamp()")).scalar_one()
        return value.astimezone(UTC)

    def shrink(self) -> bool:
        """Free some of the space of deleted rows in a SQLite file; return whether there is more. Blocking.

        PostgreSQL does so by itself.
        """
        if self.engine.dialect.name != "sqlite":
            return False
        with closing(self.engine.raw_connection()) as connection:
            cursor = connection.cursor()
            free, whole, mode = (_asked(cursor, name) for name in ("freelist_count", "page_count", "auto_vacuum"))
            if mode != _INCREMENTAL or free * LEAST_SHARE < whole:
                return False
            file = connection.driver_connection
            assert isinstance(file, sqlite3.Connection)
            file.executescript(f"PRAGMA incremental_vacuum({PAGES_AT_ONCE})")  # `execute` would free a single page
            left = _asked(cursor, "freelist_count")
            if left * LEAST_SHARE < whole:
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            return bool(left * LEAST_SHARE >= whole and left < free)

    def ping(self) -> None:
        """Query the database; raises the error of its driver if it does not answer."""
        with self.reading() as session:
            session.execute(text("SELECT 1 FROM samples LIMIT 1"))

    def size(self) -> int:
        """Bytes of the whole database, with the write-ahead log of SQLite."""
        if self.engine.dialect.name == "postgresql":
            with self.reading() as session:
                return int(session.scalar(text("SELECT pg_database_size(current_database())")) or 0)
        database = self.engine.url.database
        files = [Path(database), Path(f"{database}-wal")] if database else []
        return sum(file.stat().st_size for file in files if file.exists())

    def close(self) -> None:
        self.engine.dispose()


def _alembic() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config


def _revision_of(connection: Connection, scripts: ScriptDirectory) -> str | None:
    """Return the revision of the tables; None: there are no tables. Raises OtherRevision for one that has no script."""
    revision = MigrationContext.configure(connection).get_current_revision()
    readable = sorted(script.revision for script in scripts.walk_revisions())
    if revision is None or revision in readable:
        return revision
    why = f"The database is at revision {revision}, and this version reads {readable[0]} to {readable[-1]}"
    if revision < readable[0]:
        raise OtherRevision(f"{why}: open it once with version 0.6, which brings it to {readable[0]}.")
    raise OtherRevision(f"{why}: open it with the version that wrote it, or a newer one.")


def _wait_for_other_migrations(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})


def _asked(cursor: DBAPICursor, name: str) -> int:
    cursor.execute(f"PRAGMA {name}")
    value = cursor.fetchone()
    return 0 if value is None else int(value[0])


def _keep_a_log(cursor: sqlite3.Cursor, busy_seconds: float) -> None:
    """Write ahead to a log. While another connection changes a new file so, SQLite may say at once that it is locked,
    without the wait that it grants everything else."""
    latest = time.monotonic() + busy_seconds
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > latest:
                raise
            time.sleep(0.01)


def _engine(url: str, busy_seconds: float) -> Engine:
    if not url.startswith("sqlite"):
        engine = create_engine(url, pool_pre_ping=True, connect_args=CONNECTING)

        @event.listens_for(engine, "connect")
        def _bound(connection: Any, _record: Any) -> None:
            connection.autocommit = True
            connection.execute(f"SET idle_in_transaction_session_timeout = '{IDLE_SECONDS}s'")
            connection.autocommit = False

        return engine
    arguments: dict[str, Any] = {"timeout": busy_seconds, "check_same_thread": False}
    pool = {} if make_url(url).database else {"poolclass": StaticPool}
    engine = create_engine(url, connect_args=arguments, **pool)

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves, so that changes of tables are transactions too
        cursor = connection.cursor()
        cursor.execute("PRAGMA auto_vacuum=INCREMENTAL")  # counts for files that are new
        _keep_a_log(cursor, busy_seconds)
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")

    return engine
