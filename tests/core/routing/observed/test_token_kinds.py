"""Kinds of tokens and the experts that they take, against loops over tokens; cases in which shuffles say much."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.nn.experts import NO_EXPERT
from routescope.routing.observed import token_kinds
from routescope.routing.observed.experts import alike, joint, quantiles
from routescope.routing.observed.token_kinds import MOST_KINDS, KindCounter

START = "<start>"


def counted(texts: list[str], of: dict[str, list[int]], experts: int = 3, shuffles: int = 60) -> KindCounter:
    """Texts whose every token takes the experts of its kind, at one layer; the start takes one that no other does."""
    counter = KindCounter(1, experts, shuffles, seed=2)
    longest = max(map(len, texts)) + 2
    taken = np.full((len(texts), longest, 2), np.nan)
    for row, text in enumerate(texts):
        taken[row, 0] = experts - 1, NO_EXPERT
        for at, letter in enumerate(text):
            part = [*of[letter], NO_EXPERT][:2]
            taken[row, at + 1, : len(part)] = part
    counter.add([(START, *text) for text in texts], [taken])
    return counter


def literal_specialisation(experts: np.ndarray, labels: np.ndarray) -> float:
    """Mutual information of expert and label over the smaller entropy, from lists of what was chosen."""
    pairs = [(expert, label) for row, label in zip(experts, labels, strict=True) for expert in row if expert >= 0]

    def entropy(values: list) -> float:
        return -sum(n / len(values) * math.log(n / len(values)) for n in Counter(values).values())

    first, second = entropy([expert for expert, _ in pairs]), entropy([label for _, label in pairs])
    return (first + second - entropy(pairs)) / min(first, second)


def test_shares_are_those_of_a_loop_and_neither_starts_nor_padding_count() -> None:
    texts = ["aab", "abca", "b"]
    of = {"a": [0], "b": [0, 1], "c": [1]}
    result = counted(texts, of).result()
    letters = "".join(texts)
    assert (result.kinds, result.tokens, result.distinct) == (("a", "b", "c"), 8, 3)
    assert result.counts.tolist() == [letters.count(item) for item in "abc"]
    for kind, expert in itertools.product(range(3), range(3)):
        part = of["abc"[kind]]
        assert result.share[0, expert, kind] == (part.count(expert) / len(part))
    assert (result.low <= result.high).all()
    experts = np.array([[*of[letter], NO_EXPERT][:2] for letter in letters])
    labels = np.array(["abc".index(letter) for letter in letters])
    assert result.specialised[0] == pytest.approx(literal_specialisation(experts, labels))
    np.testing.assert_allclose(result.alike[0], alike(experts, labels, 3))
    assert np.isnan(result.alike[0, 2]).all(), "it took starts alone"


def test_a_kind_that_decides_is_beyond_both_shuffles() -> None:
    result = counted(["abababab" * 4] * 6, {"a": [0], "b": [1]}).result()
    assert result.specialised[0] == pytest.approx(1.0)
    assert result.null[0] < 0.05 and result.within_high[0] < 0.1 and result.null[0] <= result.null_high[0]
    assert result.share[0, 0, 0] == 1.0 > result.high[0, 0, 0] and result.share[0, 0, 1] == 0.0 < result.low[0, 0, 1]


def test_what_texts_are_about_is_no_specialisation_by_token_within_them() -> None:
    """Half of the texts have one kind of token alone: it tells its expert, and so does the text."""
    result = counted(["a" * 40, "b" * 40] * 3, {"a": [0], "b": [1]}).result()
    assert result.specialised[0] == pytest.approx(1.0) and result.null_high[0] < 0.1
    assert result.within[0] == result.within_high[0] == pytest.approx(1.0)
    np.testing.assert_allclose(result.low, result.share)
    np.testing.assert_allclose(result.high, result.share)


def test_rare_kinds_are_one_kind() -> None:
    every = [chr(0x4E00 + n) for n in range(MOST_KINDS + 40)]
    text = "".join(kind * 2 if at < MOST_KINDS else kind for at, kind in enumerate(every))
    counter = counted([text], {kind: [at % 2] for at, kind in enumerate(every)}, shuffles=2)
    result = counter.result()
    assert result.distinct == MOST_KINDS + 40 and set(result.counts) == {2} and len(result.kinds) == counter.told == 30
    last = [at % 2 for at in range(MOST_KINDS, MOST_KINDS + 40)]
    experts = np.array([[at % 2] for at in range(MOST_KINDS) for _ in range(2)] + [[item] for item in last])
    labels = np.array([at for at in range(MOST_KINDS) for _ in range(2)] + [MOST_KINDS] * 40)
    assert result.specialised[0] == pytest.approx(literal_specialisation(experts, labels))


def test_an_iteration_is_a_shuffle_and_may_be_left_and_taken_up_again() -> None:
    texts, of = ["abcab", "bca"], {"a": [0], "b": [0, 1], "c": [1]}
    whole, apart = counted(texts, of, shuffles=5), counted(texts, of, shuffles=5)
    assert list(whole) == [(done, 5) for done in range(1, 6)] and list(whole) == []
    for done, _ in apart:
        if done == 2:
            break
    left, other = whole.result(), apart.result()
    assert apart.done == 5
    np.testing.assert_array_equal(left.low, other.low)
    np.testing.assert_array_equal(left.within, other.within)


def test_of_many_choices_there_are_fewer_shuffles_and_of_no_token_no_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts, of = ["abcab", "bca"], {"a": [0], "b": [0, 1], "c": [1]}  # 8 tokens of 2 slots
    monkeypatch.setattr(token_kinds, "MOST_COUNTED", 16 * 50)
    assert list(counted(texts, of, shuffles=60))[-1] == (50, 50) == (counted(texts, of, shuffles=60).times,) * 2
    assert counted(texts, of, shuffles=45).result().shuffles == 45
    monkeypatch.setattr(token_kinds, "MOST_HELD", 3 * 3 * 44 + 1)  # experts by kinds
    assert counted(texts, of, shuffles=60).result().shuffles == 44
    monkeypatch.setattr(token_kinds, "MOST_COUNTED", 16)
    few = counted(texts, of, shuffles=60).result()
    assert few.shuffles == 40 and (few.low <= few.high).all() and few.null[0] > 0
    nothing = KindCounter(2, 3, 4, seed=0)
    nothing.add([(START,), ()], [np.full((2, 1, 2), np.nan)] * 2)
    none = nothing.result()
    assert none.kinds == () and none.share.shape == (2, 3, 0) and none.tokens == 0
    assert np.isnan([*none.specialised, *none.null, *none.within_high]).all()


E = 4


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_counts_are_those_of_a_loop_over_tokens(seed: int) -> None:
    rng = np.random.default_rng(seed)
    experts, labels = np.stack([rng.permutation(E)[:2] for _ in range(30)]).astype(np.int16), rng.integers(0, 3, 30)
    experts[rng.random(30) < 0.2, 1] = NO_EXPERT
    counts = np.zeros((E, int(labels.max()) + 1))
    for token, row in enumerate(experts.tolist()):
        for expert in row:
            if expert != NO_EXPERT:
                counts[expert, labels[token]] += 1
    assert np.array_equal(joint(experts, labels, E), counts)


def test_experts_are_alike_that_take_the_same_kinds_of_tokens() -> None:
    experts = np.array([[0], [1], [0], [1], [2], [2]])
    labels = np.array([0, 0, 1, 1, 5, 5])
    likeness = alike(experts, labels, E)
    assert abs(likeness[0, 1] - 1) < 1e-12 and abs(likeness[0, 2]) < 1e-12 and np.isnan(likeness[3]).all()
    half = alike(np.array([[0], [0], [1]]), np.array([0, 1, 0]), 2)[0, 1]
    bits = -(0.75 * math.log2(0.75) + 0.25 * math.log2(0.25)) - 0.5
    assert abs(half - (1 - math.sqrt(bits))) < 1e-12


def test_ends_of_draws_leave_out_those_without_a_figure() -> None:
    drawn = np.random.default_rng(2).normal(size=(41, 5, 6))
    drawn[np.random.default_rng(3).random(drawn.shape) < 0.4] = np.nan
    drawn[1:, 0, 0] = drawn[:, 0, 1] = np.nan
    drawn[0, 0, 0] = 0.5
    low, high = quantiles(drawn)
    kept = ~np.isnan(drawn).all(axis=0)
    expected = np.nanquantile(drawn[:, kept], (0.025, 0.975), axis=0)
    np.testing.assert_allclose((low[kept], high[kept]), expected, rtol=1e-12)
    assert np.isnan(low[0, 1]) and np.isnan(high[0, 1]) and kept.sum() == 29
