"""Sheets: decoded pictures of a whole matrix, cut into panels.

Panels lie side by side, or lines of one grey set them apart.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, UInt8

from routescope.data.kinds.kind import InvalidSample
from routescope.data.kinds.matrices.files import MatrixFile, check_side
from routescope.nn.inputs.matrices import COLUMNS, CONTEXT

#: Panels of a sheet in a row.
SHEET_COLUMNS = 4
#: Rows of a sheet of all panels in turn, and of a sheet with the matrix above its answers.
IN_TURN, ABOVE = 4, 5
#: Largest difference between red, green and blue of a grey pixel, and between pixels of one grey.
GREY_WITHIN = 8
#: Pixels by which the sizes of panels may differ, as lines of a drawing fall between pixels.
SIDE_WITHIN = 1
#: A frame around a panel is at most the side divided by this wide; wider lines belong to the drawing.
WIDEST_FRAME = 10
#: Pixels by which the position of a drawing in its panel may differ where panels lie side by side.
POSITION_WITHIN = 2
#: Panels in each row of both layouts; the gap of the matrix above its answers may be drawn or not.
ROWS_IN_TURN = [SHEET_COLUMNS] * IN_TURN
ROWS_ABOVE = [[*[COLUMNS] * (COLUMNS - 1), last, *[SHEET_COLUMNS] * 2] for last in (3, 2)]


class Area(NamedTuple):
    """Rows and columns of a sheet; ends are exclusive."""

    top: int
    bottom: int
    left: int
    right: int


def read_sheet(picture: UInt8[np.ndarray, "height width band"]) -> MatrixFile:
    """Return the matrix of a sheet, RGB or RGBA; its right answer is unknown.

    A transparent sheet lies on white. The content of the gap, such as a question mark, is skipped.

    Raises:
        InvalidSample: panels that are neither side by side, by the proportions of the sheet, nor set apart; panels that
            are too small or too large; colours; or anything drawn beside the matrix.
    """
    height, width = picture.shape[:2]
    greys = _greys(picture)
    areas = _set_apart(greys)
    side, over = divmod(width, SHEET_COLUMNS)
    rows = None if over else next((rows for rows in (IN_TURN, ABOVE) if height == rows * side), None)
    if areas is not None and (rows is None or not _alike(areas, side)):
        side = min(size for area in areas for size in (area.bottom - area.top, area.right - area.left))
        cut = [greys[area.top : area.top + side, area.left : area.left + side] for area in areas]
        panels = _without_frames(np.stack(cut))
        check_side(panels.shape[-1])
        return MatrixFile(panels, None)
    if rows is None:
        raise InvalidSample(
            f"the sheet is {width:,} x {height:,} pixels, which is not {SHEET_COLUMNS} panels wide and "
            f"{IN_TURN} or {ABOVE} high, and no lines of one grey set so many panels of one size apart"
        )
    check_side(side)
    if rows == IN_TURN:
        return MatrixFile(_cut(greys, side), None)
    top, answers = greys[: COLUMNS * side], greys[COLUMNS * side :]
    for left in (side // 2, 0):
        beside = np.concatenate((top[:, :left], top[:, left + COLUMNS * side :]), axis=1)
        if np.ptp(beside) <= GREY_WITHIN:
            matrix = _cut(top[:, left : left + COLUMNS * side], side)
            return MatrixFile(np.concatenate((matrix[:CONTEXT], _cut(answers, side))), None)
    raise InvalidSample(f"beside the {COLUMNS} x {COLUMNS} places of the matrix the sheet is not of one grey")


def sheet_of(panels: UInt8[np.ndarray, "16 side side"]) -> UInt8[np.ndarray, "height width"]:
    """Return all panels in turn as one picture, which ``read_sheet`` reads."""
    rows = panels.reshape(IN_TURN, SHEET_COLUMNS, *panels.shape[1:])
    return rows.transpose(0, 2, 1, 3).reshape(IN_TURN * panels.shape[1], -1)


def _cut(greys: UInt8[np.ndarray, "height width"], side: int) -> UInt8[np.ndarray, "panel side side"]:
    rows, columns = (size // side for size in greys.shape)
    return greys.reshape(rows, side, columns, side).transpose(0, 2, 1, 3).reshape(-1, side, side)


def _set_apart(greys: UInt8[np.ndarray, "height width"]) -> list[Area] | None:
    """Return the areas of panels that lines of one grey set apart, without the gap; None without such lines."""
    across = np.ptp(greys, axis=1) <= GREY_WITHIN
    if not across.any() or np.ptp(greys[across]) > GREY_WITHIN:
        return None
    ground = np.abs(greys.astype(np.int16) - np.int16(np.median(greys[across]))) <= GREY_WITHIN
    rows = [
        [Area(top, bottom, left, right) for left, right in _between(ground[top:bottom].all(axis=0))]
        for top, bottom in _between(across)
    ]
    counts = [len(row) for row in rows]
    if counts in ROWS_ABOVE:
        del rows[COLUMNS - 1][COLUMNS - 1 :]
    elif counts != ROWS_IN_TURN:
        return None
    areas = [area for row in rows for area in row]
    sizes = [size for area in areas for size in (area.bottom - area.top, area.right - area.left)]
    return areas if max(sizes) - min(sizes) <= SIDE_WITHIN else None


def _without_frames(panels: UInt8[np.ndarray, "panel side side"]) -> UInt8[np.ndarray, "panel inner inner"]:
    """Return panels without the frame of one grey, if every panel has one."""
    side = panels.shape[-1]

    def ring(at: int) -> UInt8[np.ndarray, "panel pixel"]:
        inner = panels[:, at : side - at, at : side - at]
        ends = (inner[:, 0], inner[:, -1], inner[:, :, 0], inner[:, :, -1])
        return np.concatenate(ends, axis=1)

    grey = np.median(ring(0))
    for width in range(1, side // WIDEST_FRAME + 1):
        if np.ptp(ring(width - 1)) > GREY_WITHIN:
            break
        if (np.abs(np.median(ring(width), axis=1) - grey) > GREY_WITHIN).all():
            return panels[:, width : side - width, width : side - width]
    return panels


def _between(lines: Bool[np.ndarray, " position"]) -> list[tuple[int, int]]:
    """Return starts and ends of the runs without a line."""
    ends = np.flatnonzero(np.diff(np.concatenate(([True], lines, [True])).astype(np.int8))).tolist()
    return list(zip(ends[::2], ends[1::2], strict=True))


def _alike(areas: list[Area], side: int) -> bool:
    """Return whether the areas may be drawings in panels side by side: they have the same position in each panel."""
    tops, lefts = [area.top % side for area in areas], [area.left % side for area in areas[CONTEXT:]]
    return all(max(offsets) - min(offsets) <= POSITION_WITHIN for offsets in (tops, lefts))


def _greys(picture: UInt8[np.ndarray, "height width band"]) -> UInt8[np.ndarray, "height width"]:
    """Return the greys of a picture; raises InvalidSample for colours."""
    values = picture[..., :3].astype(np.float32)
    if picture.shape[-1] == 4:
        opacity = picture[..., 3:].astype(np.float32) / np.float32(255)
        values = (values - 255) * opacity + np.float32(255)
    spread = values.max(axis=-1) - values.min(axis=-1)
    if (spread > GREY_WITHIN).any():
        row, column = np.unravel_index(int(spread.argmax()), spread.shape)
        red, green, blue = np.rint(values[row, column]).astype(int).tolist()
        raise InvalidSample(
            f"the sheet has colours, such as red {red}, green {green} and blue {blue} at row {row + 1:,}, column "
            f"{column + 1:,}"
        )
    return np.rint(values.mean(axis=-1)).astype(np.uint8)
