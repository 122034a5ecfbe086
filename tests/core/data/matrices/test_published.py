"""Published files of matrices: PGM's and RAVEN's, whole and spoilt."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routescope.data import DataError, NoSplit, load
from routescope.data.matrices.grammar import Triple
from routescope.data.matrices.published import read
from routescope.data.matrices.sets import MatrixSet

RANDOM = np.random.default_rng(0)


def pgm(folder: Path, name: str = "PGM_neutral_train_3.npz", **changes: Any) -> Path:
    """A file as PGM has them: sixteen panels in one row of pixels, the answer, and its rules in bits."""
    bits = np.zeros((4, 12), np.int64)
    bits[0, [0, 2, 7]] = 1  # progression of shape colour
    bits[1, [1, 6, 9]] = 1  # OR of line type
    arrays = {
        "image": RANDOM.integers(0, 256, 16 * 160 * 160).astype(np.uint8),
        "target": np.int64(5),
        "relation_structure_encoded": bits,
    }
    arrays |= changes
    np.savez(folder / name, **{key: value for key, value in arrays.items() if value is not None})
    return folder / name


def test_a_file_of_pgm_is_read_with_its_rules(tmp_path: Path) -> None:
    path = pgm(tmp_path)
    pgm(tmp_path, "PGM_neutral_test_1.npz", target=np.int64(2))
    with np.load(path) as stored:
        image = stored["image"].reshape(16, 160, 160)
    (matrix,) = read(str(tmp_path), "train", 80)
    assert matrix.target == 5 and matrix.panels.shape == (16, 80, 80)
    assert matrix.triples == (Triple("progression", "shape", "colour"), Triple("OR", "line", "type"))
    means = image.reshape(16, 80, 2, 80, 2).mean(axis=(2, 4))
    assert np.abs(matrix.panels - means).max() <= 1  # rounded along one axis, then the other
    data = load("pgm-neutral", "train", str(tmp_path), side=40)
    assert isinstance(data, MatrixSet) and data.inputs([0]).values.shape == (1, 16, 40, 40)
    assert not data.stand_in and data.labels.tolist() == [5] and data.kinds[data.kind[0]] == "several relations"
    with pytest.raises(NoSplit, match="no npz file of validation"):
        load("pgm-neutral", "validation", str(tmp_path))


def test_files_of_raven_have_no_rules_that_are_read(tmp_path: Path) -> None:
    image = RANDOM.integers(0, 256, (16, 160, 160)).astype(np.uint8)
    for number in (10, 2):
        np.savez(tmp_path / f"RAVEN_{number}_val.npz", image=image, target=number % 8)
    many = {"image": np.stack([image] * 3), "target": np.array([0, 7, 3])}
    np.savez(tmp_path / "RAVEN_many_train.npz", **many)
    assert [matrix.target for matrix in read(str(tmp_path), "validation", 80)] == [2, 2]
    found = read(str(tmp_path / "RAVEN_many_train.npz"), "train", 160, limit=2)
    assert [matrix.target for matrix in found] == [0, 7] and np.array_equal(found[1].panels, image)
    assert found[0].triples == ()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"image": np.zeros((17, 160, 160), np.uint8)}, r"has 17 panels: 8 and 9 answers; a matrix is 8 panels and 8"),
        ({"image": np.zeros((7, 160, 160), np.uint8)}, r"has 7 panels; a matrix is 8 panels and 8 answers, 16 in all"),
        ({"image": np.zeros(1000, np.uint8)}, r"image of shape \(1000,\) is no 1 matrices of 16 square panels"),
        ({"image": np.zeros((16, 160, 160))}, "greys of 0 to 255"),
        ({"image": None}, "has no array image; it has target"),
        ({"target": np.int64(8)}, "target is the number of the right answer, 0 to 7"),
        ({"relation_structure_encoded": np.eye(12, dtype=int)}, "is one object, one attribute, one relation"),
        ({"relation_structure_encoded": np.ones((4, 11), int)}, "rows of 12 bits, not 11"),
    ],
)
def test_a_file_that_is_none_is_refused(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(DataError, match=said):
        read(str(pgm(tmp_path, **changes)), "train", 80)


def test_what_is_no_file_of_matrices_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="npz files of PGM or RAVEN"):
        read(str(tmp_path), "train", 80)
    (tmp_path / "a_train.npz").write_text("no archive")
    with pytest.raises(DataError, match="a_train.npz is no npz file of matrices"):
        read(str(tmp_path), "train", 80)
