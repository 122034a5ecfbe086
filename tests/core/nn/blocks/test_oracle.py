"""The network of blocks against the paper's words, its sizes, and blocks that are left out."""

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from routescope.nn.blocks.config import SMFRConfig
from routescope.nn.blocks.network import BlockNetwork
from routescope.nn.blocks.operations import SMFR, Passed, Present, Steering, regularisation
from routescope.nn.blocks.routes import route_of
from routescope.nn.inputs.blocks import Blocks
from tests.oracles import block_operations as oracle

#: Sizes of M, N, s, depth, width, hidden, layers; no two need be equal.
SIZES = st.tuples(
    st.integers(1, 4),
    st.integers(1, 3),
    st.integers(1, 5),
    st.integers(0, 3),
    st.integers(1, 4),
    st.integers(1, 6),
    st.integers(0, 3),
)


def exactly(a: Any, b: Any) -> None:
    torch.testing.assert_close(a, b, rtol=1e-9, atol=1e-9)


def wild(module: torch.nn.Module, seed: int, size: float = 0.6) -> dict[str, Tensor]:
    """Parameters that make weights and gates sharp; returned by their names."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(size * torch.randn(parameter.shape, generator=generator, dtype=parameter.dtype))
    return {name: parameter.detach() for name, parameter in module.named_parameters()}


def samples(count: int, M: int, s: int, seed: int) -> Tensor:
    return torch.randn(count, M, s, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def same(passed: list[Passed], seen: list[list[oracle.Seen]]) -> None:
    """Everything that every MFNNR did, of every sample."""
    for row, sample in enumerate(seen):
        for got, wanted in zip(passed, sample, strict=True):
            for field in ("routed", "computed", "blocks", "gates", "gate_logits"):
                exactly(getattr(got, field)[row], torch.stack(getattr(wanted, field)))
            for field in ("weights", "weight_logits"):
                exactly(getattr(got, field)[row], torch.stack([torch.stack(m) for m in getattr(wanted, field)]))


@given(SIZES, st.booleans(), st.sampled_from(["softmax", "gumbel"]), st.integers(0, 2**31))
@settings(max_examples=15, deadline=None)
def test_every_weight_gate_and_block(sizes: tuple[int, ...], context: bool, attention: Any, seed: int) -> None:
    network = SMFR(*sizes, attention, context).double().eval()
    weights, x = wild(network, seed), samples(2, sizes[0], sizes[2], seed)
    made, passed = network(x)
    seen = [oracle.smfr(weights, list(sample), network.sizes, context) for sample in x]
    same(passed, seen)
    exactly(made, torch.stack([torch.stack(sample[-1].blocks) for sample in seen]))
    exactly(regularisation(passed).item(), oracle.regularisation(seen))


@given(SIZES, st.integers(0, 2**31))
@settings(max_examples=10, deadline=None)
def test_logits_that_are_too_large(sizes: tuple[int, ...], seed: int) -> None:
    M, N, s, depth, width, hidden, layers = sizes
    network = SMFR(M, N, s, depth, width, hidden, layers).double()
    weights, x = wild(network, seed, size=4.0), 5 * samples(2, M, s, seed)
    _, passed = network(x)
    seen = [oracle.smfr(weights, list(sample), network.sizes) for sample in x]
    torch.testing.assert_close(regularisation(passed).item(), oracle.regularisation(seen), rtol=1e-9, atol=1e-9)
    slow = [logit for sample in seen for each in sample for logit in each.gate_logits]
    assert (oracle.regularisation(seen) > 0) or max(abs(logit.item()) for logit in slow) <= 20


@given(st.integers(2, 4), st.integers(1, 3), st.integers(0, 2**31))
@settings(max_examples=10, deadline=None)
def test_discrete_picks_in_training(M: int, width: int, seed: int) -> None:
    """Forward is a pick with Gumbel noise; backward is the softmax's at the learned temperature."""
    network = SMFR(M, 1, 3, 1, width, 4, 1, "gumbel").double().train()
    weights, x = wild(network, seed), samples(2, M, 3, seed)
    torch.manual_seed(seed)
    made, passed = network(x)
    torch.manual_seed(seed)
    noise = [-(-torch.rand(2, m, n, dtype=torch.float64).log()).log() for m, n in ((M, width), (width, 1))]
    seen = [oracle.smfr(weights, list(x[row]), network.sizes, noise=[each[row] for each in noise]) for row in range(2)]
    same(passed, seen)
    temperature = network.mfnnr[0].multiplexer.log_temperature
    soft = ((passed[0].weight_logits + noise[0]) / temperature.exp()).softmax(dim=1)
    probe = samples(2, M, width, seed + 1)
    mine = torch.autograd.grad((passed[0].weights * probe).sum(), temperature, retain_graph=True)
    exactly(mine, torch.autograd.grad((soft * probe).sum(), temperature))


ALGO: dict[str, Any] = {"values": ("A", "B"), "outputs": ("A", "B"), "block_size": 3, "classes": 3}


@given(st.integers(1, 4), st.integers(1, 3), st.sampled_from([None, 0, 5]), st.integers(0, 2**31))
@settings(max_examples=10, deadline=None)
def test_iterations_read_what_came_out(iterations: int, programs: int, shuffle_seed: int | None, seed: int) -> None:
    config = SMFRConfig(**ALGO, depth=1, width=2, hidden=4, shuffle_seed=shuffle_seed)
    model = BlockNetwork(config).double().eval()
    weights = wild(model.smfr, seed)
    x, tasks = samples(2, 2, 3, seed), samples(2, programs, 3, seed + 1)
    seen: list[Passed] = []
    made = model.run(Blocks(x, tasks, torch.zeros(2, dtype=torch.long)), iterations, seen=seen)
    shuffle = None if shuffle_seed is None else dict(model.named_buffers())["shuffle"].tolist()
    found = [
        oracle.run(weights, list(values), list(own), model.smfr.sizes, iterations, shuffle=shuffle)
        for values, own in zip(x, tasks, strict=True)
    ]
    same(seen, [[each for iteration in sample for each in iteration] for sample in found])
    exactly(made, torch.stack([torch.stack(sample[-1][-1].blocks) for sample in found]))


@st.composite
def steered(draw: st.DrawFn) -> tuple[int, int, list[oracle.Changes], int]:
    """Depth and width, and changes of every kind at every MFNNR."""
    depth, width = draw(st.integers(1, 2)), draw(st.integers(2, 3))
    sizes = (3, *([width] * depth), 2)
    changes = []
    for at, (M, N) in enumerate(zip(sizes, sizes[1:], strict=False)):
        own = oracle.Changes()
        if at:
            own.dropped_sources = changes[-1].dropped_blocks
        for n in range(N):
            readable = [m for m in range(M) if m not in own.dropped_sources]
            kind = draw(st.sampled_from(["none", "mute", "copy", "gate", "copy and gate"]))
            if kind == "mute":
                own.muted |= {(m, n) for m in draw(st.sets(st.sampled_from(readable)) if readable else st.just(()))}
            if "copy" in kind:
                own.copies[n] = draw(st.sampled_from(range(M)))
            if "gate" in kind:
                own.gates[n] = draw(st.sampled_from([0.0, 0.25, 1.0]))
        if at < depth:
            own.dropped_blocks = draw(st.sets(st.integers(0, N - 1)))
            own.silent = draw(st.sets(st.integers(0, N - 1), max_size=1)) - own.dropped_blocks
        changes.append(own)
    return depth, width, changes, draw(st.integers(0, 2**31))


@given(steered(), st.sampled_from(["softmax", "gumbel"]))
@settings(max_examples=20, deadline=None)
def test_what_is_steered(case: tuple[int, int, list[oracle.Changes], int], attention: Any) -> None:
    depth, width, changes, seed = case
    model = BlockNetwork(SMFRConfig(**ALGO, depth=depth, width=width, hidden=4, attention=attention)).double().eval()
    weights = wild(model.smfr, seed)
    levels = model.levels
    named = [(levels[at], levels[at + 1], own) for at, own in enumerate(changes)]
    view = model.reroute(
        mute_routes=[route_of(read[m], made[n]) for read, made, own in named for m, n in own.muted],
        copy_routes=[route_of(read[m], made[n]) for read, made, own in named for n, m in own.copies.items()],
        gates=[(made[n], value) for _, made, own in named for n, value in own.gates.items()],
    )
    dropped = {made[n] for _, made, own in named for n in own.dropped_blocks}
    view = view.keep([unit for unit in model.units if unit not in dropped])
    view = view.mute([made[n] for _, made, own in named for n in own.silent])
    x, tasks = samples(2, 2, 3, seed), samples(2, 2, 3, seed + 1)
    made = view.run(Blocks(x, tasks, torch.zeros(2, dtype=torch.long)), 2)
    for row, (values, own) in enumerate(zip(x, tasks, strict=True)):
        found = oracle.run(weights, list(values), list(own), model.smfr.sizes, 2, changes=changes)
        exactly(made[row], torch.stack(found[-1][-1].blocks))


# -- printed sizes, and blocks that are left out -----------------------------------------------------------

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


@pytest.mark.parametrize(("attention", "depth", "width", "layers", "parameters"), TABLE_6)
def test_sizes_are_those_of_table_6(attention: Any, depth: int, width: int, layers: int, parameters: int) -> None:
    model = SMFR(5, 1, 10, depth, width, layers=layers, attention=attention)
    assert sum(p.numel() for p in model.parameters()) == parameters


def test_regularisation_leaves_out_what_does_not_exist() -> None:
    present = torch.tensor([True, False, True])
    passed = smfr(depth=1)(samples(5, 4, 6, 1), present=present)[1]
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
    model, x = smfr(attention=attention, context=context), samples(5, 4, 6, 1)
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
    model(samples(5, 4, 6, 1), present=present)[0].square().sum().backward()
    last = model.mfnnr[0].fnnr.fnn.linear[-1]
    assert last.weight.grad[12:18].abs().sum() == 0 and last.weight.grad[20].abs().sum() == 0
    assert last.weight.grad[:12].abs().sum() > 0
    read = model.mfnnr[1].multiplexer.fnn.linear[0].weight.grad
    assert read[:, 12:].abs().sum() == 0 and read[:, :12].abs().sum() > 0


def test_an_absent_block_leaves_the_temperature_its_gradient() -> None:
    model, present = smfr(depth=1, attention="gumbel").train(), torch.tensor([True, True, False])
    model(samples(64, 4, 6, 1), present=present)[0].square().sum().backward()
    for mfnnr in model.mfnnr:
        slope = mfnnr.multiplexer.log_temperature.grad
        assert torch.isfinite(slope) and slope != 0
