"""How fast circuits are, with and without a sentence that designs them, beside the literal equations in the same run.

`make bench` measures the printed sizes (Neural Attentive Circuit) and the bundled ones (conditional); in `make test`
each runs once, small, and only the answers are compared. No test asserts a time. Weights are random. The literal
circuits are given the networks' own tokens and designs.
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

from routescope.nn.circuit.conditional import ConditionalNeuralAttentiveCircuit
from routescope.nn.circuit.network import NeuralAttentiveCircuit, NeuralAttentiveCircuitConfig
from routescope.nn.circuit_config import ConditionalCircuitConfig
from routescope.nn.inputs.statements import Statements
from routescope.nn.probe import probes_of
from routescope.routing import record
from routescope.routing.compute import flops_per_sample
from tests.benchmarks.conftest import Measure, Peak, agree, bfloat16
from tests.core.nn.circuits import settings_of, weights_of
from tests.oracles import conditional_circuit as conditional
from tests.oracles import neural_attentive_circuit as oracle

pytestmark = pytest.mark.timeout(1800)  # a busy machine may be slow; nothing here is judged by its time

Circuit = NeuralAttentiveCircuit | ConditionalNeuralAttentiveCircuit
#: Sizes where nothing is measured.
SMALL = {"features": 16, "code_features": 16, "modules": 12, "readouts": 4, "layers": 2, "heads": 2, "ffn_hidden": 24}
BUNDLED: dict[str, Any] = {
    "features": 64, "code_features": 64, "signature_features": 32, "modules": 48, "readouts": 8, "layers": 3,
    "heads": 4, "head_features": 16, "ffn_hidden": 128, "readin_head_features": 64, "readout_head_features": 64,
    "position_features": 16, "image_size": 48, "generator_features": 64, "generator_heads": 4, "generator_hidden": 128,
    "words": ("there", "is", "are", "a", "red", "circle", "circles", "."),
}  # fmt: skip
KINDS = ("circuit", "conditional")


@cache
def model_of(kind: str, enabled: bool, **changes: Any) -> Circuit:
    """Return a circuit of the measured sizes, or a small one where nothing is measured."""
    torch.manual_seed(0)
    small = {} if enabled else SMALL
    model: Circuit
    if kind == "circuit":
        model = NeuralAttentiveCircuit(NeuralAttentiveCircuitConfig(classes=200, **{**small, **changes}))
    else:
        model = ConditionalNeuralAttentiveCircuit(ConditionalCircuitConfig(**{**BUNDLED, **small, **changes}))
    return model.eval().requires_grad_(False)


def inputs_of(model: Circuit, count: int, each: int = 2) -> Any:
    """Return random pictures, with statements where the circuit reads some; `each` samples have the same sentence."""
    generator = torch.Generator().manual_seed(1)
    if isinstance(model, NeuralAttentiveCircuit):
        return torch.rand(count, 3, 64, 64, generator=generator)
    side = model.config.image_size
    images = torch.rand(count, 2, 3, side, side, generator=generator)
    return Statements(images, tuple(f"There are {i // each} red circles." for i in range(count)))


def per_equation(model: Circuit, inputs: Any, drop: tuple[int, ...] = ()) -> Tensor:
    """Return the oracle's answers; a sample with a sentence has its own design, one after the other."""
    sizes = settings_of(model.config)
    if isinstance(model, NeuralAttentiveCircuit):
        x, there = model.tokenize(inputs)
        return oracle.neural_attentive_circuit(weights_of(model, drop), sizes, x, there)[0]
    w, answers = dict(model.named_parameters()), []
    for x, sentence in zip(model.pictures(inputs.images), inputs.sentences, strict=True):
        design = conditional.Design(*(values[0] for values in vars(model.design((sentence,))).values()))
        answers.append(oracle.neural_attentive_circuit(conditional.of_design(w, design, drop), sizes, x[None])[0])
    return torch.cat(answers)


@pytest.mark.parametrize("batch", [1, 16])
@pytest.mark.parametrize("kind", KINDS)
@torch.no_grad()
def test_forward_with_all_modules_and_with_a_fifth(measure: Measure, kind: str, batch: int) -> None:
    model = model_of(kind, measure.enabled)
    inputs = inputs_of(model, batch if measure.enabled else 2)
    dropped = tuple(model.connectivity().argsort().tolist()[: round(0.8 * model.config.modules)])
    view = model.keep([unit for u, unit in enumerate(model.units) if u not in dropped])
    cost = {"MFLOP a sample": f"{flops_per_sample(view) / 1e6:.1f} of {flops_per_sample(model) / 1e6:.1f}"}
    calls = {
        "per equation": lambda: per_equation(model, inputs),
        "network": lambda: model(inputs)[:, 0],
        "network, bfloat16": bfloat16(lambda: model(inputs)[:, 0]),
        "per equation, pruned": lambda: per_equation(model, inputs, dropped),
        "network, pruned": lambda: view(inputs)[:, 0],
        "network, pruned, bfloat16": bfloat16(lambda: view(inputs)[:, 0]),
    }
    measured = measure.side_by_side(
        "Circuits: forward", f"{kind}, batch {batch}", calls, samples=batch, rounds=5, notes={"network, pruned": cost}
    )
    whole, pruned = measured["per equation"], measured["per equation, pruned"]
    assert not torch.allclose(whole, pruned) and flops_per_sample(view) < flops_per_sample(model)
    agree({name: logits for name, logits in measured.items() if "pruned" not in name}, whole)
    agree({name: logits for name, logits in measured.items() if "pruned" in name}, pruned)


@pytest.mark.parametrize("kind", KINDS)
def test_training_step(measure: Measure, kind: str) -> None:
    """Forward, loss and backward with certain links, which the equations can follow, and with sampled ones."""
    trained = model_of(kind, measure.enabled, **({"links": "complete"} if kind == "circuit" else {}))
    model = type(trained)(trained.config)
    model.load_state_dict(trained.state_dict())
    inputs = inputs_of(model, 16 if measure.enabled and kind == "conditional" else 2)
    labels, parameters = torch.arange(2).repeat(len(inputs) // 2), list(model.parameters())

    def step(logits: Callable[[], Tensor], training: bool) -> Callable[[], Tensor]:
        def run() -> Tensor:
            model.train(training)
            gradients = torch.autograd.grad(F.cross_entropy(logits().float(), labels), parameters)
            return torch.cat([gradient.flatten() for gradient in gradients])

        return run

    calls = {
        "per equation": step(lambda: per_equation(model, inputs), False),
        "network": step(lambda: model(inputs)[:, 0], False),
        "network, sampled links": step(lambda: model(inputs)[:, 0], True),
        "network, sampled links, bfloat16": step(bfloat16(lambda: model(inputs)[:, 0]), True),
    }
    measured = measure.side_by_side("Circuits: training step", kind, calls, samples=len(inputs))
    agree({"network": measured["network"]}, measured["per equation"])
    assert all(gradients.isfinite().all() for gradients in measured.values())


@pytest.mark.parametrize("kind", KINDS)
@torch.no_grad()
def test_recording(measure: Measure, kind: str) -> None:
    model = model_of(kind, measure.enabled)
    inputs = inputs_of(model, 4 if measure.enabled else 2)

    def recorded(*fields: str) -> Callable[[], Tensor]:
        return lambda: torch.from_numpy(record(model, inputs, fields)["logits"].values[:, 0])

    calls = {
        "plain": lambda: model(inputs)[:, 0],
        "read_in, confidence": recorded("read_in", "confidence"),
        "every field": recorded(*probes_of(model)),
    }
    measured = measure.side_by_side("Circuits: recording", kind, calls, samples=len(inputs), rounds=5)
    for variant, logits in measured.items():
        assert torch.equal(logits, measured["plain"]), variant


@torch.no_grad()
def test_time_is_linear_in_the_tokens(measure: Measure) -> None:
    """Bytes; the slope is told for each doubling, beside that of the operations, which is exact."""
    lengths = [500, 1000, 2000, 4000] if measure.enabled else [5, 10, 20, 40]
    model = model_of("circuit", measure.enabled, tokenizer="bytes", max_length=lengths[-1], layers=2)
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
        "Circuits: tokens",
        "bytes, 2 layers, batch 1",
        {f"{V:,} tokens": lambda symbols=symbols: model(symbols) for V, symbols in inputs.items()},
        samples=1,
        rounds=9,
        notes={f"{V:,} tokens": {"GFLOP": f"{count / 1e9:.3f}"} for V, count in counts.items()},
    )


@torch.no_grad()
def test_a_thousand_statements(measure: Measure) -> None:
    """As an evaluation asks them: each sentence twice, one sentence for all, and without designing at all."""
    model = model_of("conditional", measure.enabled)
    assert isinstance(model, ConditionalNeuralAttentiveCircuit)
    count = 1000 if measure.enabled else 6
    data, same = inputs_of(model, count), inputs_of(model, count, each=count)
    calls = {
        "each sentence twice": lambda: model(data)[:, 0],
        "one sentence for all": lambda: model(same)[:, 0],
        "designs alone": lambda: model.design(tuple(dict.fromkeys(data.sentences))).codes,
    }
    measured = measure.side_by_side("Circuits: 1,000 statements", "bundled", calls, samples=count)
    torch.testing.assert_close(model(same[:3])[:, 0], measured["one sentence for all"][:3], rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("variant", ["per equation", "one sentence for all", "each its own sentence"])
@torch.no_grad()
def test_peak_memory_at_the_printed_sizes(measure: Measure, variant: str) -> None:
    """320 modules, 8 layers, 16 samples."""
    model = model_of("conditional", measure.enabled)
    if measure.enabled:
        torch.manual_seed(0)
        model = ConditionalNeuralAttentiveCircuit(ConditionalCircuitConfig(words=BUNDLED["words"])).eval()
    batch = 16 if measure.enabled else 2
    inputs = inputs_of(model, batch, each=batch if variant == "one sentence for all" else 1)
    peak = Peak((lambda: per_equation(model, inputs)) if variant == "per equation" else lambda: model(inputs)[:, 0])
    measured = measure.peak("Circuits: peak memory", f"Table 4, batch {batch}", variant, peak, samples=batch)
    agree({variant: measured[:2]}, per_equation(model, inputs[:2]))
    assert peak.bytes > measured.nbytes
