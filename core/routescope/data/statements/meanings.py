"""Meanings of statements about a scene: counts, comparisons and places, and whether they hold."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from routescope.data.statements.scenes import Scene, Thing

#: ``both``: the things of all pictures together.
Scope = Literal["both", "left", "right"]

NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

#: The least number that is many, and the most that is few.
MANY, FEW = 4, 2

#: Shares of a picture's side: a thing is above another if its middle is higher by so much; clearly, by a little more
#: and not much further to the side than upwards. Likewise for the other directions.
DIRECTION, CLEAR_DIRECTION, CLEARLY_NOT_DIRECTION, STEEP = 0.1, 0.145, 0.045, 0.6
#: Middles so far apart or less are next to each other; so far or more, far away from each other.
NEAR, CLEARLY_NEAR, CLEARLY_NOT_NEAR = 0.415, 0.385, 0.485
FAR, CLEARLY_FAR, CLEARLY_NOT_FAR = 0.555, 0.605, 0.485


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase: size, colour and shape of a thing; None says nothing, and a shape of None is "object"."""

    size: str | None = None
    colour: str | None = None
    shape: str | None = None

    def fits(self, thing: Thing) -> bool:
        """Return whether a thing fits the phrase."""
        return (
            (self.shape is None or self.shape == thing.shape)
            and (self.colour is None or self.colour == thing.colour)
            and (self.size is None or self.size == thing.size)
        )

    @property
    def singular(self) -> str:
        """The noun for one thing: "red star", "object"."""
        return " ".join(word for word in (self.size, self.colour, self.shape or "object") if word)

    @property
    def plural(self) -> str:
        """The noun for several things: "red stars", "crosses"."""
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
    """Return how many things fit a phrase."""
    return sum(phrase.fits(thing) for things in spoken_of(scene, scope) for thing in things)


@dataclass(frozen=True, slots=True)
class Counted:
    """The count of things that fit ``phrase``: ``least`` to ``most`` (None: any), doubtful at the numbers ``doubt``."""

    phrase: Phrase
    scope: Scope
    least: int
    most: int | None
    doubt: tuple[int, ...] = ()

    def holds(self, scene: Scene) -> bool:
        """Return whether the meaning is true of a scene."""
        number = count(scene, self.phrase, self.scope)
        return self.least <= number and (self.most is None or number <= self.most)

    def clear(self, scene: Scene) -> bool:
        """Return whether people would agree on the truth of the meaning."""
        return not self.doubt or count(scene, self.phrase, self.scope) not in self.doubt


@dataclass(frozen=True, slots=True)
class CountComparison:
    """More things fit ``first`` than ``second``, or fewer."""

    first: Phrase
    second: Phrase
    scope: Scope
    fewer: bool = False

    def holds(self, scene: Scene) -> bool:
        """Return whether the meaning is true of a scene."""
        first, second = count(scene, self.first, self.scope), count(scene, self.second, self.scope)
        return first < second if self.fewer else first > second

    def clear(self, scene: Scene) -> bool:
        """Return whether people would agree on the truth of the meaning."""
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
        """Return whether the meaning is true of a scene."""
        part, whole = self._numbers(scene)
        return 2 * part > whole

    def clear(self, scene: Scene) -> bool:
        """Return whether people would agree on the truth of the meaning."""
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
        """Return all pairs of things of a picture that fit the two phrases."""
        for things in spoken_of(scene, self.scope):
            seconds = [j for j, thing in enumerate(things) if self.second.fits(thing)]
            if seconds:
                for i, thing in enumerate(things):
                    if self.first.fits(thing):
                        yield from ((thing, things[j]) for j in seconds if j != i)

    def holds(self, scene: Scene) -> bool:
        """Return whether the meaning is true of a scene."""
        return any(related(self.relation, one, other)[0] for one, other in self.pairs(scene))

    def clear(self, scene: Scene) -> bool:
        """Return whether people would agree on the truth of the meaning."""
        found = [related(self.relation, one, other) for one, other in self.pairs(scene)]
        return any(holds and clear for holds, clear in found) or all(clear and not holds for holds, clear in found)


def related(relation: str, one: Thing, other: Thing) -> tuple[bool, bool]:
    """Return whether a thing is in a relation to another of its picture, and whether that is clear."""
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


Meaning = Counted | CountComparison | MostOf | Related


def exactly(phrase: Phrase, number: int, scope: Scope) -> Counted:
    """Return the meaning "exactly ``number``"."""
    return Counted(phrase, scope, number, number)


def many(phrase: Phrase, scope: Scope) -> Counted:
    """``MANY`` or more; between few and many it is in doubt."""
    return Counted(phrase, scope, MANY, None, tuple(range(FEW + 1, MANY)))


def few(phrase: Phrase, scope: Scope) -> Counted:
    """Return the count of "few": one or two; none and three are in doubt."""
    return Counted(phrase, scope, 1, FEW, (0, *range(FEW + 1, MANY)))


def one(phrase: Phrase, scope: Scope) -> Counted:
    """Return the count of a singular, "there is a star": one or more."""
    return Counted(phrase, scope, 1, None)


def some(phrase: Phrase, scope: Scope) -> Counted:
    """Return the count of "some": one or more; one alone is in doubt, as the noun is in the plural."""
    return Counted(phrase, scope, 1, None, (1,))


def no_one(phrase: Phrase, scope: Scope) -> Counted:
    """None at all, said of one: "there is no star"."""
    return Counted(phrase, scope, 0, 0)


def none(phrase: Phrase, scope: Scope) -> Counted:
    """None at all, said of several: "there are no stars"."""
    return Counted(phrase, scope, 0, 0)
