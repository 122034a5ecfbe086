"""Checks of typed sentences: NFC, one line, a bounded length."""

import re
import unicodedata
from collections.abc import Sequence

from routescope.nn.encoders.text import TextEncoder
from routescope.nn.network import Network, SentenceNetwork
from routescope_app.services.errors import NotAccepted

#: Unicode categories of refused characters: control, format, surrogate, private, unassigned, line separators.
REFUSED = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def clean_sentence(text: str, longest: int) -> str:
    """Return the sentence in NFC, single-spaced; raises NotAccepted for empty, long or invisible ones."""
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
    """Return all sentences as ``clean_sentence`` does; raises NotAccepted also for more than ``most``."""
    if len(texts) > most:
        raise NotAccepted(f"Up to {most} sentences are taken at once; these are {len(texts)}.")
    return [clean_sentence(text, longest) for text in texts]


def text_of(model: Network) -> TextEncoder:
    """Return the text encoder of a model; raises NotAccepted for a model without one."""
    if not isinstance(model, SentenceNetwork):
        raise NotAccepted("This model reads no sentences.")
    return model.text


def check_pieces(text: TextEncoder, sentences: Sequence[str]) -> None:
    """Raise NotAccepted for a sentence that is too long for a text encoder."""
    for sentence in sentences:
        if (count := text.count(sentence)) > text.most:
            raise NotAccepted(
                f"This model reads up to {text.most} pieces of a sentence, its start included; this sentence has "
                f"{count}; words that training did not see are spelled letter by letter."
            )


#: A word with its apostrophes.
WORD = re.compile(r"\w+(?:['\u2019]\w+)*")


def unknown_words(text: TextEncoder, sentence: str) -> list[str]:
    """Return the words of a sentence that a text encoder was not trained with, each once."""
    words = dict.fromkeys(WORD.findall(sentence))
    return [word for word in words if not all(is_known for _, is_known in text.pieces(word))]
