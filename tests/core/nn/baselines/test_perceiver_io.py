"""Perceiver IO as a special case of the Neural Attentive Circuit, and the ladder between the two (Table 1)."""

import torch
from torch import Tensor

from routescope.nn.baselines.perceiver_io import PerceiverIO, PerceiverIOConfig
from routescope.nn.circuit.network import NeuralAttentiveCircuit
from tests.core.nn.circuits import SIZES, config, network, tokens
from tests.oracles.mapping import listening
from tests.oracles.perceiver_io import perceiver_io

CLOSE = {"rtol": 1e-9, "atol": 1e-9}
SAME = {**SIZES, "code_features": SIZES["features"]}


def literal_weights(model: PerceiverIO) -> dict[str, Tensor]:
    """A Perceiver IO's parameters under the names of its literal version."""
    found = {"latents": model.processor.codes, "queries": model.readout.codes}
    blocks = {"read_in": "encode", "read_out": "decode"} | {
        f"layer.{n}": f"process.{n}" for n in range(model.config.layers)
    }
    names = {
        "attention.norm_receiver": "norm_q",
        "attention.norm_sender": "norm_kv",
        "attention.query": "q",
        "attention.key": "k",
        "attention.value": "v",
        "attention.out": "out",
        "ffn.norm": "norm_mlp",
        "ffn.in": "mlp.0",
        "ffn.out": "mlp.1",
    }
    for name, parameter in model.named_parameters():
        for ours, theirs in blocks.items():
            if name.startswith(f"{ours}."):
                layer, kind = name.removeprefix(f"{ours}.").rsplit(".", 1)
                found[f"{theirs}.{names[layer]}.{ {'W': 'weight', 'b': 'bias'}.get(kind, kind) }"] = parameter
    assert len(found) == len(list(model.parameters())) - 4, "all but confidences and logits"
    return found


@torch.no_grad()
def test_it_equals_a_literal_perceiver_io() -> None:
    model = network(PerceiverIOConfig(**SAME))
    assert isinstance(model, PerceiverIO)
    x = tokens(model)
    latents, outputs = perceiver_io(literal_weights(model), x, 3, (2, 2, 3))
    with listening(model, "states") as heard:
        found = model(x)
    torch.testing.assert_close(heard["states"][3], latents, **CLOSE)
    shares = torch.softmax(outputs @ model.confidence.weight[0] + model.confidence.bias, dim=-1)
    logits = (shares[..., None] * outputs).sum(dim=1) @ model.logits.weight.T + model.logits.bias
    torch.testing.assert_close(found[:, 0], logits, **CLOSE)


@torch.no_grad()
def test_the_ladder_leads_from_it_to_the_circuit() -> None:
    """Every rung equals the circuit in which the rungs above it are without effect."""
    full = network(config(**SAME, initial_state="code"))
    x = tokens(full)
    state = full.state_dict()

    def rung(**changes: object) -> NeuralAttentiveCircuit:
        model = network(config(**SAME, initial_state="code", **changes))
        model.load_state_dict({name: state[name] for name in model.state_dict()})
        return model

    frozen, modfc = rung(links="frozen"), rung(links="complete")
    perceiver = network(PerceiverIOConfig(**SAME))
    perceiver.load_state_dict({name: state[name] for name in perceiver.state_dict()})
    assert torch.equal(frozen(x), full(x)), "frozen links are links"
    assert not frozen.processor.signatures.requires_grad
    assert not torch.allclose(modfc(x), full(x))
    assert not torch.allclose(perceiver(x), modfc(x))
    full.processor.signatures.copy_(torch.ones(9, 5))
    full.readout.signatures.copy_(torch.ones(4, 5))
    torch.testing.assert_close(full(x), modfc(x), **CLOSE)
    for name, parameter in modfc.named_parameters():
        if name.endswith("alpha"):
            parameter.zero_()
    torch.testing.assert_close(perceiver(x), modfc(x), **CLOSE)


def test_it_has_no_parameters_that_do_nothing() -> None:
    model = network(PerceiverIOConfig(**SAME)).train()
    model(tokens(model)).square().sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        assert not name.endswith(("W_c", "alpha", "signatures"))
