"""Lessons: easier quadruples for the first steps of a training.

A lesson says that there is a thing of a colour, of a shape, or of both. Networks that start on statements of all kinds
at once find nothing in them for thousands of steps: words alone and pictures alone say nothing.
"""

from collections.abc import Callable, Sequence
from random import Random

from routescope.data.statements.draws import Quadruple
from routescope.data.statements.grammar import TEMPLATES, Statement, say
from routescope.data.statements.meanings import Phrase, one
from routescope.data.statements.scenes import COLOURS, SHAPES, SIZES, Scene, Thing

#: What is asked for, lesson by lesson, and the kind of such statements.
LESSONS = {
    "colour": "existential (adjective)",
    "shape": "existential (singular)",
    "colour and shape": "existential (adjective)",
}

#: Middles of the nine places of a picture, as shares of its side, and how far from them a thing may lie.
_PLACES, _AWAY = (0.2, 0.5, 0.8), 0.04
_FEWEST, _MOST = 2, 6

_Kind = tuple[str, str]
_KINDS: tuple[_Kind, ...] = tuple((shape, colour) for shape in SHAPES for colour in COLOURS)


def draw_lesson(random: Random, lesson: str) -> Quadruple:
    """Two scenes and two statements of a lesson (one of ``LESSONS``), each true of its own scene alone."""
    asked = _asked(random, lesson)
    fits: list[Callable[[_Kind], bool]] = [_fitting(phrase) for phrase in asked]
    scenes = tuple(_scene(random, fits[own], fits[1 - own]) for own in (0, 1))
    template = random.choice(TEMPLATES["one"])
    first, second = (
        Statement(say(template, one(phrase, "both")), LESSONS[lesson], one(phrase, "both")) for phrase in asked
    )
    return Quadruple((scenes[0], scenes[1]), first, second)


def _asked(random: Random, lesson: str) -> list[Phrase]:
    if lesson == "colour":
        return [Phrase(colour=colour) for colour in random.sample(tuple(COLOURS), 2)]
    if lesson == "shape":
        return [Phrase(shape=shape) for shape in random.sample(tuple(SHAPES), 2)]
    return [Phrase(colour=colour, shape=shape) for shape, colour in random.sample(_KINDS, 2)]


def _fitting(phrase: Phrase) -> Callable[[_Kind], bool]:
    return lambda kind: phrase.shape in (None, kind[0]) and phrase.colour in (None, kind[1])


def _scene(random: Random, has: Callable[[_Kind], bool], lacks: Callable[[_Kind], bool]) -> Scene:
    allowed = [kind for kind in _KINDS if not lacks(kind)]
    kinds = [random.choice([kind for kind in allowed if has(kind)])]
    kinds += random.choices(allowed, k=random.randint(_FEWEST, _MOST) - 1)
    random.shuffle(kinds)
    cut = random.randint(0, len(kinds))
    return Scene((_picture(random, kinds[:cut]), _picture(random, kinds[cut:])))


def _picture(random: Random, kinds: Sequence[_Kind]) -> tuple[Thing, ...]:
    places = random.sample([(x, y) for x in _PLACES for y in _PLACES], len(kinds))
    return tuple(
        Thing(shape, colour, random.choice(SIZES), *(round(p + random.uniform(-_AWAY, _AWAY), 4) for p in place))
        for (shape, colour), place in zip(kinds, places, strict=True)
    )
