"""Pictures of panels from their symbols: greyscale, antialiased, 80 pixels a side unless told otherwise.

Lines lie across the whole panel, shapes upon them, filled with their grey and edged in black. Colours are ten greys in
even steps from black; sizes ten in even steps. How thick strokes are is not printed.
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np
from jaxtyping import Float32, Int8, UInt8

from routescope.data.matrices.grammar import COLOURS, LINE_TYPES, PLACES, SHAPE_TYPES, SIZES
from routescope.data.matrices.panels import EMPTY, SYMBOLS

#: Side of a panel, in pixels (Barrett et al. 2018; Neural Interpreters, section 4.3).
SIDE = 80
#: Pictures are drawn so many times larger and made small by the mean.
OVERSAMPLING = 4
#: Least and greatest radius of a shape, and widths of edges and lines, as shares of the side.
RADII = (0.045, 0.145)
EDGE, STROKE = 0.0125, 0.025
#: Grey of the lightest colour, and of the ground.
LIGHTEST, GROUND = 225, 255

_CORNERS = {"triangle": (3, -90), "square": (4, -45), "pentagon": (5, -90), "hexagon": (6, 0), "octagon": (8, 22.5)}


def grey_of(colour: int) -> float:
    """The grey of a colour, 0 (black) to 255."""
    return LIGHTEST * colour / (COLOURS - 1)


def _mask(side: int, paint: Callable[[Any, int], None]) -> Float32[np.ndarray, "side side"]:
    """Return the share of every pixel that ``paint`` covers in white on a larger picture."""
    from PIL import Image, ImageDraw

    whole = side * OVERSAMPLING
    picture = Image.new("L", (whole, whole), 0)
    paint(ImageDraw.Draw(picture), whole)
    cut = np.asarray(picture, np.float32).reshape(side, OVERSAMPLING, side, OVERSAMPLING)
    return cut.mean(axis=(1, 3)) / 255


def _outline(name: str, x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """Corners of a shape; a circle has many."""
    if name == "star":
        turns = [(-90.0 + 36 * k, radius if k % 2 == 0 else 0.45 * radius) for k in range(10)]
    else:
        count, first = _CORNERS.get(name, (48, 0))
        turns = [(first + 360 * k / count, radius) for k in range(count)]
    return [(x + r * math.cos(math.radians(t)), y + r * math.sin(math.radians(t))) for t, r in turns]


@lru_cache(maxsize=4)
def _shape_masks(side: int) -> tuple[Float32[np.ndarray, "type size side side"], Float32[np.ndarray, "type size s s"]]:
    """Return the covered pixels of every type and size in the middle of a cell: the whole shape, and its inside."""
    cell = side // 3 + 1
    radii = np.linspace(*RADII, SIZES) * side * OVERSAMPLING
    found = []
    for less in (0.0, EDGE * side * OVERSAMPLING):
        masks = []
        for name in SHAPE_TYPES:
            for radius in radii:

                def paint(draw: Any, whole: int, name: str = name, radius: float = radius, less: float = less) -> None:
                    draw.polygon(_outline(name, whole / 2, whole / 2, max(0.0, radius - less)), fill=255)

                masks.append(_mask(cell, paint))
        found.append(np.stack(masks).reshape(len(SHAPE_TYPES), SIZES, cell, cell))
    return found[0], found[1]


@lru_cache(maxsize=4)
def _line_masks(side: int) -> Float32[np.ndarray, "type side side"]:
    """Return the pixels of a panel that each type of line covers."""

    def paint(draw: Any, w: int, name: str) -> None:
        width = max(1, round(STROKE * w))
        ends = {
            "diagonal down": [(0, 0), (w, w)],
            "diagonal up": [(0, w), (w, 0)],
            "vertical": [(w / 2, 0), (w / 2, w)],
            "horizontal": [(0, w / 2), (w, w / 2)],
            "diamond": [(w / 2, 0), (w, w / 2), (w / 2, w), (0, w / 2), (w / 2, 0)],
        }
        if name == "circle":
            draw.ellipse((0.08 * w, 0.08 * w, 0.92 * w, 0.92 * w), outline=255, width=width)
        else:
            draw.line(ends[name], fill=255, width=width)

    return np.stack([_mask(side, partial(paint, name=name)) for name in LINE_TYPES])


def render_panel(panel: Sequence[int], side: int = SIDE) -> UInt8[np.ndarray, "side side"]:
    """The picture of a panel, given by its symbols; 0 is black."""
    picture = np.full((side, side), float(GROUND), np.float32)
    masks = _line_masks(side)
    for line, colour in enumerate(panel[3 * PLACES :]):
        if colour != EMPTY:
            picture += masks[line] * (grey_of(colour) - picture)
    covered, inside = _shape_masks(side)
    cell = covered.shape[-1]
    for place in range(PLACES):
        shape, colour, size = panel[3 * place : 3 * place + 3]
        if shape == EMPTY:
            continue
        top, left = (min(round(at * side / 3), side - cell) for at in divmod(place, 3))
        part = picture[top : top + cell, left : left + cell]
        part += covered[shape, size] * (0.0 - part)
        part += inside[shape, size] * (grey_of(colour) - part)
    return np.rint(picture).astype(np.uint8)


def render(symbols: Int8[np.ndarray, "*panels 33"], side: int = SIDE) -> UInt8[np.ndarray, "*panels side side"]:
    """Return pictures of panels; raises ValueError for other numbers of symbols, or a side below 16 pixels."""
    if symbols.shape[-1] != SYMBOLS:
        raise ValueError(f"a panel is {SYMBOLS} symbols; got {symbols.shape[-1]}")
    if side < 16:
        raise ValueError(f"a panel has a side of 16 pixels at least; got {side}")
    flat = symbols.reshape(-1, SYMBOLS).tolist()
    pictures = np.empty((len(flat), side, side), np.uint8)
    for at, panel in enumerate(flat):
        pictures[at] = render_panel(panel, side)
    return pictures.reshape(*symbols.shape[:-1], side, side)
