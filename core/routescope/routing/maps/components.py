"""Principal components of many vectors, onto which further vectors can be projected."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from jaxtyping import Float32

from routescope.assets import require
from routescope.routing.maps.methods import FEWEST_POINTS, EmbeddingError

COMPONENTS = 64
#: Up to so many features their covariance is decomposed exactly; above, a randomised method finds the components.
MOST_FEATURES = 2500
#: Sentences that are projected at once.
BLOCK = 256


@dataclass(frozen=True, eq=False)
class Components:
    """Principal components of some vectors.

    Attributes:
        mean, axes: what is subtracted, and the directions of largest variance.
        shares: share of the variance along each.
    """

    mean: Float32[np.ndarray, " feature"]
    axes: Float32[np.ndarray, "component feature"]
    shares: Float32[np.ndarray, " component"]

    @classmethod
    def of(cls, vectors: Float32[np.ndarray, "sentence feature"], seed: int) -> Self:
        """At most ``COMPONENTS`` of them.

        Raises:
            EmbeddingError: vectors of which fewer than ``FEWEST_POINTS`` differ.
        """
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
        found = (fitted.mean_, fitted.components_, fitted.explained_variance_ratio_)
        return cls(*(each.astype(np.float32) for each in found))

    def __call__(self, vectors: Float32[np.ndarray, "sentence feature"]) -> Float32[np.ndarray, "sentence component"]:
        """Coordinates of vectors along the components."""
        axes = self.axes.T.astype(np.float64)
        blocks = [vectors[start : start + BLOCK] for start in range(0, len(vectors), BLOCK)]
        return np.concatenate([((block.astype(np.float64) - self.mean) @ axes).astype(np.float32) for block in blocks])
