"""From any picture or drawing to the 32 x 32 RGB that the digit networks take, and whole pictures in squares."""

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import UInt8
from PIL import Image, ImageOps
from torch import Tensor

from routescope.data.samples import SIDE

#: The MNIST recipe: a digit is fitted into 20 x 20 and lies, by its centre of mass, in the middle of 28 x 28.
MNIST_SIDE = 28
MNIST_BOX = 20

#: A drawn pixel is one brighter than this (of 255); below it lies the noise of lossy formats.
INK = 24


def upsample(images: UInt8[np.ndarray, "sample rows columns"]) -> UInt8[np.ndarray, "sample 32 32"]:
    """Grey images to 32 x 32, bilinearly (paper: digits are up-sampled to 32 x 32), rounded to whole levels."""
    if images.shape[1:] == (SIDE, SIDE):
        return images
    enlarged = np.empty((len(images), SIDE, SIDE), np.uint8)
    for start in range(0, len(images), 4096):
        part = torch.from_numpy(np.ascontiguousarray(images[start : start + 4096])).float()[:, None]
        part = F.interpolate(part, (SIDE, SIDE), mode="bilinear", align_corners=False)
        enlarged[start : start + 4096] = part[:, 0].round().clamp(0, 255).byte().numpy()
    return enlarged


def grey_to_rgb(images: UInt8[np.ndarray, "sample 32 32"]) -> UInt8[np.ndarray, "sample 3 32 32"]:
    """Return grey images with three equal channels."""
    return np.repeat(images[:, None], 3, axis=1)


def from_picture(picture: Image.Image) -> UInt8[Tensor, "3 32 32"]:
    """A picture of any size and mode as a network sees it.

    Transparency is laid over white, or over black when what is visible is light. The picture is fitted into the square
    whole; the border takes the middle colour of the picture's own edge.
    """
    picture = opaque(ImageOps.exif_transpose(picture))
    if picture.mode != "RGB":
        picture = picture.convert("RGB")
    if picture.size == (MNIST_SIDE, MNIST_SIDE):  # exactly as MNIST itself is up-sampled
        return torch.from_numpy(upsample(np.asarray(picture).transpose(2, 0, 1)))
    picture = ImageOps.pad(picture, (SIDE, SIDE), Image.Resampling.BILINEAR, color=_edge_colour(picture))
    return torch.from_numpy(np.array(picture).transpose(2, 0, 1).copy())


def fitted(picture: Image.Image, side: int, background: str) -> UInt8[np.ndarray, "3 side side"]:
    """The whole picture in a square, its proportions kept.

    Nothing is cropped: what statements are about may lie at an edge. It lies upright, as its orientation tag says; the
    background lies around it and behind what is transparent.
    """
    picture = _eight_bits(ImageOps.exif_transpose(picture))
    if _has_transparency(picture):
        picture = picture.convert("RGBA")
        picture = Image.alpha_composite(Image.new("RGBA", picture.size, background), picture)
    square = ImageOps.pad(picture.convert("RGB"), (side, side), Image.Resampling.BILINEAR, color=background)
    return np.asarray(square).transpose(2, 0, 1)


def from_drawing(drawing: Image.Image) -> UInt8[Tensor, "3 32 32"]:
    """White strokes on black (or on nothing), normalised like MNIST's digits.

    Cropped to the strokes, fitted into 20 x 20 with its proportions kept, centred by its mass in 28 x 28, up-sampled.

    Raises:
        ValueError: nothing was drawn.
    """
    return torch.from_numpy(grey_to_rgb(upsample(mnist_digit(drawing)[None]))[0])


def mnist_digit(drawing: Image.Image) -> UInt8[np.ndarray, "28 28"]:
    """Return the digit of ``from_drawing`` before up-sampling; raises ValueError for a blank drawing."""
    if "A" in drawing.getbands() or "transparency" in drawing.info:
        drawing = Image.alpha_composite(Image.new("RGBA", drawing.size, "black"), drawing.convert("RGBA"))
    strokes = drawing.convert("L")
    levels = np.asarray(strokes)
    if levels.size == 0 or int(levels.max()) - int(levels.min()) <= INK:
        raise ValueError("the drawing is blank: draw a digit with white strokes on black")
    rows, columns = np.flatnonzero((levels > INK).any(1)), np.flatnonzero((levels > INK).any(0))
    strokes = strokes.crop((int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1))
    scale = MNIST_BOX / max(strokes.size)
    size = (max(1, round(strokes.width * scale)), max(1, round(strokes.height * scale)))
    return _centred_by_mass(np.asarray(strokes.resize(size, Image.Resampling.BILINEAR)))


def _centred_by_mass(digit: UInt8[np.ndarray, "rows columns"]) -> UInt8[np.ndarray, "28 28"]:
    mass = digit.astype(np.float64)
    corner = []
    for axis, length in enumerate(digit.shape):
        centre = (mass.sum(1 - axis) * np.arange(length)).sum() / mass.sum()
        corner.append(
            min(max(round(MNIST_SIDE / 2 - centre), 0), MNIST_SIDE - length)
        )  # pixel 14, as MNIST's digits do
    field = np.zeros((MNIST_SIDE, MNIST_SIDE), np.uint8)
    field[corner[0] : corner[0] + digit.shape[0], corner[1] : corner[1] + digit.shape[1]] = digit
    return field


def _eight_bits(picture: Image.Image) -> Image.Image:
    """Return the picture with 8 bits a channel."""
    if not (picture.mode.startswith("I;16") or picture.mode in ("I", "F")):
        return picture
    levels = np.asarray(picture).astype(np.float64)
    span = 65535.0 if levels.max(initial=0) > 255 else 255.0
    return Image.fromarray((levels.clip(0, span) * (255 / span)).round().astype(np.uint8))


def _has_transparency(picture: Image.Image) -> bool:
    return "A" in picture.getbands() or "transparency" in picture.info


def opaque(picture: Image.Image) -> Image.Image:
    """The picture without transparency and with 8 bits a channel."""
    picture = _eight_bits(picture)
    if not _has_transparency(picture):
        return picture
    picture = picture.convert("RGBA")
    levels, alpha = np.asarray(picture.convert("RGB").convert("L")), np.asarray(picture)[..., 3]
    light = bool((alpha > 0).any()) and float(np.average(levels, weights=alpha)) > 127.5
    return Image.alpha_composite(Image.new("RGBA", picture.size, "black" if light else "white"), picture)


def _edge_colour(picture: Image.Image) -> tuple[int, int, int]:
    levels = np.asarray(picture)
    edge = np.concatenate([levels[0], levels[-1], levels[:, 0], levels[:, -1]])
    red, green, blue = np.median(edge, axis=0).astype(int).tolist()
    return red, green, blue
