"""How fast and how large the Neural Interpreter is, beside the literal per-equation one, in the same run.

`make bench` measures; in `make test` each runs once, small, and only the answers are compared. No test asserts a time.
"""

from collections.abc import Callable
from functools import cache

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.profiler import ProfilerActivity, profile
from torch.utils.flop_counter import FlopCounterMode

from routescope import zoo
from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from routescope.routing import Intervention, record
from routescope.routing.caused.scores import evaluate
from tests.benchmarks.conftest import Measure
from tests.oracles import neural_interpreter as oracle
from tests.oracles.mapping import from_model, settings_of

pytestmark = pytest.mark.timeout(1800)  # a busy machine may be slow; nothing here is judged by its time

BUNDLED = "ni-digits"
SIZES = ("Table 4", BUNDLED)
VARIANTS = ("per equation", "network")
FIELDS = ("compatibility", "types", "attention", "states")


@cache
def model_of(size: str) -> NeuralInterpreter:
    """The paper's preset with random weights, or the bundled model."""
    if size == BUNDLED:
        return zoo.load(BUNDLED)
    torch.manual_seed(0)
    return NeuralInterpreter(NeuralInterpreterConfig()).eval().requires_grad_(False)


def images(count: int) -> Tensor:
    return torch.rand(count, 3, 32, 32, generator=torch.Generator().manual_seed(1))


def per_equation(model: NeuralInterpreter, batch: Tensor) -> Tensor:
    """The oracle between the model's own tokenizer and heads, with all tokens in every step."""
    x, _ = oracle.neural_interpreter(from_model(model), settings_of(model.config), model.tokenize(batch))
    return torch.stack([head(x[:, d]) for d, head in enumerate(model.heads)], dim=1)


FORWARD: dict[str, Callable[[NeuralInterpreter, Tensor], Tensor]] = {
    "per equation": per_equation,
    "network": lambda model, batch: model(batch),
}


def bfloat16(call: Callable[[], Tensor]) -> Callable[[], Tensor]:
    def reduced() -> Tensor:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return call()

    return reduced


def reduced_too(calls: dict[str, Callable[[], Tensor]]) -> dict[str, Callable[[], Tensor]]:
    """The network in bfloat16 beside them, where this processor multiplies in it: elsewhere that is emulated."""
    if torch.ops.mkldnn._is_mkldnn_bf16_supported():
        calls["network, bfloat16"] = bfloat16(calls["network"])
    return calls


def agree(outcome: dict[str, Tensor], wanted: Tensor) -> None:
    """All variants give the same, as far as their precision goes."""
    for variant, values in outcome.items():
        error = ((values.float() - wanted).norm() / wanted.norm()).item()
        assert error < (0.1 if "bfloat16" in variant else 1e-3), variant


@pytest.mark.parametrize("batch", [1, 16, 64])
@pytest.mark.parametrize("size", SIZES)
@torch.no_grad()
def test_forward(measure: Measure, size: str, batch: int) -> None:
    model = model_of(size)
    inputs = images(batch if measure.enabled else min(batch, 2))
    calls = reduced_too({"per equation": lambda: per_equation(model, inputs), "network": lambda: model(inputs)})
    measured = measure.side_by_side("Forward", f"{size}, batch {batch}", calls, samples=len(inputs), rounds=9)
    agree(measured, measured["per equation"])


def training_step(model: NeuralInterpreter, logits: Tensor, labels: Tensor) -> Tensor:
    """Loss and backward; the gradients of all that is trained, in one vector, 0 for what took no part."""
    trained = [p for p in model.parameters() if p.requires_grad]
    gradients = torch.autograd.grad(F.cross_entropy(logits.float(), labels), trained, materialize_grads=True)
    return torch.cat([g.flatten() for g in gradients])


def step_of(
    model: NeuralInterpreter, logits: Callable[[NeuralInterpreter, Tensor], Tensor], inputs: Tensor
) -> Callable[[], Tensor]:
    """A training step with some labels, forward included."""
    return lambda: training_step(model, logits(model, inputs), torch.arange(len(inputs)) % 2)


@pytest.mark.parametrize("size", SIZES)
def test_training_step(measure: Measure, size: str) -> None:
    model = NeuralInterpreter(model_of(size).config).train()
    model.load_state_dict(model_of(size).state_dict())
    inputs = images(64 if measure.enabled else 2)
    calls = reduced_too(
        {
            "per equation": step_of(model, lambda m, x: per_equation(m, x)[:, 0], inputs),
            "network": step_of(model, lambda m, x: m(x)[:, 0], inputs),
        }
    )
    measured = measure.side_by_side(
        "Training step", f"{size}, batch {len(inputs)}", calls, samples=len(inputs), rounds=9 if size == BUNDLED else 5
    )
    wanted = measured.pop("per equation")
    trained = {name: p.numel() for name, p in model.named_parameters() if p.requires_grad}
    member = zip(
        trained, measured["network"].split([*trained.values()]), wanted.split([*trained.values()]), strict=True
    )
    for name, one, other in member:
        assert (one - other).abs().max() <= 1e-3 * other.abs().max() + 1e-6, name
    for variant, gradients in measured.items():
        assert torch.cosine_similarity(gradients, wanted, dim=0) > 0.9, variant


def test_training_step_on_sets(measure: Measure) -> None:
    """The sizes of Table 3, for fuzzy Boolean expressions: 25 tokens, and keys that are smaller than tokens."""
    sizes = NeuralInterpreterConfig(
        features=128,
        code_features=128,
        scripts=2,
        iterations=2,
        functions=4,
        heads=1,
        key_features=32,
        tau=1.6,
        tokenizer=None,
        relative_position=None,
        domains=("expression",),
    )
    torch.manual_seed(0)
    model = NeuralInterpreter(sizes).train()
    tokens = torch.randn(128 if measure.enabled else 2, 25, 128)

    def literal(model: NeuralInterpreter, x: Tensor) -> Tensor:
        return oracle.neural_interpreter(from_model(model), settings_of(model.config), x)[0][:, 0]

    calls = {
        "per equation": step_of(model, literal, tokens),
        "network": step_of(model, lambda m, x: m.interpret(x)[:, 0], tokens),
    }
    measured = measure.side_by_side("Training step", "Table 3, batch 128", calls, samples=len(tokens), rounds=9)
    agree(measured, measured["per equation"])


class Peak:
    """The most bytes of CPU tensors that were held at once, beyond those held before."""

    def __init__(self, call: Callable[[], object]) -> None:
        self.call = call
        self.bytes = 0

    def __call__(self) -> object:
        with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
            result = self.call()
        assert profiler.profiler is not None
        events = [e for e in profiler.profiler.kineto_results.events() if e.name() == "[memory]"]
        assert events
        held = 0
        for event in sorted(events, key=lambda e: e.start_ns()):
            held += event.nbytes()
            self.bytes = max(self.bytes, held)
        return result


def test_the_peak_that_is_measured_is_the_peak(measure: Measure) -> None:
    """One tensor of 4 MB beside another, then a third when the first is gone: 8 MB."""

    def call() -> Tensor:
        one = torch.zeros(10**6)
        two = one + 1
        del one
        return two * 2

    peak = Peak(call)
    measure.peak("Peak memory", "two of three tensors of 4 MB", "known", peak, samples=1, count=lambda: peak.bytes)
    assert peak.bytes == pytest.approx(8e6, rel=0.01)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("kind", ["forward", "training step"])
@pytest.mark.parametrize("size", SIZES)
def test_peak_memory(measure: Measure, size: str, kind: str, variant: str) -> None:
    count = (64 if kind == "forward" else 16) if measure.enabled else 2
    inputs = images(count)
    if kind == "forward":
        model = model_of(size)
        peak = Peak(lambda: FORWARD[variant](model, inputs))
        with torch.no_grad():
            FORWARD[variant](model, inputs[:1])
            measured = measure.peak(
                "Peak memory", f"{size}, {kind}, batch {count}", variant, peak, samples=count, count=lambda: peak.bytes
            )
            assert isinstance(measured, Tensor)
            torch.testing.assert_close(measured[:2], per_equation(model, inputs[:2]), rtol=1e-3, atol=1e-3)
    else:
        model = NeuralInterpreter(model_of(size).config).train()
        peak = Peak(step_of(model, lambda m, x: FORWARD[variant](m, x)[:, 0], inputs))
        measure.peak(
            "Peak memory", f"{size}, {kind}, batch {count}", variant, peak, samples=count, count=lambda: peak.bytes
        )
    assert peak.bytes > inputs.nbytes


@pytest.mark.parametrize("batch", [1, 64])
@pytest.mark.parametrize("size", SIZES)
@torch.no_grad()
def test_recording(measure: Measure, size: str, batch: int) -> None:
    model = model_of(size)
    inputs = images(batch if measure.enabled else 2)

    def recorded(*fields: str) -> Callable[[], Tensor]:
        return lambda: torch.from_numpy(record(model, inputs, fields)["logits"].values)

    calls = {
        "plain": lambda: model(inputs),
        "compatibility, types": recorded(*FIELDS[:2]),
        "every field": recorded(*FIELDS),
    }
    measured = measure.side_by_side("Recording", f"{size}, batch {batch}", calls, samples=len(inputs), rounds=9)
    for variant, logits in measured.items():
        assert torch.equal(logits, measured["plain"]), variant


@pytest.mark.parametrize("dropped", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("size", SIZES)
def test_dropped_functions(measure: Measure, size: str, dropped: int) -> None:
    """Dropping saves compute: the ratio beside that of the FLOPs."""
    model = model_of(size)
    count = 16 if measure.enabled else 2
    inputs = images(count)
    view = Intervention(drop=model.units[:dropped]).apply(model)
    with torch.no_grad():
        view(inputs)
        with FlopCounterMode(display=False) as counter:
            wanted = view(inputs)
        measured = measure.seconds(
            "Dropped functions",
            f"{size}, batch 16",
            f"{dropped} dropped",
            lambda: view(inputs),
            samples=count,
            rounds=7,
            GFLOP=f"{counter.get_total_flops() / 1e9:.2f}",
        )
        assert torch.equal(measured, wanted)
        if dropped:
            with FlopCounterMode(display=False) as whole:
                model(inputs)
            assert counter.get_total_flops() < whole.get_total_flops()


COSTS: dict[str, dict[int, dict[str, int]]] = {
    "tokens": {(side // 4) ** 2 + 3: {"image_size": side} for side in (16, 32, 48, 64)},
    "functions": {n: {"functions": n} for n in (1, 2, 4, 8)},
    "iterations": {n: {"iterations": n} for n in (1, 2, 4, 8)},
}


@pytest.mark.parametrize("what", COSTS)
@torch.no_grad()
def test_cost(measure: Measure, what: str) -> None:
    """Against tokens, functions and iterations, all else as in Table 4 but for fewer iterations."""
    batch = 4 if measure.enabled else 1
    calls: dict[str, dict[int, Callable[[], Tensor]]] = {variant: {} for variant in VARIANTS}
    for n, changes in COSTS[what].items():
        torch.manual_seed(0)
        model = NeuralInterpreter(NeuralInterpreterConfig(**{"iterations": 2, **changes})).eval()
        side = model.config.image_size
        inputs = torch.rand(batch, 3, side, side, generator=torch.Generator().manual_seed(1))
        for variant in VARIANTS:
            forward = FORWARD[variant]
            calls[variant][n] = lambda forward=forward, model=model, inputs=inputs: forward(model, inputs)
    measured = measure.slopes("Cost", f"{what}, batch {batch}", calls, samples=batch)
    for n in COSTS[what]:
        agree({"network": measured["network"][n]}, measured["per equation"][n])


def test_scoring_a_thousand_images(measure: Measure) -> None:
    from routescope.data.dataset import Dataset

    model = model_of(BUNDLED)
    count = 1000 if measure.enabled else 20
    data = Dataset(
        name=model.config.domains[0],
        title="Noise",
        split="validation",
        images=(images(count) * 255).byte(),
        labels=torch.arange(count) % 10,
        hashes=tuple(map(str, range(count))),
        stand_in=True,
        stand_in_for=None,
        licence="none needed",
        classes=tuple("0123456789"),
    )
    measured = measure.seconds(
        "Scoring", f"{BUNDLED}, 1,000 images", "evaluate", lambda: evaluate(model, data), samples=count, rounds=3
    )
    assert measured.count == count
    with torch.no_grad():
        first = model(data.images[:8].float() / 255)[:, 0].argmax(-1)
    assert measured.predicted[:8].tolist() == first.tolist()
