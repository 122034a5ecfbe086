"""The kind of reasoning of any English sentence about pictures, by simple rules of its words.

People wrote the sentences of NLVR and NLVR2 freely; nobody said of what kind they are. These rules guess it from words
alone, the first that fits: they are no annotation of the data, and whoever shows them says so.
"""

import re

from routescope.data.statements.grammar import KINDS
from routescope.data.statements.meanings import NUMBERS

OTHER = "other"

#: Kinds that a sentence of a real set may have.
GUESSED_KINDS = (*KINDS, OTHER)

HARD, SOFT, SINGULAR, PLURAL, ADJECTIVE, SPATIAL = KINDS

_COLOURS = (
    "red", "green", "blue", "yellow", "purple", "orange", "black", "white", "brown", "pink", "grey", "gray", "beige",
    "teal", "gold", "golden", "silver", "tan", "dark", "light", "colored", "coloured",
)  # fmt: skip

_PLACES = (
    "above", "below", "under", "underneath", "beneath", "over", "on top", "at the top", "at the bottom", "behind",
    "in front of", "next to", "near", "beside", "between", "touching", "touches", "close to", "closely", "far from",
    "far away", "left of", "right of", "to the left", "to the right", "base", "on a", "on the",
)  # fmt: skip
_AMOUNTS = ("many", "few", "several", "more", "most", "fewer", "less", "lots", "multiple", "majority", "same number")
_NUMBERS = ("exactly", "at least", "atleast", "at most", "atmost", "single", *NUMBERS[1:], *map(str, range(100)))

#: (kind, words or phrases of which one decides it), in the order of their trial.
RULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (HARD, _NUMBERS),
    (SOFT, _AMOUNTS),
    (SPATIAL, _PLACES),
    (ADJECTIVE, _COLOURS),
)

#: "One" is a number in "there is one tower" and "only one", and none in "one of the boxes" and "the dark one".
_ONE = re.compile(r"\b(?:is|are|only|contains?|shows?|has|have|and|with) one\b(?! of| or)|^one (?!of )")

_PATTERNS = tuple((kind, re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b")) for kind, words in RULES)
_PLURAL = re.compile(r"\b(?:there are|are there|any|some|all|no \w+s)\b")
_SINGULAR = re.compile(r"\b(?:there is|is there|a|an)\b")


def guessed_kind(sentence: str) -> str:
    """One of ``GUESSED_KINDS``: the first rule that a word of the sentence meets decides."""
    said = sentence.lower()
    for kind, pattern in _PATTERNS:
        if pattern.search(said) or (kind == HARD and _ONE.search(said)):
            return kind
    if _PLURAL.search(said):
        return PLURAL
    return SINGULAR if _SINGULAR.search(said) else OTHER
