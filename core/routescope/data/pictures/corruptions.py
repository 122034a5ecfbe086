"""Corruptions and renditions of a user's pictures: a stand-in for pictures out of distribution, computed from them.

Noise, blur and digital corruptions are kinds of Hendrycks and Dietterich (2019), each at one strength, about the third
of their five for CIFAR-10. Renditions keep shapes and lose colours or surfaces, as Tiny-ImageNet-R does; their pictures
are computed, not drawn by artists. Samples take turns: sample i gets kind i modulo 12, so each kind has as many.
"""

import hashlib
import io
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from jaxtyping import Float64, UInt8
from PIL import Image, ImageFilter, ImageOps

from routescope.data.cache import cached
from routescope.data.pictures import folders
from routescope.data.pictures.sets import PictureSet, picture_set
from routescope.data.samples import SampleRequest

#: Begins a source of corrupted pictures: ``corrupted:FOLDER``.
PREFIX = "corrupted:"
SEED = 67
#: Raise it when the pictures change: older ones are then never taken from the cache.
LAYOUT = 1

Picture = Float64[np.ndarray, "side side 3"]


def _of_image(change: Callable[[Image.Image], Image.Image]) -> Callable[[Picture, np.random.Generator], Picture]:
    """Return a corruption of an array that changes a PIL image."""

    def corrupt(picture: Picture, _: np.random.Generator) -> Picture:
        image = Image.fromarray((255 * picture).round().astype(np.uint8))
        return np.asarray(change(image).convert("RGB"), np.float64) / 255

    return corrupt


def _impulse(picture: Picture, random: np.random.Generator) -> Picture:
    """Return a picture of which 3 % of the numbers are 0 or 1."""
    draw = random.uniform(size=picture.shape)
    return np.where(draw < 0.015, 0.0, np.where(draw < 0.03, 1.0, picture))


def _motion_blur(picture: Picture, random: np.random.Generator) -> Picture:
    """Return a picture blurred over 15 % of its side, along rows or columns."""
    length, axis = round(0.15 * len(picture)), int(random.integers(2))
    padding = [(0, 0)] * 3
    padding[axis] = (length // 2, length - 1 - length // 2)
    return np.lib.stride_tricks.sliding_window_view(np.pad(picture, padding, "edge"), length, axis).mean(axis=-1)


def _gaussian_blur(image: Image.Image) -> Image.Image:
    return image.filter(ImageFilter.GaussianBlur(0.03 * image.width))


def _pixelate(image: Image.Image) -> Image.Image:
    small = image.resize((image.width * 5 // 8, image.height * 5 // 8), Image.Resampling.BOX)
    return small.resize(image.size, Image.Resampling.NEAREST)


def _jpeg(image: Image.Image) -> Image.Image:
    file = io.BytesIO()
    image.save(file, "JPEG", quality=30)
    return Image.open(file)


def _two_tones(image: Image.Image) -> Image.Image:
    """Return black where a picture is darker than its median, white elsewhere."""
    luma = np.asarray(image.convert("L"))
    return Image.fromarray(np.where(luma > np.median(luma), 255, 0).astype(np.uint8))


def _drawing(image: Image.Image) -> Image.Image:
    """Return dark outlines on white paper."""
    smooth = np.pad(np.asarray(image.convert("L").filter(ImageFilter.GaussianBlur(0.5)), np.float64), 1, mode="edge")
    slope = np.hypot(smooth[1:-1, 2:] - smooth[1:-1, :-2], smooth[2:, 1:-1] - smooth[:-2, 1:-1])
    return Image.fromarray((255 - 255 * np.clip(slope / max(np.quantile(slope, 0.95), 1), 0, 1)).astype(np.uint8))


#: Every kind changes a picture (side, side, 3) in [0, 1]; results are clipped to it.
KINDS: dict[str, Callable[[Picture, np.random.Generator], Picture]] = {
    "gaussian noise": lambda picture, random: picture + random.normal(0, 0.08, picture.shape),
    "shot noise": lambda picture, random: random.poisson(picture * 100) / 100,
    "impulse noise": _impulse,
    "gaussian blur": _of_image(_gaussian_blur),
    "motion blur": _motion_blur,
    "pixelated": _of_image(_pixelate),
    "JPEG": _of_image(_jpeg),
    "brightness": lambda picture, _: picture + 0.2,
    "contrast": lambda picture, _: picture.mean() + 0.4 * (picture - picture.mean()),
    "greys": _of_image(ImageOps.grayscale),
    "two tones": _of_image(_two_tones),
    "drawing": _of_image(_drawing),
}


def corrupt(images: UInt8[np.ndarray, "B 3 side side"]) -> UInt8[np.ndarray, "B 3 side side"]:
    """Return each picture in the kind of its turn; sample i depends on its picture and on i alone."""
    corrupted = np.empty_like(images)
    for i, image in enumerate(images):
        random = np.random.default_rng((SEED, i))
        changed = list(KINDS.values())[i % len(KINDS)](image.transpose(1, 2, 0) / 255, random)
        corrupted[i] = (255 * changed.clip(0, 1)).round().astype(np.uint8).transpose(2, 0, 1)
    return corrupted


def read(request: SampleRequest) -> PictureSet:
    """Return the pictures of another source, each in the kind of its turn; hashes stay those of the clean pictures.

    Raises:
        DataError: as ``folders.read`` does.
    """
    source = str(request.source).removeprefix(PREFIX)
    clean = folders.read(replace(request, source=source, limit=None))
    images = clean.images.numpy()
    key = {"layout": LAYOUT, "pictures": hashlib.sha256(images.tobytes()).hexdigest()}
    arrays = {
        "images": cached("corrupted-pictures", key, lambda: {"images": corrupt(images)})["images"],
        "labels": clean.labels.numpy(),
        "hashes": np.array(clean.hashes),
        "classes": np.array(clean.info.classes, np.str_),
    }
    return picture_set(request, arrays)
