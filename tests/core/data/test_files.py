"""A user's files and folders as samples: the same texts in every format, labels, domains, pictures, refusals."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from PIL import Image

import routescope as rs
from routescope.data import DataError, load
from routescope.data.files import Reads, is_source, read_samples, read_texts
from routescope.data.kinds.kind import kind_of
from routescope.data.pictures.sizing import from_picture
from routescope.nn.inputs.numbers import Numbers
from routescope.nn.inputs.pictures import Pictures
from routescope.nn.inputs.sequences import Bytes
from routescope.nn.inputs.text import Text

TEXTS = ["A fine film", "NA", 'quotes " and , commas', "two\nlines", "Très bon"]
LABELS = ["1", "0", "1", "0", "1"]
DOMAINS = ["sums", "python", "sums", "sums", "python"]
TABLE = pd.DataFrame({"id": range(5), "body": TEXTS, "stars": LABELS, "of": DOMAINS})
USUAL = TABLE.rename(columns={"body": "Text", "stars": "label", "of": "domain"})

TEXT = Reads(Text, ("python", "sums"))
REVIEWS = Reads(Bytes, ("reviews",), ("negative", "positive"))
PICTURES = Reads(Pictures, ("mnist", "mnist-m"), tuple("0123456789"), 32)

WRITE: dict[str, Callable[[pd.DataFrame, Path], Any]] = {
    "a.csv": lambda table, path: table.to_csv(path, index=False),
    "a.tsv": lambda table, path: table.to_csv(path, index=False, sep="\t"),
    "a.jsonl": lambda table, path: table.to_json(path, orient="records", lines=True),
    "a.parquet": lambda table, path: table.to_parquet(path),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", WRITE)
def test_a_table_says_the_same_in_every_format_by_usual_and_by_named_columns(name: str, folder: Path) -> None:
    WRITE[name](USUAL, folder / name)
    WRITE[name](TABLE, folder / f"named-{name}")
    for source in (name, f"named-{name}?text=body&label=STARS&domain=of"):
        assert read_texts(source) == (TEXTS, LABELS, DOMAINS)
        sums, python = read_samples(source, TEXT)
        assert (sums.domain, sums.texts) == ("sums", (TEXTS[0], TEXTS[2], TEXTS[3]))
        assert (python.domain, python.texts) == ("python", (TEXTS[1], TEXTS[4]))
        assert python.labels.tolist() == [2, 9] and python.split == "own"
        mark = "&" if "?" in source else "?"
        (only,) = read_samples(f"{source}{mark}only=sums", TEXT, limit=2)
        assert only.hashes == sums.hashes[:2]
    assert read_texts(f"named-{name}?text=body") == (TEXTS, None, None)
    (samples,) = read_samples(f"named-{name}?text=body", TEXT)
    assert samples.domain == "python", "without domains, the first of the network"
    assert load("texts", source=f"named-{name}?text=body").texts == samples.texts


def test_labels_are_classes_or_their_numbers(folder: Path) -> None:
    for labels in (["positive", "negative", "Positive", "NEG", "pos"], LABELS):
        USUAL.assign(label=labels).to_csv("a.csv", index=False)
        (samples,) = read_samples("a.csv?domain=id&only=3", REVIEWS)
        assert (samples.domain, samples.labels.tolist()) == ("3", [0])
        USUAL.drop(columns="domain").assign(label=labels).to_csv("b.csv", index=False)
        (samples,) = read_samples("b.csv", REVIEWS)
        assert samples.labels.tolist() == [1, 0, 1, 0, 1]
        assert [kind_of(Bytes).to_text(samples.inputs([row])) for row in range(5)] == TEXTS
    (folder / "c.csv").write_text("text\n" + "é" * 3000 + "\n")
    (unlabelled,) = read_samples("c.csv", REVIEWS, labelled=False)
    assert unlabelled.lengths.tolist() == [4000] and unlabelled.labels.tolist() == [-1]


def pixels(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (32, 32, 3), dtype=np.uint8)


@pytest.fixture
def digits(folder: Path) -> Path:
    for label in (3, 7):
        (folder / "digits" / str(label)).mkdir(parents=True)
        for row in range(2):
            Image.fromarray(pixels(10 * label + row)).save(folder / "digits" / str(label) / f"{row}.png")
    return folder / "digits"


def test_a_folder_of_classes_has_labels_and_a_flat_one_has_none(digits: Path) -> None:
    (samples,) = read_samples(digits, PICTURES)
    images = {
        image.numpy().tobytes(): label for image, label in zip(samples.images, samples.labels.tolist(), strict=True)
    }
    shown = {label: pixels(10 * label + row).transpose(2, 0, 1).tobytes() for label in (3, 7) for row in range(2)}
    assert all(images[content] == label for label, content in shown.items()) and len(images) == 4
    assert samples.domain == "mnist" and len(read_samples(digits, PICTURES, 3)[0]) == 3
    flat = digits / "7"
    (unlabelled,) = read_samples(flat, PICTURES, labelled=False)
    expected = torch.stack([from_picture(Image.open(flat / f"{row}.png")) for row in range(2)])
    assert torch.equal(unlabelled.images, expected) and unlabelled.labels.tolist() == [-1, -1]
    assert torch.equal(read_samples(flat / "1.png", PICTURES, labelled=False)[0].images, expected[1:])


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        (("a.csv", "x/y.JSONL", "a.csv?text=b", "texts of mine.txt", "./digits", "digits/3", Path("anything")), True),
        (("digits", "python", "mnist=a.parquet", "reviews=b.csv?text=x", "a sentence. Another"), False),
        (("x = 3\n.py", 3, "1/2"), False),
    ],
)
def test_strings_that_name_files_and_folders(digits: Path, sources: tuple[Any, ...], expected: bool) -> None:
    assert {is_source(source) for source in sources} == {expected}


def _csv(content: str) -> Callable[[], str]:
    def write() -> str:
        Path("a.csv").write_text(content)
        return "a.csv"

    return write


REFUSED: dict[str, tuple[Callable[[], str], Reads, str]] = {
    "no file": (lambda: "none.csv", TEXT, "there is no file none.csv: give a file that exists"),
    "another kind": (lambda: "digits", TEXT, r"files of texts end with \.jsonl, \.csv, \.tsv, \.parquet, \.txt"),
    "no such column": (lambda: _csv("words\na\n")(), TEXT, r"no column 'text'; it has words: .*a\.csv\?text=NAME"),
    "a named column": (lambda: _csv("text\na\n")() + "?label=x", TEXT, "no column 'x'; it has text"),
    "an option": (lambda: _csv("text\na\n")() + "?column=x", TEXT, "give text=NAME or label=NAME or domain=NAME"),
    "an empty option": (lambda: _csv("text\na\n")() + "?text=", TEXT, "give text=NAME"),
    "a domain": (lambda: _csv("text,domain\na,x\n")() + "?only=y", TEXT, "no rows of the domain 'y'; it has x"),
    "no labels": (_csv("text\na\n"), REVIEWS, "no column of labels: name one label, with negative, positive"),
    "other labels": (_csv("text,label\na,so-so\n"), REVIEWS, "label 'so-so'; labels are negative, positive"),
    "a large label": (_csv("text,label\na,2\n"), REVIEWS, "label '2'"),
    "empty texts": (_csv("text,label\na,1\n ,0\n"), REVIEWS, "row 2 is empty"),
    "no classes": (lambda: "digits/3", PICTURES, "no labels: put them into a folder for each class"),
    "other classes": (lambda: "digits", Reads(Pictures, ("x",), ("3",), 32), "classes that training did not: 7"),
    "another network": (_csv("text\na\n"), Reads(Numbers, ("x",)), "holds texts or pictures; this model reads"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_refusals_say_what_is_accepted(case: str, digits: Path) -> None:
    write, reads, words = REFUSED[case]
    with pytest.raises(DataError, match=words):
        read_samples(write(), reads)


def test_files_are_scored_wherever_a_data_set_is(digits: Path, folder: Path) -> None:
    """By name, with and without ``texts=``; labels of pictures by accuracy; every domain by its own head."""
    USUAL.to_json("a.jsonl", orient="records", lines=True)
    whole = rs.score("moe-bytes", "a.jsonl?only=sums")
    assert whole.figure == rs.score("moe-bytes", "texts=a.jsonl?only=sums").figure
    assert whole.data.domain == "sums" and whole.figure > 0
    assert rs.load_of("moe-bytes", "a.jsonl", shuffles=1).domains == ("sums", "python")
    with pytest.raises(DataError, match="one data set is scored at a time; a.jsonl is sums, python"):
        rs.score("moe-bytes", "a.jsonl")
    scored = rs.score("ni-digits", digits)
    labels = [int(answer) for answer in rs.open("ni-digits")(scored.data.inputs(slice(None)))[:, 0].argmax(-1)]
    assert scored.figure == np.mean(np.array(labels) == scored.data.labels.numpy())
    assert len(rs.record("ni-digits", digits / "3")["sample"]) == 2
