"""Text files of every reader: content is the same in each encoding; what has several readings is refused."""

import codecs
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.data import DataError
from routescope.data.kinds import numbers
from routescope.data.kinds.kind import InvalidSample
from routescope.data.kinds.points import codec as points
from routescope.data.kinds.points.codec import in_unit_ball
from routescope.data.kinds.points.files import read_cloud
from routescope.data.points.meshes import read_off
from routescope.data.points.modelnet import _names
from routescope.data.sequences import reading
from routescope.data.statements.nlvr import _annotations
from routescope.files import UndecodableText, decoded
from routescope.nn.inputs.sequences import Bytes

RANDOM = np.random.default_rng(5)
CLOUD = RANDOM.normal(size=(20, 3))
XYZ = "\n".join(" ".join(map(repr, map(float, point))) for point in CLOUD) + "\n"
PLY = "ply\nformat ascii 1.0\nelement vertex 20\n" + "".join(f"property double {axis}\n" for axis in "xyz")
OFF = "OFF\n4 2 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n3 0 1 3\n"
REVIEWS = ("Très bon film", '"Quoted, and more', "It was 5'9\" tall", '"Whole"', "Ein „gutes“ Buch")
TSV = "text\tlabel\n" + "".join(f"{text}\t{place % 2}\n" for place, text in enumerate(REVIEWS))
CSV = "label,text\n" + "".join(
    f'{place % 2},"{text.replace(chr(34), chr(34) * 2)}"\n' for place, text in enumerate(REVIEWS)
)
SENTENCES = "".join(
    json.dumps({"sentence": f"façade {place}", "identifier": str(place), "label": "True"}, ensure_ascii=False) + "\n"
    for place in range(3)
)


def cloud(path: Path) -> Any:
    return read_cloud(path.name, path.read_bytes(), 100).tolist()


def rows(path: Path) -> Any:
    return [cells[1:] for cells in reading._rows(path)]


#: Name of a file, its content, and how the project reads it.
READERS: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "cloud.xyz": (XYZ, cloud),
    "cloud.ply": (PLY + "end_header\n" + XYZ, cloud),
    "mesh.off": (OFF, lambda path: read_off(path).tolist()),
    "shape_names.txt": ("chair\ntable\nétagère\n", lambda path: _names(path.parent)),
    "train.tsv": (TSV, rows),
    "train.csv": (CSV, rows),
    "train.jsonl": (SENTENCES, _annotations),
}
ENCODINGS: dict[str, Callable[[str], bytes]] = {
    "plain": lambda text: text.encode(),
    "BOM": lambda text: codecs.BOM_UTF8 + text.encode(),
    "UTF-16 LE": lambda text: codecs.BOM_UTF16_LE + text.encode("utf-16-le"),
    "UTF-16 BE": lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
    "UTF-32": lambda text: text.encode("utf-32"),
    "CR LF": lambda text: text.replace("\n", "\r\n").encode(),
    "UTF-16, CR LF": lambda text: text.replace("\n", "\r\n").encode("utf-16"),
    "without a last line end": lambda text: text.rstrip("\n").encode(),
    "empty lines at the end": lambda text: (text + "\n\n").encode(),
}
#: A .ply header without a byte order mark is ASCII, as most of such files are binary.
UNMARKED = {f"UTF-16 {end} unmarked": (lambda text, end=end: text.encode(f"utf-16-{end}")) for end in ("le", "be")}


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("encoding", [*ENCODINGS, *UNMARKED])
def test_a_file_says_the_same_in_each_encoding(name: str, encoding: str, tmp_path: Path) -> None:
    text, read = READERS[name]
    (tmp_path / name).write_bytes(text.encode())
    expected = read(tmp_path / name)
    assert len(expected) > 0
    (tmp_path / name).write_bytes((ENCODINGS | UNMARKED)[encoding](text))
    if name.endswith(".ply") and encoding in UNMARKED:
        with pytest.raises(InvalidSample, match="does not begin as a .ply file"):
            read(tmp_path / name)
    else:
        assert read(tmp_path / name) == expected
    if name.endswith(".jsonl"):
        (tmp_path / "a.json.gz").write_bytes(gzip.compress((tmp_path / name).read_bytes()))
        assert read(tmp_path / "a.json.gz") == expected


@pytest.mark.parametrize("name", [name for name in READERS if not name.endswith(".ply")])
@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda text: text.encode() + "é".encode("latin-1") + b"\n", "0xe9, which is no utf-8; save the file as UTF-8"),
        (lambda text: text.encode() + b"\0\n", "NUL byte, which no text has; save the file as UTF-8"),
        (lambda text: codecs.BOM_UTF16_LE + text.encode("utf-16-le")[:-1], "no utf-16-le"),
    ],
)
def test_bytes_that_are_no_text_are_refused_with_their_line(
    name: str, damage: Callable[[str], bytes], words: str, tmp_path: Path
) -> None:
    text, read = READERS[name]
    (tmp_path / name).write_bytes(damage(text))
    with pytest.raises(
        (InvalidSample, DataError), match=rf"line {text.count(chr(10)) + ('utf-16' not in words)} .*{words}"
    ):
        read(tmp_path / name)


@given(st.text(min_size=1).filter(lambda text: "\0" not in text))
@settings(deadline=None)
def test_any_text_with_a_byte_order_mark_is_read_as_it_is(text: str) -> None:
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        assert decoded(mark + text.encode(encoding)) == text
    if not text.startswith("\ufeff"):
        assert decoded(text.encode()) == text
    with pytest.raises(UndecodableText, match="NUL"):
        decoded(("a" + text + "\0bc").encode())


def test_quotes_are_characters_of_a_tsv_and_delimit_cells_of_a_csv(tmp_path: Path) -> None:
    """Five reviews stay five reviews, whichever of them begin with a quote."""
    for name, text in (("train.tsv", TSV), ("train.csv", CSV)):
        (tmp_path / name).write_text(text)
        found = reading.read(Bytes, "train", str(tmp_path / name))
        starts = found["starts"]
        read = [bytes(found["symbols"][a:b]).decode() for a, b in zip(starts, starts[1:], strict=False)]
        assert (read, found["labels"].tolist()) == (list(REVIEWS), [0, 1, 0, 1, 0])
        (tmp_path / name).unlink()


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("text;label\nGood, really;1\n", [("Good, really", "1")]),
        ('sep=;\n"text";"label"\n"a;b";0\n', [("a;b", "0")]),
        ("text\tlabel\na,b\t1\n", [("a,b", "1")]),
        ("id,text,label,,\n1,a,0,,\n\n2,b,1,,\n", [("a", "0"), ("b", "1")]),
        ("text,label\n  \na,1\n,,\n", [("a", "1")]),
    ],
)
def test_tables_of_spreadsheets_are_read(content: str, expected: list[tuple[str, str]], tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(content)
    assert rows(tmp_path / "a.csv") == expected


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.csv", "label,text\n1,Great, really\n", "row 2 .* has 3 columns; 2 are needed"),
        ("a.csv", 'text,label\n"Bad,0\nfine,1\n', "unexpected end of data"),
        ("a.csv", 'text,label\n"Bad,0\nfine,1\n"Good,1\n', "expected after"),
        ("a.csv", "text,label\nGood\n", "row 2 .* has 1 columns"),
        ("a.tsv", "label\ttext\n1\tGreat\treally\n", "a .tsv text holds no tab"),
        ("a.tsv", 'label\ttext\n1\t"two\nlines"\n', "row 3 .* has 1 columns"),
    ],
)
def test_rows_that_were_cut_or_joined_are_refused(name: str, content: str, words: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(DataError, match=f"(?s){words}"):
        rows(tmp_path / name)


#: Lines that mean other numbers to a reader who splits at commas.
AMBIGUOUS = (
    "1,5 2,25 3,75",
    "1,5;2,25;3,75",
    "1,5, 2,25, 3,75",
    "1,5\t2\t3",
    "448,262.123 5,411,932.67 120",
    "-1,5 2 3",
)
PLAIN = ("1 2 3", "1,2,3", "1, 2, 3", "1;2;3", "1 ,2 , 3", "[1, 2, 3],", "1\t2\t3", "(1.0,2.0 3.0)", "1e0 +2. 3.0,")


@pytest.mark.parametrize("line", AMBIGUOUS)
def test_decimal_commas_and_separators_of_thousands_are_refused_in_words(line: str) -> None:
    with pytest.raises(InvalidSample, match="line 1: .* has a decimal comma, or a comma between thousands"):
        read_cloud("a.xyz", (line + "\n").encode() * 20, 100)
    with pytest.raises(InvalidSample, match="decimal comma"):
        points.decode((line + "\n") * 20)
    with pytest.raises(InvalidSample, match="decimal comma"):
        numbers.decode(line)
    body = PLY + "end_header\n" + (line.replace(";", " ") + "\n") * 20
    with pytest.raises(InvalidSample):
        read_cloud("a.ply", body.encode(), 100)


@pytest.mark.parametrize("line", PLAIN)
def test_other_separators_are_read(line: str) -> None:
    assert read_cloud("a.xyz", (line + "\n").encode() * 20, 100).tolist() == [[1, 2, 3]] * 20
    values = numbers.decode(line.replace("2", "0").replace("3", "0")).values
    assert values.tolist() == [[1, 0, 0]]


@pytest.mark.parametrize("word", ["1_0", "0x1", "one", "1.5.2", "--1", "1e", "½", "1f"])
def test_words_that_are_no_number_are_refused(word: str) -> None:
    with pytest.raises(InvalidSample, match="which is no number"):
        read_cloud("a.xyz", f"{word} 2 3\n".encode() * 20, 100)
    with pytest.raises(InvalidSample, match="no number"):
        numbers.decode(word)


@pytest.mark.parametrize("word", ["nan", "inf", "-Infinity", "1e999"])
def test_numbers_that_are_not_finite_are_refused(word: str) -> None:
    with pytest.raises(InvalidSample, match="not a finite number"):
        points.decode(XYZ + f"{word} 0 0\n")
    with pytest.raises(InvalidSample, match="not from 0 to 1"):
        numbers.decode(f"0.5 {word}")


def stored(points: np.ndarray, name: str) -> bytes:
    if name.endswith(".npy"):
        file = io.BytesIO()
        np.save(file, points)
        return file.getvalue()
    text = "\n".join(" ".join(map(repr, map(float, point))) for point in points) + "\n"
    return ((PLY + "end_header\n" if name.endswith(".ply") else "") + text).encode()


@pytest.mark.parametrize("name", ["far.npy", "far.xyz", "far.ply"])
@pytest.mark.parametrize("at", [(448262.123, 5411932.67, 120.0), (1e9, 0.0, -1e9), (0.0, 0.0, 0.0)])
@pytest.mark.parametrize("width", [0.5, 1e-2, 100.0])
def test_a_cloud_far_from_the_origin_is_the_cloud_at_the_origin(
    name: str, at: tuple[float, float, float], width: float
) -> None:
    near = width * CLOUD
    written = points.decode_file(name, stored(near + at, name), 100)
    order = points.decode(points.decode_file(name, stored(near, name), 100)).values[0]
    np.testing.assert_allclose(points.decode(written).values[0], order, atol=2e-5)
    assert float(order.norm(dim=1).max()) == pytest.approx(1)
    for scale in (1e-200, 1e-30, 1e30):
        np.testing.assert_allclose(in_unit_ball(scale * CLOUD), in_unit_ball(CLOUD), atol=1e-6)


def test_coordinates_that_a_file_has_rounded_are_refused_in_words() -> None:
    far = (0.5 * CLOUD + (448262.123, 5411932.67, 120)).astype(np.float32)
    with pytest.raises(InvalidSample, match="32 bits, which round these coordinates to steps of 0.5.*double precision"):
        points.decode_file("far.npy", stored(far, "far.npy"), 100)
