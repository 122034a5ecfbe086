"""Matrices of panels: read from .npz files, sheets and JSON, shown as panels, a table and a small picture."""

from routescope.data.kinds.kind import FileCodec, Kind, PanelView, TextCodec, register_kind
from routescope.data.kinds.matrices import codec
from routescope.data.kinds.matrices.files import MOST_SIDE
from routescope.data.kinds.matrices.sheets import ABOVE
from routescope.data.kinds.matrices.view import panels, table, thumbnail
from routescope.nn.inputs.matrices import ANSWERS, Matrices

register_kind(
    Kind(
        Matrices,
        table,
        thumbnail,
        PanelView(panels, codec.exchanged),
        text=TextCodec(codec.TEXT, '{"side": 80, "greys": "eNrt...", "answer": 3}', codec.decode, typed=False),
        file=FileCodec(
            f"{codec.ARCHIVES}, or .png sheets: {codec.SHEETS}",
            (".npz", ".png"),
            codec.decode_file,
            pictures={".png": "PNG"},
            longest_side=ABOVE * MOST_SIDE,
            decode_picture=codec.decode_picture,
            answers=ANSWERS,
            with_answer=codec.with_answer,
        ),
    )
)
