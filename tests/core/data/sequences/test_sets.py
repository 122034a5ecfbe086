"""Sets of sequences: what is loaded, taken, padded, asked of one's own; and real ones from files."""

from pathlib import Path

import pyarrow as pa
import pytest
import torch
from pyarrow import parquet

from routescope.data import DataError, NoSplit, load
from routescope.data.kinds.kind import kind_of
from routescope.data.kinds.listops import parse
from routescope.data.kinds.text import decode_bytes
from routescope.data.sequences.listops import value_of
from routescope.data.sequences.sets import SequenceSet
from routescope.nn.inputs.sequences import Expressions, Sequences

LRA = "Source\tTarget\n( ( ( [MAX 2 ) 9 ) ] )\t9\n( ( ( [SM 7 ) 8 ) ] )\t5\n"


def written(sequences: Sequences) -> str | None:
    return kind_of(sequences).to_text(sequences)


def loaded(name: str, split: str, source: Path | str | None = None, limit: int | None = None) -> SequenceSet:
    found = load(name, split, None if source is None else str(source), limit)
    assert isinstance(found, SequenceSet)
    return found


def test_sequences_are_padded_to_the_longest_and_have_the_values_of_their_symbols() -> None:
    data = loaded("listops-short", "validation", limit=50)
    assert (data.batch, data.classes[9]) == (Expressions, "9")
    for position in (0, 7, 49):
        inputs = data.inputs([position])
        assert inputs.values.shape == (1, int(data.lengths[position]))
        assert value_of(inputs.symbols(0)) == int(data.targets([position])[0])
    assert data.take([]).inputs(slice(None)).values.shape == (0, 0)
    assert int(data.inputs(slice(0, 10)).mask.sum()) == int(data.lengths[:10].sum())


def test_own_sequences_get_their_value_and_too_long_ones_are_refused() -> None:
    data = loaded("listops-short", "validation", limit=2)
    own = data.user_sample(Expressions.of([parse("[SM 9 [MED 3 8 8 2 ] ]")]), "f" * 64)
    assert (int(own.labels[0]), own.split, written(own.inputs([0]))) == (4, "own", "[SM 9 [MED 3 8 8 2 ] ]")
    with pytest.raises(DataError, match="up to 100 symbols; 152 were given"):
        data.user_sample(Expressions.of([parse("[SM " + "1 " * 150 + "]")]), "f" * 64)
    said = loaded("reviews", "validation", limit=2).user_sample(decode_bytes("Not bad."), "f" * 64)
    assert (int(said.labels[0]), written(said.inputs([0]))) == (-1, "Not bad.")


def test_the_benchmark_s_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "basic_train.tsv").write_text(LRA)
    (tmp_path / "basic_test.tsv").write_text("Source\tTarget\n7\t7\n")
    train = loaded("listops-long", "train", tmp_path)
    assert (train.labels.tolist(), written(train.inputs([1]))) == ([9, 5], "[SM 7 8 ]")
    assert train.source == str(tmp_path) and "given" in train.title
    assert loaded("listops-long", "test", tmp_path).labels.tolist() == [7]
    assert loaded("listops-long", "train", tmp_path, limit=1).labels.tolist() == [9]
    assert loaded("listops-long", "train", tmp_path / "basic_train.tsv").labels.tolist() == [9, 5]
    with pytest.raises(NoSplit, match="train file"):
        loaded("listops-long", "test", tmp_path / "basic_train.tsv")
    (tmp_path / "first").mkdir()
    (tmp_path / "first" / "test_d20s.tsv").write_text("9\t( ( ( [MAX 2 ) 9 ) ] )\n0\t( ( ( [MIN 0 ) 3 ) ] )\n")
    assert loaded("listops-short", "test", tmp_path / "first").labels.tolist() == [9, 0]
    parquet.write_table(pa.table({"source": ["[MED 1 2 9 ]"], "label": [2]}), tmp_path / "first" / "train.parquet")
    assert loaded("listops-short", "train", tmp_path / "first").labels.tolist() == [2]


def test_reviews_are_read_from_tables_and_cut_at_whole_characters(tmp_path: Path) -> None:
    (tmp_path / "train.csv").write_text(
        'review,sentiment\n"Good, very good",positive\nBad,negative\n', encoding="utf-8"
    )
    train = loaded("reviews", "train", tmp_path)
    assert (train.labels.tolist(), written(train.inputs([0]))) == ([1, 0], "Good, very good")
    assert not train.stand_in
    table = pa.table({"text": ["é" * 3000, "x"], "label": [1, 0], "rating": [9, 1]})
    parquet.write_table(table, tmp_path / "test.parquet")
    test = loaded("reviews", "test", tmp_path)
    assert test.lengths.tolist() == [4000, 1]
    assert written(test.inputs([0])) == "é" * 2000


def test_a_file_without_a_split_in_its_name_is_cut(tmp_path: Path) -> None:
    rows = "".join(f"[SM {n % 10} {n // 10} ]\t{(n % 10 + n // 10) % 10}\n" for n in range(100))
    (tmp_path / "mine.tsv").write_text("expression\tvalue\n" + rows)
    train, held = (loaded("listops-short", split, tmp_path) for split in ("train", "validation"))
    assert (len(train), len(held)) == (80, 20)
    assert not set(train.hashes) & set(held.hashes)
    assert torch.equal(loaded("listops-short", "test", tmp_path).labels, held.labels)


@pytest.mark.parametrize(
    ("name", "file", "content", "said"),
    [
        ("listops-long", "train.tsv", "Source\tTarget\n[MAX 1 2 ]\t2\n[MAX 1 2\t2\n", "row 3 of .* does not end"),
        ("listops-long", "train.tsv", "Source\tTarget\n[MAX 1 2 ]\t1\n", "row 2 .* '1', and its expression has 2"),
        ("listops-long", "train.tsv", "Source\tOther\n[MAX 1 2 ]\t1\n", "Source, Other; one of source, expression"),
        ("listops-long", "train.tsv", "Source\tTarget\n[MAX 1 2 ]\n", "row 2 of .* has 1 columns; 2 are needed"),
        ("listops-long", "train.tsv", "Source\tTarget\n", "has no rows"),
        ("listops-long", "train.tsv", "", "has no rows"),
        ("reviews", "nowhere/at/all", None, r"there is no .*\.parquet, \.tsv, \.csv"),
        ("reviews", "", None, "there are none; wanted train"),
        ("reviews", "notes.txt", "x", "is none of .parquet"),
        ("reviews", "train.parquet", "nothing of the kind", "cannot be read as parquet"),
        ("reviews", "train.tsv", "text\tlabel\nA film.\tso-so\n", "'so-so'; labels are 0, neg, negative, 1, pos, pos"),
        ("reviews", "train.tsv", "text\tlabel\n \tneg\n", "row 2 of .* is empty"),
    ],
)
def test_bad_files_are_refused_with_the_row(
    tmp_path: Path, name: str, file: str, content: str | None, said: str
) -> None:
    if content is not None:
        (tmp_path / file).write_text(content)
    with pytest.raises(DataError, match=said):
        loaded(name, "train", tmp_path / file)
