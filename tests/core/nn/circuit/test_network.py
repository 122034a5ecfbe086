"""The circuit executor against its literal oracle: answers, probes, views, padding and gradients."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from routescope.nn.circuit.network import NeuralAttentiveCircuitConfig
from tests.core.nn.circuits import ask_oracle, config, configs, network, tokens
from tests.oracles import neural_attentive_circuit as oracle
from tests.oracles.mapping import listening

# beartype picks the items that it looks at by chance, also while hypothesis draws a config
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")
CLOSE = {"rtol": 1e-9, "atol": 1e-9}
PROBES = ("read_in", "states", "contributions", "attention", "messages", "read_out", "confidence")


def close(one: Tensor, other: Tensor) -> None:
    torch.testing.assert_close(one, other, **CLOSE)


@pytest.mark.slow
@settings(deadline=None, max_examples=25)
@given(configs(), st.integers(1, 3), st.integers(0, 5), st.integers(0, 99))
@torch.no_grad()
def test_output_and_everything_probed_equal_the_equations(
    sizes: NeuralAttentiveCircuitConfig, batch: int, count: int, seed: int
) -> None:
    model = network(sizes, seed)
    x = tokens(model, batch, seed, count)
    plain = model(x)
    assert plain.shape == (batch, len(sizes.domains), sizes.classes)
    heard_by_hooks = PROBES if sizes.layers else tuple(p for p in PROBES if p not in ("attention", "messages"))
    with listening(model, *heard_by_hooks) as heard:
        assert torch.equal(model.execute(x), plain[:, 0]), "being listened to changes no bit"
    wanted, trace = ask_oracle(model, x)
    for domain in range(len(sizes.domains)):
        close(plain[:, domain], wanted)
    close(heard["read_in"][0], trace.read_in.mean(dim=2))
    for step in range(sizes.layers + 1):
        close(heard["states"][step], trace.states[step])
        close(heard["contributions"][step], trace.states[step].transpose(0, 1))
    for layer in range(sizes.layers):
        close(heard["attention"][layer], trace.attention[layer])
        close(heard["messages"][layer], trace.attention[layer].mean(dim=1))
    close(heard["read_out"][0], trace.read_out.mean(dim=1))
    close(heard["confidence"][0], trace.confidence)
    close(model.link_probability(), trace.link_probability)
    close(model.readout_link_probability(), trace.readout_link_probability)


@pytest.mark.slow
@settings(deadline=None, max_examples=25)
@given(configs(), st.data())
@torch.no_grad()
def test_dropping_muting_padding_and_stopping_equal_the_equations(
    sizes: NeuralAttentiveCircuitConfig, data: st.DataObject
) -> None:
    model = network(sizes)
    modules = st.sets(st.integers(0, sizes.modules - 1))
    dropped, muted = sorted(data.draw(modules)), sorted(data.draw(modules))
    layers = data.draw(st.integers(0, sizes.layers))
    x = tokens(model, batch=2)
    there = torch.tensor(data.draw(st.lists(st.booleans(), min_size=2 * x.shape[1], max_size=2 * x.shape[1])))
    there = there.view(2, -1)
    kept = [u for u in range(sizes.modules) if u not in dropped]
    view = model.keep([model.units[u] for u in kept]).mute([model.units[u] for u in muted if u in kept])
    inside = [kept.index(u) for u in muted if u in kept]
    wanted, trace = ask_oracle(model, x, there, drop=dropped, muted=inside, layers=layers)
    with listening(view, "read_out", *(("attention", "messages") if layers else ())) as heard:
        close(view.execute(x, there, layers), wanted)
    close(heard["read_out"][0], trace.read_out.mean(dim=1))
    for layer in range(layers):
        close(heard["attention"][layer], trace.attention[layer])
        close(heard["messages"][layer], trace.attention[layer].mean(dim=1))


@settings(deadline=None, max_examples=10)
@given(configs(links="learned", modulation="codes", sampling="batch"), st.integers(0, 99))
def test_gradients_with_sampled_links_equal_the_equations(sizes: NeuralAttentiveCircuitConfig, seed: int) -> None:
    model = network(sizes, seed).train()
    x = tokens(model)
    torch.manual_seed(seed)
    found = model.execute(x)
    torch.manual_seed(seed)
    U, R = sizes.modules, sizes.readouts
    uniform = [torch.rand(U, U) for _ in range(sizes.layers)] + [torch.rand(R, U)]
    processor, readout = model.processor.signatures, model.readout.signatures
    assert processor is not None
    assert readout is not None
    kernels = []
    for numbers, receivers in zip(uniform, [processor] * sizes.layers + [readout], strict=True):
        P = oracle.link_probability(receivers, processor, sizes.bandwidth)
        P = torch.where(torch.eye(len(P), U).bool() & (receivers is processor), torch.full_like(P, 1 - 1e-6), P)
        kernels.append(oracle.concrete(P.clamp(max=1 - 1e-6), sizes.temperature, numbers.double()))
    wanted, _ = ask_oracle(model, x, kernels=kernels)
    single = {"rtol": 1e-3, "atol": 1e-5}  # noise is drawn, and its logarithms are taken, in single precision
    torch.testing.assert_close(found, wanted, **single)
    parameters = [p for p in model.parameters() if p.requires_grad]
    ours = torch.autograd.grad(found.square().sum(), parameters, allow_unused=True)
    theirs = torch.autograd.grad(wanted.square().sum(), parameters, allow_unused=True)
    for one, other in zip(ours, theirs, strict=True):
        assert (one is None) == (other is None)
        if one is not None and other is not None:  # a small entry of a gradient is a sum of larger ones
            largest = float(other.abs().max())
            torch.testing.assert_close(one, other, rtol=1e-3, atol=1e-5 + 1e-3 * largest)


@pytest.mark.parametrize("step", [0, 1, 3])
@torch.no_grad()
def test_states_that_a_listener_replaces_are_what_others_read_and_only_they(step: int) -> None:
    model = network(config())
    x, other = tokens(model), torch.randn(2, 9, 12, dtype=torch.float64)

    def replace_state(_: object, args: tuple[Tensor], kwargs: dict[str, int], output: Tensor) -> Tensor | None:
        return other.transpose(0, 1) if kwargs["step"] == step else None

    handle = model.probes.contributions.register_forward_hook(replace_state, with_kwargs=True)
    replaced = model.execute(x)
    handle.remove()
    close(replaced, ask_oracle(model, x, sent={step: other})[0])
    assert not torch.allclose(replaced, model.execute(x))


@pytest.mark.parametrize("links", ["learned", "frozen", "complete"])
def test_gradients_reach_all_but_frozen_links_and_are_finite_without_tokens(links: str) -> None:
    model = network(config(links=links)).train()
    x = tokens(model, batch=3).requires_grad_()
    there = torch.ones(3, x.shape[1], dtype=torch.bool)
    there[1] = False
    model.execute(x, there).square().sum().backward()
    frozen = {"processor.signatures", "readout.signatures"} if links == "frozen" else set()
    assert ("processor.signatures" in dict(model.named_parameters())) == (links != "complete")
    for name, parameter in [("x", x), *model.named_parameters()]:
        assert (parameter.grad is None) == (name in frozen), name
        if parameter.grad is not None:
            # confidence.bias, which all read-out modules share, cancels in their softmax
            assert parameter.grad.isfinite().all() and (parameter.grad.any() or name == "confidence.bias"), name


def test_more_layers_than_there_are_are_refused() -> None:
    model = network(config())
    for iterations in (-1, 4):
        with pytest.raises(ValueError, match="0 to 3"):
            model(tokens(model), iterations)
