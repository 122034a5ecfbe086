"""Traces: recorded once, cached in memory and on disk, and recorded again after both have dropped them."""

import asyncio
import hashlib
import io
import json
import logging
import secrets
import tempfile
import time
from collections.abc import Collection, Hashable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from routescope.nn.inputs.kind import Inputs
from routescope.nn.network import Network
from routescope.routing import Intervention, Trace, record
from routescope.routing.trace import constant_sizes
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services import tracing
from routescope_app.services.engine.batching import RequestBatcher
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.single_flight import SingleFlight
from routescope_app.services.errors import NotAccepted, NotFound
from routescope_app.services.folders import resolve_within
from routescope_app.services.interventions import ReadIntervention
from routescope_app.services.reading import check_reads_samples, reads_own_sets
from routescope_app.services.samples.samples import Samples
from routescope_app.services.store import Store, TraceRow, now
from routescope_app.settings import MEBIBYTE, Settings

#: Seconds that a recording must take for its trace to be kept on disk; reading a file takes about as long.
LEAST_SECONDS = 0.1
#: Traces remembered well enough to be recorded again; the least recently used go first.
MAX_ROWS = 50_000
#: Fields that one trace may ask for.
MAX_FIELDS = 16
#: Bytes that one trace may take, with what it holds of its model. Attention between 1,024 modules takes 4 MiB a head
#: and layer.
MAX_BYTES = 128 * MEBIBYTE
#: Bytes of one number of a trace: float32.
NUMBER = 4


def bytes_of(model: Network, fields: Sequence[str], iterations: int) -> int:
    """Bytes of these fields of one sample, with all units, whatever an intervention drops."""
    all_fields, coordinates, sizes = model.fields, model.coordinates(), asdict(model.config)

    def size(dim: str) -> int:
        """Number of names of an axis, or its size from the configuration, which has the plural of its name."""
        if dim == "sample":
            return 1
        return len(coordinates[dim]) if dim in coordinates else int(sizes.get(dim + "s", 1))

    def times(along: str | None) -> int:
        return 1 if along is None else len(model.along(along, iterations))

    return sum(NUMBER * times(all_fields[name].along) * prod(map(size, all_fields[name].dims)) for name in fields)


def constant_bytes(model: Network) -> int:
    """Bytes in every trace beside its fields."""
    return sum(constant_sizes(model).values())


log = logging.getLogger(__name__)
#: What recording a field costs beside the forward pass, in forward passes.
FIELD_COST = {"attention": 2.0, "states": 1.0, "messages": 1.0}
#: Bytes of a trace that cost as much as a forward pass.
PASS_BYTES = 16 * MEBIBYTE
#: Traces that may wait to be written; further ones are only remembered, not kept on disk.
MOST_WAITING = 64
#: A file's last use is written to the database at most this often.
USE_GRAIN = timedelta(minutes=1)


@dataclass(frozen=True)
class StoredTrace:
    """A recorded trace."""

    id: str
    sample: str
    trace: Trace
    seconds: float
    """Seconds that recording took."""
    cached: bool
    """Whether it was there before this request."""


@dataclass(frozen=True)
class Request:
    """Everything that a trace depends on."""

    model: str
    revision: str
    sample: str
    content: str
    intervention: Intervention
    fields: tuple[str, ...]

    @property
    def id(self) -> str:
        """Hash of all fields."""
        parts = [self.model, self.revision, self.sample, self.content, self.intervention.to_json(), *self.fields]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:40]

    @property
    def of_samples(self) -> tuple[str, ...]:
        """All fields but the sample."""
        return (self.model, self.revision, self.intervention.to_json(), *self.fields)


@dataclass(frozen=True)
class _Asked:
    """A trace to record."""

    request: Request
    info: ModelInfo
    inputs: Inputs


class Traces:
    """Records and caches traces.

    Args:
        intervention: reads an intervention for a model (``Measuring.intervention``); blocking.
    """

    def __init__(
        self,
        settings: Settings,
        store: Store,
        inference: Inference,
        samples: Samples,
        intervention: ReadIntervention,
    ) -> None:
        self._store = store
        self._inference = inference
        self._samples = samples
        self._intervention = intervention
        self._folder = settings.data_dir / "cache" / "traces"
        self._disk_bytes = settings.disk_of("traces")
        self._least_seconds = LEAST_SECONDS
        self._max_rows = MAX_ROWS
        self._memory = SingleFlight[str, StoredTrace](
            settings.memory_of("traces"), lambda trace: trace.trace.dataset.nbytes, "traces"
        )
        most = inference.device.together(settings.trace_batch)
        self._batches = RequestBatcher[Hashable, _Asked, tuple[Trace, float]](inference, most, self._computed)
        self._writer = ThreadPoolExecutor(1, "trace-writer")
        self._waiting = 0

    # -- asking ----------------------------------------------------------------------------------------------

    async def create(
        self, info: ModelInfo, sample_id: str, change: Mapping[str, Any], fields: Sequence[str]
    ) -> StoredTrace:
        """The trace of a sample through a model under an intervention, cached or recorded.

        Args:
            change: the intervention, see ``interventions.accepted``.

        Raises:
            NotFound: unknown sample.
            NotAccepted: units or fields that the model does not have, or too many of them.
            Busy, OutOfMemory: from the queue.
        """
        if len(fields) > MAX_FIELDS:
            raise NotAccepted(f"Up to {MAX_FIELDS} fields are accepted.")
        unknown = sorted(set(fields) - set(info.fields))
        if unknown:
            raise NotAccepted(
                f"This model records the fields {', '.join(info.fields)}; it has none of the others asked for."
            )
        if not reads_own_sets(info):
            check_reads_samples(info)
        model = await self._inference_model(info)
        intervention = await asyncio.to_thread(self._intervention, info, dict(change))
        self._check_size(model, intervention, fields)
        inputs, content = await asyncio.to_thread(self._samples.inputs, info, sample_id)
        request = Request(info.id, info.revision, sample_id, content, intervention, tuple(sorted(set(fields))))
        stored = await self._look_up(request.id)
        return stored or await self._record_once(request, info, inputs)

    def _check_size(self, model: Network, intervention: Intervention, fields: Sequence[str]) -> int:
        """Bytes of a trace with these fields; raises NotAccepted if they are too many."""
        iterations = model.config.iterations if intervention.iterations is None else intervention.iterations
        size = bytes_of(model, sorted(set(fields)), iterations) + constant_bytes(model)
        most = MAX_BYTES
        if size > most:
            raise NotAccepted(
                f"A trace of one sample with these fields is {size / MEBIBYTE:.0f} MiB; "
                f"up to {most / MEBIBYTE:.0f} MiB are recorded at once. Ask for fewer fields or iterations."
            )
        return size

    async def get(self, trace_id: str) -> StoredTrace:
        """A trace by its id; recorded again if only its request is stored."""
        stored = await self._look_up(trace_id)
        if stored is not None:
            return stored
        row = await asyncio.to_thread(self._row, trace_id)
        if row is None:
            raise NotFound("There is no such trace; create it with POST /api/v1/traces.")
        info = self._inference.info(row.model)
        if info.revision != row.revision:
            raise NotFound("This trace was recorded with an earlier revision of its model and is no longer kept.")
        inputs, content = await asyncio.to_thread(self._samples.inputs, info, row.sample)
        fields = tuple(json.loads(row.fields))
        request = Request(
            row.model, row.revision, row.sample, content, Intervention.from_json(row.intervention), fields
        )
        if request.id != trace_id:
            raise NotFound("The sample of this trace has changed; create the trace again.")
        return await self._record_once(request, info, inputs)

    async def file(self, recorded: StoredTrace) -> bytes:
        """The trace as one NetCDF file."""
        path = self._path(recorded.id)
        try:
            return await asyncio.to_thread(path.read_bytes)
        except FileNotFoundError:
            return await asyncio.to_thread(_as_netcdf, recorded.trace, self._folder)

    # -- recording -------------------------------------------------------------------------------------------

    async def _inference_model(self, info: ModelInfo) -> Network:
        return await asyncio.to_thread(self._inference.model, info)

    async def _record_once(self, request: Request, info: ModelInfo, inputs: Inputs) -> StoredTrace:
        """Record a trace; concurrent requests for the same trace share one computation."""
        if (stored := self._memory.kept.get(request.id)) is not None:  # another one was answered meanwhile
            return stored
        recorded = await self._memory.find(request.id, lambda: self._record(request, info, inputs))
        return replace(recorded, cached=False)

    async def _record(self, request: Request, info: ModelInfo, inputs: Inputs) -> StoredTrace:
        intervention = request.intervention
        configured = max(info.iterations, 1)
        passes = max((configured if intervention.iterations is None else intervention.iterations) / configured, 0.25)
        size = self._check_size(await self._inference_model(info), intervention, request.fields)
        cost = passes * (1 + sum(FIELD_COST.get(field, 0.0) for field in request.fields)) + size / PASS_BYTES

        shapes = inputs.row_shapes
        same = request.id if shapes is None else (*request.of_samples, type(inputs), shapes)
        trace, seconds = await self._batches.run(same, _Asked(request, info, inputs), cost)
        if self._store.shared:  # another process may be asked for it next: it can record it by its row
            try:
                await asyncio.to_thread(self._remember, request, seconds, 0)
            except Exception:
                log.exception("trace %s is known to this process alone", request.id)
        # Behind the answer: until it is written, the trace is found in memory; lost in a crash, it is recorded again.
        self._waiting += 1
        self._writer.submit(self._keep, request, info, trace, seconds)
        return StoredTrace(request.id, request.sample, trace, seconds, cached=True)

    def _computed(self, asked: "Sequence[_Asked]") -> list[tuple[Trace, float]]:
        """The traces of requests that differ only in their samples, and the seconds that each took."""
        started = time.perf_counter()
        first, *others = asked
        inputs = first.inputs.joined([trace.inputs for trace in others]) if others else first.inputs
        with tracing.span("record", model=first.request.model, samples=len(asked)):
            whole = record(
                self._inference.model(first.info),
                inputs.to(self._inference.device.torch),
                only=first.request.fields,
                intervention=first.request.intervention,
                sample_ids=[trace.request.sample for trace in asked],
            )
        seconds = (time.perf_counter() - started) / len(asked)
        return [(trace, seconds) for trace in (whole.samples() if others else [whole])]

    def _keep(self, request: Request, info: ModelInfo, trace: Trace, seconds: float) -> None:
        """Write the file, then its row. A failure costs time later, but no answer."""
        try:
            self._remember(request, seconds, self._write_file(request.id, trace, seconds))
            self._evict()
            if request.intervention == Intervention():
                self._samples.remember(info, request.sample, trace)
        except Exception:
            log.exception("trace %s could not be kept", request.id)
        finally:
            self._waiting -= 1  # only this thread takes away and only the event loop adds: the count is an estimate

    def _write_file(self, trace_id: str, trace: Trace, seconds: float) -> int:
        """Write a file; return its bytes, or 0 if the trace is not worth one, or too many wait."""
        if not self._disk_bytes or seconds < self._least_seconds or self._waiting > MOST_WAITING:
            return 0
        path = self._path(trace_id)
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f"{trace_id}.{secrets.token_hex(4)}.partial")  # another process may write it too
        try:
            trace.save(partial)
            size = partial.stat().st_size
            partial.replace(path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
        return size

    def _remember(self, request: Request, seconds: float, size: int) -> None:
        moment = now()
        insert = postgresql.insert if self._store.shared else sqlite.insert
        row = insert(TraceRow).values(
            id=request.id,
            model=request.model,
            revision=request.revision,
            sample=request.sample,
            content=request.content,
            intervention=request.intervention.to_json(),
            fields=json.dumps(request.fields),
            bytes=size,
            seconds=seconds,
            created=moment,
            used=moment,
        )
        changed = {name: row.excluded[name] for name in ("bytes", "seconds", "created", "used")}
        with self._store.writing() as session:  # of one row: nobody else waits
            session.execute(row.on_conflict_do_update(index_elements=[TraceRow.id], set_=changed))

    # -- keeping ---------------------------------------------------------------------------------------------

    def _path(self, trace_id: str) -> Path:
        return resolve_within(self._folder, trace_id[:2], trace_id + ".nc")

    def _row(self, trace_id: str) -> TraceRow | None:
        with self._store.reading() as session:
            return session.get(TraceRow, trace_id)

    async def _look_up(self, trace_id: str) -> StoredTrace | None:
        return self._memory.kept.get(trace_id) or await asyncio.to_thread(self._from_disk, trace_id)

    def _from_disk(self, trace_id: str) -> StoredTrace | None:
        path = self._path(trace_id)
        if not path.is_file():
            return None
        row = self._row(trace_id)
        if row is None:
            return None
        try:
            trace = Trace.load(path)
        except Exception:  # damaged or just removed: recorded again
            log.warning("trace %s in the cache cannot be read", trace_id)
            return None
        recorded = StoredTrace(trace_id, row.sample, trace, row.seconds, cached=True)
        self._memory.keep(trace_id, recorded)
        if now() - row.used > USE_GRAIN:
            with self._store.writing() as session:
                if (current := session.get(TraceRow, trace_id)) is not None:
                    current.used = now()
        return recorded

    def _evict(self) -> None:
        """Remove the least recently used files and rows beyond the limits."""
        with self._store.reading() as session:  # which nobody waits for
            if max(self._excess(session)) <= 0:
                return
        with self._store.exclusive("traces") as session:
            excess_bytes, excess_rows = self._excess(session)
            for row in session.scalars(select(TraceRow).order_by(TraceRow.used)):
                if excess_bytes <= 0 and excess_rows <= 0:
                    break
                if row.bytes:
                    self._path(row.id).unlink(missing_ok=True)
                    excess_bytes -= row.bytes
                    row.bytes = 0
                if excess_rows > 0:
                    session.delete(row)
                    excess_rows -= 1

    def _excess(self, session: Session) -> tuple[int, int]:
        """(bytes, rows) beyond the limits; below 0 if there is room."""
        used, count = session.execute(select(func.coalesce(func.sum(TraceRow.bytes), 0), func.count())).one()
        return int(used) - self._disk_bytes, count - self._max_rows

    def forget_sample(self, sample_id: str) -> None:
        """Delete all traces of a deleted sample."""
        self.forget_samples([sample_id])

    def forget_samples(self, sample_ids: Collection[str]) -> None:
        """Delete all traces of deleted samples."""
        self.flush()
        with self._store.exclusive("traces") as session:
            for row in session.scalars(select(TraceRow).where(TraceRow.sample.in_(sample_ids))):
                self._memory.kept.remove(row.id)
                self._path(row.id).unlink(missing_ok=True)
                session.delete(row)

    def flush(self) -> None:
        """Wait until all traces recorded so far are on disk."""
        self._writer.submit(lambda: None).result()

    def close(self) -> None:
        self._writer.shutdown(wait=True)


def _as_netcdf(trace: Trace, folder: Path) -> bytes:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        return trace.save(Path(temporary) / "trace.nc").read_bytes()


def field_array(recorded: StoredTrace, name: str) -> tuple[np.ndarray, tuple[str, ...]]:
    """(values, names of the axes) of one numeric field; raises NotFound."""
    dataset = recorded.trace.dataset
    if name not in dataset.data_vars or dataset[name].dtype.kind not in "fiub":
        raise NotFound(f"This trace has no such field; it has {', '.join(numeric_fields(recorded))}.")
    return dataset[name].values, tuple(str(d) for d in dataset[name].dims)


def numeric_fields(recorded: StoredTrace) -> list[str]:
    """Names of the numeric fields."""
    dataset = recorded.trace.dataset
    return [str(name) for name in dataset.data_vars if dataset[name].dtype.kind in "fiub"]


def as_npz(name: str, array: np.ndarray) -> bytes:
    """One array as .npz."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **{name: array})  # type: ignore[arg-type]
    return buffer.getvalue()
