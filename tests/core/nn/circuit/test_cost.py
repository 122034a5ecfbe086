"""What circuits cost: linear in tokens and layers, less with fewer modules, one design a sentence, bounded memory."""

from collections.abc import Callable
from itertools import accumulate
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.profiler import ProfilerActivity, profile
from torch.utils.flop_counter import FlopCounterMode

from routescope.nn.circuit.conditional import ConditionalNeuralAttentiveCircuit
from routescope.nn.circuit.network import NeuralAttentiveCircuit, NeuralAttentiveCircuitConfig
from routescope.nn.circuit_config import ConditionalCircuitConfig
from tests.core.nn import conditionals
from tests.core.nn.circuits import config, network, tokens
from tests.core.nn.conditionals import SENTENCES, statements


@torch.no_grad()
def flops(call: Callable[[], Any]) -> int:
    """Count operations; products of the attention count where they are plain products."""
    with sdpa_kernel(SDPBackend.MATH), FlopCounterMode(display=False) as counter:
        call()
    return int(counter.get_total_flops())


def of_circuit(model: NeuralAttentiveCircuit, x: Tensor, layers: int | None = None) -> int:
    """Count operations of a circuit without its tokenizer."""
    with torch.no_grad():
        model.prepare()
    return flops(lambda: model.execute(x, None, layers))


@pytest.mark.parametrize("heads", [1, 2])
def test_cost_is_linear_in_the_tokens_and_keys_of_single_modules_are_never_formed(heads: int) -> None:
    model, lengths = network(config(readin_heads=heads)), (1, 2, 3, 40, 1000)
    counts = [of_circuit(model, tokens(model, batch=3, count=V)) for V in lengths]
    slopes = {(b - a) / (W - V) for a, b, V, W in zip(counts, counts[1:], lengths, lengths[1:], strict=False)}
    scores_and_pooling = 2 * (2 * 9 * heads * 10)
    assert slopes == {3 * scores_and_pooling}, "of each sample: a weight and a sum for each module, head and feature"


@pytest.mark.parametrize("heads", [1, 2])
def test_a_plain_read_in_projects_each_token_once_for_all_modules(heads: int) -> None:
    model, lengths = network(config(readin_heads=heads, readin_attention="plain")), (1, 2, 40, 1000)
    counts = [of_circuit(model, tokens(model, batch=3, count=V)) for V in lengths]
    slopes = {(b - a) / (W - V) for a, b, V, W in zip(counts, counts[1:], lengths, lengths[1:], strict=False)}
    keys_and_values, scores_and_sums = 2 * (2 * 10 * heads * 3), 2 * (2 * 9 * heads * 3)
    assert slopes == {3 * (keys_and_values + scores_and_sums)}


def test_layers_that_share_weights_cost_time_and_no_parameters() -> None:
    """A Perceiver IO of 6 layers that run 8 times each has the parameters of 6 and the cost of 48 (Table 5)."""
    deep, shallow = network(config(layers=48, distinct_layers=6)), network(config(layers=6))
    count = [sum(p.numel() for p in model.parameters()) for model in (deep, shallow)]
    x = tokens(deep)
    by_layers = [of_circuit(deep, x, layers) for layers in (0, 6, 48)]
    assert count[0] == count[1] and by_layers[1] == of_circuit(shallow, x)
    assert by_layers[2] - by_layers[0] == 8 * (by_layers[1] - by_layers[0])
    with pytest.raises(ValueError, match="distinct_layers must be from 1 to 3 layers, not 4"):
        config(distinct_layers=4)


def test_cost_falls_with_every_module_that_is_dropped_and_not_with_muted_ones() -> None:
    model = network(config())
    x = tokens(model)
    counts = [of_circuit(model.keep(model.units[:n]), x) for n in range(10)]
    steps = [b - a for a, b in zip(counts, counts[1:], strict=False)]
    attention = {b - a for a, b in zip(steps, steps[1:], strict=False)}
    assert attention == {2 * 3 * 2 * (2 * 2 * 5) * 2}, "each module attends to one more: scores and sums of every layer"
    assert counts[9] == of_circuit(model, x) == of_circuit(model.mute(model.units[:5]), x)
    assert steps[0] > 0 and counts[0] < 0.2 * counts[9] and counts[9] == of_circuit(model.cut(0.1), x)
    by_layers = [of_circuit(model, x, layers) for layers in range(4)]
    assert len({b - a for a, b in zip(by_layers, by_layers[1:], strict=False)}) == 1 and by_layers[1] > by_layers[0]


@pytest.mark.slow
def test_cost_of_conditional_circuits_falls_with_modules_and_layers() -> None:
    model = conditionals.network(conditionals.config()).requires_grad_(False)
    inputs = statements(model)
    design = flops(lambda: model.design(inputs.sentences))
    links = [2 * 6 * (n * n + 4 * n) * 5 for n in range(10)]
    counts = [flops(lambda n=n: model.keep(model.units[:n])(inputs)) - links[n] for n in range(10)]
    steps = [b - a for a, b in zip(counts, counts[1:], strict=False)]
    assert {b - a for a, b in zip(steps, steps[1:], strict=False)} == {6 * 3 * 2 * (2 * 2 * 5) * 2} and steps[0] > 0
    whole = flops(lambda: model(inputs))
    assert whole == counts[9] + links[9] == flops(lambda: model.mute(model.units[:5])(inputs))
    assert whole == flops(lambda: model.cut(0.1)(inputs)) and design < counts[0] < 0.6 * whole
    by_layers = [flops(lambda n=n: model(inputs, iterations=n)) for n in range(4)]
    assert len({b - a for a, b in zip(by_layers, by_layers[1:], strict=False)}) == 1 and by_layers[1] > by_layers[0]


def test_equal_sentences_cost_one_design_and_one_preparation() -> None:
    model = conditionals.network(conditionals.config()).requires_grad_(False)
    same = [flops(lambda n=n: model(statements(model, SENTENCES[:1] * n))) for n in (1, 2, 3, 9)]
    others = flops(lambda: model(statements(model, SENTENCES[:3])))
    assert same[2] - same[1] == same[1] - same[0] == (same[3] - same[2]) / 6
    alone = flops(lambda: list(model.circuits(SENTENCES[:1]).layers))
    assert same[1] - same[0] + alone == same[0], "one more sample costs no design"
    assert others > same[2] + alone


def held_by(call: Callable[[], Tensor]) -> int:
    """Return the most bytes of tensors that a call holds at once, beyond those before it."""
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler, torch.no_grad():
        assert call().isfinite().all()
    assert profiler.profiler is not None
    events = [e for e in profiler.profiler.kineto_results.events() if e.name() == "[memory]"]
    assert events
    return max(accumulate(event.nbytes() for event in sorted(events, key=lambda e: e.start_ns())))


@pytest.mark.parametrize("distinct", [1, 16])
def test_memory_does_not_grow_with_the_layers(distinct: int) -> None:
    """320 modules and 16 samples: the scales of one layer are held at a time, not those of all."""
    sizes: dict[str, Any] = {
        "modules": 320,
        "readouts": 4,
        "features": 48,
        "code_features": 16,
        "ffn_hidden": 96,
        "heads": 2,
        "head_features": 24,
        "generator_features": 16,
        "generator_heads": 2,
        "generator_hidden": 32,
        "text_features": 8,
        "text_heads": 2,
        "image_size": 16,
        "words": (),
    }
    held = []
    for layers in (2, 6):
        torch.manual_seed(0)
        model = ConditionalNeuralAttentiveCircuit(ConditionalCircuitConfig(**sizes, layers=layers)).eval()
        inputs = statements(model, [f"{i % distinct} circles" for i in range(16)])
        held.append(held_by(lambda model=model, inputs=inputs: model(inputs)))  # type: ignore[misc]
    of_one_layer = 16 * 320 * (5 * 48 + 96) * 4
    assert held[1] - held[0] < 0.25 * of_one_layer


@pytest.mark.slow
@torch.no_grad()
def test_1024_modules_run_on_one_processor() -> None:
    """All else as printed, on 4,000 bytes."""
    torch.manual_seed(0)
    sizes = NeuralAttentiveCircuitConfig(modules=1024, tokenizer="bytes", max_length=4000, prior="scale-free")
    model = NeuralAttentiveCircuit(sizes).eval()
    logits = model(torch.randint(0, 256, (1, 4000)))
    assert logits.shape == (1, 3, 10) and logits.isfinite().all()
    few = model.keep([model.units[u] for u in model.connectivity().argsort(descending=True)[:51]])
    assert few(torch.randint(0, 256, (1, 4000))).isfinite().all() and len(few.units) == 51
