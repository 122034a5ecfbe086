"""Fuzzy Boolean functions beside their definition, written out product by product, and points as users write them."""

import itertools
import math
from collections.abc import Sequence

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.data import DataError
from routescope.data import load as load_any
from routescope.data.kinds import numbers
from routescope.data.kinds.kind import InvalidSample
from routescope.data.numbers import boolean
from routescope.data.numbers.boolean import corners, expression, fuzzy, minterms, truth_table
from routescope.data.numbers.sets import NumberSet
from routescope.nn.inputs.numbers import Numbers


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


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(0, 1, width=32), min_size=5, max_size=5), st.integers(1, 30))
def test_values_are_those_of_the_definition(x: list[float], function: int) -> None:
    table, point = truth_table(function), torch.tensor([x], dtype=torch.float64)
    expected = by_definition(x, table.tolist())
    assert fuzzy(point, table).item() == pytest.approx(expected, abs=1e-12) and 0 <= expected <= 1
    assert minterms(point).sum().item() == pytest.approx(1)
    assert torch.equal(fuzzy(corners().float(), table), table.float())
    data = load(f"boolean-{function:02d}", "validation", limit=1)
    own = data.user_sample(numbers.decode(", ".join(map(repr, x))), "digest")
    assert len(own) == 1 and own.name == data.name and own.hashes == ("digest",)
    assert own.inputs([0]).values.tolist() == [pytest.approx(x)]
    assert own.targets([0]).tolist() == [pytest.approx(expected, abs=1e-5)]


def test_tables_are_drawn_with_half_a_chance_each_and_none_is_another() -> None:
    tables = torch.stack([truth_table(function) for function in range(1, boolean.FUNCTIONS + 1)])
    assert abs(tables.float().mean().item() - 0.5) < 4 * 0.5 / math.sqrt(tables.numel())
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
    seen = set(first.hashes)
    assert len(seen) == len(first) == 1000
    for name, split in (("boolean-01", "train"), ("boolean-01", "test"), ("boolean-21", "validation")):
        hashes = set(load(name, split, limit=1000).hashes)
        assert not seen & hashes
        seen |= hashes


@pytest.mark.parametrize("content", ["0.1,0.9,1", "0.1 0.9 1", "[0.1, 0.9, 1]", "(0.1;0.9;\n1)"])
def test_numbers_are_written_in_several_ways(content: str) -> None:
    assert numbers.decode(content).values.tolist() == [pytest.approx([0.1, 0.9, 1.0])]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("nan,0", "number 1 is 'nan'"),
        ("0,inf", "number 2 is 'inf'"),
        ("0,1.01", "number 2 is '1.01'"),
        ("-0.01", "number 1 is '-0.01'"),
        ("a,b", "no number"),
        ("0.1,,0.2", "number 2 is nothing"),
        ("", "number 1 is nothing"),
        ("x" * 99, "…"),
    ],
)
def test_what_is_no_point_is_refused_with_what_would_be_accepted(content: str, says: str) -> None:
    with pytest.raises(InvalidSample, match="numbers from 0 to 1") as refused:
        numbers.decode(content)
    assert says in str(refused.value)


@pytest.mark.parametrize("count", [1, 4, 6])
def test_another_number_of_variables_is_refused(count: int) -> None:
    with pytest.raises(DataError, match=rf"is 5 numbers from 0 to 1; {count} were given"):
        load("boolean-03", "validation", limit=1).user_sample(Numbers(torch.zeros(1, count)), "")
