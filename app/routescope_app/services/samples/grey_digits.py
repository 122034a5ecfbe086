"""Stored pictures as grey digits of 28 x 28 pixels, as MNIST has them."""

import numpy as np
from jaxtyping import UInt8
from PIL import Image

from routescope.data.pictures.digits import shown_digits, split_indices
from routescope.data.pictures.sizing import INK, MNIST_SIDE, mnist_digit, opaque
from routescope_app.services.samples.samples import Samples

#: The data set whose pictures are such digits.
DIGITS = "mnist"


def digit_of(samples: Samples, sample_id: str) -> UInt8[np.ndarray, "28 28"]:
    """Return the picture of a sample as a light digit on black; blocks.

    Digits of MNIST stay as published. Drawings, and pictures with an edge of one level, are normalised as in MNIST:
    cropped, fitted into 20 x 20, centred by mass. Other pictures are reduced as a whole, and inverted if their edge is
    light.

    Raises:
        NotFound: no such sample.
    """
    sample = samples.get(sample_id)
    if sample.set == DIGITS:
        _, split, index = sample_id.split(".")
        digit: UInt8[np.ndarray, "28 28"] = shown_digits()[0][split_indices(split)[int(index)]]
        return digit
    picture = samples.open_picture(sample_id)
    return mnist_digit(picture) if sample.origin == "drawing" else as_digit(picture)


def as_digit(picture: Image.Image) -> UInt8[np.ndarray, "28 28"]:
    """Return a picture of any size as a digit; all black if the picture is empty."""
    grey = opaque(picture).convert("L")
    levels = np.asarray(grey).astype(np.int16)
    edge = np.concatenate([levels[0], levels[-1], levels[:, 0], levels[:, -1]])
    ground = int(np.median(edge))
    if grey.size == (MNIST_SIDE, MNIST_SIDE):
        return _light_on_dark(levels, ground)
    if int(edge.max()) - int(edge.min()) <= INK:
        strokes = np.abs(levels - ground)
        if strokes.max(initial=0) > INK:
            full = strokes * (255 / max(ground, 255 - ground))
            return mnist_digit(Image.fromarray(full.clip(0, 255).round().astype(np.uint8)))
        return np.zeros((MNIST_SIDE, MNIST_SIDE), np.uint8)
    small = grey.resize((MNIST_SIDE, MNIST_SIDE), Image.Resampling.BILINEAR)
    return _light_on_dark(np.asarray(small).astype(np.int16), ground)


def _light_on_dark(levels: np.ndarray, ground: int) -> UInt8[np.ndarray, "28 28"]:
    return (255 - levels if ground > 127 else levels).astype(np.uint8)
