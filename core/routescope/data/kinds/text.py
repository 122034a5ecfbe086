"""Texts: of a network's own tokens, and as raw bytes."""

import torch

from routescope.data.kinds.kind import InvalidSample, Kind, Table, TextCodec, register_kind
from routescope.nn.inputs.sequences import MOST_BYTES, Bytes
from routescope.nn.inputs.text import Text, bytes_of

WANTED = "a text of at least one visible character"


def lines(text: str) -> Table:
    """Return the lines of a text, in turn."""
    return Table(("line", "text"), tuple(enumerate(text.splitlines() or [""], start=1)))


def decode(content: str) -> Text:
    """Return a batch of one text; raises InvalidSample for a text without a visible character."""
    if not content.strip():
        raise InvalidSample(f"the text is empty; a sample is {WANTED}")
    return Text((content,))


def decode_bytes(content: str) -> Bytes:
    """Return the bytes of a text; raises InvalidSample for an empty text, or one of more than ``MOST_BYTES``."""
    (text,) = decode(content).texts
    symbols = bytes_of(text)
    if len(symbols) > MOST_BYTES:
        raise InvalidSample(f"the text has {len(symbols):,} bytes; up to {MOST_BYTES:,} are accepted")
    return Bytes(torch.tensor([list(symbols)], dtype=torch.long))


def encode_bytes(texts: Bytes) -> str:
    """Return the first text; bytes that are not UTF-8 are replaced."""
    return bytes(texts.symbols(0)).decode("utf-8", "replace")


register_kind(Kind(Text, lambda texts: lines(texts.texts[0]), text=TextCodec(WANTED, "def f(x):", decode)))
register_kind(
    Kind(
        Bytes,
        lambda texts: lines(encode_bytes(texts)),
        text=TextCodec(
            f"a text of up to {MOST_BYTES:,} bytes of UTF-8",
            "A warm and funny film, well worth the evening.",
            decode_bytes,
            encode_bytes,
        ),
    )
)
