"""Drawing quadruples: two scenes and two statements of one kind, each true of one scene and false of the other.

Each statement is told of both scenes, and each scene gets both statements: whatever looks at words alone, or at
pictures alone, is right exactly half of the time. Everything is drawn from ``random.Random``, whose numbers are the
same on every platform.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from routescope.data.statements.grammar import KINDS, RELATIONS, TEMPLATES, Statement, say
from routescope.data.statements.meanings import (
    FEW,
    MANY,
    NUMBERS,
    CountComparison,
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
    related,
    some,
    spoken_of,
)
from routescope.data.statements.scenes import COLOURS, RADII, SHAPES, SIZES, Scene, Thing

#: Every generated picture holds so many things; more where things are counted.
FEWEST, MOST = 2, 5

#: Generated statements name no larger number.
LARGEST_NUMBER = 6

#: Middles of generated things lie on a grid of so many places along a side: halves of the usual picture's pixels.
_GRID = 96
#: Clear space between things and to the edges, in steps of the grid.
_GAP, _EDGE = 2, 1
_RADII = {size: round(radius * _GRID) for size, radius in RADII.items()}

_COLOURS = tuple(COLOURS)
_SCOPES: tuple[Scope, ...] = ("both", "both", "both", "both", "left", "right")
_FORMS = {
    "soft cardinality": ("many", "many", "few", "few", "more", "more", "fewer", "most"),
    "existential (singular)": ("one",) * 5 + ("no one",),
    "existential (plural)": ("any",) * 5 + ("none",),
    "existential (adjective)": ("one",) * 5 + ("no one",),
}
#: The numbers that generated statements name; one, which is easy to find, less often.
_NUMBERS = (1, *(number for number in range(2, LARGEST_NUMBER + 1) for _ in range(2)))
_PROPOSALS = 12


@dataclass(frozen=True, slots=True)
class Quadruple:
    """``first`` is true of ``scenes[0]`` and false of ``scenes[1]``; ``second`` the other way round."""

    scenes: tuple[Scene, Scene]
    first: Statement
    second: Statement


def draw_quadruple(random: Random, kind: str) -> Quadruple:
    """Two scenes with a theme in common and two statements of ``kind`` (one of ``KINDS``), all four clear."""
    while True:
        theme = _Theme(random, kind)
        scenes = theme.scene(random), theme.scene(random)
        first = _statement(random, kind, *scenes)
        if first is None:
            continue
        second = _statement(random, kind, scenes[1], scenes[0])
        if second is not None and second.text != first.text:
            return Quadruple(scenes, first, second)


class _Theme:
    """The things that recur in both scenes of a quadruple, so that counts and positions decide a statement."""

    def __init__(self, random: Random, kind: str) -> None:
        shapes, colours = random.sample(SHAPES, 3), random.sample(_COLOURS, 3)
        self.pool = random.sample([(shape, colour) for shape in shapes for colour in colours], 5)
        self.spatial = kind == "spatial relationship"
        self.counting = kind.endswith("cardinality")
        self.fewest, self.most = (3, MOST) if self.counting else (FEWEST, MOST - self.spatial)
        self.favourites = (2, 3, 4) if self.spatial else (1, 2, 2, 3)

    def scene(self, random: Random) -> Scene:
        favourites = random.sample(self.pool, random.choice(self.favourites))
        return Scene((self._picture(random, favourites), self._picture(random, favourites)))

    def _picture(self, random: Random, favourites: Sequence[tuple[str, str]]) -> tuple[Thing, ...]:
        while True:
            count = random.randint(self.fewest, self.most)
            places = _places(random, [random.choice(SIZES) for _ in range(count)])
            if places is not None:
                return tuple(self._thing(random, favourites, *place) for place in places)

    def _thing(self, random: Random, favourites: Sequence[tuple[str, str]], size: str, x: float, y: float) -> Thing:
        chance = random.random()
        if chance < 0.75:
            shape, colour = random.choice(favourites)
        elif chance < 0.93:
            shape, colour = random.choice(self.pool)
        else:
            shape, colour = random.choice(SHAPES), random.choice(_COLOURS)
        return Thing(shape, colour, size, x, y)


def _places(random: Random, sizes: Sequence[str]) -> list[tuple[str, float, float]] | None:
    """Size and middle of things that do not touch; None where chance finds no room for one."""
    found: list[tuple[int, int, int]] = []
    for size in sizes:
        radius = _RADII[size]
        low, high = radius + _EDGE, _GRID - radius - _EDGE
        for _ in range(20):
            x, y = random.randint(low, high), random.randint(low, high)
            if all(max(abs(x - x2), abs(y - y2)) >= radius + r2 + _GAP for x2, y2, r2 in found):
                found.append((x, y, radius))
                break
        else:
            return None
    return [(size, round(x / _GRID, 4), round(y / _GRID, 4)) for size, (x, y, _) in zip(sizes, found, strict=True)]


def _statement(random: Random, kind: str, scene: Scene, other: Scene) -> Statement | None:
    """A statement of ``kind`` that is clearly true of ``scene``, clearly false of ``other``; None if none is found."""
    scope = random.choice(_SCOPES)  # once: else statements of one picture, which are true more often, would prevail
    for _ in range(_PROPOSALS):
        form, meaning = _PROPOSE[kind](random, scope, scene, other)
        if (
            meaning is not None
            and meaning.holds(scene)
            and not meaning.holds(other)
            and meaning.clear(scene)
            and meaning.clear(other)
        ):
            return Statement(_say(random, form, meaning), kind, meaning)
    return None


def _say(random: Random, form: str, meaning: Meaning) -> str:
    relation = random.choice(RELATIONS[meaning.relation]) if isinstance(meaning, Related) else ""
    number = ""
    if form == "exactly" and not isinstance(meaning, CountComparison | MostOf | Related):
        number = random.choice((NUMBERS[meaning.least - 1], str(meaning.least)))
    return say(random.choice(TEMPLATES[form]), meaning, relation, number)


Proposal = tuple[str, Meaning | None]


def _things(scene: Scene, scope: Scope) -> list[Thing]:
    return [thing for things in spoken_of(scene, scope) for thing in things]


def _counted_phrase(random: Random, thing: Thing) -> Phrase:
    chance = random.random()
    if chance < 0.42:
        return Phrase(shape=thing.shape)
    if chance < 0.72:
        return Phrase(colour=thing.colour, shape=thing.shape)
    if chance < 0.88:
        return Phrase(colour=thing.colour)
    return Phrase(size=thing.size, shape=thing.shape) if chance < 0.95 else Phrase()


def _adjective_phrase(random: Random, thing: Thing) -> Phrase:
    chance = random.random()
    if chance < 0.65:
        return Phrase(colour=thing.colour, shape=thing.shape)
    if chance < 0.8:
        return Phrase(colour=thing.colour)
    return Phrase(thing.size, thing.colour if chance < 0.9 else None, thing.shape)


def _hard(random: Random, scope: Scope, scene: Scene, other: Scene) -> Proposal:
    number = random.choice(_NUMBERS)  # first the number, so that large ones are not rare
    things = _things(scene, scope)
    phrases = [_counted_phrase(random, thing) for thing in things]
    fitting = [phrase for phrase in phrases if sum(map(phrase.fits, things)) == number]
    return "exactly", exactly(random.choice(fitting), number, scope) if fitting else None


def _soft(random: Random, scope: Scope, scene: Scene, other: Scene) -> Proposal:
    form = random.choice(_FORMS["soft cardinality"])
    things = _things(scene, scope)
    if form in ("many", "few"):
        said = Counter(_counted_phrase(random, thing) for thing in things)
        fitting = [
            phrase
            for phrase in said
            if (sum(map(phrase.fits, things)) >= MANY if form == "many" else said[phrase] <= FEW)
        ]
        return form, (many if form == "many" else few)(random.choice(fitting), scope) if fitting else None
    if form == "most":
        colour = random.choice(things).colour
        shape = random.choice([thing.shape for thing in things if thing.colour == colour])
        return form, MostOf(Phrase(shape=random.choice((shape, None))), colour, scope)
    first, second = (_counted_phrase(random, random.choice(things)) for _ in range(2))
    return form, CountComparison(first, second, scope, fewer=form == "fewer") if _apart(first, second) else None


def _apart(first: Phrase, second: Phrase) -> bool:
    """Return whether two phrases name different shapes, or the same shape in different colours."""
    if first.shape != second.shape:
        return bool(first.shape and second.shape)
    return bool(first.colour and second.colour and first.colour != second.colour)


def _exists(phrase_of: Callable[[Random, Thing], Phrase], plural: bool, kind: str) -> Callable[..., Proposal]:
    says_there_is, says_there_is_none = (some, none) if plural else (one, no_one)

    def propose(random: Random, scope: Scope, scene: Scene, other: Scene) -> Proposal:
        form = random.choice(_FORMS[kind])
        lacks = form in ("none", "no one")
        phrase = phrase_of(random, random.choice(_things(other if lacks else scene, scope)))
        return form, (says_there_is_none if lacks else says_there_is)(phrase, scope)

    return propose


def _shape(random: Random, thing: Thing) -> Phrase:
    return Phrase(shape=thing.shape)


def _spatial(random: Random, scope: Scope, scene: Scene, other: Scene) -> Proposal:
    things = random.choice(spoken_of(scene, scope))
    one_thing, second_thing = random.sample(things, 2)
    relations = [relation for relation in RELATIONS if related(relation, one_thing, second_thing) == (True, True)]
    first, second = _named(random, one_thing), _named(random, second_thing)
    if not relations or first == second:
        return "related", None
    meaning = Related(first, random.choice(relations), second, scope)
    # one proposal in five may be false for want of such things; of the statements that come of it, about three in five
    if random.random() < 0.8 and next(meaning.pairs(other), None) is None:
        return "related", None
    return "related", meaning


def _named(random: Random, thing: Thing) -> Phrase:
    chance = random.random()
    if chance < 0.5:
        return Phrase(shape=thing.shape)
    return Phrase(colour=thing.colour, shape=thing.shape if chance < 0.85 else None)


_PROPOSE: dict[str, Callable[[Random, Scope, Scene, Scene], Proposal]] = {
    "hard cardinality": _hard,
    "soft cardinality": _soft,
    "existential (singular)": _exists(_shape, False, "existential (singular)"),
    "existential (plural)": _exists(_shape, True, "existential (plural)"),
    "existential (adjective)": _exists(_adjective_phrase, False, "existential (adjective)"),
    "spatial relationship": _spatial,
}
assert tuple(_PROPOSE) == KINDS
