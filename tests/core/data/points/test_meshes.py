"""OFF files, well-formed and not, and points drawn from meshes by area."""

from pathlib import Path

import numpy as np
import pytest

from routescope.data.points import meshes
from routescope.data.samples import DataError

SQUARE = "4 1 4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n"


def written(folder: Path, text: str) -> Path:
    path = folder / "mesh.off"
    path.write_text(text)
    return path


@pytest.mark.parametrize("head", ["OFF\n", "OFF", "OFF\n# a comment\n", "\ufeffOFF\n"])
def test_faces_are_cut_into_triangles(tmp_path, head: str) -> None:
    found = meshes.read_off(written(tmp_path, head + SQUARE))
    assert found.tolist() == [[[0, 0, 0], [1, 0, 0], [1, 1, 0]], [[0, 0, 0], [1, 1, 0], [0, 1, 0]]]
    assert meshes.triangle_areas(found).tolist() == [0.5, 0.5]
    found = meshes.read_off(written(tmp_path, "OFF\n3 1 0\n0 0 0\n2 0 0\n0 2 0\n3 2 1 0\n"))
    assert found.tolist() == [[[0, 2, 0], [2, 0, 0], [0, 0, 0]]], "triangles alone"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "PLY\n",
        "OFF\n4 1",
        "OFF\n3 1 0\n0 0 0\n1 0 0\n3 0 1 2\n",
        "OFF\n3 1 0\n0 0 0\n1 0 0\n0 nan 0\n3 0 1 2\n",
        "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n",
        "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n",
        "OFF\n99999999999 1 0\n",
        "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n9 0 1 2\n",
        "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 99999999999999999999999\n",
    ],
)
def test_other_files_are_refused_in_words(tmp_path, text: str) -> None:
    with pytest.raises(DataError, match="an OFF file is the line OFF"):
        meshes.read_off(written(tmp_path, text))


def test_points_fall_by_area() -> None:
    faces = np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 0, 5], [3, 0, 5], [0, 1, 5]]], dtype=float)
    points = meshes.on_triangles(faces, 20_000, np.random.default_rng(0))
    assert (points[:, 2] > 1).mean() == pytest.approx(0.75, abs=0.01)
    first = points[points[:, 2] < 1]
    assert first[:, :2].min() >= 0 and first[:, :2].sum(axis=1).max() <= 1 + 1e-12
    assert first.mean(axis=0) == pytest.approx([1 / 3, 1 / 3, 0], abs=0.01)
    assert (first[:, 0] < 0.5).mean() == pytest.approx(0.75, abs=0.015)
