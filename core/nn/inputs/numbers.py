"""Numbers between 0 and 1, one a token: what networks that learn functions of a few variables take."""

from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Float
from torch import Tensor

from core.nn.inputs.kind import OneTensor, Table


def variable_names(count: int) -> tuple[str, ...]:
    """Names of so many variables: a, b, ... z, then x27 and on."""
    return tuple(chr(ord("a") + place) if place < 26 else f"x{place + 1}" for place in range(count))


@dataclass(frozen=True, eq=False)
class Numbers(OneTensor):
    """A batch of points: the values of N variables, each in [0, 1]."""

    kind: ClassVar[str] = "numbers"
    words: ClassVar[str] = "a point of numbers"

    values: Float[Tensor, "B N"]

    def table(self) -> Table:
        """The variables of the first point, one a row."""
        values = self.values[0].tolist()
        return Table(("variable", "value"), tuple(zip(variable_names(len(values)), values, strict=True)))
