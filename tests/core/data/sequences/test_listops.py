"""The grammar of the Long Range Arena drawn again, and values by an oracle of its own."""

import random
import statistics
from itertools import islice
from typing import Any

import pytest

from routescope.data.kinds.listops import depths, parse, text_of
from routescope.data.sequences import listops
from routescope.nn.inputs.sequences import OPERATORS, SYMBOLS, is_operator


def oracle(text: str) -> int:
    """The value of an expression as Python: its lists are calls, with ``statistics`` for the median."""
    calls: dict[str, Any] = {
        "MIN": lambda *values: min(values),
        "MAX": lambda *values: max(values),
        "MED": lambda *values: int(statistics.median(values)),
        "SM": lambda *values: sum(values) % 10,
    }
    code = text
    for name in calls:
        code = code.replace(f"[{name} ", f"{name}(")
    code = ", ".join(code.replace(" ]", ")").split(" "))
    return int(eval(code, {"__builtins__": {}}, calls))  # noqa: S307  # of what this test wrote


@pytest.mark.parametrize("name", listops.LIMITS)
def test_values_are_those_of_an_oracle_and_lengths_within_limits(name: str) -> None:
    limits = listops.LIMITS[name]
    if name == "listops-long":  # flags of the benchmark: 500 and 2,000, both comparisons strict
        assert limits == (501, 1999) and listops.SIZES == {"train": 96_000, "validation": 2_000, "test": 2_000}
    for symbols in islice(listops.drawn(limits, 7), 40):
        assert limits.least <= len(symbols) <= limits.most
        assert max(depths(symbols)) < listops.MOST_DEPTH
        text = text_of(symbols)
        assert parse(text) == symbols
        assert listops.value_of(symbols) == oracle(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7), ("[SM 9 9 9 ]", 7), ("[MED 1 2 ]", 1), ("[MED 9 0 4 ]", 4), ("[MED 3 8 8 2 ]", 5),
        ("[MAX 2 9 [MIN 4 7 ] 0 ]", 9), ("[MIN [SM 5 5 ] 3 ]", 0), ("[MED 8 9 ]", 8),
    ],
)  # fmt: skip
def test_values_worked_by_hand(text: str, value: int) -> None:
    assert listops.value_of(parse(text)) == value == oracle(text)


def recursive(draws: random.Random, depth: int = 1) -> list[str]:
    """The published generator, word for word in its recursion: a node is a list with probability 1/4."""
    if depth < 10 and draws.random() <= 0.25:
        words = [draws.choice(["[MIN", "[MAX", "[MED", "[SM"])]
        for _ in range(draws.randint(2, 10)):
            words += recursive(draws, depth + 1)
        return [*words, "]"]
    return [str(draws.choice(range(10)))]


def test_trees_are_distributed_as_the_published_grammar_s() -> None:
    limits, ours, theirs = listops.Limits(4, 60), random.Random(1), random.Random(2)

    def kept(draw: Any) -> list[list[str]]:
        found: list[list[str]] = []
        while len(found) < 900:
            words = draw()
            if words is not None and limits.least <= len(words) <= limits.most:
                found.append(words)
        return found

    def drawn() -> list[str] | None:
        try:
            return [SYMBOLS[symbol] for symbol in listops.draw(ours, limits.most)]
        except listops.TooLong:
            return None

    a, b = kept(drawn), kept(lambda: recursive(theirs))
    for measure, tolerance in (
        (len, 1.9),
        (lambda words: sum(word.startswith("[") for word in words), 0.35),
        (lambda words: max(depths([SYMBOLS.index(word) for word in words])), 0.2),
        (lambda words: words[0] == "[MED", 0.065),
    ):
        means = [sum(map(measure, each)) / len(each) for each in (a, b)]
        assert abs(means[0] - means[1]) < tolerance


def test_lists_have_two_to_ten_members_and_all_operators_and_digits_appear() -> None:
    members, seen = set(), set()
    for symbols in islice(listops.drawn(listops.Limits(4, 100), 3), 800):
        stack: list[int] = []
        for symbol in symbols:
            seen.add(symbol)
            if symbol == len(SYMBOLS) - 1:
                members.add(stack.pop())
            elif stack:
                stack[-1] += 1
            if is_operator(symbol):
                stack.append(0)
    assert members == set(range(2, 11))
    assert len(seen) == 10 + len(OPERATORS) + 1


def test_no_expression_of_one_split_is_in_another_and_limits_give_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listops, "LIMITS", {"tiny": listops.Limits(4, 5)})
    monkeypatch.setattr(listops, "SIZES", {"train": 900, "validation": 300, "test": 300})
    found = {split: listops.expressions("tiny", split, count)[0] for split, count in listops.SIZES.items()}
    everything = [symbols for each in found.values() for symbols in each]
    assert len(set(everything)) == len(everything) == 1500
    assert listops.expressions("tiny", "train", 7)[0] == found["train"][:7]
    symbols, values = listops.expressions("tiny", "test", 5)
    assert values == [listops.value_of(each) for each in symbols]
