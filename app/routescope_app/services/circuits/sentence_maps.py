"""Jobs that map sentences by their circuits, and positions of further sentences on such a map."""

import asyncio
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from routescope import __version__
from routescope.data.statements.sentences import SENTENCE_SETS
from routescope.data.statements.sentences import sentences as sentence_set
from routescope.routing.graphs.designs import BATCH, Designs, designs_of
from routescope.routing.maps.methods import EmbeddingError, check
from routescope.routing.maps.sentences import FittedMap, SentenceMap, fit
from routescope.routing.progress import TOTAL, part
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.circuits.designs import check_designs
from routescope_app.services.circuits.sentences import check_pieces, clean_sentences, text_of, unknown_words
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.job_thread import JobThread
from routescope_app.services.engine.recent import Recent
from routescope_app.services.engine.single_flight import SingleFlight
from routescope_app.services.errors import NotAccepted
from routescope_app.services.jobs.work import ThreadWork
from routescope_app.services.packed import finite
from routescope_app.settings import MAX_SENTENCE_CHARACTERS, MAX_SENTENCES, Settings

#: Largest number of link probabilities of a map: sentences times pairs of modules.
MAX_LINKS = 100_000_000

#: Files of a result: for the API, and for placing further sentences.
FACTS, MAP = "sentence_map.json", "sentence_map.nc"
#: Progress after designing circuits, of ``TOTAL``.
DESIGNING = 300
#: Columns of a sentence beside its text.
COLUMNS = ("kind", "object", "colour", "number", "relation")
#: Nearest sentences per placed sentence.
NEAREST = 5
#: Bytes of an entry of a sparse matrix: number and position.
SPARSE_BYTES = 12
#: Cached positions; each takes some hundredths of a second on a t-SNE map.
MOST_PLACED = 2_000


@dataclass(frozen=True)
class _Setup:
    """A possible request."""

    info: ModelInfo
    table: pd.DataFrame
    key: str


class SentenceMapWork(ThreadWork):
    """Jobs that map sentences (see ``jobs.work.Work``), and positions of further sentences."""

    def __init__(self, settings: Settings, inference: Inference) -> None:
        super().__init__(inference)
        self._loaded = Recent[str, SentenceMap](settings.memory_of("sentence-maps"), "sentence-maps")
        self._placed = SingleFlight[tuple[str, str], dict[str, Any]](MOST_PLACED)

    def _checked(self, request: dict[str, Any]) -> _Setup:
        info = self._inference.info(request["model"])
        check_designs(info)
        table = sentence_set(request["set"])
        pairs, most = len(info.units) * (len(info.units) - 1) // 2, MAX_LINKS
        if len(table) * pairs > most:
            raise NotAccepted(
                f"{len(table)} sentences with {pairs} pairs of modules each are {len(table) * pairs} link "
                f"probabilities; maps of up to {most} are made."
            )
        method, perplexity = request["method"], float(request["perplexity"])
        try:
            check(len(table), method, perplexity, 2)
        except EmbeddingError as error:
            raise NotAccepted(f"The map is not possible: {error}.") from error
        facts = [__version__, str(self._inference.device), info.id, info.revision, "sentence_map", request["set"]]
        facts += [method, str(perplexity) if method == "tsne" else "", str(request["seed"]), *table["text"]]
        return _Setup(info, table, hashlib.sha256("\n".join(facts).encode()).hexdigest()[:40])

    def identify(self, request: dict[str, Any]) -> str:
        """Hash everything that the result depends on, without the perplexity for PCA."""
        return self._checked(request).key

    def compute(self, thread: JobThread, job_id: str, request: dict[str, Any], folder: Path) -> None:
        """Design the circuits batch by batch, then make both maps."""
        setup = self._checked(request)
        model = self._inference.model(setup.info)
        parts = list[Designs]()
        for start in range(0, len(setup.table), BATCH):
            piece = setup.table.iloc[start : start + BATCH]
            parts.append(designs_of(model, piece, codes=False, turn=thread.turn))
            thread.progress(DESIGNING * start // len(setup.table), TOTAL, "designing circuits")
        options = {name: request[name] for name in ("seed", "perplexity")}
        try:
            fitting = part(thread.progress, DESIGNING, TOTAL)
            mapped = fit(_joined(parts), request["method"], separate=True, progress=fitting, **options)
        except EmbeddingError as error:
            raise NotAccepted(f"The map could not be made: {error}") from error
        facts = {"id": job_id, "model": setup.info.id, "revision": setup.info.revision, "set": request["set"]}
        _write(folder, mapped, facts)

    async def places(self, folder: Path, sentences: Sequence[str]) -> dict[str, Any]:
        """Return the positions of further sentences on the map in ``folder``.

        Raises:
            NotFound: its model is gone.
            NotAccepted: sentences that the model does not take, or a map of an earlier revision.
        """
        cleaned = clean_sentences(sentences, MAX_SENTENCE_CHARACTERS, MAX_SENTENCES)
        facts = json.loads(await asyncio.to_thread((folder / FACTS).read_text))
        info = await asyncio.to_thread(self._inference.info, facts["model"])
        if info.revision != facts["revision"]:
            raise NotAccepted("This map was made with an earlier revision of its model; ask for it again.")
        model = await asyncio.to_thread(self._inference.model, info)
        await asyncio.to_thread(check_pieces, text_of(model), list(dict.fromkeys(cleaned)))
        map_id = facts["id"]

        async def place(keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], dict[str, Any]]:
            texts = [text for _, text in keys]
            designs = await self._inference.run(partial(designs_of, model, texts, codes=False), len(texts) / 2)
            positions = await asyncio.to_thread(self._place, map_id, folder, designs)
            more = [{"sentence": text, "unknown_words": unknown_words(text_of(model), text)} for text in texts]
            return {key: position | rest for key, position, rest in zip(keys, positions, more, strict=True)}

        placed = await self._placed.find_all([(map_id, text) for text in cleaned], place)
        return {"id": map_id, "model": info.id, "places": [placed[map_id, text] for text in cleaned]}

    def _place(self, job_id: str, folder: Path, designs: Designs) -> list[dict[str, Any]]:
        mapped = self._loaded.get(job_id)
        if mapped is None:
            mapped = SentenceMap.load(folder / MAP)
            self._loaded.put(job_id, mapped, _bytes_of(mapped))
        places = mapped.place(designs, NEAREST)
        near = _near(mapped.circuits, designs.lower, places.nearest)
        text_near = _near(mapped.text, designs.text, places.text_nearest)
        return [
            {
                "xy": places.xy[row].tolist(),
                "text_xy": places.text_xy[row].tolist(),
                "nearest": near[row],
                "text_nearest": text_near[row],
            }
            for row in range(len(designs))
        ]


def _bytes_of(mapped: SentenceMap) -> int:
    """Return the bytes of a map: arrays, table, and for t-SNE the points again and a sparse matrix of neighbours."""
    count, times, neighbours = len(mapped.table), 1, 0
    if mapped.method == "tsne":
        times, neighbours = 2, 2 * min(count, round(3 * mapped.perplexity))  # affinities are symmetric
    arrays = [
        array
        for one_map in mapped.maps.values()
        for array in (one_map.reduced, one_map.xy, *vars(one_map.components).values())
        if isinstance(array, np.ndarray)
    ]
    sparse = len(mapped.maps) * count * neighbours * SPARSE_BYTES
    return times * sum(array.nbytes for array in arrays) + sparse + int(mapped.table.memory_usage(deep=True).sum())


def _near(one_map: FittedMap, vectors: np.ndarray, nearest: np.ndarray) -> list[list[dict[str, Any]]]:
    reduced = one_map.components(vectors)
    distances = np.linalg.norm(one_map.reduced[nearest].astype(np.float64) - reduced[:, None], axis=-1)
    return [
        [{"index": int(i), "distance": float(d)} for i, d in zip(indices, row, strict=True)]
        for indices, row in zip(nearest, distances, strict=True)
    ]


def _joined(parts: Sequence[Designs]) -> Designs:
    """Return the designs of all parts, one after the other."""
    arrays: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in parts]) for name in ("lower", "signatures", "text")
    }
    table = pd.concat([part.table for part in parts], ignore_index=True)
    return replace(parts[0], table=table, pieces=tuple(p for part in parts for p in part.pieces), **arrays)


def _write(folder: Path, mapped: SentenceMap, facts: dict[str, Any]) -> None:
    """Write the description of the map, and the map itself."""
    mapped.save(folder / MAP)
    table = mapped.table
    columns = {name: [_text(value) for value in table[name]] for name in ("text", *COLUMNS) if name in table}
    missing = [None] * len(table)
    points = [{name: columns.get(name, missing)[row] for name in ("text", *COLUMNS)} for row in range(len(table))]
    described = facts | {
        "set_title": SENTENCE_SETS[facts["set"]].title,
        "method": mapped.method,
        "parameters": {"perplexity": mapped.perplexity} if mapped.method == "tsne" else {},
        "seed": mapped.seed,
        "count": len(table),
        "kinds": list(dict.fromkeys(kind for kind in mapped.kinds if kind is not None)),
        "objects": list(dict.fromkeys(thing for thing in mapped.objects if thing is not None)),
        "points": points,
        "xy": mapped.xy.tolist(),
        "text_xy": mapped.text_xy.tolist(),
        "variance": {name: finite(one_map.held) for name, one_map in mapped.maps.items()},
        "trustworthiness": {name: finite(one_map.trustworthiness.value) for name, one_map in mapped.maps.items()},
        "separation": [_separation(row) for row in _rows(mapped.separation)],
    }
    (folder / FACTS).write_text(json.dumps(described, allow_nan=False))


def _text(value: Any) -> str | None:
    return None if pd.isna(value) or value == "" else str(value)


def _rows(table: pd.DataFrame | None) -> list[dict[str, Any]]:
    return [] if table is None else [{str(k): v for k, v in row.items()} for row in table.to_dict("records")]


def _separation(row: dict[str, Any]) -> dict[str, Any]:
    numbers = {name: finite(float(row[name])) for name in ("null_mean", "null_low", "null_high", "chance")}
    return {
        **{name: row[name] for name in ("space", "by", "measure")},
        **numbers,
        "map": row["of"],
        "balanced": bool(row["balanced"]),
        "value": finite(float(row["score"])),
        "count": int(row["n"]),
        "groups": int(row["groups"]),
    }


def table(folder: Path) -> str:
    """Return one csv line per sentence, below comment lines about the request."""
    facts = json.loads((folder / FACTS).read_text())
    names = ("model", "revision", "set_title", "method", "parameters", "seed", "variance", "trustworthiness")
    head = "".join(f"# {name}: {json.dumps(facts[name])}\n" for name in names)
    frame = pd.DataFrame(facts["points"], columns=["text", *COLUMNS])
    for name, positions in (("", facts["xy"]), ("text_", facts["text_xy"])):
        frame[[f"{name}x", f"{name}y"]] = np.array(positions)
    return head + str(frame.to_csv(index=False, lineterminator="\n"))
