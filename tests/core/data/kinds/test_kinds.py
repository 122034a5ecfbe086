"""Kinds by their parts: texts that become samples and come back, tables, pictures, refusals and the registry."""

from typing import Any

import pytest
import torch

from routescope.data.kinds.kind import InvalidSample, Kind, Table, kind_of, kinds, register_kind
from routescope.data.kinds.listops import depths, parse
from routescope.nn.inputs.blocks import Blocks
from routescope.nn.inputs.matrices import Matrices
from routescope.nn.inputs.pictures import Pictures
from routescope.nn.inputs.sequences import MOST_BYTES, MOST_SYMBOLS, SYMBOLS, Bytes, Expressions
from routescope.nn.inputs.sets import Sets
from routescope.nn.inputs.statements import Statements
from routescope.nn.inputs.text import Text

EXPRESSION = "[MAX 2 9 [MIN 4 7 ] 0 ]"


@pytest.mark.parametrize(
    ("batch", "written", "symbols", "back"),
    [
        *(
            (Expressions, spaced, (11, 2, 9, 10, 4, 7, 14, 0, 14), EXPRESSION)
            for spaced in (
                EXPRESSION,
                "[MAX 2 9 [MIN 4 7] 0]",
                "( ( ( ( [MAX 2 ) 9 ) ( ( [MIN 4 ) 7 ) ] ) 0 ) ]",
                "[max 2, 9, [ min 4,7],0]",
                "  [MAX\n2\t9[MIN 4 7]0]  ",
            )
        ),
        *((Expressions, f"[{name} 1 2]", (13, 1, 2, 14), "[SM 1 2 ]") for name in ("SM", "SUM_MOD", "sum-mod")),
        (Expressions, "[MEDIAN 1]", (12, 1, 14), "[MED 1 ]"),
        (Expressions, "7", (7,), "7"),
        (Bytes, "A film.", tuple(b"A film."), "A film."),
        (Bytes, "Voilà\n— très bon", tuple("Voilà\n— très bon".encode()), "Voilà\n— très bon"),
        (Bytes, "x" * MOST_BYTES, (120,) * MOST_BYTES, "x" * MOST_BYTES),
    ],
)
def test_a_text_becomes_symbols_and_comes_back(batch: Any, written: str, symbols: tuple[int, ...], back: str) -> None:
    kind = kind_of(batch)
    sample = kind.from_text(written)
    assert isinstance(sample, batch) and sample.symbols(0) == symbols
    assert kind.to_text(sample) == back


@pytest.mark.parametrize(
    ("batch", "written", "words"),
    [
        (Expressions, "[MAX 2 [MIN 4 7 ]", "the list [MAX that begins at symbol 1 does not end"),
        (Expressions, "[MAX 2 [MIN 4 7", "[MIN that begins at symbol 3 does not end, nor do 1 around it"),
        (Expressions, "[MAX 2 ] ]", "symbol 4, ']', follows the end of the expression"),
        (Expressions, "] 2", "symbol 1 is a ] that ends no list"),
        (Expressions, "[MAX ]", "begins at symbol 1 has no members"),
        (Expressions, "[AVG 1 2 ]", "symbol 1: 'AVG' is no operator"),
        (Expressions, "[ 1 2 ]", "a [ without an operator"),
        (Expressions, "[MAX 12 3 ]", "symbol 2, '12', is neither a digit from 0 to 9 nor a bracket"),
        (Expressions, "[MAX -1 3 ]", "symbol 2, '-1'"),
        (Expressions, "1 2", "symbol 2, '2', follows the end"),
        (Expressions, "", "nothing is written"),
        (Expressions, " ( ) ", "nothing is written"),
        (Bytes, " \n", "the text is empty"),
        (Bytes, "é" * 2001, "4,002 bytes; up to 4,000 are accepted"),
        (Bytes, "x" * 10_000_000, "10,000,000 bytes; up to 4,000 are accepted"),
        (Text, "", "the text is empty; a sample is a text of at least one visible character"),
        (Pictures, "a picture", "a picture cannot be written"),
    ],
)
def test_other_texts_are_refused_with_what_is_accepted(batch: Any, written: str, words: str) -> None:
    with pytest.raises(InvalidSample) as refused:
        kind_of(batch).from_text(written)
    assert words in str(refused.value)
    assert batch is not Expressions or EXPRESSION in str(refused.value)


def test_length_and_depth_of_expressions_have_limits() -> None:
    longest = "[SM " + "1 " * (MOST_SYMBOLS - 2) + "]"
    assert len(parse(longest)) == MOST_SYMBOLS
    deep = "[MIN " * 900 + "3 " + "] " * 900
    assert max(depths(parse(deep))) == 900
    for longer in ("[SM " + "1 " * (MOST_SYMBOLS - 1) + "]", "[MIN " * 3_000_000):  # the last: 15 MB
        with pytest.raises(InvalidSample, match="longer than 2,000 symbols"):
            parse(longer)


def test_the_first_sample_is_shown_as_a_table() -> None:
    """Literally, for every kind without a test of its own."""
    ramp = torch.arange(12).float()
    symbols = [SYMBOLS[symbol] for symbol in parse(EXPRESSION)]
    for inputs, columns, rows in (
        (Text(("one\ntwo", "x")), ("line", "text"), [(1, "one"), (2, "two")]),
        (Text(("",)), ("line", "text"), [(1, "")]),
        (Bytes.of([list(b"one\ntwo")]), ("line", "text"), [(1, "one"), (2, "two")]),
        (
            Expressions.of([parse(EXPRESSION)]),
            ("place", "symbol", "lists around it"),
            [*zip(range(9), symbols, (1, 1, 1, 2, 2, 2, 2, 1, 1), strict=True)],
        ),
        (kind_of(kinds()["numbers"].batch).from_text("0.5, 1"), ("variable", "value"), [("a", 0.5), ("b", 1.0)]),
        (Statements(torch.zeros(1, 2, 3, 4, 4), "A red cat"), ("place", "word"), [(0, "A"), (1, "red"), (2, "cat")]),
        (
            Blocks(ramp.view(1, 4, 3), ramp.view(1, 4, 3), torch.zeros(1).long()),
            ("block", "number 1", "number 2", "number 3"),
            [(0, 0, 1, 2), (1, 3, 4, 5), (2, 6, 7, 8), (3, 9, 10, 11)],
        ),
        (
            Pictures(ramp.view(1, 3, 2, 2)),
            ("row", "channel 1", "channel 2", "channel 3"),
            [(0, 0.5, 4.5, 8.5), (1, 2.5, 6.5, 10.5)],
        ),
        (Sets(ramp.view(2, 3, 2)), ("element", "value 1", "value 2"), [(0, 0, 1), (1, 2, 3), (2, 4, 5)]),
        (Sets(ramp.view(4, 3)), ("element", "value 1"), [(0, 0), (1, 1), (2, 2)]),
    ):
        assert kind_of(inputs).table(inputs) == Table(columns, tuple(rows))


def test_a_picture_is_made_of_its_levels_and_other_kinds_say_what_they_are_made_of() -> None:
    levels = torch.randint(0, 256, (3, 32, 32), dtype=torch.uint8, generator=torch.Generator().manual_seed(0))
    codec = kind_of(Pictures).picture
    assert codec is not None and "PNG" in codec.words
    made = codec.decode(levels)
    assert isinstance(made, Pictures) and torch.equal((255 * made.values[0]).round().byte(), levels)
    for batch, words in {
        Blocks: "Blocks of numbers with a task indicator cannot be made from an upload",
        Text: "A text cannot be made from an upload; write one",
        Matrices: "A matrix of panels is no picture; it is made of .npz files",
        kinds()["points"].batch: "A cloud of points is no picture; it is made of .npy arrays",
    }.items():
        kind = kind_of(batch)
        assert kind.picture is None and kind.picture_refusal.startswith(words)


def test_a_kind_has_one_name() -> None:
    registered = kind_of(Sets)
    assert register_kind(registered) is registered
    with pytest.raises(ValueError, match="there is a kind of input 'sets' already"):
        register_kind(Kind(type("Others", (Sets,), {})))
