"""Maps of types: PCA, t-SNE or UMAP, one fit over all steps, so that every step has the same axes.

Types are unit vectors, for which Euclidean distance orders neighbours as cosine distance does; all three methods work
with Euclidean distance. Signatures take no part in a fit: they are placed into the finished map. PCA projects
them; for t-SNE openTSNE's ``transform`` holds all points still and optimises the newcomers against them; for UMAP they
lie at the mean of their nearest types, weighted by membership, from where umap-learn's ``transform`` starts.

t-SNE: van der Maaten & Hinton 2008, through openTSNE (Poličar et al. 2019). UMAP: McInnes et al. 2018, through
umap-learn. Trustworthiness: Venna & Kaski 2001, through scikit-learn. Both libraries are imported when first used.
"""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import pandas as pd
import xarray as xr
from jaxtyping import Float32

from routescope.assets import require
from routescope.nn.shown import short_html, short_repr
from routescope.routing.files import load_dataset, save_dataset
from routescope.routing.interactive import Interactive, InteractiveFigure
from routescope.routing.maps import methods
from routescope.routing.maps.clustering import clustering
from routescope.routing.maps.methods import FEWEST_POINTS, EmbeddingError, Method, check
from routescope.routing.maps.points import TypePoints
from routescope.routing.progress import TOTAL, Progress, part

#: Trustworthiness needs all pairs: it is measured on at most so many points, drawn with the seed.
MOST_TRUST_POINTS = 3000
#: The size of neighbourhood that trustworthiness looks at.
TRUST_NEIGHBOURS = 15


@dataclass(frozen=True)
class Trustworthiness:
    """How far the neighbours in a map are neighbours in type space, from 0 to 1 (Venna & Kaski 2001, Equation 2).

    Measured on ``points`` points, with neighbourhoods of ``neighbours``; ``pca`` is that of the PCA twin.
    """

    value: float
    pca: float
    neighbours: int
    points: int


@dataclass(frozen=True, eq=False)
class Embedding(Interactive):
    """A map of type points.

    Attributes:
        xy: places of the points.
        signatures_xy: places of the units' signatures in the same map; none where points have none.
        pca_xy, signatures_pca_xy: the PCA twin, the same points in a linear map; equal to ``xy`` for method pca.
        parameters: what the method was given, and the share of variance that the PCA twin holds.
        points: the points that were mapped.
        clustering: table of :func:`routescope.routing.maps.clustering.clustering`, where it was computed.
    """

    method: str
    xy: Float32[np.ndarray, "point 2"]
    signatures_xy: Float32[np.ndarray, "signature 2"]
    pca_xy: Float32[np.ndarray, "point 2"]
    signatures_pca_xy: Float32[np.ndarray, "signature 2"]
    trustworthiness: Trustworthiness
    parameters: dict[str, Any]
    seed: int
    points: TypePoints
    clustering: pd.DataFrame | None = None

    __repr__ = short_repr
    _repr_html_ = short_html

    def interactive_figure(self) -> InteractiveFigure | None:
        """Return the map, coloured by unit, label or data set; None for more points than a notebook holds."""
        from routescope.plots.widgets.data import types_figure

        return types_figure(self)

    def table(self) -> pd.DataFrame:
        """Return a row for each point: x, y, pca_x, pca_y, and the names of its sample, step, token, unit, label and
        domain."""
        p = self.points
        units, labels = (np.array([*names, ""]) for names in (p.units, p.labels))  # the last one stands for none, -1
        correct = p.correct.astype(bool) if (p.correct >= 0).all() else pd.array(p.correct == 1, dtype="boolean")
        if not isinstance(correct, np.ndarray):
            correct[p.correct < 0] = pd.NA
        return pd.DataFrame(
            {
                **{name: self.xy[:, axis] for axis, name in enumerate("xy")},
                **{f"pca_{name}": self.pca_xy[:, axis] for axis, name in enumerate("xy")},
                "sample": np.array(p.sample_ids)[p.sample],
                "step": np.array(p.steps)[p.step],
                "token": np.array(p.tokens)[p.token],
                "unit": units[p.unit],
                "label": labels[p.label],
                "domain": np.array(p.domains)[p.domain],
                "correct": correct,
            }
        )

    def to_dataset(self) -> xr.Dataset:
        """Return everything with named axes, as ``from_dataset`` reads it."""
        dataset = self.points.to_dataset()
        for name in ("xy", "pca_xy"):
            dataset[name] = (("point", "axis"), getattr(self, name))
        for name in ("signatures_xy", "signatures_pca_xy"):
            dataset[name] = (("unit_name", "axis"), getattr(self, name))
        facts = {
            "method": self.method,
            "seed": self.seed,
            "parameters": self.parameters,
            "trustworthiness": vars(self.trustworthiness),
            "clustering": None if self.clustering is None else json.loads(self.clustering.to_json(orient="records")),
        }
        dataset.attrs["embedding"] = json.dumps(facts)
        return dataset

    @classmethod
    def from_dataset(cls, dataset: xr.Dataset) -> Self:
        """Read a data set of ``to_dataset``."""
        facts = json.loads(dataset.attrs["embedding"])
        arrays: dict[str, Any] = {n: dataset[n].values for n in ("xy", "pca_xy", "signatures_xy", "signatures_pca_xy")}
        rest = {name: value for name, value in dataset.attrs.items() if name != "embedding"}
        points = TypePoints.from_dataset(dataset.drop_attrs(deep=False).assign_attrs(rest))
        facts["trustworthiness"] = Trustworthiness(**facts["trustworthiness"])
        if facts["clustering"] is not None:
            numbers = ("score", "null_mean", "null_low", "null_high")  # null in JSON where undefined
            facts["clustering"] = pd.DataFrame(facts["clustering"]).astype(dict.fromkeys(numbers, float))
        return cls(points=points, **arrays, **facts)

    def save(self, path: str | Path) -> Path:
        """Write one NetCDF file, which appears whole or not at all."""
        return save_dataset(self.to_dataset(), path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a file of ``save``."""
        return cls.from_dataset(load_dataset(path))

    def plot(self, colour: str = "unit", axes: np.ndarray | None = None) -> np.ndarray:
        """Draw small multiples by step, points coloured by step, sample, token, unit, label, domain or correct.

        Returns the matplotlib axes, of shape (steps, ).
        """
        from routescope.plots.embedding import plot

        return plot(self, colour, axes)


def embed(
    points: TypePoints,
    method: Method,
    *,
    seed: int = 0,
    perplexity: float = 30,
    neighbours: int = 15,
    scored: bool = False,
    progress: Progress | None = None,
) -> Embedding:
    """Return one map of all points, of all steps together.

    Args:
        seed: of all random numbers; the same seed gives the same map on the same machine and libraries.
        perplexity: of t-SNE, from 2 to a third of the points.
        neighbours: of UMAP, 2 or more.
        scored: add the clustering scores of the points, drawn with the same seed.
        progress: called with (done, total, what is done); an exception that it raises cancels.

    Raises:
        EmbeddingError: an unknown method, too few different points, or settings that do not fit them.
    """
    check(len(points), method, perplexity, neighbours)
    different = len(np.unique(points.types, axis=0))
    if different < FEWEST_POINTS:
        raise EmbeddingError(f"a map needs at least {FEWEST_POINTS} different types; here there are {different}")
    whole = progress or (lambda done, total, what: None)
    report = part(whole, 0, 900) if scored else whole
    report(0, TOTAL, "PCA")
    pca_xy, signatures_pca_xy, variance = methods.pca(points)
    parameters: dict[str, Any] = {"variance": variance, "metric": "euclidean"}
    if method == "pca":
        xy, signatures_xy = pca_xy, signatures_pca_xy
        parameters["signatures"] = "projected"
    elif method == "tsne":
        xy, signatures_xy, used = methods.tsne(points, perplexity, seed, part(report, 20, 930))
        parameters.update(used)
    else:
        xy, signatures_xy, used = methods.umap(points, neighbours, seed, part(report, 20, 930))
        parameters.update(used)
    report(940, TOTAL, "trustworthiness")
    trust = trustworthiness(points.types, xy, pca_xy, seed)
    report(TOTAL, TOTAL, "done")
    made = Embedding(method, xy, signatures_xy, pca_xy, signatures_pca_xy, trust, parameters, seed=seed, points=points)
    if not scored:
        return made
    whole(900, TOTAL, "clustering")
    made = replace(made, clustering=clustering(points, seed))
    whole(TOTAL, TOTAL, "done")
    return made


def trustworthiness(
    types: Float32[np.ndarray, "point feature"],
    xy: Float32[np.ndarray, "point 2"],
    pca_xy: Float32[np.ndarray, "point 2"],
    seed: int = 0,
) -> Trustworthiness:
    """Return the trustworthiness of a map and of its PCA twin, on at most ``MOST_TRUST_POINTS`` points drawn without
    repeats."""
    require("sklearn")
    from sklearn.manifold import trustworthiness as measure

    rows = np.arange(len(types))
    if len(rows) > MOST_TRUST_POINTS:
        rows = np.sort(np.random.default_rng(seed).choice(rows, MOST_TRUST_POINTS, replace=False))
    k = min(TRUST_NEIGHBOURS, (len(rows) - 1) // 2)
    twin = float(measure(types[rows], pca_xy[rows], n_neighbors=k))
    value = twin if xy is pca_xy else float(measure(types[rows], xy[rows], n_neighbors=k))
    return Trustworthiness(value, twin, neighbours=k, points=len(rows))
