"""Untrusted files of matrices: .npz files of PGM and RAVEN, one matrix each, without pickles.

Sheets, which are pictures of a whole matrix, are read by ``routescope.data.kinds.matrices.sheets``.
"""

import io
import math
import zipfile
from pathlib import PurePosixPath
from typing import NamedTuple

import numpy as np
from jaxtyping import UInt8

from routescope.data.kinds.kind import InvalidSample
from routescope.files import npy_head, quoted
from routescope.nn.inputs.matrices import ANSWERS, CONTEXT, PANELS

#: Pixels of a panel's side, at least and at most.
LEAST_SIDE, MOST_SIDE = 16, 400
#: Bytes of an array's header.
LONGEST_HEADER = 4_096
#: Characters of a name that a refusal quotes.
QUOTED = 40


class MatrixFile(NamedTuple):
    """One matrix: greys of its panels, and the right answer, counted from 0; None where the file has none."""

    panels: UInt8[np.ndarray, "16 side side"]
    answer: int | None


def read_matrix(name: str, content: bytes) -> MatrixFile:
    """Return the matrix of an .npz file, "target" being optional; raises InvalidSample for other files or panels."""
    suffix = PurePosixPath(name.lower()).suffix
    if suffix == ".png":
        raise InvalidSample("a sheet is a picture, which is decoded before it is read")
    if suffix != ".npz":
        raise InvalidSample(f"the file is called {quoted(name, QUOTED)}, and its name does not end in .npz or .png")
    if not content:
        raise InvalidSample("the file is empty")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
            if "image.npy" not in names:
                held = ", ".join(quoted(array.removesuffix(".npy"), QUOTED) for array in names[:5]) or "nothing"
                raise InvalidSample(f'the file has no array "image"; it holds {held}')
            panels = _panels(_array(archive, "image"))
            answer = _answer(_array(archive, "target")) if "target.npy" in names else None
    except InvalidSample:
        raise
    except Exception:  # a damaged archive fails in many ways
        raise InvalidSample("the file is no .npz archive of arrays, or damaged") from None
    return MatrixFile(panels, answer)


def _array(archive: zipfile.ZipFile, name: str) -> np.ndarray:
    """Return an array of an archive; unpacks at most what its header says, and at most one matrix."""
    most = PANELS * MOST_SIDE**2
    with archive.open(f"{name}.npy") as file:
        head = file.read(LONGEST_HEADER)
        start = io.BytesIO(head)
        shape, fortran, dtype = npy_head(start)
        if dtype.hasobject or dtype.kind not in "iu":
            raise InvalidSample(f'the array "{name}" holds {dtype.name} values, which are no whole numbers')
        if math.prod(shape) > most:
            raise InvalidSample(
                f'the array "{name}" has the shape {_in_brackets(shape)}, more than one matrix of panels'
            )
        due = math.prod(shape) * dtype.itemsize
        numbers = head[start.tell() :] + file.read(max(0, due - len(head) + start.tell()))
    if len(numbers) < due:
        raise InvalidSample(f'the array "{name}" is cut off: it has fewer numbers than its header says')
    return np.frombuffer(numbers[:due], dtype).reshape(shape, order="F" if fortran else "C")


def _in_brackets(shape: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, shape))})"


def _panels(images: np.ndarray) -> UInt8[np.ndarray, "16 side side"]:
    """Return the panels of one matrix, whether they have an axis of their own or follow each other."""
    if images.dtype != np.uint8:
        raise InvalidSample(f'the array "image" holds {images.dtype.name} values, not greys of 0 to 255 (uint8)')
    shape = images.shape
    while len(shape) > 3 and shape[0] == 1:
        shape = shape[1:]
    if len(shape) > 3:
        raise InvalidSample(
            f'the array "image" has the shape {_in_brackets(images.shape)}: {shape[0]:,} matrices; one is read'
        )
    if len(shape) == 3:
        count, height, width = shape
        if height != width:
            raise InvalidSample(f"its panels are {width} x {height} pixels, which is not square")
        if count != PANELS:
            answers = "1 answer" if count == CONTEXT + 1 else f"{count - CONTEXT} answers"
            more = f", {CONTEXT} and {answers}" if count > CONTEXT else ""
            raise InvalidSample(f"the file has {count} panels{more}")
        side = width
    else:
        side = math.isqrt(images.size // PANELS)
        if images.size != PANELS * side**2:
            raise InvalidSample(
                f'the array "image" has the shape {_in_brackets(images.shape)}, which is not {PANELS} square panels'
            )
    check_side(side)
    return images.reshape(PANELS, side, side)


def check_side(side: int) -> None:
    """Raise InvalidSample for a panel that is too small or too large."""
    if not LEAST_SIDE <= side <= MOST_SIDE:
        raise InvalidSample(f"its panels have {side} pixels a side")


def _answer(target: np.ndarray) -> int:
    if target.size != 1:
        raise InvalidSample(
            f'"target" has the shape {_in_brackets(target.shape)}; it is one number, that of the right answer'
        )
    answer = int(target.reshape(()))
    if not 0 <= answer < ANSWERS:
        raise InvalidSample(f'"target" is {answer}; it is the number of the right answer, 0 to {ANSWERS - 1}')
    return answer


def resized(panels: UInt8[np.ndarray, "panel h h"], side: int) -> UInt8[np.ndarray, "panel side side"]:
    """Return panels of another side; a pixel is the mean of the pixels that it replaces."""
    from PIL import Image

    if panels.shape[-1] == side:
        return panels
    return np.stack([np.asarray(Image.fromarray(panel).resize((side, side), Image.Resampling.BOX)) for panel in panels])
