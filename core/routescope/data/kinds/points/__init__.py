"""Clouds of points: read from .npy, .xyz and .ply files and from text, shown as a table and as a small picture."""

from routescope.data.kinds.kind import FileCodec, Kind, TextCodec, register_kind
from routescope.data.kinds.points.codec import FILE_WORDS, LEAST_POINTS, decode, decode_file
from routescope.data.kinds.points.files import SUFFIXES
from routescope.data.kinds.points.view import table, thumbnail
from routescope.nn.inputs.points import Points

register_kind(
    Kind(
        Points,
        table,
        thumbnail,
        text=TextCodec(
            f"at least {LEAST_POINTS} lines with x, y and z of a point each", "0.1 0.9 0.5\n0.2 0.8 0.4\n...", decode
        ),
        file=FileCodec(FILE_WORDS, SUFFIXES, decode_file),
    )
)
