"""Gradients, prepared weights, chunks, precision and cost of the Neural Interpreter."""

import pytest
import torch
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

from routescope.nn.interpreter.network import NeuralInterpreter
from tests.core.nn.networks import config, images, network, tokens

CLOSE = {"rtol": 1e-9, "atol": 1e-9}


# ------------------------------------------------------------------------------------------------------- training


#: What each field freezes, as parts of parameters' names.
FROZEN = {
    "frozen_signatures": (".signatures",),
    "frozen_codes": (".codes",),
    "frozen_patch_embeddings": ("tokenizer.",),
    "frozen_type_inference": (".type_inference.", ".sigma"),
}


@pytest.mark.parametrize("frozen", [(), *([field] for field in FROZEN), tuple(FROZEN)], ids="+".join)
def test_gradients_reach_everything_but_what_is_frozen(frozen: tuple[str, ...]) -> None:
    settings_ = config(**{field: field in frozen for field in FROZEN}, relative_position="shared")
    model = network(settings_).train()
    model(images(model)).square().sum().backward()
    for name, parameter in model.named_parameters():
        if any(part in name for field in frozen for part in FROZEN[field]):
            assert parameter.grad is None, name
        else:
            assert parameter.grad is not None, name
            assert parameter.grad.abs().max() > 0, name


def test_signatures_start_as_standard_normals_and_sigma_as_one() -> None:
    torch.manual_seed(0)
    model = NeuralInterpreter(config(functions=400, type_features=50))
    for script in model.scripts:
        assert abs(script.signatures.mean().item()) < 0.05
        assert abs(script.signatures.std().item() - 1) < 0.05
        assert script.sigma.shape == ()
        assert script.sigma.item() == 1.0
    assert model.config.eps == 1e-6


@pytest.mark.parametrize("tau", [0.7, 2.1])
def test_no_gradient_is_lost_or_infinite_where_nothing_matches(tau: float) -> None:
    model = network(config(tau=tau, frozen_signatures=False)).train()
    x = tokens(model, batch=6).requires_grad_()
    model.interpret(x).sum().backward()
    for name, parameter in [("x", x), *model.named_parameters()]:
        if parameter.grad is not None:
            assert parameter.grad.isfinite().all(), name


# ------------------------------------------------------------------------------ prepared weights, chunks, precision


def flops(model: NeuralInterpreter, batch: Tensor) -> int:
    with torch.no_grad():
        model(batch)  # prepares
        with FlopCounterMode(display=False) as counter:
            model(batch)
    return counter.get_total_flops()


def test_dropped_functions_cost_nothing() -> None:
    model = network(config(scripts=1, functions=5))
    batch = images(model)
    counts = [flops(model.keep(model.units[:n]), batch) for n in range(6)]
    print("FLOPs with 0 to 5 functions:", counts)
    per_function = {b - a for a, b in zip(counts[:-1], counts[1:], strict=True)}
    # every function costs the same: its streams, and its row of the type matching
    assert len(per_function) <= 2
    assert min(per_function) > 0
    assert counts[5] - counts[0] > 0.8 * counts[5]
    assert flops(model, batch) == counts[5]
    assert flops(model.mute(model.units[:4]), batch) < counts[2], "muted functions do not compute either"
    assert flops(model.keep(model.units[:4]).keep(model.units[:2]), batch) == counts[2]


def test_the_last_step_costs_less_when_only_cls_tokens_are_needed() -> None:
    model = network(config(scripts=1, iterations=1, locs=1, image_size=12))
    x = tokens(model)
    with torch.no_grad():
        model.interpret(x)
        counts = []
        for outputs in (None, 2):
            with FlopCounterMode(display=False) as counter:
                model.interpret(x, outputs=outputs)
            counts.append(counter.get_total_flops())
    print("FLOPs of a step for all 38 tokens and for 2:", counts)
    assert counts[1] < 0.8 * counts[0]
