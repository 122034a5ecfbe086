"""Links: probabilities, samples, thresholds, edges cut, and the views that use them."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from routescope.nn.circuit.links import concrete_log_kernel, cut_smallest, log_link_probability, threshold_log_kernel
from routescope.routing import graphs
from tests.core.nn.circuits import ask_oracle, config, network, tokens
from tests.oracles import neural_attentive_circuit as oracle

CLOSE = {"rtol": 1e-9, "atol": 1e-9}


def normals(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


@settings(deadline=None)
@given(st.floats(0.02, 0.98), st.floats(0.02, 0.98), st.sampled_from([0.1, 0.5, 2.0]))
def test_a_sample_and_its_gradient_are_those_of_the_concrete_distribution(p: float, u: float, tau: float) -> None:
    P = torch.tensor([[p]], dtype=torch.float64, requires_grad=True)
    uniform = torch.tensor([[u]], dtype=torch.float64)
    ours, theirs = concrete_log_kernel(P.log(), tau, uniform), oracle.concrete(P, tau, uniform).log()
    torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-5)
    (one,), (other,) = torch.autograd.grad(ours.sum(), P), torch.autograd.grad(theirs.sum(), P)
    torch.testing.assert_close(one, other, rtol=1e-3, atol=1e-5)


def test_certain_and_impossible_links_stay_so_and_have_finite_gradients() -> None:
    log_P = torch.tensor([[0.0, -torch.inf, -1.0]], requires_grad=True)
    for seed in range(20):
        torch.manual_seed(seed)
        log_K = concrete_log_kernel(log_P, 0.5)
        assert log_K[0, 0] > -1e-3
        assert log_K[0, 1] == -torch.inf
        gradient = torch.autograd.grad(log_K[0, [0, 2]].sum(), log_P)[0]
        assert gradient.isfinite().all()
        assert gradient[0, 2] > 0


@torch.no_grad()
def test_a_threshold_gives_links_that_are_there_or_not() -> None:
    model = network(config(bandwidth=0.5))
    x = tokens(model)
    P, P_out = model.link_probability(), model.readout_link_probability()
    kernels = [(P > 0.5).double()] * 3 + [(P_out > 0.5).double()]
    assert 0 < kernels[3].sum() < kernels[3].numel()
    assert not kernels[3].any(dim=1).all(), "a read-out module without any link is part of the test"
    found = model.with_links("threshold")(x)[:, 0]
    torch.testing.assert_close(found, ask_oracle(model, x, kernels=kernels)[0], **CLOSE)
    assert torch.equal(threshold_log_kernel(torch.tensor([[0.5, 0.50001]]).log()).exp(), torch.tensor([[0.0, 1.0]]))


@torch.no_grad()
def test_a_seed_names_a_sample_of_links() -> None:
    model = network(config())
    x = tokens(model)
    one = model.with_links("sample", 3)
    assert torch.equal(one(x), model.with_links("sample", 3)(x))
    assert not torch.equal(one(x), model.with_links("sample", 4)(x))
    assert not torch.equal(one(x), model(x))
    kernels = [log_K.exp() for log_K in one.prepare().log_K]
    torch.testing.assert_close(one(x)[:, 0], ask_oracle(model, x, kernels=kernels)[0], **CLOSE)
    fewer = one.keep(model.units[1::2]).prepare().log_K
    for log_K, K in zip(fewer, kernels, strict=True):
        rows = slice(1, None, 2) if len(K) == 9 else slice(None)
        torch.testing.assert_close(log_K.exp(), K[rows, 1::2], **CLOSE)
    with pytest.raises(Exception, match="probability.*threshold.*sample"):  # the type checker of the tests is first
        model.with_links("dice")


@settings(deadline=None)
@given(st.integers(0, 9), st.floats(0, 1), st.integers(0, 99), st.sampled_from([None, 0.4, 0.9]))
def test_the_weakest_links_are_cut(U: int, share: float, seed: int, truncation: float | None) -> None:
    s = normals(2, U, 3, seed=seed)
    several = log_link_probability(s, s, 1.0, truncation)
    both = cut_smallest(several, share)
    for log_P, cut in zip(several, both, strict=True):
        check_cut(log_P, cut, share)


def check_cut(log_P: Tensor, cut: Tensor, share: float) -> None:
    U = len(log_P)
    absent = (log_P == -torch.inf) & (cut == -torch.inf)
    assert torch.equal(absent, log_P == -torch.inf)
    pairs = (U * (U - 1) - int(absent.sum())) // 2
    gone = (cut == -torch.inf) & ~absent
    assert torch.equal(gone, gone.T)
    assert not gone.diagonal().any()
    assert torch.equal(cut[~gone], log_P[~gone])
    removed = int(gone.sum()) // 2
    assert abs(removed - (1 - share) * pairs) <= 0.5
    off = ~torch.eye(U, dtype=torch.bool) & ~absent
    if 0 < removed < pairs:
        assert log_P[gone].max() <= log_P[~gone & off].min() + 1e-12
    if share in (0, 1):
        assert torch.equal(gone, off if share == 0 else torch.zeros_like(gone))


def test_links_that_are_equally_probable_are_cut_in_the_order_of_their_modules() -> None:
    cut = cut_smallest(torch.full((4, 4), -1.0), 0.5)
    gone = [(i, j) for i in range(4) for j in range(i) if cut[i, j] == -torch.inf]
    assert gone == [(1, 0), (2, 0), (2, 1)]


@torch.no_grad()
def test_cut_links_carry_nothing_among_modules_that_stay() -> None:
    model, share = network(config()), 0.3
    x, kept = tokens(model), [0, 2, 3, 5, 6, 8]
    view = model.keep([model.units[u] for u in kept]).cut(share)
    P = cut_smallest(model.link_log_probability()[kept][:, kept], share).exp()
    P_out = model.readout_link_probability()[:, kept]
    wanted = ask_oracle(model, x, drop=[u for u in range(9) if u not in kept], kernels=[P] * 3 + [P_out])[0]
    torch.testing.assert_close(view(x)[:, 0], wanted, **CLOSE)
    again = model.cut(share).keep([model.units[u] for u in kept])
    torch.testing.assert_close(again(x)[:, 0], wanted, **CLOSE)
    assert int((view.link_probability() == 0).sum()) == 2 * round((1 - share) * 15)
    assert not torch.allclose(view(x), model(x))


def test_a_complete_graph_and_shares_outside_0_to_1_are_refused() -> None:
    with pytest.raises(ValueError, match="complete"):
        network(config(links="complete")).cut(0.5)
    for share in (-0.1, 1.1, math.nan):
        with pytest.raises(ValueError, match="from 0 to 1"):
            network(config()).cut(share)


@torch.no_grad()
def test_connectivity_is_the_expected_number_of_links_of_every_module() -> None:
    model = network(config())
    q = model.connectivity()
    torch.testing.assert_close(q, model.link_probability().sum(dim=1), **CLOSE)
    assert torch.equal(model.keep(model.units[:2]).cut(0.1).connectivity(), q), "of the full model"
    assert torch.equal(network(config(links="complete")).connectivity(), torch.full((9,), 9.0))


@torch.no_grad()
def test_constants_hold_links_of_all_modules_with_zeros_for_those_that_are_gone() -> None:
    model = network(config())
    view = model.keep(model.units[:7]).mute(model.units[:1]).cut(0.5)
    found = {name: tensor for name, (_, tensor) in view.constants().items()}
    P = found["link_probability"]
    assert P.shape == (9, 9) and not P[7:].any() and not P[:, 7:].any()
    torch.testing.assert_close(P[:7, :7].double(), view.link_probability(), rtol=1e-6, atol=1e-7)
    assert not found["readout_link_probability"][:, 7:].any()
    assert found["kept"].tolist() == [True] * 7 + [False] * 2
    assert found["muted"].tolist() == [True] + [False] * 8
    torch.testing.assert_close(found["signatures"].norm(dim=-1), torch.ones(9, dtype=torch.float64))
    assert set(network(config(links="complete")).constants()) == {"codes", "kept", "muted"}


def test_links_keep_full_precision_where_the_rest_computes_in_less() -> None:
    model = network(config(), dtype=torch.float32)
    with torch.no_grad():
        P, q = model.link_probability(), model.connectivity()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            assert torch.equal(model.link_probability(), P)
            assert torch.equal(model.connectivity(), q)
            assert torch.equal(model.prepare().log_K[0].exp(), P)


def test_truncation_sets_far_links_to_zero_and_lets_their_gradient_through() -> None:
    model = network(config(truncation=0.9, bandwidth=0.5))
    s, s_out = model.processor.signatures, model.readout.signatures
    assert s is not None
    assert s_out is not None
    P = model.link_probability()
    expected = oracle.truncated(oracle.link_probability(s, s, 0.5), 0.5, 0.9)
    assert 0 < (P == 0).sum() < P.numel() - len(P)
    torch.testing.assert_close(P, expected, **CLOSE)
    weights = normals(*P.shape)
    ours, theirs = (torch.autograd.grad((weights * links).sum(), s)[0] for links in (P, expected))
    torch.testing.assert_close(ours, theirs, **CLOSE)
    with torch.no_grad():
        P_out = oracle.truncated(oracle.link_probability(s_out, s, 0.5), 0.5, 0.9)
        torch.testing.assert_close(model.readout_link_probability(), P_out, **CLOSE)
        torch.testing.assert_close(model.link_probability_of_all(), P.detach(), **CLOSE)
        x = tokens(model)
        torch.testing.assert_close(model(x)[:, 0], ask_oracle(model, x, kernels=[P] * 3 + [P_out])[0], **CLOSE)


def test_a_truncated_circuit_trains_with_finite_gradients() -> None:
    model = network(config(truncation=0.5, sampling="sample")).train()
    model(tokens(model)).square().mean().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is None or parameter.grad.isfinite().all(), name


@torch.no_grad()
def test_training_draws_links_for_a_batch_or_for_each_sample() -> None:
    for sampling, alike in (("batch", True), ("sample", False)):
        model = network(config(sampling=sampling)).train()
        x = tokens(model)[:1].expand(3, -1, -1)
        logits = model(x)[:, 0]
        assert torch.allclose(logits, logits[:1].expand_as(logits)) is alike
        torch.testing.assert_close(model.eval()(x)[:1], model(x)[2:], **CLOSE)


def test_each_sample_reads_through_its_own_links(monkeypatch: pytest.MonkeyPatch) -> None:
    model = network(config(sampling="sample")).train()
    x, uniforms = tokens(model), []

    def drawn(bounded: Tensor) -> Tensor:
        uniforms.append(normals(*bounded.shape, seed=len(uniforms)).sigmoid())
        return uniforms[-1]

    monkeypatch.setattr(torch, "rand_like", drawn)
    with torch.no_grad():
        logits = model(x)[:, 0]
        links = [model.link_probability()] * 3 + [model.readout_link_probability()]
        for sample in range(len(x)):
            kernels = [
                oracle.concrete(P.clamp(max=1 - 1e-6), model.config.temperature, uniform[sample, 0])
                for P, uniform in zip(links, uniforms, strict=True)
            ]
            expected = ask_oracle(model, x[sample : sample + 1], kernels=kernels)[0]
            torch.testing.assert_close(logits[sample : sample + 1], expected, rtol=1e-4, atol=1e-4)


def test_settings_of_links_that_mean_nothing_are_refused() -> None:
    for changes in ({"truncation": 0.0}, {"truncation": 2.5}, {"sampling": "layer"}):
        with pytest.raises(ValueError, match=next(iter(changes))):
            config(**changes)


@pytest.mark.parametrize("truncation", [None, 0.9])
def test_a_sparse_prior_is_reached_only_with_truncation(truncation: float | None) -> None:
    modules = 40
    model = network(config(truncation=truncation, modules=modules, signature_features=16))
    prior = graphs.prior("scale-free", modules)
    optimizer = torch.optim.Adam([model.processor.signatures], lr=0.05)
    for _ in range(100):
        optimizer.zero_grad()
        graphs.structure_loss(model.link_probability(), prior, np.arange(modules)).backward()
        optimizer.step()
    P = model.link_probability().detach().numpy()
    links, wanted = (matrix[~np.eye(modules, dtype=bool)] for matrix in (P, prior))
    if truncation is None:  # the mean cosine is at least -1 / (U - 1)
        assert links.mean() >= math.exp(-modules / (modules - 1))
    else:
        assert abs(links.mean() - wanted.mean()) < 0.05
