"""The generated clouds, and ModelNet40 as published, both of its forms made small here."""

from pathlib import Path

import h5py
import numpy as np
import pytest
import torch

from routescope.data import DataError, load
from routescope.data.points.sets import UNKNOWN, CloudSet
from routescope.nn.inputs.points import Points


def test_clouds_are_noisy_centred_and_in_the_unit_ball() -> None:
    data = load("clouds", "validation", limit=12)
    assert data.points.shape == (12, 1024, 3) and data.points.dtype == torch.float32
    assert data.labels.tolist() == [*range(12)] and data.classes[data.labels[5]] == "torus"
    radius = data.points.norm(dim=-1)
    assert torch.allclose(radius.amax(dim=1), torch.ones(12), atol=1e-6)
    assert data.points.mean(dim=1).abs().max() < 1e-6
    assert data.points[:, :256].mean(dim=1).abs().max() < 0.2, "first points are spread over the whole"
    assert 0.01 < radius[0].std() < 0.03, "noise of 0.02 on a sphere, whose farthest point is at 1"
    own = data.user_sample(Points(torch.randn(1, 40, 3)), "digest")
    assert own.labels.tolist() == [UNKNOWN] and own.points.shape == (1, 40, 3) and own.hashes == ("digest",)


OFF = "OFF\n4 4 0\n0 0 0\n{s} 0 0\n0 {s} 0\n0 0 {s}\n3 0 1 2\n3 0 1 3\n3 0 2 3\n3 1 2 3\n"


@pytest.fixture
def published(tmp_path):
    for name in ("airplane", "bathtub"):
        for part, count in (("train", 3), ("test", 2)):
            (tmp_path / name / part).mkdir(parents=True)
            for number in range(count):
                (tmp_path / name / part / f"{name}_{number:04}.off").write_text(OFF.format(s=number + 1))
    return tmp_path


def test_meshes_are_read_as_published(published) -> None:
    train, test = load("clouds", "train", str(published)), load("clouds", "test", str(published))
    assert isinstance(train, CloudSet)
    assert (train.title, train.stand_in, train.classes) == ("ModelNet40", False, ("airplane", "bathtub"))
    assert (len(train), len(test)) == (6, 4)
    assert sorted(train.labels.tolist()) == [0, 0, 0, 1, 1, 1]
    assert train.points.shape == (6, 1024, 3)
    assert torch.allclose(train.points.norm(dim=-1).amax(dim=1), torch.ones(6), atol=1e-6)
    assert load("clouds", "validation", str(published)).hashes == test.hashes
    again = load("clouds", "train", str(published), classes=("bathtub", "airplane"))
    assert again.labels.tolist() == [1 - label for label in train.labels.tolist()]


def hdf5(folder: Path, points: np.ndarray, labels: list[int]) -> None:
    with h5py.File(folder / "ply_data_train0.h5", "w") as file:
        file["data"], file["label"] = points, np.array(labels, np.uint8)[:, None]
    (folder / "shape_names.txt").write_text("airplane\nbathtub\n")


def test_points_of_hdf5_are_read(tmp_path) -> None:
    points = np.random.default_rng(0).normal(size=(5, 2048, 3)).astype(np.float32)
    hdf5(tmp_path, points, [0, 1, 1, 0, 1])
    data = load("clouds", "train", str(tmp_path))
    assert isinstance(data, CloudSet)
    assert data.points.shape == (5, 1024, 3) and sorted(data.labels.tolist()) == [0, 0, 1, 1, 1]
    centred = points[:, :1024] - points[:, :1024].mean(axis=1, keepdims=True)
    scaled = centred / np.linalg.norm(centred, axis=2).max(axis=1)[:, None, None]
    order = [int(np.abs(scaled - cloud.numpy()).max(axis=(1, 2)).argmin()) for cloud in data.points]
    assert np.allclose(scaled[order], data.points, atol=1e-5)


def test_other_folders_are_refused_in_words(published, tmp_path) -> None:
    with pytest.raises(DataError, match="a folder with a folder for every class"):
        load("clouds", "train", str(tmp_path / "nowhere"))
    with pytest.raises(DataError, match="training had sphere"):
        load("clouds", "train", str(published), classes=("sphere", "box"))
    (published / "airplane" / "train" / "airplane_0000.off").write_text("OFF\n4 4")
    with pytest.raises(DataError, match=r"airplane_0000\.off cannot be read"):
        load("clouds", "train", str(published))
    (published / "airplane" / "train" / "airplane_0000.off").write_text("OFF\n3 1 0\n0 0 0\n1 0 0\n2 0 0\n3 0 1 2\n")
    with pytest.raises(DataError, match=r"airplane_0000\.off: a mesh whose faces have no area"):
        load("clouds", "train", str(published))


@pytest.mark.parametrize(
    ("wrong", "says"), [(0.0, "all 1,024 points are in one place"), (np.nan, "not a finite number")]
)
def test_clouds_of_hdf5_that_are_none_are_refused(tmp_path, wrong: float, says: str) -> None:
    points = np.random.default_rng(0).normal(size=(3, 1024, 3)).astype(np.float32)
    points[1] = wrong
    hdf5(tmp_path, points, [0, 1, 1])
    with pytest.raises(DataError, match=says):
        load("clouds", "train", str(tmp_path))
