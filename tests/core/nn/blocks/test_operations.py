"""Multiplexer, FNNR, MFNNR and SMFR: the paper's parameter counts, and what holds whatever the weights are."""

import itertools
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.nn.blocks.operations import FNN, FNNR, MFNNR, SMFR, Multiplexer, Present, Steering, regularisation

#: Table 6: attention, depth, width, hidden layers of the contained FNNs, parameters; every architecture once.
TABLE_6 = [
    ("softmax", 1, 9, 2, 95364),
    ("softmax", 1, 5, 1, 36096),
    ("softmax", 1, 9, 1, 54964),
    ("softmax", 1, 8, 1, 50247),
    ("softmax", 1, 10, 1, 59681),
    ("softmax", 1, 7, 1, 45530),
    ("softmax", 1, 6, 1, 40813),
    ("softmax", 2, 10, 1, 111091),
    ("softmax", 1, 6, 2, 81213),
    ("softmax", 1, 8, 2, 90647),
    ("softmax", 1, 10, 2, 100081),
    ("softmax", 2, 9, 2, 160944),
    ("softmax", 2, 5, 2, 119976),
    ("gumbel", 1, 8, 1, 50249),
    ("gumbel", 1, 10, 1, 59683),
    ("gumbel", 1, 6, 1, 40815),
    ("gumbel", 1, 7, 1, 45532),
    ("gumbel", 1, 9, 1, 54966),
]
SIZES = {"M": 4, "N": 3, "s": 6, "hidden": 12, "layers": 1}


def smfr(depth: int = 2, width: int = 3, **changes: Any) -> SMFR:
    torch.manual_seed(0)
    return SMFR(4, 2, 6, depth, width, hidden=12, **changes).double().eval()


def samples(count: int = 5, blocks: int = 4, seed: int = 1) -> torch.Tensor:
    return torch.randn(count, blocks, 6, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


@pytest.mark.parametrize(("attention", "depth", "width", "layers", "parameters"), TABLE_6)
def test_sizes_are_those_of_table_6(attention: Any, depth: int, width: int, layers: int, parameters: int) -> None:
    model = SMFR(5, 1, 10, depth, width, layers=layers, attention=attention)
    assert sum(p.numel() for p in model.parameters()) == parameters


def test_sizes_of_bpmnist_are_about_four_million() -> None:
    model = SMFR(5, 1, 196, depth=1, width=4, hidden=400, layers=4)
    assert 3.8e6 < sum(p.numel() for p in model.parameters()) < 4.4e6


def test_without_context_the_fnnr_reads_its_own_blocks_alone() -> None:
    assert MFNNR(**SIZES).fnnr.fnn.linear[0].in_features == (3 + 4) * 6
    assert MFNNR(**SIZES, context=False).fnnr.fnn.linear[0].in_features == 3 * 6


def test_depth_is_the_number_of_hidden_levels() -> None:
    for depth, width in itertools.product(range(4), (1, 5)):
        made, passed = smfr(depth, width)(samples())
        assert [each.blocks.shape[-2] for each in passed] == [width] * depth + [2]
        assert made is passed[-1].blocks


def test_a_multiplexer_gives_weighted_means() -> None:
    torch.manual_seed(0)
    routed, weights, _ = Multiplexer(4, 3, 6, 12, 1, "softmax").double()(x := samples())
    assert (weights >= 0).all()
    torch.testing.assert_close(weights.sum(dim=-2), torch.ones(5, 3, dtype=torch.float64))
    assert (routed <= x.amax(dim=1, keepdim=True)).all() and (routed >= x.amin(dim=1, keepdim=True)).all()


def test_weights_depend_on_the_order_of_the_blocks() -> None:
    multiplexer = Multiplexer(**{**SIZES, "attention": "softmax"}).double()
    weights, turned = multiplexer(samples())[1], multiplexer(samples().flip(1))[1]
    assert not torch.allclose(weights.flip(-2), turned)


def test_gates_mix_new_and_routed_blocks() -> None:
    for each in smfr()(samples())[1]:
        g = each.gates[..., None]
        torch.testing.assert_close(each.blocks, g * each.computed + (1 - g) * each.routed)
        torch.testing.assert_close(each.gates, each.gate_logits.sigmoid())


def test_gumbel_picks_one_block_and_learns_from_all() -> None:
    torch.manual_seed(0)
    multiplexer = Multiplexer(**{**SIZES, "attention": "gumbel"}).double().train()
    x = samples(64)
    routed, weights, _ = multiplexer(x)
    hard = weights.detach()
    torch.testing.assert_close(hard.max(dim=-2).values, torch.ones_like(hard[:, 0]))
    torch.testing.assert_close(hard.sum(dim=-2), torch.ones_like(hard[:, 0]))
    routed.square().sum().backward()
    assert multiplexer.log_temperature is not None and multiplexer.log_temperature.grad is not None
    assert multiplexer.log_temperature.grad.abs() > 0
    assert multiplexer.fnn.linear[-1].weight.grad.abs().sum(dim=1).gt(0).all(), "a route that was not picked is deaf"
    assert not torch.equal(multiplexer(x)[1], multiplexer(x)[1]), "training draws no noise"


def test_gumbel_picks_as_often_as_the_softmax_says() -> None:
    multiplexer = Multiplexer(**{**SIZES, "attention": "gumbel"}).double().train()
    x = samples(1).expand(20_000, 4, 6)
    torch.manual_seed(0)
    with torch.no_grad():
        _, weights, logits = multiplexer(x)
    torch.testing.assert_close(weights.mean(dim=0), logits[0].softmax(dim=-2), atol=0.02, rtol=0)


def test_gumbel_evaluates_without_noise() -> None:
    multiplexer = Multiplexer(**{**SIZES, "attention": "gumbel"}).double().eval()
    routed, weights, logits = multiplexer(x := samples())
    assert torch.equal(weights.argmax(dim=-2), logits.argmax(dim=-2)) and set(weights.unique().tolist()) == {0.0, 1.0}
    assert torch.equal(routed, multiplexer(x)[0])


def test_regularisation_pulls_logits_beyond_twenty_back() -> None:
    model = smfr(depth=0)
    (passed,) = model(samples(1))[1]
    assert regularisation([passed]) == 0
    weight, gate = torch.zeros(1, 4, 2, dtype=torch.float64), torch.zeros(1, 2, dtype=torch.float64)
    weight[0, 1, 1], gate[0, 0] = 23.0, -24.0
    weight.requires_grad_()
    loss = regularisation([passed._replace(weight_logits=weight, gate_logits=gate)])
    torch.testing.assert_close(loss, torch.tensor(9 / 8 + 16 / 2, dtype=torch.float64))
    loss.backward()
    assert weight.grad is not None and weight.grad[0, 1, 1] == 2 * 3 / 8 and weight.grad.count_nonzero() == 1


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


def test_a_muted_route_is_renormalised() -> None:
    model, x = smfr(depth=0), samples()
    plain = model(x)[1][0].weights
    muted = model(x, steering=[Steering(muted=frozenset({(1, 0), (3, 0)}))])[1][0].weights
    assert (muted[:, [1, 3], 0] == 0).all() and torch.equal(muted[..., 1], plain[..., 1])
    torch.testing.assert_close(muted[:, [0, 2], 0], plain[:, [0, 2], 0] / plain[:, [0, 2], 0].sum(dim=1, keepdim=True))
    every = frozenset((m, 0) for m in range(4))
    (silent,) = model(x, steering=[Steering(muted=every)])[1]
    assert (silent.weights[..., 0] == 0).all() and (silent.routed[:, 0] == 0).all()


@pytest.mark.parametrize("attention", ["softmax", "gumbel"])
def test_a_forced_copy_is_bitwise(attention: Any) -> None:
    model, x = smfr(depth=0, attention=attention), samples()
    made, (passed,) = model(x, steering=[Steering(copies=((2, 1),))])
    assert torch.equal(made[:, 1], x[:, 2]) and (passed.gates[:, 1] == 0).all()
    assert torch.equal(passed.weights[..., 0], model(x)[1][0].weights[..., 0])


def test_a_fixed_gate_wins_over_that_of_a_copy() -> None:
    model, x = smfr(depth=0), samples()
    (passed,) = model(x, steering=[Steering(copies=((2, 1),), gates=((1, 0.25),))])[1]
    torch.testing.assert_close(passed.blocks[:, 1], 0.25 * passed.computed[:, 1] + 0.75 * x[:, 2])


def test_a_silent_block_is_zeros_and_keeps_its_weight() -> None:
    model, x = smfr(depth=1), samples()
    passed = model(x, steering=[Steering(silent=frozenset({1})), Steering()])[1]
    assert (passed[0].blocks[:, 1] == 0).all() and (passed[1].weights[:, 1] > 0).all()


def test_without_hidden_layers_an_fnn_is_linear() -> None:
    torch.manual_seed(0)
    fnn = FNN(5, 3, layers=0).double()
    x = torch.randn(4, 5, dtype=torch.float64)
    torch.testing.assert_close(fnn(2 * x) - fnn(x), fnn(x) - fnn(0 * x))


def test_an_fnnr_gives_blocks_and_gates_from_one_layer() -> None:
    fnnr = FNNR(3, 2, 6, 12, 1)
    assert fnnr.fnn.linear[-1].out_features == 3 * 6 + 3
    new, gates = fnnr(torch.zeros(2, 3, 6), torch.zeros(2, 2, 6))
    assert new.shape == (2, 3, 6) and gates.shape == (2, 3)
