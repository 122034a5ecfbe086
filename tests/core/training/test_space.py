"""What trials draw: by the seed and their number alone, within the space, all of it as likely."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routescope.training.space import OneOf, Uniform, choice, drawn

SPACE = (Uniform("x", -1.0, 3.0), choice("n", [2, 4, 8]), OneOf(("a", "b"), ((1, True), (2, False))))


@given(st.integers(0, 2**40), st.integers(0, 10_000))
def test_a_draw_is_in_the_space_and_the_same_whenever_it_is_made(seed: int, number: int) -> None:
    found = drawn(SPACE, seed, number)
    assert list(found) == ["x", "n", "a", "b"]
    assert -1 <= found["x"] <= 3 and found["n"] in (2, 4, 8) and (found["a"], found["b"]) in ((1, True), (2, False))
    drawn(SPACE, seed, number + 1)
    assert drawn(SPACE, seed, number) == found


def test_seeds_and_numbers_draw_differently() -> None:
    assert len({drawn(SPACE, seed, number)["x"] for seed in range(20) for number in range(20)}) == 400


def test_every_value_is_as_likely_and_numbers_fill_their_range() -> None:
    found = [drawn(SPACE, 5, number) for number in range(3_000)]
    for name, values in (("n", 3), ("a", 2)):
        counts = Counter(each[name] for each in found)
        assert len(counts) == values
        assert all(count == pytest.approx(3_000 / values, rel=0.1) for count in counts.values())
    numbers = sorted(each["x"] for each in found)
    assert numbers[0] < -0.98 and numbers[-1] > 2.98
    assert numbers[1_500] == pytest.approx(1, abs=0.1)
