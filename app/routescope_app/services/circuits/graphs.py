"""Graphs of models whose units are linked: computed once per revision, cached in memory and on disk by bytes."""

import asyncio
import hashlib
import json
import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from routescope import __version__
from routescope.routing.graphs import edges_sorted
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.circuits.graph_facts import FIELDS, FORM, described, links_of, prior_of
from routescope_app.services.engine.in_thread import Cancelled, in_thread
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.single_flight import SingleFlight
from routescope_app.services.errors import Busy, NotAccepted, NotFound
from routescope_app.services.files import write_durably
from routescope_app.services.folders import resolve_within
from routescope_app.settings import Settings

#: Largest number of links in a GraphML or GEXF file.
MAX_FILE_LINKS = 100_000
#: Largest number of modules of a graph; time and memory grow with its square. Links name a module by 16 bits.
MAX_UNITS = 1_024

log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Graph:
    """The links of one revision of a model.

    Attributes:
        facts: fields of ``Graph`` in the API.
        probability: link probabilities (unit, unit), 1 on the diagonal.
        readout_probability: those of the read-out modules (readout, unit).
        prior: those of the prior, in the order of the model's units; None without one.
        i, j, p: links above 0 with i < j, the most probable first.
    """

    info: ModelInfo
    facts: dict[str, Any]
    probability: np.ndarray
    readout_probability: np.ndarray
    prior: np.ndarray | None
    i: np.ndarray
    j: np.ndarray
    p: np.ndarray

    @property
    def key(self) -> str:
        """Hash of everything that the graph depends on."""
        return _key(self.info)

    @property
    def nbytes(self) -> int:
        arrays = (self.probability, self.readout_probability, self.prior, self.i, self.j, self.p)
        return sum(array.nbytes for array in arrays if array is not None)

    def position(self, unit: str) -> int:
        """Return the position of a unit; raises NotFound."""
        if unit not in self.info.units:
            raise NotFound(f"This model has no such unit; it has {self.info.units[0]} to {self.info.units[-1]}.")
        return self.info.units.index(unit)

    def neighbours(self, position: int, most: int) -> list[dict[str, Any]]:
        """Return the strongest links of a unit; equal ones in the order of units."""
        row = self.probability[position]
        order = [int(other) for other in np.argsort(-row, kind="stable") if other != position and row[other] > 0]
        return [{"unit": self.info.units[other], "probability": float(row[other])} for other in order[:most]]


class Graphs:
    """Computes graphs, each once at a time."""

    def __init__(self, settings: Settings, inference: Inference) -> None:
        self._inference = inference
        self._memory = SingleFlight[str, Graph](settings.memory_of("graphs"), lambda graph: graph.nbytes, "graphs")
        self._files = _Files(settings.data_dir / "cache" / "graphs", settings.disk_of("graphs"))
        self._closed = threading.Event()
        self._one_at_a_time = asyncio.Semaphore(1)  # each keeps a processor busy for seconds

    async def graph(self, model_id: str) -> Graph:
        """Return the graph of a model.

        Raises:
            NotFound: unknown model, or one without links.
            NotAccepted: too many modules.
            Busy: the service is stopping.
        """
        info = await asyncio.to_thread(self._inference.info, model_id)
        if not info.has_links:
            raise NotFound(await asyncio.to_thread(self._no_links))
        if len(info.units) > MAX_UNITS:
            raise NotAccepted(f"Graphs of up to {MAX_UNITS} modules are laid out; this one has more.")
        return await self._memory.find(f"{info.id} {info.revision}", lambda: self._compute(info))

    def _no_links(self) -> str:
        linked = [info.id for info in self._inference.models() if info.has_links]
        alternatives = f"models with links: {', '.join(linked)}" if linked else "no model here has any"
        return f"The units of this model are not linked with probabilities; {alternatives}."

    async def _compute(self, info: ModelInfo) -> Graph:
        abandoned = threading.Event()
        async with self._one_at_a_time:
            return await in_thread(lambda: self._made(info, abandoned), abandoned)

    def _check(self, abandoned: threading.Event) -> None:
        if abandoned.is_set():
            raise Cancelled
        if self._closed.is_set():
            raise Busy("The service is stopping; please ask again in a moment.", "stopping")

    def close(self) -> None:
        """End running computations at the next opportunity."""
        self._closed.set()

    def _made(self, info: ModelInfo, abandoned: threading.Event) -> Graph:
        """Return the graph, with facts from disk or computed now."""
        links = links_of(self._inference.model(info))
        facts = self._files.read(_key(info))
        if facts is None:
            facts = described(info, links, partial(self._check, abandoned))
            self._files.write(_key(info), facts)
        i, j, p = edges_sorted(links.probability)
        return Graph(
            info=info,
            facts={**facts, "model": info.id},
            probability=links.probability.astype(np.float32),
            readout_probability=links.readout_probability.astype(np.float32),
            prior=prior_of(info, facts),
            i=i.astype(np.uint16),
            j=j.astype(np.uint16),
            p=p.astype(np.float32),
        )


def _key(info: ModelInfo) -> str:
    """Return a hash of everything that the facts of a graph depend on."""
    return hashlib.sha256("\n".join([FORM, __version__, info.revision]).encode()).hexdigest()[:40]


class _Files:
    """Facts about graphs, one JSON file each. Errors are logged, because a cache never costs an answer."""

    def __init__(self, folder: Path, limit: int) -> None:
        self._folder = folder
        self._limit = limit

    def read(self, key: str) -> dict[str, Any] | None:
        path = self._path(key)
        try:
            facts = json.loads(path.read_text())
            path.touch()  # files are evicted by their last use
        except FileNotFoundError:
            return None
        except (OSError, ValueError):
            log.warning("the graph %s in the cache cannot be read", key)
            return None
        whole = isinstance(facts, dict) and facts.get("form") == FORM and facts.keys() >= FIELDS
        return facts if whole else None

    def write(self, key: str, facts: dict[str, Any]) -> None:
        try:
            write_durably(self._path(key), json.dumps(facts, allow_nan=False).encode())
            self._evict()
        except OSError:
            log.exception("the graph %s could not be cached", key)

    def _path(self, key: str) -> Path:
        return resolve_within(self._folder, f"{key}.json")

    def _evict(self) -> None:
        files = sorted(self._folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
        excess = sum(path.stat().st_size for path in files) - self._limit
        for path in files:
            if excess <= 0:
                break
            excess -= path.stat().st_size
            path.unlink(missing_ok=True)


def edges(graph: Graph, least: float, most: int | None) -> tuple[bytes, int, int]:
    """Return the bytes of all i, all j and all p of the most probable links, their number, and the number in all."""
    count = int(np.searchsorted(-graph.p, -least, side="right"))
    count = count if most is None else min(count, most)
    parts: Sequence[tuple[np.ndarray, str]] = ((graph.i, "<u2"), (graph.j, "<u2"), (graph.p, "<f4"))
    return b"".join(array[:count].astype(form).tobytes() for array, form in parts), count, len(graph.p)
