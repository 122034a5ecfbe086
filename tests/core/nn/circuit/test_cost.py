"""What circuits cost: linear in the tokens, less with fewer modules, and a thousand modules on one processor."""

import pytest
import torch
from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from routescope.nn.circuit.network import NeuralAttentiveCircuit, NeuralAttentiveCircuitConfig
from tests.core.nn.circuits import config, network, tokens


@torch.no_grad()
def flops(model: NeuralAttentiveCircuit, x: Tensor, layers: int | None = None) -> int:
    """Of the circuit without its tokenizer; products of the attention are counted where they are plain products."""
    model.prepare()
    with sdpa_kernel(SDPBackend.MATH), FlopCounterMode(display=False) as counter:
        model.execute(x, None, layers)
    return int(counter.get_total_flops())


@pytest.mark.parametrize("heads", [1, 2])
def test_cost_is_linear_in_the_tokens_and_keys_of_single_modules_are_never_formed(heads: int) -> None:
    model = network(config(readin_heads=heads))
    lengths = [1, 2, 3, 40, 1000]
    counts = [flops(model, tokens(model, batch=3, count=V)) for V in lengths]
    print("FLOPs by tokens:", dict(zip(lengths, counts, strict=True)))
    slopes = {(b - a) / (W - V) for a, b, V, W in zip(counts, counts[1:], lengths, lengths[1:], strict=False)}
    scores_and_pooling = 2 * (2 * 9 * heads * 10)
    assert slopes == {3 * scores_and_pooling}, "of each sample: a weight and a sum for each module, head and feature"


def test_cost_falls_with_every_module_that_is_dropped_and_not_with_muted_ones() -> None:
    model = network(config())
    x = tokens(model)
    counts = [flops(model.keep(model.units[:n]), x) for n in range(10)]
    print("FLOPs with 0 to 9 modules:", counts)
    steps = [b - a for a, b in zip(counts, counts[1:], strict=False)]
    attention = {b - a for a, b in zip(steps, steps[1:], strict=False)}
    assert attention == {2 * 3 * 2 * (2 * 2 * 5) * 2}, "each module attends to one more: scores and sums of every layer"
    assert steps[0] > 0
    assert counts[9] == flops(model, x) == flops(model.mute(model.units[:5]), x) == flops(model.cut(0.1), x)
    assert counts[0] < 0.2 * counts[9]
    assert flops(model.keep(model.units[:6]).keep(model.units[:2]), x) == counts[2]


def test_every_layer_costs_the_same() -> None:
    model = network(config())
    x = tokens(model)
    counts = [flops(model, x, layers) for layers in range(4)]
    assert len({b - a for a, b in zip(counts, counts[1:], strict=False)}) == 1
    assert counts[1] > counts[0]


@pytest.mark.slow
@torch.no_grad()
def test_1024_modules_run_on_one_processor() -> None:
    """All else as printed, on 4,000 bytes."""
    torch.manual_seed(0)
    model = NeuralAttentiveCircuit(
        NeuralAttentiveCircuitConfig(modules=1024, tokenizer="bytes", max_length=4000, prior="scale-free")
    ).eval()
    logits = model(torch.randint(0, 256, (1, 4000)))
    assert logits.shape == (1, 3, 10)
    assert logits.isfinite().all()
    assert model.link_probability().shape == (1024, 1024)
    few = model.keep([model.units[u] for u in model.connectivity().argsort(descending=True)[:51]])
    assert few(torch.randint(0, 256, (1, 4000))).isfinite().all()
    assert len(few.units) == 51
