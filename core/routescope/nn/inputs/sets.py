"""Sets and sequences: points, symbols, bytes, or vectors that need no tokenizer."""

from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Shaped
from torch import Tensor

from routescope.nn.inputs.kind import OneTensor, Table


@dataclass(frozen=True, eq=False)
class Sets(OneTensor):
    """A batch of sets of elements: vectors (B, V, C), or symbols (B, V) where padding is 0."""

    kind: ClassVar[str] = "sets"
    words: ClassVar[str] = "a set of elements"

    values: Shaped[Tensor, "B V *C"]

    def table(self) -> Table:
        """The elements of the first set, one a row."""
        elements = self.values[0].reshape(self.values.shape[1], -1)
        columns = ("element", *(f"value {c + 1}" for c in range(elements.shape[1])))
        return Table(columns, tuple((place, *values) for place, values in enumerate(elements.tolist())))
