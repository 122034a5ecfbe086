"""The conditional circuit against its literal oracle, and what sentences, pictures and gradients reach."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from routescope.nn.baselines.perceiver_io import StatementPerceiverIOConfig
from routescope.nn.circuit.network import NeuralAttentiveCircuit, NeuralAttentiveCircuitConfig
from routescope.nn.circuit_config import ConditionalCircuitConfig
from routescope.nn.inputs.statements import Statements
from tests.core.nn.conditionals import (
    SENTENCES,
    SIZES,
    ask_oracle,
    config,
    configs,
    network,
    perceiver,
    statements,
    texts_of,
)
from tests.oracles import conditional_circuit as oracle
from tests.oracles import neural_attentive_circuit as nac
from tests.oracles.mapping import listening

# beartype picks the items that it looks at by chance, also while hypothesis draws a config
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")
CLOSE = {"rtol": 1e-9, "atol": 1e-9}
PROBES = ("read_in", "states", "read_out", "confidence", "link_probability", "signatures", "codes", "text_attention")


def close(one: Tensor, other: Tensor) -> None:
    torch.testing.assert_close(one, other, **CLOSE)


@pytest.mark.slow
@settings(deadline=None, max_examples=15)
@given(configs(), st.permutations(SENTENCES), st.integers(1, 4), st.integers(0, 99))
@torch.no_grad()
def test_output_and_everything_probed_equal_the_equations(
    sizes: ConditionalCircuitConfig, sentences: list[str], batch: int, seed: int
) -> None:
    model = network(sizes, seed)
    inputs = statements(model, [*sentences[:batch], sentences[0]], seed)
    names = (*PROBES, "attention") if sizes.layers else PROBES
    with listening(model, *names) as heard:
        found = model(inputs)
    assert torch.equal(found, model(inputs)), "being listened to changes no bit"
    wanted, traces, designs = ask_oracle(model, inputs)
    close(found[:, 0], wanted)
    normalised = torch.nn.functional.normalize
    for b, (trace, design) in enumerate(zip(traces, designs, strict=True)):
        close(heard["link_probability"][0][b], trace.link_probability)
        close(heard["signatures"][0][b], normalised(design.signatures, dim=-1))
        close(heard["codes"][0][b], design.codes)
        read = design.text_attention.shape[1]
        close(heard["text_attention"][0][b, :, :read], design.text_attention)
        assert not heard["text_attention"][0][b, :, read:].any(), "pieces that are not there are not read"
        close(heard["read_in"][0][b], trace.read_in[0].mean(dim=1))
        close(heard["read_out"][0][b], trace.read_out[0].mean(dim=0))
        close(heard["confidence"][0][b], trace.confidence[0])
        for step in range(sizes.layers + 1):
            close(heard["states"][step][b], trace.states[step][0])
        for layer in range(sizes.layers):
            close(heard["attention"][layer][b], trace.attention[layer][0])


@pytest.mark.slow
@settings(deadline=None, max_examples=15)
@given(configs(), st.data())
@torch.no_grad()
def test_dropping_muting_cutting_and_stopping_equal_the_equations(
    sizes: ConditionalCircuitConfig, data: st.DataObject
) -> None:
    model = network(sizes, data.draw(st.integers(0, 99)))
    inputs = statements(model, data.draw(st.permutations(SENTENCES))[:3])
    U = range(sizes.modules)
    drop = data.draw(st.sets(st.sampled_from(U)))
    kept = [u for u in U if u not in drop]
    quiet = data.draw(st.sets(st.sampled_from(kept))) if kept else set()
    keep_edges = data.draw(st.sampled_from([None, 0.0, 0.3, 0.7, 1.0]))
    layers = data.draw(st.integers(0, sizes.layers))
    view = model.keep([model.units[u] for u in kept]).mute([model.units[u] for u in quiet])
    view = view if keep_edges is None else view.cut(keep_edges)
    muted = [kept.index(u) for u in quiet]
    options: dict[str, Any] = {"drop": sorted(drop), "muted": muted, "keep_edges": keep_edges, "layers": layers}
    close(view(inputs, iterations=layers)[:, 0], ask_oracle(model, inputs, **options)[0])


def test_training_samples_links_of_each_sample_as_the_equations_do() -> None:
    model = network(config(temperature=0.7)).train()
    inputs = statements(model, SENTENCES[:2] * 2)
    B, U, L = 4, 9, 3
    torch.manual_seed(5)
    found = model(inputs)[:, 0]
    torch.manual_seed(5)
    uniform = [torch.rand(B, U, U) for _ in range(L)] + [torch.rand(B, 4, U)]
    kernels = []
    for b, text in enumerate(texts_of(model, inputs.sentences)):
        design = oracle.generator(dict(model.named_parameters()), text, 2, 9)
        P = nac.link_probability(design.signatures, design.signatures, 1.0).clamp(max=1 - 1e-6)
        P_out = nac.link_probability(design.readout_signatures, design.signatures, 1.0)
        kernels.append(
            [nac.concrete(each, 0.7, u[b].double()) for each, u in zip([P] * L + [P_out], uniform, strict=True)]
        )
    wanted = ask_oracle(model, inputs, kernels=kernels)[0]
    torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-5)
    inputs.images[2] = inputs.images[0]
    one, other = model(inputs)[[0, 2], 0]
    assert not torch.allclose(one, other), "equal samples have kernels of their own"


@torch.no_grad()
def test_links_of_one_sentence_are_those_of_the_unconditional_circuit_of_its_design() -> None:
    model, sentence = network(config()), SENTENCES[0]
    sizes = {name: getattr(model.config, name) for name in NeuralAttentiveCircuitConfig().__dict__}
    sizes |= {"tokenizer": None, "input_features": model.pictures.features, "max_length": 8}
    plain = NeuralAttentiveCircuit(NeuralAttentiveCircuitConfig(**sizes)).double().eval()
    design = model.design((sentence,))
    own = {
        "processor.signatures": design.signatures[0],
        "processor.codes": design.codes[0],
        "readout.signatures": design.readout_signatures[0],
        "readout.codes": design.readout_codes[0],
    }
    others = ("text.", "generator.", "pictures.")
    plain.load_state_dict(own | {k: v for k, v in model.state_dict().items() if not k.startswith(others)})
    inputs = statements(model, (sentence,) * 3)
    tokens, whole = model.pictures(inputs.images), model(inputs)[:, 0]
    changes: tuple[Callable[[Any], Any], ...] = (
        lambda circuit: circuit.with_links("threshold"),
        lambda circuit: circuit.with_links("sample", seed=4),
        lambda circuit: circuit.keep(("m2", "m3", "m7")).mute(("m3",)).cut(0.5).with_links("sample", seed=1),
    )
    for change in changes:
        answer = change(model)(inputs)[:, 0]
        close(answer, change(plain).execute(tokens))
        assert not torch.allclose(answer, whole)
    q = model.link_probability(model.design(model.config.reference)).mean(dim=0).sum(dim=1)
    close(model.connectivity(), q)


@torch.no_grad()
def test_equal_sentences_are_designed_once() -> None:
    model, asked = network(config()), list[int]()
    handle = model.generator.register_forward_hook(lambda _, args, found: asked.append(len(args[0])))
    model(statements(model, (SENTENCES[0], SENTENCES[1], SENTENCES[0], SENTENCES[0])))
    handle.remove()
    assert asked == [2]


@pytest.mark.parametrize("sees", ["pictures", "sentence"])
@pytest.mark.parametrize("kind", ["circuit", "perceiver"])
@torch.no_grad()
def test_what_is_not_seen_is_blank(kind: str, sees: str) -> None:
    made = network if kind == "circuit" else perceiver
    sizes = config() if kind == "circuit" else StatementPerceiverIOConfig(**{**SIZES, "code_features": 12})
    both, model = made(sizes), made(replace(sizes, sees=sees))
    inputs = statements(model, SENTENCES[:3])
    other_pictures = replace(inputs, images=inputs.images.flip(0))
    other_sentences = replace(inputs, sentences=SENTENCES[3:6])
    same, changed = (other_sentences, other_pictures) if sees == "pictures" else (other_pictures, other_sentences)
    assert torch.equal(model(same), model(inputs)) and not torch.allclose(model(changed), model(inputs))
    blank = replace(inputs, sentences=("",) * 3) if sees == "pictures" else replace(inputs, images=0 * inputs.images)
    assert torch.equal(model(inputs), both(blank))


def test_cuts_of_complete_graphs_and_other_numbers_of_pictures_are_refused() -> None:
    complete = network(config(links="complete"))
    assert (complete.link_probability_of_all() == 1).all()
    with pytest.raises(ValueError, match="complete"):
        complete.cut(0.5)
    with pytest.raises(ValueError, match="2 pictures a sample are read"):
        complete(Statements(torch.rand(2, 3, 3, 6, 6, dtype=torch.float64), SENTENCES[:2]))


@pytest.mark.parametrize("changes", [{}, {"sees": "sentence"}, {"initial_state": "code", "code_features": 12}])
def test_gradients_reach_every_parameter(changes: dict[str, Any]) -> None:
    model = network(config(**changes)).train()
    model(statements(model, SENTENCES[:5]))[:, 0].square().sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        black = changes.get("sees") == "sentence" and name == "pictures.encoder.embed.weight"
        assert bool(parameter.grad.any()) != black or name == "confidence.bias", name
