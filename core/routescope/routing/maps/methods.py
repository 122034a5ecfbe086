"""Methods that make maps (PCA, t-SNE, UMAP): each maps the points and then places further ones.

:mod:`routescope.routing.maps.embedding` describes maps and their quality.
"""

import os
import re
import warnings
from typing import Any, Literal, get_args

import numpy as np
from jaxtyping import Float, Float32

from routescope.assets import require
from routescope.routing.maps.points import TypePoints
from routescope.routing.progress import Progress

Method = Literal["pca", "tsne", "umap"]
TITLES = {"pca": "PCA", "tsne": "t-SNE", "umap": "UMAP"}
Map = Float32[np.ndarray, "point 2"]
Vectors = Float[np.ndarray, "point feature"]
#: Positions of the signatures of points without any.
NOTHING = np.zeros((0, 2), np.float32)
EARLY_ITERATIONS, ITERATIONS = 250, 500
#: Nearest points that pull at a newcomer, such as a signature, that t-SNE places.
SIGNATURE_PERPLEXITY = 5
SIGNATURE_ITERATIONS = 250
#: With fewer points, threads that wait for each other cost more than they gain.
WORTH_THREADS = 5000
#: Below this many points umap-learn compares all pairs itself and wants no neighbours given.
SMALL_FOR_UMAP = 4096
#: Fewer points make no map.
FEWEST_POINTS = 10


class EmbeddingError(ValueError):
    """Points or settings of which no map can be made; the message says what would be accepted."""


def check(count: int, method: str, perplexity: float, neighbours: int) -> None:
    """Raise EmbeddingError when a method cannot map so many points with these settings."""
    if method not in get_args(Method):
        raise EmbeddingError(f"method must be one of {', '.join(get_args(Method))}, not {method!r}")
    if count < FEWEST_POINTS:
        raise EmbeddingError(f"a map needs at least {FEWEST_POINTS} points, not {count}")
    if method == "tsne" and not 2 <= perplexity <= (count - 1) / 3:
        raise EmbeddingError(
            f"perplexity must be from 2 to a third of the points, here {(count - 1) / 3:.0f}, not {perplexity:g}"
        )
    if method == "umap" and not 2 <= neighbours <= count - 1:
        raise EmbeddingError(f"neighbours must be from 2 to {count - 1} for {count} points, not {neighbours}")


def cores() -> int:
    """Return the number of threads to compute with: those that this process may run on, or OMP_NUM_THREADS."""
    limit = os.environ.get("OMP_NUM_THREADS", "")
    may = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(may, int(limit))) if limit.isdigit() else may


def pca(points: TypePoints) -> tuple[Map, Map, list[float]]:
    """Return points and signatures along the two directions of largest variance, and each direction's share of the
    variance."""
    require("sklearn")
    from sklearn.decomposition import PCA

    fitted = PCA(n_components=2, svd_solver="full").fit(points.types.astype(np.float64))
    variance = fitted.explained_variance_ratio_
    xy, signatures = (
        fitted.transform(vectors).astype(np.float32) if len(vectors) else NOTHING
        for vectors in (points.types, points.signatures)
    )
    return xy, signatures, [float(share) for share in variance]


def _exact_neighbours(vectors: Vectors, perplexity: float, threads: int) -> Any:
    """openTSNE's index of exact neighbours: seconds for 20,000 points.

    It is handed over ready: by its name, "exact", openTSNE would load pynndescent before it looks which index was
    meant, and that one first compiles itself for half a minute.
    """
    require("openTSNE")
    from openTSNE.nearest_neighbors import Sklearn

    return Sklearn(vectors, k=min(len(vectors) - 1, int(3 * perplexity)), metric="euclidean", n_jobs=threads)


def fit_tsne(vectors: Vectors, perplexity: float, seed: int, progress: Progress) -> Any:
    """Return openTSNE's map of some vectors, from a PCA start; ``place_tsne`` places further ones."""
    require("openTSNE")
    from openTSNE import TSNE
    from openTSNE.affinity import MultiscaleMixture

    total = EARLY_ITERATIONS + ITERATIONS
    phase = {"before": 0}  # openTSNE counts every phase from 1

    def callback(iteration: int, error: float, embedding: Any) -> bool:
        if iteration <= phase.get("last", 0):
            phase["before"] = EARLY_ITERATIONS
        phase["last"] = iteration
        progress(100 + 800 * (phase["before"] + iteration) // total, 1000, "t-SNE iterations")
        return False

    progress(0, 1000, "neighbours")
    threads = cores() if len(vectors) >= WORTH_THREADS else 1
    neighbours = _exact_neighbours(vectors, perplexity, threads)
    affinities = MultiscaleMixture(knn_index=neighbours, perplexities=perplexity, n_jobs=threads)
    fitted = TSNE(
        early_exaggeration_iter=EARLY_ITERATIONS,
        n_iter=ITERATIONS,
        initialization="pca",
        n_jobs=threads,
        callbacks=callback,
        callbacks_every_iters=10,
        random_state=seed,
    ).fit(vectors, affinities)
    fitted.prepare_interpolation_grid()  # which moves the whole map: now, or it would move between two placings
    return fitted


def finished_tsne(vectors: Vectors, xy: Map, seed: int) -> Any:
    """Return the object of ``fit_tsne`` from the vectors and positions of a finished map, for ``place_tsne`` alone."""
    require("openTSNE")
    from openTSNE import TSNEEmbedding
    from openTSNE.affinity import PerplexityBasedNN

    neighbours = _exact_neighbours(vectors, SIGNATURE_PERPLEXITY, 1)
    affinities = PerplexityBasedNN(knn_index=neighbours, perplexity=SIGNATURE_PERPLEXITY)
    fitted = TSNEEmbedding(xy.astype(np.float64), affinities, random_state=seed)
    fitted.prepare_interpolation_grid()
    return fitted


def place_tsne(fitted: Any, vectors: Vectors) -> Map:
    """Return the positions of further vectors in a finished map, whose points stay still (openTSNE's transform)."""
    placed = fitted.prepare_partial(
        vectors, initialization="median", k=min(25, len(fitted)), perplexity=SIGNATURE_PERPLEXITY
    )
    placed.optimize(
        SIGNATURE_ITERATIONS,
        learning_rate=0.1,
        exaggeration=1.5,
        momentum=0.8,
        max_grad_norm=0.25,
        negative_gradient_method="fft",
        inplace=True,
        use_callbacks=False,
        callbacks=None,
    )
    return np.asarray(placed, dtype=np.float32)


def tsne(points: TypePoints, perplexity: float, seed: int, progress: Progress) -> tuple[Map, Map, dict[str, Any]]:
    """Map by t-SNE from a PCA start; signatures by openTSNE's ``transform`` against the finished map."""
    fitted = fit_tsne(points.types, perplexity, seed, progress)
    used = {
        "perplexity": perplexity,
        "iterations": EARLY_ITERATIONS + ITERATIONS,
        "initialisation": "pca",
        "kl_divergence": float(fitted.kl_divergence),
    }
    if not len(points.signatures):
        return np.asarray(fitted, dtype=np.float32), NOTHING, used
    progress(900, 1000, "placing signatures")
    used["signatures"] = "placed against the finished map (openTSNE transform)"
    return np.asarray(fitted, dtype=np.float32), place_tsne(fitted, points.signatures), used


class _Epochs:
    """The file that umap-learn's progress bar writes to, and the arguments of its lock: reads the epoch.

    A bar keeps the lock of all bars for ever where its file raises. What ``progress`` raises is therefore remembered,
    and raised when the bar next asks whether its lock has arguments, which it does before it takes it.
    """

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.raised: BaseException | None = None

    def write(self, text: str) -> None:
        """Report ``epoch/epochs``."""
        match = re.search(r"(\d+)/(\d+)", text)
        if match and self.raised is None:
            done, total = int(match[1]), int(match[2])
            try:
                self.progress(200 + 600 * done // max(1, total), 1000, "UMAP epochs")
            except BaseException as error:
                self.raised = error

    def flush(self) -> None:
        """Nothing is held back."""

    def check(self) -> None:
        """Raise what ``progress`` raised."""
        if self.raised is not None:
            raise self.raised

    def __bool__(self) -> bool:
        """Return False, as without arguments; raises as ``check``."""
        self.check()
        return False


def umap(points: TypePoints, neighbours: int, seed: int, progress: Progress) -> tuple[Map, Map, dict[str, Any]]:
    """Map by UMAP from a spectral start, on exact nearest neighbours.

    A signature is placed at the mean of its nearest types, weighted by UMAP's membership strengths: where umap-learn's
    own ``transform`` starts from, which would first build an approximate index for longer than the map takes.
    """
    progress(0, 1000, "loading UMAP")
    require("umap", "sklearn")
    from umap import UMAP
    from umap.umap_ import compute_membership_strengths, smooth_knn_dist

    progress(50, 1000, "neighbours")
    from sklearn.neighbors import NearestNeighbors

    search = NearestNeighbors(n_neighbors=neighbours, algorithm="brute", n_jobs=cores()).fit(points.types)
    distances, indices = search.kneighbors(points.types)
    options = {"precomputed_knn": (indices, distances.astype(np.float32))} if len(points) >= SMALL_FOR_UMAP else {}
    progress(150, 1000, "spectral start")
    epochs = _Epochs(progress)
    progress_options = {"file": epochs, "lock_args": epochs}
    bar = progress_options | {"disable": False, "bar_format": "{n_fmt}/{total_fmt} ", "mininterval": 0.2}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "n_jobs value")  # a seeded UMAP runs on one thread
        warnings.filterwarnings("ignore", "Spectral initiali[sz]ation failed")
        fitted = UMAP(
            n_neighbors=neighbours, metric="euclidean", random_state=seed, n_jobs=1, tqdm_kwds=bar, **options
        ).fit(points.types)
    epochs.check()
    used = {
        "neighbours": neighbours,
        "least_distance": float(fitted.min_dist),
        "initialisation": "spectral",
    }
    if not len(points.signatures):
        return fitted.embedding_.astype(np.float32), NOTHING, used
    progress(950, 1000, "placing signatures")
    distances, indices = (
        array.astype(kind)
        for array, kind in zip(search.kneighbors(points.signatures), (np.float32, np.int32), strict=True)
    )
    sigma, rho = smooth_knn_dist(distances, float(neighbours), local_connectivity=0.0)
    _, _, strength, _ = compute_membership_strengths(indices, distances, sigma, rho, bipartite=True)
    weight = strength.reshape(indices.shape).astype(np.float64)
    weight /= weight.sum(axis=1, keepdims=True)
    placed = (weight[:, :, None] * fitted.embedding_[indices]).sum(axis=1)
    used["signatures"] = "mean of the nearest types, weighted by membership"
    return fitted.embedding_.astype(np.float32), placed.astype(np.float32), used
