"""Small random Neural Attentive Circuits for tests: configs as a hypothesis strategy, parameters from a seed."""

from collections.abc import Sequence
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from routescope.nn.baselines.perceiver_io import PerceiverIO, PerceiverIOConfig
from routescope.nn.circuit.network import NeuralAttentiveCircuit, NeuralAttentiveCircuitConfig
from tests.oracles import neural_attentive_circuit as oracle

PRIORS = (None, "scale-free", "planted-partition", "ring-of-cliques", "erdos-renyi")
SIZES: dict[str, Any] = {
    "features": 12,
    "code_features": 7,
    "signature_features": 5,
    "modules": 9,
    "readouts": 4,
    "layers": 3,
    "heads": 2,
    "head_features": 5,
    "ffn_hidden": 8,
    "readin_heads": 2,
    "readin_head_features": 3,
    "readout_heads": 3,
    "readout_head_features": 2,
    "tokenizer": None,
    "input_features": 10,
    "max_length": 6,
    "position_features": 13,
    "domains": ("here", "there"),
    "classes": 11,
}


def config(**changes: Any) -> NeuralAttentiveCircuitConfig:
    """A small config in which no two sizes that could be mixed up are equal."""
    return NeuralAttentiveCircuitConfig(**{**SIZES, **changes})


def executor_sizes(draw: st.DrawFn) -> dict[str, Any]:
    """Draw sizes of an executor, which a literal oracle runs in milliseconds."""
    features = draw(st.integers(2, 8))
    initial_state, layers = draw(st.sampled_from(["mlp", "code"])), draw(st.integers(0, 3))
    most = {"readouts": 3, "heads": 3, "head_features": 4, "ffn_hidden": 8, "readin_heads": 3}
    most |= {"readin_head_features": 4, "readout_heads": 3, "readout_head_features": 4}
    return {
        "features": features,
        "code_features": features if initial_state == "code" else draw(st.integers(2, 6)),
        "signature_features": draw(st.integers(1, 5)),
        "modules": draw(st.integers(1, 7)),
        "layers": layers,
        "distinct_layers": draw(st.none() | st.integers(1, layers)) if layers else None,
        "bandwidth": draw(st.sampled_from([0.2, 1.0, 3.0])),
        "initial_state": initial_state,
        "modulation": draw(st.sampled_from(["codes", "none"])),
        "readin_attention": draw(st.sampled_from(["modulated", "plain"])),
        **{name: draw(st.integers(1, size)) for name, size in most.items()},
    }


@st.composite
def configs(draw: st.DrawFn, **fixed: Any) -> NeuralAttentiveCircuitConfig:
    """Any circuit on sets of tokens."""
    drawn = {
        "temperature": draw(st.sampled_from([0.1, 0.5])),
        "links": draw(st.sampled_from(["learned", "frozen", "complete"])),
        "prior": draw(st.sampled_from(PRIORS)),
        "tokenizer": None,
        "input_features": draw(st.integers(2, 7)),
        "max_length": draw(st.integers(1, 5)),
        "domains": tuple(f"d{i}" for i in range(draw(st.integers(1, 3)))),
        "classes": draw(st.integers(1, 4)),
    }
    return NeuralAttentiveCircuitConfig(**{**executor_sizes(draw), **drawn, **fixed})


def randomised(model: Any, seed: int = 0) -> Any:
    """The network in double precision and evaluation mode, with every parameter, biases and norms included, random."""
    generator = torch.Generator().manual_seed(seed)
    model = model.double()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            noise = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
            if name.endswith("alpha"):
                parameter.fill_(0.4 + 0.5 * torch.rand((), generator=generator, dtype=torch.float64))
            elif name.endswith((".signatures", ".codes", "positions")):
                parameter.copy_(noise)
            elif "norm" in name and name.endswith("weight"):
                parameter.copy_(1 + 0.3 * noise)
            else:
                parameter.copy_(1.2 * noise * parameter[0].numel() ** -0.5 if parameter.dim() > 1 else 0.3 * noise)
    return model.eval()


def network(
    settings: NeuralAttentiveCircuitConfig, seed: int = 0, dtype: torch.dtype = torch.float64
) -> NeuralAttentiveCircuit:
    """A random network in evaluation mode."""
    kind = PerceiverIO if isinstance(settings, PerceiverIOConfig) else NeuralAttentiveCircuit
    found: NeuralAttentiveCircuit = randomised(kind(settings), seed).to(dtype)
    return found


def tokens(model: NeuralAttentiveCircuit, batch: int = 2, seed: int = 0, count: int | None = None) -> Tensor:
    """A random set (B, V, C_in)."""
    V = model.config.max_length if count is None else count
    generator = torch.Generator().manual_seed(1000 + seed)
    x = torch.randn(batch, V, model.config.input_features, generator=generator, dtype=torch.float64)
    return x.to(model.logits.weight.dtype)


def weights_of(model: NeuralAttentiveCircuit, drop: Sequence[int] = ()) -> dict[str, Tensor]:
    """The circuit's own parameters (not copies, so that gradients reach them), which the oracle calls the same."""
    weights = {name: p for name, p in model.named_parameters() if not name.startswith("tokenizer.")}
    weights = layer_by_layer(weights, model.config)
    return oracle.drop_modules(weights, drop) if drop else weights


def layer_by_layer(weights: dict[str, Tensor], config_: NeuralAttentiveCircuitConfig) -> dict[str, Tensor]:
    """The weights with a name for each layer, also for those that share them: the oracle knows no such layers."""
    named = dict(weights)
    for step in range(config_.layers):
        shared = f"layer.{step % (config_.distinct_layers or config_.layers)}."
        named |= {f"layer.{step}.{n.removeprefix(shared)}": p for n, p in weights.items() if n.startswith(shared)}
    return named


def settings_of(config_: NeuralAttentiveCircuitConfig) -> oracle.Settings:
    """The oracle's settings for a network's config."""
    return oracle.Settings(
        layers=config_.layers,
        heads=config_.heads,
        readin_heads=config_.readin_heads,
        readout_heads=config_.readout_heads,
        bandwidth=config_.bandwidth,
    )


def ask_oracle(
    model: NeuralAttentiveCircuit, x: Tensor, there: Tensor | None = None, *, drop: Sequence[int] = (), **options: Any
) -> tuple[Tensor, oracle.Trace]:
    """The oracle with a model's weights, without the modules at the positions to drop."""
    return oracle.neural_attentive_circuit(weights_of(model, drop), settings_of(model.config), x, there, **options)
