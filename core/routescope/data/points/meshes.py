"""Meshes of triangles: read from OFF files, and sampled uniformly by area."""

from pathlib import Path

import numpy as np
from jaxtyping import Float, Int

from routescope.data.dataset import DataError
from routescope.files import decoded

#: No mesh of a data set is larger: corners and faces of one file.
MOST_ELEMENTS = 5_000_000
WANTED = "an OFF file is the line OFF, a line with the numbers of corners, faces and edges, then corners, then faces"


def triangle_areas(triangles: Float[np.ndarray, "face 3 3"]) -> Float[np.ndarray, " face"]:
    """Area of every triangle, given by its corners."""
    first, second = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    areas: np.ndarray = 0.5 * np.linalg.norm(np.cross(first, second), axis=1)
    return areas


def on_triangles(
    triangles: Float[np.ndarray, "face 3 3"], count: int, random: np.random.Generator
) -> Float[np.ndarray, "count 3"]:
    """Points drawn uniformly by area from triangles given by their corners.

    A point of a triangle is (1 - s) a + s (1 - t) b + s t c with s the square root of a uniform number, t uniform
    (Osada, Funkhouser, Chazelle and Dobkin, "Shape Distributions", 2002).

    Raises:
        DataError: triangles without any area.
    """
    areas = triangle_areas(triangles)
    if not areas.sum() > 0:
        raise DataError("a mesh whose faces have no area has no points to draw")
    a, b, c = triangles[random.choice(len(triangles), count, p=areas / areas.sum())].transpose(1, 0, 2)
    s, t = np.sqrt(random.random((count, 1))), random.random((count, 1))
    points: np.ndarray = (1 - s) * a + s * (1 - t) * b + s * t * c
    return points


def read_off(path: Path) -> Float[np.ndarray, "face 3 3"]:
    """The triangles of an OFF file; faces of more corners are cut into fans.

    Some files of ModelNet40 have the numbers of corners and faces in the first line, after OFF and without a space.

    Raises:
        DataError: no OFF file, or one that is cut off; it says what would be read.
    """
    try:
        return _triangles(decoded(path.read_bytes()))
    except (OSError, ValueError, IndexError, OverflowError) as error:
        raise DataError(f"{path} cannot be read: {error}; {WANTED}") from error


def _triangles(text: str) -> Float[np.ndarray, "face 3 3"]:
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    words = "\n".join(line for line in lines if line)
    if not words.startswith("OFF"):
        raise ValueError("it does not begin with OFF")
    numbers = words[3:].split()
    if len(numbers) < 3:
        raise ValueError("it ends before the numbers of corners and faces")
    corner_count, face_count = int(numbers[0]), int(numbers[1])
    if not (3 <= corner_count <= MOST_ELEMENTS and 1 <= face_count <= MOST_ELEMENTS):
        raise ValueError(f"it has {corner_count} corners and {face_count} faces")
    end = 3 + 3 * corner_count
    corners = np.array(numbers[3:end], dtype=np.float64)
    if len(corners) != 3 * corner_count or not np.isfinite(corners).all():
        raise ValueError("a corner is missing, or no three finite numbers")
    faces: list[tuple[int, int, int]] = []
    at = end
    if len(numbers) == end + 4 * face_count and set(numbers[end::4]) == {"3"}:  # triangles alone, as mostly
        table = np.array(numbers[end:], dtype=np.int64).reshape(-1, 4)
        return _corners_of(table[:, 1:], corners.reshape(-1, 3))
    for _ in range(face_count):
        sides = int(numbers[at])
        ring = [int(number) for number in numbers[at + 1 : at + 1 + sides]]
        if sides < 3 or len(ring) < sides:  # also where a corner before was missing, and this is none of the faces
            raise ValueError("a face has fewer than three corners, or is missing")
        faces += [(ring[0], ring[k], ring[k + 1]) for k in range(1, sides - 1)]
        at += 1 + sides
    return _corners_of(np.array(faces, dtype=np.int64), corners.reshape(-1, 3))


def _corners_of(
    faces: Int[np.ndarray, "face 3"], corners: Float[np.ndarray, "corner 3"]
) -> Float[np.ndarray, "face 3 3"]:
    if faces.min() < 0 or faces.max() >= len(corners):
        raise ValueError(f"a face names a corner that is not among the {len(corners)}")
    found: np.ndarray = corners[faces]
    return found
