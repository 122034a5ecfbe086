"""Sets of simple sentences of each kind of reasoning: Weiss et al. 2022, "Neural Attentive Circuits", Appendix H.

Every combination of a template's words is a sentence. The paper prints six templates; they are filled as printed, with
these readings: nouns are in the plural after a number, "many" and "any"; "a" is "an" before a vowel; ``pink``, which is
printed twice, counts once; nouns are the paper's animals and objects together.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pandas as pd

from routescope.data.samples import DataError
from routescope.data.statements.grammar import KINDS, RELATIONS
from routescope.data.statements.meanings import with_article
from routescope.data.statements.scenes import COLOURS, SHAPES

INTEGERS = ("two", "three", "four", "five", "six", "2", "3", "4", "5", "6")
ANIMALS = ("cat", "dog", "mouse", "cheetah", "stingray", "jellyfish", "guinea pig", "marmot", "chimp", "gorilla")
OBJECTS = ("boat", "flute", "door", "laptop", "ball", "machine", "paper towel")
PAPER_COLOURS = (
    "blue", "black", "red", "green", "yellow", "purple", "orange", "white", "teal", "beige", "pink", "gray",
)  # fmt: skip
SPATIAL_RELATIONSHIPS = (
    "near", "far away from", "next to", "on top of", "under", "behind", "on", "by", "above", "in front of",
)  # fmt: skip

_PLURALS = {"mouse": "mice", "jellyfish": "jellyfish", "cross": "crosses"}


@dataclass(frozen=True)
class SentenceSet:
    """The words of a set of sentences.

    Attributes:
        title: what people read.
        second_article: whether the second noun of a spatial relationship has an article; the paper prints none.
    """

    title: str
    numbers: tuple[str, ...]
    objects: tuple[str, ...]
    colours: tuple[str, ...]
    relations: tuple[str, ...]
    second_article: bool


SENTENCE_SETS: dict[str, SentenceSet] = {
    "appendix-h": SentenceSet(
        title="Appendix H: animals and objects, as printed",
        numbers=INTEGERS,
        objects=ANIMALS + OBJECTS,
        colours=PAPER_COLOURS,
        relations=SPATIAL_RELATIONSHIPS,
        second_article=False,
    ),
    "scenes": SentenceSet(
        title="Appendix H's templates with the words of the generated scenes",
        numbers=INTEGERS,
        objects=SHAPES,
        colours=tuple(COLOURS),
        relations=tuple(way for ways in RELATIONS.values() for way in ways),
        second_article=True,
    ),
}

COLUMNS = ("text", "kind", "object", "colour", "number", "relation")


def plural(noun: str) -> str:
    """Return the plural of a noun of these sets."""
    return _PLURALS.get(noun, f"{noun}s")


def sentences(name: str) -> pd.DataFrame:
    """Return all sentences of a set, kind by kind.

    Returns:
        Columns ``text``, ``kind`` (of ``KINDS``), ``object`` (the first noun, in the singular), and ``colour``,
        ``number`` and ``relation`` as written, None where a sentence has none.

    Raises:
        DataError: no such set; it says which there are.
    """
    if name not in SENTENCE_SETS:
        raise DataError(f"there is no set of sentences {name!r}; there are {', '.join(SENTENCE_SETS)}")
    return _sentences(name).copy()


@cache
def _sentences(name: str) -> pd.DataFrame:
    return pd.DataFrame(list(_rows(SENTENCE_SETS[name])), columns=list(COLUMNS), dtype=object)


def _rows(words: SentenceSet) -> Iterator[tuple[str, str, str, str | None, str | None, str | None]]:
    hard, soft, singular, any_of, adjective, spatial = KINDS
    for noun in words.objects:
        for number in words.numbers:
            yield f"There are exactly {number} {plural(noun)}", hard, noun, None, number, None
    for noun in words.objects:
        yield f"There are many {plural(noun)}", soft, noun, None, None, None
    for noun in words.objects:
        yield f"There is {with_article(noun)}", singular, noun, None, None, None
    for noun in words.objects:
        yield f"There are any {plural(noun)}", any_of, noun, None, None, None
    for noun in words.objects:
        for colour in words.colours:
            yield f"There is {with_article(f'{colour} {noun}')}", adjective, noun, colour, None, None
    for noun in words.objects:
        for relation in words.relations:
            for other in words.objects:
                second = with_article(other) if words.second_article else other
                yield f"There is {with_article(noun)} {relation} {second}", spatial, noun, None, None, relation
