"""What a network that judges statements takes: pictures, and a sentence about them, for every sample."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import torch
from jaxtyping import Float
from torch import Tensor


@dataclass(frozen=True, eq=False)
class Statements:
    """A batch of samples: P pictures in [0, 1] each, and one sentence.

    Raises:
        ValueError: another number of sentences than of samples.
    """

    images: Float[Tensor, "B P c h w"]
    sentences: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.images) != len(self.sentences):
            raise ValueError(f"there are {len(self.sentences)} sentences for {len(self.images)} samples")

    def __len__(self) -> int:
        return len(self.sentences)

    def __getitem__(self, rows: slice | Sequence[int] | Tensor) -> Self:
        """The samples at ``rows``, in that order."""
        if not isinstance(rows, slice):
            rows = torch.as_tensor(rows).cpu()
            rows = rows if len(rows) else rows.long()
        positions = torch.arange(len(self))[rows]
        return type(self)(self.images[rows], tuple(self.sentences[i] for i in positions.tolist()))

    def split(self, size: int) -> Iterator[Self]:
        """At most ``size`` samples at a time; one batch where there are none at all."""
        for start in range(0, max(1, len(self)), size):
            yield self[start : start + size]

    def to(self, device: torch.device | str) -> Self:
        """The same with the pictures on a device."""
        return type(self)(self.images.to(device), self.sentences)
