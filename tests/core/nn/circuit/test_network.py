"""The circuit executor against its literal oracle, and the properties that the equations promise."""

from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from routescope.nn.circuit.network import NeuralAttentiveCircuit, NeuralAttentiveCircuitConfig
from tests.core.nn.circuits import ask_oracle, config, configs, network, tokens
from tests.oracles.mapping import listening

# beartype picks the items that it looks at by chance, also while hypothesis draws a config
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")
CLOSE = {"rtol": 1e-9, "atol": 1e-9}
PROBES = ("read_in", "states", "contributions", "attention", "messages", "read_out", "confidence")


def close(one: Tensor, other: Tensor) -> None:
    torch.testing.assert_close(one, other, **CLOSE)


# ------------------------------------------------------------------------------------------------ against the oracle


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
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
@settings(deadline=None, max_examples=40)
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


@settings(deadline=None, max_examples=15)
@given(configs(links="learned", modulation="codes"), st.integers(0, 99))
def test_gradients_with_sampled_links_equal_the_equations(sizes: NeuralAttentiveCircuitConfig, seed: int) -> None:
    from tests.oracles import neural_attentive_circuit as oracle

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


# ----------------------------------------------------------------------------------------------------- properties


@pytest.mark.parametrize("initial_state", ["mlp", "code"])
@torch.no_grad()
def test_alpha_0_removes_every_dependence_on_codes(initial_state: str) -> None:
    """But for initial states, which are made from codes: they are held."""
    same = {"code_features": 12} if initial_state == "code" else {}
    model = network(config(initial_state=initial_state, **same))
    x = tokens(model)
    programmed = model(x)
    initial = [model.processor.codes, model.readout.codes]
    states = [c if model.initial is None else model.initial(c) for c in initial]
    model.initial = None
    states_by_size = {len(state): state.clone() for state in states}

    class Held(torch.nn.Module):
        def forward(self, c: Tensor) -> Tensor:
            return states_by_size[len(c)]

    model.initial = Held()  # type: ignore[assignment]
    close(model(x), programmed)
    for name, parameter in model.named_parameters():
        if name.endswith("alpha"):
            parameter.zero_()
    plain = model(x)
    assert not torch.allclose(plain, programmed)
    for codes in initial:
        codes.normal_()
    assert torch.equal(model(x), plain)
    without = network(replace(model.config, modulation="none"))
    without.load_state_dict({k: v for k, v in model.state_dict().items() if k in without.state_dict()}, strict=False)
    without.initial = model.initial
    close(without(x), plain)


@torch.no_grad()
def test_a_wide_bandwidth_gives_plain_attention() -> None:
    model = network(config(bandwidth=1e12))
    x = tokens(model)
    plain = network(replace(model.config, links="complete", bandwidth=1.0))
    plain.load_state_dict({k: v for k, v in model.state_dict().items() if not k.endswith("signatures")})
    close(model(x), plain(x))
    q, k, v = (torch.randn(2, 2, 9, 5, dtype=torch.float64) for _ in range(3))
    layer, prepared = model.propagators[0], model.prepare()
    log_K = prepared.log_K[0]
    wanted = torch.einsum("bhij,bhjd->bhid", torch.softmax(torch.einsum("bhid,bhjd->bhij", q, k) / 5**0.5, dim=-1), v)
    close(layer.weights((q, k, v), log_K, None) @ v, wanted)
    narrow = network(replace(model.config, bandwidth=0.2))
    narrow.load_state_dict(model.state_dict())
    assert not torch.allclose(narrow(x), plain(x))


@pytest.mark.slow
@settings(deadline=None, max_examples=15)
@given(configs(), st.randoms(use_true_random=False))
@torch.no_grad()
def test_the_order_of_modules_and_of_tokens_means_nothing(sizes: NeuralAttentiveCircuitConfig, random) -> None:
    model = network(sizes)
    x = tokens(model)
    order, order_out, places = (random.sample(range(n), n) for n in (sizes.modules, sizes.readouts, x.shape[1]))
    wanted = model(x)
    other = network(sizes)
    for descriptors, permutation in ((other.processor, order), (other.readout, order_out)):
        for parameter in descriptors.parameters():
            parameter.copy_(parameter[permutation].clone())
    with listening(model, "states") as before, listening(other, "states") as after:
        close(other(x), wanted)
        model(x)
    for step, states in before["states"].items():
        close(after["states"][step], states[:, order])
    close(model(x[:, places]), wanted)


class Masked(NeuralAttentiveCircuit):
    """The full circuit, in which no link leads from some modules to any other."""

    masked: tuple[int, ...] = ()

    def _log_kernels(self) -> tuple[Tensor | None, ...]:
        kernels = []
        for log_K in super()._log_kernels():
            rows = self.config.readouts if len(kernels) == self.config.layers else self.config.modules
            log_K = torch.zeros(rows, self.config.modules).double() if log_K is None else log_K.clone()
            log_K[:, list(self.masked)] = -torch.inf
            kernels.append(log_K)
        return tuple(kernels)


@pytest.mark.slow
@settings(deadline=None, max_examples=20)
@given(configs(), st.data())
@torch.no_grad()
def test_a_pruned_circuit_equals_the_full_one_with_those_modules_masked(
    sizes: NeuralAttentiveCircuitConfig, data: st.DataObject
) -> None:
    model = network(sizes)
    x = tokens(model)
    kept = sorted(data.draw(st.sets(st.integers(0, sizes.modules - 1))))
    masked = Masked(sizes).double().eval()
    masked.load_state_dict(model.state_dict())
    masked.masked = tuple(u for u in range(sizes.modules) if u not in kept)
    pruned = model.keep([model.units[u] for u in kept])
    kernels = (("probability", 0), ("threshold", 0), ("sample", 3)) if model.has_links else (("probability", 0),)
    for kernel, seed in kernels:
        close(pruned.with_links(kernel, seed)(x), masked.with_links(kernel, seed)(x))
    with listening(pruned, "states") as few, listening(masked, "states") as all_:
        pruned(x)
        masked(x)
    for step in range(sizes.layers + 1):
        close(few["states"][step], all_["states"][step][:, kept])


@torch.no_grad()
def test_dropping_nothing_changes_no_bit_and_dropping_all_equals_muting_all() -> None:
    model = network(config(), dtype=torch.float32)
    x = tokens(model)
    plain = model(x)
    for view in (model.keep(model.units), model.keep(model.units[::-1]), model.mute(()), model.cut(1.0)):
        assert torch.equal(view(x), plain)
    none = model.keep(())
    assert none.units == ()
    assert torch.equal(none(x), model.mute(model.units)(x))
    assert torch.equal(none(x)[0], none(x)[1]), "no module, no difference between samples"
    assert none(x).isfinite().all()


@torch.no_grad()
def test_a_sample_without_any_token_reads_nothing_and_touches_no_other() -> None:
    model = network(config())
    x = tokens(model, batch=3)
    there = torch.ones(3, x.shape[1], dtype=torch.bool)
    there[1] = False
    found = model.execute(x, there)
    assert found.isfinite().all()
    close(found[[0, 2]], model.execute(x[[0, 2]]))
    close(found[1:2], model.execute(x[1:2, :0]))


def test_no_gradient_is_lost_or_infinite() -> None:
    model = network(config(links="learned")).train()
    x = tokens(model, batch=3).requires_grad_()
    there = torch.ones(3, x.shape[1], dtype=torch.bool)
    there[1] = False
    model.execute(x, there).square().sum().backward()
    for name, parameter in [("x", x), *model.named_parameters()]:
        assert parameter.grad is not None, name
        assert parameter.grad.isfinite().all(), name
        if name != "confidence.bias":  # shared by all, it cancels in their softmax
            assert parameter.grad.abs().max() > 0, name


@pytest.mark.parametrize("links", ["learned", "frozen", "complete"])
def test_gradients_stop_at_what_is_frozen(links: str) -> None:
    model = network(config(links=links)).train()
    model(tokens(model)).square().sum().backward()
    frozen = {name for name, p in model.named_parameters() if p.grad is None}
    assert frozen == ({"processor.signatures", "readout.signatures"} if links == "frozen" else set())
    assert ("processor.signatures" in dict(model.named_parameters())) == (links != "complete")


@pytest.mark.parametrize("iterations", [-1, 4])
def test_there_are_as_many_layers_as_there_are(iterations: int) -> None:
    model = network(config())
    with pytest.raises(ValueError, match="0 to 3"):
        model(tokens(model), iterations)
    assert model.most_iterations == 3
