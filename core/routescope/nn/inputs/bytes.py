"""Texts as raw bytes, a byte a token, for networks that say something about a whole text."""

from dataclasses import dataclass
from typing import ClassVar, Self

import torch

from routescope.nn.inputs.kind import NotFromWriting, Table, Written
from routescope.nn.inputs.sequences import Sequences
from routescope.nn.inputs.text import bytes_of

#: Bytes of the longest text (Neural Attentive Circuits, section 4.3: "sequences of up to 4000 bytes").
MOST_BYTES = 4000


@dataclass(frozen=True, eq=False)
class Bytes(Sequences):
    """A batch of texts, as the bytes of their UTF-8."""

    kind: ClassVar[str] = "bytes"
    words: ClassVar[str] = "a text as raw bytes"
    written: ClassVar[Written | None] = Written(
        f"a text of up to {MOST_BYTES:,} bytes of UTF-8", "A warm and funny film, well worth the evening."
    )

    @classmethod
    def from_writing(cls, content: str) -> Self:
        """The bytes of a text.

        Raises:
            NotFromWriting: nothing of it can be seen, or more than ``MOST_BYTES``.
        """
        if not content.strip():
            raise NotFromWriting("the text is empty; a sample is a text of at least one visible character")
        found = bytes_of(content)
        if len(found) > MOST_BYTES:
            raise NotFromWriting(f"the text has {len(found):,} bytes; up to {MOST_BYTES:,} are accepted")
        return cls(torch.tensor([list(found)], dtype=torch.long))

    def as_written(self) -> str:
        """The first text; what is no UTF-8 in it is shown as replaced."""
        return bytes(self.symbols(0)).decode("utf-8", "replace")

    @staticmethod
    def reads(symbol: int) -> str:
        """A byte that is a character as it reads, others as hexadecimal numbers."""
        return chr(symbol) if symbol in (9, 10, 13) or 32 <= symbol < 127 else f"\\x{symbol:02x}"

    def table(self) -> Table:
        """The lines of the first text, in turn."""
        lines = self.as_written().splitlines() or [""]
        return Table(("line", "text"), tuple(enumerate(lines, start=1)))
