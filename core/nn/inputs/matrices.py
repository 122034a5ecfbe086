"""Matrices of panels: eight before a gap, and eight answers for it."""

from dataclasses import dataclass
from typing import ClassVar, Self

import torch
from jaxtyping import Float, UInt8
from torch import Tensor

from core.nn.inputs.kind import NotFromUpload, OneTensor, Table, Upload

#: Panels before the gap, answers, and both.
CONTEXT, ANSWERS = 8, 8
PANELS = CONTEXT + ANSWERS
#: Panels along a side of the sheet that an upload is.
SHEET = 4
#: A panel of a sheet has so many pixels along its side, at least and at most.
LEAST_SIDE, MOST_SIDE = 16, 400

#: What is accepted, in words.
SHEETS = (
    "a square picture of 4 x 4 panels without space between them: the eight of the matrix row by row, "
    "then the eight answers"
)


def panel_names() -> tuple[str, ...]:
    """Names of the panels: "panel:row,column" of those before the gap, counted from 0, then the answers from 1."""
    context = tuple(f"panel:{place // 3},{place % 3}" for place in range(CONTEXT))
    return context + tuple(f"answer:{answer}" for answer in range(1, ANSWERS + 1))


@dataclass(frozen=True, eq=False)
class Matrices(OneTensor):
    """A batch of matrices: greys in [0, 1] of the eight panels, row by row without the last, and of eight answers."""

    kind: ClassVar[str] = "matrices"
    words: ClassVar[str] = "a matrix of panels"
    upload: ClassVar[Upload | None] = Upload(SHEETS, ("PNG", "JPEG", "WEBP", "BMP", "GIF"))

    values: Float[Tensor, "B 16 side side"]

    @classmethod
    def from_upload(cls, levels: UInt8[Tensor, "c h w"]) -> Self:
        """One matrix of a sheet of panels; colours become their mean.

        Raises:
            NotFromUpload: a picture that is no such sheet.
        """
        height, width = levels.shape[1:]
        side, rest = divmod(height, SHEET)
        if height != width or rest or not LEAST_SIDE <= side <= MOST_SIDE:
            held = ""
            if width * SHEET > height * SHEET and side and not rest and width % side == 0:
                held = f", which is {SHEET} x {width // side} panels"
            raise NotFromUpload(
                f"a matrix has eight panels and eight answers; its sheet is {SHEETS}, each panel of {LEAST_SIDE} to"
                f" {MOST_SIDE} pixels a side. This one is {width} x {height} pixels{held}"
            )
        grey = levels.float().mean(dim=0) / 255
        panels = grey.view(SHEET, side, SHEET, side).transpose(1, 2).reshape(1, PANELS, side, side)
        return cls(panels.contiguous())

    def table(self) -> Table:
        """How dark each panel of the first matrix is on the mean, 0 for white."""
        darkness = (1 - self.values[0].float()).flatten(1).mean(dim=1)
        return Table(("panel", "darkness"), tuple(zip(panel_names(), map(float, darkness), strict=True)))


def swapped(values: Float[Tensor, "B 16 side side"], one: int, other: int) -> Float[Tensor, "B 16 side side"]:
    """The same matrices with two of their panels, counted from 0, in each other's places."""
    order = torch.arange(PANELS)
    order[one], order[other] = other, one
    return values[:, order]
