"""Jobs that make maps of types: they collect points batch by batch, then a separate process makes the map."""

import json
import logging
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from routescope.data.samples import Samples
from routescope.nn.network import RedrawableNetwork
from routescope.routing import Intervention
from routescope.routing.maps.embedding import Embedding, embed
from routescope.routing.maps.methods import EmbeddingError, check
from routescope.routing.maps.points import PREFIXES, TypePoints, source_of
from routescope.routing.progress import TOTAL, Progress, part
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.job_thread import JobThread
from routescope_app.services.engine.programs import ChildProgram, ProgramLimits, run_program
from routescope_app.services.engine.threads import Priority
from routescope_app.services.errors import NotAccepted
from routescope_app.services.jobs.unfinished import Unfinished
from routescope_app.services.jobs.work import ThreadWork
from routescope_app.services.measuring.computing import Computing, PointsRequest
from routescope_app.services.measuring.scope import Measured, Measuring
from routescope_app.services.packed import finite
from routescope_app.services.reading import check_reads_samples, reads_own_sets
from routescope_app.settings import Settings

#: Largest number of points of a map: samples times tokens times steps.
MAX_POINTS = 100_000
#: Largest number of points times neighbours per point: three times the perplexity for t-SNE, the neighbours for UMAP.
MAX_NEIGHBOURS = 10_000_000

log = logging.getLogger(__name__)
#: Files of a result: for the API, and as core reads it.
FACTS, FILE = "embedding.json", "embedding.nc"
#: The program that makes maps in a process.
MAP = ChildProgram("routescope.routing.maps.process", "map", "Ask for fewer samples.")
#: Probes of models whose points are units.
UNITS = ("states",)
#: Progress after collecting points, of ``TOTAL``.
COLLECTING = 200
#: Seconds between two pieces that are stored for a restart, and the temporary file of one piece.
PIECE_SECONDS = 2.0
PIECE = "piece.nc"
#: Arrays of a map in the API, with their axes.
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
#: Arrays of core's ``Embedding`` by their names in the API; other arrays belong to its points.
POSITIONS = {"xy": "xy", "pca": "pca_xy", "signatures": "signatures_xy", "signatures_pca": "signatures_pca_xy"}


class EmbeddingWork(ThreadWork):
    """Jobs that make maps; see ``jobs.work.Work``."""

    def __init__(
        self,
        settings: Settings,
        measuring: Measuring,
        inference: Inference,
        computing: Computing,
        unfinished: Unfinished,
    ) -> None:
        super().__init__(inference)
        self._settings = settings
        self._measuring = measuring
        self._computing = computing
        self._unfinished = unfinished

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
        """Raise NotAccepted for too many neighbours, which determine the cost of a map."""
        option, factor = {"tsne": ("perplexity", 3), "umap": ("neighbours", 1)}.get(request["method"], ("", 0))
        neighbours = factor * request[option] if option else 0
        if points * neighbours > MAX_NEIGHBOURS:
            raise NotAccepted(
                f"{points} points with {neighbours:g} neighbours each are {points * neighbours:g} neighbours; up to "
                f"{MAX_NEIGHBOURS} are accepted. Ask for {option} up to {MAX_NEIGHBOURS // (points * factor)}, or for "
                "fewer samples."
            )

    def _points(self, measured: Measured, intervention: Intervention, request: dict[str, Any]) -> int:
        """Return the number of points per sample; raises NotAccepted for a model without points or initial routing."""
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
        """Hash everything that the result depends on, without options of other methods, or of tokens for units."""
        measured, intervention = self._checked(request)
        method = request["method"]
        by_unit = source_of(self._inference.model(measured.info)) == UNITS
        option = {"tsne": "perplexity", "umap": "neighbours"}.get(method)
        facts = [
            method,
            "units" if by_unit else request["tokens"],
            request["routing"],
            str(request["seed"]),
            str(request[option] if option else ""),
        ]
        return measured.digest("embedding", measured.plain(intervention).to_json(), *facts)

    def compute(self, thread: JobThread, job_id: str, request: dict[str, Any], folder: Path) -> None:
        """Collect the points, then make the map: PCA in the thread of the job, others in a process."""
        measured, intervention = self._checked(request)
        points = self._collect(thread, job_id, request, measured, intervention, folder / PIECE)
        options = {name: request[name] for name in ("method", "seed", "perplexity", "neighbours")}
        if request["method"] == "pca":  # about a second, less than a process needs to start
            try:
                embedding = embed(points, scored=True, progress=part(thread.progress, COLLECTING, TOTAL), **options)
            except EmbeddingError as error:
                raise NotAccepted(f"The map could not be made: {error}") from error
            embedding.save(folder / FILE)
        else:
            points.save(folder / "points.nc")
            (folder / "request.json").write_text(json.dumps(options))
            thread.wait(_make_map(folder, self._settings, thread.report))
        facts = {"routing": request["routing"], "intervention": intervention.structural.to_dict()}
        _describe(folder, measured.facts(job_id) | facts | kinds_of(measured.datasets, folder))
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
        """Return all points, stored or computed, of a job that may have been interrupted; ``scratch``: one piece."""
        parts = self._stored(job_id, scratch)
        stored = done = sum(len(points.sample_ids) for points in parts)
        fresh, since = list[TypePoints](), time.monotonic()
        model = self._inference.model(measured.info)
        initial = request["seed"] if request["routing"] == "initial" else None
        batches = self._computing.points(
            PointsRequest(measured.info, model, measured.parts, intervention, request["tokens"], initial, start=done)
        )
        while (points := thread.wait(batches.following(Priority.JOB))) is not None:
            fresh.append(points)
            done += len(points.sample_ids)
            thread.progress(COLLECTING * done // measured.count, TOTAL, "inferring types")
            if time.monotonic() - since >= PIECE_SECONDS:
                parts.append(self._store(job_id, stored, fresh, scratch))
                stored, fresh, since = done, [], time.monotonic()
        return TypePoints.join(parts + fresh)

    def _store(self, job_id: str, start: int, fresh: Sequence[TypePoints], scratch: Path) -> TypePoints:
        """Store the points of some batches, which start at sample ``start``; return them as one."""
        piece = TypePoints.join(fresh)
        piece.save(scratch)
        self._unfinished.put(job_id, start, scratch)
        scratch.unlink(missing_ok=True)
        return piece

    def _stored(self, job_id: str, scratch: Path) -> list[TypePoints]:
        """Return the stored points of a job, up to the first missing or unreadable piece."""
        pieces, done = list[TypePoints](), 0
        try:
            while self._unfinished.get(job_id, done, scratch):
                pieces.append(TypePoints.load(scratch))
                done += len(pieces[-1].sample_ids)
        except Exception:
            log.exception("the points of job %s cannot be read from sample %d on", job_id, done)
        scratch.unlink(missing_ok=True)
        return pieces


async def _make_map(folder: Path, settings: Settings, progress: Progress) -> None:
    """Make the map in a process, which is killed on cancellation; raises as ``run_program``."""

    def advance(done: int, total: int, what: str) -> None:
        progress(COLLECTING + (TOTAL - COLLECTING) * done // max(1, total), TOTAL, what)

    limits = ProgramLimits(settings.map_memory_bytes, settings.map_seconds)
    await run_program(MAP, [str(folder)], settings.data_dir, limits, advance)


def kinds_of(datasets: Sequence[Samples], folder: Path) -> dict[str, Any]:
    """Return the names of the kinds of samples, and the number of each sample's kind (-1: none)."""
    kinds: list[str] = []
    numbers: dict[str, int] = {}
    for dataset in datasets:
        if dataset.kind is not None:
            kinds += [name for name in dataset.kinds if name not in kinds]
            stem = f"{dataset.name}.{dataset.split}"
            numbers |= {
                f"{stem}.{row}": kinds.index(dataset.kinds[kind]) for row, kind in enumerate(dataset.kind.tolist())
            }
    samples = Embedding.load(folder / FILE).points.sample_ids if kinds else ()
    return {"kinds": kinds, "sample_kinds": [numbers.get(sample, -1) for sample in samples]}


def _describe(folder: Path, facts: dict[str, Any]) -> None:
    """Write the description of the map, and its arrays."""
    embedding = Embedding.load(folder / FILE)
    points = embedding.points
    arrays = {name: np.ascontiguousarray(_array(embedding, name)) for name in ARRAYS}
    clustering = [] if embedding.clustering is None else embedding.clustering.to_dict("records")
    scores = ("score", "null_mean", "null_low", "null_high")
    described = facts | {
        "method": embedding.method,
        "parameters": embedding.parameters,
        "seed": embedding.seed,
        "trustworthiness": vars(embedding.trustworthiness),
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
    }
    (folder / FACTS).write_text(json.dumps(described, allow_nan=False))
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array, allow_pickle=False)


def _array(embedding: Embedding, name: str) -> np.ndarray:
    if name in POSITIONS:
        return np.asarray(getattr(embedding, POSITIONS[name]), dtype="<f4")
    return np.asarray(getattr(embedding.points, name), dtype="<i4")


def read_array(folder: Path, name: str) -> np.ndarray:
    """Return one of ``ARRAYS``."""
    return np.load(folder / f"{name}.npy", allow_pickle=False)


def table(folder: Path) -> str:
    """Return one csv line per point, below comment lines about the request."""
    embedding = Embedding.load(folder / FILE)
    facts = json.loads((folder / FACTS).read_text())
    names = ("model", "revision", "routing", "method", "parameters", "seed", "intervention", "trustworthiness")
    head = "".join(f"# {name}: {json.dumps(facts[name])}\n" for name in names)
    return head + str(embedding.table().to_csv(index=False, lineterminator="\n"))
