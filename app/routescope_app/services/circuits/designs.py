"""Circuits for sentences: computed once per sentence and revision, cached in memory by bytes."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from routescope.data.statements.sentences import sentences as sentence_set
from routescope.nn.network import Network
from routescope.routing.graphs.designs import Designs, SentenceDesign, compare, designs_of, shared_layout
from routescope.routing.graphs.statistics import GraphStatistics, statistics
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.circuits.graphs import MAX_UNITS
from routescope_app.services.circuits.sentences import check_pieces, clean_sentences, text_of
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.single_flight import SingleFlight
from routescope_app.services.engine.threads import Priority
from routescope_app.services.errors import NotAccepted
from routescope_app.services.packed import finite
from routescope_app.services.reading import check_reads_statements
from routescope_app.settings import MAX_SENTENCE_CHARACTERS, MAX_SENTENCES, Settings

#: Sentences, evenly spaced in a set, whose circuits determine the layout of modules.
LAYOUT_SET, LAYOUT_SENTENCES = "scenes", 256
#: Models with cached layouts.
MOST_LAYOUTS = 32


@dataclass(frozen=True, eq=False)
class CachedDesign:
    """The circuit for one sentence.

    Attributes:
        expected: statistics of its link probabilities.
        lower: P_ij for i > j, row by row.
    """

    design: SentenceDesign
    expected: GraphStatistics
    lower: np.ndarray

    @property
    def nbytes(self) -> int:
        design = self.design
        arrays = (design.P, design.signatures, design.codes, design.text, design.text_attention, self.lower)
        return sum(array.nbytes for array in arrays if array is not None)


class CircuitDesigns:
    """Designs circuits for sentences, each once at a time."""

    def __init__(self, settings: Settings, inference: Inference) -> None:
        self._inference = inference
        self._memory = SingleFlight[tuple[str, str], CachedDesign](
            settings.memory_of("designs"), lambda design: design.nbytes, "designs"
        )
        self._layouts = SingleFlight[str, list[list[float]]](MOST_LAYOUTS)
        self._one_at_a_time = asyncio.Semaphore(1)  # communities keep a processor busy

    async def designs(self, model_id: str, sentences: Sequence[str], threshold: float) -> dict[str, Any]:
        """Return the fields of ``Designs``.

        Raises:
            NotFound: no such model.
            NotAccepted: a model that designs no circuits for sentences, or sentences that it does not take.
            Busy, OutOfMemory: from the queue.
        """
        started = time.perf_counter()
        info, designs = await self._designed(model_id, sentences)
        layout = await self.layout(info)
        described = await asyncio.to_thread(_all_described, designs, threshold)
        return {
            "model": info.id,
            "revision": info.revision,
            "threshold": threshold,
            "units": list(info.units),
            "layout": layout,
            "designs": described,
            "seconds": time.perf_counter() - started,
        }

    async def links(self, model_id: str, sentences: Sequence[str]) -> tuple[np.ndarray, int]:
        """Return lower triangles (sentence, pair), and the number of units."""
        info, designs = await self._designed(model_id, sentences)
        return np.stack([design.lower for design in designs]), len(info.units)

    async def prepare(self, info: ModelInfo) -> None:
        """Compute the layout of a model ahead of requests; raises NotAccepted as ``check_designs``."""
        check_designs(info)
        await self.layout(info)

    async def layout(self, info: ModelInfo) -> list[list[float]]:
        """Return a position for each unit, from the circuits of many sentences."""
        return await self._layouts.find(info.revision, lambda: self._laid_out(info))

    async def _laid_out(self, info: ModelInfo) -> list[list[float]]:
        model = await asyncio.to_thread(self._inference.model, info)
        texts = list(sentence_set(LAYOUT_SET)["text"])
        evenly = np.linspace(0, len(texts) - 1, min(LAYOUT_SENTENCES, len(texts))).astype(int)
        work = partial(designs_of, model, [texts[i] for i in evenly], codes=False)
        designs = await self._inference.run(work, priority=Priority.JOB)
        async with self._one_at_a_time:
            positions = await asyncio.to_thread(shared_layout, designs)
        return [[float(x) for x in position] for position in positions]

    async def _designed(self, model_id: str, sentences: Sequence[str]) -> tuple[ModelInfo, list[CachedDesign]]:
        cleaned = clean_sentences(sentences, MAX_SENTENCE_CHARACTERS, MAX_SENTENCES)
        info = await asyncio.to_thread(self._inference.info, model_id)
        check_designs(info)
        if len(info.units) > MAX_UNITS:
            raise NotAccepted(f"Circuits of up to {MAX_UNITS} modules are shown; this model has more.")
        model = await asyncio.to_thread(self._inference.model, info)
        await asyncio.to_thread(check_pieces, text_of(model), list(dict.fromkeys(cleaned)))
        keys = [(info.revision, text) for text in cleaned]
        designs = await self._memory.find_all(keys, partial(self._compute, model))
        return info, [designs[key] for key in keys]

    async def _compute(self, model: Network, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], CachedDesign]:
        """Design circuits by (revision, sentence); statistics run elsewhere, so that other networks run meanwhile."""
        work = partial(designs_of, model, [text for _, text in keys], text_attention=True)
        designs = await self._inference.run(work, len(keys) / 2)
        async with self._one_at_a_time:
            cached = await asyncio.to_thread(_all_designed, designs)
        return dict(zip(keys, cached, strict=True))


def check_designs(info: ModelInfo) -> None:
    """Raise NotAccepted for a model that designs no circuits for sentences."""
    check_reads_statements(info)
    if not info.designs_circuits:
        raise NotAccepted("This model designs no circuits from sentences; conditional circuits do.")


def _all_designed(designs: Designs) -> list[CachedDesign]:
    pairs = zip(designs, designs.lower, strict=True)
    return [CachedDesign(design, statistics(design.P, samples=0), lower) for design, lower in pairs]


def _all_described(designs: Sequence[CachedDesign], threshold: float) -> list[dict[str, Any]]:
    """Return the fields of ``SentenceDesign`` for each design, compared with the first."""
    return [_described(design, designs[0] if row else None, threshold) for row, design in enumerate(designs)]


def _described(cached: CachedDesign, first: CachedDesign | None, threshold: float) -> dict[str, Any]:
    design, expected = cached.design, cached.expected
    return {
        "sentence": design.sentence,
        "pieces": [{"text": text, "known": known} for text, known in design.pieces],
        "connectivity": design.P.sum(axis=1, dtype=np.float64).tolist(),
        "mean_degree": expected.mean_degree,
        "density": expected.density,
        "links_above": int((cached.lower > threshold).sum()),
        "modularity": finite(expected.modularity),
        "communities": expected.communities.tolist(),
        "text_attention": None if design.text_attention is None else design.text_attention.tolist(),
        "to_first": None if first is None else _change(first.design, design, threshold),
    }


def _change(first: SentenceDesign, other: SentenceDesign, threshold: float) -> dict[str, Any]:
    change = compare(first, other, threshold)
    return {
        "gained": len(change.gained),
        "lost": len(change.lost),
        "mean_change": change.mean_change,
        "correlation": finite(change.correlation),
        "module_change": change.module_change.tolist(),
        "code_change": None if change.code_change is None else change.code_change.tolist(),
    }
