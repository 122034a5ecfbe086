"""Street-number-like digits rendered from the fonts that matplotlib carries: the stand-in for SVHN.

Like SVHN's cropped format: the label is the digit in the middle, its neighbours in the number are partly visible left
and right, grounds and digits have any colour, light falls unevenly, and pictures are blurred, noisy, tilted and of
different scale. Four font faces appear in the validation split only (``HELD_OUT_FACES``).
"""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float, Int64, UInt8
from torch import Tensor

from routescope.assets import folder_of
from routescope.data.cache import Arrays
from routescope.data.catalogue import dataset
from routescope.data.pictures import digit_files
from routescope.data.pictures.digits import CLASSES
from routescope.data.pictures.sets import FONTS_LICENCE, PictureSet, rendered
from routescope.data.samples import SIDE, DatasetInfo, SampleRequest

#: Faces with all ten digits in a plain shape. Those held out appear in the validation split only.
TRAIN_FACES = (
    "DejaVuSans", "DejaVuSans-Bold", "DejaVuSans-BoldOblique", "DejaVuSansMono", "DejaVuSansMono-Bold",
    "DejaVuSerif", "DejaVuSerif-Bold", "DejaVuSerif-BoldItalic", "STIXGeneral", "STIXGeneralBolIta", "cmr10", "cmss10",
)  # fmt: skip
HELD_OUT_FACES = ("STIXGeneralBol", "cmb10", "DejaVuSans-Oblique", "cmtt10")

SEEDS = {"train": 731, "validation": 732}

#: Least difference of luma (0..1) between a digit and its ground, before light, blur and noise.
CONTRAST = 0.25

#: Up to this many samples are rendered on request; more are kept in the cache.
UNCACHED = 2000

_GLYPH_ROWS, _GLYPH_COLUMNS, _DIGIT_ROWS = 64, 64, 44
_CANVAS = 2 * SIDE
_CHUNK = 200


@dataclass(frozen=True)
class Glyphs:
    """Digits drawn once: ink in 0..255 (face x weight, digit, 1, row, column), and how far apart neighbours stand
    (columns)."""

    ink: UInt8[Tensor, "style digit 1 row column"]
    advance: Float[Tensor, "style digit"]

    def alpha(self, style: Int64[Tensor, " n"], digit: Int64[Tensor, " n"]) -> Float[Tensor, "n 1 row column"]:
        """Return the opacity of each digit, in 0..1."""
        return self.ink[style, digit].float() / 255


@dataset(
    DatasetInfo(
        name="street-digits",
        title="Street digits (rendered; SVHN stand-in)",
        licence=FONTS_LICENCE,
        splits={"train": 20_000, "validation": 1000},
        classes=CLASSES,
        stand_in_for="SVHN",
        real_title="SVHN",
        real_licence="SVHN: Y. Netzer et al. 2011; for non-commercial use",
    )
)
def street_digits(request: SampleRequest) -> PictureSet:
    """Return rendered digits, or those of SVHN from a source; a limit may exceed the usual size."""
    if request.source is not None:
        return digit_files.read(request)
    seed, faces = SEEDS[request.split], TRAIN_FACES + HELD_OUT_FACES * (request.split != "train")
    key = {"recipe": recipe(), "seed": seed, "faces": faces}
    size = max(request.info.splits[request.split], request.limit or 0)
    return rendered(request, "street-digits", key, lambda count: render(count, seed, faces), UNCACHED, size)


def recipe() -> str:
    """Hash of this very file: pictures made by an older one are never taken from the cache."""
    return hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:16]


def render(count: int, seed: int, faces: tuple[str, ...] = TRAIN_FACES) -> Arrays:
    """``count`` digits, images (count, 3, 32, 32) and labels; sample i depends on ``seed`` and i alone.

    Every ten samples in a row hold each label once.
    """
    glyphs = draw_glyphs(faces)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # faster for arrays this small, and the same bits whatever the number of processors
    try:
        return _render_all(glyphs, count, seed)
    finally:
        torch.set_num_threads(threads)


def _render_all(glyphs: Glyphs, count: int, seed: int) -> Arrays:
    images, labels = np.empty((count, 3, SIDE, SIDE), np.uint8), np.empty(count, np.int64)
    for number, start in enumerate(range(0, count, _CHUNK)):  # every chunk is drawn whole, so that `count` changes none
        stop = min(start + _CHUNK, count)
        random = np.random.default_rng((seed, number))
        chunk_images, chunk_labels = _render_chunk(glyphs, random, stop - start)
        images[start:stop], labels[start:stop] = chunk_images, chunk_labels
    return {"images": images, "labels": labels}


@lru_cache(maxsize=4)
def draw_glyphs(faces: tuple[str, ...]) -> Glyphs:
    """Each digit of each face, thin and thickened, all equally high, centred."""
    from PIL import Image, ImageDraw, ImageFont

    folder = folder_of("matplotlib") / "mpl-data" / "fonts" / "ttf"  # its files alone: imported, it takes 15 MB
    ink, advance = [], []
    for face in faces:
        probe = ImageFont.truetype(folder / f"{face}.ttf", 100)
        top, bottom = probe.getbbox("8")[1::2]
        font = ImageFont.truetype(folder / f"{face}.ttf", round(100 * _DIGIT_ROWS / (bottom - top)))
        for stroke in (0, 1, 2):
            for digit in "0123456789":
                cell = Image.new("L", (_GLYPH_COLUMNS, _GLYPH_ROWS))
                left, _, right, _ = font.getbbox(digit)
                _, upper, _, lower = font.getbbox("8")
                position = ((_GLYPH_COLUMNS - left - right) / 2, (_GLYPH_ROWS - upper - lower) / 2)
                ImageDraw.Draw(cell).text(position, digit, 255, font, stroke_width=stroke)
                ink.append(np.asarray(cell))
                advance.append(right - left + 4 + 2 * stroke)
    shape = (len(faces) * 3, 10)
    drawn = torch.from_numpy(np.stack(ink)).view(*shape, 1, _GLYPH_ROWS, _GLYPH_COLUMNS)
    return Glyphs(drawn, torch.tensor(advance, dtype=torch.float32).view(shape))


class _Draws:
    """Random numbers for one chunk. Each is drawn for a whole chunk and cut, so that a shorter chunk begins alike."""

    def __init__(self, random: np.random.Generator, count: int) -> None:
        self.random, self.count = random, count

    def uniform(self, low: float = 0.0, high: float = 1.0, *shape: int) -> Tensor:
        values = self.random.random((_CHUNK, *shape), dtype=np.float32)[: self.count]
        return torch.from_numpy(values) * (high - low) + low

    def normal(self, *shape: int) -> Tensor:
        return torch.from_numpy(self.random.standard_normal((_CHUNK, *shape), dtype=np.float32)[: self.count])

    def whole(self, high: int, *shape: int) -> Tensor:
        return torch.from_numpy(self.random.integers(0, high, (_CHUNK, *shape))[: self.count])

    def chance(self, probability: float) -> Tensor:
        """1 or 0 for each sample, shaped to multiply images (N, 1, 1, 1)."""
        return (self.uniform() < probability).float().view(-1, 1, 1, 1)

    def labels(self) -> Tensor:
        rounds = self.random.permuted(np.tile(np.arange(10), (_CHUNK // 10, 1)), axis=1).reshape(-1)
        return torch.from_numpy(rounds[: self.count])


def _render_chunk(glyphs: Glyphs, random: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    draws = _Draws(random, count)
    labels = draws.labels()
    mask = _number_mask(glyphs, labels, draws)
    ground_luma = draws.uniform(0.04, 0.96)
    ground = _colour(ground_luma, draws)[:, :, None, None]
    ink = _colour(_other_luma(ground_luma, draws), draws)[:, :, None, None]

    # the ground: unevenly painted, with another surface beyond an edge in some
    image = ground * (1 + 0.12 * _cloud(draws))
    beyond = _half_plane(draws, distance=(0.55, 1.05)) * draws.chance(0.35)
    other = (_colour(draws.uniform(0.05, 0.95), draws)[:, :, None, None] + ground) / 2
    image = image * (1 - beyond) + other * beyond
    # raised numerals throw a shadow, some are outlined
    shadow = torch.roll(mask, (1, 1), (2, 3)) * draws.chance(0.3) * draws.uniform(0.1, 0.5).view(-1, 1, 1, 1)
    image = image * (1 - shadow)
    image = image * (1 - mask) + ink * (1 + 0.06 * _cloud(draws)) * mask
    # light falls unevenly
    slope = _half_plane(draws, distance=(-0.2, 0.2), width=2.0)
    image = image * (1 + draws.uniform(0.0, 0.5).view(-1, 1, 1, 1) * (slope - 0.5))
    image = _blur(image, draws.uniform(0.3, 1.25))
    noise = draws.normal(3, SIDE, SIDE) * draws.uniform(0.0, 0.045).view(-1, 1, 1, 1)
    return ((image + noise).clamp(0, 1) * 255).round().byte().numpy(), labels.numpy()


def _number_mask(glyphs: Glyphs, labels: Tensor, draws: _Draws) -> Float[Tensor, "sample 1 32 32"]:
    """Return where paint is: the digit in the middle, and in most pictures the edges of its neighbours."""
    style = draws.whole(len(glyphs.ink))
    height = draws.uniform(18.0, 29.0) / SIDE * 2  # of the digit, in grid units (the picture spans -1..1)
    unit = height / _DIGIT_ROWS  # a glyph column or row in grid units, before stretching
    stretch = draws.uniform(0.8, 1.15)
    angle, shear = draws.normal() * 0.09, draws.normal() * 0.1
    cos, sin = angle.cos(), angle.sin()
    linear = torch.stack([cos * stretch, shear * cos - sin, sin * stretch, shear * sin + cos], -1).view(-1, 2, 2)
    inverse = torch.linalg.inv(linear * unit.view(-1, 1, 1))  # picture -> glyph columns and rows
    shift = draws.normal(2) * torch.tensor([0.055, 0.045])
    gap = draws.uniform(-2.0, 6.0)
    neighbours = draws.whole(10, 2)
    present = [draws.chance(0.65), draws.chance(0.65)]

    cell = torch.tensor([_GLYPH_COLUMNS / 2, _GLYPH_ROWS / 2])
    to_cell = inverse / cell[:, None]  # picture -> glyph cell, both spanning -1..1
    origin = -(to_cell @ shift[:, :, None])[:, :, 0]

    def drawn(digits: Tensor, offset: Tensor) -> Tensor:
        start = origin - F.pad(offset[:, None] / cell[0], (0, 1))
        theta = torch.cat([to_cell, start[:, :, None]], 2)
        grid = F.affine_grid(theta, [len(theta), 1, _CANVAS, _CANVAS], align_corners=False)
        return F.grid_sample(glyphs.alpha(style, digits), grid, mode="bilinear", align_corners=False)

    mask = drawn(labels, torch.zeros(len(labels)))
    advance = glyphs.advance[style, labels]
    for side, (digits, is_present) in enumerate(zip(neighbours.unbind(1), present, strict=True)):
        distance = (advance + glyphs.advance[style, digits]) / 2 + gap
        mask = torch.maximum(mask, drawn(digits, distance if side else -distance) * is_present)
    return F.avg_pool2d(mask, 2)


def _colour(luma: Tensor, draws: _Draws) -> Float[Tensor, "sample 3"]:
    """A colour of the given luma, most often greyish."""
    weights = torch.tensor([0.299, 0.587, 0.114])
    hue = draws.normal(3)
    hue = hue - (hue * weights).sum(1, keepdim=True)  # adds no luma
    room = torch.where(hue > 0, (1 - luma)[:, None] / hue.clamp(min=1e-6), luma[:, None] / (-hue).clamp(min=1e-6))
    saturation = draws.uniform() ** 2.2
    return luma[:, None] + hue * (room.amin(1) * saturation)[:, None]


def _other_luma(luma: Tensor, draws: _Draws) -> Float[Tensor, " sample"]:
    """A luma at least CONTRAST away, above or below where both fit."""
    above, below = 1 - luma >= CONTRAST, luma >= CONTRAST
    upwards = torch.where(above & below, draws.uniform() < (1 - luma), above)
    room = torch.where(upwards, 1 - luma, luma)
    distance = CONTRAST + (room - CONTRAST) * draws.uniform()
    return luma + torch.where(upwards, distance, -distance)


def _cloud(draws: _Draws) -> Float[Tensor, "sample 1 32 32"]:
    return F.interpolate(draws.normal(1, 5, 5), (SIDE, SIDE), mode="bilinear", align_corners=True)


def _half_plane(draws: _Draws, distance: tuple[float, float], width: float = 0.06) -> Float[Tensor, "sample 1 32 32"]:
    """1 beyond a line at some angle and distance from the middle, 0 before it, rising over ``width``."""
    angle = draws.uniform(0, 2 * np.pi).view(-1, 1, 1)
    steps = (torch.arange(SIDE) + 0.5) / SIDE * 2 - 1
    along = steps * angle.cos() + steps[:, None] * angle.sin()
    return ((along - draws.uniform(*distance).view(-1, 1, 1)) / width + 0.5).clamp(0, 1)[:, None]


def _blur(images: Float[Tensor, "sample 3 32 32"], sigma: Float[Tensor, " sample"]) -> Float[Tensor, "sample 3 32 32"]:
    """A Gaussian of each sample's own width (pixels)."""
    steps = torch.arange(-3, 4)
    kernel = torch.exp(-(steps**2) / (2 * sigma[:, None] ** 2))
    kernel = (kernel / kernel.sum(1, keepdim=True)).repeat_interleave(3, 0)
    flat = F.pad(images, (3, 3, 3, 3), mode="replicate").flatten(0, 1)[None]
    flat = F.conv2d(flat, kernel[:, None, :, None], groups=len(kernel))
    return F.conv2d(flat, kernel[:, None, None, :], groups=len(kernel))[0].view_as(images)
