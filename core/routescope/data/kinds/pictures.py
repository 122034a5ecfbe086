"""Pictures: made of files and drawings, shown as they are; their table has the brightness of each row."""

from jaxtyping import UInt8
from torch import Tensor

from routescope.data.kinds.kind import Kind, PictureCodec, Table, register_kind
from routescope.nn.inputs.pictures import Pictures


def decode(levels: UInt8[Tensor, "c h w"]) -> Pictures:
    """Return a batch of one picture, in the size that the network takes."""
    return Pictures(levels[None].float() / 255)


def table(pictures: Pictures) -> Table:
    """Return the mean brightness of every row of pixels, channel by channel."""
    channels = pictures.values[0].float().mean(dim=2)
    columns = ("row", *(f"channel {c + 1}" for c in range(len(channels))))
    return Table(columns, tuple((row, *map(float, values)) for row, values in enumerate(channels.T.tolist())))


CODEC = PictureCodec("PNG, JPEG, WebP, BMP and GIF pictures", ("PNG", "JPEG", "WEBP", "BMP", "GIF"), decode)
register_kind(Kind(Pictures, table, picture=CODEC))
