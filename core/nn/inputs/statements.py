"""What a network that judges statements takes: pictures, and a sentence about them, for every sample."""

from dataclasses import dataclass
from typing import ClassVar, Self

import torch
from jaxtyping import Float
from torch import Tensor

from core.nn.inputs.kind import Inputs, Rows, Table, positions_in


@dataclass(frozen=True, eq=False)
class Statements(Inputs):
    """A batch of samples: P pictures in [0, 1] each, and one sentence.

    Raises:
        ValueError: another number of sentences than of samples.
    """

    kind: ClassVar[str] = "statements"
    words: ClassVar[str] = "a sentence about pictures"

    images: Float[Tensor, "B P c h w"]
    sentences: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.images) != len(self.sentences):
            raise ValueError(f"there are {len(self.sentences)} sentences for {len(self.images)} samples")

    def __len__(self) -> int:
        return len(self.sentences)

    def __getitem__(self, rows: Rows, /) -> Self:
        """The samples at ``rows``, in that order."""
        places = positions_in(rows)
        places = places if isinstance(places, slice) else places.cpu()
        positions = torch.arange(len(self))[places]
        return type(self)(self.images[places], tuple(self.sentences[i] for i in positions.tolist()))

    def to(self, device: torch.device | str) -> Self:
        """The same with the pictures on a device."""
        return type(self)(self.images.to(device), self.sentences)

    def table(self) -> Table:
        """The words of the first sentence, in turn."""
        return Table(("place", "word"), tuple(enumerate(self.sentences[0].split())))
