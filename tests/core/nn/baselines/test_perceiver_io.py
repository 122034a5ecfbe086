"""Perceiver IO against its literal version, of sets and of statements, and the ladder to the circuit (Table 1)."""

from typing import Any

import pytest
import torch
from torch import Tensor, nn

from routescope.nn.baselines.perceiver_io import PerceiverIO, PerceiverIOConfig, StatementPerceiverIOConfig
from routescope.nn.circuit.network import NeuralAttentiveCircuit
from tests.core.nn import conditionals
from tests.core.nn.circuits import SIZES, config, network, tokens
from tests.core.nn.conditionals import SENTENCES, perceiver, picture_tokens, statements, texts_of
from tests.oracles.mapping import listening
from tests.oracles.perceiver_io import perceiver_io

CLOSE = {"rtol": 1e-9, "atol": 1e-9}
SAME = {**SIZES, "code_features": SIZES["features"]}
#: Parts of the network's names, and of those of the literal version.
NAMES = {
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


def literally(model: nn.Module, x: Tensor) -> tuple[Tensor, Tensor]:
    """Return latents and logits of the literal version with the parameters of a model, from tokens (B, V, C_in)."""
    w = dict(model.named_parameters())
    found = {"latents": w["processor.codes"], "queries": w["readout.codes"]}
    for name, parameter in w.items():
        block, _, rest = name.removeprefix("layer.").partition(".")
        theirs = {"read_in": "encode", "read_out": "decode"}.get(block) or f"process.{block}"
        layer, _, kind = rest.rpartition(".")
        if layer in NAMES:
            found[f"{theirs}.{NAMES[layer]}.{ {'W': 'weight', 'b': 'bias'}.get(kind, kind) }"] = parameter
    latents, outputs = perceiver_io(found, x, 3, (2, 2, 3))
    shares = torch.softmax(outputs @ w["confidence.weight"][0] + w["confidence.bias"], dim=-1)
    return latents, (shares[..., None] * outputs).sum(dim=1) @ w["logits.weight"].T + w["logits.bias"]


@torch.no_grad()
def test_it_equals_a_literal_perceiver_io() -> None:
    model = network(PerceiverIOConfig(**SAME))
    assert isinstance(model, PerceiverIO)
    x = tokens(model)
    with listening(model, "states") as heard:
        found = model(x)
    latents, logits = literally(model, x)
    torch.testing.assert_close(heard["states"][3], latents, **CLOSE)
    torch.testing.assert_close(found[:, 0], logits, **CLOSE)


@pytest.mark.parametrize("changes", [{}, {"pictures": 3, "image_size": 3, "most_pieces": 6}])
@torch.no_grad()
def test_of_statements_it_equals_a_literal_one_on_each_sample_alone(changes: dict[str, Any]) -> None:
    model = perceiver(StatementPerceiverIOConfig(**{**conditionals.SIZES, "code_features": 12, **changes}))
    inputs = statements(model, (*SENTENCES, SENTENCES[0]))
    with listening(model, "states", "read_in") as heard:
        found = model(inputs)[:, 0]
    own = dict(model.named_parameters())
    pictures, texts = picture_tokens(model, inputs.images), texts_of(model, inputs.sentences)
    places = model.config.pictures * pictures.shape[2]
    for b, text in enumerate(texts):
        seen = torch.cat([tokens + own["pictures.picture"][p] for p, tokens in enumerate(pictures[b])])
        words = text @ own["words.weight"].T + own["words.bias"]
        latents, logits = literally(model, torch.cat((seen, words))[None])
        torch.testing.assert_close(heard["states"][3][b], latents[0], **CLOSE)
        torch.testing.assert_close(found[b], logits[0], **CLOSE)
        assert not heard["read_in"][0][b, :, places + len(text) :].any(), "places without a word are not read"
    assert heard["read_in"][0].shape[2] == len(model.tokens) == places + model.config.most_pieces


@torch.no_grad()
def test_the_ladder_leads_from_it_to_the_circuit() -> None:
    """Every rung equals the circuit in which the rungs above it are without effect."""
    full = network(config(**SAME, initial_state="code"))
    x, state = tokens(full), full.state_dict()

    def rung(**changes: object) -> NeuralAttentiveCircuit:
        model = network(config(**SAME, initial_state="code", **changes))
        model.load_state_dict({name: state[name] for name in model.state_dict()})
        return model

    frozen, modfc = rung(links="frozen"), rung(links="complete")
    perceiver_ = network(PerceiverIOConfig(**SAME))
    perceiver_.load_state_dict({name: state[name] for name in perceiver_.state_dict()})
    assert torch.equal(frozen(x), full(x)), "frozen links are links"
    assert not frozen.processor.signatures.requires_grad
    assert not torch.allclose(modfc(x), full(x)) and not torch.allclose(perceiver_(x), modfc(x))
    full.processor.signatures.copy_(torch.ones(9, 5))
    full.readout.signatures.copy_(torch.ones(4, 5))
    torch.testing.assert_close(full(x), modfc(x), **CLOSE)
    for name, parameter in modfc.named_parameters():
        if name.endswith("alpha"):
            parameter.zero_()
    torch.testing.assert_close(perceiver_(x), modfc(x), **CLOSE)
