"""What conditional circuits cost: less with fewer modules, once for each sentence, and no more memory than they say."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.profiler import ProfilerActivity, profile
from torch.utils.flop_counter import FlopCounterMode

from routescope.nn.circuit.conditional import ConditionalNeuralAttentiveCircuit
from routescope.nn.circuit_config import ConditionalCircuitConfig
from tests.core.nn.conditionals import SENTENCES, config, network, statements


@torch.no_grad()
def flops(call: Callable[[], Any]) -> int:
    """Products of the attention are counted where they are plain products."""
    with sdpa_kernel(SDPBackend.MATH), FlopCounterMode(display=False) as counter:
        call()
    return int(counter.get_total_flops())


@pytest.mark.slow
def test_cost_falls_with_every_module_that_is_dropped_and_not_with_muted_ones() -> None:
    model = network(config()).requires_grad_(False)
    inputs = statements(model)
    design = flops(lambda: model.design(inputs.sentences))
    links = [2 * 6 * (n * n + 4 * n) * 5 for n in range(10)]
    counts = [flops(lambda n=n: model.keep(model.units[:n])(inputs)) - links[n] for n in range(10)]
    print("FLOPs with 0 to 9 modules:", counts, "of which the design:", design)
    steps = [b - a for a, b in zip(counts, counts[1:], strict=False)]
    attention = {b - a for a, b in zip(steps, steps[1:], strict=False)}
    assert attention == {6 * 3 * 2 * (2 * 2 * 5) * 2}, "each module attends to one more: scores and sums of every layer"
    assert steps[0] > 0
    whole = flops(lambda: model(inputs))
    assert whole == counts[9] + links[9] == flops(lambda: model.mute(model.units[:5])(inputs))
    assert whole == flops(lambda: model.cut(0.1)(inputs))
    assert design < counts[0] < 0.6 * whole


def test_layers_that_do_not_run_cost_nothing() -> None:
    model = network(config()).requires_grad_(False)
    inputs = statements(model)
    counts = [flops(lambda n=n: model(inputs, iterations=n)) for n in range(4)]
    assert len({b - a for a, b in zip(counts, counts[1:], strict=False)}) == 1, "nor do their scales"
    assert counts[1] > counts[0]


def test_equal_sentences_cost_one_design_and_one_preparation() -> None:
    model = network(config()).requires_grad_(False)
    same = [flops(lambda n=n: model(statements(model, SENTENCES[:1] * n))) for n in (1, 2, 3, 9)]
    others = flops(lambda: model(statements(model, SENTENCES[:3])))
    assert same[2] - same[1] == same[1] - same[0] == (same[3] - same[2]) / 6
    alone = flops(lambda: list(model.circuits(SENTENCES[:1]).layers))
    assert same[1] - same[0] + alone == same[0], "one more sample costs no design"
    assert others > same[2] + alone


class Held:
    """The most bytes of tensors that a call holds at once, beyond those before it."""

    def __init__(self, call: Callable[[], Tensor]) -> None:
        with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler, torch.no_grad():
            self.result = call()
        assert profiler.profiler is not None
        events = [e for e in profiler.profiler.kineto_results.events() if e.name() == "[memory]"]
        assert events
        held, self.bytes = 0, 0
        for event in sorted(events, key=lambda e: e.start_ns()):
            held += event.nbytes()
            self.bytes = max(self.bytes, held)


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
        found = Held(lambda model=model, inputs=inputs: model(inputs))  # type: ignore[misc]
        assert found.result.isfinite().all()
        held.append(found.bytes)
    of_one_layer = 16 * 320 * (5 * 48 + 96) * 4
    print(f"{distinct} sentences: {held[0] / 2**20:.1f} MiB with 2 layers, {held[1] / 2**20:.1f} MiB with 6")
    assert held[1] - held[0] < 0.25 * of_one_layer
