"""Pictures: what networks that cut them into patches take."""

from dataclasses import dataclass
from typing import ClassVar, Self

from jaxtyping import Float, UInt8
from torch import Tensor

from routescope.nn.inputs.kind import OneTensor, Table, Upload

#: What pictures are made of.
FILES = Upload("PNG, JPEG, WebP, BMP and GIF pictures", ("PNG", "JPEG", "WEBP", "BMP", "GIF"), drawn=True)


@dataclass(frozen=True, eq=False)
class Pictures(OneTensor):
    """A batch of pictures with values in [0, 1]."""

    kind: ClassVar[str] = "images"
    words: ClassVar[str] = "a picture"
    upload: ClassVar[Upload | None] = FILES

    values: Float[Tensor, "B c h w"]

    @classmethod
    def from_upload(cls, levels: UInt8[Tensor, "c h w"]) -> Self:
        """One picture of its levels in 0..255, in the size that the network takes."""
        return cls(levels[None].float() / 255)

    def table(self) -> Table:
        """The mean brightness of every row of pixels of the first picture, channel by channel."""
        channels = self.values[0].float().mean(dim=2)
        columns = ("row", *(f"channel {c + 1}" for c in range(len(channels))))
        return Table(columns, tuple((row, *map(float, values)) for row, values in enumerate(channels.T.tolist())))
