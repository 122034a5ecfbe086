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

from core import zoo
from core.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from core.routing import Intervention, record
from core.routing.caused.scores import evaluate
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


def rounds_for(batch: int, size: str) -> int:
    return 15 if batch == 1 else 7 if size == BUNDLED or batch == 16 else 3


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("batch", [1, 16, 128])
@pytest.mark.parametrize("size", SIZES)
def test_forward(measure: Measure, size: str, batch: int, variant: str) -> None:
    model = model_of(size)
    count = batch if measure.enabled else min(batch, 2)
    inputs = images(count)
    with torch.no_grad():
        found = measure.seconds(
            "Forward",
            f"{size}, batch {batch}",
            variant,
            lambda: FORWARD[variant](model, inputs),
            samples=count,
            rounds=rounds_for(batch, size),
        )
        torch.testing.assert_close(found[:2], per_equation(model, inputs[:2]), rtol=1e-3, atol=1e-3)


def training_step(model: NeuralInterpreter, batch: Tensor, labels: Tensor, variant: str) -> list[Tensor]:
    """Forward, loss and backward; the gradients of all that is trained."""
    trained = [p for p in model.parameters() if p.requires_grad]
    logits = FORWARD[variant](model, batch)
    return list(torch.autograd.grad(F.cross_entropy(logits[:, 0], labels), trained, allow_unused=True))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("size", SIZES)
def test_training_step(measure: Measure, size: str, variant: str) -> None:
    count = (64 if size == BUNDLED else 16) if measure.enabled else 2
    model = NeuralInterpreter(model_of(size).config).train()
    model.load_state_dict(model_of(size).state_dict())
    inputs, labels = images(count), torch.arange(count) % model.config.classes
    found = measure.seconds(
        "Training step",
        f"{size}, batch {count}",
        variant,
        lambda: training_step(model, inputs, labels, variant),
        samples=count,
        rounds=4,
    )
    names = [name for name, p in model.named_parameters() if p.requires_grad]
    wanted = training_step(model, inputs, labels, "per equation")
    assert any(gradient is not None for gradient in found)
    for name, one, other in zip(names, found, wanted, strict=True):
        assert (one is None) == (other is None), name
        if one is not None and other is not None:
            assert (one - other).abs().max() <= 1e-3 * other.abs().max() + 1e-6, name


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
    count = (128 if kind == "forward" else 16) if measure.enabled else 2
    inputs, labels = images(count), torch.arange(count) % 10
    if kind == "forward":
        model = model_of(size)
        peak = Peak(lambda: FORWARD[variant](model, inputs))
        with torch.no_grad():
            FORWARD[variant](model, inputs[:1])
            found = measure.peak(
                "Peak memory", f"{size}, {kind}, batch {count}", variant, peak, samples=count, count=lambda: peak.bytes
            )
            assert isinstance(found, Tensor)
            torch.testing.assert_close(found[:2], per_equation(model, inputs[:2]), rtol=1e-3, atol=1e-3)
    else:
        model = NeuralInterpreter(model_of(size).config).train()
        peak = Peak(lambda: training_step(model, inputs, labels, variant))
        measure.peak(
            "Peak memory", f"{size}, {kind}, batch {count}", variant, peak, samples=count, count=lambda: peak.bytes
        )
    assert peak.bytes > inputs.nbytes


@pytest.mark.parametrize("what", ["plain", "compatibility, types", "every field"])
@pytest.mark.parametrize("batch", [1, 16, 128])
def test_recording(measure: Measure, batch: int, what: str) -> None:
    model = model_of(BUNDLED)
    count = batch if measure.enabled else min(batch, 2)
    inputs = images(count)
    only = {"compatibility, types": FIELDS[:2], "every field": FIELDS}.get(what, ())
    with torch.no_grad():
        plain = model(inputs)

        def run() -> Tensor:
            return model(inputs) if what == "plain" else torch.from_numpy(record(model, inputs, only)["logits"].values)

        found = measure.seconds(
            "Recording", f"{BUNDLED}, batch {batch}", what, run, samples=count, rounds=15 if batch < 128 else 7
        )
    assert torch.equal(found, plain)


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
        found = measure.seconds(
            "Dropped functions",
            f"{size}, batch 16",
            f"{dropped} dropped",
            lambda: view(inputs),
            samples=count,
            rounds=7,
            GFLOP=f"{counter.get_total_flops() / 1e9:.2f}",
        )
        assert torch.equal(found, wanted)
        if dropped:
            with FlopCounterMode(display=False) as whole:
                model(inputs)
            assert counter.get_total_flops() < whole.get_total_flops()


@pytest.mark.parametrize("iterations", [8, 4, 1])
def test_anytime(measure: Measure, iterations: int) -> None:
    model = model_of("Table 4")
    count = 16 if measure.enabled else 2
    inputs = images(count)
    with torch.no_grad():
        found = measure.seconds(
            "Iterations", "Table 4, batch 16", f"{iterations}", lambda: model(inputs, iterations), samples=count
        )
        x, _ = oracle.neural_interpreter(
            from_model(model), settings_of(model.config), model.tokenize(inputs[:2]), iterations
        )
        wanted = torch.stack([head(x[:, d]) for d, head in enumerate(model.heads)], dim=1)
    torch.testing.assert_close(found[:2], wanted, rtol=1e-3, atol=1e-3)


def test_scoring_a_thousand_images(measure: Measure) -> None:
    from core.data.dataset import Dataset

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
    found = measure.seconds(
        "Scoring", f"{BUNDLED}, 1,000 images", "evaluate", lambda: evaluate(model, data), samples=count, rounds=3
    )
    assert found.count == count
    with torch.no_grad():
        first = model(data.images[:8].float() / 255)[:, 0].argmax(-1)
    assert found.predicted[:8].tolist() == first.tolist()
