"""Drawing matrices by rules: the answers first, one of them at random as the right one, then panels that lead to it.

So answers alone tell nothing: whatever eight they are, each is the right one as often as any other. With one rule they
differ in what is ruled, eight values of it; with two, four values of one and two of the other; with three or four, two
of each. Every wrong answer breaks at least one rule, as the panels before the gap leave no choice of what is ruled.

Read into the paper, which does not print it: progression rises by a constant step; in a consistent union each panel has
one of three values; the sets that XOR, OR and AND are of overlap, and neither has the other in it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import comb
from random import Random

from routescope.data.matrices.grammar import (
    KINDS,
    PLACES,
    SET_RELATIONS,
    VALUES,
    ObjectAttribute,
    Relation,
    Triple,
    go_together,
    members,
    set_of,
)
from routescope.data.matrices.panels import EMPTY, sets_of
from routescope.data.matrices.solver import ALONG, LINES, Rule, broken, rules_in
from routescope.nn.inputs.matrices import ANSWERS, CONTEXT

#: Values that panels may show, by kind; a regime leaves some out.
Values = Mapping[ObjectAttribute, Sequence[int]]
ALL_VALUES: Values = {kind: tuple(range(count)) for kind, count in VALUES.items()}

#: How often panels are drawn again for the same answers before the answers are.
PATIENCE = 300

_NUMBER, _POSITION = ObjectAttribute("shape", "number"), ObjectAttribute("shape", "position")
_LINE_TYPE, _LINE_COLOUR = ObjectAttribute("line", "type"), ObjectAttribute("line", "colour")
_SHAPE_VALUES = (ObjectAttribute("shape", "type"), ObjectAttribute("shape", "colour"), ObjectAttribute("shape", "size"))
#: Of the sets a and b of a line: most that both have, and most that one of them has alone.
_MOST_PARTS = {_POSITION: (6, 3), _LINE_TYPE: (4, 2)}
_MOST_OF_VALUES = (2, 1)


@dataclass(frozen=True)
class Matrix:
    """A matrix in symbols.

    Attributes:
        panels: the symbols of eight panels, row by row without the last, and of eight answers.
        target: which answer is right, counted from 0.
        rules: by which it was drawn.
        distracting: whether what is not ruled was drawn anew for every panel, or is the same throughout.
    """

    panels: tuple[tuple[int, ...], ...]
    target: int
    rules: tuple[Rule, ...]
    distracting: bool


@dataclass(frozen=True)
class _Ruled:
    """A rule with the values that its attribute may show, and how many a panel needs at least."""

    rule: Rule
    values: tuple[int, ...]
    least: int

    @cached_property
    def kind(self) -> ObjectAttribute:
        return self.rule.triple.kind

    @cached_property
    def relation(self) -> Relation:
        return self.rule.triple.relation

    @cached_property
    def parts(self) -> list[tuple[int, int, int]]:
        """Return how many values two sets can share, and how many each can have alone, so that no set is too small."""
        shared, alone = _MOST_PARTS.get(self.kind, _MOST_OF_VALUES)
        return [
            (o, p, q)
            for o in range(1, shared + 1)
            for p in range(1, alone + 1)
            for q in range(1, alone + 1)
            if o + p + q <= len(self.values) and min(o + p, o + q, self.size(o, p, q)) >= self.least
        ]

    def size(self, o: int, p: int, q: int) -> int:
        """Return the number of values of the third set."""
        return {"XOR": p + q, "OR": o + p + q, "AND": o}[self.relation]

    def capacity(self) -> int:
        """Return how many sets can end a line."""
        if self.relation in SET_RELATIONS:
            return sum(comb(len(self.values), size) for size in {self.size(*parts) for parts in self.parts})
        return len(self.values) - (2 if self.relation == "progression" else 0)

    def answer(self, random: Random) -> int:
        """Draw a set that can end a line."""
        if self.relation in SET_RELATIONS:
            size = self.size(*random.choice(self.parts))
            return set_of(*random.sample(self.values, size))
        return set_of(random.choice(self.values[2:] if self.relation == "progression" else self.values))

    def line(self, random: Random, third: int) -> tuple[int, int, int]:
        """Draw a line that ends with a set, for relations other than consistent union."""
        if self.relation == "progression":
            at = self.values.index(members(third)[0])
            step = random.randint(1, at // 2)
            return set_of(self.values[at - 2 * step]), set_of(self.values[at - step]), third
        o, p, q = random.choice([parts for parts in self.parts if self.size(*parts) == third.bit_count()])
        inside = members(third)
        outside = [value for value in self.values if not third >> value & 1]
        random.shuffle(inside)
        random.shuffle(outside)
        if self.relation == "XOR":
            shared, first, second = outside[:o], inside[:p], inside[p:]
        elif self.relation == "OR":
            shared, first, second = inside[:o], inside[o : o + p], inside[o + p :]
        else:
            shared, first, second = inside, outside[:p], outside[p : p + q]
        return set_of(*shared, *first), set_of(*shared, *second), third

    def grid(self, random: Random, last: int) -> list[int]:
        """Draw the sets of the nine panels, row by row; the last is given."""
        if self.relation == "consistent union":
            rest = [value for value in self.values if value != members(last)[0]]
            union = [last, *map(set_of, random.sample(rest, 2))]
            lines = [random.sample(union, 3) for _ in range(2)] + [[*random.sample(union[1:], 2), last]]
        else:
            lines = [list(self.line(random, self.answer(random))) for _ in range(2)]
            lines.append(list(self.line(random, last)))
        sets = [0] * 9
        for places, line in zip(LINES[self.rule.along], lines, strict=True):
            for position, values in zip(places, line, strict=True):
                sets[position] = values
        return sets


def _largest(triple: Triple) -> int:
    """Return the most values that a panel shows of the attribute of a rule."""
    return {"XOR": 3, "OR": 4, "AND": 3}.get(triple.relation, 1)


def _needed(triples: Sequence[Triple], of: str) -> int:
    """Shapes, or lines, that every panel needs to show the values that are ruled."""
    of_object = [rule for rule in triples if rule.object == of and rule.attribute in ("type", "colour", "size")]
    return max((_largest(rule) for rule in of_object if rule.kind != _LINE_TYPE), default=0)


def _ruled(rules: Sequence[Rule], values: Values) -> tuple[_Ruled, ...]:
    triples = [rule.triple for rule in rules]
    ruled = []
    for rule in rules:
        kind, allowed, least = rule.triple.kind, tuple(values[rule.triple.kind]), 1
        if kind == _NUMBER:
            needed = _needed(triples, "shape")
            allowed = tuple(value for value in allowed if value >= needed)
        elif kind == _POSITION:
            least = max(1, _needed(triples, "shape"))
        elif kind == _LINE_TYPE:
            least = max(1, _needed(triples, "line"))
        ruled.append(_Ruled(rule, allowed, least))
    return tuple(ruled)


def _pools(ruled: Sequence[_Ruled]) -> list[tuple[int, ...]]:
    """Return the possible numbers of values of each attribute, whose products are at least eight."""
    capacities = [rule.capacity() for rule in ruled]
    if len(ruled) == 1:
        options: list[tuple[int, ...]] = [(8,)]
    elif len(ruled) == 2:
        options = [(2, 4), (4, 2), (3, 3)]
    else:
        options = [(2,) * len(ruled)]
    return [sizes for sizes in options if all(s <= c for s, c in zip(sizes, capacities, strict=True))]


def can_be_drawn(triples: Sequence[Triple], values: Values = ALL_VALUES) -> bool:
    """Return whether a matrix can have these rules, with eight answers that differ in the ruled attributes."""
    if not go_together(tuple(triples)):
        return False
    return bool(_pools(_ruled([Rule(triple, "rows") for triple in triples], values)))


def _answers(random: Random, ruled: Sequence[_Ruled], sizes: Sequence[int]) -> list[tuple[int, ...]]:
    """Return eight different combinations of values of the ruled attributes."""
    pools = []
    for rule, size in zip(ruled, sizes, strict=True):
        pool: list[int] = []
        while len(pool) < size:
            third = rule.answer(random)
            if third not in pool:
                pool.append(third)
        pools.append(pool)
    whole = list(product(*pools))
    if len(ruled) == 4:  # half of the sixteen in which a random number of attributes agree: no attribute is idle
        checked = random.choice([mask for mask in range(1, 16) if mask.bit_count() > 1])
        whole = [whole[at] for at in range(16) if (at & checked).bit_count() % 2 == 0]
    return random.sample(whole, ANSWERS)


@dataclass(frozen=True)
class _Rest:
    """Attributes without a rule: drawn for each panel, or the same in all panels."""

    distracting: bool
    shapes: bool
    lines: bool
    shape_values: Mapping[ObjectAttribute, int]
    places: tuple[int, ...]
    line_types: tuple[int, ...]
    line_colour: int
    least_lines: int


def _rest(random: Random, triples: Sequence[Triple], values: Values, distracting: bool) -> _Rest:
    needed, lines = _needed(triples, "shape"), _needed(triples, "line")
    objects = {triple.object for triple in triples}
    count = random.randint(max(1, needed), min(PLACES, max(1, needed) + 3))
    return _Rest(
        distracting=distracting,
        shapes=distracting or "shape" in objects,
        lines=distracting or "line" in objects,
        shape_values={kind: random.choice(values[kind]) for kind in _SHAPE_VALUES},
        places=tuple(random.sample(range(PLACES), count)),
        line_types=tuple(random.sample(values[_LINE_TYPE], random.randint(max(1, lines), max(4, lines)))),
        line_colour=random.choice(values[_LINE_COLOUR]),
        least_lines=lines,
    )


def _spread(random: Random, values: Sequence[int], count: int) -> list[int]:
    """Return ``count`` values, each of the given ones at least once."""
    spread = [*values, *random.choices(values, k=count - len(values))]
    random.shuffle(spread)
    return spread


def _shapes(random: Random, sets: Mapping[ObjectAttribute, int], rest: _Rest, values: Values) -> dict[int, list[int]]:
    """Type, colour and size of the shapes of a panel, by place."""
    ruled = {kind: members(sets[kind]) for kind in _SHAPE_VALUES if kind in sets}
    if _POSITION in sets:
        places = members(sets[_POSITION])
    elif _NUMBER in sets:
        places = random.sample(range(PLACES), members(sets[_NUMBER])[0])
    elif rest.distracting:
        least = max((len(shown) for shown in ruled.values()), default=1)
        places = random.sample(range(PLACES), random.randint(least, PLACES))
    else:
        places = list(rest.places)
    columns = []
    for kind in _SHAPE_VALUES:
        if kind in ruled and places:
            columns.append(_spread(random, ruled[kind], len(places)))
        elif rest.distracting:
            columns.append(random.choices(values[kind], k=len(places)))
        else:
            columns.append([rest.shape_values[kind]] * len(places))
    return {position: [column[at] for column in columns] for at, position in enumerate(places)}


def _lines(random: Random, sets: Mapping[ObjectAttribute, int], rest: _Rest, values: Values) -> dict[int, int]:
    """The colour of each type of line of a panel."""
    colours = members(sets.get(_LINE_COLOUR, 0))
    if _LINE_TYPE in sets:
        types = members(sets[_LINE_TYPE])
    elif rest.distracting:
        least = len(colours) if colours else 0
        types = random.sample(values[_LINE_TYPE], random.randint(least, max(least, 4)))
    else:
        types = list(rest.line_types)
    if colours:
        return dict(zip(types, _spread(random, colours, len(types)), strict=True))
    if rest.distracting:
        return {line: random.choice(values[_LINE_COLOUR]) for line in types}
    return dict.fromkeys(types, rest.line_colour)


def _panel(random: Random, sets: Mapping[ObjectAttribute, int], rest: _Rest, values: Values) -> tuple[int, ...]:
    """The symbols of a panel that shows the sets that are ruled."""
    shapes = _shapes(random, sets, rest, values) if rest.shapes else {}
    lines = _lines(random, sets, rest, values) if rest.lines else {}
    symbols_of_panel = [EMPTY] * (3 * PLACES)
    for position, symbols in shapes.items():
        symbols_of_panel[3 * position : 3 * position + 3] = symbols
    return (*symbols_of_panel, *(lines.get(line, EMPTY) for line in range(VALUES[_LINE_TYPE])))


def _panels(
    random: Random, ruled: Sequence[_Ruled], right: Sequence[int], rest: _Rest, values: Values
) -> Iterator[tuple[int, ...]]:
    """The eight panels before the gap."""
    grids = [each.grid(random, last) for each, last in zip(ruled, right, strict=True)]
    for place in range(CONTEXT):
        sets = {each.kind: grid[place] for each, grid in zip(ruled, grids, strict=True)}
        yield _panel(random, sets, rest, values)


def draw(random: Random, triples: Sequence[Triple], distracting: bool, values: Values = ALL_VALUES) -> Matrix:
    """Draw a matrix that keeps these rules, each along rows or along columns.

    Panels in which something that is not ruled keeps a relation in both whole lines, and not with the right answer, are
    drawn again: they would lead astray.

    Raises:
        ValueError: rules that no matrix has.
    """
    if not can_be_drawn(triples, values):
        raise ValueError(f"no matrix has the rules {'; '.join(map(str, triples))} with eight answers of these values")
    rules = tuple(Rule(triple, random.choice(ALONG)) for triple in triples)
    ruled = _ruled(rules, values)
    while True:
        combinations = _answers(random, ruled, random.choice(_pools(ruled)))
        rest = _rest(random, triples, values, distracting)
        kinds = [each.kind for each in ruled]
        answers = tuple(_panel(random, dict(zip(kinds, one, strict=True)), rest, values) for one in combinations)
        target = random.randrange(ANSWERS)
        shown = sets_of(answers[target])
        for _ in range(PATIENCE):
            context = tuple(_panels(random, ruled, combinations[target], rest, values))
            sets = [sets_of(panel) for panel in context]
            if not broken(sets, shown, rules_in(sets)):
                return Matrix((*context, *answers), target, rules, distracting)


assert set(ALL_VALUES) == set(KINDS)
