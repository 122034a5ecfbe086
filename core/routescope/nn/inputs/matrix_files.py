"""Files of matrices, read as what nobody can trust: the npz files of PGM and of RAVEN, one matrix each, no pickles.

Sheets, pictures of a whole matrix, are read by ``routescope.nn.inputs.matrix_sheets``.
"""

import io
import math
import zipfile
from pathlib import PurePosixPath
from typing import NamedTuple

import numpy as np
from jaxtyping import UInt8

from routescope.nn.inputs.arrays import npy_head
from routescope.nn.inputs.kind import Files

#: Panels before the gap, answers, and both.
CONTEXT, ANSWERS = 8, 8
PANELS = CONTEXT + ANSWERS
#: A panel has so many pixels along its side, at least and at most.
LEAST_SIDE, MOST_SIDE = 16, 400
#: Panels of a sheet in a row, and along a side of the matrix.
SHEET_COLUMNS, MATRIX_COLUMNS = 4, 3
#: Rows of a sheet of all panels in turn, and of one with the matrix above its answers.
IN_TURN, ABOVE = 4, 5
SHEETS = (
    f"a sheet has {PANELS} square grey panels of {LEAST_SIDE} to {MOST_SIDE} pixels a side, with no space between them"
    f" or with lines of one grey: {SHEET_COLUMNS} rows of {SHEET_COLUMNS}, first the {CONTEXT} before the gap; or the"
    f" matrix, in the middle or at the left, above two rows of {SHEET_COLUMNS} answers"
)
ARCHIVES = (
    '.npz files of one matrix as PGM and RAVEN have them, with the array "image" and, where it is known, "target"'
)
FILES = Files(
    f"{ARCHIVES}, or .png sheets: {SHEETS}",
    (".npz", ".png"),
    pictures={".png": "PNG"},
    longest_side=ABOVE * MOST_SIDE,
    answers=ANSWERS,
)
WANTED = (
    f"a matrix is {CONTEXT} panels before the gap, row by row, and {ANSWERS} answers, {PANELS} square panels of"
    f" {LEAST_SIDE} to {MOST_SIDE} pixels a side, greys of 0 to 255"
)
#: Bytes of an array's header.
LONGEST_HEADER = 4_096
#: Characters of what was sent that a refusal repeats.
REPEATED = 40


class MatrixError(ValueError):
    """Something that is no matrix; the message says what it is."""


class MatrixFile(NamedTuple):
    """One matrix: greys of its panels, and the right answer, counted from 0, or None where nobody tells."""

    panels: UInt8[np.ndarray, "16 side side"]
    answer: int | None


def read_matrix(name: str, content: bytes) -> MatrixFile:
    """The matrix of a file; of "target" there may be none.

    Raises:
        MatrixError: another file, one that is damaged, or other panels than a matrix has.
    """
    if PurePosixPath(name.lower()).suffix not in FILES.suffixes:
        raise MatrixError(f"the file is called {name[:REPEATED]!r}, and its name does not end in .npz or .png")
    if PurePosixPath(name.lower()).suffix in FILES.pictures:
        raise MatrixError("a sheet is a picture, which is decoded before it is read")
    if not content:
        raise MatrixError("the file is empty")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
            if "image.npy" not in names:
                held = ", ".join(repr(each.removesuffix(".npy")[:REPEATED]) for each in names[:5]) or "nothing"
                raise MatrixError(f'the file has no array "image"; it holds {held}')
            panels = _panels(_array(archive, "image"))
            answer = _answer(_array(archive, "target")) if "target.npy" in names else None
    except MatrixError:
        raise
    except Exception:  # a damaged archive fails in many ways
        raise MatrixError("the file is no .npz archive of arrays, or damaged") from None
    return MatrixFile(panels, answer)


def _array(archive: zipfile.ZipFile, name: str) -> np.ndarray:
    """An array of an archive; no more is unpacked than its head says, and no more than a matrix has."""
    most = PANELS * MOST_SIDE**2
    with archive.open(f"{name}.npy") as file:
        head = file.read(LONGEST_HEADER)
        start = io.BytesIO(head)
        shape, fortran, kind = npy_head(start)
        if kind.hasobject or kind.kind not in "iu":
            raise MatrixError(f'the array "{name}" holds {kind.name} values, which are no whole numbers')
        if math.prod(shape) > most:
            raise MatrixError(f'the array "{name}" has the shape {_said(shape)}, more than one matrix of panels')
        due = math.prod(shape) * kind.itemsize
        numbers = head[start.tell() :] + file.read(max(0, due - len(head) + start.tell()))
    if len(numbers) < due:
        raise MatrixError(f'the array "{name}" is cut off: it has fewer numbers than its header says')
    return np.frombuffer(numbers[:due], kind).reshape(shape, order="F" if fortran else "C")


def _said(shape: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, shape))})"


def _panels(images: np.ndarray) -> UInt8[np.ndarray, "16 side side"]:
    """Panels of one matrix, whether they lie in an axis of their own or one after the other."""
    if images.dtype != np.uint8:
        raise MatrixError(f'the array "image" holds {images.dtype.name} values, not greys of 0 to 255 (uint8)')
    shape = images.shape
    while len(shape) > 3 and shape[0] == 1:
        shape = shape[1:]
    if len(shape) > 3:
        raise MatrixError(f'the array "image" has the shape {_said(images.shape)}: {shape[0]:,} matrices; one is read')
    if len(shape) == 3:
        count, height, width = shape
        if height != width:
            raise MatrixError(f"its panels are {width} x {height} pixels, which is not square")
        if count != PANELS:
            more = f", {CONTEXT} and {count - CONTEXT} {_answers(count - CONTEXT)}" if count > CONTEXT else ""
            raise MatrixError(f"the file has {count} panels{more}")
        side = width
    else:
        side = math.isqrt(images.size // PANELS)
        if images.size != PANELS * side**2:
            raise MatrixError(
                f'the array "image" has the shape {_said(images.shape)}, which is not {PANELS} square panels'
            )
    if not LEAST_SIDE <= side <= MOST_SIDE:
        raise MatrixError(f"its panels have {side} pixels a side")
    return images.reshape(PANELS, side, side)


def _answers(count: int) -> str:
    return "answer" if count == 1 else "answers"


def _answer(target: np.ndarray) -> int:
    if target.size != 1:
        raise MatrixError(f'"target" has the shape {_said(target.shape)}; it is one number, that of the right answer')
    found = int(target.reshape(()))
    if not 0 <= found < ANSWERS:
        raise MatrixError(f'"target" is {found}; it is the number of the right answer, 0 to {ANSWERS - 1}')
    return found


def resized(panels: UInt8[np.ndarray, "panel h h"], side: int) -> UInt8[np.ndarray, "panel side side"]:
    """Panels of another side, by the mean of the pixels that become one."""
    from PIL import Image

    if panels.shape[-1] == side:
        return panels
    made = [Image.fromarray(panel).resize((side, side), Image.Resampling.BOX) for panel in panels]
    return np.stack([np.asarray(each) for each in made])
