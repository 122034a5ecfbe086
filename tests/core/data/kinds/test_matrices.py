"""Matrices from files, sheets and texts: read, refused, shown, and with two panels exchanged."""

import base64
import io
import json
import zipfile
import zlib
from typing import Any

import numpy as np
import pytest
import torch

from routescope.data.kinds.kind import InvalidSample
from routescope.data.kinds.matrices import codec, view
from routescope.data.kinds.matrices.sheets import sheet_of
from routescope.nn.inputs.matrices import Matrices, panel_names

#: Panels of one grey each: 0, 16, ... 240.
GREYS = (16 * np.arange(16, dtype=np.uint8)).reshape(16, 1, 1)
PLAIN = np.broadcast_to(GREYS, (16, 20, 20)).copy()
NOISE = np.random.default_rng(3).integers(0, 256, (16, 160, 160), dtype=np.uint8)


def npz(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def brought(content: bytes, name: str = "PGM_neutral_test_0.npz") -> Matrices:
    return codec.decode(codec.decode_file(name, content, 100))


def sheet_read(picture: np.ndarray) -> Matrices:
    return codec.decode(codec.decode_picture(picture))


def panels_of(matrix: Matrices) -> np.ndarray:
    return (matrix.values[0] * 255).round().to(torch.uint8).numpy()


@pytest.mark.parametrize("shape", [(16, 20, 20), (1, 16, 20, 20), (20 * 20 * 16,), (16, 400)])
@pytest.mark.parametrize("answer", [{"target": np.array(4)}, {}], ids=["right answer", "none"])
def test_a_file_of_one_matrix_is_read_however_its_panels_lie(shape: tuple[int, ...], answer: dict[str, Any]) -> None:
    made = brought(npz(image=PLAIN.reshape(shape), **answer))
    assert made.values.shape == (1, 16, 20, 20) and np.array_equal(panels_of(made), PLAIN)
    assert made.right is not None and made.right.tolist() == [4 if answer else -1]


def test_large_panels_become_smaller_by_the_mean_and_noise_smaller_still() -> None:
    halves = np.zeros((16, 160, 160), np.uint8)
    halves[:, :, 1::2] = 200
    made = brought(npz(image=halves))
    assert made.values.shape == (1, 16, 80, 80) and (panels_of(made) == 100).all()
    noisy = codec.decode_file("RAVEN_0_test.npz", npz(image=NOISE), 100)
    assert json.loads(noisy)["side"] == 48 and len(noisy) < 64 * 1024


@pytest.mark.parametrize(
    ("content", "says", "name"),
    [
        (npz(image=np.zeros((17, 20, 20), np.uint8)), "the file has 17 panels, 8 and 9 answers", "a.npz"),
        (npz(image=np.zeros((9, 20, 20), np.uint8)), "the file has 9 panels, 8 and 1 answer;", "a.npz"),
        (npz(image=np.zeros((16, 20, 30), np.uint8)), "its panels are 30 x 20 pixels, which is not square", "a.npz"),
        (npz(image=np.zeros((16, 8, 8), np.uint8)), "its panels have 8 pixels a side", "a.npz"),
        (npz(image=np.zeros((3, 16, 20, 20), np.uint8)), "3 matrices; one is read", "a.npz"),
        (npz(image=np.zeros(100, np.uint8)), "has the shape (100), which is not 16 square panels", "a.npz"),
        (npz(image=np.zeros((16, 20, 20), np.float32)), "float32 values, which are no whole numbers", "a.npz"),
        (npz(image=np.zeros((16, 20, 20), np.int32)), "int32 values, not greys of 0 to 255", "a.npz"),
        (npz(image=np.zeros((16, 2000, 2000), np.uint8)), "more than one matrix of panels", "a.npz"),
        (npz(image=PLAIN, target=np.array(8)), '"target" is 8; it is the number of the right answer, 0 to 7', "a.npz"),
        (npz(image=PLAIN, target=np.arange(3)), '"target" has the shape (3)', "a.npz"),
        (npz(picture=PLAIN), "has no array \"image\"; it holds 'picture'", "a.npz"),
        (b"", "the file is empty", "a.npz"),
        (b"no archive at all", "no .npz archive of arrays, or damaged", "a.npz"),
        (npz(image=PLAIN)[:200], "no .npz archive of arrays, or damaged", "a.npz"),
        (npz(image=np.array([{"a": 1}] * 16, dtype=object)), "object values, which are no whole numbers", "a.npz"),
        (npz(image=PLAIN), "'a.gif', and its name does not end in .npz or .png", "a.gif"),
        (npz(image=PLAIN), "a sheet is a picture, which is decoded before it is read", "a.png"),
    ],
)
def test_another_file_is_refused_with_what_is_accepted(content: bytes, says: str, name: str) -> None:
    with pytest.raises(InvalidSample) as refused:
        codec.decode_file(name, content, 100)
    assert says in str(refused.value)
    assert "8 panels before the gap, row by row, and 8 answers" in str(refused.value)
    assert ".npz files of one matrix" in str(refused.value)


def test_no_more_is_unpacked_than_a_header_says() -> None:
    """An archive whose array is far longer than its header says is read as far as that, not into memory whole."""
    array = io.BytesIO()
    np.save(array, PLAIN)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("image.npy", array.getvalue() + bytes(50_000_000))
    made = brought(file.getvalue())
    assert np.array_equal(panels_of(made), PLAIN)


SMALL = NOISE[:, :20, :20]


def rgb(greys: np.ndarray) -> np.ndarray:
    return np.repeat(greys[..., None], 3, axis=-1)


def figure(left: int, beside: int = 255, gap: int = 128) -> np.ndarray:
    """The matrix above its answers, as papers print it."""
    sheet = np.full((100, 80), beside, np.uint8)
    for place in range(9):
        top, at = (20 * each for each in divmod(place, 3))
        sheet[top : top + 20, left + at : left + at + 20] = SMALL[place] if place < 8 else gap
    for answer in range(8):
        top, at = (20 * each for each in divmod(answer, 4))
        sheet[60 + top : 80 + top, at : at + 20] = SMALL[8 + answer]
    return sheet


def apart(rows: list[int], space: int, margin: int, ground: int, gap: int | None = None) -> np.ndarray:
    """Panels with lines of one grey between them and around them; a gap may be drawn after the eighth."""
    panels = [*SMALL[:8], *([] if gap is None else [np.full((20, 20), gap, np.uint8)]), *SMALL[8:]]
    step = 20 + space
    sheet = np.full((2 * margin + step * len(rows) - space, 2 * margin + step * 4 - space), ground, np.uint8)
    for row, count in enumerate(rows):
        for column in range(count):
            top, left = margin + step * row, margin + step * column
            sheet[top : top + 20, left : left + 20] = panels.pop(0)
    return sheet


@pytest.mark.parametrize(
    "sheet",
    [
        apart([4, 4, 4, 4], 4, 0, 255),
        apart([4, 4, 4, 4], 1, 3, 0),
        apart([4, 4, 4, 4], 4, 0, 128)[:, :-1],
        apart([3, 3, 2, 4, 4], 6, 2, 255),
        apart([3, 3, 3, 4, 4], 6, 2, 255, gap=40),
        np.insert(apart([3, 3, 2, 4, 4], 6, 9, 90), [83] * 30, 90, axis=0),
    ],
    ids=["as wide as high", "black lines", "a side cut short", "matrix above", "with its gap", "farther above"],
)
def test_panels_that_lines_of_one_grey_set_apart_are_found(sheet: np.ndarray) -> None:
    made = panels_of(sheet_read(rgb(sheet.astype(np.uint8))))
    side = made.shape[-1]
    assert side >= 19 and np.array_equal(made, SMALL[:, :side, :side])


@pytest.mark.parametrize("frame", [1, 2, 3])
@pytest.mark.parametrize("drawn", [SMALL, np.full_like(SMALL, 250)], ids=["noise", "white"])
def test_frames_around_panels_are_no_part_of_them(drawn: np.ndarray, frame: int) -> None:
    side = 30 + 2 * frame
    panels = np.zeros((16, side, side), np.uint8)
    panels[:, frame:-frame, frame:-frame] = 250
    panels[:, frame + 5 : frame + 25, frame + 5 : frame + 25] = drawn
    rows = [np.hstack([np.pad(panel, 3, constant_values=255) for panel in panels[at : at + 4]]) for at in (0, 4, 8, 12)]
    sheet = np.pad(np.vstack(rows), 7, constant_values=255)
    made = panels_of(sheet_read(rgb(sheet)))
    assert np.array_equal(made, panels[:, frame:-frame, frame:-frame])


@pytest.mark.parametrize(("side", "ink"), [(80, 30), (80, 72), (20, 18), (24, 12)])
def test_panels_side_by_side_are_cut_where_they_end_whatever_is_drawn_in_them(side: int, ink: int) -> None:
    """One square in the same place of every panel lies apart, as panels with spaces do; here it is no panel."""
    panels = np.full((16, side, side), 255, np.uint8)
    start = (side - ink) // 2
    panels[:, start : start + ink, start : start + ink] = np.arange(0, 160, 10).reshape(16, 1, 1)
    made = panels_of(sheet_read(rgb(sheet_of(panels))))
    assert np.array_equal(made, panels)


@pytest.mark.parametrize(
    "sheet",
    [
        sheet_of(SMALL),
        np.vstack([np.hstack(list(SMALL[start : start + 4])) for start in range(0, 16, 4)]),
        figure(10),
        figure(0, beside=7, gap=0),
    ],
    ids=["made here", "rows of four", "matrix in the middle", "matrix at the left"],
)
def test_a_sheet_is_cut_into_its_panels_and_nobody_says_what_is_right(sheet: np.ndarray) -> None:
    made = sheet_read(rgb(sheet))
    assert np.array_equal(panels_of(made), SMALL)
    assert made.right is not None and made.right.tolist() == [-1]


def test_a_sheet_that_is_transparent_lies_on_white_and_greys_may_be_a_little_off() -> None:
    off = rgb(sheet_of(SMALL)).clip(0, 251)
    off[..., 0] += 4
    transparent = np.concatenate((off, np.full((80, 80, 1), 255, np.uint8)), axis=-1)
    transparent[:20, :20, 3] = 0
    made = panels_of(sheet_read(transparent))
    assert (made[0] == 255).all()
    assert np.abs(made[1:].astype(int) - SMALL[1:].clip(0, 251)).max() <= 2


def test_somebody_may_say_which_answer_is_right_where_the_file_does_not() -> None:
    sheet = codec.decode_picture(rgb(figure(10)))
    made = codec.decode(codec.with_answer(sheet, 8))
    assert made.right is not None and made.right.tolist() == [7]
    assert np.array_equal(panels_of(made), SMALL)
    known = codec.decode_file("a.npz", npz(image=PLAIN, target=np.array(4)), 100)
    assert codec.with_answer(known, 5) == known
    with pytest.raises(InvalidSample, match="the file says that answer 5 is right, not 4"):
        codec.with_answer(known, 4)
    with pytest.raises(InvalidSample, match="the right answer is one of 1 to 8, not 9"):
        codec.with_answer(sheet, 9)


COLOURED = rgb(sheet_of(SMALL))
COLOURED[41, 7] = (200, 30, 40)


@pytest.mark.parametrize(
    ("sheet", "says"),
    [
        (rgb(figure(10)[:90]), "the sheet is 80 x 90 pixels, which is not 4 panels wide and 4 or 5 high"),
        (rgb(np.zeros((60, 60), np.uint8)[:, :58]), "the sheet is 58 x 60 pixels"),
        (rgb(np.zeros((120, 60), np.uint8)), "the sheet is 60 x 120 pixels"),  # nine answers in rows of three
        (rgb(np.zeros((81, 81), np.uint8)), "the sheet is 81 x 81 pixels"),
        (rgb(np.zeros((32, 32), np.uint8)), "its panels have 8 pixels a side"),
        (rgb(np.zeros((1604, 1604), np.uint8)), "its panels have 401 pixels a side"),
        (rgb(figure(20)), "beside the 3 x 3 places of the matrix the sheet is not of one grey"),
        (rgb(apart([4, 4, 4, 4], 4, 1, 255)[:, :70]), "the sheet is 70 x 94 pixels"),  # a column is missing
        (rgb(apart([4, 4, 4, 4], 5, 2, 255))[:, :-8], "no lines of one grey set so many panels of one size apart"),
        (rgb(apart([4, 4, 4, 4], 4, 0, 255)[::2, ::2]), "its panels have 10 pixels a side"),
        (COLOURED, "the sheet has colours, such as red 200, green 30 and blue 40 at row 42, column 8"),
    ],
)
def test_another_sheet_is_refused_with_what_is_accepted(sheet: np.ndarray, says: str) -> None:
    with pytest.raises(InvalidSample) as refused:
        codec.decode_picture(sheet)
    assert says in str(refused.value)
    assert "4 rows of 4, first the 8 before the gap" in str(refused.value)
    assert "16 to 400 pixels a side" in str(refused.value)


def written(**changes: Any) -> str:
    packed = base64.b64encode(zlib.compress(PLAIN.tobytes())).decode()
    return json.dumps({"side": 20, "greys": packed, "answer": 3} | changes)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("a matrix", "this is no JSON"),
        ("[" * 100_000, "this is no JSON"),
        ("[]", 'JSON with "side"'),
        (written(more=1), 'JSON with "side"'),
        (written(side=True), 'JSON with "side"'),
        (written(side=15), "16 to 400"),
        (written(side=4_000_000), "16 to 400"),
        (written(answer=9), "the right answer is one of 1 to 8"),
        (written(greys="%%"), "no base64 of what zlib packed"),
        (written(greys="AAAA"), "no base64 of what zlib packed"),
        (written(side=21), "6,400 bytes, fewer than the 7,056 bytes"),
        (written(side=19), "more than the 5,776 bytes"),
        (written(greys=base64.b64encode(zlib.compress(bytes(10**8))).decode()), "more than the 6,400 bytes"),
    ],
)
def test_json_is_a_matrix_and_other_json_is_refused(content: str, says: str) -> None:
    made = codec.decode(written())
    assert np.array_equal(panels_of(made), PLAIN) and made.right is not None and made.right.tolist() == [2]
    with pytest.raises(InvalidSample) as refused:
        codec.decode(content)
    assert says in str(refused.value)


def test_two_panels_change_places_and_the_right_answer_goes_with_its_panel() -> None:
    batch = Matrices(torch.from_numpy(PLAIN).float()[None] / 255)
    answers = codec.decode(codec.exchanged(batch, 8, 13, label=5))
    order = [*range(8), 13, 9, 10, 11, 12, 8, 14, 15]
    assert np.array_equal(panels_of(answers), PLAIN[order])
    assert answers.right is not None and answers.right.tolist() == [0]
    other = codec.decode(codec.exchanged(batch, 9, 10, label=5))
    assert other.right is not None and other.right.tolist() == [5]  # another two: it stays where it is
    for one, two, label in ((0, 7, 5), (0, 13, 5), (8, 9, -1)):
        moved = codec.decode(codec.exchanged(batch, one, two, label)).right
        assert moved is not None and moved.tolist() == [-1]


def test_panels_thumbnails_and_tables() -> None:
    batch = Matrices(torch.from_numpy(PLAIN).float()[None] / 255)
    panels = view.panels(batch)
    assert np.array_equal(panels.greys, PLAIN)
    assert (panels.names, panels.columns, panels.answers) == (panel_names(), 3, 8)
    seen = view.thumbnail(batch, 64)
    assert seen.shape == (64, 64, 4)
    for place in range(8):
        cell = seen[22 * (place // 3) : 22 * (place // 3) + 20, 22 * (place % 3) : 22 * (place % 3) + 20]
        assert (cell[..., :3] == 16 * place).all() and (cell[..., 3] == 255).all()
    assert (seen[44:, 44:, 3] == 0).all()  # the gap
    assert (seen[20:22, :64, 3] == 128).all()
    table = view.table(batch)
    assert [name for name, _ in table.rows] == list(panel_names()) and table.columns == ("panel", "darkness")
    assert table.rows[0] == ("panel:0,0", 1.0) and table.rows[15][0] == "answer:8"
    assert table.rows[15][1] == pytest.approx(1 - 240 / 255)
