"""Untrusted files of clouds of points: .npy without pickles, .xyz, and .ply in its three formats.

Only x, y and z of the element ``vertex`` are read of a PLY file (Turk, "The PLY Polygon File Format", 1994).
"""

import io
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Shaped

from routescope.data.kinds.kind import InvalidSample
from routescope.files import MARKS, NoNumber, UndecodableText, decoded, lines_of, npy_head, number, quoted, words_of

SUFFIXES = (".npy", ".xyz", ".ply")
#: Least width of a cloud, in steps of rounding.
LEAST_STEPS = 100
#: Bytes in which a PLY header must end.
LONGEST_HEADER = 1 << 16
_TYPES = {
    **dict.fromkeys(("char", "int8"), "i1"),
    **dict.fromkeys(("uchar", "uint8"), "u1"),
    **dict.fromkeys(("short", "int16"), "i2"),
    **dict.fromkeys(("ushort", "uint16"), "u2"),
    **dict.fromkeys(("int", "int32"), "i4"),
    **dict.fromkeys(("uint", "uint32"), "u4"),
    **dict.fromkeys(("float", "float32"), "f4"),
    **dict.fromkeys(("double", "float64"), "f8"),
}
_ORDERS = {"binary_little_endian": "<", "binary_big_endian": ">"}


def read_cloud(name: str, content: bytes, most: int) -> Float[np.ndarray, "point 3"]:
    """Return the points of a file by its ending; raises InvalidSample for bad files, or over ``most`` points."""
    suffix = PurePosixPath(name.lower()).suffix
    if suffix not in SUFFIXES:
        raise InvalidSample(f"the file is called {quoted(name)}, and its name ends in none of {', '.join(SUFFIXES)}")
    if not content:
        raise InvalidSample("the file is empty")
    if suffix == ".npy":
        return _read_npy(content, most)
    if suffix == ".ply":
        return _read_ply(content, most)
    try:
        return read_xyz(decoded(content), most)
    except UndecodableText as error:
        raise InvalidSample(f"the .xyz file is no text: {error}") from None


def read_xyz(text: str, most: int | None = None) -> Float[np.ndarray, "point 3"]:
    """Return the first three numbers of every line, with white space, commas or semicolons between them.

    Comments from # on, and further numbers of a line, such as a normal's, are skipped. Every line has as many numbers
    as the first.

    Raises:
        InvalidSample: a line of other numbers, numbers with decimal commas, or more than ``most`` points.
    """
    points: list[list[float]] = []
    columns = 0
    for row, line in lines_of(text):
        try:
            words = words_of(line.partition("#")[0])
        except NoNumber as error:
            raise InvalidSample(f"line {row}: {error}") from None
        if words == [""]:
            continue
        columns = columns or len(words)
        if len(words) < 3 or len(words) != columns:
            of_first = "" if len(words) < 3 else f", and the first has {columns}"
            raise InvalidSample(f"line {row} has {len(words)} {'number' if len(words) == 1 else 'numbers'}{of_first}")
        points.append([_number(word, row) for word in words[:3]])
        if most is not None and len(points) > most:
            raise InvalidSample(f"the cloud has more than the {most:,} points that are read")
    return np.array(points, dtype=np.float64).reshape(-1, 3)


def _number(word: str, line: int) -> float:
    try:
        return number(word)
    except NoNumber as error:
        raise InvalidSample(f"line {line} has {error}") from None


def _check_count(count: int, most: int) -> None:
    if count > most:
        raise InvalidSample(f"the cloud has {count:,} points, more than the {most:,} that are read")


def _read_npy(content: bytes, most: int) -> Float[np.ndarray, "point 3"]:
    file = io.BytesIO(content)
    try:
        shape, fortran, kind = npy_head(file)
    except Exception:  # a damaged head fails in many ways
        raise InvalidSample("the file is no .npy array, or damaged; versions 1.0 and 2.0 are read") from None
    if kind.hasobject or kind.fields is not None or kind.kind not in "fiu":
        raise InvalidSample(f"the array holds {kind.name} values, which are no plain numbers")
    if len(shape) != 2 or shape[1] != 3:
        of_plane = ": its points lie in a plane" if len(shape) == 2 and shape[1] == 2 else ""
        raise InvalidSample(f"the array has the shape ({', '.join(map(str, shape))}){of_plane}")
    _check_count(shape[0], most)
    if len(content) - file.tell() < shape[0] * shape[1] * kind.itemsize:
        raise InvalidSample("the .npy file is cut off: it has fewer numbers than its header says")
    numbers = np.frombuffer(content, kind, 3 * shape[0], file.tell())
    return _precise(numbers.reshape(shape, order="F" if fortran else "C"))


def _precise(points: Shaped[np.ndarray, "point 3"]) -> Float[np.ndarray, "point 3"]:
    """Return the points in double precision; raises InvalidSample if the file has rounded them too coarsely."""
    if points.dtype.kind == "f" and points.dtype.itemsize < 8 and len(points) and np.isfinite(points).all():
        step, size = np.spacing(np.abs(points).max()), np.ptp(points, axis=0).max()
        if 0 < size < LEAST_STEPS * step:
            raise InvalidSample(
                f"the file holds numbers of {8 * points.dtype.itemsize} bits, which round these coordinates to steps "
                f"of {step:.3g}, and the cloud is {size:.3g} wide: save it in double precision, or move it near 0"
            )
    return points.astype(np.float64)


class _Element(NamedTuple):
    """An element of a PLY file; each property has a name, a type, and for lists the type of the length."""

    name: str
    rows: int
    properties: list[tuple[str, str, str | None]]


def _read_ply(content: bytes, most: int) -> Float[np.ndarray, "point 3"]:
    content = _as_utf8(content)
    end = re.search(rb"(?:^|\n)end_header\r?\n", content[:LONGEST_HEADER])
    if not content.startswith(b"ply") or end is None:
        raise InvalidSample(
            "the file does not begin as a .ply file does: with a line ply, and a header up to end_header"
        )
    form, elements = _header(content[: end.start()].decode("ascii", "replace"))
    before: list[_Element] = []
    for element in elements:
        if element.name == "vertex":
            break
        before.append(element)
    else:
        raise InvalidSample("the .ply file has no element vertex")
    _check_count(element.rows, most)
    names = [name for name, _, _ in element.properties]
    if missing := [axis for axis in "xyz" if axis not in names]:
        raise InvalidSample(f"the points of the .ply file have no {' and no '.join(missing)}")
    if any(length is not None for _, _, length in element.properties):
        raise InvalidSample("the points of the .ply file have lists among their properties, which are not read")
    body = content[end.end() :]
    return _ascii(body, before, element) if form == "ascii" else _binary(body, before, element, _ORDERS[form])


def _as_utf8(content: bytes) -> bytes:
    """Return a text with a byte order mark as UTF-8; other files, mostly binary, as they are."""
    if not any(content.startswith(mark) for mark, _ in MARKS):
        return content
    try:
        return decoded(content).encode()
    except UndecodableText as error:
        raise InvalidSample(f"the .ply file is no text: {error}") from None


def _header(text: str) -> tuple[str, list[_Element]]:
    """Return the format and the elements of a header."""
    form, elements = "", list[_Element]()
    for line in text.splitlines()[1:]:
        match line.split():
            case [] | ["comment", *_] | ["obj_info", *_]:
                continue
            case ["format", form, "1.0"] if form in ("ascii", *_ORDERS):
                continue
            case ["element", name, count] if count.isdecimal() and len(count) < 19:
                elements.append(_Element(name, int(count), []))
            case ["property", "list", length, kind, name] if elements and length in _TYPES and kind in _TYPES:
                elements[-1].properties.append((name, kind, length))
            case ["property", kind, name] if elements and kind in _TYPES:
                elements[-1].properties.append((name, kind, None))
            case _:
                raise InvalidSample(
                    f"the header of the .ply file has the line {quoted(line.strip())}, which is not read"
                )
    if not form:
        raise InvalidSample("the header of the .ply file names no format that is read")
    return form, elements


def _ascii(body: bytes, before: list[_Element], vertex: _Element) -> Float[np.ndarray, "point 3"]:
    """Read rows that are lines; lines of elements before the points are skipped."""
    lines: Iterator[bytes] = (line for line in body.splitlines() if line.strip())
    skipped = sum(element.rows for element in before)
    names = [name for name, _, _ in vertex.properties]
    columns = [names.index(axis) for axis in "xyz"]
    points: list[list[float]] = []
    for at, line in enumerate(lines):
        if at < skipped:
            continue
        if len(points) == vertex.rows:
            break
        words = line.split()
        if len(words) < len(names):
            raise InvalidSample(
                f"point {len(points) + 1} of the .ply file has {len(words)} numbers; {len(names)} are due"
            )
        points.append([_number(words[column].decode("ascii", "replace"), at + 1) for column in columns])
    if len(points) < vertex.rows:
        raise InvalidSample("the .ply file is cut off: it has fewer points than its header says")
    return np.array(points, dtype=np.float64).reshape(-1, 3)


def _binary(body: bytes, before: list[_Element], vertex: _Element, order: str) -> Float[np.ndarray, "point 3"]:
    """Read rows of fixed size; elements before the points are skipped if they have no lists."""
    at = 0
    for element in before:
        if any(length is not None for _, _, length in element.properties):
            raise InvalidSample(f"the .ply file has lists ({element.name}) before its points; points come first")
        at += element.rows * _row(element, order).itemsize
    row = _row(vertex, order)
    if len(body) < at + vertex.rows * row.itemsize:
        raise InvalidSample("the .ply file is cut off: it has fewer points than its header says")
    rows = np.frombuffer(body, row, vertex.rows, at)
    return _precise(np.stack([rows[axis] for axis in "xyz"], axis=1))


def _row(element: _Element, order: str) -> np.dtype:
    names = [name for name, _, _ in element.properties]
    if len(set(names)) < len(names):
        raise InvalidSample(f"the element {quoted(element.name)} of the .ply file has two properties of one name")
    return np.dtype([(name, order + _TYPES[kind]) for name, kind, _ in element.properties])
