"""Multiplexer, FNNR, MFNNR and SMFR: the paper's parameter counts, and what holds whatever the weights are."""

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.nn.blocks.operations import SMFR, Present, Steering, regularisation

#: Table 6: attention, depth, width, hidden layers of the contained FNNs, parameters.
TABLE_6 = [
    ("softmax", 1, 9, 2, 95364),
    ("softmax", 1, 5, 1, 36096),
    ("softmax", 1, 10, 1, 59681),
    ("softmax", 2, 10, 1, 111091),
    ("softmax", 2, 9, 2, 160944),
    ("softmax", 2, 5, 2, 119976),
    ("gumbel", 1, 8, 1, 50249),
    ("gumbel", 1, 6, 1, 40815),
]


def smfr(depth: int = 2, width: int = 3, **changes: Any) -> SMFR:
    torch.manual_seed(0)
    return SMFR(4, 2, 6, depth, width, hidden=12, **changes).double().eval()


def samples(count: int = 5, blocks: int = 4, seed: int = 1) -> torch.Tensor:
    return torch.randn(count, blocks, 6, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


@pytest.mark.parametrize(("attention", "depth", "width", "layers", "parameters"), TABLE_6)
def test_sizes_are_those_of_table_6(attention: Any, depth: int, width: int, layers: int, parameters: int) -> None:
    model = SMFR(5, 1, 10, depth, width, layers=layers, attention=attention)
    assert sum(p.numel() for p in model.parameters()) == parameters


def test_regularisation_leaves_out_what_does_not_exist() -> None:
    present = torch.tensor([True, False, True])
    passed = smfr(depth=1)(samples(), present=present)[1]
    far = [each._replace(weight_logits=each.weight_logits + 25, gate_logits=each.gate_logits) for each in passed]
    expected = torch.zeros((), dtype=torch.float64)
    for each, rows, columns in ((far[0], slice(None), present), (far[1], present, slice(None))):
        expected += (each.weight_logits[:, rows][:, :, columns] - 20).clamp(min=0).square().mean()
    torch.testing.assert_close(regularisation(far), expected)


kept_blocks = st.lists(st.sets(st.integers(0, 2)), min_size=2, max_size=2)


@settings(max_examples=25, deadline=None)
@given(kept=kept_blocks, attention=st.sampled_from(["softmax", "gumbel"]), context=st.booleans())
def test_sliced_is_the_same_as_absent(kept: list[set[int]], attention: Any, context: bool) -> None:
    """What is neither made nor read leaves no trace: as if its weight were zero and its numbers nobody's."""
    model, x = smfr(attention=attention, context=context), samples()
    first, second = (tuple(sorted(level)) for level in kept)
    sliced = model(x, steering=[Steering(None, first), Steering(first, second), Steering(second, None)])[0]
    there = [torch.tensor([n in level for n in range(3)]) for level in kept]
    if not all(kept):  # a softmax over nothing: every weight is zero instead
        assert torch.isfinite(sliced).all()
        return
    blocks = model.mfnnr[0](x, present=Present(None, there[0])).blocks
    blocks = model.mfnnr[1](blocks, present=Present(there[0], there[1])).blocks
    torch.testing.assert_close(sliced, model.mfnnr[2](blocks, present=Present(there[1], None)).blocks)


def test_an_absent_block_gets_no_gradient() -> None:
    model, present = smfr(depth=1).train(), torch.tensor([True, True, False])
    model(samples(), present=present)[0].square().sum().backward()
    last = model.mfnnr[0].fnnr.fnn.linear[-1]
    assert last.weight.grad[12:18].abs().sum() == 0 and last.weight.grad[20].abs().sum() == 0
    assert last.weight.grad[:12].abs().sum() > 0
    read = model.mfnnr[1].multiplexer.fnn.linear[0].weight.grad
    assert read[:, 12:].abs().sum() == 0 and read[:, :12].abs().sum() > 0


def test_an_absent_block_leaves_the_temperature_its_gradient() -> None:
    model, present = smfr(depth=1, attention="gumbel").train(), torch.tensor([True, True, False])
    model(samples(64), present=present)[0].square().sum().backward()
    for mfnnr in model.mfnnr:
        slope = mfnnr.multiplexer.log_temperature.grad
        assert torch.isfinite(slope) and slope != 0
