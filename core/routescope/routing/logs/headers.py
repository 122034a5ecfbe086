"""What a saved array of numpy says of itself, before a byte of it is taken: its shape and type."""

import math
from collections.abc import Sequence
from typing import IO

import numpy as np

from routescope.files import npy_head
from routescope.routing.logs.log import LogError

#: How a pickle begins, and what is said of one.
PICKLE, PICKLED = b"\x80", "it looks like a pickle, which is never read; save safetensors or npz"


def npy_header(file: IO[bytes], where: str) -> tuple[tuple[int, ...], np.dtype]:
    """Shape and type of the array that a file begins with, in the order of C.

    Raises:
        LogError: it is no such array; objects, which would be pickled, are none.
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
    """Check that an array holds a number: sides of 0 beside large ones take no bytes, and endless loops.

    Raises:
        LogError: a side is 0.
    """
    if 0 in shape:
        sides = " x ".join(map(str, shape))
        raise LogError(f"{where} is empty ({sides}); at least one token, layer and expert is read")


def bytes_of(shape: tuple[int, ...], dtype: np.dtype) -> int:
    """How many bytes such an array has."""
    return math.prod(shape) * dtype.itemsize
