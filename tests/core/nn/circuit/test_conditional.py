"""The conditional circuit against its literal oracle, and against the unconditional circuit that it stands for."""

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from routescope.nn.circuit.conditional import ConditionalNeuralAttentiveCircuit
from routescope.nn.circuit.network import NeuralAttentiveCircuit, NeuralAttentiveCircuitConfig
from routescope.nn.circuit_config import ConditionalCircuitConfig
from tests.core.nn.conditionals import SENTENCES, ask_oracle, config, configs, network, statements, texts_of
from tests.oracles import conditional_circuit as oracle
from tests.oracles import neural_attentive_circuit as nac
from tests.oracles.mapping import listening

# beartype picks the items that it looks at by chance, also while hypothesis draws a config
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")
CLOSE = {"rtol": 1e-9, "atol": 1e-9}
PROBES = ("read_in", "states", "read_out", "confidence", "link_probability", "signatures", "codes", "text_attention")


def close(one: Tensor, other: Tensor) -> None:
    torch.testing.assert_close(one, other, **CLOSE)


# ------------------------------------------------------------------------------------------------ against the oracle


@pytest.mark.slow
@settings(deadline=None, max_examples=25)
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
@settings(deadline=None, max_examples=25)
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


@pytest.mark.parametrize("changes", [{}, {"pictures": 3, "layers": 1}, {"initial_state": "code", "code_features": 12}])
@torch.no_grad()
def test_the_generator_alone_equals_the_equations(changes: dict[str, Any]) -> None:
    """With any text features, as a frozen encoder would give them."""
    model = network(config(**changes))
    generator = torch.Generator().manual_seed(3)
    text = torch.randn(4, 7, 6, generator=generator, dtype=torch.float64)
    lengths = [7, 1, 4, 6]
    there = torch.arange(7) < torch.tensor(lengths)[:, None]
    design = model.generator(text, there)
    noise = model.generator(torch.where(there[..., None], text, 1e6), there)
    for b, length in enumerate(lengths):
        wanted = oracle.generator(dict(model.named_parameters()), text[b, :length], 2, 9)
        for name in ("signatures", "codes", "readout_signatures", "readout_codes"):
            close(getattr(design, name)[b], getattr(wanted, name))
            assert torch.equal(getattr(noise, name)[b], getattr(design, name)[b]), "padding is not read"
        close(design.text_attention[b, :, :length], wanted.text_attention)
        close(design.text_attention[b].sum(dim=-1), torch.ones(9, dtype=torch.float64))


@pytest.mark.slow
def test_training_samples_links_of_each_sample_as_the_equations_do() -> None:
    model = network(config(temperature=0.7)).train()
    inputs = statements(model, SENTENCES[:2] * 2)
    B, U, L = 4, 9, 3
    torch.manual_seed(5)
    found = model(inputs)[:, 0]
    torch.manual_seed(5)
    uniform = [torch.rand(B, U, U) for _ in range(L)] + [torch.rand(B, 4, U)]
    designs = [
        oracle.generator(dict(model.named_parameters()), text, 2, 9) for text in texts_of(model, inputs.sentences)
    ]
    kernels = []
    for b, design in enumerate(designs):
        P = nac.link_probability(design.signatures, design.signatures, 1.0).clamp(max=1 - 1e-6)
        P_out = nac.link_probability(design.readout_signatures, design.signatures, 1.0)
        kernels.append(
            [nac.concrete(each, 0.7, u[b].double()) for each, u in zip([P] * L + [P_out], uniform, strict=True)]
        )
    wanted = ask_oracle(model, inputs, kernels=kernels)[0]
    torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-5)
    same = statements(model, (SENTENCES[0],) * 2)
    same.images[1] = same.images[0]
    one, other = model(same)[:, 0]
    assert not torch.allclose(one, other), "equal samples have kernels of their own"


# ------------------------------------------------------------------- the unconditional circuit with a sentence's design


def unconditional(model: ConditionalNeuralAttentiveCircuit, sentence: str) -> NeuralAttentiveCircuit:
    """The circuit that a sentence designs, with the design as its own parameters."""
    shared = {name: getattr(model.config, name) for name in NeuralAttentiveCircuitConfig().__dict__}
    sizes = {**shared, "tokenizer": None, "input_features": model.pictures.features, "max_length": 8}
    found = NeuralAttentiveCircuit(NeuralAttentiveCircuitConfig(**sizes)).double().eval()
    design = model.design((sentence,))
    own = {
        "processor.signatures": design.signatures[0],
        "processor.codes": design.codes[0],
        "readout.signatures": design.readout_signatures[0],
        "readout.codes": design.readout_codes[0],
    }
    others = ("text.", "generator.", "pictures.")
    found.load_state_dict(own | {k: v for k, v in model.state_dict().items() if not k.startswith(others)})
    return found


@pytest.mark.slow
@pytest.mark.parametrize("sentence", SENTENCES)
@torch.no_grad()
def test_one_sentence_for_all_is_the_unconditional_circuit_of_its_design(sentence: str) -> None:
    """Which ties this network to the numbers of the authors' own implementation."""
    model = network(config())
    plain = unconditional(model, sentence)
    inputs = statements(model, (sentence,) * 3)
    tokens = model.pictures(inputs.images)
    changes: dict[str, Any] = {
        "whole": lambda one: one,
        "dropped": lambda one: one.keep(("m2", "m3", "m7", "m9")),
        "muted": lambda one: one.mute(("m1", "m4")),
        "cut": lambda one: one.cut(0.4),
        "threshold": lambda one: one.with_links("threshold"),
        "sampled": lambda one: one.with_links("sample", seed=4),
        "several": lambda one: one.keep(("m2", "m3", "m7", "m9")).mute(("m3",)).cut(0.5).with_links("sample", seed=1),
    }
    answers = {}
    for name, change in changes.items():
        answers[name] = change(model)(inputs)[:, 0]
        close(answers[name], change(plain).execute(tokens))
        close(change(model)(inputs, iterations=1)[:, 0], change(plain).execute(tokens, None, 1))
    for name, answer in answers.items():
        assert name == "whole" or not torch.allclose(answer, answers["whole"]), f"{name} changes nothing"
    close(model.link_probability(model.design((sentence,)))[0], plain.link_probability())
    assert plain.connectivity().shape == model.connectivity().shape == (9,)
