"""Matrices of panels: eight before a gap, and eight answers for it."""

from dataclasses import dataclass
from typing import ClassVar, Self

import torch
from jaxtyping import Float, Int64
from torch import Tensor

from routescope.nn.inputs.kind import OneTensor, Rows, positions_in

#: Panels before the gap, answers, and both.
CONTEXT, ANSWERS = 8, 8
PANELS = CONTEXT + ANSWERS
#: Panels along a side of the matrix.
COLUMNS = 3


def panel_names() -> tuple[str, ...]:
    """Names of the panels: "panel:row,column" before the gap, counted from 0, then the answers from 1."""
    context = tuple(f"panel:{position // COLUMNS},{position % COLUMNS}" for position in range(CONTEXT))
    return context + tuple(f"answer:{answer}" for answer in range(1, ANSWERS + 1))


@dataclass(frozen=True, eq=False)
class Matrices(OneTensor):
    """A batch of matrices: greys in [0, 1] of the eight panels, row by row without the last, and of eight answers.

    Attributes:
        right: the right answer, counted from 0, of uploaded matrices; -1 where it is not known.
    """

    kind: ClassVar[str] = "matrices"
    words: ClassVar[str] = "a matrix of panels"

    values: Float[Tensor, "B 16 side side"]
    right: Int64[Tensor, " B"] | None = None

    def __getitem__(self, rows: Rows, /) -> Self:
        """The matrices at ``rows``, in that order."""
        at = positions_in(rows)
        return type(self)(self.values[at], None if self.right is None else self.right[at])

    def to(self, device: torch.device | str) -> Self:
        return type(self)(self.values.to(device), None if self.right is None else self.right.to(device))


def swapped(values: Float[Tensor, "B 16 side side"], one: int, other: int) -> Float[Tensor, "B 16 side side"]:
    """Return the matrices with two of their panels, counted from 0, exchanged."""
    order = torch.arange(PANELS)
    order[one], order[other] = other, one
    return values[:, order]
