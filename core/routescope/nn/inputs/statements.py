"""Statements: a sentence about pictures for every sample, which networks judge as true or false."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Self

import torch
from jaxtyping import Float
from torch import Tensor

from routescope.nn.inputs.kind import Inputs, Rows, check_tensors, positions_in, strings


@dataclass(frozen=True, eq=False, init=False)
class Statements(Inputs):
    """A batch of samples: P pictures in [0, 1] each, and one sentence; one string is one sentence.

    Attributes:
        features: output of a frozen encoder, read in place of the pictures; None: the pictures are read.

    Raises:
        TypeError: a sentence that is no ``str``, or pictures that are no tensor.
        ValueError: another number of sentences, or of features, than of samples.
    """

    kind: ClassVar[str] = "statements"
    words: ClassVar[str] = "a sentence about pictures"

    images: Float[Tensor, "B P c h w"]
    sentences: tuple[str, ...]
    features: Float[Tensor, "B P T d"] | None

    def __init__(
        self,
        images: Float[Tensor, "B P c h w"],
        sentences: str | Iterable[str],
        features: Float[Tensor, "B P T d"] | None = None,
    ) -> None:
        check_tensors(self, images=images)
        object.__setattr__(self, "images", images)
        object.__setattr__(self, "sentences", strings(sentences, "sentence"))
        object.__setattr__(self, "features", features)
        if len(self.images) != len(self.sentences):
            raise ValueError(f"there are {len(self.sentences)} sentences for {len(self.images)} samples")
        if self.features is not None and self.features.shape[:2] != self.images.shape[:2]:
            raise ValueError(
                f"there are features of {tuple(self.features.shape[:2])} pictures for {tuple(self.images.shape[:2])}"
            )

    @classmethod
    def of_features(cls, features: Float[Tensor, "B P T d"], sentences: tuple[str, ...]) -> Self:
        """Return samples with features only; their pictures have no pixels."""
        return cls(features.new_zeros(*features.shape[:2], 3, 0, 0), sentences, features)

    def __len__(self) -> int:
        return len(self.sentences)

    def __getitem__(self, rows: Rows, /) -> Self:
        """The samples at ``rows``, in that order."""
        at = positions_in(rows)
        at = at if isinstance(at, slice) else at.cpu()
        sentences = tuple(self.sentences[i] for i in torch.arange(len(self))[at].tolist())
        return type(self)(self.images[at], sentences, None if self.features is None else self.features[at])

    def to(self, device: torch.device | str) -> Self:
        """The same batch with pictures and features on a device."""
        features = None if self.features is None else self.features.to(device)
        return type(self)(self.images.to(device), self.sentences, features)
