"""Texts, which a network splits into its own tokens: bytes, or those of its tokenizer."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Self

import torch

from routescope.nn.inputs.kind import Inputs, NotFromWriting, Rows, Table, Written, positions_in, strings
from routescope.nn.shown import short_repr

#: How bytes that are no UTF-8 are held in a text, so that nothing of them is lost.
UNREADABLE = "surrogateescape"


@dataclass(frozen=True, eq=False, init=False)
class Text(Inputs):
    """A batch of whole texts; ``Text("hello")`` is a batch of one text.

    How many tokens of a text one pass of a network reads, and how many it leaves out, depends on the network:
    ``network.left_out(texts)``.

    Attributes:
        texts: one string a sample.
        ids: the tokens of each text as the network numbers them, such as those of a text that a network continues;
            None: the network makes them.

    Raises:
        TypeError: a text that is no ``str``.
        ValueError: another number of ``ids`` than of texts.
    """

    kind: ClassVar[str] = "text"
    words: ClassVar[str] = "a text"
    written: ClassVar[Written | None] = Written("a text of at least one visible character", "def f(x):")

    texts: tuple[str, ...]
    ids: tuple[tuple[int, ...], ...] | None

    __repr__ = short_repr

    def __init__(self, texts: str | Iterable[str], ids: tuple[tuple[int, ...], ...] | None = None) -> None:
        object.__setattr__(self, "texts", strings(texts, "text"))
        object.__setattr__(self, "ids", ids)
        if self.ids is not None and len(self.ids) != len(self.texts):
            raise ValueError(f"there are tokens of {len(self.ids)} texts for {len(self.texts)} texts")

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, rows: Rows, /) -> Self:
        """The texts at ``rows``, in that order."""
        places = positions_in(rows)
        places = places if isinstance(places, slice) else places.cpu()
        positions = torch.arange(len(self))[places].tolist()
        ids = None if self.ids is None else tuple(self.ids[i] for i in positions)
        return type(self)(tuple(self.texts[i] for i in positions), ids)

    def to(self, device: torch.device | str) -> Self:
        """The same: texts are on no device."""
        return self

    @classmethod
    def from_writing(cls, content: str) -> Self:
        """The text, as it is written.

        Raises:
            NotFromWriting: nothing of it can be seen.
        """
        if not content.strip():
            raise NotFromWriting("the text is empty; a sample is a text of at least one visible character")
        return cls((content,))

    def table(self) -> Table:
        """The lines of the first text, in turn."""
        return Table(("line", "text"), tuple(enumerate(self.texts[0].splitlines() or [""], start=1)))


def bytes_of(text: str) -> bytes:
    """A text as UTF-8; bytes that were no UTF-8 when the text was read stay as they were."""
    return text.encode("utf-8", UNREADABLE)


def text_of(content: bytes) -> str:
    """The text whose ``bytes_of`` are ``content``."""
    return content.decode("utf-8", UNREADABLE)
