"""Real sets read from parquet as their users have them, with wrong ones refused in words."""

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import datasets
import numpy as np
import pandas as pd
import pytest
import torch
from PIL import Image

from routescope.data import DataError, known_datasets, load, readers
from routescope.data.pictures.digits import SHOWN_LAST_PLACE, content_hash, shown_digits
from routescope.data.pictures.sizing import upsample


def encoded(pixels: np.ndarray, form: str = "PNG") -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, form)
    return buffer.getvalue()


def write(
    file: Path, pictures: Sequence[np.ndarray | bytes | None], labels: Sequence[Any], paths: Sequence[str] | None = None
) -> Path:
    cells = [
        {"bytes": encoded(each) if isinstance(each, np.ndarray) else each, "path": paths[i] if paths else f"{i}.png"}
        for i, each in enumerate(pictures)
    ]
    file.parent.mkdir(parents=True, exist_ok=True)
    pd.DataFrame({"image": cells, "label": labels}).to_parquet(file)
    return file


def random_digits(count: int, seed: int = 0) -> list[np.ndarray]:
    return list(np.random.default_rng(seed).integers(0, 256, (count, 28, 28), dtype=np.uint8))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "set" / "train.parquet", random_digits(12), [i % 10 for i in range(12)])
    write(tmp_path / "set" / "test_5k.parquet", random_digits(7, seed=1), [9 - i for i in range(7)])
    return tmp_path / "set"


@pytest.mark.parametrize(("split", "seed", "count"), [("train", 0, 12), ("validation", 1, 7), ("test", 1, 7)])
def test_a_folder(folder: Path, split: str, seed: int, count: int) -> None:
    dataset, digits = load("mnist", split, str(folder)), random_digits(count, seed)
    assert torch.equal(dataset.images[:, 2], torch.from_numpy(upsample(np.stack(digits))))
    assert dataset.hashes == tuple(map(content_hash, digits))
    assert dataset.labels.tolist() == [(i % 10 if split == "train" else 9 - i) for i in range(count)]
    assert (dataset.stand_in, dataset.stand_in_for, dataset.source) == (False, None, str(folder))
    assert dataset.licence == known_datasets()["mnist"].real_licence


def test_a_file_is_of_the_split_in_its_name_or_cut_into_two(folder: Path) -> None:
    file = str(folder / "test_5k.parquet")
    assert len(load("mnist", "validation", file)) == 7
    assert len(load("mnist", "test", file, limit=3)) == 3
    with pytest.raises(DataError, match="by its name, a validation file|by its name, a test file"):
        load("mnist", "train", file)
    file = str(write(folder / "first_50.parquet", random_digits(50), [i % 10 for i in range(50)]))
    train, validation = load("mnist", "train", file), load("mnist", "validation", file)
    assert (len(train), len(validation)) == (40, 10)
    assert not set(train.hashes) & set(validation.hashes)
    (folder / "train.parquet").unlink()
    (folder / "first_50.parquet").unlink()
    with pytest.raises(DataError, match=r"there is test_5k.parquet; wanted train\*"):
        load("mnist", "train", str(folder))


def test_several_files_and_the_hubs_layout(tmp_path: Path) -> None:
    for part in range(2):
        name = f"train-0000{part}-of-00002.parquet"
        write(tmp_path / "data" / name, random_digits(3, seed=part), [1, 2, 3])
    dataset = load("mnist", "train", str(tmp_path))
    digits = random_digits(3, seed=0) + random_digits(3, seed=1)
    assert dataset.hashes == tuple(content_hash(digit) for digit in digits)


def test_only_a_changed_file_is_decoded_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = load("mnist", "test", str(folder))
    with monkeypatch.context() as patch:
        patch.setattr(readers, "_from_parquet", lambda files: pytest.fail("decoded again"))
        assert torch.equal(load("mnist", "test", str(folder)).images, first.images)
    write(folder / "test_5k.parquet", random_digits(8, seed=2), [3] * 8)
    second = load("mnist", "test", str(folder))
    assert len(second) == 8 and not set(first.hashes) & set(second.hashes)


@pytest.mark.parametrize(("side", "form"), [(32, "PNG"), (32, "JPEG"), (48, "PNG"), (20, "BMP")])
def test_colour_pictures_of_any_size(tmp_path: Path, side: int, form: str) -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (side, side, 3), dtype=np.uint8)
    source = str(write(tmp_path / "test.parquet", [encoded(pixels, form)], [4]))
    images = load("street-digits", "test", source).images
    assert images.shape == (1, 3, 32, 32)
    if (side, form) == (32, "PNG"):
        assert np.array_equal(images[0].numpy().transpose(1, 2, 0), pixels)
    else:
        assert 60 < images.float().mean() < 200


def test_shown_digits_are_left_out_of_mnists_training_alone(tmp_path: Path) -> None:
    shown, labels = shown_digits()
    pictures = [*random_digits(5), *shown[[0, 1234, 4999]], *random_digits(4, seed=3)]
    of_all = [*[1] * 5, *labels[[0, 1234, 4999]].tolist(), *[2] * 4]
    source = str(write(tmp_path / "train.parquet", pictures, of_all))
    dataset = load("mnist", "train", source)
    assert (len(dataset), dataset.left_out) == (9, 3)
    assert dataset.hashes == tuple(map(content_hash, [*pictures[:5], *pictures[8:]]))
    whole = load("mnist", "train", source, exclude_shown=False)
    assert (len(whole), whole.left_out) == (12, 0)
    test = str(write(tmp_path / "test.parquet", list(shown[:4]), [0] * 4))
    assert len(load("mnist", "test", test)) == 4, "nothing is trained there"


def colour(count: int) -> list[np.ndarray]:
    return list(np.random.default_rng(0).integers(0, 256, (count, 32, 32, 3), dtype=np.uint8))


def test_rows_of_mnist_m_made_from_shown_or_test_digits_are_left_out(tmp_path: Path) -> None:
    last = SHOWN_LAST_PLACE[7]
    paths = ["train/00000000.png", f"train/{last:08d}.png", f"train/{last + 1:08d}.png", "train/00059999.png",
             "test/00009000.png"]  # fmt: skip
    source = str(write(tmp_path / "train_10k.parquet", colour(5), [7] * 5, paths))
    dataset = load("mnist-m", "train", source)
    assert np.array_equal(dataset.images.numpy().transpose(0, 2, 3, 1), np.stack(colour(5)[2:4]))
    assert dataset.left_out == 3
    assert len(load("mnist-m", "train", source, exclude_shown=False)) == 5
    source = str(write(tmp_path / "train.parquet", colour(2), [7, 7], ["a.png", "b.png"]))
    with pytest.raises(DataError, match="train/NUMBER.png"):
        load("mnist-m", "train", source)
    assert len(load("mnist-m", "train", source, exclude_shown=False)) == 2, "rows without places"


def table(**columns: Any) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        pd.DataFrame(columns).to_parquet(folder / "test.parquet")
        return folder / "test.parquet"

    return make


def file(name: str, content: bytes) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        (folder / name).write_bytes(content)
        return folder / name

    return make


def rows(pictures: Sequence[Any], labels: Sequence[Any]) -> Callable[[Path], Path]:
    return lambda folder: write(folder / "test.parquet", pictures, labels)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (table(picture=[b"x"], digit=[1]), "columns picture, digit; image .* and label are needed"),
        (table(image=[[1, 2, 3]], label=[1]), "bytes of a picture and its path are needed"),
        (file("test.parquet", b"PAR1 not really"), "cannot be read as parquet"),
        (file("test.csv", b"image,label"), "not a parquet file"),
        (rows([np.zeros((4000, 4000), bool)], [1]), "4000 x 4000"),
        (rows(random_digits(2), [1, 10]), "0 to 9; found 1 to 10"),
        (rows(random_digits(2), [-1, 3]), "0 to 9; found -1 to 3"),
        (rows(random_digits(2), ["one", "two"]), "whole numbers from 0 to 9"),
        (rows(random_digits(2), [1, None]), "whole numbers from 0 to 9"),
        (rows([b"GIF89a???"], [1]), "row 0 .* cannot be decoded"),
        (rows([*random_digits(1), None], [1, 2]), "row 1 .* holds no picture"),
        (rows([], []), "cannot be read as parquet|no rows"),
        (lambda folder: folder / "nowhere" / "at" / "all", "there is no .*hub name"),
        (lambda folder: folder, "no parquet file; wanted validation"),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(make: Callable[[Path], Path], said: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=said):
        load("mnist", "validation", str(make(tmp_path)))


def test_a_hub_name_is_read_through_the_hubs_library(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def loaded(name: str, configuration: str | None, split: str, cache_dir: str) -> datasets.Dataset:
        asked.append((name, configuration, split))
        pictures = [Image.fromarray(digit) for digit in random_digits(3)]
        features = datasets.Features({"image": datasets.Image(), "label": datasets.ClassLabel(num_classes=10)})
        return datasets.Dataset.from_dict({"image": pictures, "label": [1, 2, 3]}, features=features)

    def unreachable(*_: object) -> list[str]:
        raise ConnectionError("cannot reach it")

    monkeypatch.setattr(datasets, "get_dataset_split_names", lambda name, configuration: ["train", "test"])
    monkeypatch.setattr(datasets, "load_dataset", loaded)
    dataset = load("mnist", "validation", "somebody/digits:plain")
    assert asked == [("somebody/digits", "plain", "test")]
    assert dataset.hashes == tuple(map(content_hash, random_digits(3)))
    monkeypatch.setattr(datasets, "get_dataset_split_names", unreachable)
    with pytest.raises(DataError, match="neither a folder, nor a file, nor a set that the hub gives .*cannot reach it"):
        load("mnist", "validation", "somebody/digits")
