"""Points of numbers, one a token, which networks that learn functions of a few variables take."""

from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Float
from torch import Tensor

from routescope.nn.inputs.kind import OneTensor


def variable_names(count: int) -> tuple[str, ...]:
    """Names of ``count`` variables: a, b, ... z, then x27 and on."""
    return tuple(chr(ord("a") + index) if index < 26 else f"x{index + 1}" for index in range(count))


@dataclass(frozen=True, eq=False)
class Numbers(OneTensor):
    """A batch of points: the values of N variables, each in [0, 1]."""

    kind: ClassVar[str] = "numbers"
    words: ClassVar[str] = "a point of numbers"

    values: Float[Tensor, "B N"]
