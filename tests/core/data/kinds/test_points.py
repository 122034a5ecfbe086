"""Clouds of points as they are written and read from files; what is refused, in words."""

import io
import struct

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from routescope.data.kinds.kind import InvalidSample
from routescope.data.kinds.points import codec as points
from routescope.data.kinds.points import view
from routescope.data.kinds.points.codec import POINTS
from routescope.nn.inputs.points import Points

RANDOM = np.random.default_rng(3)
CLOUD = RANDOM.normal(size=(20, 3)).round(4)
WANTED = "at least 16 points, each three finite numbers"


def xyz(cloud: np.ndarray) -> str:
    return "\n".join(" ".join(map(str, point)) for point in cloud.tolist())


def npy(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def of_shape(shape: str) -> bytes:
    """A .npy file whose head says this shape."""
    return npy(np.zeros((20, 3))).replace(b"(20, 3)", shape.encode().ljust(len("(20, 3)")))


def header(form: str, count: int, *properties: str, before: str = "") -> bytes:
    rows = "".join(f"property {each}\n" for each in properties)
    return f"ply\nformat {form} 1.0\ncomment made here\n{before}element vertex {count}\n{rows}end_header\n".encode()


XYZ = ("float x", "float y", "float z")


def ply_ascii(cloud: np.ndarray) -> bytes:
    return (
        header("ascii", len(cloud), "uchar red", *XYZ)
        + "".join(f"7 {x} {y} {z}\n" for x, y, z in cloud.tolist()).encode()
    )


def ply_binary(cloud: np.ndarray, big: bool = False) -> bytes:
    mark = ">" if big else "<"
    before = "element camera 1\nproperty double f\n"
    top = header(f"binary_{'big' if big else 'little'}_endian", len(cloud), *XYZ, "uchar red", before=before)
    rows = b"".join(struct.pack(mark + "fffB", *point, 9) for point in cloud.tolist())
    return top + struct.pack(mark + "d", 1.5) + rows


def test_a_cloud_is_brought_to_the_unit_ball_in_an_order_of_chance() -> None:
    cloud = points.decode(xyz(CLOUD)).values
    assert cloud.shape == (1, 20, 3) and cloud.dtype == torch.float32
    centred = CLOUD - CLOUD.mean(axis=0)
    centred /= np.linalg.norm(centred, axis=1).max()
    found = {tuple(np.round(point, 4)) for point in cloud[0].tolist()}
    assert found == {tuple(np.round(point, 4)) for point in centred.tolist()}
    assert not np.allclose(cloud[0], centred, atol=1e-3)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.xyz", xyz(CLOUD).encode()),
        ("A.XYZ", b"# x y z nx ny nz\n" + "\n".join(f"{x}, {y}; {z} 0 0 1" for x, y, z in CLOUD.tolist()).encode()),
        ("a.npy", npy(CLOUD)),
        ("a.npy", npy(np.asfortranarray(CLOUD.astype(">f4")))),
        ("a.ply", ply_ascii(CLOUD)),
        ("a.ply", ply_ascii(CLOUD).replace(b"\n", b"\r\n")),
        ("a.ply", ply_binary(CLOUD)),
        ("a.ply", ply_binary(CLOUD, big=True)),
    ],
)
def test_every_kind_of_file_gives_the_same_cloud(name: str, content: bytes) -> None:
    found = points.decode(points.decode_file(name, content, 100)).values[0]
    due = points.decode(xyz(CLOUD)).values[0]
    place = lambda cloud: cloud[cloud[:, 0].argsort()]  # noqa: E731
    assert torch.allclose(place(found), place(due), atol=1e-5)


def test_of_many_points_so_many_are_kept() -> None:
    cloud = RANDOM.normal(size=(5000, 3))
    written = points.decode_file("a.npy", npy(cloud), 5000)
    assert len(written.splitlines()) == POINTS
    assert points.decode(xyz(cloud)).values.shape == (1, POINTS, 3)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.npy", npy(CLOUD[:3]), "the cloud has 3 points"),
        ("a.npy", npy(CLOUD[:, :2]), "its points lie in a plane"),
        ("a.npy", npy(CLOUD.ravel()), r"the shape \(60\)"),
        ("a.npy", npy(np.where(np.arange(60).reshape(20, 3) == 7, np.nan, CLOUD)), "1 of 20 points .* point 3"),
        ("a.npy", npy(np.full((20, 3), np.inf)), "20 of 20 points"),
        ("a.npy", npy(np.ones((20, 3))), "all 20 points are in one place"),
        ("a.npy", npy(RANDOM.normal(size=(101, 3))), "101 points, more than the 100 that are read"),
        ("a.npy", npy(np.array([[object()] * 3] * 20, dtype=object)), "no plain numbers"),
        ("a.npy", npy(CLOUD.astype(complex)), "no plain numbers"),
        ("a.npy", npy(CLOUD)[:-8], "cut off"),
        ("a.npy", b"\x93NUMPY", "no .npy array, or damaged"),
        ("a.npy", of_shape("(-1, 3)"), "no .npy array, or damaged"),
        ("a.npy", of_shape("(True, 3)"), "no .npy array, or damaged"),
        ("a.npy", b"PK\x03\x04", "no .npy array, or damaged"),
        ("a.xyz", b"\xff\xfe\x00", "no text"),
        ("a.xyz", b"1 2\n3 4\n", "line 1 has 2 numbers"),
        ("a.xyz", b"1 2 3\n3 4 5 6\n", "line 2 has 4 numbers, and the first has 3"),
        ("a.xyz", b"1 2 three\n", "line 1 has 'three', which is no number"),
        ("a.xyz", xyz(RANDOM.normal(size=(101, 3))).encode(), "more than the 100"),
        ("a.ply", b"solid\n", "does not begin as a .ply file"),
        ("a.ply", header("ascii", 20, "float x", "float y"), "no z"),
        ("a.ply", header("ascii", 1 << 40, *XYZ), "more than the 100"),
        ("a.ply", header("ascii", 20, *XYZ) + b"1 2 3\n", "cut off"),
        ("a.ply", ply_binary(CLOUD)[:-5], "cut off"),
        ("a.ply", header("ascii", 20, *XYZ, "list uchar int n"), "lists"),
        ("a.ply", header("binary_little_endian", 20, *XYZ, "float x"), "two properties of one name"),
        ("a.ply", header("text", 20, *XYZ), "'format text 1.0', which is not read"),
        ("a.ply", b"ply\nformat ascii 1.0\nend_header\n", "no element vertex"),
        ("a.ply", ply_ascii(CLOUD[:3]), "the cloud has 3 points"),
        ("a.png", b"x", "ends in none of .npy, .xyz, .ply"),
        ("a.npy", b"", "the file is empty"),
    ],
)
def test_other_files_are_refused_in_words(name: str, content: bytes, said: str) -> None:
    with pytest.raises(InvalidSample, match=f"(?s){said}.*{WANTED}"):
        points.decode_file(name, content, 100)


def test_what_is_written_is_refused_in_words() -> None:
    for content in ("", "1 2 3", xyz(CLOUD[:15]), "nan 1 2\n" * 20, "1e39 0 0\n" * 20, "1 1 1\n" * 20, "a b c"):
        with pytest.raises(InvalidSample, match=WANTED):
            points.decode(content)


@given(st.sampled_from([".npy", ".xyz", ".ply"]), st.binary(max_size=400), st.integers(0, 3))
def test_any_bytes_are_a_cloud_or_refused(suffix: str, content: bytes, start: int) -> None:
    head = (b"", npy(CLOUD)[:80], ply_binary(CLOUD)[:120], ply_ascii(CLOUD)[:150])[start]
    try:
        written = points.decode_file("a" + suffix, head + content, 100)
    except InvalidSample:
        return
    assert points.decode(written).values.isfinite().all()


def test_missing_points_are_in_no_table_and_near_points_lie_over_far_ones() -> None:
    table = view.table(Points(torch.tensor([[[0.0, 1, 2], [3, 4, 5], [torch.nan] * 3]])))
    assert table.rows == ((1, 0, 1, 2), (2, 3, 4, 5)) and table.columns == ("point", "x", "y", "z")
    assert table.space == ("x", "y", "z")
    line = torch.tensor([[view.VIEW[2].tolist(), (-view.VIEW[2]).tolist(), view.VIEW[0].tolist()]]).float()
    seen = view.thumbnail(Points(line), 64)  # two points behind each other, and one at the right
    np.testing.assert_allclose(seen[32, 32], [128, 190, 250, 255], atol=1)
    assert seen[32, 62, 3] == 255
    assert (seen[..., 3] == 255).sum() == 10
