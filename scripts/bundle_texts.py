"""Chooses the texts that networks of text are scored on, from the Python that runs, and writes them to assets/texts.

They are bundled, so that figures are of the same texts on every Python: run it again and every figure must be measured
again. Of a module or topic that is chosen nothing is trained on.
"""

import hashlib
import json
import platform
from collections.abc import Callable, Iterator
from pathlib import Path

from routescope.data.text.pieces import LEAST_BYTES, cut, long_lines
from routescope.data.text.sets import SCORED, TextPiece, modules, topics

FOLDER = Path(__file__).resolve().parent.parent / "assets" / "texts"
#: Texts of one module; of a topic all are taken, as there are few.
OF_A_MODULE = 2
#: Modules of fewer bytes have nothing but a licence.
LEAST_SOURCE = 4_000
TOPICS = {
    "validation": ("formatstrings", "import", "identifiers", "global", "raise", "subscriptions"),
    "test": ("debugger", "strings", "assignment", "operator-summary", "nonlocal", "imaginary"),
}


def _order(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()


def python() -> dict[str, list[TextPiece]]:
    """Texts of modules that are drawn by the hash of their name, each module in one split."""
    found: dict[str, list[TextPiece]] = {split: [] for split in SCORED}
    seen: set[str] = set()
    for name, source in sorted(modules(), key=lambda module: _order(module.origin)):
        split = min(found, key=lambda each: len(found[each]) / SCORED[each])
        if len(source) < LEAST_SOURCE or len(found[split]) >= SCORED[split]:
            continue
        pieces = list(_fresh(name, source, seen))
        found[split] += sorted(pieces, key=lambda piece: _order(piece.text))[:OF_A_MODULE]
        seen |= {each for piece in pieces for each in (piece.text, *long_lines(piece.text))}
    return found


def manual() -> dict[str, list[TextPiece]]:
    """Texts of the topics above."""
    there, seen, found = dict(topics()), set[str](), {}
    for split, names in TOPICS.items():
        pieces = list({piece.text: piece for name in names for piece in _fresh(name, there[name], seen)}.values())
        found[split] = sorted(pieces, key=lambda piece: _order(piece.text))[: SCORED[split]]
        seen |= {each for piece in pieces for each in (piece.text, *long_lines(piece.text))}
    return found


def _fresh(name: str, text: str, seen: set[str]) -> Iterator[TextPiece]:
    """Pieces that are long enough and are no other text, and share no line with one, that was chosen before."""
    for piece in dict.fromkeys(cut(text)):
        if len(piece.encode()) >= LEAST_BYTES and piece not in seen and seen.isdisjoint(long_lines(piece)):
            yield TextPiece(name, piece)


def main() -> None:
    """Write both files."""
    makers: dict[str, Callable[[], dict[str, list[TextPiece]]]] = {"python": python, "manual": manual}
    for domain, make in makers.items():
        texts = make()
        assert {split: len(pieces) for split, pieces in texts.items()} == SCORED, domain
        stored = {"from": f"CPython {platform.python_version()}", **texts}
        (FOLDER / f"{domain}.json").write_text(
            json.dumps(stored, indent=0, ensure_ascii=False) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
