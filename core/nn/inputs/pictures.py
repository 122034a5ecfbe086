"""Pictures: what networks that cut them into patches take."""

from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Float
from torch import Tensor

from core.nn.inputs.kind import OneTensor, Table


@dataclass(frozen=True, eq=False)
class Pictures(OneTensor):
    """A batch of pictures with values in [0, 1]."""

    kind: ClassVar[str] = "images"
    words: ClassVar[str] = "a picture"

    values: Float[Tensor, "B c h w"]

    def table(self) -> Table:
        """The mean brightness of every row of pixels of the first picture, channel by channel."""
        channels = self.values[0].float().mean(dim=2)
        columns = ("row", *(f"channel {c + 1}" for c in range(len(channels))))
        return Table(columns, tuple((row, *map(float, values)) for row, values in enumerate(channels.T.tolist())))
