"""Sets of texts, each a domain that networks of text are scored on in bits a byte.

Scored texts are bundled (``assets/texts``), so they are the same everywhere. Training texts come from the running
Python: sources of its standard library and its manual (``pydoc_data.topics``), without modules and topics of scored
texts and without pieces that share a line with a scored text.
"""

import hashlib
import json
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import torch
from jaxtyping import Int64
from torch import Tensor

from routescope.assets import ASSETS
from routescope.data.dataset import DataError, DatasetInfo, NoSplit, Rows, positions_of
from routescope.data.text import generated
from routescope.data.text.pieces import LEAST_BYTES, cut, long_lines
from routescope.nn.inputs.text import Text, bytes_of
from routescope.nn.shown import short_repr

#: Folders of the standard library that are not read: tests, tables of characters, what others installed.
SKIPPED = frozenset(
    ("test", "tests", "idle_test", "site-packages", "dist-packages", "__pycache__", "encodings", "pydoc_data")
)


class TextPiece(NamedTuple):
    """A text, and the module or topic that it is of."""

    origin: str
    text: str


@cache
def bundled(domain: str, split: str) -> tuple[TextPiece, ...]:
    """The scored texts of ``python`` or ``manual``, of one split, in the order that they are bundled in."""
    stored = json.loads((ASSETS / "texts" / f"{domain}.json").read_text(encoding="utf-8"))
    return tuple(TextPiece(origin, text) for origin, text in stored[split])


@cache
def _scored_lines() -> frozenset[str]:
    """Long lines of all scored texts of both domains."""
    return frozenset().union(
        *(
            long_lines(piece.text)
            for domain in ("python", "manual")
            for split in ("validation", "test")
            for piece in bundled(domain, split)
        )
    )


def trained(domain: str) -> tuple[tuple[TextPiece, ...], int]:
    """Texts to train on of ``python`` or ``manual``, in the order of their hashes, and how many were left out.

    Left out is what shares a line of 32 characters with a scored text: licences, and passages that the manual repeats.

    Raises:
        DataError: a Python without the sources of its library, or without its manual.
    """
    pieces = [piece for split in ("validation", "test") for piece in bundled(domain, split)]
    scored, texts = {piece.origin for piece in pieces}, {piece.text for piece in pieces}
    lines, found, left_out = _scored_lines(), dict[bytes, TextPiece](), 0
    for origin, text in modules() if domain == "python" else topics():
        if origin in scored:
            continue
        for piece in cut(text):
            if len(piece.encode()) < LEAST_BYTES:
                continue
            if piece not in texts and lines.isdisjoint(long_lines(piece)):
                found[hashlib.sha256(piece.encode()).digest()] = TextPiece(origin, piece)
            else:
                left_out += 1
    return tuple(found[key] for key in sorted(found)), left_out


def modules(library: Path | None = None) -> Iterator[TextPiece]:
    """Names and sources of the modules of the standard library, by name; those that are not UTF-8 are passed over.

    Raises:
        DataError: there are none.
    """
    folder = Path(sysconfig.get_path("stdlib")) if library is None else library
    files = [path for path in sorted(folder.rglob("*.py")) if SKIPPED.isdisjoint(path.relative_to(folder).parts[:-1])]
    if not files:
        raise DataError(
            f"this Python has no sources of its standard library in {folder}; texts to train on are cut from them"
        )
    for path in files:
        name = ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix(".__init__")
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        yield TextPiece(name, text)


def _topics() -> dict[str, str]:
    """``pydoc_data.topics``, which some Pythons are shipped without."""
    try:
        found: dict[str, str] = import_module("pydoc_data.topics").topics
    except ImportError as error:
        raise DataError("this Python has no pydoc_data.topics; texts of the manual are cut from it") from error
    return found


def topics() -> Iterator[TextPiece]:
    """Names and texts of the topics of the manual that ``help()`` shows, by name.

    Raises:
        DataError: there are none.
    """
    found = _topics()
    yield from (TextPiece(name, found[name]) for name in sorted(found))


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
        pieces = tuple(TextPiece(info.name, text) for text in texts)
    elif split == "train":
        pieces, left_out = trained(info.name)
        pieces = pieces[: info.splits[split]]
    else:
        pieces = bundled(info.name, split)
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
