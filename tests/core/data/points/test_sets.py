"""The generated clouds, and ModelNet40 as published, both of its forms made small here."""

import h5py
import numpy as np
import pytest
import torch

from routescope.data import CloudSet, DataError, NoSplit, load
from routescope.data.points.sets import UNKNOWN
from routescope.nn.inputs.points import Points


def test_clouds_are_the_same_whenever_they_are_made() -> None:
    few, more = load("clouds", "validation", limit=13), load("clouds", "validation", limit=26)
    assert isinstance(few, CloudSet) and isinstance(more, CloudSet)
    assert few.points.shape == (13, 1024, 3) and few.points.dtype == torch.float32
    assert torch.equal(few.points, more.points[:13])
    assert few.labels.tolist() == [*range(12), 0]
    assert few.classes[few.labels[5]] == "torus"
    assert few.stand_in and few.stand_in_for == "ModelNet40"
    assert len(set(more.hashes)) == 26


def test_clouds_are_in_the_unit_ball() -> None:
    data = load("clouds", "test", limit=12)
    assert isinstance(data, CloudSet)
    radius = data.points.norm(dim=-1)
    assert torch.allclose(radius.amax(dim=1), torch.ones(12), atol=1e-6)
    assert data.points.mean(dim=1).abs().max() < 1e-6
    sphere = radius[0]  # noise of 0.02 on a sphere, whose farthest point is at 1
    assert 0.01 < sphere.std() < 0.03


def test_first_points_are_spread_over_the_whole() -> None:
    data = load("clouds", "validation", limit=12)
    assert isinstance(data, CloudSet)
    assert data.points[:, :256].mean(dim=1).abs().max() < 0.2


def test_splits_have_no_cloud_in_common() -> None:
    splits = [set(load("clouds", split, limit=24).hashes) for split in ("train", "validation", "test")]
    assert not splits[0] & splits[1] and not splits[1] & splits[2] and not splits[0] & splits[2]
    with pytest.raises(NoSplit):
        load("clouds", "dev")


def test_a_set_is_taken_and_read_by_rows() -> None:
    data = load("clouds", "validation", limit=6)
    assert isinstance(data, CloudSet)
    taken = data.take([4, 1])
    assert taken.labels.tolist() == [4, 1] and taken.hashes == (data.hashes[4], data.hashes[1])
    assert torch.equal(taken.inputs([0]).values[0], data.points[4])
    assert data.targets(slice(2, 4)).tolist() == [2, 3]


def test_a_cloud_of_ones_own_has_no_class() -> None:
    data = load("clouds", "validation", limit=2)
    assert isinstance(data, CloudSet)
    own = data.own(Points(torch.randn(1, 40, 3)), "digest")
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


def test_points_of_hdf5_are_read(tmp_path) -> None:
    points = np.random.default_rng(0).normal(size=(5, 2048, 3)).astype(np.float32)
    with h5py.File(tmp_path / "ply_data_train0.h5", "w") as file:
        file["data"], file["label"] = points, np.array([[0], [1], [1], [0], [1]], np.uint8)
    (tmp_path / "shape_names.txt").write_text("airplane\nbathtub\n")
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


@pytest.mark.parametrize(
    ("wrong", "says"), [(0.0, "all 1,024 points are in one place"), (np.nan, "not a finite number")]
)
def test_clouds_of_hdf5_that_are_none_are_refused(tmp_path, wrong: float, says: str) -> None:
    points = np.random.default_rng(0).normal(size=(3, 1024, 3)).astype(np.float32)
    points[1] = wrong
    with h5py.File(tmp_path / "ply_data_train0.h5", "w") as file:
        file["data"], file["label"] = points, np.zeros((3, 1), np.uint8)
    (tmp_path / "shape_names.txt").write_text("airplane")
    with pytest.raises(DataError, match=says):
        load("clouds", "train", str(tmp_path))


def test_a_mesh_without_area_is_named(published) -> None:
    (published / "airplane" / "train" / "airplane_0000.off").write_text("OFF\n3 1 0\n0 0 0\n1 0 0\n2 0 0\n3 0 1 2\n")
    with pytest.raises(DataError, match=r"airplane_0000\.off: a mesh whose faces have no area"):
        load("clouds", "train", str(published))
