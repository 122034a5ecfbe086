"""What the conditional circuit promises whatever its weights: of samples, sentences, modules, links and controls."""

from dataclasses import replace
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from routescope.nn.circuit.conditional import ConditionalNeuralAttentiveCircuit
from routescope.nn.circuit_config import ConditionalCircuitConfig
from routescope.nn.inputs.statements import Statements
from routescope.nn.network import Design
from tests.core.nn.conditionals import SENTENCES, config, configs, network, statements
from tests.oracles.mapping import listening

# beartype picks the items that it looks at by chance, also while hypothesis draws a config
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")
CLOSE = {"rtol": 1e-9, "atol": 1e-9}


def close(one: Tensor, other: Tensor) -> None:
    torch.testing.assert_close(one, other, **CLOSE)


@pytest.fixture(autouse=True)
def _no_gradients(request: pytest.FixtureRequest) -> Any:
    with torch.set_grad_enabled("gradient" in request.node.name):
        yield


# ------------------------------------------------------------------------------------------ samples and sentences


def test_no_samples_get_no_answers() -> None:
    model = network(config())
    none = statements(model, ())
    for view in (model, model.keep(("m1",)), model.keep(()), model.mute(("m2",)), model.cut(0.5)):
        assert view(none).shape == (0, 1, 2)
    assert model.train()(none).shape == (0, 1, 2)
    assert model.design(()).codes.shape == (0, 9, 7)


def test_equal_sentences_are_designed_once_and_answer_for_all_their_samples() -> None:
    model = network(config())
    sentences = (SENTENCES[0], SENTENCES[1], SENTENCES[0], SENTENCES[0])
    asked = []
    handle = model.generator.register_forward_hook(lambda _, args, found: asked.append(len(args[0])))
    inputs = statements(model, sentences)
    with listening(model, "link_probability", "codes", "text_attention") as heard:
        found = model(inputs)
    assert asked == [2]
    handle.remove()
    for probed in (heard[name][0] for name in ("link_probability", "codes", "text_attention")):
        assert len(probed) == 4
        assert torch.equal(probed[0], probed[2])
        assert torch.equal(probed[0], probed[3])
        assert not torch.allclose(probed[0], probed[1])
    images = inputs.images.clone()
    images[2] = images[0]
    same = model(Statements(images, sentences))
    close(same[0], same[2])
    close(found[1], same[1])
    assert not torch.allclose(found[0], found[3]), "other pictures get another answer"


def test_pictures_and_sentences_are_not_interchangeable() -> None:
    model = network(config())
    inputs = statements(model, SENTENCES[:3])
    found = model(inputs)
    assert not torch.allclose(model(replace(inputs, images=inputs.images.flip(1))), found), "left is not right"
    assert not torch.allclose(model(replace(inputs, sentences=SENTENCES[1:4])), found)


@pytest.mark.parametrize("sees", ["pictures", "sentence"])
def test_what_is_not_seen_changes_nothing(sees: str) -> None:
    model, both = network(config(sees=sees)), network(config())
    inputs = statements(model, SENTENCES[:3])
    other_pictures = replace(inputs, images=inputs.images.flip(0))
    other_sentences = replace(inputs, sentences=SENTENCES[3:6])
    same, changed = (other_sentences, other_pictures) if sees == "pictures" else (other_pictures, other_sentences)
    assert torch.equal(model(same), model(inputs))
    assert not torch.allclose(model(changed), model(inputs))
    blank = replace(inputs, sentences=("",) * 3) if sees == "pictures" else replace(inputs, images=0 * inputs.images)
    assert torch.equal(model(inputs), both(blank)), "what is not seen is blank, and nothing else differs"


def test_other_inputs_are_refused() -> None:
    model = network(config())
    images = torch.rand(2, 3, 3, 6, 6, dtype=torch.float64)
    with pytest.raises(ValueError, match="2 pictures a sample are read"):
        model(Statements(images, SENTENCES[:2]))
    with pytest.raises(ValueError, match="1 sentences for 2 samples"):
        Statements(images, SENTENCES[:1])


# ---------------------------------------------------------------------------------------------------------- modules


@pytest.mark.slow
@settings(deadline=None, max_examples=15)
@given(configs(), st.data())
@torch.no_grad()
def test_the_order_of_modules_means_nothing(sizes: ConditionalCircuitConfig, data: st.DataObject) -> None:
    model, other = network(sizes, 1), network(sizes, 1)
    inputs = statements(model, SENTENCES[:3])
    U, R = sizes.modules, sizes.readouts
    order = [*data.draw(st.permutations(range(U))), *(U + u for u in data.draw(st.permutations(range(R))))]
    other.generator.queries.copy_(model.generator.queries[order])
    close(other(inputs), model(inputs))
    close(
        other.link_probability(other.design(SENTENCES)),
        model.link_probability(model.design(SENTENCES))[:, order[:U]][:, :, order[:U]],
    )


def test_dropping_nothing_is_the_whole_network_bit_by_bit() -> None:
    model = network(config())
    inputs = statements(model)
    found = model(inputs)
    for view in (model.keep(model.units), model.mute(()), model.cut(1.0), model.with_links("probability")):
        assert torch.equal(view(inputs), found)


def test_a_pruned_network_is_the_whole_one_with_those_modules_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Masked: no link leads from them, in any layer or in the read-out."""
    model, gone = network(config()), [0, 4, 5]
    inputs = statements(model)
    pruned = model.keep([model.units[u] for u in range(9) if u not in gone])(inputs)
    kernels = ConditionalNeuralAttentiveCircuit._kernels

    def masked(self: ConditionalNeuralAttentiveCircuit, *log_P: Tensor) -> tuple[Tensor, ...]:
        found = [each.clone() for each in kernels(self, *log_P)]
        for each in found:
            each[..., gone] = -torch.inf
        return tuple(found)

    monkeypatch.setattr(ConditionalNeuralAttentiveCircuit, "_kernels", masked)
    close(model(inputs), pruned)


def test_with_every_module_dropped_there_is_one_answer_a_sentence() -> None:
    model = network(config())
    inputs = statements(model, (*SENTENCES[:3], SENTENCES[0]))
    view = model.keep(())
    found = view(inputs)
    assert found.isfinite().all()
    close(found[0], found[3])
    assert not torch.allclose(found[0], found[1]), "read-out modules are designed by sentences too"
    assert torch.equal(view(replace(inputs, images=inputs.images.flip(0))), found), "nobody reads the pictures"
    assert view.link_probability(view.design(SENTENCES)).shape == (6, 0, 0)


# ------------------------------------------------------------------------------------------------------------ links


def test_each_sample_loses_its_own_weakest_links() -> None:
    model = network(config())
    design = model.design(SENTENCES[:4])
    P, cut = model.link_probability(design), model.cut(0.25).link_probability(design)
    lost = (cut == 0) & (P > 0)
    pairs = torch.tril_indices(9, 9, offset=-1)
    for b in range(4):
        assert int(lost[b].sum()) == 2 * 27, "36 pairs, of which 9 stay"
        assert not lost[b].diagonal().any()
        assert torch.equal(lost[b], lost[b].T)
        of_pairs, gone = P[b][pairs[0], pairs[1]], lost[b][pairs[0], pairs[1]]
        assert of_pairs[gone].max() <= of_pairs[~gone].min()
        assert torch.equal(cut[b][~lost[b]], P[b][~lost[b]])
    assert not torch.equal(lost[0], lost[1])
    alone = model.cut(0.0).link_probability(design)
    assert torch.equal(alone, torch.diag_embed(alone.diagonal(dim1=1, dim2=2)))
    with pytest.raises(ValueError, match="from 0 to 1"):
        model.cut(1.5)


def test_links_are_probabilities_of_signatures() -> None:
    model = network(config())
    design = model.design(SENTENCES)
    P = model.link_probability(design)
    close(P, P.mT)
    close(P.diagonal(dim1=1, dim2=2), torch.ones(6, 9, dtype=torch.float64))
    assert (P > 0).all()
    longer = replace(design, signatures=design.signatures * 3)
    close(model.link_probability(longer), P)
    q = model.link_probability(model.design(model.config.reference)).mean(dim=0).sum(dim=1)
    close(model.connectivity(), q)


def test_a_vast_bandwidth_is_plain_attention() -> None:
    model, vast = network(config()), network(config(bandwidth=1e12))
    complete = ConditionalNeuralAttentiveCircuit(config(links="complete")).double().eval()
    complete.load_state_dict(model.state_dict())
    inputs = statements(model)
    torch.testing.assert_close(vast(inputs), complete(inputs), rtol=1e-8, atol=1e-8)
    assert not torch.allclose(model(inputs), complete(inputs))
    assert (complete.link_probability(complete.design(SENTENCES)) == 1).all()
    assert (complete.link_probability_of_all() == 1).all()
    with pytest.raises(ValueError, match="complete"):
        complete.cut(0.5)


def test_without_alpha_codes_program_nothing() -> None:
    model = network(config(initial_state="code", code_features=12))
    inputs = statements(model)

    def recoded(one: ConditionalNeuralAttentiveCircuit) -> Tensor:
        """Every layer but for the initial states gets other codes."""
        of_codes = one._of_codes

        def changed(c: Tensor, c_out: Tensor, *rest: Any) -> Any:
            one.initial = torch.nn.Module()
            one.initial.forward = lambda x: c if len(x[0]) == 9 else c_out
            try:
                return of_codes(c.flip(-1) * 2 - 1, c_out.flip(-1) * 2 - 1, *rest)
            finally:
                one.initial = None

        one._of_codes = changed
        try:
            return one(inputs)
        finally:
            del one._of_codes

    assert not torch.allclose(recoded(model), model(inputs))
    for name, parameter in model.named_parameters():
        if name.endswith("alpha"):
            parameter.zero_()
    assert torch.equal(recoded(model), model(inputs))


# -------------------------------------------------------------------------------------------------------- learning


@pytest.mark.parametrize("changes", [{}, {"sees": "sentence"}, {"initial_state": "code", "code_features": 12}])
def test_gradients_reach_every_parameter(changes: dict[str, Any]) -> None:
    model = network(config(**changes)).train()
    model(statements(model, SENTENCES[:5]))[:, 0].square().sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        black = changes.get("sees") == "sentence" and name == "pictures.encoder.embed.weight"
        assert bool(parameter.grad.any()) != black or name == "confidence.bias", name
    untouched = (model.text.embed.weight.grad == 0).all(dim=1)
    assert bool(untouched[model.text.ids("blue")[1:]].any())
    assert not untouched[model.text.ids("There is a red circle.")].any()


def test_gradients_flow_through_the_design_alone() -> None:
    """Signatures are learned by way of links, codes by way of what they program."""
    model = network(config()).train()
    inputs = statements(model, SENTENCES[:3])
    found: dict[str, Design] = {}
    design = model.design
    model.design = lambda sentences: found.setdefault("design", design(sentences))  # type: ignore[method-assign]
    loss = model(inputs)[:, 0].square().sum()
    parts = [getattr(found["design"], n) for n in ("signatures", "codes", "readout_signatures", "readout_codes")]
    for gradient in torch.autograd.grad(loss, parts):
        assert gradient.flatten(1).any(dim=1).all(), "of every sentence"
