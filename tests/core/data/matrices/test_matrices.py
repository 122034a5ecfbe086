"""Matrices: what they are made of, that each has one right answer, and that answers alone do not tell it."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest
import torch

from routescope.data import load
from routescope.data.matrices import grammar, regimes, sets, solver
from routescope.data.matrices.draws import Matrix, can_be_drawn, draw
from routescope.data.matrices.grammar import (
    ATTRIBUTE_PAIRS,
    TRIPLE_PAIRS,
    TRIPLES,
    ObjectAttribute,
    Triple,
    members,
)
from routescope.data.matrices.panels import SYMBOLS, sets_of
from routescope.data.matrices.regimes import REGIMES, RegimeName, regime
from routescope.data.matrices.sets import MatrixSet
from routescope.data.matrices.solver import Rule, right_answers, rules_of
from routescope.nn.inputs.matrices import Matrices

ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
COLUMNS = ((0, 3, 6), (1, 4, 7), (2, 5, 8))


def seen(panel: tuple[int, ...], what: str, attribute: str) -> frozenset[int]:
    """An oracle's reading of a panel: which values it shows."""
    shapes = [(place, *panel[3 * place : 3 * place + 3]) for place in range(9) if panel[3 * place] != -1]
    lines = [(line, colour) for line, colour in enumerate(panel[27:33]) if colour != -1]
    if what == "line":
        return frozenset(line[0 if attribute == "type" else 1] for line in lines)
    if attribute == "number":
        return frozenset([len(shapes)])
    return frozenset(shape[("position", "type", "colour", "size").index(attribute)] for shape in shapes)


def kept(relation: str, line: list[frozenset[int]]) -> bool:
    """An oracle for one line: whether its three sets keep a relation that one line can tell of."""
    a, b, c = line
    if relation == "consistent union":
        return all(len(each) == 1 for each in line) and len(a | b | c) == 3
    if relation == "progression":
        if any(len(each) != 1 for each in line):
            return False
        (x,), (y,), (z,) = a, b, c
        return x < y < z and y - x == z - y
    return bool(a and b and c) and {"XOR": a ^ b, "OR": a | b, "AND": a & b}[relation] == c


def breaks(matrix: Matrix, answer: int) -> bool:
    """An oracle: whether an answer breaks one of the rules by which the matrix was drawn."""
    panels = [*matrix.panels[:8], matrix.panels[8 + answer]]
    for rule in matrix.rules:
        relation, what, attribute = rule.triple
        places = ROWS if rule.along == "rows" else COLUMNS
        lines = [[seen(panels[place], what, attribute) for place in line] for line in places]
        if not all(kept(relation, line) for line in lines):
            return True
        if relation == "consistent union" and len({frozenset().union(*line) for line in lines}) != 1:
            return True
    return False


def some(name: RegimeName, split: str, count: int) -> list[Matrix]:
    part, random = regime(name).part(split), Random(f"{name} {split}")
    return [draw(random, part.rules(random), random.random() < 0.5, part.values) for _ in range(count)]


def test_the_grammar_has_as_many_of_each_as_the_paper_counts() -> None:
    assert len(TRIPLES) == 29 and len({triple.kind for triple in TRIPLES}) == 7
    assert len(TRIPLE_PAIRS) == 400 and len(ATTRIBUTE_PAIRS) == 20
    assert [len(grammar.SHAPE_TYPES), len(grammar.LINE_TYPES), grammar.COLOURS, grammar.SIZES, grammar.PLACES] == [
        7, 6, 10, 10, 9]  # fmt: skip


def test_a_panel_is_read_as_the_oracle_reads_it() -> None:
    for matrix in some("neutral", "train", 20):
        for panel in matrix.panels:
            found = sets_of(panel)
            assert {kind: frozenset(members(values)) for kind, values in found.items()} == {
                kind: seen(panel, *kind) for kind in grammar.KINDS
            }
    with pytest.raises(ValueError, match="a panel is 33 symbols; got 3"):
        sets_of((1, 2, 3))


@pytest.mark.parametrize("name", REGIMES)
@pytest.mark.parametrize("split", ["train", "test"])
def test_every_matrix_has_one_right_answer_and_every_other_breaks_a_rule(name: RegimeName, split: str) -> None:
    """120 of each part of each regime."""
    for matrix in some(name, split, 120):
        assert right_answers(matrix.panels) == (matrix.target,)
        assert [breaks(matrix, answer) for answer in range(8)] == [answer != matrix.target for answer in range(8)]
        assert set(matrix.rules) <= set(rules_of(matrix.panels[:8]))


def test_the_solver_sees_an_answer_that_was_spoilt_and_two_that_are_right() -> None:
    matrix = some("neutral", "train", 1)[0]
    wrong = next(answer for answer in range(8) if answer != matrix.target)
    spoilt = list(matrix.panels)
    spoilt[8 + matrix.target] = matrix.panels[8 + wrong]
    assert right_answers(spoilt) == ()
    doubled = list(matrix.panels)
    doubled[8 + wrong] = matrix.panels[8 + matrix.target]
    assert right_answers(doubled) == tuple(sorted((wrong, matrix.target)))
    with pytest.raises(ValueError, match="8 panels and 8 answers; got 17 panels"):
        right_answers([*matrix.panels, matrix.panels[0]])


def features(answers: np.ndarray) -> np.ndarray:
    """What answers alone show, of each: how often each value of each attribute is there, and how many others agree."""
    told = []
    for panel in answers.tolist():
        row: list[float] = []
        for kind, count in grammar.VALUES.items():
            values = members(sets_of(panel)[kind])
            row += [float(value in values) for value in range(count)] + [len(values)]
        told.append(row)
    own = np.array(told)
    agreement = (own[:, None] == own[None]).sum(axis=1) - 1
    return np.concatenate([own, agreement, agreement.sum(axis=1, keepdims=True)], axis=1)


@pytest.mark.parametrize("name", ["pgm-small-neutral", "pgm-neutral"])
def test_answers_alone_stay_at_chance(name: str) -> None:
    """A classifier that learns to score answers by their symbols, and by how they agree; and two rules of thumb."""
    from sklearn.linear_model import RidgeClassifier

    count, train = 600, 400
    matrices = list(sets.drawn(name, "train", count))
    told = np.stack([features(np.array(matrix.panels[8:])) for matrix in matrices])
    target = np.array([matrix.target for matrix in matrices])
    right = np.arange(8) == target[:, None]
    control = RidgeClassifier().fit(told[:train].reshape(-1, told.shape[-1]), right[:train].ravel())
    scores = control.decision_function(told[train:].reshape(-1, told.shape[-1])).reshape(-1, 8)
    most_agreeing, least_agreeing = told[..., -1].argmax(axis=1), told[..., -1].argmin(axis=1)
    for chosen, truth in ((scores.argmax(axis=1), target[train:]), (most_agreeing, target), (least_agreeing, target)):
        accuracy, spread = (chosen == truth).mean(), (0.125 * 0.875 / len(truth)) ** 0.5
        assert abs(accuracy - 0.125) < 3.3 * spread, accuracy
    assert abs(np.bincount(target, minlength=8) / count - 0.125).max() < 3.3 * (0.125 * 0.875 / count) ** 0.5


def test_ordered_values_of_training_and_testing_are_apart() -> None:
    ordered = regimes.ORDERED
    assert set(ordered) == {
        ObjectAttribute("shape", "size"),
        ObjectAttribute("shape", "colour"),
        ObjectAttribute("line", "colour"),
    }
    expected: dict[RegimeName, tuple[set[int], set[int]]] = {
        "interpolation": ({0, 2, 4, 6, 8}, {1, 3, 5, 7, 9}),
        "extrapolation": ({0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}),
    }
    for name, (train, test) in expected.items():
        for split, allowed in (("train", train), ("validation", train), ("test", test)):
            for matrix in some(name, split, 40):
                assert {rule.triple.kind for rule in matrix.rules} & set(ordered)
                for panel in matrix.panels:
                    assert all(seen(panel, *kind) <= allowed for kind in ordered)


def triples_of(matrix: Matrix) -> set[Triple]:
    return {rule.triple for rule in matrix.rules}


@pytest.mark.parametrize(
    ("name", "what", "all_of", "count", "least"),
    [
        ("triples", "triples", [(triple,) for triple in TRIPLES], 7, 1),
        ("triple-pairs", "pairs of triples", TRIPLE_PAIRS, 40, 2),
        ("attribute-pairs", "pairs of attributes", ATTRIBUTE_PAIRS, 4, 2),
    ],
)
def test_held_out_combinations_are_only_in_testing(
    name: RegimeName, what: str, all_of: Sequence[tuple[Any, ...]], count: int, least: int
) -> None:
    told = regimes.held_out(name)[what]
    held = {frozenset(each) for each in all_of if " with ".join(map(str, each)) in told}
    assert len(held) == count
    if name == "triples":
        assert len({triple.kind for (triple,) in held}) == 7, "one of each attribute"

    def combined(matrix: Matrix) -> set[frozenset[Any]]:
        parts = triples_of(matrix)
        parts = {triple.kind for triple in parts} if name == "attribute-pairs" else parts
        return set(map(frozenset, combinations(parts, least)))

    for matrix in some(name, "train", 200):
        assert len(matrix.rules) >= least and not combined(matrix) & held
    assert all(combined(matrix) & held for matrix in some(name, "test", 100))


def test_every_triple_and_every_number_of_them_occurs() -> None:
    matrices = some("neutral", "train", 400)
    counts = Counter(len(matrix.rules) for matrix in matrices)
    assert set(counts) == {1, 2, 3, 4} and min(counts.values()) > 60
    assert set().union(*map(triples_of, matrices)) == set(TRIPLES)
    assert {rule.along for matrix in matrices for rule in matrix.rules} == {"rows", "columns"}


def test_rules_that_no_matrix_has_are_refused() -> None:
    position, number = Triple("XOR", "shape", "position"), Triple("progression", "shape", "number")
    lone = Triple("progression", "shape", "type")
    assert not can_be_drawn((position, number)) and not can_be_drawn((lone,)) and can_be_drawn((lone, number))
    with pytest.raises(ValueError, match="no matrix has the rules XOR of shape position; progression of shape number"):
        draw(Random(0), (position, number), False)


def test_a_set_gives_panels_rows_kinds_and_right_answers() -> None:
    data = load("pgm-small-neutral", "test", limit=12, side=32)
    assert isinstance(data, MatrixSet) and data.symbols is not None
    inputs = data.inputs([3, 1])
    assert inputs.values.shape == (2, 16, 32, 32) and 0 <= inputs.values.min() < inputs.values.max() <= 1
    assert np.array_equal(data.take([3, 1]).pictures(slice(None)), data.pictures([3, 1]))
    assert data.pictures([0], 80).shape == (1, 16, 80, 80)
    assert data.targets([3, 1]).tolist() == data.labels[[3, 1]].tolist()
    for at in range(12):
        (rule,) = data.rules[at]
        assert data.kinds[data.kind[at]] == rule.triple.relation and isinstance(rule, Rule)
        assert solver.right_answers(data.symbols[at].tolist()) == (data.labels[at].item(),)
    assert data.symbols.shape == (12, 16, SYMBOLS)


def test_rules_are_told_in_words_and_an_own_matrix_has_what_its_file_says() -> None:
    data = load("pgm-small-neutral", "validation", limit=4)
    assert isinstance(data, MatrixSet)
    assert data.rules_of(3) == ("progression of line colour, along rows",)
    brought = Matrices(data.inputs([2]).values, torch.tensor([6]))
    own = data.user_sample(brought, "digest")
    assert (len(own), own.labels.tolist(), own.hashes, own.rules_of(0)) == (1, [6], ("digest",), ())
    assert own.kinds[int(own.kind[0])] == "rules unknown"
    assert np.array_equal(own.pictures([0]), data.pictures([2]))
    assert data.user_sample(Matrices(brought.values), "").labels.tolist() == [-1]
