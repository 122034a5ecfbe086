"""Labelled pictures of any classes: generated ones, and a user's own."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch
from PIL import Image

from routescope.data import DataError, catalogue, known_datasets, load
from tests.core.data.test_readers import encoded

SPLITS = ("train", "validation")


def picture(folder: Path, name: str, side: int, seed: int) -> np.ndarray:
    pixels = np.random.default_rng(seed).integers(0, 256, (side, side, 3), dtype=np.uint8)
    folder.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels).save(folder / name)
    return pixels


@pytest.mark.parametrize(("side", "kept"), [(32, 32), (20, 32), (48, 32), (64, 64), (100, 64)])
def test_pictures_are_32_or_64_pixels_wide(tmp_path: Path, side: int, kept: int) -> None:
    for seed in range(10):
        pixels = picture(tmp_path / "cats", f"{seed}.png", side, seed)
    data = load("images", "validation", str(tmp_path))
    assert data.images.shape == (2, 3, kept, kept)
    if side == kept:
        everything = torch.cat([load("images", split, str(tmp_path)).images for split in SPLITS])
        last = torch.from_numpy(pixels.transpose(2, 0, 1).copy())
        assert any(torch.equal(each, last) for each in everything)


def test_a_folder_of_class_folders_is_cut_into_two_unless_all_is_asked_for(tmp_path: Path) -> None:
    for seed in range(20):
        picture(tmp_path / ("cats" if seed % 2 else "dogs"), f"{seed}.png", 32, seed)
    train, validation = (load("images", split, str(tmp_path)) for split in SPLITS)
    assert (len(train), len(validation)) == (16, 4)
    assert not set(train.hashes) & set(validation.hashes)
    assert train.classes == validation.classes == ("cats", "dogs") and not train.stand_in
    assert len(load("images-ood", "validation", str(tmp_path), whole=True)) == 20
    cells = [{"bytes": path.read_bytes(), "path": ""} for path in sorted(tmp_path.rglob("*.png"))]
    table = pd.DataFrame({"image": cells, "label": [0] * 20})
    for name, whole in (("renditions", True), ("test", False)):
        table.to_parquet(tmp_path / f"{name}.parquet")
        assert len(load("images-ood", "validation", str(tmp_path / f"{name}.parquet"), whole=whole)) == 20


def test_folders_of_splits_have_the_classes_of_training(tmp_path: Path) -> None:
    for seed, folder in enumerate(("train/ants", "train/bees", "train/cats", "val/bees", "val/cats")):
        picture(tmp_path / folder, "a.png", 32, seed)
    assert sorted(load("images", "train", str(tmp_path)).labels.tolist()) == [0, 1, 2]
    validation = load("images", "validation", str(tmp_path))
    assert sorted(validation.labels.tolist()) == [1, 2]
    assert validation.classes == ("ants", "bees", "cats")
    picture(tmp_path / "val" / "eels", "a.png", 32, 9)
    with pytest.raises(DataError, match="classes that training does not: eels"):
        load("images", "validation", str(tmp_path))


def test_parquet_with_any_number_of_classes(tmp_path: Path) -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (3, 64, 64, 3), dtype=np.uint8)
    cells = [{"bytes": encoded(each), "path": ""} for each in pixels]
    pd.DataFrame({"image": cells, "label": [0, 150, 3]}).to_parquet(tmp_path / "train.parquet")
    data = load("images", "train", str(tmp_path / "train.parquet"))
    order = [[0, 150, 3].index(label) for label in data.labels.tolist()]
    assert sorted(order) == [0, 1, 2]
    assert torch.equal(data.images, torch.from_numpy(pixels[order].transpose(0, 3, 1, 2).copy()))
    assert len(data.classes) == 151


@pytest.mark.parametrize(("held", "rows", "kept"), [(8, 20, 8), (8, 15, 3), (None, 20, 4)])
def test_of_a_file_alone_as_many_are_kept_for_scoring_as_its_set_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: int | None, rows: int, kept: int
) -> None:
    assert known_datasets()["kmnist"].held == 1904, "of 6,000 4,096 are left to adapt to"
    kmnist = catalogue._registered["kmnist"]
    changed = kmnist._replace(info=replace(kmnist.info, held=held))
    monkeypatch.setitem(catalogue._registered, "kmnist", changed)
    pixels = np.random.default_rng(0).integers(0, 256, (rows, 28, 28, 3), dtype=np.uint8)
    cells = [{"bytes": encoded(each), "path": ""} for each in pixels]
    pd.DataFrame({"image": cells, "label": np.arange(rows) % 10}).to_parquet(tmp_path / "first.parquet")
    train, validation = (load("kmnist", split, str(tmp_path), side=32) for split in SPLITS)
    assert (len(train), len(validation)) == (rows - kept, kept)
    assert not set(train.hashes) & set(validation.hashes)
    assert not train.stand_in and train.title == "K-MNIST" and train.images.shape[1:] == (3, 32, 32)


def test_first_pictures_are_of_many_classes_and_stay_the_same(tmp_path: Path) -> None:
    pixels = [picture(tmp_path / "train" / f"class {seed // 10}", f"{seed}.png", 32, seed) for seed in range(40)]
    first = load("images", "train", str(tmp_path), limit=20)
    assert set(first.labels.tolist()) == {0, 1, 2, 3}
    everything = load("images", "train", str(tmp_path))
    assert everything.hashes[:20] == first.hashes
    assert len(set(everything.hashes)) == 40
    for image, label in zip(everything.images, everything.labels.tolist(), strict=True):
        (seed,) = (seed for seed in range(40) if np.array_equal(pixels[seed], image.numpy().transpose(1, 2, 0)))
        assert label == seed // 10


def test_labels_are_those_of_the_names_that_were_trained_on(tmp_path: Path) -> None:
    pixels = {name: picture(tmp_path / name, "a.png", 32, seed) for seed, name in enumerate(("bees", "dogs"))}
    trained = ("ants", "bees", "cats", "dogs")
    data = load("images-ood", "validation", str(tmp_path), classes=trained, whole=True)
    assert data.classes == trained
    by_label = {int(label): image for image, label in zip(data.images, data.labels, strict=True)}
    assert sorted(by_label) == [1, 3]
    for label, image in by_label.items():
        assert np.array_equal(image.numpy().transpose(1, 2, 0), pixels[trained[label]])
    with pytest.raises(DataError, match="classes that training did not: dogs; its classes are ants, bees"):
        load("images-ood", "validation", str(tmp_path), classes=("ants", "bees"), whole=True)
    with pytest.raises(DataError, match=r"other classes than training .*images-ood=FOLDER"):
        load("images-ood", "validation", classes=trained)


def test_pictures_are_brought_to_the_side_of_a_network_and_other_sets_are_refused(tmp_path: Path) -> None:
    for size in (20, 32, 100):
        picture(tmp_path / "cats", f"{size}.png", size, 0)
    for side in (32, 64):
        assert load("letters", "validation", str(tmp_path), side=side, whole=True).images.shape == (3, 3, side, side)
    with pytest.raises(DataError, match=r"32 x 32 pixels, and the network takes 64 x 64; .*letters=FOLDER"):
        load("letters", limit=2, side=64)
    with pytest.raises(DataError, match="32 x 32 pixels, and the network takes 64 x 64$"):
        load("mnist", limit=2, side=64)
    assert load("mnist", limit=2, side=32).images.shape == (2, 3, 32, 32)


def test_what_is_no_picture_is_told(tmp_path: Path) -> None:
    picture(tmp_path / "cats", "a.png", 32, 0)
    (tmp_path / "cats" / "b.png").write_bytes(b"no picture")
    with pytest.raises(DataError, match="b.png cannot be decoded"):
        load("images", "train", str(tmp_path))
    with pytest.raises(DataError, match="nothing for the train split"):
        load("images", "train", str(tmp_path / "cats"))
