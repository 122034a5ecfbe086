"""Shape and type of saved numpy arrays, checked before their values are read."""

import math
from collections.abc import Sequence
from typing import IO

import numpy as np

from routescope.files import npy_head
from routescope.routing.logs.log import LogError

#: First byte of a pickle, and its refusal.
PICKLE, PICKLED = b"\x80", "it looks like a pickle, which is never read; save safetensors or npz"


def npy_header(file: IO[bytes], where: str) -> tuple[tuple[int, ...], np.dtype]:
    """Return shape and type of the array at the start of a file, which must be in C order.

    Raises:
        LogError: no numeric array; object arrays, which are pickled, are never read.
    """
    try:
        shape, fortran, dtype = npy_head(file)
    except ValueError as error:
        raise LogError(f"{where} is no array of numpy ({str(error)[:120]})") from error
    if dtype.hasobject or dtype.kind not in "biuf" or dtype.itemsize > 8 or dtype.subdtype is not None:
        kind = str(dtype)[:40]
        raise LogError(f"{where} is an array of {kind}; arrays of numbers are read, and objects are not read")
    if fortran:
        raise LogError(f"{where} is an array in the order of Fortran; save np.ascontiguousarray of it")
    return shape, dtype


def check_sides(shape: Sequence[int], where: str) -> None:
    """Raise LogError where a side is 0: such an array takes no bytes beside large sides, and endless loops."""
    if 0 in shape:
        sides = " x ".join(map(str, shape))
        raise LogError(f"{where} is empty ({sides}); at least one token, layer and expert is read")


def bytes_of(shape: tuple[int, ...], dtype: np.dtype) -> int:
    """Return the size of an array in bytes."""
    return math.prod(shape) * dtype.itemsize
