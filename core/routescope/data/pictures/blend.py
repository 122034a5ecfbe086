"""MNIST-M's published recipe: a digit over a random crop of a photograph, |digit - crop| in every channel.

Ganin et al., "Domain-Adversarial Training of Neural Networks", JMLR 17 (2016), section 5.2.4:
I_out(i, j, k) = | I_1(i, j, k) - I_2(i, j, k) |, I_1 a digit, I_2 a patch of a colour photograph, k a channel. The
original takes its photographs from BSDS500; the stand-in takes the two that scikit-learn carries.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from jaxtyping import UInt8
from numpy.lib.stride_tricks import sliding_window_view
from PIL import Image

from routescope.assets import folder_of
from routescope.data.samples import DataError

#: A crop covers this many times the side of the digit before it is shrunk to it; each is as likely as the others.
SCALES = (1.0, 1.5, 2.0, 3.0, 4.5)

#: Crops of the validation split lie between these shares of each photograph's width, those of training outside.
VALIDATION_STRIP = (0.36, 0.62)

Photograph = UInt8[np.ndarray, "rows columns 3"]


def blend(
    digits: UInt8[np.ndarray, "sample side side"],
    photographs: Sequence[Photograph],
    seed: int,
    scales: Sequence[float] = SCALES,
) -> UInt8[np.ndarray, "sample 3 side side"]:
    """Digits over random crops of photographs: the absolute difference in every channel.

    Args:
        digits: grey, square, white on black.
        photographs: RGB; each at least as large as a digit.
        seed: crops are drawn with it, one after the other: the first samples stay the same when more follow.
        scales: sizes of a crop in sides of a digit; those for which a photograph is too small are left out for it.

    Raises:
        DataError: no photograph, or one smaller than a digit.
    """
    grounds = crops(len(digits), digits.shape[1], photographs, seed, scales)
    ones = np.broadcast_to(digits[:, None], grounds.shape)
    return np.maximum(ones, grounds) - np.minimum(ones, grounds)  # |ones - grounds| without leaving uint8


def crops(
    count: int, side: int, photographs: Sequence[Photograph], seed: int, scales: Sequence[float] = SCALES
) -> UInt8[np.ndarray, "sample 3 side side"]:
    """``count`` square crops of the photographs, randomly placed, sized and mirrored. Arguments as in :func:`blend`."""
    windows = _windows(photographs, side, scales)
    draws = np.random.default_rng(seed).random((count, 5))
    chosen = np.empty((count, 3, side, side), np.uint8)
    which = (draws[:, 0] * len(windows)).astype(int)
    for number, sizes in enumerate(windows):
        size_of = (draws[:, 1] * len(sizes)).astype(int)
        for position, view in enumerate(sizes):
            rows_of_crops = np.flatnonzero((which == number) & (size_of == position))
            rows = (draws[rows_of_crops, 2] * view.shape[0]).astype(int)
            columns = (draws[rows_of_crops, 3] * view.shape[1]).astype(int)
            chosen[rows_of_crops] = view[rows, columns]
    mirrored = draws[:, 4] < 0.5
    chosen[mirrored] = chosen[mirrored, :, :, ::-1]
    return chosen


def _windows(photographs: Sequence[Photograph], side: int, scales: Sequence[float]) -> list[list[np.ndarray]]:
    """For each photograph and scale, a view of every crop: (row, column, 3, side, side)."""
    if not photographs:
        raise DataError("a blend needs at least one photograph")
    windows = []
    for photograph in photographs:
        if photograph.ndim != 3 or photograph.shape[2] != 3 or photograph.dtype != np.uint8:
            raise DataError(f"a photograph is uint8 (rows, columns, 3); got {photograph.dtype} {photograph.shape}")
        if min(photograph.shape[:2]) < side:
            raise DataError(f"a photograph is at least {side} pixels high and wide; got {photograph.shape[:2]}")
        views = []
        for scale in scales:
            rows, columns = (int(length / scale) for length in photograph.shape[:2])
            if min(rows, columns) >= side:
                shrunk = Image.fromarray(photograph).resize((columns, rows), Image.Resampling.BOX)
                views.append(sliding_window_view(np.asarray(shrunk), (side, side), axis=(0, 1)))
        windows.append(views or [sliding_window_view(photograph, (side, side), axis=(0, 1))])
    return windows


@lru_cache(maxsize=2)
def sample_photographs(split: str) -> tuple[Photograph, ...]:
    """scikit-learn's photographs; ``train`` and ``validation`` get different regions of each."""
    folder = folder_of("sklearn") / "datasets" / "images"  # its files alone: imported, it takes 2 s and 100 MB
    regions: list[Photograph] = []
    for path in sorted(folder.glob("*.jpg")):
        with Image.open(path) as picture:
            photograph = np.asarray(picture)
        first, last = (int(photograph.shape[1] * share) for share in VALIDATION_STRIP)
        inside, outside = photograph[:, first:last], (photograph[:, :first], photograph[:, last:])
        regions += [inside] if split == "validation" else outside
    return tuple(np.ascontiguousarray(region) for region in regions)
