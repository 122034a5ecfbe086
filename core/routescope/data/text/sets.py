"""Texts of several domains, on which networks of text are scored in bits a byte.

Scored texts are bundled (``assets/texts``), so they are the same everywhere. Training texts come from the running
Python: sources of its standard library and its manual (``pydoc_data.topics``), without modules and topics of scored
texts and without pieces that share a line with a scored text.
"""

import hashlib
import json
import sysconfig
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import torch

from routescope.assets import ASSETS
from routescope.data.catalogue import dataset
from routescope.data.samples import DataError, DatasetInfo, Rows, SampleRequest, Samples, hashes_of
from routescope.data.text import generated
from routescope.data.text.pieces import LEAST_BYTES, cut, long_lines
from routescope.nn.inputs.text import Text, bytes_of

#: Folders of the standard library that are not read: tests, tables of characters, what others installed.
SKIPPED = frozenset(
    ("test", "tests", "idle_test", "site-packages", "dist-packages", "__pycache__", "encodings", "pydoc_data")
)


class TextPiece(NamedTuple):
    """A text, and its module or topic."""

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
    lines, kept, left_out = _scored_lines(), dict[bytes, TextPiece](), 0
    for origin, text in modules() if domain == "python" else topics():
        if origin in scored:
            continue
        for piece in cut(text):
            if len(piece.encode()) < LEAST_BYTES:
                continue
            if piece not in texts and lines.isdisjoint(long_lines(piece)):
                kept[hashlib.sha256(piece.encode()).digest()] = TextPiece(origin, piece)
            else:
                left_out += 1
    return tuple(kept[key] for key in sorted(kept)), left_out


def modules(library: Path | None = None) -> Iterator[TextPiece]:
    """Return names and sources of the standard library's UTF-8 modules; raises DataError if none is found."""
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
    """Return ``pydoc_data.topics``; some Pythons lack it."""
    try:
        topics_by_name: dict[str, str] = import_module("pydoc_data.topics").topics
    except ImportError as error:
        raise DataError("this Python has no pydoc_data.topics; texts of the manual are cut from it") from error
    return topics_by_name


def topics() -> Iterator[TextPiece]:
    """Return names and texts of the manual's topics, as ``help()`` shows them; raises DataError if none is found."""
    texts_by_name = _topics()
    yield from (TextPiece(name, texts_by_name[name]) for name in sorted(texts_by_name))


GENERATED = {"sums": generated.sums, "listops": generated.listops}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class TextSet(Samples):
    """Texts of one domain.

    Attributes:
        texts: of up to 256 bytes of UTF-8; a user's texts have any length.
        origins: the module, the topic or the generator of each text.
        labels: bytes of each text; texts have no classes.
    """

    columns: ClassVar[tuple[str, ...]] = (*Samples.columns, "texts", "origins")

    texts: tuple[str, ...]
    origins: tuple[str, ...]

    def inputs(self, rows: Rows) -> Text:
        """Return the texts at ``rows``, in that order."""
        return Text(tuple(self.texts[position] for position in self.positions(rows).tolist()))

    def user_sample(self, inputs: Text, digest: str) -> "TextSet":
        """Return a user's text, which is scored as those of the set are."""
        return text_set({"info": self.info, "split": "own"}, inputs.texts, hashes=(digest,))


def text_set(
    facts: Mapping[str, Any], texts: Sequence[str], origins: Sequence[str] | None = None, **columns: Any
) -> TextSet:
    """Return texts as samples.

    Args:
        facts: info, split and source.
        columns: other fields of ``TextSet`` in place of those that follow from the texts.
    """
    content = [bytes_of(text) for text in texts]
    return TextSet(
        **{
            **facts,
            "texts": tuple(texts),
            "origins": ("",) * len(texts) if origins is None else tuple(origins),
            "labels": torch.tensor([len(part) for part in content], dtype=torch.int64),
            "hashes": hashes_of(content),
            **columns,
        }
    )


def own_texts(texts: str | Iterable[str], domain: str, title: str = "own texts") -> TextSet:
    """Return a user's texts as samples, of any length; one string is one text.

    Args:
        domain: the domain of the network whose answer is scored, such as "python".

    Raises:
        TypeError: a text that is no ``str``.
        DataError: no text.
    """
    given = Text(texts).texts
    if not given:
        raise DataError("there is no text: give at least one")
    return text_set({"info": DatasetInfo(domain, title, inputs="text"), "split": "own"}, given)


def _info(name: str, title: str, licence: str, train: int) -> DatasetInfo:
    splits = {"train": train, "validation": 128, "test": 128}
    return DatasetInfo(name, title, licence, splits, inputs="text")


_PYTHON_LICENCE = "Python and its documentation: Python Software Foundation; PSF licence version 2"


@dataset(
    _info("python", "Python sources (standard library)", _PYTHON_LICENCE, 16_384),
    _info("manual", "Python manual (help topics)", _PYTHON_LICENCE, 1_280),
    _info("sums", "Sums", "generated by this project", 4_096),
    _info("listops", "ListOps", "generated by this project", 4_096),
)
def texts(request: SampleRequest) -> TextSet:
    """Return texts of a domain; raises DataError for a Python without the texts to train on."""
    name, split, left_out = request.info.name, request.split, 0
    if name in GENERATED:
        pieces = tuple(TextPiece(name, text) for text in GENERATED[name](split, request.count))
    elif split == "train":
        pieces, left_out = trained(name)
    else:
        pieces = bundled(name, split)
    pieces = pieces[: request.count]
    columns = [piece.text for piece in pieces], [piece.origin for piece in pieces]
    return text_set(request.facts, *columns, left_out=left_out)
