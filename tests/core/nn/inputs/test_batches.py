"""Batches of every kind: any rows of them in order, parts, devices, and refusals of fields of other types."""

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.data.kinds.kind import kinds
from routescope.nn.inputs.blocks import Blocks
from routescope.nn.inputs.kind import Inputs, strings
from routescope.nn.inputs.matrices import Matrices, swapped
from routescope.nn.inputs.numbers import Numbers
from routescope.nn.inputs.pictures import Pictures
from routescope.nn.inputs.points import Points, as_many
from routescope.nn.inputs.sequences import Bytes, Expressions
from routescope.nn.inputs.sets import Sets
from routescope.nn.inputs.statements import Statements
from routescope.nn.inputs.text import Text

IMAGES = torch.zeros(1, 2, 3, 4, 4)


def filled(count: int, *shape: int) -> torch.Tensor:
    """Samples that hold their own number everywhere."""
    return torch.arange(count).view(-1, *[1] * len(shape)).expand(count, *shape).clone()


def words(count: int) -> tuple[str, ...]:
    return tuple(f"sample {i}" for i in range(count))


#: Kind -> a batch whose samples hold their own number in every field.
BATCHES: dict[type[Inputs], Any] = {
    Text: lambda count: Text(words(count), tuple((i,) for i in range(count))),
    Statements: lambda count: Statements(
        filled(count, 2, 3, 2, 2).float(), words(count), filled(count, 2, 1, 4).float()
    ),
    Bytes: lambda count: Bytes(filled(count, 3)),
    Expressions: lambda count: Expressions(filled(count, 3)),
    Numbers: lambda count: Numbers(filled(count, 5).float()),
    Pictures: lambda count: Pictures(filled(count, 3, 2, 2).float()),
    Points: lambda count: Points(filled(count, 4, 3).float()),
    Matrices: lambda count: Matrices(filled(count, 16, 2, 2).float(), filled(count)),
    Sets: lambda count: Sets(filled(count, 3, 2).float()),
    Blocks: lambda count: Blocks(filled(count, 2, 4).float(), filled(count, 3, 4).float(), filled(count)),
}
STRINGS = {Text: Text, Statements: lambda sentences: Statements(IMAGES, sentences)}


def numbers_in(batch: Inputs) -> list[int]:
    """The samples of a batch, which all of its fields must agree about."""
    fields = [field for field in vars(batch).values() if field is not None]
    found = [
        [int(value.float().mean()) for value in field]
        if isinstance(field, torch.Tensor)
        else [int(str(value).strip("(,)").removeprefix("sample ")) for value in field]
        for field in fields
    ]
    assert all(numbers == found[0] for numbers in found) and len(batch) == len(found[0])
    return found[0]


def test_every_kind_is_tried_and_registered() -> None:
    def below(base: type[Inputs]) -> set[type[Inputs]]:
        return {base, *(deeper for kind in base.__subclasses__() for deeper in below(kind))}

    named = {kind for kind in below(Inputs) if "kind" in vars(kind) and kind.__module__.startswith("routescope.")}
    assert named == set(BATCHES)
    assert {kind.batch for kind in kinds().values()} >= set(BATCHES)


@pytest.mark.parametrize("kind", BATCHES, ids=lambda kind: kind.kind)
@settings(deadline=None, max_examples=10)
@given(count=st.integers(0, 9), size=st.integers(1, 7), data=st.data())
def test_rows_and_parts_are_those_asked_for_in_their_order(
    kind: type[Inputs], count: int, size: int, data: st.DataObject
) -> None:
    samples = BATCHES[kind](count)
    rows = data.draw(st.lists(st.integers(0, count - 1))) if count else []
    for form in (rows, torch.tensor(rows, dtype=torch.long), tuple(rows)):
        assert numbers_in(samples[form]) == rows
    mask = torch.tensor([i in rows for i in range(count)], dtype=torch.bool)
    assert numbers_in(samples[mask]) == sorted(set(rows))
    start, stop = data.draw(st.integers(-12, 12)), data.draw(st.none() | st.integers(-12, 12))
    assert numbers_in(samples[start:stop]) == list(range(count))[start:stop]
    parts = list(samples.split(size))
    assert [i for part in parts for i in numbers_in(part)] == list(range(count))
    assert len(parts) == max(1, -(-count // size)) and all(len(part) <= size for part in parts)
    assert numbers_in(samples.to("cpu")) == list(range(count))
    if samples.row_shapes is not None and samples[:1].row_shapes == samples.row_shapes:
        assert numbers_in(samples.joined([samples[:1], samples])) == [*range(count), *range(count)[:1], *range(count)]


@pytest.mark.parametrize("kind", STRINGS, ids=lambda kind: kind.kind)
def test_one_string_is_one_sample_and_others_are_type_errors(kind: type[Inputs]) -> None:
    for one in ("hello", ("hello",), ["hello"], {"hello": 1}.keys()):
        made = STRINGS[kind](one)
        assert len(made) == 1 and ("hello",) in vars(made).values()
    for other in (["a", 3], [b"a"], b"a", 3, None, [["a"]]):
        with pytest.raises(TypeError):
            STRINGS[kind](other)
        with pytest.raises(TypeError, match="is a str, not"):
            strings(other, "text")


@pytest.mark.parametrize("kind", [kind for kind in BATCHES if kind not in STRINGS], ids=lambda kind: kind.kind)
@pytest.mark.parametrize("values", ["hello", ("hello", "you"), 3, None], ids=repr)
def test_other_kinds_take_tensors_alone(kind: Any, values: Any) -> None:
    with pytest.raises(TypeError):
        kind(*(values,) * (3 if kind is Blocks else 1))
    if hasattr(kind, "of") and values in ("hello", ("hello", "you")):
        with pytest.raises(TypeError, match="takes numbers of symbols"):
            kind.of(values)


def test_fields_are_of_as_many_samples() -> None:
    with pytest.raises(ValueError, match="2 sentences for 3 samples"):
        Statements(IMAGES.expand(3, -1, -1, -1, -1), ("one", "two"))
    with pytest.raises(ValueError, match="1 texts for 2 texts"):
        Text(("one", "two"), ((1,),))
    with pytest.raises((ValueError, TypeError), match="are of 2, 2 and 1 samples|typechecking parameter 'asked'"):
        Blocks(torch.zeros(2, 1, 1), torch.zeros(2, 1, 1), torch.zeros(1).long())


def test_shorter_sequences_are_padded_and_rows_are_cut_to_the_longest() -> None:
    batch = Expressions.of([(11, 2, 9, 14), (5,), (10, 1, 2, 3, 4, 14)])
    assert batch.values.tolist()[1] == [5, -1, -1, -1, -1, -1]
    assert batch.mask.sum(dim=1).tolist() == [4, 1, 6]
    assert batch[[1, 0]].values.tolist() == [[5, -1, -1, -1], [11, 2, 9, 14]]
    assert batch[[]].values.shape == (0, 0)
    assert batch.texts()[0] == ("[MAX ", "2 ", "9 ", "] ")
    assert Bytes.of([list(b"\xc3\xa9\n!")]).texts() == (("\\xc3", "\\xa9", "\n", "!"),)


def test_panels_are_swapped_and_missing_points_are_nan() -> None:
    values = torch.rand(2, 16, 20, 20, generator=torch.Generator().manual_seed(0))
    exchanged = swapped(values, 2, 9)
    assert torch.equal(exchanged[:, 2], values[:, 9]) and torch.equal(exchanged[:, 9], values[:, 2])
    assert torch.equal(swapped(exchanged, 2, 9), values)
    clouds = as_many(torch.randn(2, 4, 3), 6)
    assert clouds.shape == (2, 6, 3) and clouds[:, 4:].isnan().all() and clouds[:, :4].isfinite().all()
    assert as_many(clouds, 3).shape == (2, 3, 3)
