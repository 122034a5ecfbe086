"""The mixture of experts beside transformers' own OLMoE with the same weights, and what its views and fields say."""

import math
from unittest import mock

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


@pytest.fixture(scope="module")
def model() -> MixtureNetwork:
    torch.manual_seed(3)
    made = MixtureNetwork(CONFIG).eval().requires_grad_(False)
    for layer in made.layers:
        layer.experts.router.weight.mul_(20)  # so that choices differ from token to token
    return made


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


@pytest.mark.slow
@pytest.mark.parametrize("normalise", [True, False])
def test_it_is_olmoe(normalise: bool) -> None:
    torch.manual_seed(5)
    config = MixtureConfig(context=24, layers=2, features=32, heads=2, experts=5, hidden=12, normalise=normalise)
    model = MixtureNetwork(config).eval().requires_grad_(False)
    ids = ids_of(TEXTS)
    with torch.no_grad():
        theirs = olmoe(model)(ids).logits
    torch.testing.assert_close(model.logits(ids), theirs, atol=1e-5, rtol=1e-5)


def test_dropped_experts_leave_what_a_network_without_them_computes(model: MixtureNetwork) -> None:
    kept = [[0, 2, 4], [1, 2, 3], [0, 1, 4]]
    gone = [f"l{layer + 1}.e{e + 1}" for layer, own in enumerate(kept) for e in range(5) if e not in own]
    view, ids = model.view(Changes(drop=tuple(gone))), ids_of(TEXTS)
    with torch.no_grad():
        theirs = olmoe(model, kept)(ids).logits
    torch.testing.assert_close(view.logits(ids), theirs, atol=1e-5, rtol=1e-5)
    assert not torch.allclose(model.logits(ids), theirs, atol=1e-3)
    chosen = record(model, TEXTS, intervention=Intervention(drop=tuple(gone)))["top_experts"].values[0, :, :19]
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


def test_fields_say_who_was_chosen_and_by_how_much(model: MixtureNetwork) -> None:
    names = ("compatibility", "top_experts", "top_weights", "margin", "router_logits")
    trace = record(model, TEXTS, only=names)
    lengths = [1 + len(text.encode()) for text in TEXTS.texts]
    for row, length in enumerate(lengths):
        for layer in range(3):
            own = {name: trace[name].values[row, layer] for name in names}
            logits = own["router_logits"].T if own["router_logits"].shape[0] == 5 else own["router_logits"]
            for token in range(length):
                order = np.argsort(-logits[token])
                assert own["top_experts"][token].tolist() == order[:2].tolist()
                p = np.exp(logits[token][order[:2]] - logits[token].max())
                np.testing.assert_allclose(own["top_weights"][token], p / p.sum(), atol=1e-5)
                np.testing.assert_allclose(own["compatibility"][order[:2], token], p / p.sum(), atol=1e-5)
                assert own["compatibility"][:, token].sum() == pytest.approx(1.0, abs=1e-5)
                gap = logits[token][order[1]] - logits[token][order[2]]
                assert own["margin"][token] == pytest.approx(gap, abs=1e-5)
            assert (own["top_experts"][length:] == -1).all() and not own["compatibility"][:, length:].any()
            assert np.isnan(own["margin"][length:]).all()
    assert trace["top_experts"].dtype == np.int16
    read = trace["token_text"].values
    assert read[1, :7].tolist() == [START_TEXT, "\\xc3", "\\xa9", " ", "=", " ", "1"] and set(read[1, 7:]) == {""}
    assert "logits" not in trace.dataset and "nats" in trace.dataset
    with pytest.raises(ValueError, match="no label"):
        trace.predictions()


def test_texts_of_different_lengths_are_recorded_together(model: MixtureNetwork) -> None:
    """Also where one pass does not hold them all, so that they run in several."""
    texts = Text(tuple("ab" * (1 + place % 11) for place in range(12)))
    whole = record(model, texts)
    with mock.patch.object(MixtureNetwork, "chunk_tokens", 50):
        apart = record(model, texts)
    for name in ("top_experts", "margin", "nats"):
        np.testing.assert_allclose(apart[name].values, whole[name].values, atol=1e-5)


def test_muted_experts_are_chosen_and_nobody_takes_their_share(model: MixtureNetwork) -> None:
    plain = record(model, TEXTS)
    muted = record(model, TEXTS, intervention=Intervention(mute=("l1.e2",)))
    first = {"step": "l1"}
    assert np.array_equal(plain["top_experts"].sel(first), muted["top_experts"].sel(first))
    before, after = (each["compatibility"].sel(first) for each in (plain, muted))
    assert before.sel(unit="e2").any() and not after.sel(unit="e2").any()
    others = ["e1", "e3", "e4", "e5"]
    assert np.array_equal(before.sel(unit=others), after.sel(unit=others))
    zero = model.layers[0].experts.down.clone()
    model.layers[0].experts.down[1] = 0
    try:
        expected = model(TEXTS)
    finally:
        model.layers[0].experts.down.copy_(zero)
    torch.testing.assert_close(torch.from_numpy(muted["nats"].values[:, :, :19]).nan_to_num(), expected)


def test_more_or_fewer_experts_a_token(model: MixtureNetwork) -> None:
    one = record(model, TEXTS, intervention=Intervention(top_k=1))
    assert one["top_experts"].sizes["slot"] == 1
    assert np.nanmax(np.abs(one["top_weights"].values[0, :, :19] - 1)) < 1e-6
    assert torch.equal(model.view(Changes(top_k=2))(TEXTS), model(TEXTS))
    assert Intervention(top_k=1).digest != Intervention().digest
    assert Intervention.from_json(Intervention(top_k=1).to_json()).top_k == 1


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
    made = {(1, "l2.e3"): torch.zeros(CONFIG.features)}
    view = model.view(Changes())
    with view.replacing(made, 3):
        replaced = view(TEXTS)
    torch.testing.assert_close(replaced, model.view(Changes(mute=("l2.e3",)))(TEXTS))
