"""Small random Neural Interpreters for tests: configs as a hypothesis strategy, parameters from a seed."""

import torch
from hypothesis import strategies as st
from torch import Tensor

from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig

RESIDUALS = ("passthrough", "printed", "none")


def config(**changes: object) -> NeuralInterpreterConfig:
    """A small config in which no two sizes are equal, so that mixed-up axes cannot go unseen."""
    sizes = {
        "features": 12,
        "code_features": 7,
        "type_features": 5,
        "scripts": 2,
        "iterations": 3,
        "locs": 2,
        "functions": 4,
        "heads": 3,
        "key_features": 8,
        "type_inference_width": 9,
        "tau": 1.1,
        "relative_position": None,
        "position_features": 6,
        "image_size": 6,
        "patch_size": 2,
        "domains": ("here", "there"),
        "classes": 11,
    }
    return NeuralInterpreterConfig(**{**sizes, **changes})


@st.composite
def configs(draw: st.DrawFn, **fixed: object) -> NeuralInterpreterConfig:
    """Any architecture the paper allows, in sizes that a literal oracle runs in milliseconds."""
    heads = draw(st.integers(1, 3))
    side = draw(st.integers(1, 3))
    drawn = {
        "heads": heads,
        "features": heads * draw(st.integers(2, 4)),
        "code_features": draw(st.integers(1, 7)),
        "type_features": draw(st.integers(2, 6)),
        "scripts": draw(st.integers(1, 2)),
        "iterations": draw(st.integers(0, 3)),
        "locs": draw(st.integers(1, 2)),
        "functions": draw(st.integers(1, 5)),
        "key_features": draw(st.integers(1, 6)),
        "type_inference_width": draw(st.integers(2, 8)),
        "type_inference_depth": draw(st.integers(1, 3)),
        "tau": draw(st.sampled_from([0.4, 0.8, 1.2, 1.6, 2.1])),
        "eps": draw(st.sampled_from([1e-6, 1e-2])),
        "residual": draw(st.sampled_from(RESIDUALS)),
        "relative_position": draw(st.sampled_from([None, "shared", "modlin"])),
        "position_features": draw(st.integers(1, 5)),
        "image_size": 2 * side,
        "patch_size": 2,
        "image_channels": draw(st.integers(1, 3)),
        "domains": tuple(f"d{i}" for i in range(draw(st.integers(1, 3)))),
        "classes": draw(st.integers(1, 4)),
        "frozen_signatures": draw(st.booleans()),
        "frozen_codes": draw(st.booleans()),
        "frozen_type_inference": draw(st.booleans()),
        "frozen_patch_embeddings": "tokenizer" not in fixed and draw(st.booleans()),
    }
    return NeuralInterpreterConfig(**{**drawn, **fixed})


def network(settings: NeuralInterpreterConfig, seed: int = 0, dtype: torch.dtype = torch.float64) -> NeuralInterpreter:
    """A network in evaluation mode in which every parameter, biases and norms included, is random."""
    generator = torch.Generator().manual_seed(seed)
    model = NeuralInterpreter(settings).double()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            noise = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
            if name.endswith("sigma"):
                parameter.fill_(0.3 + torch.rand((), generator=generator, dtype=torch.float64))
            elif name.endswith(("signatures", "codes", "cls")):
                parameter.copy_(noise)
            elif ".norm" in name and name.endswith("weight"):
                parameter.copy_(1 + 0.3 * noise)
            else:
                parameter.copy_(noise * parameter.shape[-1] ** -0.5 if parameter.dim() > 1 else 0.3 * noise)
    return model.to(dtype).eval()


def tokens(model: NeuralInterpreter, batch: int = 2, seed: int = 0, count: int | None = None) -> Tensor:
    """A random set (B, V, C), as long as the model's own set of CLS tokens and patches."""
    V = len(model.tokens) if count is None else count
    generator = torch.Generator().manual_seed(1000 + seed)
    x = torch.randn(batch, V, model.config.features, generator=generator, dtype=torch.float64)
    return x.to(model.cls.dtype)


def images(model: NeuralInterpreter, batch: int = 2, seed: int = 0) -> Tensor:
    """Random images in [0, 1]."""
    generator = torch.Generator().manual_seed(2000 + seed)
    shape = (batch, model.config.image_channels, model.config.image_size, model.config.image_size)
    return torch.rand(shape, generator=generator, dtype=torch.float64).to(model.cls.dtype)
