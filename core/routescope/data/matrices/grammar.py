"""The parts of matrices: relations, objects, attributes with their values, and the triples that go together.

*Measuring abstract reasoning in neural networks* (Barrett, Hill, Santoro, Morcos, Lillicrap, ICML 2018), section 3 and
its supplement; *Dynamic Inference with Neural Interpreters* (NeurIPS 2021), Appendix D. Printed are the relations, the
objects, the attributes and the counts: 29 triples, 7 pairs of object and attribute, 400 pairs of triples, 20 pairs of
attributes. Which 29 follows from these counts: position and number of shapes cannot both be ruled, which leaves
20 of 21 pairs of attributes, and 400 of the 406 pairs of triples where the two have 3 and 2 relations.

A panel is shapes in nine places, each with a type, a colour and a size, and lines across it, each type once at most,
with a colour. What a relation speaks of is the *set of values* that a panel has of an attribute, here a whole number
whose bit ``v`` says that value ``v`` is there. The number of shapes is the set of that one number.
"""

from itertools import combinations
from typing import Literal, NamedTuple, get_args

Relation = Literal["progression", "XOR", "OR", "AND", "consistent union"]
Object = Literal["shape", "line"]
Attribute = Literal["size", "type", "colour", "position", "number"]

RELATIONS: tuple[Relation, ...] = get_args(Relation)
OBJECTS: tuple[Object, ...] = get_args(Object)
ATTRIBUTES: tuple[Attribute, ...] = get_args(Attribute)

#: Relations that make a set out of two.
SET_RELATIONS: tuple[Relation, ...] = ("XOR", "OR", "AND")

SHAPE_TYPES = ("circle", "triangle", "square", "pentagon", "hexagon", "octagon", "star")
LINE_TYPES = ("diagonal down", "diagonal up", "vertical", "horizontal", "diamond", "circle")
COLOURS, SIZES, PLACES = 10, 10, 9


class ObjectAttribute(NamedTuple):
    """An object and one of its attributes."""

    object: Object
    attribute: Attribute

    def __str__(self) -> str:
        return f"{self.object} {self.attribute}"


class Triple(NamedTuple):
    """A rule of a matrix: a relation, and what it is applied to."""

    relation: Relation
    object: Object
    attribute: Attribute

    @property
    def kind(self) -> ObjectAttribute:
        """The object and its attribute."""
        return ObjectAttribute(self.object, self.attribute)

    def __str__(self) -> str:
        return f"{self.relation} of {self.object} {self.attribute}"


#: What can be ruled, with how many values it has.
VALUES: dict[ObjectAttribute, int] = {
    ObjectAttribute("shape", "size"): SIZES,
    ObjectAttribute("shape", "type"): len(SHAPE_TYPES),
    ObjectAttribute("shape", "colour"): COLOURS,
    ObjectAttribute("shape", "position"): PLACES,
    ObjectAttribute("shape", "number"): PLACES + 1,
    ObjectAttribute("line", "type"): len(LINE_TYPES),
    ObjectAttribute("line", "colour"): COLOURS,
}
KINDS: tuple[ObjectAttribute, ...] = tuple(VALUES)

_RULED: dict[ObjectAttribute, tuple[Relation, ...]] = {
    ObjectAttribute("shape", "position"): SET_RELATIONS,
    ObjectAttribute("shape", "number"): ("progression", "consistent union"),
    ObjectAttribute("line", "type"): (*SET_RELATIONS, "consistent union"),
}
#: All 29.
TRIPLES: tuple[Triple, ...] = tuple(
    Triple(relation, *kind) for kind in KINDS for relation in RELATIONS if relation in _RULED.get(kind, RELATIONS)
)

_APART = {ObjectAttribute("shape", "position"), ObjectAttribute("shape", "number")}
#: The 20 pairs of attributes that one matrix can rule.
ATTRIBUTE_PAIRS: tuple[tuple[ObjectAttribute, ObjectAttribute], ...] = tuple(
    (one, other) for one, other in combinations(KINDS, 2) if {one, other} != _APART
)
#: The 400 pairs of triples that the paper counts; those of one attribute twice are among them, and in no matrix.
TRIPLE_PAIRS: tuple[tuple[Triple, Triple], ...] = tuple(
    (one, other) for one, other in combinations(TRIPLES, 2) if {one.kind, other.kind} != _APART
)


def go_together(rules: tuple[Triple, ...]) -> bool:
    """Return whether one matrix can have all these rules.

    Every attribute is ruled once; position and number are not both; and lines of one type in a panel, as a consistent
    union of types asks for, have one colour, so that no set of colours can be ruled beside it.
    """
    kinds = [rule.kind for rule in rules]
    if len(set(kinds)) < len(kinds) or set(kinds) >= _APART:
        return False
    lines = {rule.attribute: rule.relation for rule in rules if rule.object == "line"}
    return not (lines.get("type") == "consistent union" and lines.get("colour") in SET_RELATIONS)


def members(values: int) -> list[int]:
    """Return the values of a set, in ascending order."""
    return [value for value in range(values.bit_length()) if values >> value & 1]


def set_of(*values: int) -> int:
    """Return the set of these values."""
    bits = 0
    for value in values:
        bits |= 1 << value
    return bits
