"""Uploaded and recorded routing logs: streamed to disk, read in confined processes, and stored as parquet."""

import asyncio
import json
import secrets
import shutil
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from routescope.data import DataError, load
from routescope.routing import InterventionError
from routescope.routing.compare import Comparison, compare, record_log
from routescope.routing.logs import LogError, Reading, RoutingLog, read_log
from routescope.routing.logs.facts import facts_of
from routescope.routing.logs.parquet import write_parquet
from routescope_app.services.confined.pool import ConfinedPool, Ended, Leaving, MemoryFull, PoolWork
from routescope_app.services.disk import check_disk
from routescope_app.services.engine.clients import client
from routescope_app.services.engine.in_thread import in_thread
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.single_flight import SingleFlight
from routescope_app.services.engine.threads import Priority
from routescope_app.services.errors import NotAccepted, NotFound, NotYours, TooLarge, sentence
from routescope_app.services.folders import resolve_within
from routescope_app.services.interventions import ReadIntervention
from routescope_app.services.logs import parts
from routescope_app.services.owners import may_change, whose
from routescope_app.services.room import Limit, LimitUse, check_room
from routescope_app.services.samples.names import clean_name, name_of_file
from routescope_app.services.storage.storage import Storage, StorageUnreachable, StoredObject
from routescope_app.services.store import now
from routescope_app.settings import MEBIBYTE, Settings

#: Numbers in one answer about a routing log, about 1 MB; more are fetched by pages.
MAX_VALUES = 125_000
#: Memory that one routing log may take packed: two bytes for each expert of a token at a layer, two for its weight.
MAX_PACKED_BYTES = 512 * MEBIBYTE
#: Memory of a process that reads a routing log; a log takes up to four times its packed size while it is read.
READING_BYTES = 2048 * MEBIBYTE
#: Processor seconds that one routing log may take to be read, and a quarter of all seconds.
READING_SECONDS = 120
#: Bytes of memory that a process may have had and still wait for the next log; it keeps what it had.
_KEPT = 300 * MEBIBYTE
#: Logs that wait for each process.
_WAITING = 8
#: Seconds of the processor that every log may take, and the MiB of a file that allow one more second.
_LEAST_SECONDS, _MIB_A_SECOND = 10, 1
#: Seconds that a log may take for each one of the processor: the machine may be busy.
_WALL = 4
#: Threads of libraries would take memory, and the processor from other requests.
_ENVIRONMENT = (("ARROW_DEFAULT_MEMORY_POOL", "system"), ("OPENBLAS_NUM_THREADS", "1"), ("OMP_NUM_THREADS", "1"))


def request(path: Path, output: Path, name: str, reading: Reading) -> dict[str, Any]:
    """Return the head of a request.

    Args:
        path: of the file that was sent.
        output: where its log is written as parquet.
        name: of the file, for people.
        reading: what the log does not say.
    """
    options = {
        "top_k": reading.top_k, "layers": reading.layers, "experts": reading.experts, "limit": reading.limit,
        "start": reading.start, "ranks": reading.ranks, "growth": reading.growth,
    }  # fmt: skip
    return {"path": str(path), "output": str(output), "name": name, "reading": options}


class ReadingPool(ConfinedPool):
    """Reads uploaded routing logs."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(
            PoolWork(
                module="routescope_app.services.logs.reading_process",
                name="routing logs",
                doing="be read",
                memory=READING_BYTES,
                processes=settings.concurrency,
                waiting=_WAITING * settings.concurrency,
                kept=_KEPT,
                environment=_ENVIRONMENT,
            )
        )

    def seconds(self, size: int) -> int:
        """Return how many seconds of the processor a file of ``size`` bytes may take."""
        return min(READING_SECONDS, _LEAST_SECONDS + size // (_MIB_A_SECOND * MEBIBYTE))

    async def read(self, path: Path, output: Path, name: str, reading: Reading) -> dict[str, Any]:
        """Write the log of a file as parquet; return its facts (``routescope.routing.logs.facts``).

        Args:
            name: of the file, for people.
            reading: what the log does not say; its limit is ``MAX_PACKED_BYTES``.

        Raises:
            NotAccepted: no log, a damaged one, or one that takes too long. TooLarge: it takes too much memory.
            Busy: too many wait, or no process could be started. OSError: no room on the disk.
        """
        leaving = Leaving()
        asked = request(path, output, name, replace(reading, limit=MAX_PACKED_BYTES))

        def work() -> dict[str, Any]:
            seconds = self.seconds(path.stat().st_size)
            try:
                answer, _ = self.ask(asked, b"", seconds, _WALL * seconds, leaving)
            except MemoryFull:
                raise TooLarge(
                    "The log takes more memory to read than one may "
                    f"({READING_BYTES // MEBIBYTE:,} MiB); split it into smaller logs."
                ) from None
            except Ended as end:
                raise NotAccepted(
                    f"The log takes too long to read: one of its size may take {seconds} seconds. Split it, or save it "
                    "as npz or safetensors."
                    if end.late
                    else "The log cannot be read; it is damaged, or made to end its reader."
                ) from None
            facts: dict[str, Any] = answer["facts"]
            return facts

        return await self.run(work, leaving)


T = TypeVar("T")
#: What keys of logs begin with, and end with.
PLACE, PARQUET, JSON = "logs", ".parquet", ".json"
GONE = "This routing log is no longer there."
#: Bytes that are written at once.
_PIECE = 4 * MEBIBYTE
#: Logs of which it is kept how their tokens spread over experts.
_LOADS = 8
#: Numbers of an expert there: load, weight, and its share of the log with its interval.
_OF_LOAD = 5
#: Numbers that an expert of a token takes the room of, with its name and its share.
_OF_CHOICE = 8


@dataclass(frozen=True)
class StoredLog:
    """A stored log.

    Attributes:
        bytes: of its parquet file.
        facts: see ``routescope.routing.logs.facts``.
        account: the client whose room it takes (see ``routescope_app.services.engine.clients``).
    """

    id: str
    name: str
    created: datetime
    owner: str | None
    bytes: int
    facts: dict[str, Any]
    account: str | None = None


@dataclass(frozen=True)
class Recording:
    """Settings of the recording of a model's log.

    Attributes:
        drop, mute: names of units, rules such as ``l3.*``, or stored sets.
        texts: number from each of its data sets, the first of the validation split.
        top_k: experts that a token takes; None: as in training.
    """

    model: str
    precision: str | None
    drop: Sequence[str]
    mute: Sequence[str]
    texts: int
    top_k: int | None = None


class Logs:
    """Logs in the storage, each a parquet file and a JSON file; those without an owner are everybody's.

    Attributes:
        reading: reads uploads, in processes.

    Args:
        storage: of the logs; uploads are written to the data folder first.
        intervention: reads an intervention for a model (``Measuring.intervention``); blocking.
    """

    def __init__(
        self, settings: Settings, inference: Inference, intervention: ReadIntervention, storage: Storage
    ) -> None:
        self._storage = storage
        self._known: dict[StoredObject, StoredLog] = {}
        self._settings = settings
        self._inference = inference
        self._intervention = intervention
        self._folder = settings.data_dir / PLACE
        self.reading = ReadingPool(settings)
        self._opened = asyncio.Semaphore(settings.concurrency)
        self._lines = WeakValueDictionary[str, asyncio.Lock]()
        self._taking_in = threading.Lock()
        self._held = SingleFlight[str, RoutingLog](settings.memory_of("logs"), lambda log: log.nbytes, "logs")
        self._compared = SingleFlight[tuple[str, str], Comparison](
            settings.memory_of("comparisons"), lambda comparison: comparison.nbytes, "comparisons"
        )
        self._loads = SingleFlight[str, dict[str, Any]](_LOADS)

    # -- taking in ---------------------------------------------------------------------------------------------

    async def add(
        self, chunks: AsyncIterator[bytes], file_name: str | None, reading: Reading, owner: str | None
    ) -> StoredLog:
        """Write an upload to disk, read it, and store its log; the upload is deleted afterwards.

        Args:
            reading: what the log does not say; its limit is that of the settings.

        Raises:
            TooLarge: too many bytes, on disk or in memory.
            NotAccepted: no log, a damaged one, or one that takes too long to read.
            Busy: too many logs wait to be read.
            StoreFull, QuotaReached: no room for another log, in all or of this client.
        """
        await asyncio.to_thread(self._check_room)
        self._folder.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix="incoming-", dir=self._folder))
        name = name_of_file(file_name)
        try:
            await self._receive(chunks, folder / "log")
            facts = await self.reading.read(folder / "log", folder / "packed", name, reading)
            return await asyncio.to_thread(self._keep, folder / "packed", name, facts, owner)
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, True)

    async def _receive(self, chunks: AsyncIterator[bytes], path: Path) -> None:
        most, size, held = self._settings.max_log_bytes, 0, bytearray()
        with path.open("wb") as file:
            async for chunk in chunks:
                size += len(chunk)
                if size > most:
                    raise TooLarge(f"The log is too large; up to {most / MEBIBYTE:.3g} MiB are accepted.")
                held += chunk
                if len(held) >= _PIECE:
                    await asyncio.to_thread(file.write, bytes(held))
                    held.clear()
            await asyncio.to_thread(file.write, bytes(held))

    def _store(self, log: RoutingLog, name: str, owner: str | None) -> StoredLog:
        """Store a log that was recorded here."""
        log = replace(log, source=replace(log.source, file=name))
        self._folder.mkdir(parents=True, exist_ok=True)
        path = resolve_within(self._folder, secrets.token_hex(16) + ".partial")
        try:
            write_parquet(log, path)
            return self._keep(path, name, facts_of(log), owner)
        finally:
            path.unlink(missing_ok=True)

    def _keep(self, path: Path, name: str, facts: dict[str, Any], owner: str | None) -> StoredLog:
        """Store a parquet file and the facts of its log."""
        identity, size = secrets.token_hex(16), path.stat().st_size
        kept = StoredLog(identity, name, now(), owner, size, facts, client.get() or None)
        content = json.dumps(asdict(kept) | {"created": kept.created.isoformat()}).encode()
        with self._taking_in:
            self._check_room(size)
            self._storage.put_file(_key(identity, PARQUET), path)
            try:
                self._storage.put(_key(identity, JSON), content)
            except BaseException:
                with suppress(StorageUnreachable):
                    self._storage.remove(_key(identity, PARQUET))
                raise
        return kept

    def _check_room(self, size: int = 1) -> None:
        settings = self._settings
        check_disk(settings)
        sizes = [entry.bytes for entry in self._entries(PARQUET)]
        mine = [log.bytes for log in self._every() if (log.account or log.owner) == client.get()]
        check_room(settings, Limit("routing logs", settings.max_logs), LimitUse(len(sizes), len(mine)))
        kept = Limit("routing logs", settings.disk_of("logs"), sized=True)
        check_room(settings, kept, LimitUse(sum(sizes), sum(mine)), size)

    # -- recording ---------------------------------------------------------------------------------------------

    async def record(self, asked: Recording, owner: str | None) -> StoredLog:
        """Record the routing of a model on bundled texts, in a precision.

        Raises:
            NotFound: no such model. NotAccepted: it is no mixture of experts, or the options do not fit it.
            StoreFull, QuotaReached: no room for another log, in all or of this client.
        """
        info = await asyncio.to_thread(self._inference.info, asked.model)
        most = self._settings.max_measured_samples // max(len(info.domains), 1)
        if asked.texts > most:
            raise NotAccepted(f"A log of {info.id} has up to {most} texts of each data set.")
        await asyncio.to_thread(self._check_room)
        change = {"drop": asked.drop, "mute": asked.mute, "top_k": asked.top_k}
        intervention = await asyncio.to_thread(self._intervention, info, change)

        def work() -> RoutingLog:
            network = self._inference.model(info)
            try:
                sets = [load(domain, "validation", limit=asked.texts) for domain in info.domains]
                return record_log(network, sets, intervention, asked.precision).log
            except (InterventionError, DataError) as error:
                raise NotAccepted(sentence(error)) from error

        log = await self._inference.run(work, priority=Priority.TRACE)
        changed = (("dropped", asked.drop), ("muted", asked.mute))
        parts = [log.source.version, *(f"{word} {', '.join(units)}" for word, units in changed if units)]
        parts += [] if asked.top_k is None else [f"{asked.top_k} a token"]
        name = clean_name(", ".join(parts))
        return await asyncio.to_thread(self._store, log, name, owner)

    # -- asking ------------------------------------------------------------------------------------------------

    def find(self, caller: str | None, offset: int, limit: int) -> tuple[Sequence[StoredLog], int]:
        """Logs of the caller and of everybody, newest first, and their number."""
        seen = [log for log in self._every() if whose(log.owner, caller) != "another"]
        seen.sort(key=lambda log: (log.created, log.id), reverse=True)
        return seen[offset : offset + limit], len(seen)

    def _every(self) -> list[StoredLog]:
        """All stored logs; the facts of each are read once."""
        entries = self._entries(JSON)
        logs = {entry: log for entry in entries if (log := self._known.get(entry) or self._read_facts(entry.key))}
        self._known = logs
        return list(logs.values())

    def get(self, log_id: str) -> StoredLog:
        """A log, of any owner; raises NotFound."""
        log = self._read_facts(_key(log_id, JSON))
        if log is None:
            raise NotFound("There is no such routing log; it may have been deleted.")
        return log

    def delete(self, log_id: str, caller: str | None) -> None:
        """Delete a log; raises NotFound or NotYours."""
        if not may_change(self.get(log_id).owner, caller):
            raise NotYours("This log was brought in another browser or by another user, who alone can delete it.")
        self._storage.remove(_key(log_id, JSON))
        with suppress(StorageUnreachable):  # it is gone, and no list has it
            self._storage.remove(_key(log_id, PARQUET))
        self._held.kept.remove(log_id)
        self._loads.kept.remove(log_id)
        self._compared.kept.remove_where(lambda pair: log_id in pair)

    def file(self, log_id: str) -> Path:
        """The path of its parquet file; raises NotFound."""
        self.get(log_id)
        try:
            return self._storage.local(_key(log_id, PARQUET))
        except FileNotFoundError as error:
            raise NotFound(GONE) from error

    async def log(self, log_id: str) -> RoutingLog:
        """The content of a log, from memory or read; raises NotFound."""
        await asyncio.to_thread(self.get, log_id)
        return await self._held.find(log_id, lambda: self._read(log_id))

    async def _read(self, log_id: str) -> RoutingLog:
        # What lies here was within the limit when it came, which may have been a larger one.
        reading = Reading(limit=16 * MAX_PACKED_BYTES, growth=None)
        try:
            return await self._in_turn(lambda: read_log(self._storage.local(_key(log_id, PARQUET)), reading))
        except (LogError, FileNotFoundError) as error:
            raise NotFound(GONE) from error

    async def _in_turn(self, work: Callable[[], T]) -> T:
        """Open, count or compare whole logs: a few at a time, and one of each client.

        So a client waits for one log of each other client at most.
        """
        line = self._lines.setdefault(client.get(), asyncio.Lock())
        async with line, self._opened:
            return await in_thread(work)

    async def tokens(self, log_id: str, offset: int, limit: int) -> tuple[list[dict[str, Any]], int]:
        """Tokens with their experts, see ``parts.tokens``; raises NotFound."""
        log = await self.log(log_id)
        return await in_thread(partial(parts.tokens, log, offset, limit, MAX_VALUES))

    async def usage(self, log_id: str, offset: int, limit: int) -> dict[str, Any]:
        """Return the use of each expert, see ``parts.usage``; raises NotFound."""
        log = await self.log(log_id)
        return await self._in_turn(partial(parts.usage, log, offset, limit, MAX_VALUES))

    def _check_size(self, numbers: int, of: str) -> None:
        most = MAX_VALUES
        if numbers > most:
            raise NotAccepted(f"Up to {most:,} numbers fit into an answer; this log has too many layers times {of}.")

    async def sequences(self, log_id: str, offset: int, limit: int) -> tuple[list[dict[str, Any]], int]:
        """Return the sequences of a log, see ``parts.sequences``; raises NotFound."""
        log = await self.log(log_id)
        return await in_thread(partial(parts.sequences, log, offset, limit))

    async def path(self, log_id: str, sequence: int, start: int, count: int) -> dict[str, Any]:
        """The path of some tokens, see ``parts.path``; raises NotFound."""
        log = await self.log(log_id)
        return await in_thread(partial(parts.path, log, sequence, start, count, MAX_VALUES))

    async def load(self, log_id: str, layer: str | None) -> dict[str, Any]:
        """Return a log's load as ``parts.load_within``; raises NotFound, or NotAccepted for too many numbers."""
        log = await self.log(log_id)
        self._check_size(_OF_LOAD * len(log.layers) * log.num_experts, "experts")
        whole = await self._loads.find(log_id, lambda: self._in_turn(partial(parts.load, log)))
        return await in_thread(partial(parts.load_within, whole, layer, MAX_VALUES))

    async def compare(self, a: str, b: str) -> Comparison:
        """The comparison of two logs; raises NotFound, or NotAccepted if they have nothing in common."""
        left, right = await self.log(a), await self.log(b)

        def work() -> Comparison:
            try:
                return compare(left, right, (left.source.file, right.source.file))
            except LogError as error:
                raise NotAccepted(sentence(error)) from error

        return await self._compared.find((a, b), lambda: self._in_turn(work))

    async def decision(self, a: str, b: str, token: int) -> dict[str, Any]:
        """Return a token's experts in both logs, by its index in A; raises NotFound, NotAccepted as ``compare``."""
        comparison = await self.compare(a, b)
        left, right = await self.log(a), await self.log(b)
        self._check_size(_OF_CHOICE * len(comparison.layers) * (left.slots + right.slots), "experts that a token takes")
        try:
            return await in_thread(partial(parts.decision, left, right, comparison, token))
        except LogError as error:
            raise NotFound(sentence(error)) from error

    def _entries(self, suffix: str) -> list[StoredObject]:
        """The stored objects of all logs with this suffix."""
        every = self._storage.entries(PLACE)
        return [entry for entry in every if entry.key.endswith(suffix) and entry.key.count("/") == 1]

    def _read_facts(self, key: str) -> StoredLog | None:
        """The facts of a stored log; None where it is gone or damaged."""
        try:
            facts = json.loads(self._storage.get(key))
            return StoredLog(**(facts | {"created": datetime.fromisoformat(facts["created"])}))
        except (OSError, ValueError, KeyError, TypeError):
            return None


def _key(log_id: str, suffix: str) -> str:
    return f"{PLACE}/{log_id}{suffix}"
