"""Sheets: pictures of a whole matrix, decoded by others, cut into its panels here.

Panels lie side by side, or lines of one grey set them apart.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, UInt8

from routescope.nn.inputs.matrix_files import (
    ABOVE,
    CONTEXT,
    IN_TURN,
    LEAST_SIDE,
    MATRIX_COLUMNS,
    MOST_SIDE,
    SHEET_COLUMNS,
    MatrixError,
    MatrixFile,
)

#: A pixel's red, green and blue differ by so much at most where it is grey; so do pixels of one grey.
GREY_WITHIN = 8
#: Pixels by which panels of one size may differ, as lines of a drawing fall between pixels.
SIDE_WITHIN = 1
#: A frame is a line around a panel: more than one part in so many of the side is no line but something drawn.
WIDEST_FRAME = 10
#: What is drawn lies at places of its panel that differ by so many pixels at most where panels lie side by side.
PLACE_WITHIN = 2
#: Panels in each row: of a sheet of all in turn, and of one with the matrix above its answers, its gap drawn or not.
ROWS_IN_TURN = [SHEET_COLUMNS] * IN_TURN
ROWS_ABOVE = [[*[MATRIX_COLUMNS] * (MATRIX_COLUMNS - 1), last, *[SHEET_COLUMNS] * 2] for last in (3, 2)]


class Area(NamedTuple):
    """Rows and columns of a sheet, from the first to the one after the last."""

    top: int
    bottom: int
    left: int
    right: int


def read_sheet(picture: UInt8[np.ndarray, "height width band"]) -> MatrixFile:
    """The matrix of a sheet, RGB or RGBA, of whose answers nobody says which one is right.

    Where it is transparent, it lies on white. What is in the place of the gap, such as a question mark, is not read.

    Raises:
        MatrixError: panels are neither side by side, by the proportions of the sheet, nor set apart; they are too small
            or too large; or there are colours, or more beside the matrix.
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
        _check_side(panels.shape[-1])
        return MatrixFile(panels, None)
    if rows is None:
        raise MatrixError(
            f"the sheet is {width:,} x {height:,} pixels, which is not {SHEET_COLUMNS} panels wide and "
            f"{IN_TURN} or {ABOVE} high, and no lines of one grey set so many panels of one size apart"
        )
    _check_side(side)
    if rows == IN_TURN:
        return MatrixFile(_cut(greys, side), None)
    top, answers = greys[: MATRIX_COLUMNS * side], greys[MATRIX_COLUMNS * side :]
    for left in (side // 2, 0):
        beside = np.concatenate((top[:, :left], top[:, left + MATRIX_COLUMNS * side :]), axis=1)
        if np.ptp(beside) <= GREY_WITHIN:
            matrix = _cut(top[:, left : left + MATRIX_COLUMNS * side], side)
            return MatrixFile(np.concatenate((matrix[:CONTEXT], _cut(answers, side))), None)
    raise MatrixError(
        f"beside the {MATRIX_COLUMNS} x {MATRIX_COLUMNS} places of the matrix the sheet is not of one grey"
    )


def sheet_of(panels: UInt8[np.ndarray, "16 side side"]) -> UInt8[np.ndarray, "height width"]:
    """All panels in turn as one picture, which ``read_sheet`` reads."""
    rows = panels.reshape(IN_TURN, SHEET_COLUMNS, *panels.shape[1:])
    return rows.transpose(0, 2, 1, 3).reshape(IN_TURN * panels.shape[1], -1)


def _cut(greys: UInt8[np.ndarray, "height width"], side: int) -> UInt8[np.ndarray, "panel side side"]:
    rows, columns = (size // side for size in greys.shape)
    return greys.reshape(rows, side, columns, side).transpose(0, 2, 1, 3).reshape(-1, side, side)


def _check_side(side: int) -> None:
    if not LEAST_SIDE <= side <= MOST_SIDE:
        raise MatrixError(f"its panels have {side} pixels a side")


def _set_apart(greys: UInt8[np.ndarray, "height width"]) -> list[Area] | None:
    """Where the panels are that lines of one grey set apart, without the place of the gap; None where these do not."""
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
        del rows[MATRIX_COLUMNS - 1][MATRIX_COLUMNS - 1 :]
    elif counts != ROWS_IN_TURN:
        return None
    areas = [area for row in rows for area in row]
    sizes = [size for area in areas for size in (area.bottom - area.top, area.right - area.left)]
    return areas if max(sizes) - min(sizes) <= SIDE_WITHIN else None


def _without_frames(panels: UInt8[np.ndarray, "panel side side"]) -> UInt8[np.ndarray, "panel inner inner"]:
    """Panels without the line of one grey that is drawn around every one of them, where there is one."""
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


def _between(lines: Bool[np.ndarray, " place"]) -> list[tuple[int, int]]:
    """From where to where no line is."""
    ends = np.flatnonzero(np.diff(np.concatenate(([True], lines, [True])).astype(np.int8))).tolist()
    return list(zip(ends[::2], ends[1::2], strict=True))


def _alike(areas: list[Area], side: int) -> bool:
    """Whether what lies apart may as well be what is drawn in panels side by side: it has the same place in each."""
    answers = areas[CONTEXT:]
    places = [[area.top % side for area in areas], [area.left % side for area in answers]]
    return all(max(each) - min(each) <= PLACE_WITHIN for each in places)


def _greys(picture: UInt8[np.ndarray, "height width band"]) -> UInt8[np.ndarray, "height width"]:
    """Greys of a picture; raises MatrixError where it has colours."""
    values = picture[..., :3].astype(np.float32)
    if picture.shape[-1] == 4:
        opacity = picture[..., 3:].astype(np.float32) / np.float32(255)
        values = (values - 255) * opacity + np.float32(255)
    spread = values.max(axis=-1) - values.min(axis=-1)
    if (spread > GREY_WITHIN).any():
        row, column = np.unravel_index(int(spread.argmax()), spread.shape)
        red, green, blue = np.rint(values[row, column]).astype(int).tolist()
        raise MatrixError(
            f"the sheet has colours, such as red {red}, green {green} and blue {blue} at row {row + 1:,}, column "
            f"{column + 1:,}"
        )
    return np.rint(values.mean(axis=-1)).astype(np.uint8)
