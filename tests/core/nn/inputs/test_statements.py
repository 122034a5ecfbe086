"""Batches of pictures with sentences: any rows of them, in order, and none lost."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.nn.inputs.statements import Statements


def batch(count: int) -> Statements:
    """Samples whose pictures hold their own number."""
    images = torch.arange(count).float()[:, None, None, None, None].expand(-1, 2, 3, 2, 2)
    return Statements(images, tuple(f"sample {i}" for i in range(count)))


def numbers(found: Statements) -> list[int]:
    """Which samples these are, by their pictures and by their sentences."""
    by_picture = [int(image.mean()) for image in found.images]
    assert found.sentences == tuple(f"sample {i}" for i in by_picture)
    assert len(found) == len(by_picture)
    return by_picture


@settings(deadline=None)
@given(st.integers(0, 9), st.data())
def test_rows_are_those_asked_for_in_their_order(count: int, data: st.DataObject) -> None:
    samples = batch(count)
    rows = data.draw(st.lists(st.integers(0, count - 1))) if count else []
    for form in (rows, torch.tensor(rows, dtype=torch.long), tuple(rows)):
        assert numbers(samples[form]) == rows
    mask = torch.tensor([i in rows for i in range(count)], dtype=torch.bool)
    assert numbers(samples[mask]) == sorted(set(rows))
    start, stop = data.draw(st.integers(-12, 12)), data.draw(st.none() | st.integers(-12, 12))
    assert numbers(samples[start:stop]) == list(range(count))[start:stop]


@settings(deadline=None)
@given(st.integers(0, 20), st.integers(1, 7))
def test_parts_are_the_whole(count: int, size: int) -> None:
    parts = list(batch(count).split(size))
    assert [i for part in parts for i in numbers(part)] == list(range(count))
    assert len(parts) == max(1, -(-count // size))
    assert all(len(part) <= size for part in parts)
    assert batch(count).to("cpu").sentences == batch(count).sentences


def test_every_sample_has_a_sentence() -> None:
    with pytest.raises(ValueError, match="2 sentences for 3 samples"):
        Statements(batch(3).images, ("one", "two"))
