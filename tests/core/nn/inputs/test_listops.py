"""Expressions as people write them: what is read, and what is refused in which words."""

import pytest
import torch

from routescope.nn.inputs.kind import NotFromWriting
from routescope.nn.inputs.listops import MOST_SYMBOLS, SYMBOLS, Expressions, depths, parse, text_of


@pytest.mark.parametrize(
    "written",
    [
        "[MAX 2 9 [MIN 4 7 ] 0 ]",
        "[MAX 2 9 [MIN 4 7] 0]",
        "( ( ( ( [MAX 2 ) 9 ) ( ( [MIN 4 ) 7 ) ] ) 0 ) ]",
        "[max 2, 9, [ min 4,7],0]",
        "  [MAX\n2\t9[MIN 4 7]0]  ",
    ],
)
def test_an_expression_is_read_however_it_is_spaced(written: str) -> None:
    found = parse(written)
    assert text_of(found) == "[MAX 2 9 [MIN 4 7 ] 0 ]"
    assert [SYMBOLS[symbol] for symbol in found] == ["[MAX", "2", "9", "[MIN", "4", "7", "]", "0", "]"]
    assert list(depths(found)) == [1, 1, 1, 2, 2, 2, 2, 1, 1]


def test_other_names_of_operators_and_a_single_digit_are_read() -> None:
    for name in ("SM", "SUM_MOD", "sum-mod", "SUMMOD"):
        assert text_of(parse(f"[{name} 1 2]")) == "[SM 1 2 ]"
    assert text_of(parse("[MEDIAN 1]")) == "[MED 1 ]"
    assert parse("7") == (7,)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("[MAX 2 [MIN 4 7 ]", "the list [MAX that begins at symbol 1 does not end"),
        ("[MAX 2 [MIN 4 7", "[MIN that begins at symbol 3 does not end, nor do 1 around it"),
        ("[MAX 2 ] ]", "symbol 4, ']', follows the end of the expression"),
        ("] 2", "symbol 1 is a ] that ends no list"),
        ("[MAX ]", "begins at symbol 1 has no members"),
        ("[AVG 1 2 ]", "symbol 1: 'AVG' is no operator"),
        ("[ 1 2 ]", "a [ without an operator"),
        ("[MAX 12 3 ]", "symbol 2, '12', is neither a digit from 0 to 9 nor a bracket"),
        ("[MAX -1 3 ]", "symbol 2, '-1'"),
        ("1 2", "symbol 2, '2', follows the end"),
        ("", "nothing is written"),
        (" ( ) ", "nothing is written"),
    ],
)
def test_what_is_no_expression_is_refused_in_words(written: str, said: str) -> None:
    with pytest.raises(NotFromWriting) as caught:
        parse(written)
    assert said in str(caught.value)
    assert "[MAX 2 9 [MIN 4 7 ] 0 ]" in str(caught.value), "it says what would be accepted"
    with pytest.raises(NotFromWriting):
        Expressions.from_writing(written)


def test_length_and_depth_have_limits_that_do_not_break_anything() -> None:
    longest = "[SM " + "1 " * (MOST_SYMBOLS - 2) + "]"
    assert len(parse(longest)) == MOST_SYMBOLS
    with pytest.raises(NotFromWriting, match="longer than 2,000 symbols"):
        parse("[SM " + "1 " * (MOST_SYMBOLS - 1) + "]")
    deep = "[MIN " * 900 + "3 " + "] " * 900
    assert max(depths(parse(deep))) == 900
    with pytest.raises(NotFromWriting, match="longer than"):
        parse("[MIN " * 3_000_000)  # 15 MB


def test_a_batch_has_padding_that_rows_without_longer_ones_lose() -> None:
    batch = Expressions.of([parse("[MAX 2 9 ]"), parse("5"), parse("[MIN 1 2 3 4 ]")])
    assert batch.values.tolist()[1] == [5, -1, -1, -1, -1, -1]
    assert batch.there.sum(dim=1).tolist() == [4, 1, 6]
    assert batch[[1, 0]].values.tolist() == [[5, -1, -1, -1], [11, 2, 9, 14]]
    assert batch[torch.tensor([1])].values.tolist() == [[5]]
    assert batch[[]].values.shape == (0, 0) and len(batch[:0]) == 0
    assert batch.texts()[0] == ("[MAX ", "2 ", "9 ", "] ")
    assert [each.as_written() for each in batch.split(1)] == ["[MAX 2 9 ]", "5", "[MIN 1 2 3 4 ]"]
    assert batch.table().rows[2] == (2, "9", 1)
