"""Sentences that people type: in NFC, on one line, of a bounded length; refused with what would be accepted."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from app.services.errors import NotAccepted

#: Control characters, direction overrides and other invisible ones, halves of pairs, unassigned ones, ends of lines.
REFUSED = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def clean_sentence(text: str, longest: int) -> str:
    """The sentence in NFC, with single spaces between its words and none around them.

    Raises:
        NotAccepted: nothing in it, more than ``longest`` characters, or characters that cannot be seen.
    """
    if len(text) > longest:
        raise NotAccepted(f"A sentence has up to {longest} characters; this one has {len(text)}.")
    normal = unicodedata.normalize("NFC", text)
    if any(unicodedata.category(character) in REFUSED for character in normal):
        raise NotAccepted("A sentence is one line of visible characters; this one has control characters in it.")
    words = re.sub(r"\s+", " ", normal).strip()
    if not words:
        raise NotAccepted("A sentence has at least one word.")
    if len(words) > longest:
        raise NotAccepted(f"A sentence has up to {longest} characters; this one has {len(words)}.")
    return words


def clean_sentences(texts: Sequence[str], longest: int, most: int) -> list[str]:
    """All of them, in their order.

    Raises:
        NotAccepted: more than ``most``, or what ``clean_sentence`` refuses.
    """
    if len(texts) > most:
        raise NotAccepted(f"Up to {most} sentences are taken at once; these are {len(texts)}.")
    return [clean_sentence(text, longest) for text in texts]


def pieces_of(model: Any, sentence: str) -> list[tuple[str, bool]]:
    """Words of a sentence, or parts of them, as a model takes them, and whether it was trained with each word."""
    return [(str(piece), bool(known)) for piece, known in model.text.pieces(sentence)]


def unknown_words(model: Any, sentence: str) -> list[str]:
    """Words that a model was not trained with, each once, marks such as full stops left out.

    Parts of a word that follow another begin with ##.
    """
    words: list[str] = []
    joined = False
    for piece, known in pieces_of(model, sentence):
        if piece.startswith("##") and joined:
            words[-1] += piece.removeprefix("##")
        elif not known:
            words.append(piece)
        joined = not known
    return [word for word in dict.fromkeys(words) if any(character.isalnum() for character in word)]
