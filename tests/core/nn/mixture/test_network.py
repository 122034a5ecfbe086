"""The mixture of experts beside transformers' own OLMoE with the same weights, and what its views and fields say."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from routescope.nn.inputs.text import Text, bytes_of, text_of
from routescope.nn.measures import BITS_A_BYTE
from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.network import MixtureNetwork
from routescope.nn.mixture.vocabulary import START, START_TEXT
from routescope.nn.network import Changes
from routescope.routing import Intervention, InterventionError, record

CONFIG = MixtureConfig(context=24, layers=3, features=32, heads=2, experts=5, hidden=12)
TEXTS = Text(("def f(x): return x", "é = 1", ""))


def made(config: MixtureConfig) -> MixtureNetwork:
    torch.manual_seed(3)
    network = MixtureNetwork(config).eval().requires_grad_(False)
    for layer in network.layers:
        layer.experts.router.weight.mul_(20)  # so that choices differ from token to token
    return network


@pytest.fixture(scope="module")
def model() -> MixtureNetwork:
    return made(CONFIG)


def olmoe(model: MixtureNetwork, kept: list[list[int]] | None = None) -> torch.nn.Module:
    """transformers' network with the same weights; of the experts, those at ``kept`` places alone, in every layer."""
    from transformers import OlmoeConfig, OlmoeForCausalLM

    config = model.config
    every = [list(range(config.experts)) for _ in range(config.layers)]
    kept = kept or every
    theirs = OlmoeForCausalLM(
        OlmoeConfig(
            vocab_size=257,
            hidden_size=config.features,
            intermediate_size=config.hidden,
            num_hidden_layers=config.layers,
            num_attention_heads=config.heads,
            num_key_value_heads=config.heads,
            num_experts=len(kept[0]),
            num_experts_per_tok=config.top_k,
            norm_topk_prob=config.normalise,
            max_position_embeddings=config.context + 1,
            rms_norm_eps=1e-5,
            rope_parameters={"rope_type": "default", "rope_theta": config.theta},
            pad_token_id=None,
            bos_token_id=START,
            eos_token_id=None,
        )
    ).eval()
    state = {"model.embed_tokens.weight": model.embedding.weight, "model.norm.weight": model.norm.weight}
    state["lm_head.weight"] = model.head.weight
    for place, (layer, own) in enumerate(zip(model.layers, kept, strict=True)):
        attention, experts, at = layer.attention, layer.experts, f"model.layers.{place}"
        state |= {
            f"{at}.input_layernorm.weight": layer.attention_norm.weight,
            f"{at}.post_attention_layernorm.weight": layer.experts_norm.weight,
            f"{at}.self_attn.q_proj.weight": attention.query.weight,
            f"{at}.self_attn.k_proj.weight": attention.key.weight,
            f"{at}.self_attn.v_proj.weight": attention.value.weight,
            f"{at}.self_attn.o_proj.weight": attention.out.weight,
            f"{at}.self_attn.q_norm.weight": attention.query_norm.weight,
            f"{at}.self_attn.k_norm.weight": attention.key_norm.weight,
            f"{at}.mlp.gate.weight": experts.router.weight[own],
            f"{at}.mlp.experts.gate_up_proj": experts.gate_up[own],
            f"{at}.mlp.experts.down_proj": experts.down[own],
        }
    theirs.load_state_dict(state)
    return theirs


def ids_of(texts: Text) -> Tensor:
    return torch.tensor([[START, *bytes_of(texts.texts[0])]])


@pytest.mark.parametrize("normalise", [True, False])
def test_it_is_olmoe_with_and_without_dropped_experts(normalise: bool) -> None:
    model, ids = made(replace(CONFIG, normalise=normalise)), ids_of(TEXTS)
    kept = [[0, 2, 4], [1, 2, 3], [0, 1, 4]]
    gone = tuple(f"l{layer + 1}.e{e + 1}" for layer, own in enumerate(kept) for e in range(5) if e not in own)
    with torch.no_grad():
        whole, without = olmoe(model)(ids).logits, olmoe(model, kept)(ids).logits
    torch.testing.assert_close(model.logits(ids), whole, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(model.view(Changes(drop=gone)).logits(ids), without, atol=1e-5, rtol=1e-5)
    assert not torch.allclose(whole, without, atol=1e-3)
    chosen = record(model, TEXTS, intervention=Intervention(drop=gone))["top_experts"].values[0, :, :19]
    for layer, own in enumerate(kept):
        assert set(chosen[layer].ravel().tolist()) <= set(own)


def test_nats_are_those_of_each_byte_and_no_padding_has_any(model: MixtureNetwork) -> None:
    out = model(TEXTS)
    assert out.shape == (3, len(CONFIG.domains), 19)
    assert torch.equal(out[:, 0], out[:, -1])
    for row, text in enumerate(TEXTS.texts):
        ids = [START, *text.encode()]
        log = model.logits(torch.tensor([ids]))[0].log_softmax(dim=-1)
        expected = [0.0, *(-float(log[place, token]) for place, token in enumerate(ids[1:]))]
        np.testing.assert_allclose(out[row, 0, : len(ids)], expected, atol=1e-5)
        assert not out[row, 0, len(ids) :].any()


def test_bits_a_byte_are_over_bytes_whatever_the_tokens_are() -> None:
    nats = torch.tensor([[0.0, 2.0, 4.0], [0.0, 1.0, 9.0]])
    mask = torch.tensor([[True, True, True], [True, True, False]])
    rows = BITS_A_BYTE.rows(nats, torch.tensor([3, 4]), mask)
    np.testing.assert_allclose(rows.value, [6 / 3 / math.log(2), 1 / 4 / math.log(2)], rtol=1e-6)
    assert rows.weight.tolist() == [3.0, 4.0] and not BITS_A_BYTE.higher_is_better
    assert BITS_A_BYTE.rows(nats[:1] * 0, torch.tensor([0])).value.tolist() == [0.0]


def test_padding_has_no_experts_and_tokens_are_shown_as_bytes(model: MixtureNetwork) -> None:
    """Routing of tokens is compared with an oracle in ``tests/core/routing/caused/test_mixture_oracle.py``."""
    trace = record(model, TEXTS, only=("compatibility", "top_experts", "margin"))
    for row, length in enumerate(1 + len(text.encode()) for text in TEXTS.texts):
        own = trace.dataset.isel(sample=row)
        assert (own["top_experts"][:, :length] >= 0).all() and (own["top_experts"][:, length:] == -1).all()
        assert own["margin"][:, :length].notnull().all() and own["margin"][:, length:].isnull().all()
        assert not own["compatibility"][..., length:].any()
    assert trace["top_experts"].dtype == np.int16
    read = trace["token_text"].values
    assert read[1, :7].tolist() == [START_TEXT, "\\xc3", "\\xa9", " ", "=", " ", "1"] and set(read[1, 7:]) == {""}
    assert "logits" not in trace.dataset and "nats" in trace.dataset
    with pytest.raises(ValueError, match="no class labels"):
        trace.predictions()


@pytest.mark.parametrize(
    ("intervention", "words"),
    [
        (Intervention(drop=tuple(f"l2.e{e}" for e in range(1, 5))), "layer 2 needs 2 experts"),
        (Intervention(drop=("l1.e1",), top_k=5), "layer 1 needs 5 experts"),
        (Intervention(top_k=6), "takes 1 to 5 experts"),
        (Intervention(drop=("l9.e1",)), "l9.e1"),
    ],
)
def test_what_cannot_route_is_refused_in_words(model: MixtureNetwork, intervention: Intervention, words: str) -> None:
    with pytest.raises(InterventionError, match=words):
        intervention.apply(model)
    with pytest.raises(InterventionError, match="top_k must be a whole number"):
        Intervention(top_k=0)


def test_texts_go_on_byte_by_byte(model: MixtureNetwork) -> None:
    text = TEXTS[1:2]
    found = model.next_tokens(text, 3)
    probability = model.logits(torch.tensor([[START, *"é = 1".encode()]]))[0, -1, :256].softmax(dim=-1)
    best = probability.topk(3)
    assert [each.id for each in found] == best.indices.tolist()
    np.testing.assert_allclose([each.probability for each in found], best.values, rtol=1e-5)
    longer = model.extended(model.extended(text, 0xC3), 0xA9)
    assert longer.texts == ("é = 1é",)
    assert torch.equal(model(longer), model(Text(longer.texts)))
    broken = model.extended(text, 0xFF)
    assert (
        bytes_of(broken.texts[0]) == "é = 1".encode() + b"\xff"
        and text_of(bytes_of(broken.texts[0])) == broken.texts[0]
    )
    with pytest.raises(ValueError, match="one text"):
        model.next_tokens(TEXTS, 1)


def test_longer_texts_are_cut_and_means_are_replaced(model: MixtureNetwork) -> None:
    long = Text(("a" * 100,))
    assert model(long).shape[-1] == CONFIG.context + 1
    assert torch.equal(model(long), model(Text(("a" * CONFIG.context,))))
    view = model.view(Changes())
    with view.replacing({(1, "l2.e3"): torch.zeros(CONFIG.features)}, 3):
        replaced = view(TEXTS)
    torch.testing.assert_close(replaced, model.view(Changes(mute=("l2.e3",)))(TEXTS))
