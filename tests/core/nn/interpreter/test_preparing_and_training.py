"""Gradients, prepared weights, chunks, precision and cost of the Neural Interpreter."""

import pytest
import torch
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

from routescope.nn.interpreter.network import NeuralInterpreter
from tests.core.nn.networks import config, images, network, tokens
from tests.oracles.mapping import ask_oracle

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


def changes() -> dict[str, object]:
    """Ways in which parameters change under a network that has prepared its weights."""

    def in_place(model: NeuralInterpreter) -> None:
        with torch.no_grad():
            model.scripts[0].codes.mul_(1.5)

    def load(model: NeuralInterpreter) -> None:
        model.load_state_dict(network(model.config, seed=9).state_dict())

    def optimise(model: NeuralInterpreter) -> None:
        optimiser = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)
        model(images(model)).square().mean().backward()
        optimiser.step()

    def data(model: NeuralInterpreter) -> None:
        model.scripts[1].locs[0].attention.value.W.data = model.scripts[1].locs[0].attention.value.W.data * 2

    def replace_parameter(model: NeuralInterpreter) -> None:
        model.scripts[0].sigma = torch.nn.Parameter(torch.tensor(0.45, dtype=torch.float64))

    return {f.__name__: f for f in (in_place, load, optimise, data, replace_parameter)}


@pytest.mark.parametrize("change", changes().values(), ids=changes().keys())
def test_prepared_weights_are_never_stale(change) -> None:
    model = network(config())
    view = model.keep(model.units[:5])
    x = tokens(model)
    with torch.no_grad():
        before = model.interpret(x)
        view.interpret(x)
    change(model)
    with torch.no_grad():
        after = model.interpret(x)
        assert not torch.equal(after, before)
        torch.testing.assert_close(after, ask_oracle(model, x)[0], **CLOSE)
        fresh = model.keep(view.units).interpret(x)
        if change.__name__ != "replace_parameter":  # a view made before holds the parameters it was made with
            torch.testing.assert_close(view.interpret(x), fresh, **CLOSE)


def test_a_change_of_precision_is_followed() -> None:
    model = network(config())
    x = tokens(model)
    with torch.no_grad():
        double = model.interpret(x)
        single = model.float().interpret(x.float())
        assert single.dtype == torch.float32
        again = model.double().interpret(x)
    torch.testing.assert_close(single.double(), double, rtol=1e-3, atol=1e-4)
    assert again.dtype == torch.float64


def test_autocast_leaves_nothing_behind() -> None:
    """A run in bfloat16 must not lower the precision of the next plain run."""
    model = network(config(), dtype=torch.float32)
    x, batch = tokens(model), images(model)
    with torch.no_grad():
        before = network(config(), dtype=torch.float32)(batch)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            model(batch)
        assert torch.equal(model(batch), before)
        model.interpret(x)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            first = model(batch)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            assert torch.equal(network(config(), dtype=torch.float32)(batch), first), "depends on what ran before"


def test_inference_mode_gives_the_same_and_may_be_mixed_with_no_grad() -> None:
    model = network(config())
    batch = images(model)
    with torch.inference_mode():
        one = model(batch)
    with torch.no_grad():
        two = model(batch)
    three = model(batch)
    assert torch.equal(one, two)
    torch.testing.assert_close(three, two, **CLOSE)
    three.sum().backward()
    with torch.inference_mode():
        made_inside = network(config())
        torch.testing.assert_close(made_inside(batch), two, **CLOSE)
        torch.testing.assert_close(made_inside(batch), two, **CLOSE)


@pytest.mark.parametrize("batch", [0, 1, 5, 23])
def test_chunks_and_training_mode_give_what_one_pass_gives(batch: int) -> None:
    model = network(config())
    many = images(model, batch=batch)
    with torch.no_grad():
        whole = model.train()(many)  # one pass
        model.eval()
        model.chunk_tokens = 4 * len(model.tokens)
        chunked = model(many)
    assert chunked.shape == (batch, 2, 11)
    torch.testing.assert_close(chunked, whole, **CLOSE)
    for i in range(min(batch, 5)):
        with torch.no_grad():
            torch.testing.assert_close(model(many[i : i + 1])[0], whole[i], **CLOSE)


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
