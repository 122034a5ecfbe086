"""Texts, which a network splits into bytes or into the tokens of its tokenizer."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Self

import torch

from routescope.nn.inputs.kind import Inputs, Rows, positions_in, strings
from routescope.nn.shown import short_repr

#: Error handler that keeps bytes that are not UTF-8 in a text.
UNREADABLE = "surrogateescape"


@dataclass(frozen=True, eq=False, init=False)
class Text(Inputs):
    """A batch of whole texts; ``Text("hello")`` is a batch of one text.

    ``network.left_out(texts)`` tells how many tokens of a text one pass of a network leaves out.

    Attributes:
        texts: one string a sample.
        ids: token ids of each text, such as those of a text that a network continues; None: the network makes them.

    Raises:
        TypeError: a text that is no ``str``.
        ValueError: another number of ``ids`` than of texts.
    """

    kind: ClassVar[str] = "text"
    words: ClassVar[str] = "a text"

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
        at = positions_in(rows)
        at = at if isinstance(at, slice) else at.cpu()
        positions = torch.arange(len(self))[at].tolist()
        ids = None if self.ids is None else tuple(self.ids[i] for i in positions)
        return type(self)(tuple(self.texts[i] for i in positions), ids)

    def to(self, device: torch.device | str) -> Self:
        """The batch itself: texts are on no device."""
        return self


def bytes_of(text: str) -> bytes:
    """Return a text as UTF-8, with the bytes that ``text_of`` could not decode."""
    return text.encode("utf-8", UNREADABLE)


def text_of(content: bytes) -> str:
    """Return the text of UTF-8 bytes; ``bytes_of`` gives back also bytes that are not UTF-8."""
    return content.decode("utf-8", UNREADABLE)
