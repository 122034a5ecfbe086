"""Maps of sentences: by the circuits that they give, and by the text encoder's own embedding.

As in Figures 6, 16 and 17 of the paper: the lower triangle of P (Equation 2) -> PCA to 64 dimensions -> t-SNE, and the
text encoder's pooled embedding the same way. Method ``pca`` shows the first two of the 64 dimensions instead.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Self, get_args

import numpy as np
import pandas as pd
import xarray as xr
from jaxtyping import Float, Float32, Int

from routescope.assets import require
from routescope.routing.files import load_dataset, save_dataset
from routescope.routing.graphs.designs import Designs
from routescope.routing.maps.embedding import Trustworthiness, trustworthiness
from routescope.routing.maps.methods import (
    FEWEST_POINTS,
    TITLES,
    EmbeddingError,
    check,
    finished_tsne,
    fit_tsne,
    place_tsne,
)
from routescope.routing.maps.separation import separation
from routescope.routing.progress import TOTAL, Progress, part

COMPONENTS = 64
#: Up to so many features their covariance is decomposed exactly; above, a randomised method finds the components.
MOST_FEATURES = 2500
#: Sentences that are projected at once.
BLOCK = 256


@dataclass(frozen=True, eq=False)
class Components:
    """Principal components of some vectors.

    Attributes:
        mean, axes: the subtracted mean, and the directions of largest variance.
        shares: share of the variance along each.
    """

    mean: Float32[np.ndarray, " feature"]
    axes: Float32[np.ndarray, "component feature"]
    shares: Float32[np.ndarray, " component"]

    @classmethod
    def of(cls, vectors: Float32[np.ndarray, "sentence feature"], seed: int) -> Self:
        """Fit up to ``COMPONENTS`` components; raises EmbeddingError if fewer than ``FEWEST_POINTS`` vectors differ."""
        require("sklearn")
        from sklearn.decomposition import PCA

        different = len(np.unique(vectors, axis=0))
        if different < FEWEST_POINTS:
            raise EmbeddingError(
                f"a map needs sentences with at least {FEWEST_POINTS} different circuits and as many different"
                f" embeddings; here there are {different}"
            )
        count = min(COMPONENTS, len(vectors) - 1, vectors.shape[1])
        exact = vectors.shape[1] <= MOST_FEATURES
        fitted = PCA(count, svd_solver="covariance_eigh" if exact else "randomized", random_state=seed)
        fitted.fit(vectors.astype(np.float64))
        arrays = (fitted.mean_, fitted.components_, fitted.explained_variance_ratio_)
        return cls(*(array.astype(np.float32) for array in arrays))

    def __call__(self, vectors: Float32[np.ndarray, "sentence feature"]) -> Float32[np.ndarray, "sentence component"]:
        """Return the coordinates of vectors along the components."""
        axes = self.axes.T.astype(np.float64)
        blocks = [vectors[start : start + BLOCK] for start in range(0, len(vectors), BLOCK)]
        return np.concatenate([((block.astype(np.float64) - self.mean) @ axes).astype(np.float32) for block in blocks])


Method = Literal["tsne", "pca"]
#: The two maps of a set of sentences.
CIRCUITS, TEXT = "circuits", "text"
#: Groupings whose separation is measured.
GROUPINGS = ("kind", "object")
#: Sentences closer than this share of the spread are one in a map: what rounding tells apart.
SAME = 1e-4


@dataclass(frozen=True, eq=False)
class FittedMap:
    """One of the two maps of a set of sentences.

    Attributes:
        components: of the mapped vectors.
        reduced: the sentences' coordinates along them, for neighbours and separation.
        xy: their positions in the map.
        trustworthiness: of the map, for neighbours in ``reduced``; ``pca`` is that of the first two components.
    """

    components: Components
    reduced: Float32[np.ndarray, "sentence component"]
    xy: Float32[np.ndarray, "sentence 2"]
    trustworthiness: Trustworthiness

    @property
    def held(self) -> float:
        """Share of the variance that the components hold together."""
        return float(self.components.shares.sum(dtype=np.float64))


@dataclass(frozen=True, eq=False)
class Placement:
    """Positions of further sentences.

    Attributes:
        xy, text_xy: in the map of circuits and in that of the text encoder.
        nearest, text_nearest: the nearest sentences of the set, nearest first, among the principal components of each
            map.
    """

    xy: Float32[np.ndarray, "newcomer 2"]
    text_xy: Float32[np.ndarray, "newcomer 2"]
    nearest: Int[np.ndarray, "newcomer neighbour"]
    text_nearest: Int[np.ndarray, "newcomer neighbour"]


@dataclass(frozen=True, eq=False)
class SentenceMap:
    """The two maps of a set of sentences.

    Attributes:
        table: a row for each sentence, with ``text`` and further columns (kind, object, ...).
        circuits, text: the map by circuits, and by the text encoder.
        method, seed, perplexity: how they were made; the perplexity is that of t-SNE.
        attrs: model and revision.
        separation: table of ``separated``, where it was measured.
    """

    table: pd.DataFrame
    circuits: FittedMap
    text: FittedMap
    method: str
    seed: int
    perplexity: float
    attrs: dict[str, str]
    separation: pd.DataFrame | None = None

    @property
    def maps(self) -> Mapping[str, FittedMap]:
        """Both maps by name."""
        return {CIRCUITS: self.circuits, TEXT: self.text}

    @property
    def xy(self) -> Float32[np.ndarray, "sentence 2"]:
        """Positions by circuits."""
        return self.circuits.xy

    @property
    def text_xy(self) -> Float32[np.ndarray, "sentence 2"]:
        """Positions by the text encoder."""
        return self.text.xy

    @property
    def kinds(self) -> tuple[str | None, ...]:
        """Kind of reasoning of each sentence."""
        return _column(self.table, "kind")

    @property
    def objects(self) -> tuple[str | None, ...]:
        """Object of each sentence."""
        return _column(self.table, "object")

    @cached_property
    def _fitted(self) -> dict[str, Any]:
        """openTSNE's own object of each map, made from the stored positions, so that a map from a file places alike."""
        return {name: finished_tsne(one_map.reduced, one_map.xy, self.seed) for name, one_map in self.maps.items()}

    def place(self, designs: Designs, neighbours: int = 5) -> Placement:
        """Return the positions of further sentences, of the same model, in the finished maps.

        PCA projects them; t-SNE optimises their positions against the map, whose points stay still. A sentence whose
        circuit (or embedding) is that of a sentence of the set lands on its point.

        Raises:
            EmbeddingError: designs of another number of modules.
        """
        landed = {}
        for name, vectors in ((CIRCUITS, designs.lower), (TEXT, designs.text)):
            one_map = self.maps[name]
            if vectors.shape[1] != len(one_map.components.mean):
                raise EmbeddingError("the sentences that are placed need circuits of the model that the map is of")
            reduced = one_map.components(vectors)
            # one at a time: where a sentence lands does not depend on what else is placed
            places = [self._place(name, row[None]) for row in reduced]
            landed[name] = (
                np.concatenate([pair[0] for pair in places]),
                np.concatenate([pair[1] for pair in places])[:, :neighbours],
            )
        return Placement(landed[CIRCUITS][0], landed[TEXT][0], landed[CIRCUITS][1], landed[TEXT][1])

    def _place(self, name: str, reduced: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the position of one newcomer, and the sentences of the set in the order of their distance."""
        one_map = self.maps[name]
        squares = ((one_map.reduced.astype(np.float64) - reduced) ** 2).sum(axis=1)
        order = np.argsort(squares, kind="stable")
        spread = float(one_map.reduced.astype(np.float64).var(axis=0).sum())
        if squares[order[0]] <= SAME**2 * spread:
            return one_map.xy[order[:1]], order[None]
        if self.method == "pca":
            return reduced[:, :2], order[None]
        return place_tsne(self._fitted[name], reduced), order[None]

    def save(self, path: str | Path) -> Path:
        """Write one NetCDF file, which appears whole or not at all."""
        arrays: dict[str, Any] = {"rows": (("sentence",), [json.dumps(row) for row in self.table.to_dict("records")])}
        for name, one_map in self.maps.items():
            axes = {"component": f"{name}_component", "feature": f"{name}_feature"}
            arrays[f"{name}_mean"] = (axes["feature"], one_map.components.mean)
            arrays[f"{name}_axes"] = ((axes["component"], axes["feature"]), one_map.components.axes)
            arrays[f"{name}_shares"] = (axes["component"], one_map.components.shares)
            arrays[f"{name}_reduced"] = (("sentence", axes["component"]), one_map.reduced)
            arrays[f"{name}_xy"] = (("sentence", "axis"), one_map.xy)
        facts = {
            "method": self.method,
            "seed": self.seed,
            "perplexity": self.perplexity,
            "attrs": self.attrs,
            "trustworthiness": {name: vars(one_map.trustworthiness) for name, one_map in self.maps.items()},
            "separation": None if self.separation is None else self.separation.to_dict("records"),
        }
        return save_dataset(xr.Dataset(arrays, attrs={"sentence_map": json.dumps(facts)}), path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a file of ``save``."""
        stored = load_dataset(path)
        facts = json.loads(stored.attrs["sentence_map"])
        trust, table = facts.pop("trustworthiness"), facts.pop("separation")
        maps = {
            name: FittedMap(
                Components(*(stored[f"{name}_{field}"].values for field in ("mean", "axes", "shares"))),
                stored[f"{name}_reduced"].values,
                stored[f"{name}_xy"].values,
                Trustworthiness(**trust[name]),
            )
            for name in (CIRCUITS, TEXT)
        }
        return cls(
            table=pd.DataFrame([json.loads(row) for row in stored["rows"].values]),
            separation=None if table is None else pd.DataFrame(table),
            circuits=maps[CIRCUITS],
            text=maps[TEXT],
            **facts,
        )

    def plot(self, colour: str = "kind", axes: np.ndarray | None = None) -> np.ndarray:
        """Draw both maps side by side, sentences coloured by kind, object or another column of the table."""
        from routescope.plots.sentences import plot

        return plot(self, colour, axes)


def _column(table: pd.DataFrame, name: str) -> tuple[str | None, ...]:
    if name not in table:
        return (None,) * len(table)
    return tuple(None if pd.isna(value) or value == "" else str(value) for value in table[name])


def fit(
    designs: Designs,
    method: Method = "tsne",
    *,
    seed: int = 0,
    perplexity: float = 30,
    separate: bool = False,
    progress: Progress | None = None,
) -> SentenceMap:
    """Return both maps of a set of sentences; the same designs and seed give the same maps, bit by bit.

    Args:
        seed: of all random numbers.
        perplexity: of t-SNE, from 2 to a third of the sentences.
        separate: add the table of ``separated``.
        progress: called with (done, total, what is done); an exception that it raises cancels.

    Raises:
        EmbeddingError: an unknown method, too few different circuits or embeddings, or a perplexity that does not fit
            their number.
    """
    if method not in get_args(Method):
        raise EmbeddingError(f"method must be one of {', '.join(get_args(Method))}, not {method!r}")
    check(len(designs), method, perplexity, 2)
    whole = progress or (lambda done, total, what: None)
    report = part(whole, 0, 850) if separate else whole
    half = TOTAL // 2
    circuits = _one(designs.lower, method, seed, perplexity, part(report, 0, half), "circuits")
    text = _one(designs.text, method, seed, perplexity, part(report, half, TOTAL), "text encoder")
    report(TOTAL, TOTAL, "done")
    mapped = SentenceMap(designs.table, circuits, text, method, seed, float(perplexity), designs.attrs)
    if not separate:
        return mapped
    table = separated(mapped, lambda done, of, what: whole(850 + 150 * done // of, TOTAL, what))
    whole(TOTAL, TOTAL, "done")
    return replace(mapped, separation=table)


def _one(
    vectors: Float[np.ndarray, "sentence feature"],
    method: Method,
    seed: int,
    perplexity: float,
    progress: Progress,
    of: str,
) -> FittedMap:
    def report(done: int, total: int, what: str) -> None:
        progress(done, total, f"{of}: {what}")

    report(0, TOTAL, TITLES["pca"])
    components = Components.of(vectors, seed)
    reduced = components(vectors)
    if method == "pca":
        xy = reduced[:, :2]
    else:
        xy = np.asarray(fit_tsne(reduced, perplexity, seed, part(report, 100, 900)), dtype=np.float32)
    report(900, TOTAL, "trustworthiness")
    return FittedMap(components, reduced, xy, trustworthiness(reduced, xy, reduced[:, :2], seed))


def separated(mapped: SentenceMap, progress: Progress | None = None) -> pd.DataFrame:
    """Return how far sentences of one kind, or about one object, lie apart from others: see ``separation``.

    Args:
        progress: called with (done, total, what is done) before each of the four spaces; an exception cancels.

    Returns:
        Its columns behind ``of`` ("circuits" or "text") and ``space`` ("full": the principal components; "map").
    """
    labellings = {by: _column(mapped.table, by) for by in GROUPINGS}
    spaces = [
        (name, space, points)
        for name, one_map in mapped.maps.items()
        for space, points in (("full", one_map.reduced), ("map", one_map.xy))
    ]
    tables = []
    for done, (name, space, points) in enumerate(spaces):
        if progress is not None:
            progress(done, len(spaces), "separation")
        tables.append(separation(points, labellings, seed=mapped.seed).assign(of=name, space=space))
    table = pd.concat(tables, ignore_index=True)
    return table[["of", "space", *(column for column in table.columns if column not in ("of", "space"))]]
