"""Reads a matrix's symbols: which rules its two whole lines show, and which answers go on with all of them.

It knows nothing of how a matrix was drawn.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from routescope.data.matrices.grammar import KINDS, TRIPLES, ObjectAttribute, Relation, Triple
from routescope.data.matrices.panels import sets_of
from routescope.nn.inputs.matrices import ANSWERS, CONTEXT, PANELS

Along = Literal["rows", "columns"]
ALONG: tuple[Along, ...] = get_args(Along)
#: Places of the panels of each line, the unfinished one last; place 8 is the gap.
LINES: dict[Along, tuple[tuple[int, int, int], ...]] = {
    "rows": ((0, 1, 2), (3, 4, 5), (6, 7, 8)),
    "columns": ((0, 3, 6), (1, 4, 7), (2, 5, 8)),
}
Line = tuple[int, int, int]


class Rule(NamedTuple):
    """A triple, and whether the lines that keep it are rows or columns."""

    triple: Triple
    along: Along

    def __str__(self) -> str:
        return f"{self.triple}, along {self.along}"


def holds(relation: Relation, lines: Sequence[Line]) -> bool:
    """Whether every one of these lines of three sets keeps a relation.

    Progression: one value each, that rises by the same step above 0 from panel to panel. XOR, OR, AND: the third set is
    that of the first two, and none is empty. Consistent union: one value each, the same three values in every line.
    """
    if any(not all(line) for line in lines):
        return False
    if relation == "XOR":
        return all(a ^ b == c for a, b, c in lines)
    if relation == "OR":
        return all(a | b == c for a, b, c in lines)
    if relation == "AND":
        return all(a & b == c for a, b, c in lines)
    if any(values & (values - 1) for line in lines for values in line):
        return False
    if relation == "progression":  # of single bits: the ratio is 2 to the step
        return all(a < b and b * b == a * c for a, b, c in lines)
    union = lines[0][0] | lines[0][1] | lines[0][2]
    return union.bit_count() == 3 and all(a | b | c == union for a, b, c in lines)


def _lines(
    sets: Sequence[Mapping[ObjectAttribute, int]], kind: ObjectAttribute, along: Along, count: int
) -> list[Line]:
    """The first lines of an attribute, each the sets of its three panels."""
    return [(sets[i][kind], sets[j][kind], sets[k][kind]) for i, j, k in LINES[along][:count]]


def rules_of(context: Sequence[Sequence[int]]) -> tuple[Rule, ...]:
    """Every rule that both whole rows, or both whole columns, of the panels before the gap keep.

    Args:
        context: the symbols of the eight panels.
    """
    return rules_in([sets_of(panel) for panel in context])


def rules_in(sets: Sequence[Mapping[ObjectAttribute, int]]) -> tuple[Rule, ...]:
    """The same of panels whose sets were read."""
    found = []
    for along in ALONG:
        lines = {kind: _lines(sets, kind, along, 2) for kind in KINDS}
        found += [Rule(rule, along) for rule in TRIPLES if holds(rule.relation, lines[rule.kind])]
    return tuple(found)


def broken(
    sets: Sequence[Mapping[ObjectAttribute, int]], answer: Mapping[ObjectAttribute, int], rules: Sequence[Rule]
) -> tuple[Rule, ...]:
    """Those of the rules that an answer in the gap breaks."""
    whole = [*sets[:CONTEXT], answer]
    return tuple(
        rule for rule in rules if not holds(rule.triple.relation, _lines(whole, rule.triple.kind, rule.along, 3))
    )


def right_answers(matrix: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Which of the answers, counted from 0, go on with every rule that the whole lines show.

    Args:
        matrix: the symbols of the eight panels, then of the eight answers.

    Raises:
        ValueError: another number of panels.
    """
    if len(matrix) != PANELS:
        raise ValueError(f"a matrix is {CONTEXT} panels and {ANSWERS} answers; got {len(matrix)} panels in all")
    sets = [sets_of(panel) for panel in matrix]
    rules = rules_in(sets[:CONTEXT])
    return tuple(at for at, answer in enumerate(sets[CONTEXT:]) if not broken(sets, answer, rules))
