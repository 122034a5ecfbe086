"""Texts, of which a network makes tokens of its own: bytes, or those of its tokenizer."""

from dataclasses import dataclass
from typing import ClassVar, Self

import torch

from core.nn.inputs.kind import Inputs, NotFromWriting, Rows, Table, Written, positions_in

#: How bytes that are no UTF-8 are held in a text, so that nothing of them is lost.
UNREADABLE = "surrogateescape"


@dataclass(frozen=True, eq=False)
class Text(Inputs):
    """A batch of texts.

    Attributes:
        texts: each of them, whole.
        ids: the tokens of each as the network numbers them, where they are decided already, as those of a text that a
            network continues; None: the network makes them.

    Raises:
        ValueError: another number of ``ids`` than of texts.
    """

    kind: ClassVar[str] = "text"
    words: ClassVar[str] = "a text"
    written: ClassVar[Written | None] = Written("a text of at least one visible character", "def f(x):")

    texts: tuple[str, ...]
    ids: tuple[tuple[int, ...], ...] | None = None

    def __post_init__(self) -> None:
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
    """A text as UTF-8; bytes that were none when it was read are what they were."""
    return text.encode("utf-8", UNREADABLE)


def text_of(content: bytes) -> str:
    """What ``bytes_of`` made bytes of."""
    return content.decode("utf-8", UNREADABLE)
