"""Matrices of panels: eight before a gap, and eight answers for it."""

import base64
import binascii
import json
import zlib
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import torch
from jaxtyping import Float, Int64, UInt8
from torch import Tensor

from routescope.nn.inputs.kind import Files, NotFromWriting, OneTensor, Panels, Rows, Table, Written, positions_in
from routescope.nn.inputs.matrix_files import (
    ANSWERS,
    ARCHIVES,
    CONTEXT,
    FILES,
    LEAST_SIDE,
    MOST_SIDE,
    PANELS,
    SHEETS,
    WANTED,
    MatrixError,
    MatrixFile,
    read_matrix,
    resized,
)
from routescope.nn.inputs.matrix_sheets import read_sheet

#: Panels along a side of the matrix.
COLUMNS = 3
#: Panels of a file are kept with so many pixels a side, with fewer where they have fewer or too much is in them.
KEPT_SIDES = (80, 64, 48)
#: Bytes that the compressed greys of a matrix take at most, if smaller panels can help.
KEPT_BYTES = 44_000
#: Of a thumbnail: pixels between panels, and what lies there: red, green, blue and opacity.
SPACE, BETWEEN = 2, (128, 128, 128, 128)
WRITING = (
    f'JSON with "side", {LEAST_SIDE} to {MOST_SIDE}, the pixels of a panel\'s side; "greys", base64 of what zlib makes'
    f' of the {PANELS} panels\' greys, a byte a pixel; and, where it is known, "answer", the right one, 1 to {ANSWERS}'
)


def panel_names() -> tuple[str, ...]:
    """Names of the panels: "panel:row,column" of those before the gap, counted from 0, then the answers from 1."""
    context = tuple(f"panel:{place // COLUMNS},{place % COLUMNS}" for place in range(CONTEXT))
    return context + tuple(f"answer:{answer}" for answer in range(1, ANSWERS + 1))


@dataclass(frozen=True, eq=False)
class Matrices(OneTensor):
    """A batch of matrices: greys in [0, 1] of the eight panels, row by row without the last, and of eight answers.

    Attributes:
        right: which answer is right, counted from 0, where somebody said so of matrices of their own; -1: nobody did.
    """

    kind: ClassVar[str] = "matrices"
    words: ClassVar[str] = "a matrix of panels"
    written: ClassVar[Written | None] = Written(WRITING, '{"side": 80, "greys": "eNrt...", "answer": 3}', typed=False)
    files: ClassVar[Files | None] = FILES

    values: Float[Tensor, "B 16 side side"]
    right: Int64[Tensor, " B"] | None = None

    def __getitem__(self, rows: Rows, /) -> Self:
        """The matrices at ``rows``, in that order."""
        at = positions_in(rows)
        return type(self)(self.values[at], None if self.right is None else self.right[at])

    def to(self, device: torch.device | str) -> Self:
        return type(self)(self.values.to(device), None if self.right is None else self.right.to(device))

    @classmethod
    def from_writing(cls, content: str) -> Self:
        """A matrix of what ``writing_of`` or ``exchanged`` gives.

        Raises:
            NotFromWriting: no such JSON, or greys of another number of pixels.
        """
        try:
            found = json.loads(content)
        except (ValueError, RecursionError):
            raise NotFromWriting(f"this is no JSON; {cls.words} is written as {WRITING}") from None
        if not isinstance(found, dict) or not {"side", "greys"} <= found.keys() <= {"side", "greys", "answer"}:
            raise NotFromWriting(f"{cls.words} is written as {WRITING}")
        side, greys, answer = found["side"], found["greys"], found.get("answer")
        if type(side) is not int or not LEAST_SIDE <= side <= MOST_SIDE or not isinstance(greys, str):
            raise NotFromWriting(f"{cls.words} is written as {WRITING}")
        if answer is not None and (type(answer) is not int or not 1 <= answer <= ANSWERS):
            raise NotFromWriting(f"the right answer is one of 1 to {ANSWERS}; {WANTED}")
        panels = _panels_of(greys, side)
        values = torch.from_numpy(panels.copy()).float()[None] / 255
        return cls(values, torch.tensor([-1 if answer is None else answer - 1]))

    @classmethod
    def writing_of(cls, name: str, content: bytes, most_rows: int) -> str:
        """The matrix of an npz file of PGM or RAVEN as it would be written, its panels at most 80 pixels a side.

        Raises:
            NotFromWriting: no such file, another number of panels, or panels of another size than is read.
        """
        try:
            return _writing(read_matrix(name, content))
        except MatrixError as error:
            raise NotFromWriting(f"{error}; {WANTED}, in {ARCHIVES}; or a .png sheet") from None

    @classmethod
    def writing_of_picture(cls, picture: UInt8[np.ndarray, "height width band"]) -> str:
        """The matrix of a sheet as it would be written, its panels at most 80 pixels a side.

        Raises:
            NotFromWriting: another sheet, or one with colours.
        """
        try:
            return _writing(read_sheet(picture))
        except MatrixError as error:
            raise NotFromWriting(f"{error}; {SHEETS}") from None

    @classmethod
    def with_answer(cls, writing: str, answer: int) -> str:
        """The same matrix with the answer that somebody says is right, counted from 1.

        Raises:
            NotFromWriting: no such answer, or the writing says that another one is right.
        """
        found = json.loads(writing)
        if not 1 <= answer <= ANSWERS:
            raise NotFromWriting(f"the right answer is one of 1 to {ANSWERS}, not {answer}")
        if found.get("answer", answer) != answer:
            raise NotFromWriting(f"the file says that answer {found['answer']} is right, not {answer}")
        return json.dumps({**found, "answer": answer})

    def exchanged(self, one: int, other: int, label: int) -> str:
        """The first matrix with two of its panels in each other's places, as it would be written.

        Which answer is right is known behind it where two answers changed places, and of no other exchange.
        """
        panels = np.rint(swapped(self.values[:1], one, other)[0].cpu().numpy() * 255).astype(np.uint8)
        right = label if min(one, other) >= CONTEXT else -1
        places = {one - CONTEXT: other - CONTEXT, other - CONTEXT: one - CONTEXT}
        return _writing(MatrixFile(panels, None if right < 0 else places.get(right, right)))

    def panels(self) -> Panels | None:
        """The panels of the first matrix: eight of nine, and eight answers for the last."""
        greys = (self.values[0].cpu().float() * 255).round().to(torch.uint8).numpy()
        return Panels(greys, panel_names(), COLUMNS, ANSWERS)

    def table(self) -> Table:
        """How dark each panel of the first matrix is on the mean, 0 for white."""
        darkness = (1 - self.values[0].float()).flatten(1).mean(dim=1)
        return Table(("panel", "darkness"), tuple(zip(panel_names(), map(float, darkness), strict=True)))

    def thumbnail(self, side: int) -> UInt8[np.ndarray, "side side 4"] | None:
        """The first matrix: its eight panels with grey between them; where the gap is, nothing."""
        space = min(SPACE, side // 16)
        edge = (side - (COLUMNS - 1) * space) // COLUMNS
        values = torch.nn.functional.interpolate(self.values[:1].cpu().float(), (edge, edge), mode="area")[0]
        greys = (values * 255).round().to(torch.uint8).numpy()
        whole = COLUMNS * edge + (COLUMNS - 1) * space
        picture = np.zeros((side, side, 4), np.uint8)
        picture[:whole, :whole] = BETWEEN
        for place in range(CONTEXT + 1):
            top, left = (at * (edge + space) for at in divmod(place, COLUMNS))
            cell = picture[top : top + edge, left : left + edge]
            if place < CONTEXT:
                cell[..., :3], cell[..., 3] = greys[place][..., None], 255
            else:
                cell[...] = 0
        return picture


def swapped(values: Float[Tensor, "B 16 side side"], one: int, other: int) -> Float[Tensor, "B 16 side side"]:
    """The same matrices with two of their panels, counted from 0, in each other's places."""
    order = torch.arange(PANELS)
    order[one], order[other] = other, one
    return values[:, order]


def _panels_of(greys: str, side: int) -> UInt8[np.ndarray, "16 side side"]:
    """What was written of panels; never more bytes are unpacked than they have."""
    due = PANELS * side**2
    unpacking = zlib.decompressobj()
    try:
        found = unpacking.decompress(base64.b64decode(greys, validate=True), due + 1)
    except (binascii.Error, ValueError, zlib.error):
        raise NotFromWriting(f"the greys are no base64 of what zlib packed; {WANTED}") from None
    if len(found) != due:
        raise NotFromWriting(
            f"the greys are {'more' if len(found) > due else f'{len(found):,} bytes, fewer'} than the {due:,} bytes of"
            f" {PANELS} panels of {side} x {side} pixels; {WANTED}"
        )
    return np.frombuffer(found, np.uint8).reshape(PANELS, side, side)


def _writing(matrix: MatrixFile) -> str:
    """A matrix as it is kept: its panels as large as ``KEPT_SIDES`` and ``KEPT_BYTES`` allow."""
    panels, packed = matrix.panels, b""
    for side in KEPT_SIDES:
        panels = resized(panels, min(side, panels.shape[-1]))
        packed = zlib.compress(panels.tobytes(), 9)
        if len(packed) <= KEPT_BYTES:
            break
    told = {} if matrix.answer is None else {"answer": matrix.answer + 1}
    return json.dumps({"side": panels.shape[-1], "greys": base64.b64encode(packed).decode(), **told})
