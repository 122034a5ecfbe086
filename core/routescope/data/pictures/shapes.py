"""Coloured shapes over textures: a small generated set of pictures of ten classes, and renditions of the same classes.

They stand in for sets of photographs where there is no internet. A *rendition* shows the shape as a drawing, an outline
in one colour on paper: the classes are the same and nearly everything else is not, as with Tiny-ImageNet-R.
"""

import hashlib
import math

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from routescope.data.cache import Arrays, cached
from routescope.data.dataset import SIDE

CLASSES = ("disc", "square", "triangle", "bar", "cross", "star", "ring", "frame", "crescent", "arrow")
SIZES = {"train": 4000, "validation": 1000}
SEEDS = {"train": 901, "validation": 902}

#: Raise it when the pictures change: older ones are then never taken from the cache.
LAYOUT = 1

_SCALE = 3  # pictures are drawn so many times as large, and shrunk
_CANVAS = SIDE * _SCALE


def shapes(split: str, limit: int | None) -> Arrays:
    """Filled shapes of any colour over any texture: images (N, 3, 32, 32), labels (N,), hashes (N,)."""
    return _set("shapes", split, limit, rendition=False)


def drawn_shapes(split: str, limit: int | None) -> Arrays:
    """Outlines in one colour on paper, of the same classes."""
    return _set("drawn-shapes", split, limit, rendition=True)


def _set(family: str, split: str, limit: int | None, *, rendition: bool) -> Arrays:
    count = SIZES[split] if limit is None else min(limit, SIZES[split])
    seed = SEEDS[split] + 10 * rendition
    if count <= 400:
        arrays = render(count, seed, rendition=rendition)
    else:
        key = {"layout": LAYOUT, "seed": seed, "count": SIZES[split]}
        arrays = cached(family, key, lambda: render(SIZES[split], seed, rendition=rendition))
    arrays = {name: values[:count] for name, values in arrays.items()}
    arrays["hashes"] = np.array([hashlib.sha256(image.tobytes()).hexdigest() for image in arrays["images"]])
    return arrays


def render(count: int, seed: int, *, rendition: bool = False) -> Arrays:
    """``count`` pictures; sample i depends on ``seed`` and i alone, and every ten in a row hold each class once."""
    images, labels = np.empty((count, 3, SIDE, SIDE), np.uint8), np.empty(count, np.int64)
    for i in range(count):
        order = np.random.default_rng((seed, i // len(CLASSES))).permutation(len(CLASSES))
        labels[i] = order[i % len(CLASSES)]
        random = np.random.default_rng((seed, 1, i))
        draw = _rendition if rendition else _painting
        picture = draw(int(labels[i]), random).resize((SIDE, SIDE), Image.Resampling.BOX)
        images[i] = np.asarray(picture).transpose(2, 0, 1)
    return {"images": images, "labels": labels}


def _painting(label: int, random: np.random.Generator) -> Image.Image:
    ground, ink = _two_colours(random)
    picture = _texture(ground, random)
    mask = Image.new("L", picture.size)
    _draw(ImageDraw.Draw(mask), label, random, fill=255, width=0)
    picture.paste(_texture(ink, random), mask=mask)
    return picture.filter(ImageFilter.GaussianBlur(float(random.uniform(0, 1.2) * _SCALE / 2)))


def _rendition(label: int, random: np.random.Generator) -> Image.Image:
    level = int(random.integers(215, 256))
    picture = Image.new("RGB", (_CANVAS, _CANVAS), (level, level, int(level * random.uniform(0.85, 1))))
    colour = tuple(int(c) for c in random.integers(0, 120, 3))
    mask = Image.new("L", picture.size)
    _draw(ImageDraw.Draw(mask), label, random, fill=None, width=int(random.integers(4, 9)))
    picture.paste(colour, mask=mask)
    return picture


def _draw(
    canvas: ImageDraw.ImageDraw, label: int, random: np.random.Generator, *, fill: int | None, width: int
) -> None:
    """One shape at a random place, size and angle: filled, or its outline."""
    radius = random.uniform(0.24, 0.4) * _CANVAS
    centre = _CANVAS / 2 + random.uniform(-0.5, 0.5, 2) * (_CANVAS - 2 * radius) * 0.8
    angle = random.uniform(-0.35, 0.35)
    for points, inside in _contours(CLASSES[label]):
        turned = [
            (
                centre[0] + radius * (x * math.cos(angle) - y * math.sin(angle)),
                centre[1] + radius * (x * math.sin(angle) + y * math.cos(angle)),
            )
            for x, y in points
        ]
        if fill is None:
            canvas.line([*turned, turned[0], turned[1]], fill=255, width=width, joint="curve")
        else:
            canvas.polygon(turned, fill=0 if inside else fill)


def _contours(name: str) -> list[tuple[list[tuple[float, float]], bool]]:
    """The outlines of a shape within the unit circle, and whether each is a hole."""

    def regular(corners: int, radius: float = 1.0, turn: float = -math.pi / 2) -> list[tuple[float, float]]:
        angles = [turn + 2 * math.pi * k / corners for k in range(corners)]
        return [(radius * math.cos(a), radius * math.sin(a)) for a in angles]

    if name == "disc":
        return [(regular(40), False)]
    if name == "square":
        return [(regular(4, turn=math.pi / 4), False)]
    if name == "triangle":
        return [(regular(3), False)]
    if name == "bar":
        return [([(-1, -0.3), (1, -0.3), (1, 0.3), (-1, 0.3)], False)]
    if name == "cross":
        a, b = 0.3, 0.95
        arms = [(-a, -b), (a, -b), (a, -a), (b, -a), (b, a), (a, a), (a, b), (-a, b), (-a, a), (-b, a), (-b, -a)]
        return [([*arms, (-a, -a)], False)]
    if name == "star":
        outer, inner = regular(5), regular(5, 0.42, -math.pi / 2 + math.pi / 5)
        return [([point for pair in zip(outer, inner, strict=True) for point in pair], False)]
    if name == "ring":
        return [(regular(40), False), (regular(40, 0.55), True)]
    if name == "frame":
        return [(regular(4, turn=math.pi / 4), False), (regular(4, 0.55, math.pi / 4), True)]
    if name == "crescent":
        far = [(math.cos(a), math.sin(a)) for a in np.linspace(0.5, 2 * math.pi - 0.5, 30)]
        near = [(0.42 + 0.66 * math.cos(a), 0.73 * math.sin(a)) for a in np.linspace(2 * math.pi - 0.8, 0.8, 30)]
        return [(far + near, False)]
    return [([(-1, -0.25), (0.1, -0.25), (0.1, -0.75), (1, 0), (0.1, 0.75), (0.1, 0.25), (-1, 0.25)], False)]


def _two_colours(random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Two colours whose luma differs by a fifth at least."""
    weights = np.array([0.299, 0.587, 0.114])
    while True:
        first, second = random.uniform(0, 255, 3), random.uniform(0, 255, 3)
        if abs(float(first @ weights - second @ weights)) > 51:
            return first, second


def _texture(colour: np.ndarray, random: np.random.Generator) -> Image.Image:
    """One colour, unevenly: stripes, a slope or clouds."""
    rows, columns = np.mgrid[0:_CANVAS, 0:_CANVAS] / _CANVAS
    kind, turn = random.integers(3), random.uniform(0, 2 * math.pi)
    along = rows * math.sin(turn) + columns * math.cos(turn)
    if kind == 0:
        pattern = np.sin(2 * math.pi * (along * random.uniform(3, 8) + random.uniform()))
    elif kind == 1:
        pattern = 2 * along - 1
    else:
        small = Image.fromarray(random.integers(0, 256, (5, 5), dtype=np.uint8))
        pattern = np.asarray(small.resize((_CANVAS, _CANVAS), Image.Resampling.BICUBIC)) / 127.5 - 1
    levels = colour * (1 + 0.22 * pattern[..., None]) + random.normal(0, 5, (_CANVAS, _CANVAS, 1))
    return Image.fromarray(levels.clip(0, 255).astype(np.uint8))
