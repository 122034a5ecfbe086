"""A point that somebody brings has the value of its function, and is of as many numbers as that takes."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from routescope.data import DataError, load
from routescope.data.catalogue import NUMBER_DATASETS
from routescope.data.dataset import SamplesOfOwn
from routescope.data.kinds import numbers
from routescope.data.kinds.kind import InvalidSample
from routescope.nn.inputs.numbers import Numbers

SHARE = st.floats(0, 1, width=32)


def literal(expression: str, values: dict[str, float]) -> float:
    """The sum of products, letter by letter: or(x, y) = 1 - (1 - x)(1 - y)."""
    rest = 1.0
    for term in expression.split(" ⊕ "):
        product, negated = 1.0, False
        for letter in term:
            if letter == "¬":
                negated = True
                continue
            product *= 1 - values[letter] if negated else values[letter]
            negated = False
        rest *= 1 - product
    return 1 - rest


@given(values=st.lists(SHARE, min_size=5, max_size=5), function=st.integers(1, 30))
def test_an_own_point_is_scored_by_the_expression(values: list[float], function: int) -> None:
    dataset = load(f"boolean-{function:02d}", "validation", limit=1)
    assert isinstance(dataset, SamplesOfOwn)
    own = dataset.own(numbers.decode(", ".join(map(repr, values))), "digest")
    assert len(own) == 1 and own.name == dataset.name and own.hashes == ("digest",)
    assert own.inputs([0]).values.tolist() == [[pytest.approx(each) for each in values]]
    expected = literal(dataset.expression, dict(zip("abcde", values, strict=True)))
    assert own.targets([0]).tolist() == [pytest.approx(expected, abs=1e-5)]


@pytest.mark.parametrize("count", [1, 4, 6])
def test_another_number_of_variables_is_refused(count: int) -> None:
    dataset = load("boolean-03", "validation", limit=1)
    assert isinstance(dataset, SamplesOfOwn)
    with pytest.raises(DataError, match=rf"is 5 numbers from 0 to 1; {count} were given"):
        dataset.own(Numbers(torch.zeros(1, count)), "")


@pytest.mark.parametrize("content", ["0.1,0.9,1", "0.1 0.9 1", "[0.1, 0.9, 1]", "(0.1;0.9;\n1)"])
def test_numbers_are_written_in_several_ways(content: str) -> None:
    assert numbers.decode(content).values.tolist() == [[pytest.approx(each) for each in (0.1, 0.9, 1.0)]]


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


@pytest.mark.parametrize("name", NUMBER_DATASETS)
def test_a_set_says_whose_points_it_has(name: str) -> None:
    other = NUMBER_DATASETS[name].inputs_of
    if other is not None:
        assert NUMBER_DATASETS[other].inputs_of is None
        mine, theirs = (load(each, "validation", limit=3) for each in (name, other))
        assert torch.equal(mine.inputs(slice(0, 3)).values, theirs.inputs(slice(0, 3)).values)
        assert mine.hashes == theirs.hashes
