"""Pictures with labels: the columns of such a data set, and the checks that all of them make."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import torch
from jaxtyping import Float32, UInt8
from torch import Tensor

from routescope.data.cache import Arrays, cached
from routescope.data.samples import DataError, Rows, SampleRequest, Samples, hashes_of, positions_of

MNIST_LICENCE = "MNIST: Y. LeCun, C. Cortes, C. J. C. Burges; CC BY-SA 3.0"
FONTS_LICENCE = (
    "rendered by this project from fonts as carried by matplotlib: DejaVu (Bitstream Vera licence; changes in the"
    " public domain), STIX (STIX Fonts user licence), Computer Modern (BaKoMa fonts licence)"
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PictureSet(Samples):
    """Pictures with labels.

    Attributes:
        images: RGB in 0..255, 32 x 32 but for larger pictures of a user.
        hashes: of what each image was made from: samples with the same hash show the same digit, also across MNIST and
            MNIST-M.
    """

    columns: ClassVar[tuple[str, ...]] = (*Samples.columns, "images")

    images: UInt8[Tensor, "sample 3 side side"]

    def inputs(self, rows: Rows) -> Float32[Tensor, "row 3 side side"]:
        """Return the images at ``rows``, in that order, in 0..1."""
        return self.images[positions_of(rows)].float() / 255

    def _content(self) -> Iterable[Tensor | str]:
        return self.images, self.labels


def picture_set(request: SampleRequest, arrays: Arrays, left_out: int = 0) -> PictureSet:
    """Return pictures as the samples of a request.

    Args:
        arrays: images (N, 3, side, side), labels (N,), hashes (N,; default: of the images) and the names of classes
            (default: those of the data set).
        left_out: rows of the source that were left out.

    Raises:
        DataError: other classes or another side than the network was trained with.
    """
    info = request.info
    if "classes" in arrays:
        info = replace(info, classes=tuple(arrays["classes"].tolist()))
    images = arrays["images"][: request.limit]
    advice = "" if info.shown else f": {info.name}=FOLDER"
    if not info.shown and request.classes and info.classes != request.classes:
        raise DataError(
            f"{info.title} has other classes than training ({', '.join(request.classes[:5])}, ...); give pictures of "
            f"those{advice}"
        )
    side = images.shape[-1]
    if request.side not in (None, side):
        advice = advice and f"; give pictures, which are brought to it{advice}"
        raise DataError(
            f"{info.title}: {side} x {side} pixels, and the network takes {request.side} x {request.side}{advice}"
        )
    if "hashes" in arrays:
        hashes = tuple(arrays["hashes"][: request.limit].tolist())
    else:
        hashes = hashes_of(image.tobytes() for image in images)
    return PictureSet(
        **request.facts | {"info": info},
        images=torch.from_numpy(np.ascontiguousarray(images)),
        labels=torch.from_numpy(np.ascontiguousarray(arrays["labels"][: request.limit])),
        hashes=hashes,
        left_out=left_out,
    )


def rendered(
    request: SampleRequest,
    family: str,
    key: Mapping[str, Any],
    render: Callable[[int], Arrays],
    few: int,
    size: int | None = None,
) -> PictureSet:
    """Return the first pictures of a generated data set; more than ``few`` are kept in the cache.

    Args:
        family, key: of the cache, see ``cached``; the size of the split is part of the key.
        render: makes images (N, 3, side, side) and labels (N,) for a number of samples.
        size: of the split; None: its usual size.
    """
    size = size or request.info.splits[request.split]
    count = min(request.limit or size, size)
    arrays = render(count) if count <= few else cached(family, {**key, "count": size}, lambda: render(size))
    return picture_set(request, arrays)
