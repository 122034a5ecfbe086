"""Solve a matrix from its symbols: find the rules of its two whole lines, and the answers that keep all of them.

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
    """Return whether all these lines of three sets keep a relation.

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
    """Return every rule that both whole rows, or both whole columns, of the eight panels ``context`` keep."""
    return rules_in([sets_of(panel) for panel in context])


def rules_in(sets: Sequence[Mapping[ObjectAttribute, int]]) -> tuple[Rule, ...]:
    """Return the same for panels given by their sets."""
    rules = []
    for along in ALONG:
        lines = {kind: _lines(sets, kind, along, 2) for kind in KINDS}
        rules += [Rule(rule, along) for rule in TRIPLES if holds(rule.relation, lines[rule.kind])]
    return tuple(rules)


def broken(
    sets: Sequence[Mapping[ObjectAttribute, int]], answer: Mapping[ObjectAttribute, int], rules: Sequence[Rule]
) -> tuple[Rule, ...]:
    """Return the rules that an answer in the gap breaks."""
    whole = [*sets[:CONTEXT], answer]
    return tuple(
        rule for rule in rules if not holds(rule.triple.relation, _lines(whole, rule.triple.kind, rule.along, 3))
    )


def right_answers(matrix: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the answers, from 1, that keep every rule of the whole lines; raises ValueError for other panels.

    Args:
        matrix: the symbols of the eight panels, then of the eight answers.
    """
    if len(matrix) != PANELS:
        raise ValueError(f"a matrix is {CONTEXT} panels and {ANSWERS} answers; got {len(matrix)} panels in all")
    sets = [sets_of(panel) for panel in matrix]
    rules = rules_in(sets[:CONTEXT])
    return tuple(at for at, answer in enumerate(sets[CONTEXT:]) if not broken(sets, answer, rules))
