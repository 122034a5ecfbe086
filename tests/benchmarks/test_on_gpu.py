"""How fast and how large the Neural Interpreter is on a GPU, beside the literal per-equation one, in the same run.

As in ``test_neural_interpreter``, but for what a GPU adds: TF32, bfloat16 and compiled steps.
"""

from collections.abc import Callable, Mapping
from contextlib import nullcontext

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from routescope import zoo
from routescope.nn.interpreter.network import NeuralInterpreter
from routescope.nn.interpreter.script import PreparedScript, Script
from routescope.nn.network import GPU_CHUNKS
from tests.benchmarks.conftest import Measure, amount
from tests.benchmarks.test_neural_interpreter import images, model_of, per_equation, training_step

pytestmark = [pytest.mark.needs_gpu, pytest.mark.timeout(1800)]

#: Variants: whether it is the literal one, whether it is compiled, and the precision of its products.
VARIANTS: dict[str, tuple[bool, bool, str]] = {
    "per equation": (True, False, "float32"),
    "network": (False, False, "float32"),
    "network, TF32": (False, False, "TF32"),
    "network, bfloat16": (False, False, "bfloat16"),
    "compiled, TF32": (False, True, "TF32"),
    "compiled, bfloat16": (False, True, "bfloat16"),
}
#: How far from the literal one's answers those of a precision may lie, as a share of their length.
ERROR = {"float32": 1e-3, "TF32": 1e-2, "bfloat16": 0.1}


class Precision:
    def __init__(self, name: str) -> None:
        self.name = name
        self.autocast = torch.autocast("cuda", dtype=torch.bfloat16) if name == "bfloat16" else nullcontext()

    def __enter__(self) -> None:
        self.before = torch.get_float32_matmul_precision()
        torch.set_float32_matmul_precision("high" if self.name == "TF32" else "highest")
        self.autocast.__enter__()

    def __exit__(self, *raised: object) -> None:
        self.autocast.__exit__(None, None, None)
        torch.set_float32_matmul_precision(self.before)


def compiled(model: NeuralInterpreter) -> NeuralInterpreter:
    """The network with the steps of its scripts compiled: one graph for all but the last, whose outputs are few."""
    for script in model.stack:

        def step(x: Tensor, ready: PreparedScript, outputs: int | None, script: Script = script) -> Tensor:
            return Script.step(script, x, ready, model.probes, 0, outputs)

        fast = torch.compile(step)
        script.__dict__["step"] = lambda x, ready, _, __, outputs=None, fast=fast: fast(x, ready, outputs)
    return model


def waited_for(call: Callable[[], Tensor], precision: str) -> Callable[[], Tensor]:
    """The call in a precision, which has ended when it returns."""

    def done() -> Tensor:
        with Precision(precision):
            outcome = call()
        torch.cuda.synchronize()
        return outcome

    return done


def on_gpu(training: bool = False) -> NeuralInterpreter:
    model = NeuralInterpreter(model_of("Table 4").config)
    model.load_state_dict(model_of("Table 4").state_dict())
    model.cuda().train(training)
    return model if training else model.requires_grad_(False)


def held_by(calls: Mapping[str, Callable[[], Tensor]]) -> dict[str, dict[str, str]]:
    notes = {}
    for variant, call in calls.items():
        call()  # compiled, and its algorithms are chosen
        torch.cuda.reset_peak_memory_stats()
        held = torch.cuda.memory_allocated()
        call()
        notes[variant] = {"held at most": amount(torch.cuda.max_memory_allocated() - held, "B")}
    return notes


def agree(outcome: Mapping[str, Tensor], wanted: Tensor) -> None:
    errors = {name: ((values.float() - wanted).norm() / wanted.norm()).item() for name, values in outcome.items()}
    assert all(error < ERROR[VARIANTS[name][2]] for name, error in errors.items()), errors


@pytest.mark.parametrize("batch", [64, 1024])
@torch.no_grad()
def test_forward(measure: Measure, batch: int) -> None:
    model, inputs = on_gpu(), images(batch).cuda()
    fast_model = compiled(on_gpu())

    def forward(literal: bool, fast: bool) -> Tensor:
        return per_equation(model, inputs) if literal else (fast_model if fast else model)(inputs)

    calls = {
        variant: waited_for(lambda literal=literal, fast=fast: forward(literal, fast), precision)
        for variant, (literal, fast, precision) in VARIANTS.items()
    }
    notes = held_by(calls) if measure.enabled else None
    case = f"Table 4, batch {batch}"
    measured = measure.side_by_side("Forward on a GPU", case, calls, samples=batch, rounds=9, notes=notes)
    agree(measured, measured["per equation"])


@pytest.mark.parametrize("batch", [128, 512])
def test_training_step(measure: Measure, batch: int) -> None:
    model, inputs = on_gpu(training=True), images(batch).cuda()
    labels = torch.arange(batch, device="cuda") % 2
    fast_model = compiled(on_gpu(training=True))

    def step(literal: bool, fast: bool) -> Tensor:
        own = fast_model if fast else model
        answers = per_equation(own, inputs) if literal else own(inputs)
        return training_step(own, answers[:, 0], labels)

    calls = {
        variant: waited_for(lambda literal=literal, fast=fast: step(literal, fast), precision)
        for variant, (literal, fast, precision) in VARIANTS.items()
    }
    notes = held_by(calls) if measure.enabled else None
    case = f"Table 4, batch {batch}"
    measured = measure.side_by_side("Training step on a GPU", case, calls, samples=batch, rounds=9, notes=notes)
    for variant, gradients in measured.items():
        assert F.cosine_similarity(gradients, measured["per equation"], dim=0) > 0.9, variant


@torch.no_grad()
def test_chunks(measure: Measure) -> None:
    """How many tokens one pass of an evaluation holds: what the processor's cache takes is little for a GPU."""
    model, inputs = on_gpu(), images(2048).cuda()

    def of(tokens: int) -> Tensor:
        model.chunk_tokens = tokens // GPU_CHUNKS
        assert model.tokens_at_once == tokens
        return model(inputs)

    calls = {f"{n:,} tokens": waited_for(lambda n=n: of(n), "float32") for n in (2048, 8192, 16384, 32768, 65536)}
    measured = measure.side_by_side(
        "Chunks on a GPU", "Table 4, 2,048 images", calls, samples=2048, rounds=5, notes=held_by(calls)
    )
    for name, values in measured.items():
        torch.testing.assert_close(values, measured["2,048 tokens"], rtol=1e-3, atol=1e-3, msg=name)


def test_scoring(measure: Measure) -> None:
    from routescope.data import load
    from routescope.routing.caused.scores import evaluate

    data = load("mnist", "validation", limit=1000 if measure.enabled else 20)
    models = {"processor": zoo.load("ni-digits"), "GPU": zoo.load("ni-digits").cuda()}
    measured = measure.side_by_side(
        "Scoring on a GPU",
        "ni-digits",
        {name: lambda model=model: evaluate(model, data) for name, model in models.items()},
        samples=len(data),
        rounds=3,
    )
    assert abs(measured["GPU"].accuracy - measured["processor"].accuracy) <= 0.002
