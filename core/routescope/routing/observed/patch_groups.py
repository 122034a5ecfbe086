"""Groups of patches that look alike: the input features that specialisation is compared with."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from jaxtyping import Float32, Int, UInt8
from torch import Tensor

from routescope.assets import require
from routescope.data import Dataset
from routescope.data.dataset import LabelledSamples
from routescope.nn.network import Network

#: Groups are found on the patches of so many samples, spread evenly over the data sets.
FITTED_SAMPLES = 100


@dataclass(frozen=True, eq=False)
class PatchGroups:
    """k-means groups of the pixels of patches.

    Attributes:
        centres: the mean patch of each group, pixels in [0, 1].
        grid: rows and columns of patches in an image.
        tokens: positions of the patches among the model's tokens, row by row; ``count`` tokens in all.
    """

    centres: Float32[np.ndarray, "group pixel"]
    grid: tuple[int, int]
    tokens: Int[np.ndarray, " patch"]
    count: int

    @classmethod
    def fit(
        cls, model: Network, datasets: Sequence[LabelledSamples], counts: Sequence[int], groups: int, seed: int = 0
    ) -> Self | None:
        """Groups of the patches of the first ``counts`` samples; None where tokens are no grid of patches of images."""
        tokens = np.array([i for i, token in enumerate(model.tokens) if token.startswith("patch:")], np.int64)
        rows, columns = model.config.grid
        shown = [dataset for dataset in datasets if isinstance(dataset, Dataset)]
        if not len(tokens) or len(tokens) != rows * columns or len(shown) < len(datasets):
            return None
        share = -(-FITTED_SAMPLES // len(shown))
        chosen = [
            dataset.images[np.unique(np.linspace(0, count - 1, min(count, share)).astype(int))]
            for dataset, count in zip(shown, counts, strict=True)
            if count
        ]
        patches = np.concatenate([cut(images, (rows, columns)) for images in chosen])
        pixels = patches.reshape(-1, patches.shape[-1])
        distinct = len(np.unique(pixels, axis=0))
        if min(groups, distinct) < 2:
            return None
        require("sklearn")
        from sklearn.cluster import KMeans

        fitted = KMeans(min(groups, distinct), n_init=1, random_state=seed).fit(pixels)
        return cls(fitted.cluster_centers_.astype(np.float32), (rows, columns), tokens, len(model.tokens))

    def of(self, images: UInt8[Tensor, "sample 3 side side"]) -> Int[np.ndarray, "sample token"]:
        """The group of every token; -1 for tokens that are no patches."""
        patches = cut(images, self.grid)
        near = patches @ self.centres.T - (self.centres**2).sum(axis=1) / 2  # largest where the centre is nearest
        groups = np.full((len(images), self.count), -1, np.int64)
        groups[:, self.tokens] = near.argmax(axis=-1)
        return groups


def cut(
    images: UInt8[Tensor, "sample 3 side side"], grid: tuple[int, int]
) -> Float32[np.ndarray, "sample patch pixel"]:
    """Patches of images in 0..255, row by row, pixels in [0, 1]."""
    pixels = images.numpy().astype(np.float32) / 255
    B, c, height, width = pixels.shape
    rows, columns = grid
    parts = pixels.reshape(B, c, rows, height // rows, columns, width // columns)
    return parts.transpose(0, 2, 4, 1, 3, 5).reshape(B, rows * columns, -1)
