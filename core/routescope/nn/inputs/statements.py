"""What a network that judges statements takes: pictures, and a sentence about them, for every sample."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Self

import torch
from jaxtyping import Float
from torch import Tensor

from routescope.nn.inputs.kind import Inputs, Rows, Table, check_tensors, positions_in, strings


@dataclass(frozen=True, eq=False, init=False)
class Statements(Inputs):
    """A batch of samples: P pictures in [0, 1] each, and one sentence; one string is one sentence.

    Attributes:
        features: what a frozen encoder made of the pictures, which are read in their place; None: the pictures are.

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
        """Samples of whose pictures only the features are there: the pictures themselves have no pixels."""
        return cls(features.new_zeros(*features.shape[:2], 3, 0, 0), sentences, features)

    def __len__(self) -> int:
        return len(self.sentences)

    def __getitem__(self, rows: Rows, /) -> Self:
        """The samples at ``rows``, in that order."""
        places = positions_in(rows)
        places = places if isinstance(places, slice) else places.cpu()
        positions = torch.arange(len(self))[places]
        features = None if self.features is None else self.features[places]
        return type(self)(self.images[places], tuple(self.sentences[i] for i in positions.tolist()), features)

    def to(self, device: torch.device | str) -> Self:
        """The same with the pictures, and their features, on a device."""
        features = None if self.features is None else self.features.to(device)
        return type(self)(self.images.to(device), self.sentences, features)

    def table(self) -> Table:
        """The words of the first sentence, in turn."""
        return Table(("place", "word"), tuple(enumerate(self.sentences[0].split())))
