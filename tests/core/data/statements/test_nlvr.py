"""NLVR and NLVR2 read from folders of their layouts, with wrong ones refused in words."""

import gzip
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from PIL import Image, ImageColor

from routescope.data import DataError, cache, known_datasets, load
from routescope.data.statements import nlvr
from routescope.data.statements.nlvr import GUESSED_KINDS, guessed_kind
from routescope.data.statements.scenes import BACKGROUND
from routescope.data.statements.sets import StatementSet
from scripts import random_nlvr2
from tests.core.data.test_readers import encoded

GREY, GROUND = (128, 128, 128, 255), (211, 211, 211, 255)
COLOURS = np.array([(255, 255, 0, 255), (0, 153, 255, 255), (0, 0, 0, 255)], np.uint8)


def boxes(order: tuple[int, int, int] = (0, 1, 2)) -> np.ndarray:
    """400 x 100, RGBA: three boxes, the middle of each of a colour of its own."""
    picture = np.empty((100, 400, 4), np.uint8)
    picture[:] = GREY
    for place, box in enumerate(order):
        picture[:, 150 * place : 150 * place + 100] = GROUND
        picture[20:80, 150 * place + 20 : 150 * place + 80] = COLOURS[box]
    return picture


def rows_of(sentences: int, pictures: int = 2) -> list[dict[str, Any]]:
    orders = [(0, 1, 2), (2, 1, 0)]
    return [
        {
            "image": {"bytes": encoded(boxes(orders[order])), "path": f"{sentence}-{order}.png"},
            "label": sentence % 2,
            "sentence": f"There are exactly {sentence} blocks. ",
            "identifier": f"{100 + sentence // 2}-{sentence % 2}",
            "permutation": order,
        }
        for sentence in range(sentences)
        for order in range(pictures)
    ]


@pytest.fixture
def parquet(tmp_path: Path) -> Path:
    folder = tmp_path / "nlvr"
    folder.mkdir()
    pd.DataFrame(rows_of(20)).to_parquet(folder / "dev.parquet")
    pd.DataFrame(rows_of(6)).to_parquet(folder / "test.parquet")
    return folder


def lines(file: Path, rows: list[Any]) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    text = "\n".join(json.dumps(row) for row in rows)
    if file.suffix == ".gz":
        file.write_bytes(gzip.compress(text.encode()))
    else:
        file.write_text(text)
    return file


def published(folder: Path, stem: str, count: int) -> Path:
    rows = [
        {"sentence": f"There is a tower {i}", "label": ["false", "true"][i % 2], "identifier": f"{i}-0"}
        for i in range(count)
    ]
    lines(folder / stem / f"{stem}.json", rows)
    pictures = folder / stem / "images" / "3"
    pictures.mkdir(parents=True)
    for i in range(count):
        for order in range(2):
            Image.fromarray(boxes()).save(pictures / f"{stem}-{i}-0-{order}.png")
    return folder


def photographs(folder: Path, stem: str, pairs: int, missing: int = 0) -> Path:
    """Two sentences about each pair; the last ``missing`` pairs have no right photograph."""
    rows = [
        {"sentence": f"The left image shows {s} dogs", "label": str(bool(s)), "identifier": f"{stem}-{p}-0-{s}"}
        for p in range(pairs)
        for s in range(2)
    ]
    lines(folder / f"{stem}.jsonl.gz", rows)
    (folder / "images" / stem).mkdir(parents=True)
    for p in range(pairs):
        for side, colour in enumerate(("red", "blue")):
            if not (side and p >= pairs - missing):
                Image.new("RGB", (90 + p, 70), colour).save(folder / "images" / stem / f"{stem}-{p}-0-img{side}.png")
    return folder


def middles(data: StatementSet, row: int) -> list[list[int]]:
    side = data.images.shape[-1]
    return [picture[:, side // 2, side // 2].tolist() for picture in data.images[row]]


def test_nlvr_from_parquet_is_three_boxes_and_a_sentence(parquet: Path) -> None:
    data = load("nlvr", "test", str(parquet))
    assert data.images.shape == (12, 3, 3, 48, 48)
    assert data.labels.tolist() == [0, 0, 1, 1] * 3
    assert data.sentences[2] == "There are exactly 1 blocks."
    assert data.groups is not None
    assert data.groups.tolist() == [0] * 4 + [1] * 4 + [2] * 4, "by the first number of the identifier"
    assert middles(data, 0) == COLOURS[:, :3].tolist()
    assert middles(data, 1) == COLOURS[::-1, :3].tolist()
    assert data.images[0, :, :, 0, 0].tolist() == [list(GROUND[:3])] * 3  # a box has none of the grey between them
    assert data.images[0, :, :, -1, -1].tolist() == [list(GROUND[:3])] * 3
    assert not data.stand_in
    assert data.stand_in_for is None
    assert data.title == "NLVR"
    assert data.licence == known_datasets()["nlvr"].licence
    assert data.source == str(parquet)
    assert data.scenes == (None,) * 12
    assert data.kinds == GUESSED_KINDS
    assert {data.kinds[kind] for kind in data.kind.tolist()} == {"hard cardinality"}
    assert load("nlvr", "test", str(parquet), 5, side=20).images.shape == (5, 3, 3, 20, 20)


def test_without_a_file_for_training_sentences_are_divided_and_not_pictures(parquet: Path) -> None:
    train, validation = (load("nlvr", split, str(parquet)) for split in ("train", "validation"))
    assert (len(train), len(validation)) == (32, 8)
    group = {row["sentence"].strip(): row["identifier"].split("-")[0] for row in rows_of(20)}
    assert not {group[each] for each in train.sentences} & {group[each] for each in validation.sentences}
    assert len(load("nlvr", "validation", str(parquet / "dev.parquet"))) == 40
    pd.DataFrame(rows_of(4)).to_parquet(parquet / "train.parquet")
    assert [len(load("nlvr", split, str(parquet))) for split in ("train", "validation", "test")] == [8, 40, 12]
    for name in ("train", "dev"):
        (parquet / f"{name}.parquet").unlink()
    with pytest.raises(DataError, match="train"):
        load("nlvr", "train", str(parquet))


def test_what_is_transparent_is_white(tmp_path: Path) -> None:
    picture = boxes()
    picture[..., 3] = 0
    row = {**rows_of(1)[0], "image": {"bytes": encoded(picture), "path": "0.png"}}
    pd.DataFrame([row]).to_parquet(tmp_path / "test.parquet")
    assert bool((load("nlvr", "test", str(tmp_path)).images == 255).all())


def test_nlvr_as_published(tmp_path: Path) -> None:
    folder = published(published(tmp_path, "dev", 10), "test", 3)
    data = load("nlvr", "test", str(folder))
    assert data.images.shape == (6, 3, 3, 48, 48)
    assert data.labels.tolist() == [0, 0, 1, 1, 0, 0]
    assert data.sentences == tuple(f"There is a tower {i}" for i in (0, 0, 1, 1, 2, 2))
    train, validation = (load("nlvr", split, str(folder)) for split in ("train", "validation"))
    assert (len(train), len(validation)) == (16, 4)
    assert not set(train.sentences) & set(validation.sentences)
    for file in (folder / "test").rglob("test-1-0-*.png"):
        file.unlink()
    data = load("nlvr", "test", str(folder))
    assert (len(data), data.left_out) == (4, 1), "a sentence without pictures is left out"


def test_nlvr2_pairs_photographs_with_sentences(tmp_path: Path) -> None:
    folder = photographs(photographs(tmp_path, "dev", 4, missing=1), "test1", 2)
    data = load("nlvr2", "validation", str(folder), side=40)
    assert data.images.shape == (6, 2, 3, 40, 40)
    assert data.left_out == 2
    assert data.labels.tolist() == [0, 1] * 3
    assert middles(data, 0) == [[255, 0, 0], [0, 0, 255]]
    assert torch.equal(data.images[0], data.images[1])
    assert data.groups is not None
    assert data.groups.tolist() == [0, 0, 1, 1, 2, 2], "by set of photographs"
    assert data.title == "NLVR2"
    test = load("nlvr2", "test", str(folder), 3)
    assert test.images.shape == (3, 2, 3, nlvr.PHOTOGRAPH_SIDE, nlvr.PHOTOGRAPH_SIDE)
    assert load("nlvr2", "test", str(folder / "test1.jsonl.gz")).sentences[:3] == test.sentences
    with pytest.raises(DataError, match="a test file; the validation split"):
        load("nlvr2", "validation", str(folder / "test1.jsonl.gz"))


def test_a_negated_sentence_is_read_where_there_is_one(tmp_path: Path) -> None:
    file = photographs(tmp_path, "dev", 2) / "dev.json"
    row = {"sentence": "A dog", "label": "True", "identifier": "dev-0-0-0"}
    assert load("nlvr2", "validation", str(tmp_path)).negated is None
    lines(file, [row | {"negated": " No dog "}, row, row | {"negated": None}])
    data = load("nlvr2", "validation", str(tmp_path))
    assert data.negated == ("No dog", "", "")
    assert data.take([2, 0]).negated == ("", "No dog")
    lines(file, [row | {"negated": 3}])
    with pytest.raises(DataError, match="row 0 .* has a negated sentence that is none: 3"):
        load("nlvr2", "validation", str(tmp_path))


def test_generated_photographs_lie_as_nlvr2s_do(tmp_path: Path) -> None:
    random_nlvr2.make_photographs(tmp_path, 5)
    sizes = {split: len(load("nlvr2", split, str(tmp_path), side=32)) for split in ("train", "validation", "test")}
    assert sizes == {"train": 6, "validation": 2, "test": 2}
    assert len(random_nlvr2.tokenizer()) == random_nlvr2.PIECES
    pictures = sorted(tmp_path.rglob("*.png"))
    assert len(pictures) == 10
    for width, height in (Image.open(each).size for each in pictures):
        assert width >= 640 and height >= 480


def test_missing_files_and_wrong_sides_are_named(tmp_path: Path) -> None:
    file = photographs(tmp_path, "balanced_dev", 2) / "balanced_dev.jsonl.gz"
    assert len(load("nlvr2", "validation", str(file))) == 4
    with pytest.raises(DataError, match="no file for training"):
        load("nlvr2", "train", str(file))
    lines(tmp_path / "x" / "dev.json", [{"sentence": "A dog", "label": "True", "identifier": "dev-850-0-0"}])
    with pytest.raises(DataError, match=r"1 sentences.*no photographs.*dev-850-0-img0.png"):
        load("nlvr2", "validation", str(tmp_path / "x"))
    for name in ("nlvr", "nlvr2"):
        with pytest.raises(DataError, match="there is no"):
            load(name, "test", str(tmp_path / "nowhere"))
    for name, side, said in (
        ("nlvr", 7, "8 to 128"),
        ("nlvr", 129, "8 to 128"),
        ("nlvr2", 385, "8 to 384"),
        ("nlvr2", 48, "wanted train.json"),
    ):
        with pytest.raises(DataError, match=said):
            load(name, "train", str(tmp_path / "x"), side=side)


def test_photographs_are_whole_with_their_edges(tmp_path: Path) -> None:
    """A wide one and a high one, each with its ends in other colours: what is cut off at the centre would lose them."""
    lines(tmp_path / "dev.json", [{"sentence": "A dog", "label": "True", "identifier": "dev-1-0-0"}])
    wide = np.full((40, 120, 3), 255, np.uint8)
    wide[:, :20], wide[:, -20:] = (255, 0, 0), (0, 0, 255)
    for number, pixels in enumerate((wide, wide.transpose(1, 0, 2))):
        Image.fromarray(np.ascontiguousarray(pixels)).save(tmp_path / f"dev-1-0-img{number}.png")
    left, right = load("nlvr2", "validation", str(tmp_path), side=60).images[0]
    assert left[:, 30, [2, 30, 57]].T.tolist() == [[255, 0, 0], [255, 255, 255], [0, 0, 255]]
    assert torch.equal(right, left.transpose(1, 2))
    ground = list(ImageColor.getrgb(BACKGROUND))
    assert left[:, [0, 18, 41, 59], 30].T.tolist() == [ground] * 4


def test_more_than_memory_holds_is_decoded_into_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    photographs(tmp_path, "dev", 3)
    held = load("nlvr2", "validation", str(tmp_path), side=32)
    monkeypatch.setattr(nlvr, "MOST_MEMORY", 5 * 2 * 3 * 32 * 32)
    filled: list[Any] = []
    monkeypatch.setattr(nlvr, "_fill", lambda *given, fill=nlvr._fill: filled.append(1) or fill(*given))
    for _ in range(2):
        found = load("nlvr2", "validation", str(tmp_path), side=32)
        assert torch.equal(found.images, held.images)
        assert (found.sentences, found.hashes) == (held.sentences, held.hashes)
        found.images[:] = 0  # what was read is nobody else's
    assert filled == [1], "decoded once"
    assert torch.equal(load("nlvr2", "validation", str(tmp_path), side=32).images, held.images)


def test_without_room_for_a_file_it_is_said_before_anything_is_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    photographs(tmp_path, "dev", 3)
    monkeypatch.setattr(nlvr, "MOST_MEMORY", 5 * 2 * 3 * 64 * 64)
    monkeypatch.setattr(cache.shutil, "disk_usage", lambda folder: SimpleNamespace(free=100))
    monkeypatch.setattr(nlvr, "_opened", lambda *given: pytest.fail("decoded"))
    with pytest.raises(DataError, match=r"GiB left.*make room, or limit them to 5"):
        load("nlvr2", "validation", str(tmp_path))
    monkeypatch.undo()
    assert len(load("nlvr2", "validation", str(tmp_path), 5)) == 5


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"sentence": "A dog", "label": "maybe", "identifier": "a-0"}', "true or false"),
        (b'{"sentence": "A dog", "identifier": "a-0"}', "true or false"),
        (b'{"sentence": 3, "label": "true", "identifier": "a-0"}', "row 0 .* lacks a sentence"),
        (b'{"sentence": "A dog", "label": "true"}', "lacks a sentence or an identifier"),
        (b'["A dog"]', "lacks a sentence"),
        (b"", "no sentence"),
        (b"[{", "one JSON object a line"),
        (b"\xff\xfe\x00", "one JSON object a line"),
        (b"[" * 9999, "JSON"),
    ],
)
def test_wrong_annotations_are_refused(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "test1.json").write_bytes(content)
    (tmp_path / "test.json").write_bytes(content)
    for name in ("nlvr", "nlvr2"):
        with pytest.raises(DataError, match=said):
            load(name, "test", str(tmp_path))
    for path in tmp_path.iterdir():
        path.unlink()
    for packed, expected in ((gzip.compress(content), said), (b"no archive", "one JSON object a line")):
        (tmp_path / "test1.json.gz").write_bytes(packed)
        with pytest.raises(DataError, match=expected):
            load("nlvr2", "test", str(tmp_path))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"sentence": None}, "no column sentence"),
        ({"identifier": None}, "no column identifier"),
        ({"image": {"bytes": encoded(np.zeros((100, 100, 3), np.uint8)), "path": "x.png"}}, "400 x 100"),
        ({"image": {"bytes": b"none", "path": "x.png"}}, "cannot be decoded"),
        ({"label": 2}, "true or false"),
    ],
)
def test_wrong_rows_are_refused(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    row = {key: value for key, value in {**rows_of(1)[0], **change}.items() if value is not None}
    pd.DataFrame([row]).to_parquet(tmp_path / "test.parquet")
    with pytest.raises(DataError, match=said):
        load("nlvr", "test", str(tmp_path))


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("There are exactly 2 yellow items", "hard cardinality"),
        ("There is one tower with a black block", "hard cardinality"),
        ("One of the boxes is red", "existential (adjective)"),
        ("There are many blocks", "soft cardinality"),
        ("The left image shows more dogs than the right", "soft cardinality"),
        ("there is a circle closely touching a corner", "spatial relationship"),
        ("There is a black item", "existential (adjective)"),
        ("There are dogs", "existential (plural)"),
        ("There is a dog", "existential (singular)"),
        ("Dogs sleep", "other"),
        ("", "other"),
    ],
)
def test_kinds_are_guessed_by_words(sentence: str, kind: str) -> None:
    assert guessed_kind(sentence) == kind
