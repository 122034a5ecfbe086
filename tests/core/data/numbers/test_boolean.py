"""Fuzzy Boolean functions beside their definition, written out product by product."""

import itertools
import math
from collections.abc import Sequence

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.data import load as load_any
from routescope.data.numbers import boolean
from routescope.data.numbers.boolean import corners, expression, fuzzy, minterms, truth_table
from routescope.data.numbers.sets import NumberSet

points = st.lists(st.floats(0, 1), min_size=5, max_size=5)


def load(name: str, split: str, limit: int | None = None) -> NumberSet:
    found = load_any(name, split, limit=limit)
    assert isinstance(found, NumberSet)
    return found


def by_definition(x: Sequence[float], table: Sequence[bool]) -> float:
    """Equations 15 to 19, one operation at a time."""
    value = 0.0
    for corner, true in zip(itertools.product((False, True), repeat=len(x)), table, strict=True):
        if true:
            product = 1.0
            for xi, positive in zip(x, corner, strict=True):
                product = product * (xi if positive else 1 - xi)
            value = 1 - (1 - value) * (1 - product)
    return value


@settings(max_examples=30)
@given(points, st.integers(1, 30))
def test_values_are_those_of_the_definition(x: list[float], function: int) -> None:
    table = truth_table(function)
    found = fuzzy(torch.tensor([x], dtype=torch.float64), table)
    assert found.item() == pytest.approx(by_definition(x, table.tolist()), abs=1e-12)
    assert 0 <= found.item() <= 1


@pytest.mark.parametrize("function", [1, 7, 30])
def test_at_corners_a_function_is_its_truth_table(function: int) -> None:
    table = truth_table(function)
    assert torch.equal(fuzzy(corners().float(), table), table.float())


@settings(max_examples=20)
@given(points)
def test_minterms_of_a_point_sum_to_one(x: list[float]) -> None:
    assert minterms(torch.tensor([x], dtype=torch.float64)).sum().item() == pytest.approx(1)


def test_tables_are_drawn_with_half_a_chance_each_and_none_is_another() -> None:
    tables = torch.stack([truth_table(function) for function in range(1, boolean.FUNCTIONS + 1)])
    entries = tables.numel()
    assert abs(tables.float().mean().item() - 0.5) < 4 * 0.5 / math.sqrt(entries)
    assert len({tuple(table.tolist()) for table in tables}) == len(tables)
    assert torch.equal(truth_table(3), tables[2])
    with pytest.raises(ValueError, match="counted from 1; got 0"):
        truth_table(0)


def test_an_expression_reads_as_its_table() -> None:
    assert expression(torch.tensor([False, True, False, True])) == "¬ab ⊕ ab"
    assert expression(torch.tensor([False] * 4)) == "0"
    table = truth_table(2)
    assert expression(table).count("⊕") == int(table.sum()) - 1


def test_points_are_shared_by_functions_and_new_in_every_split_and_phase() -> None:
    first, second = load("boolean-01", "validation"), load("boolean-02", "validation")
    assert torch.equal(first.values, second.values) and first.hashes == second.hashes
    assert not torch.equal(first.truth, second.truth)
    others = [load(name, split, limit=1000) for name, split in
              (("boolean-01", "train"), ("boolean-01", "test"), ("boolean-21", "validation"))]  # fmt: skip
    seen = set(first.hashes)
    assert len(seen) == len(first) == 1000
    for other in others:
        assert not seen & set(other.hashes)
        seen |= set(other.hashes)
