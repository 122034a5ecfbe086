"""Kinds of inputs that take strings: one string is one sample, and anything else than strings or tensors is refused."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest
import torch

from routescope.nn.inputs import (
    blocks,
    bytes,
    kind,
    listops,
    matrices,
    numbers,
    pictures,
    points,
    sets,
    statements,
    text,
)
from routescope.nn.inputs.kind import Inputs

IMAGES = torch.zeros(1, 2, 3, 4, 4)
#: Kind -> how it is made of strings; of kinds that are made of tensors alone, None.
OF_STRINGS: dict[type[Inputs], Callable[[Any], Inputs] | None] = {
    text.Text: text.Text,
    statements.Statements: lambda strings: statements.Statements(IMAGES, strings),
    bytes.Bytes: None,
    listops.Expressions: None,
    numbers.Numbers: None,
    pictures.Pictures: None,
    points.Points: None,
    matrices.Matrices: None,
    sets.Sets: None,
    blocks.Blocks: None,
}
STRINGS = {kind_: make for kind_, make in OF_STRINGS.items() if make is not None}


def kinds_below(base: type[Inputs]) -> set[type[Inputs]]:
    found = {base, *(deeper for own in base.__subclasses__() for deeper in kinds_below(own))}
    return {own for own in found if own.__module__.startswith("routescope.") and not inspect.isabstract(own)}


def test_the_table_has_every_kind() -> None:
    assert kinds_below(Inputs) == set(OF_STRINGS)


@pytest.mark.parametrize("own", STRINGS, ids=lambda own: own.kind)
@pytest.mark.parametrize("strings", ["hello", ("hello",), ["hello"], {"hello": 1}.keys()], ids=repr)
def test_one_string_is_one_sample(own: type[Inputs], strings: Any) -> None:
    made = STRINGS[own](strings)
    assert len(made) == 1 and ("hello",) in vars(made).values()
    assert len(made[[0, 0]]) == 2


@pytest.mark.parametrize("own", STRINGS, ids=lambda own: own.kind)
@pytest.mark.parametrize("strings", [["a", 3], [b"a"], b"a", 3, None, [["a"]]], ids=repr)
def test_what_is_no_string_is_a_type_error(own: type[Inputs], strings: Any) -> None:
    with pytest.raises(TypeError):
        STRINGS[own](strings)
    with pytest.raises(TypeError, match="is a str, not"):
        kind.strings(strings, "text")


@pytest.mark.parametrize("own", [own for own in OF_STRINGS if own not in STRINGS], ids=lambda own: own.kind)
@pytest.mark.parametrize("values", ["hello", ("hello", "you"), 3, None], ids=repr)
def test_other_kinds_take_tensors_alone(own: type[Inputs], values: Any) -> None:
    arguments = (values,) * (3 if own is blocks.Blocks else 1)
    with pytest.raises(TypeError):
        own(*arguments)


@pytest.mark.parametrize("own", [bytes.Bytes, listops.Expressions], ids=lambda own: own.kind)
@pytest.mark.parametrize("values", ["hello", ["hello"]], ids=repr)
def test_sequences_are_of_numbers(own: Any, values: Any) -> None:
    with pytest.raises(TypeError):
        own.of(values)


def test_sentences_are_as_many_as_pictures() -> None:
    with pytest.raises(ValueError, match="1 sentences for 2 samples"):
        statements.Statements(IMAGES.expand(2, -1, -1, -1, -1), "one string is one sentence")
