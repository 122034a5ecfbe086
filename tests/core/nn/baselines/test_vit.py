"""The Vision Transformer against its literal oracle, and what its units are."""

import math
from typing import Any

import numpy as np
import pytest
import torch

from routescope.nn.baselines.vit import VisionTransformer, VisionTransformerConfig
from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from routescope.routing import Intervention, record
from routescope.routing.compute import flops_per_sample
from tests.oracles.vision_transformer import vision_transformer

#: No two sizes that could be mixed up are equal.
SMALL: dict[str, Any] = {
    "features": 10, "layers": 4, "heads": 3, "head_features": 5, "ffn_hidden": 7, "image_size": 6, "patch_size": 2,
    "domains": ("here", "there"), "classes": 4,
}  # fmt: skip
CLOSE = {"rtol": 1e-9, "atol": 1e-9}


def network(seed: int = 0, **changes: Any) -> VisionTransformer:
    """A small one in which every parameter is random, in double precision."""
    torch.manual_seed(seed)
    model = VisionTransformer(VisionTransformerConfig(**{**SMALL, **changes})).double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn_like(parameter) * parameter.shape[-1] ** -0.5)
    return model.eval()


def pictures(model: VisionTransformer, count: int = 3) -> torch.Tensor:
    side, channels = model.config.image_size, model.config.image_channels
    generator = torch.Generator().manual_seed(9)
    return torch.rand(count, channels, side, side, generator=generator, dtype=torch.float64)


def literally(model: VisionTransformer, images: torch.Tensor, layers: list[int]) -> tuple[torch.Tensor, Any]:
    return vision_transformer(model.state_dict(), images, model.config.patch_size, layers, model.config.heads)


@pytest.mark.parametrize("changes", [{}, {"layers": 1, "heads": 1}, {"domains": ("one",), "patch_size": 3}])
def test_it_equals_the_oracle(changes: dict[str, Any]) -> None:
    model = network(**changes)
    images, layers = pictures(model), list(range(model.config.layers))
    theirs, attention = literally(model, images, layers)
    with torch.no_grad(), model.capture(("attention",)) as heard:
        torch.testing.assert_close(model(images), theirs, **CLOSE)
    assert [step for step, _ in heard["attention"]] == layers
    ours = torch.stack([weights for _, weights in heard["attention"]], dim=1)
    torch.testing.assert_close(ours, torch.stack([torch.stack(each) for each in attention]), **CLOSE)


@pytest.mark.parametrize("kept", [(), (2,), (0, 3), (0, 1, 2)])
def test_a_view_is_the_network_of_the_layers_that_are_left(kept: tuple[int, ...]) -> None:
    """Dropped or muted: nobody has a share that others could take."""
    model = network()
    images, gone = pictures(model), [unit for at, unit in enumerate(model.units) if at not in kept]
    theirs, _ = literally(model, images, list(kept))
    with torch.no_grad():
        for view in (model.keep([model.units[at] for at in kept[::-1]]), model.mute(gone)):
            torch.testing.assert_close(view(images), theirs, **CLOSE)
    assert flops_per_sample(model.float().mute(gone)) == flops_per_sample(model.keep([model.units[at] for at in kept]))


def test_contributions_are_what_each_layer_adds_to_its_tokens() -> None:
    model = network()
    images = pictures(model)
    trace = record(model, images, only=("contributions", "token_states"), intervention=Intervention(drop=("l2",)))
    states = trace["token_states"].transpose("step", "sample", "token", "feature").values
    added = trace["contributions"].transpose("step", "unit", "sample", "token", "feature").values
    before = model.tokenize(images).detach().float().numpy()
    for step, after in enumerate(states):
        np.testing.assert_allclose(added[step].sum(axis=0), after - before, atol=1e-5)
        assert (added[step].any(axis=(1, 2, 3)) == [at == step != 1 for at in range(4)]).all()
        before = after


def test_a_trace_has_what_attention_adds_by_position() -> None:
    model = network()
    trace = record(model, pictures(model), only=(), intervention=Intervention(iterations=2, drop=("l1",)))
    for axis, size in (("row", 3), ("column", 3)):
        bias = trace[f"{axis}_bias"]
        assert bias.dims == ("layer", "head", f"{axis}_difference") and bias.shape == (4, 3, 2 * size - 1)
        for layer in range(4):
            own = model.state_dict()[f"layers.{layer}.position.{axis}"].numpy()
            np.testing.assert_array_equal(bias.values[layer], own)
    assert trace.dataset["step"].values.tolist() == ["l1", "l2"]
    assert trace["kept"].values.tolist() == [False, True, True, True]


def test_of_fewer_iterations_the_first_layers_run_and_of_more_none() -> None:
    model = network()
    images = pictures(model)
    with torch.no_grad():
        for count in range(model.config.layers + 1):
            assert torch.equal(model(images, iterations=count), model.keep(model.units[:count])(images))
    with pytest.raises(ValueError, match="from 0 to 4 layers"):
        model(images, iterations=5)


def test_the_printed_sizes_have_as_many_parameters_as_printed() -> None:
    """1.80 million in Table 5, with the tokenizer, CLS tokens and heads of the Neural Interpreter."""
    model, interpreter = (
        {name: value.shape for name, value in network_.state_dict().items()}
        for network_ in (VisionTransformer(VisionTransformerConfig()), NeuralInterpreter(NeuralInterpreterConfig()))
    )
    assert sum(math.prod(shape) for shape in model.values()) == 1_802_478
    shared = [name for name in interpreter if name.startswith(("tokenizer", "cls", "heads"))]
    assert shared and all(model[name] == interpreter[name] for name in shared)
