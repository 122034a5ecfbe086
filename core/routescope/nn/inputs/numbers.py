"""Numbers between 0 and 1, one a token: what networks that learn functions of a few variables take."""

from dataclasses import dataclass
from typing import ClassVar, Self

import torch
from jaxtyping import Float
from torch import Tensor

from routescope.nn.inputs.decoding import NoNumber, number, said, words_of
from routescope.nn.inputs.kind import NotFromWriting, OneTensor, Table, Written

WANTED = "a point is numbers from 0 to 1 with commas between them, such as 0.1, 0.9, 0.5"


def variable_names(count: int) -> tuple[str, ...]:
    """Names of so many variables: a, b, ... z, then x27 and on."""
    return tuple(chr(ord("a") + place) if place < 26 else f"x{place + 1}" for place in range(count))


@dataclass(frozen=True, eq=False)
class Numbers(OneTensor):
    """A batch of points: the values of N variables, each in [0, 1]."""

    kind: ClassVar[str] = "numbers"
    words: ClassVar[str] = "a point of numbers"
    written: ClassVar[Written | None] = Written(
        "numbers from 0 to 1, with commas or spaces between them", "0.1, 0.9, 0.5, 0.25, 1", of_set=True
    )

    values: Float[Tensor, "B N"]

    @classmethod
    def from_writing(cls, content: str) -> Self:
        """A point of the numbers that are written, in their order, with commas, semicolons or white space between them.

        Raises:
            NotFromWriting: something that is no number from 0 to 1, a number with a decimal comma, or nothing.
        """
        try:
            parts = words_of(content)
        except NoNumber as error:
            raise NotFromWriting(f"{error}; {WANTED}") from None
        values = [_number(part, place) for place, part in enumerate(parts, start=1)]
        return cls(torch.tensor([values], dtype=torch.float32))

    def table(self) -> Table:
        """The variables of the first point, one a row."""
        values = self.values[0].tolist()
        return Table(("variable", "value"), tuple(zip(variable_names(len(values)), values, strict=True)))


def _number(part: str, place: int) -> float:
    """One of the numbers of a point; raises NotFromWriting for what is none from 0 to 1."""
    try:
        value = number(part)
    except NoNumber as error:
        raise NotFromWriting(f"number {place} is {error}; {WANTED}") from None
    if not 0 <= value <= 1:  # NaN is neither
        raise NotFromWriting(f"number {place} is {said(part)}, which is not from 0 to 1; {WANTED}")
    return value
