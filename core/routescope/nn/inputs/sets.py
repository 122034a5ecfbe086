"""Sets of vectors or symbols that need no tokenizer."""

from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Shaped
from torch import Tensor

from routescope.nn.inputs.kind import OneTensor


@dataclass(frozen=True, eq=False)
class Sets(OneTensor):
    """A batch of sets of elements: vectors (B, V, C), or symbols (B, V) where padding is 0."""

    kind: ClassVar[str] = "sets"
    words: ClassVar[str] = "a set of elements"

    values: Shaped[Tensor, "B V *C"]
