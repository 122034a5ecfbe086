"""Heads of .npy arrays, read before the numbers: a file says itself how much it would take."""

import io
from io import BufferedIOBase
from typing import IO

import numpy as np

#: Bytes of a head, axes of an array, and entries along an axis, which files may declare.
LONGEST_HEAD, MOST_AXES, LONGEST_SIDE = 10_000, 32, 2**40


def npy_head(file: BufferedIOBase | IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype]:
    """Shape, whether numbers lie in Fortran's order, and their type, as the head of a .npy file says.

    The file stands at its first number afterwards. A head has at most ``LONGEST_HEAD`` bytes, of which no more are
    read, or unpacked.

    Raises:
        ValueError: another version than 1.0 and 2.0, a damaged or long head, or lengths that are no whole numbers
            from 0.
    """
    version = np.lib.format.read_magic(file)
    if version not in ((1, 0), (2, 0)):
        raise ValueError(f"it is of version {version[0]}.{version[1]}; 1.0 and 2.0 are read")
    width = 2 if version == (1, 0) else 4
    length = file.read(width)
    size = int.from_bytes(length, "little")
    if len(length) < width or size > LONGEST_HEAD:
        raise ValueError(f"its head is cut off, or longer than {LONGEST_HEAD:,} bytes")
    head = io.BytesIO(length + file.read(size))
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    try:
        shape, fortran, kind = read(head)
    except Exception as error:  # numpy's reader of heads fails in many ways: it parses Python
        raise ValueError("its head is damaged") from error
    if len(shape) > MOST_AXES or any(type(side) is not int or not 0 <= side < LONGEST_SIDE for side in shape):
        raise ValueError("its shape is none")
    return shape, fortran, kind
