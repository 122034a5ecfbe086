"""Gradients, initial parameters and cost of the Neural Interpreter."""

import pytest
import torch
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

from routescope.nn.interpreter.network import NeuralInterpreter
from tests.core.nn.networks import config, images, network, tokens

CLOSE = {"rtol": 1e-9, "atol": 1e-9}


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
    for script in NeuralInterpreter(config(functions=400, type_features=50)).scripts:
        assert abs(script.signatures.mean().item()) < 0.05 and abs(script.signatures.std().item() - 1) < 0.05
        assert script.sigma.shape == () and script.sigma.item() == 1.0


@pytest.mark.parametrize("tau", [0.7, 2.1])
def test_no_gradient_is_lost_or_infinite_where_nothing_matches(tau: float) -> None:
    model = network(config(tau=tau, frozen_signatures=False)).train()
    x = tokens(model, batch=6).requires_grad_()
    model.interpret(x).sum().backward()
    for name, parameter in [("x", x), *model.named_parameters()]:
        if parameter.grad is not None:
            assert parameter.grad.isfinite().all(), name


def flops(model: NeuralInterpreter, x: Tensor, outputs: int | None = None) -> int:
    with torch.no_grad():
        model.prepare()
        with FlopCounterMode(display=False) as counter:
            model.interpret(x, outputs=outputs)
    return counter.get_total_flops()


def test_dropped_and_muted_functions_and_unread_tokens_cost_nothing() -> None:
    model = network(config(scripts=1, functions=5, image_size=12))
    x = tokens(model)
    counts = [flops(model.keep(model.units[:n]), x) for n in range(6)]
    assert len({b - a for a, b in zip(counts[:-1], counts[1:], strict=True)}) == 1, "every function costs the same"
    assert counts[5] - counts[0] > 0.8 * counts[5] and counts[5] == flops(model, x)
    assert flops(model.mute(model.units[:4]), x) < counts[2], "muted functions do not compute either"
    last = network(config(scripts=1, iterations=1, locs=1, image_size=12))
    assert flops(last, x, 2) < 0.8 * flops(last, x)
