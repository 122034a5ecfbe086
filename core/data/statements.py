"""Statements about a scene, and what makes each of them true.

A statement belongs to one of the six kinds of reasoning of Weiss et al. 2022, "Neural Attentive Circuits", Appendix H.
Its truth is computed from the scene's structure, never from its pictures. Some scenes leave it in doubt (a square a
little higher than a circle: is it above?); ``holds`` answers then too, and ``clear`` says that people might not agree.
Generated statements are clear of the scenes that they are told of.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from core.data.scenes import Scene, Thing

#: Kinds of reasoning, in the paper's order and words.
KINDS = (
    "hard cardinality",
    "soft cardinality",
    "existential (singular)",
    "existential (plural)",
    "existential (adjective)",
    "spatial relationship",
)

#: ``both``: the things of all pictures together.
Scope = Literal["both", "left", "right"]

NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

#: From so many on it is many; up to so many it is few.
MANY, FEW = 4, 2

#: Ways to say each relation of one thing to another in the same picture; what is generated uses all of them.
RELATIONS: dict[str, tuple[str, ...]] = {
    "left of": ("to the left of", "left of"),
    "right of": ("to the right of", "right of"),
    "above": ("above",),
    "under": ("under", "below"),
    "next to": ("next to", "near"),
    "far away from": ("far away from",),
}

#: Shares of a picture's side: a thing is above another if its middle is higher by so much; clearly, by a little more
#: and not much further to the side than upwards. Likewise for the other directions.
DIRECTION, CLEAR_DIRECTION, CLEARLY_NOT_DIRECTION, STEEP = 0.1, 0.145, 0.045, 0.6
#: Middles so far apart or less are next to each other; so far or more, far away from each other.
NEAR, CLEARLY_NEAR, CLEARLY_NOT_NEAR = 0.415, 0.385, 0.485
FAR, CLEARLY_FAR, CLEARLY_NOT_FAR = 0.555, 0.605, 0.485


@dataclass(frozen=True, slots=True)
class Phrase:
    """What a noun phrase says of a thing: None where it says nothing; a shape of None is "object"."""

    size: str | None = None
    colour: str | None = None
    shape: str | None = None

    def fits(self, thing: Thing) -> bool:
        return (
            (self.shape is None or self.shape == thing.shape)
            and (self.colour is None or self.colour == thing.colour)
            and (self.size is None or self.size == thing.size)
        )

    @property
    def singular(self) -> str:
        return " ".join(word for word in (self.size, self.colour, self.shape or "object") if word)

    @property
    def plural(self) -> str:
        return f"{self.singular}es" if self.shape == "cross" else f"{self.singular}s"

    @property
    def one(self) -> str:
        """With its article: "a red star", "an object"."""
        return with_article(self.singular)


def with_article(noun: str) -> str:
    """``noun`` with "a" before it, "an" before a written vowel."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def spoken_of(scene: Scene, scope: Scope) -> tuple[tuple[Thing, ...], ...]:
    """The pictures that a scope means; none where the scene has no such picture."""
    if scope == "both":
        return scene.pictures
    return scene.pictures[:1] if scope == "left" else scene.pictures[1:2]


def count(scene: Scene, phrase: Phrase, scope: Scope) -> int:
    """How many things fit a phrase."""
    return sum(phrase.fits(thing) for things in spoken_of(scene, scope) for thing in things)


@dataclass(frozen=True, slots=True)
class Counted:
    """So many things fit ``phrase``: ``least`` to ``most`` (None: any number), doubtful at the numbers ``doubt``."""

    phrase: Phrase
    scope: Scope
    least: int
    most: int | None
    doubt: tuple[int, ...] = ()

    def holds(self, scene: Scene) -> bool:
        number = count(scene, self.phrase, self.scope)
        return self.least <= number and (self.most is None or number <= self.most)

    def clear(self, scene: Scene) -> bool:
        return not self.doubt or count(scene, self.phrase, self.scope) not in self.doubt


@dataclass(frozen=True, slots=True)
class Compared:
    """More things fit ``first`` than ``second``, or fewer."""

    first: Phrase
    second: Phrase
    scope: Scope
    fewer: bool = False

    def holds(self, scene: Scene) -> bool:
        first, second = count(scene, self.first, self.scope), count(scene, self.second, self.scope)
        return first < second if self.fewer else first > second

    def clear(self, scene: Scene) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class MostOf:
    """More than half of what fits ``phrase`` has ``colour``; clear of three things or more, two thirds or one third."""

    phrase: Phrase
    colour: str
    scope: Scope

    def _numbers(self, scene: Scene) -> tuple[int, int]:
        part = Phrase(self.phrase.size, self.colour, self.phrase.shape)
        return count(scene, part, self.scope), count(scene, self.phrase, self.scope)

    def holds(self, scene: Scene) -> bool:
        part, whole = self._numbers(scene)
        return 2 * part > whole

    def clear(self, scene: Scene) -> bool:
        part, whole = self._numbers(scene)
        return whole >= 3 and (3 * part >= 2 * whole or 3 * part <= whole)


@dataclass(frozen=True, slots=True)
class Related:
    """Somewhere a thing that fits ``first`` is in ``relation`` to another of its picture that fits ``second``."""

    first: Phrase
    relation: str
    second: Phrase
    scope: Scope

    def pairs(self, scene: Scene) -> Iterator[tuple[Thing, Thing]]:
        """All two things of a picture that fit the two phrases."""
        for things in spoken_of(scene, self.scope):
            seconds = [j for j, thing in enumerate(things) if self.second.fits(thing)]
            if seconds:
                for i, thing in enumerate(things):
                    if self.first.fits(thing):
                        yield from ((thing, things[j]) for j in seconds if j != i)

    def holds(self, scene: Scene) -> bool:
        return any(related(self.relation, one, other)[0] for one, other in self.pairs(scene))

    def clear(self, scene: Scene) -> bool:
        found = [related(self.relation, one, other) for one, other in self.pairs(scene)]
        return any(holds and clear for holds, clear in found) or all(clear and not holds for holds, clear in found)


def related(relation: str, one: Thing, other: Thing) -> tuple[bool, bool]:
    """Whether one thing is so related to another of its picture, and whether that is clear."""
    right, down = one.x - other.x, one.y - other.y
    if relation in ("next to", "far away from"):
        square = right * right + down * down
        if relation == "next to":
            return square <= NEAR**2, square <= CLEARLY_NEAR**2 or square >= CLEARLY_NOT_NEAR**2
        return square >= FAR**2, square >= CLEARLY_FAR**2 or square <= CLEARLY_NOT_FAR**2
    along, aside = {
        "left of": (-right, down), "right of": (right, down), "above": (-down, right), "under": (down, right)
    }[relation]  # fmt: skip
    clearly = along >= CLEAR_DIRECTION and along >= STEEP * abs(aside)
    return along >= DIRECTION, clearly or along <= CLEARLY_NOT_DIRECTION


Meaning = Counted | Compared | MostOf | Related


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


#: How each form of statement is said. {A}, {As}, {an A}: the noun phrase in the singular, plural, with its article;
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
    """A sentence of a template.

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
    """In the order of their naming, the first one twice where there is one; and the colour that most have."""
    if isinstance(meaning, Related | Compared):
        return meaning.first, meaning.second, ""
    return meaning.phrase, meaning.phrase, meaning.colour if isinstance(meaning, MostOf) else ""


def exactly(phrase: Phrase, number: int, scope: Scope) -> Counted:
    return Counted(phrase, scope, number, number)


def many(phrase: Phrase, scope: Scope) -> Counted:
    return Counted(phrase, scope, MANY, None, tuple(range(FEW + 1, MANY)))


def few(phrase: Phrase, scope: Scope) -> Counted:
    """One or two; whether none is few, or three, is in doubt."""
    return Counted(phrase, scope, 1, FEW, (0, *range(FEW + 1, MANY)))


def one(phrase: Phrase, scope: Scope) -> Counted:
    return Counted(phrase, scope, 1, None)


def some(phrase: Phrase, scope: Scope) -> Counted:
    """One or more; said in the plural of a single thing it is in doubt."""
    return Counted(phrase, scope, 1, None, (1,))


def no_one(phrase: Phrase, scope: Scope) -> Counted:
    return Counted(phrase, scope, 0, 0)


def none(phrase: Phrase, scope: Scope) -> Counted:
    return Counted(phrase, scope, 0, 0)


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
