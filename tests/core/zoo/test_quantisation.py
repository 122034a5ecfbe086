"""Matrices as 8-bit integers with a scale for each row: how far off they are, and what is no such matrix."""

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from routescope.zoo.quantisation import (
    LARGEST,
    LARGEST_ERROR,
    LEAST_NUMBERS,
    SCALE,
    QuantisationError,
    dequantise,
    packed,
    quantise,
    unpacked,
)

DTYPES = (torch.float32, torch.float16, torch.float64)
SHAPES = st.lists(st.integers(1, 7), min_size=2, max_size=4)
LARGE = (64, 64)


@st.composite
def matrices(draw: st.DrawFn) -> Tensor:
    """Rows of very different sizes, some of one number, of zeros, or of one large number among small ones."""
    rows, *rest = draw(SHAPES)
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    values = generator.standard_normal((rows, *rest))
    for row in range(rows):
        kind = draw(st.sampled_from(("normal", "equal", "zero", "outlier")))
        if kind in ("equal", "zero"):
            values[row] = 1.5 if kind == "equal" else 0
        elif kind == "outlier":
            values[row].flat[0] = 1000
        values[row] *= 10.0 ** draw(st.integers(-45, 30))
    dtype = draw(st.sampled_from(DTYPES))
    largest = min(torch.finfo(dtype).max, torch.finfo(torch.float32).max)
    return torch.from_numpy(values).clamp(-largest, largest).to(dtype)


@settings(max_examples=200, deadline=None)
@given(matrices())
def test_every_number_is_off_by_at_most_half_a_scale_of_its_row(weights: Tensor) -> None:
    integers, scales = quantise(weights)
    assert integers.dtype == torch.int8 and integers.shape == weights.shape
    assert scales.dtype == torch.float32 and scales.shape == weights.shape[:1]
    assert (scales > 0).all() and scales.isfinite().all()
    assert integers.min() >= -LARGEST, "as many numbers below 0 as above"
    again = dequantise(integers, scales)
    assert again.dtype == torch.float32 and again.shape == weights.shape
    off = (again.double() - weights.double()).abs().flatten(1)
    # Beside the rounding to integers: quotient and product are each rounded to single precision, numbers up to 127 s.
    allowed = scales.double()[:, None] * (0.5 + 2 * LARGEST * 2.0**-23)
    assert (off <= allowed).all()


@settings(max_examples=50, deadline=None)
@given(matrices())
def test_what_was_rounded_once_stays(weights: Tensor) -> None:
    again = dequantise(*quantise(weights))
    torch.testing.assert_close(dequantise(*quantise(again)), again, rtol=1e-6, atol=0)


def test_known_numbers() -> None:
    integers, scales = quantise(torch.tensor([[127.0, -63.4, 0.4], [0.0, 0.0, 0.0], [-2.54, 1.27, 0.0]]))
    assert integers.tolist() == [[127, -63, 0], [0, 0, 0], [-127, 64, 0]]
    assert scales[0] == 1 and scales[2] == pytest.approx(0.02)
    assert dequantise(integers, scales)[1].tolist() == [0, 0, 0]


def test_only_large_matrices_that_lose_little_become_integers() -> None:
    generator = torch.Generator().manual_seed(0)
    normal = torch.randn(*LARGE, generator=generator)
    lost = torch.randn(16, 1024, generator=generator)
    lost[:, 0] = 100  # which the scale of its row follows
    state = {
        "weight": normal,
        "filters": torch.randn(16, 8, 7, 7, generator=generator),
        "half": normal.half(),
        "lost": lost,
        "bias": torch.randn(2 * LEAST_NUMBERS, generator=generator),
        "small": normal[:-1],
        "counts": torch.ones(*LARGE, dtype=torch.int64),
        "not finite": normal.clone().fill_diagonal_(float("inf")),
        "none": torch.zeros(*LARGE),
    }
    assert normal.numel() == LEAST_NUMBERS
    found = packed(state)
    changed = [name for name in state if found[name].dtype == torch.int8]
    assert changed == ["weight", "filters", "half"]
    assert set(found) == {*state, *(name + SCALE for name in changed)}
    assert all(found[name] is state[name] for name in state if name not in changed)
    again = unpacked(found)
    assert list(again) == list(state)
    for name in changed:
        error = (again[name] - state[name]).norm() / state[name].float().norm()
        assert again[name].dtype == torch.float32 and 0 < error < LARGEST_ERROR
    assert all(again[name] is state[name] for name in state if name not in changed)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({SCALE: None}, "weight holds 8-bit integers without scales"),
        ({SCALE: torch.ones(63)}, "no number in single precision for each row of weight"),
        ({SCALE: torch.ones(64, 1)}, "no number in single precision for each row"),
        ({SCALE: torch.ones(())}, "no number in single precision for each row"),
        ({SCALE: torch.ones(64, dtype=torch.float16)}, "no number in single precision for each row"),
        ({SCALE: torch.ones(64, dtype=torch.int8)}, "no number in single precision for each row"),
        ({SCALE: torch.full((64,), float("nan"))}, "not finite and above 0"),
        ({SCALE: torch.full((64,), float("inf"))}, "not finite and above 0"),
        ({SCALE: torch.zeros(64)}, "not finite and above 0"),
        ({SCALE: -torch.ones(64)}, "not finite and above 0"),
        ({"": torch.ones(64, 64)}, r"weight\.scale holds scales, but weight no 8-bit integers"),
        ({"": torch.tensor(1, dtype=torch.int8), SCALE: torch.tensor(1.0)}, "no number in single precision"),
    ],
)
def test_scales_that_are_none_are_refused(changes: dict[str, Any], reason: str) -> None:
    state = packed({"weight": torch.randn(*LARGE, generator=torch.Generator().manual_seed(0))})
    for name, tensor in changes.items():
        state["weight" + name] = tensor
    with pytest.raises(QuantisationError, match=reason):
        unpacked({name: tensor for name, tensor in state.items() if tensor is not None})
