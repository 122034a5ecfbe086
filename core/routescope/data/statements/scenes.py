"""Scenes: the things in generated pictures as structured content, and their drawing.

A scene is drawn from outlines that a browser draws too, so that an edited scene looks there as a network gets it.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from jaxtyping import Float, UInt8

from routescope.data.samples import DataError

SHAPES = ("circle", "square", "triangle", "star", "cross")

#: Colours by the words that name them (sRGB).
COLOURS: dict[str, str] = {
    "red": "#dc2828",
    "green": "#2a9b3c",
    "blue": "#3350e0",
    "yellow": "#f6dc30",
    "purple": "#8a35b5",
    "orange": "#f58a1e",
    "black": "#141414",
    "white": "#fafafa",
}

#: Half of a thing's width and height, as a share of the picture's side.
RADII: dict[str, float] = {"small": 0.105, "large": 0.156}
SIZES = tuple(RADII)

BACKGROUND = "#b0b0b0"

#: Pictures are so many pixels wide and high unless another side is asked for.
SCENE_SIDE = 48

#: No picture holds more things than this.
MOST_THINGS = 8
MOST_PICTURES = 3

#: Sides that pictures may be drawn at.
SIDES = (8, 128)

_PHASES = 4  # things are placed to a quarter of a pixel
_SAMPLES = 8  # by so many samples along each side is the coverage of a pixel found


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing in a picture.

    Attributes:
        shape: one of ``SHAPES``.
        colour: one of ``COLOURS``.
        size: ``small`` or ``large``; see ``RADII``.
        x, y: its middle, from the left and from the top, each 0 to 1 of the picture.
    """

    shape: str
    colour: str
    size: str
    x: float
    y: float

    @classmethod
    def from_dict(cls, content: Any) -> "Thing":
        """Read a thing from plain data; raises DataError, which says what is accepted."""
        if not isinstance(content, Mapping) or set(content) != set(_FIELDS):
            raise DataError(f"a thing has {', '.join(_FIELDS)}; got {_short(content)}")
        for field, words in (("shape", SHAPES), ("colour", tuple(COLOURS)), ("size", SIZES)):
            if not isinstance(content[field], str) or content[field] not in words:
                raise DataError(f"the {field} of a thing is one of {', '.join(words)}; got {_short(content[field])}")
        places = [content["x"], content["y"]]
        for coordinate in places:
            if isinstance(coordinate, bool) or not isinstance(coordinate, int | float) or not 0 <= coordinate <= 1:
                raise DataError(f"x and y of a thing are numbers from 0 to 1; got {_short(coordinate)}")
        return cls(content["shape"], content["colour"], content["size"], float(places[0]), float(places[1]))


_FIELDS = ("shape", "colour", "size", "x", "y")


@dataclass(frozen=True, slots=True)
class Scene:
    """Pictures of things; later things are drawn over earlier ones."""

    pictures: tuple[tuple[Thing, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the scene as plain data: ``{"pictures": [[{"shape", "colour", "size", "x", "y"}, ...], ...]}``."""
        return {
            "pictures": [[{field: getattr(thing, field) for field in _FIELDS} for thing in p] for p in self.pictures]
        }

    @classmethod
    def from_dict(cls, content: Any) -> "Scene":
        """Read a scene from the plain data of :meth:`to_dict`.

        Raises:
            DataError: for anything else: other keys, no picture or more than ``MOST_PICTURES``, more than
                ``MOST_THINGS`` in one, unknown words, places outside of the picture.
        """
        if not isinstance(content, Mapping) or set(content) != {"pictures"}:
            raise DataError(f'a scene is {{"pictures": [[thing, ...], ...]}}; got {_short(content)}')
        pictures = content["pictures"]
        if not isinstance(pictures, list | tuple) or not 1 <= len(pictures) <= MOST_PICTURES:
            raise DataError(f"a scene has 1 to {MOST_PICTURES} pictures, each a list of things; got {_short(pictures)}")
        for things in pictures:
            if not isinstance(things, list | tuple) or len(things) > MOST_THINGS:
                raise DataError(f"a picture is a list of up to {MOST_THINGS} things; got {_short(things)}")
        return cls(tuple(tuple(Thing.from_dict(thing) for thing in things) for things in pictures))

    def to_json(self) -> str:
        """Return compact JSON of :meth:`to_dict`."""
        return json.dumps(self.to_dict(), separators=(",", ":"))


def _short(content: Any) -> str:
    """Return content for a message, at most one line."""
    if isinstance(content, list | tuple | dict) and len(content) > MOST_THINGS:
        return f"{len(content)} of them"
    text = repr(content)
    return text if len(text) <= 80 else f"{text[:77]}..."


def outline(shape: str) -> Float[np.ndarray, "point 2"]:
    """Corners of a shape, x to the right and y downwards, within -1..1; a thing's radius scales it.

    Raises:
        DataError: no such shape.
    """
    if shape not in SHAPES:
        raise DataError(f"there is no shape {shape!r}; there are {', '.join(SHAPES)}")
    if shape == "circle":
        return _regular(40, 0.95)
    if shape == "square":
        return np.array([(-0.84, -0.84), (0.84, -0.84), (0.84, 0.84), (-0.84, 0.84)])
    if shape == "triangle":
        return np.array([(0.0, -1.0), (1.0, 0.85), (-1.0, 0.85)])
    if shape == "star":
        return np.stack([_regular(5, 1.0), _regular(5, 0.42, math.pi / 5)], 1).reshape(-1, 2)
    a, b = 0.32, 1.0
    corner = [(a, -b), (a, -a), (b, -a)]
    turned = [[(x, y), (-y, x), (-x, -y), (y, -x)] for x, y in corner]
    return np.array([turned[point][turn] for turn in range(4) for point in range(3)])


def _regular(corners: int, radius: float, turn: float = 0.0) -> np.ndarray:
    """The corners of a regular polygon, the first at the top, clockwise."""
    angles = np.arange(corners) * 2 * math.pi / corners - math.pi / 2 + turn
    return radius * np.stack([np.cos(angles), np.sin(angles)], 1)


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue (0..255) of ``#rrggbb``."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def draw(scene: Scene, side: int = SCENE_SIDE) -> UInt8[np.ndarray, "picture 3 side side"]:
    """Return the pictures of a scene, cut at their edges; raises DataError for a side outside ``SIDES``."""
    if isinstance(side, bool) or not isinstance(side, int) or not SIDES[0] <= side <= SIDES[1]:
        raise DataError(f"a picture's side is {SIDES[0]} to {SIDES[1]} pixels; got {_short(side)}")
    margin = _margin(side)
    canvas = _empty(len(scene.pictures), side).copy()
    for picture, things in zip(canvas, scene.pictures, strict=True):
        for thing in things:
            column, x = divmod(round(thing.x * side * _PHASES), _PHASES)
            row, y = divmod(round(thing.y * side * _PHASES), _PHASES)
            paint, beneath = _sprite(thing.shape, thing.colour, thing.size, side, x, y)
            under = picture[:, row : row + 2 * margin, column : column + 2 * margin]
            under *= beneath
            under += paint
    return canvas[:, :, margin:-margin, margin:-margin].astype(np.uint8)


def _margin(side: int) -> int:
    return math.ceil(max(RADII.values()) * side) + 1


@lru_cache(maxsize=16)
def _empty(pictures: int, side: int) -> Float[np.ndarray, "picture 3 row column"]:
    """Background with room for things over the edge. The half makes a cut to whole numbers a rounding."""
    wide = side + 2 * _margin(side)
    ground = np.array(rgb(BACKGROUND), np.float32)[:, None, None] + np.float32(0.5)
    empty = np.broadcast_to(ground, (pictures, 3, wide, wide)).copy()
    empty.flags.writeable = False
    return empty


@lru_cache(maxsize=4096)
def _sprite(
    shape: str, colour: str, size: str, side: int, x: int, y: int
) -> tuple[Float[np.ndarray, "3 row column"], Float[np.ndarray, "row column"]]:
    """Return the paint of a thing, and the share of the ground that shows through, in the square about its middle."""
    cover = _coverage(shape, size, side, x, y)
    paint = cover * (np.array(rgb(COLOURS[colour]), np.float32)[:, None, None] + np.float32(0.5))
    return paint, 1 - cover


@lru_cache(maxsize=512)
def _coverage(shape: str, size: str, side: int, x: int, y: int) -> Float[np.ndarray, "row column"]:
    """Share of each pixel that a thing covers. ``x``, ``y``: its middle beyond a pixel's corner, in quarters."""
    margin = _margin(side)
    steps = (np.arange(2 * margin * _SAMPLES) + 0.5) / _SAMPLES - margin
    inside = _inside(outline(shape) * RADII[size] * side, steps - x / _PHASES, steps - y / _PHASES)
    cells = inside.reshape(2 * margin, _SAMPLES, 2 * margin, _SAMPLES)
    return cells.mean((1, 3), dtype=np.float32)


def _inside(corners: np.ndarray, x: Sequence[float] | np.ndarray, y: Sequence[float] | np.ndarray) -> np.ndarray:
    """Return whether each (row, column) lies inside a polygon: an odd number of edges is to its right."""
    columns, rows = np.asarray(x)[None, :], np.asarray(y)[:, None]
    inside = np.zeros((rows.shape[0], columns.shape[1]), bool)
    for (x0, y0), (x1, y1) in zip(corners, np.roll(corners, -1, 0), strict=True):
        if y0 != y1:
            crosses = (y0 > rows) != (y1 > rows)
            inside ^= crosses & (columns < (x1 - x0) * (rows - y0) / (y1 - y0) + x0)
    return inside
