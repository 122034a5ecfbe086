"""Sets of texts, each a domain that networks of text are scored on in bits a byte."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

import torch
from jaxtyping import Int64
from torch import Tensor

from routescope.data.dataset import DataError, DatasetInfo, NoSplit, Rows, positions_of
from routescope.data.text import generated, library
from routescope.nn.inputs.text import Text, bytes_of
from routescope.nn.shown import short_repr

#: Sizes of the splits. What is trained on comes from the Python that runs: this many of its texts at most.
SCORED = {"validation": 128, "test": 128}
SIZES = {
    "python": {"train": 16_384, **SCORED},
    "manual": {"train": 1_280, **SCORED},
    "sums": {"train": 4_096, **SCORED},
    "listops": {"train": 4_096, **SCORED},
}
GENERATED = {"sums": generated.sums, "listops": generated.listops}


@dataclass(frozen=True, eq=False)
class TextSet:
    """Texts of one domain, in memory.

    Attributes:
        texts: one a sample, of up to 256 bytes of UTF-8.
        origins: the module, the topic or the generator that each text is of.
        labels: bytes of each text; texts have no classes.
        hashes: SHA-256 of each text.
        name, title, split, stand_in, stand_in_for, licence, classes, source: as of ``Dataset``.
        left_out: pieces that were left out of what is trained on, as they share a line with a scored text.
    """

    name: str
    title: str
    split: str
    texts: tuple[str, ...]
    origins: tuple[str, ...]
    labels: Int64[Tensor, " sample"]
    hashes: tuple[str, ...]
    licence: str
    stand_in: bool = False
    stand_in_for: str | None = None
    classes: tuple[str, ...] = ()
    source: str | None = None
    left_out: int = 0

    __repr__ = short_repr

    @property
    def domain(self) -> str:
        """The network's domain that this set belongs to."""
        return self.name

    def __len__(self) -> int:
        return len(self.texts)

    def _chosen(self, rows: Rows) -> list[int]:
        places: list[int] = torch.arange(len(self))[positions_of(rows)].tolist()
        return places

    def take(self, indices: Rows) -> "TextSet":
        """The samples at ``indices``, in that order, as a set of the same name."""
        chosen = self._chosen(indices)
        return replace(
            self,
            texts=tuple(self.texts[i] for i in chosen),
            origins=tuple(self.origins[i] for i in chosen),
            labels=self.labels[chosen],
            hashes=tuple(self.hashes[i] for i in chosen),
        )

    def inputs(self, rows: Rows) -> Text:
        """What a network takes of the samples at ``rows``, in that order: their texts."""
        return Text(tuple(self.texts[i] for i in self._chosen(rows)))

    def own(self, inputs: Text, digest: str) -> "TextSet":
        """A text that somebody brings, to be scored as those of the set are."""
        lengths = torch.tensor([len(bytes_of(text)) for text in inputs.texts])
        return replace(self, split="own", texts=inputs.texts, origins=("",), labels=lengths, hashes=(digest,))

    def targets(self, rows: Rows, iterations: int | None = None) -> Int64[Tensor, " row"]:
        """Bytes of the texts at ``rows``, by which bits are divided."""
        return self.labels[positions_of(rows)]


def own_texts(texts: str | Iterable[str], domain: str, title: str = "own texts") -> TextSet:
    """Texts of your own as a data set, of any length; one string is one text.

    Args:
        domain: the domain of the network whose answer is scored, such as "python".

    Raises:
        TypeError: a text that is no ``str``.
        DataError: no text.
    """
    found = Text(texts).texts
    if not found:
        raise DataError("there is no text: give at least one")
    content = [bytes_of(text) for text in found]
    return TextSet(
        name=domain,
        title=title,
        split="own",
        texts=found,
        origins=("",) * len(found),
        labels=torch.tensor([len(own) for own in content], dtype=torch.int64),
        hashes=tuple(hashlib.sha256(own).hexdigest() for own in content),
        licence="",
    )


def load(info: DatasetInfo, split: str, limit: int | None = None) -> TextSet:
    """One split of a set of texts.

    Args:
        limit: only the first samples.

    Raises:
        NoSplit: no such split. DataError: texts to train on from a Python that does not carry them.
    """
    if split not in info.splits:
        raise NoSplit(f"{info.name} has no split {split!r}; there are {', '.join(info.splits)}")
    left_out = 0
    if info.name in GENERATED:
        texts = GENERATED[info.name](split, min(info.splits[split], limit or info.splits[split]))
        pieces = tuple(library.Piece(info.name, text) for text in texts)
    elif split == "train":
        pieces, left_out = library.trained(info.name)
        pieces = pieces[: info.splits[split]]
    else:
        pieces = library.bundled(info.name, split)
    pieces = pieces[:limit]
    texts = tuple(piece.text for piece in pieces)
    return TextSet(
        name=info.name,
        title=info.title,
        split=split,
        texts=texts,
        origins=tuple(piece.origin for piece in pieces),
        labels=torch.tensor([len(text.encode()) for text in texts], dtype=torch.int64),
        hashes=tuple(hashlib.sha256(text.encode()).hexdigest() for text in texts),
        licence=info.licence,
        left_out=left_out,
    )
