"""Texts of four domains: cut at sensible places, the same everywhere, and none of the scored ones is trained on."""

import random
from pathlib import Path

import pytest

from routescope.data import DataError, known_datasets, load
from routescope.data.kinds.listops import parse
from routescope.data.sequences.listops import value_of
from routescope.data.text import generated
from routescope.data.text import sets as text_sets
from routescope.data.text.pieces import cut, long_lines, packed
from routescope.data.text.sets import TextSet

NAMES = ("python", "manual", "sums", "listops")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("split", ["validation", "test"])
def test_texts_have_32_to_256_bytes(name: str, split: str) -> None:
    data = load(name, split)
    assert len(data) == len(data.origins) == known_datasets()[name].splits[split] == len(set(data.hashes))
    sizes = [len(text.encode()) for text in data.texts]
    assert data.labels.tolist() == data.targets(slice(None)).tolist() == sizes
    assert min(sizes) >= 32 and max(sizes) <= 256


@pytest.mark.parametrize("name", ["python", "manual"])
def test_nothing_is_trained_on_that_a_scored_text_is_of(name: str) -> None:
    scored = [load(name, split) for split in ("validation", "test")]
    train = load(name, "train")
    assert len(train) == known_datasets()[name].splits["train"]
    assert train.left_out > 0
    assert not set(scored[0].origins) & set(scored[1].origins)
    origins = {origin for data in scored for origin in data.origins}
    assert not origins & set(train.origins)
    lines = frozenset().union(*(long_lines(text) for data in scored for text in data.texts))
    assert all(lines.isdisjoint(long_lines(text)) for text in train.texts)


@pytest.mark.parametrize("name", ["sums", "listops"])
def test_no_expression_is_in_two_splits(name: str) -> None:
    found = {split: expressions(load(name, split, limit=128)) for split in ("train", "validation", "test")}
    for split, there in found.items():
        assert len(there) > 300
        assert {generated.split_of(each) for each in there} == {split}


def expressions(data: TextSet) -> set[str]:
    return {line.split(" = ")[0] for text in data.texts for line in text.splitlines()}


def test_sums_and_lists_are_right() -> None:
    for line in "".join(load("sums", "validation").texts).splitlines():
        left, _, right = line.partition(" = ")
        assert sum(map(int, left.split(" + "))) == int(right)
    seen = set()
    for line in "".join(load("listops", "validation").texts).splitlines():
        left, _, right = line.partition(" = ")
        assert value_of(parse(left)) == int(right)
        seen |= {word for word in left.split() if word.startswith("[")}
    assert seen == {"[MIN", "[MAX", "[MED", "[SM"}


def test_pieces_joined_are_the_text_and_end_where_lines_or_characters_do() -> None:
    lines = "".join(f"line {i} of a text\n" + "\n" * (i % 7 == 0) for i in range(200))
    pieces = list(cut(lines))
    assert "".join(pieces) == lines
    assert all(len(piece.encode()) <= 256 and piece.endswith("\n") for piece in pieces)
    assert any(piece.endswith("\n\n") for piece in pieces)
    draws = random.Random(0)
    characters = "".join(draws.choice("aé漢😀") for _ in range(3000))
    pieces = list(cut(characters))
    assert "".join(pieces) == characters
    assert all(253 <= len(piece.encode()) <= 256 for piece in pieces[:-1]), "no character is torn apart"


def test_packed_texts_hold_whole_lines() -> None:
    assert list(packed(["aa", "bb", "cc"], most=6)) == ["aa\nbb\n", "cc\n"]
    with pytest.raises(ValueError, match="does not fit into 6"):
        list(packed(["aaaaaa"], most=6))


def test_modules_are_named_and_those_of_no_utf_8_passed_over(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no sources of its standard library"):
        list(text_sets.modules(tmp_path))
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__init__.py").write_text("a = 1\n")
    (tmp_path / "pack" / "part.py").write_text("b = 1\n")
    (tmp_path / "odd.py").write_bytes(b"# \xe9\n")
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "case.py").write_text("c = 1\n")
    assert [module.origin for module in text_sets.modules(tmp_path)] == ["pack", "pack.part"]
