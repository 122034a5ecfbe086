"""Jobs that make maps of types: points are collected batch by batch, the map is made by a process of its own."""

import asyncio
import contextlib
import json
import logging
import os
import select
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from routescope.data.dataset import LabelledSamples, SamplesOfKinds
from routescope.nn.network import RedrawableNetwork
from routescope.routing import Intervention
from routescope.routing.maps.embedding import Embedding, embed
from routescope.routing.maps.methods import EmbeddingError, check
from routescope.routing.maps.points import PREFIXES, TypePoints, source_of
from routescope.routing.maps.process import OUT_OF_MEMORY
from routescope.routing.progress import TOTAL, Progress, part
from routescope_app.services.engine.children import CRASHES, OUT_OF_TIME, Child
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.job_thread import JobThread
from routescope_app.services.engine.threads import Priority
from routescope_app.services.errors import Interrupted, NotAccepted
from routescope_app.services.jobs.unfinished import Unfinished
from routescope_app.services.measuring.computing import Computing, Uncollected
from routescope_app.services.measuring.scope import Measured, Measuring
from routescope_app.services.measuring.snapshots import finite
from routescope_app.services.reading import check_reads_samples, reads_own_sets
from routescope_app.settings import MEBIBYTE, Settings

#: Points of one embedding: samples times tokens times steps.
MAX_POINTS = 100_000
#: Points of one embedding times the neighbours of each: three times the perplexity for t-SNE, the neighbours for UMAP.
MAX_NEIGHBOURS = 10_000_000

log = logging.getLogger(__name__)
#: The process that makes maps, and seconds between two looks whether it has ended without closing its output.
PROCESS, LOOK_SECONDS = "routescope.routing.maps.process", 1.0
#: Seconds of the clock without a word, times those of the processor that a map may take, after which it hangs.
SILENCES = 4
#: The probes of models whose units are the points.
UNITS = ("states",)
#: Share of the progress that collecting points stands for, of ``TOTAL``.
COLLECTING = 200
#: Seconds between two pieces of what was computed that are kept for a restart, and the file of one on its way.
PIECE_SECONDS = 2.0
PIECE = "piece.nc"
#: Arrays of a map by the names of the API, with their axes.
ARRAYS: Mapping[str, tuple[str, ...]] = {
    "xy": ("point", "axis"),
    "pca": ("point", "axis"),
    "signatures": ("unit", "axis"),
    "signatures_pca": ("unit", "axis"),
    "step": ("point",),
    "sample": ("point",),
    "token": ("point",),
    "unit": ("point",),
    "label": ("point",),
    "domain": ("point",),
    "correct": ("point",),
}
PLACES = {"xy": "xy", "pca": "pca_xy", "signatures": "signatures_xy", "signatures_pca": "signatures_pca_xy"}


class EmbeddingWork:
    """See ``jobs.Work``."""

    def __init__(
        self,
        settings: Settings,
        measuring: Measuring,
        inference: Inference,
        computing: Computing,
        unfinished: Unfinished,
    ) -> None:
        self._unfinished = unfinished
        self._settings = settings
        self._measuring = measuring
        self._inference = inference
        self._computing = computing

    def _checked(self, request: dict[str, Any]) -> tuple[Measured, Intervention]:
        measured = self._measuring.measured(request["model"], request["data"], request["samples"], once=True)
        if not reads_own_sets(measured.info):
            check_reads_samples(measured.info)
        intervention = self._measuring.intervention(measured.info, request["intervention"])
        points = measured.count * self._points(measured, intervention, request)
        if points > MAX_POINTS:
            raise NotAccepted(
                f"This would be a map of {points} points; up to {MAX_POINTS} are accepted. Ask for fewer samples."
            )
        self._affordable(points, request)
        try:
            check(points, request["method"], request["perplexity"], request["neighbours"])
        except EmbeddingError as error:
            raise NotAccepted(f"The map is not possible: {error}.") from error
        return measured, intervention

    def _affordable(self, points: int, request: dict[str, Any]) -> None:
        """Refuse more neighbours than are searched and kept, which is what a map costs."""
        most = MAX_NEIGHBOURS
        # The neighbours of a point, and how many of them the setting of the method stands for.
        name, each = {"tsne": ("perplexity", 3), "umap": ("neighbours", 1)}.get(request["method"], ("", 0))
        if not each or points * each * request[name] <= most:
            return
        raise NotAccepted(
            f"{points} points with {each * request[name]:g} neighbours each are {points * each * request[name]:g} "
            f"neighbours; up to {most} are accepted. Ask for {name} up to {most // (points * each)}, "
            "or for fewer samples."
        )

    def _points(self, measured: Measured, intervention: Intervention, request: dict[str, Any]) -> int:
        """Points of one sample; raises NotAccepted for a model that gives none, or none with initial routing."""
        model = self._inference.model(measured.info)
        try:
            by_unit = source_of(model) == UNITS
        except ValueError as error:
            raise NotAccepted("A map needs types of tokens or states of units; this model records neither.") from error
        if request["routing"] == "initial" and not isinstance(model, RedrawableNetwork):
            raise NotAccepted("This model's routing is not apart from its other parameters; ask for routing trained.")
        iterations = model.config.iterations if intervention.iterations is None else intervention.iterations
        steps = len(model.step_names(iterations))
        if not steps:
            raise NotAccepted("Types are inferred at every step; at least one iteration is needed.")
        if by_unit:
            return steps * (len(measured.info.units) - len(intervention.drop))
        return steps * sum(name.startswith(PREFIXES[request["tokens"]]) for name in measured.info.tokens)

    def identify(self, request: dict[str, Any]) -> str:
        """Settings of the other methods do not matter, nor which tokens where points are units."""
        measured, intervention = self._checked(request)
        method = request["method"]
        by_unit = source_of(self._inference.model(measured.info)) == UNITS
        own = {"tsne": "perplexity", "umap": "neighbours"}.get(method)
        facts = [
            method,
            "units" if by_unit else request["tokens"],
            request["routing"],
            str(request["seed"]),
            str(request[own] if own else ""),
        ]
        return measured.digest("embedding", measured.plain(intervention).to_json(), *facts)

    async def run(self, job_id: str, request: dict[str, Any], folder: Path, progress: Progress) -> None:
        """Collect the points, then make the map: a quick one in the thread of the job, others in a process."""
        thread = JobThread(self._inference, progress)
        await thread.run(partial(self._map, thread, job_id, request, folder))

    def _map(self, thread: JobThread, job_id: str, request: dict[str, Any], folder: Path) -> None:
        measured, intervention = self._checked(request)
        points = self._collect(thread, job_id, request, measured, intervention, folder / PIECE)
        asked = {name: request[name] for name in ("method", "seed", "perplexity", "neighbours")}
        if request["method"] == "pca":  # about a second, less than a process needs to start
            try:
                embedding = embed(points, scored=True, progress=part(thread.progress, COLLECTING, TOTAL), **asked)
            except EmbeddingError as error:
                raise NotAccepted(f"The map could not be made: {error}") from error
            embedding.save(folder / "embedding.nc")
        else:
            points.save(folder / "points.nc")
            (folder / "request.json").write_text(json.dumps(asked))
            thread.wait(_make_map(folder, self._settings, thread.report))
        facts = {
            "id": job_id,
            "model": measured.info.id,
            "revision": measured.info.revision,
            "routing": request["routing"],
            "intervention": intervention.structural.to_dict(),
            "data": measured.data(),
            **kinds_of(measured.datasets, folder),
        }
        _describe(folder, facts)
        for name in ("points.nc", "request.json"):
            (folder / name).unlink(missing_ok=True)

    def _collect(
        self,
        thread: JobThread,
        job_id: str,
        request: dict[str, Any],
        measured: Measured,
        intervention: Intervention,
        scratch: Path,
    ) -> TypePoints:
        """The points of all samples: those that were kept when the job was interrupted, and the others computed.

        Args:
            scratch: a file for one piece at a time.
        """
        parts = self._kept(job_id, scratch)
        kept = done = sum(len(points.sample_ids) for points in parts)
        fresh, since = list[TypePoints](), time.monotonic()
        model = self._inference.model(measured.info)
        initial = request["seed"] if request["routing"] == "initial" else None
        batches = self._computing.points(
            Uncollected(measured.info, model, measured.parts, intervention, request["tokens"], initial, start=done)
        )
        while (points := thread.wait(batches.following(Priority.JOB))) is not None:
            fresh.append(points)
            done += len(points.sample_ids)
            thread.progress(COLLECTING * done // measured.count, TOTAL, "inferring types")
            if time.monotonic() - since >= PIECE_SECONDS:
                parts.append(self._keep(job_id, kept, fresh, scratch))
                kept, fresh, since = done, [], time.monotonic()
        return TypePoints.join(parts + fresh)

    def _keep(self, job_id: str, start: int, fresh: Sequence[TypePoints], scratch: Path) -> TypePoints:
        """Keep the points of some batches, the first of which starts at that sample; gives them as one."""
        piece = TypePoints.join(fresh)
        piece.save(scratch)
        self._unfinished.put(job_id, start, scratch)
        scratch.unlink(missing_ok=True)
        return piece

    def _kept(self, job_id: str, scratch: Path) -> list[TypePoints]:
        """What was kept of a job, up to the first sample of which nothing is there, or nothing that can be read."""
        found, done = list[TypePoints](), 0
        try:
            while self._unfinished.get(job_id, done, scratch):
                found.append(TypePoints.load(scratch))
                done += len(found[-1].sample_ids)
        except Exception:
            log.exception("what job %s had computed cannot be read from sample %d on", job_id, done)
        scratch.unlink(missing_ok=True)
        return found


async def _make_map(folder: Path, settings: Settings, progress: Progress) -> None:
    """Run the process; it is killed when this is cancelled.

    Its own fault are points that cannot be mapped, its limits of memory and of processor time, and errors. Whoever else
    ended it, such as ``kill -9`` or the system that ran out of memory, interrupted it.

    Raises:
        NotAccepted: the map cannot be made, or takes more than a map may.
        Interrupted: the process was ended from outside, or could not be started.
        RuntimeError: the process broke.
    """
    loop, problems = asyncio.get_running_loop(), list[str]()

    def read(line: bytes) -> None:
        with contextlib.suppress(ValueError, TypeError, KeyError):  # a library may print, too
            message = json.loads(line)
            if not isinstance(message, dict):
                return
            if "problem" in message:
                problems.append(str(message["problem"]))
            if "what" in message:
                rest = (TOTAL - COLLECTING) * int(message["done"]) // max(1, int(message["total"]))
                loop.call_soon_threadsafe(progress, COLLECTING + rest, TOTAL, str(message["what"]))

    env, most = os.environ | {"ROUTESCOPE_DATA_DIR": str(settings.data_dir)}, settings.map_seconds
    memory = settings.map_memory_bytes
    try:
        child = Child(PROCESS, [str(folder)], env, memory_bytes=memory, processor_seconds=most)
    except OSError as error:
        raise Interrupted(f"the process that makes maps could not be started: {error}") from error
    thread = ThreadPoolExecutor(1, "map")  # its own: those of the loop are few, and this one is taken for long
    reading = loop.run_in_executor(thread, _read_lines, child, read, SILENCES * most)
    try:
        await asyncio.shield(reading)
    finally:
        child.kill()
        await asyncio.gather(reading, return_exceptions=True)
        status = child.end()
        thread.shutdown()
    if problems:
        raise NotAccepted(f"The map could not be made: {problems[-1][:300]}")
    if status == OUT_OF_MEMORY:
        words = f"{memory // MEBIBYTE} MiB" if memory else "there is"
        raise NotAccepted(f"The map needs more memory than {words}. Ask for fewer samples.")
    if status == OUT_OF_TIME:
        raise NotAccepted(f"The map takes more than {most} seconds of processor time. Ask for fewer samples.")
    if status > 0 or status in CRASHES:
        raise RuntimeError(f"the process that makes maps ended with status {status}")
    if status:
        raise Interrupted(f"the process that makes maps was ended by signal {-status}")


def _read_lines(child: Child, read: Callable[[bytes], None], silent_seconds: float) -> None:
    """Read the output of a process until it ends, which it is made to after a silence of so many seconds; blocking."""
    output, rest, heard = child.process.stdout, b"", time.monotonic()
    assert output is not None
    ready = select.poll()
    ready.register(output, select.POLLIN)
    while True:
        if ready.poll(LOOK_SECONDS * 1_000):
            if not (chunk := os.read(output.fileno(), 65_536)):
                break
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                read(line)
            heard = time.monotonic()
        elif child.process.poll() is not None:  # what it started may have its output still
            break
        elif time.monotonic() - heard > silent_seconds:
            log.warning("the process that makes maps said nothing for %d s, and is killed", silent_seconds)
            child.kill()
            break
    # Between its last word and its end: not to be killed by whoever sees its output closed.
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.process.wait(silent_seconds)


def kinds_of(datasets: Sequence[LabelledSamples], folder: Path) -> dict[str, Any]:
    """Names of the kinds of the samples of a map, and the kind of each, -1 for none; none where no data set has any."""
    kinds: list[str] = []
    of: dict[str, int] = {}
    for dataset in datasets:
        if isinstance(dataset, SamplesOfKinds):
            kinds += [name for name in dataset.kinds if name not in kinds]
            stem = f"{dataset.name}.{dataset.split}"
            of |= {f"{stem}.{row}": kinds.index(dataset.kinds[kind]) for row, kind in enumerate(dataset.kind.tolist())}
    samples = Embedding.load(folder / "embedding.nc").points.sample_ids if kinds else ()
    return {"kinds": kinds, "sample_kinds": [of.get(sample, -1) for sample in samples]}


def _describe(folder: Path, facts: dict[str, Any]) -> None:
    """Write what the API says of the map, and its arrays in the form in which they are sent."""
    embedding = Embedding.load(folder / "embedding.nc")
    points, trust = embedding.points, embedding.trustworthiness
    arrays = {name: np.ascontiguousarray(_array(embedding, name)) for name in ARRAYS}
    clustering = [] if embedding.clustering is None else embedding.clustering.to_dict("records")
    scores = ("score", "null_mean", "null_low", "null_high")
    described = facts | {
        "method": embedding.method,
        "parameters": embedding.parameters,
        "seed": embedding.seed,
        "trustworthiness": {
            "value": trust.value, "pca": trust.pca, "neighbours": trust.neighbours, "points": trust.points,
        },
        "elements": "units" if points.attrs.get("which_tokens") == "units" else "tokens",
        "count": len(points),
        "steps": list(points.steps),
        "units": list(points.units),
        "tokens": list(points.tokens),
        "labels": list(points.labels),
        "domains": list(points.domains),
        "samples": list(points.sample_ids),
        "clustering": [
            {"step": row["step"], "by": row["by"], "n": int(row["n"])}
            | {name: None if row[name] is None else finite(row[name]) for name in scores}
            for row in clustering
        ],
        "arrays": [
            {"name": name, "dims": list(ARRAYS[name]), "shape": list(array.shape), "dtype": str(array.dtype)}
            for name, array in arrays.items()
        ],
    }  # fmt: skip
    (folder / "embedding.json").write_text(json.dumps(described, allow_nan=False))
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array, allow_pickle=False)


def _array(embedding: Embedding, name: str) -> np.ndarray:
    if name in PLACES:
        return np.asarray(getattr(embedding, PLACES[name]), dtype="<f4")
    return np.asarray(getattr(embedding.points, name), dtype="<i4")


def read_array(folder: Path, name: str) -> np.ndarray:
    """One of ``ARRAYS``."""
    return np.load(folder / f"{name}.npy", allow_pickle=False)


def table(folder: Path) -> str:
    """One line a point, below lines that say where they come from."""
    embedding = Embedding.load(folder / "embedding.nc")
    facts = json.loads((folder / "embedding.json").read_text())
    named = ("model", "revision", "routing", "method", "parameters", "seed", "intervention", "trustworthiness")
    head = "".join(f"# {name}: {json.dumps(facts[name])}\n" for name in named)
    return head + str(embedding.table().to_csv(index=False, lineterminator="\n"))
