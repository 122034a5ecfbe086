"""How fast and how large the Neural Interpreter is, beside the literal per-equation one, in the same run.

`make bench` measures; in `make test` each runs once, small, and only the answers are compared. No test asserts a time.
"""

from collections.abc import Callable
from functools import cache

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

from routescope import zoo
from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from routescope.routing import Intervention, record
from routescope.routing.caused.scores import evaluate
from tests.benchmarks.conftest import Measure, Peak, agree, bfloat16
from tests.oracles import neural_interpreter as oracle
from tests.oracles.mapping import from_model, settings_of

pytestmark = pytest.mark.timeout(1800)  # a busy machine may be slow; nothing here is judged by its time

BUNDLED = "ni-digits"
SIZES = ("Table 4", BUNDLED)
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


def reduced_too(calls: dict[str, Callable[[], Tensor]]) -> dict[str, Callable[[], Tensor]]:
    """The network in bfloat16 beside them, where this processor multiplies in it: elsewhere that is emulated."""
    if torch.ops.mkldnn._is_mkldnn_bf16_supported():
        calls["network, bfloat16"] = bfloat16(calls["network"])
    return calls


@pytest.mark.parametrize("batch", [1, 64])
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


@pytest.mark.parametrize("variant", FORWARD)
@pytest.mark.parametrize("kind", ["forward", "training step"])
@pytest.mark.parametrize("size", SIZES)
def test_peak_memory(measure: Measure, size: str, kind: str, variant: str) -> None:
    count = (64 if kind == "forward" else 16) if measure.enabled else 2
    inputs, forward = images(count), FORWARD[variant]
    case = f"{size}, {kind}, batch {count}"
    if kind == "forward":
        model = model_of(size)
        with torch.no_grad():
            forward(model, inputs[:1])
            peak = Peak(lambda: forward(model, inputs))
            measured = measure.peak("Peak memory", case, variant, peak, samples=count)
            torch.testing.assert_close(measured[:2], per_equation(model, inputs[:2]), rtol=1e-3, atol=1e-3)
    else:
        model = NeuralInterpreter(model_of(size).config).train()
        peak = Peak(step_of(model, lambda m, x: forward(m, x)[:, 0], inputs))
        measure.peak("Peak memory", case, variant, peak, samples=count)
    assert peak.bytes > inputs.nbytes


@pytest.mark.parametrize("size", SIZES)
@torch.no_grad()
def test_recording(measure: Measure, size: str) -> None:
    model = model_of(size)
    inputs = images(64 if measure.enabled else 2)

    def recorded(*fields: str) -> Callable[[], Tensor]:
        return lambda: torch.from_numpy(record(model, inputs, fields)["logits"].values)

    calls = {
        "plain": lambda: model(inputs),
        "compatibility, types": recorded(*FIELDS[:2]),
        "every field": recorded(*FIELDS),
    }
    measured = measure.side_by_side("Recording", f"{size}, batch 64", calls, samples=len(inputs), rounds=9)
    for variant, logits in measured.items():
        assert torch.equal(logits, measured["plain"]), variant


@pytest.mark.parametrize("dropped", [0, 2, 4])
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


def test_scoring_a_thousand_images(measure: Measure) -> None:
    from routescope.data import DatasetInfo
    from routescope.data.pictures.sets import PictureSet

    model = model_of(BUNDLED)
    count = 1000 if measure.enabled else 20
    data = PictureSet(
        info=DatasetInfo(model.config.domains[0], "Noise", classes=tuple("0123456789")),
        split="validation",
        images=(images(count) * 255).byte(),
        labels=torch.arange(count) % 10,
        hashes=tuple(map(str, range(count))),
    )
    measured = measure.seconds(
        "Scoring", f"{BUNDLED}, 1,000 images", "evaluate", lambda: evaluate(model, data), samples=count, rounds=3
    )
    assert measured.count == count
    with torch.no_grad():
        first = model(data.images[:8].float() / 255)[:, 0].argmax(-1)
    assert measured.predicted[:8].tolist() == first.tolist()
