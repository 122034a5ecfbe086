"""Statements about a scene, and their meanings.

A statement belongs to one of the six kinds of reasoning of Weiss et al. 2022, "Neural Attentive Circuits", Appendix H.
Its truth is computed from the scene's structure, never from its pictures. Some scenes leave it in doubt (a square a
little higher than a circle: is it above?); ``holds`` answers then too, and ``clear`` says that people might not agree.
Generated statements are clear of the scenes that they are told of.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from routescope.data.statements.meanings import (
    NUMBERS,
    CountComparison,
    Counted,
    Meaning,
    MostOf,
    Phrase,
    Related,
    Scope,
    exactly,
    few,
    many,
    no_one,
    none,
    one,
    some,
)
from routescope.data.statements.scenes import COLOURS, SHAPES, SIZES

#: Kinds of reasoning, in the paper's order and words.
KINDS = (
    "hard cardinality",
    "soft cardinality",
    "existential (singular)",
    "existential (plural)",
    "existential (adjective)",
    "spatial relationship",
)


#: Ways to say each relation of one thing to another in the same picture; what is generated uses all of them.
RELATIONS: dict[str, tuple[str, ...]] = {
    "left of": ("to the left of", "left of"),
    "right of": ("to the right of", "right of"),
    "above": ("above",),
    "under": ("under", "below"),
    "next to": ("next to", "near"),
    "far away from": ("far away from",),
}


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence about pictures.

    Attributes:
        text: as people read it.
        kind: one of ``KINDS``.
        meaning: ``meaning.holds(scene)`` says whether it is true, ``meaning.clear(scene)`` whether beyond doubt.
    """

    text: str
    kind: str
    meaning: Meaning


#: Templates of each form of statement. {A}, {As}, {an A}: the noun phrase in the singular, plural, with its article;
#: {nA} agrees with the number {n}; {B} likewise is the second one; {scope} is empty for both pictures.
TEMPLATES: dict[str, tuple[str, ...]] = {
    "exactly": (
        "There {are} exactly {n} {nA}{scope}",
        "Exactly {n} {nA} can be seen{scope}",
        "{shows} exactly {n} {nA}",
        "The number of {As}{scope} is {n}",
    ),
    "many": ("There are many {As}{scope}", "Many {As} can be seen{scope}", "{shows} many {As}"),
    "few": ("There are few {As}{scope}", "There are only a few {As}{scope}", "{shows} only a few {As}"),
    "more": ("There are more {As} than {Bs}{scope}", "{shows} more {As} than {Bs}"),
    "fewer": ("There are fewer {As} than {Bs}{scope}", "{shows} fewer {As} than {Bs}"),
    "most": ("Most {As}{scope} are {colour}", "Most of the {As}{scope} are {colour}"),
    "one": ("There is {an A}{scope}", "{an A} can be seen{scope}", "{shows} {an A}"),
    "no one": ("There is no {A}{scope}", "No {A} can be seen{scope}", "{shows} no {A}"),
    "any": (
        "There are any {As}{scope}",
        "There are {As}{scope}",
        "There are some {As}{scope}",
        "Some {As} can be seen{scope}",
        "{shows} some {As}",
    ),
    "none": ("There are no {As}{scope}", "No {As} can be seen{scope}", "{shows} no {As}"),
    "related": (
        "There is {an A} {relation} {an B}{scope}",
        "{an A} is {relation} {an B}{scope}",
        "{shows} {an A} {relation} {an B}",
    ),
}

_IN = {"both": "", "left": " in the left picture", "right": " in the right picture"}
_SHOWS = {"both": "The pictures show", "left": "The left picture shows", "right": "The right picture shows"}


def say(template: str, meaning: Meaning, relation: str = "", number: str = "") -> str:
    """Return a sentence of a template.

    Args:
        template: one of those of a form that can say ``meaning``.
        relation: one of the ways to say the relation.
        number: the word or the digits.
    """
    first, second, colour = _phrases(meaning)
    single = isinstance(meaning, Counted) and meaning.most == 1
    words = {
        "A": first.singular, "As": first.plural, "an A": first.one, "nA": first.singular if single else first.plural,
        "Bs": second.plural, "an B": second.one, "are": "is" if single else "are", "n": number, "colour": colour,
        "relation": relation, "scope": _IN[meaning.scope], "shows": _SHOWS[meaning.scope],
    }  # fmt: skip
    text = template
    for slot in _slots(template):
        text = text.replace(f"{{{slot}}}", words[slot])
    return text[0].upper() + text[1:]


@cache
def _slots(template: str) -> tuple[str, ...]:
    return tuple(re.findall(r"{([^}]*)}", template))


def _phrases(meaning: Meaning) -> tuple[Phrase, Phrase, str]:
    """Return the phrases in the order of their naming, a single phrase twice; and the colour that most have."""
    if isinstance(meaning, Related | CountComparison):
        return meaning.first, meaning.second, ""
    return meaning.phrase, meaning.phrase, meaning.colour if isinstance(meaning, MostOf) else ""


def kind_of(form: str, phrases: Sequence[Phrase]) -> str:
    """The kind of reasoning of a form of statement about such phrases."""
    if form == "related":
        return "spatial relationship"
    if form == "exactly":
        return "hard cardinality"
    if form in ("many", "few", "more", "fewer", "most"):
        return "soft cardinality"
    if form in ("any", "none"):
        return "existential (plural)"
    return "existential (adjective)" if phrases[0].size or phrases[0].colour else "existential (singular)"


#: The longest statement.
MOST_CHARACTERS = 300


def meanings_of(text: str) -> Meaning | None:
    """Return the meaning of a sentence; None for sentences that the grammar cannot say.

    Upper and lower case, further spaces and a full stop at the end make no difference.
    """
    if len(text) > MOST_CHARACTERS:
        return None
    sentence = " ".join(text.lower().split()).rstrip(".").rstrip()
    for form, pattern in _patterns():
        match = pattern.fullmatch(sentence)
        if match is not None:
            return _MEANINGS[form](_Said(match.groupdict()))
    return None


class _Said:
    """The words that stand in a sentence's slots."""

    def __init__(self, words: dict[str, str | None]) -> None:
        self.words = words

    @property
    def scope(self) -> Scope:
        place = self.words.get("place") or ""
        return "left" if "left" in place else "right" if "right" in place else "both"

    def phrase(self, name: str = "A") -> Phrase:
        size, colour, shape = (self.words[f"{name}_{part}"] for part in ("size", "colour", "shape"))
        singular = {Phrase(shape=shape).plural: shape for shape in SHAPES}
        shape = singular.get(shape or "", shape)
        return Phrase(size, colour, shape if shape in SHAPES else None)

    @property
    def number(self) -> int:
        word = self.words["number"] or ""
        return NUMBERS.index(word) + 1 if word in NUMBERS else int(word)

    @property
    def relation(self) -> str:
        return next(relation for relation, ways in RELATIONS.items() if self.words["relation"] in ways)


_MEANINGS: dict[str, Callable[[_Said], Meaning]] = {
    "exactly": lambda said: exactly(said.phrase(), said.number, said.scope),
    "many": lambda said: many(said.phrase(), said.scope),
    "few": lambda said: few(said.phrase(), said.scope),
    "more": lambda said: CountComparison(said.phrase(), said.phrase("B"), said.scope),
    "fewer": lambda said: CountComparison(said.phrase(), said.phrase("B"), said.scope, fewer=True),
    "most": lambda said: MostOf(said.phrase(), said.words["colour"] or "", said.scope),
    "one": lambda said: one(said.phrase(), said.scope),
    "no one": lambda said: no_one(said.phrase(), said.scope),
    "any": lambda said: some(said.phrase(), said.scope),
    "none": lambda said: none(said.phrase(), said.scope),
    "related": lambda said: Related(said.phrase(), said.relation, said.phrase("B"), said.scope),
}


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """A pattern of each template, all that may stand in its slots included."""

    def any_of(words: Sequence[str]) -> str:
        return "|".join(sorted(words, key=len, reverse=True))

    def phrase(name: str, nouns: Sequence[str]) -> str:
        adjectives = (f"(?:(?P<{name}_{part}>{any_of(words)}) )?" for part, words in adjective_words)
        return f"{''.join(adjectives)}(?P<{name}_shape>{any_of(nouns)})"

    adjective_words = (("size", SIZES), ("colour", tuple(COLOURS)))
    singular = [Phrase(shape=shape).singular for shape in (*SHAPES, None)]
    plural = [Phrase(shape=shape).plural for shape in (*SHAPES, None)]
    ways = [way for choices in RELATIONS.values() for way in choices]
    slots = {
        "are": "(?:is|are)",
        "n": rf"(?P<number>{any_of(NUMBERS)}|\d{{1,3}})",
        "nA": phrase("A", singular + plural),
        "colour": f"(?P<colour>{any_of(tuple(COLOURS))})",
        "relation": f"(?P<relation>{any_of(ways)})",
        "scope": f"(?P<place>{any_of(tuple(_IN.values()))})",
        "shows": f"(?P<place>{any_of([shows.lower() for shows in _SHOWS.values()])})",
    }
    for name in "AB":
        slots |= {name: phrase(name, singular), f"{name}s": phrase(name, plural)}
        slots[f"an {name}"] = f"an? {slots[name]}"
    patterns = []
    for form, templates in TEMPLATES.items():
        for template in templates:
            pattern = re.sub(r"{([^}]*)}", lambda slot: slots[slot[1]], template[0].lower() + template[1:])
            patterns.append((form, re.compile(pattern)))
    return tuple(patterns)
