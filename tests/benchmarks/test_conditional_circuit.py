"""How fast the conditional circuit is, beside the literal equations on the same designs, in the same run.

`make bench` measures the sizes of the bundled networks and, for memory, the printed ones; in `make test` each runs
once, small, and only the answers are compared. No test asserts a time. Weights are random. The literal circuit is
given the network's own designs and tokens, so that it is the executor that is compared.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from routescope.nn.circuit.conditional import ConditionalNeuralAttentiveCircuit
from routescope.nn.circuit_config import ConditionalCircuitConfig
from routescope.nn.inputs.statements import Statements
from routescope.nn.probe import probes_of
from routescope.routing import record
from routescope.routing.compute import flops_per_sample
from tests.benchmarks.conftest import Measure
from tests.benchmarks.test_neural_interpreter import Peak
from tests.core.nn.circuits import settings_of
from tests.oracles import conditional_circuit as conditional
from tests.oracles import neural_attentive_circuit as oracle

pytestmark = pytest.mark.timeout(1800)  # a busy machine may be slow; nothing here is judged by its time

BUNDLED: dict[str, Any] = {
    "features": 64,
    "code_features": 64,
    "signature_features": 32,
    "modules": 48,
    "readouts": 8,
    "layers": 3,
    "heads": 4,
    "head_features": 16,
    "ffn_hidden": 128,
    "readin_head_features": 64,
    "readout_head_features": 64,
    "position_features": 16,
    "image_size": 48,
    "generator_features": 64,
    "generator_heads": 4,
    "generator_hidden": 128,
    "words": ("there", "is", "are", "a", "red", "circle", "circles", "."),
}
#: Where nothing is measured.
SMALL: dict[str, Any] = {**BUNDLED, "features": 16, "code_features": 16, "modules": 10, "layers": 2, "ffn_hidden": 24}


@cache
def model_of(enabled: bool, **changes: Any) -> ConditionalNeuralAttentiveCircuit:
    """The bundled sizes, or small ones where nothing is measured."""
    torch.manual_seed(0)
    sizes = {**(BUNDLED if enabled else SMALL), **changes}
    return ConditionalNeuralAttentiveCircuit(ConditionalCircuitConfig(**sizes)).eval().requires_grad_(False)


def statements(model: ConditionalNeuralAttentiveCircuit, count: int, each: int = 2) -> Statements:
    """Random pictures; ``each`` samples have the same sentence."""
    side = model.config.image_size
    images = torch.rand(count, 2, 3, side, side, generator=torch.Generator().manual_seed(1))
    return Statements(images, tuple(f"There are {i // each} red circles." for i in range(count)))


def per_equation(model: ConditionalNeuralAttentiveCircuit, inputs: Statements, drop: tuple[int, ...] = ()) -> Tensor:
    """The oracle on the network's own tokens, one sample with its own design after the other."""
    w, tokens, outcome = dict(model.named_parameters()), model.pictures(inputs.images), []
    for x, sentence in zip(tokens, inputs.sentences, strict=True):
        d = model.design((sentence,))
        design = conditional.Design(*(var[0] for var in vars(d).values()))
        weights = conditional.of_design(w, design, drop)
        outcome.append(oracle.neural_attentive_circuit(weights, settings_of(model.config), x[None])[0])
    return torch.cat(outcome)


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


@pytest.mark.parametrize("batch", [1, 64])
@torch.no_grad()
def test_forward(measure: Measure, batch: int) -> None:
    model = model_of(measure.enabled)
    inputs = statements(model, batch if measure.enabled else 2)
    calls = {
        "per equation": lambda: per_equation(model, inputs),
        "network": lambda: model(inputs)[:, 0],
        "network, bfloat16": bfloat16(lambda: model(inputs)[:, 0]),
    }
    measured = measure.side_by_side("Conditional: forward", f"bundled, batch {batch}", calls, samples=batch, rounds=5)
    agree(measured, measured["per equation"])


@torch.no_grad()
def test_with_80_percent_of_the_modules_dropped(measure: Measure) -> None:
    model = model_of(measure.enabled)
    inputs, U = statements(model, 64 if measure.enabled else 2), model.config.modules
    dropped = tuple(model.connectivity().argsort().tolist()[: round(0.8 * U)])
    view = model.keep([model.units[u] for u in range(U) if u not in dropped])
    calls = {
        "network, all modules": lambda: model(inputs)[:, 0],
        "per equation, pruned": lambda: per_equation(model, inputs, dropped),
        "network, pruned": lambda: view(inputs)[:, 0],
    }
    cost = {"MFLOP a sample": f"{flops_per_sample(view) / 1e6:.1f} of {flops_per_sample(model) / 1e6:.1f}"}
    measured = measure.side_by_side(
        "Conditional: 80 % of the modules dropped",
        "bundled, batch 64",
        calls,
        samples=len(inputs),
        notes={"network, pruned": cost},
    )
    whole = measured.pop("network, all modules")
    agree(measured, measured["per equation, pruned"])
    assert not torch.allclose(whole, measured["network, pruned"])
    assert flops_per_sample(view) < flops_per_sample(model)


@torch.no_grad()
def test_a_thousand_statements(measure: Measure) -> None:
    """As an evaluation asks them: each sentence twice, one sentence for all, and without designing at all."""
    model = model_of(measure.enabled)
    count = 1000 if measure.enabled else 6
    data, same = statements(model, count), statements(model, count, each=count)
    calls = {
        "each sentence twice": lambda: model(data)[:, 0],
        "one sentence for all": lambda: model(same)[:, 0],
        "each sentence twice, bfloat16": bfloat16(lambda: model(data)[:, 0]),
        "designs alone": lambda: model.design(tuple(dict.fromkeys(data.sentences))).codes,
    }
    measured = measure.side_by_side("Conditional: 1,000 statements", "bundled", calls, samples=count)
    agree({"bfloat16": measured["each sentence twice, bfloat16"]}, measured["each sentence twice"])
    torch.testing.assert_close(model(same[:3])[:, 0], measured["one sentence for all"][:3], rtol=1e-3, atol=1e-4)


def test_training_step(measure: Measure) -> None:
    """Forward, loss and backward with certain links, which the equations can follow, and with sampled ones."""
    sizes = model_of(measure.enabled).config
    model = ConditionalNeuralAttentiveCircuit(sizes)
    model.load_state_dict(model_of(measure.enabled).state_dict())
    inputs = statements(model, 64 if measure.enabled else 4)
    labels, trained = torch.arange(len(inputs)) % 2, list(model.parameters())

    def step(logits: Callable[[], Tensor], training: bool) -> Callable[[], Tensor]:
        def run() -> Tensor:
            model.train(training)
            gradients = torch.autograd.grad(F.cross_entropy(logits().float(), labels), trained)
            return torch.cat([gradient.flatten() for gradient in gradients])

        return run

    calls = {
        "per equation": step(lambda: per_equation(model, inputs), False),
        "network": step(lambda: model(inputs)[:, 0], False),
        "network, sampled links": step(lambda: model(inputs)[:, 0], True),
        "network, sampled links, bfloat16": step(bfloat16(lambda: model(inputs)[:, 0]), True),
    }
    measured = measure.side_by_side("Conditional: training step", "bundled, batch 64", calls, samples=len(inputs))
    agree({"network": measured["network"]}, measured["per equation"])
    assert all(gradients.isfinite().all() for gradients in measured.values())


@torch.no_grad()
def test_recording(measure: Measure) -> None:
    """What the page asks for, and every field, beside a plain run."""
    model = model_of(measure.enabled)
    inputs = statements(model, 16 if measure.enabled else 2)

    def recorded(*fields: str) -> Callable[[], Tensor]:
        return lambda: torch.from_numpy(record(model, inputs, fields)["logits"].values[:, 0])

    calls = {
        "plain": lambda: model(inputs)[:, 0],
        "read_in, link_probability, codes, text_attention": recorded(
            "read_in", "link_probability", "codes", "text_attention"
        ),
        "every field": recorded(*probes_of(model)),
    }
    measured = measure.side_by_side("Conditional: recording", "bundled, batch 16", calls, samples=len(inputs))
    for variant, logits in measured.items():
        assert torch.equal(logits, measured["plain"]), variant


@pytest.mark.parametrize("variant", ["per equation", "one sentence for all", "each its own sentence"])
@torch.no_grad()
def test_peak_memory_at_the_printed_sizes(measure: Measure, variant: str) -> None:
    """320 modules, 8 layers, 16 samples."""
    model = model_of(measure.enabled)
    if measure.enabled:
        torch.manual_seed(0)
        model = ConditionalNeuralAttentiveCircuit(ConditionalCircuitConfig(words=BUNDLED["words"])).eval()
    batch = 16 if measure.enabled else 2
    inputs = statements(model, batch, each=batch if variant == "one sentence for all" else 1)
    call = (lambda: per_equation(model, inputs)) if variant == "per equation" else (lambda: model(inputs)[:, 0])
    peak = Peak(call)
    measured = measure.peak(
        "Conditional: peak memory", f"Table 4, batch {batch}", variant, peak, samples=batch, count=lambda: peak.bytes
    )
    assert isinstance(measured, Tensor)
    agree({variant: measured[:2]}, per_equation(model, inputs[:2]))
    assert peak.bytes > measured.nbytes
