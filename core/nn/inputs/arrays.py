"""Heads of .npy arrays, read before the numbers: a file says itself how much it would take."""

from io import BufferedIOBase
from typing import IO

import numpy as np


def npy_head(file: BufferedIOBase | IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype]:
    """Shape, whether numbers lie in Fortran's order, and their type, as the head of a .npy file says.

    The file stands at its first number afterwards.

    Raises:
        ValueError: another version than 1.0 and 2.0, a damaged head, or lengths that are no whole numbers from 0.
    """
    version = np.lib.format.read_magic(file)
    if version not in ((1, 0), (2, 0)):
        raise ValueError(f"it is of version {version[0]}.{version[1]}; 1.0 and 2.0 are read")
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, fortran, kind = read(file)
    if any(type(length) is not int or length < 0 for length in shape):
        raise ValueError("its shape is none")
    return shape, fortran, kind
