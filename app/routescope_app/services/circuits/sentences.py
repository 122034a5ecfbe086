"""Sentences that people type: in NFC, on one line, of a bounded length; refused with what would be accepted."""

import re
import unicodedata
from collections.abc import Sequence

from routescope.nn.encoders.text import TextEncoder
from routescope.nn.network import Network, SentenceNetwork
from routescope_app.services.errors import NotAccepted

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


def text_of(model: Network) -> TextEncoder:
    """What a model reads sentences with; raises NotAccepted for one that reads none."""
    if not isinstance(model, SentenceNetwork):
        raise NotAccepted("This model reads no sentences.")
    return model.text


def check_pieces(text: TextEncoder, sentences: Sequence[str]) -> None:
    """Raise NotAccepted for a sentence that a text encoder would not read to its end."""
    most = text.most
    for sentence in sentences:
        count = text.count(sentence)
        if count > most:
            raise NotAccepted(
                f"This model reads up to {most} pieces of a sentence, its start included; this sentence has {count}; "
                "words that training did not see are spelled letter by letter."
            )


#: A word, with the apostrophes in it.
WORD = re.compile(r"\w+(?:['\u2019]\w+)*")


def unknown_words(text: TextEncoder, sentence: str) -> list[str]:
    """Words of a sentence that a text encoder was not trained with, as they were typed, each once."""
    words = dict.fromkeys(WORD.findall(sentence))
    return [word for word in words if not all(known for _, known in text.pieces(word))]
