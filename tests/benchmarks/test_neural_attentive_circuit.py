"""How fast the Neural Attentive Circuit is, beside the literal per-equation one, in the same run, on two threads.

`make bench` measures the sizes of Table 4; in `make test` each runs once, small, and only the answers are compared. No
test asserts a time. Weights are random. The literal circuit is given the tokens of the network's own tokenizer.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

from routescope.nn.circuit.network import NeuralAttentiveCircuit, NeuralAttentiveCircuitConfig
from routescope.nn.probe import probes_of
from routescope.routing import record
from routescope.routing.compute import flops_per_sample
from tests.benchmarks.conftest import Measure
from tests.core.nn.circuits import settings_of, weights_of
from tests.oracles import neural_attentive_circuit as oracle

pytestmark = pytest.mark.timeout(1800)  # a busy machine may be slow; nothing here is judged by its time

SMALL = {"features": 16, "code_features": 16, "modules": 20, "readouts": 4, "layers": 2, "heads": 2, "ffn_hidden": 24}


@cache
def model_of(enabled: bool, **changes: Any) -> NeuralAttentiveCircuit:
    """Table 4's sizes, or small ones where nothing is measured."""
    torch.manual_seed(0)
    sizes = {**({} if enabled else SMALL), **changes}
    return NeuralAttentiveCircuit(NeuralAttentiveCircuitConfig(classes=200, **sizes)).eval().requires_grad_(False)


def images(count: int) -> Tensor:
    return torch.rand(count, 3, 64, 64, generator=torch.Generator().manual_seed(1))


def per_equation(model: NeuralAttentiveCircuit, inputs: Tensor, drop: tuple[int, ...] = ()) -> Tensor:
    """The oracle behind the model's own tokenizer."""
    x, there = model.tokenize(inputs)
    return oracle.neural_attentive_circuit(weights_of(model, drop), settings_of(model.config), x, there)[0]


def bfloat16(call: Callable[[], Tensor]) -> Callable[[], Tensor]:
    def reduced() -> Tensor:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return call()

    return reduced


def agree(outcome: dict[str, Tensor], wanted: Tensor) -> None:
    """All variants give the same, as far as their precision goes."""
    for variant, logits in outcome.items():
        error = ((logits.float() - wanted).norm() / wanted.norm()).item()
        assert error < (0.1 if "bfloat16" in variant else 1e-3), variant


@pytest.mark.parametrize("batch", [1, 16])
@torch.no_grad()
def test_forward(measure: Measure, batch: int) -> None:
    model = model_of(measure.enabled)
    inputs = images(batch if measure.enabled else 2)
    calls = {
        "per equation": lambda: per_equation(model, inputs),
        "network": lambda: model(inputs)[:, 0],
        "network, bfloat16": bfloat16(lambda: model(inputs)[:, 0]),
    }
    measured = measure.side_by_side(
        "Forward", f"Table 4, batch {batch}", calls, samples=len(inputs), rounds=12 if batch == 1 else 4
    )
    agree(measured, measured["per equation"])


@pytest.mark.parametrize("batch", [1, 16])
@torch.no_grad()
def test_with_80_percent_of_the_modules_dropped(measure: Measure, batch: int) -> None:
    model = model_of(measure.enabled)
    inputs, U = images(batch if measure.enabled else 2), model.config.modules
    order = model.connectivity().argsort().tolist()
    dropped = tuple(order[: round(0.8 * U)])
    view = model.keep([model.units[u] for u in range(U) if u not in dropped])
    calls = {
        "per equation, all modules": lambda: per_equation(model, inputs),
        "per equation, pruned": lambda: per_equation(model, inputs, dropped),
        "network, pruned": lambda: view(inputs)[:, 0],
        "network, pruned, bfloat16": bfloat16(lambda: view(inputs)[:, 0]),
    }
    cost = {"GFLOP a sample": f"{flops_per_sample(view) / 1e9:.2f} of {flops_per_sample(model) / 1e9:.2f}"}
    measured = measure.side_by_side(
        "80 % of the modules dropped",
        f"Table 4, batch {batch}",
        calls,
        samples=len(inputs),
        rounds=12 if batch == 1 else 4,
        notes={"network, pruned": cost},
    )
    whole = measured.pop("per equation, all modules")
    agree(measured, measured["per equation, pruned"])
    assert not torch.allclose(whole, measured["per equation, pruned"])
    assert flops_per_sample(view) < 0.5 * flops_per_sample(model)


@torch.no_grad()
def test_recording(measure: Measure) -> None:
    """What costs no extra product, and every field, beside a plain run."""
    model = model_of(measure.enabled)
    inputs = images(4 if measure.enabled else 2)

    def recorded(*fields: str) -> Callable[[], Tensor]:
        return lambda: torch.from_numpy(record(model, inputs, fields)["logits"].values[:, 0])

    calls = {
        "plain": lambda: model(inputs)[:, 0],
        "read_in, states, confidence": recorded("read_in", "states", "confidence"),
        "messages": recorded("messages"),
        "every field": recorded(*probes_of(model)),
    }
    measured = measure.side_by_side("Recording", "Table 4, batch 4", calls, samples=len(inputs), rounds=5)
    for variant, logits in measured.items():
        assert torch.equal(logits, measured["plain"]), variant


def test_training_step(measure: Measure) -> None:
    """Forward, loss and backward, links sampled in the network and certain ones in the equations."""
    model = NeuralAttentiveCircuit(model_of(measure.enabled, links="complete").config).train()
    model.load_state_dict(model_of(measure.enabled, links="complete").state_dict())
    inputs = images(2)
    labels = torch.arange(len(inputs))
    trained = list(model.parameters())

    def step(logits: Callable[[], Tensor]) -> Callable[[], Tensor]:
        def run() -> Tensor:
            gradients = torch.autograd.grad(F.cross_entropy(logits().float(), labels), trained)
            return torch.cat([gradient.flatten() for gradient in gradients])

        return run

    calls = {
        "per equation": step(lambda: per_equation(model, inputs)),
        "network": step(lambda: model(inputs)[:, 0]),
        "network, bfloat16": step(bfloat16(lambda: model(inputs)[:, 0])),
    }
    measured = measure.side_by_side("Training step", "Table 4, batch 2", calls, samples=len(inputs), rounds=4)
    agree({"network": measured["network"]}, measured["per equation"])
    assert torch.cosine_similarity(measured["network, bfloat16"], measured["per equation"], dim=0) > 0.9


@torch.no_grad()
def test_time_is_linear_in_the_tokens(measure: Measure) -> None:
    """Bytes; the slope is told for each doubling, beside that of the operations, which is exact."""
    lengths = [500, 1000, 2000, 4000] if measure.enabled else [5, 10, 20, 40]
    model = model_of(measure.enabled, tokenizer="bytes", max_length=lengths[-1], layers=2)
    inputs = {V: torch.randint(0, 256, (1, V), generator=torch.Generator().manual_seed(V)) for V in lengths}
    counts = {}
    for V, symbols in inputs.items():
        model(symbols)
        with FlopCounterMode(display=False) as counter:
            model(symbols)
        counts[V] = counter.get_total_flops()
    slopes = np.diff(list(counts.values())) / np.diff(lengths)
    assert len(set(slopes)) == 1
    measure.side_by_side(
        "Tokens",
        "bytes, 2 layers, batch 1",
        {f"{V:,} tokens": lambda symbols=symbols: model(symbols) for V, symbols in inputs.items()},
        samples=1,
        rounds=9,
        notes={f"{V:,} tokens": {"GFLOP": f"{count / 1e9:.3f}"} for V, count in counts.items()},
    )


@torch.no_grad()
def test_a_thousand_modules(measure: Measure) -> None:
    model = model_of(measure.enabled, modules=1024 if measure.enabled else 40)
    inputs = images(1)
    calls = {"network": lambda: model(inputs), "network, bfloat16": bfloat16(lambda: model(inputs))}
    measured = measure.side_by_side("1,024 modules", "Table 4 but for the modules, batch 1", calls, samples=1, rounds=5)
    assert all(logits.isfinite().all() for logits in measured.values())
