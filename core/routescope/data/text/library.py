"""Texts that a Python carries: the sources of its standard library and its manual (``pydoc_data.topics``).

Texts that are scored are bundled, so that they are the same everywhere (``assets/texts``). Texts to train on come from
the Python that runs: from modules and topics that no scored text is of, without pieces that share a line with one.
"""

import hashlib
import json
import sysconfig
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from routescope.assets import ASSETS
from routescope.data.dataset import DataError
from routescope.data.text.pieces import LEAST_BYTES, cut, long_lines

#: Folders of the standard library that are not read: tests, tables of characters, what others installed.
SKIPPED = frozenset(
    ("test", "tests", "idle_test", "site-packages", "dist-packages", "__pycache__", "encodings", "pydoc_data")
)


class Piece(NamedTuple):
    """A text, and the module or topic that it is of."""

    origin: str
    text: str


@cache
def bundled(domain: str, split: str) -> tuple[Piece, ...]:
    """The scored texts of ``python`` or ``manual``, of one split, in the order that they are bundled in."""
    stored = json.loads((ASSETS / "texts" / f"{domain}.json").read_text(encoding="utf-8"))
    return tuple(Piece(origin, text) for origin, text in stored[split])


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


def trained(domain: str) -> tuple[tuple[Piece, ...], int]:
    """Texts to train on of ``python`` or ``manual``, in the order of their hashes, and how many were left out.

    Left out is what shares a line of 32 characters with a scored text: licences, and passages that the manual repeats.

    Raises:
        DataError: a Python without the sources of its library, or without its manual.
    """
    pieces = [piece for split in ("validation", "test") for piece in bundled(domain, split)]
    scored, texts = {piece.origin for piece in pieces}, {piece.text for piece in pieces}
    lines, found, left_out = _scored_lines(), dict[bytes, Piece](), 0
    for origin, text in modules() if domain == "python" else topics():
        if origin in scored:
            continue
        for piece in cut(text):
            if len(piece.encode()) < LEAST_BYTES:
                continue
            if piece not in texts and lines.isdisjoint(long_lines(piece)):
                found[hashlib.sha256(piece.encode()).digest()] = Piece(origin, piece)
            else:
                left_out += 1
    return tuple(found[key] for key in sorted(found)), left_out


def modules(library: Path | None = None) -> Iterator[Piece]:
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
        yield Piece(name, text)


def _topics() -> dict[str, str]:
    """``pydoc_data.topics``, which some Pythons are shipped without."""
    try:
        found: dict[str, str] = import_module("pydoc_data.topics").topics
    except ImportError as error:
        raise DataError("this Python has no pydoc_data.topics; texts of the manual are cut from it") from error
    return found


def topics() -> Iterator[Piece]:
    """Names and texts of the topics of the manual that ``help()`` shows, by name.

    Raises:
        DataError: there are none.
    """
    found = _topics()
    yield from (Piece(name, found[name]) for name in sorted(found))
