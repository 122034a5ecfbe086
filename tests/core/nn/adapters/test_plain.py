"""A mixture of experts of one's own beside itself with experts taken out by hand."""

import copy

import pytest
import torch
from torch import Tensor, nn

from core.nn.adapters.exploring import NotAdaptable
from core.nn.adapters.plain import PlainNetwork, adapt
from core.nn.adapters.seats import Deciding, Scoring
from core.nn.inputs.text import Text
from core.nn.network import Changes
from core.routing import Intervention, InterventionError, record
from tests.core.nn.adapters.own import Mine, two_best

IDS = torch.tensor([[256, *b"a few bytes"], [256, *b"and others!"]])


@pytest.fixture(scope="module")
def module() -> Mine:
    torch.manual_seed(2)
    made = Mine().eval().requires_grad_(False)
    for layer in made.layers:
        layer.gate.weight.mul_(8)
    return made


@pytest.fixture(scope="module")
def network(module: Mine) -> PlainNetwork:
    return adapt(module, routers="layers.*.gate", experts="layers.*.experts", choose=two_best, context=16)


def test_units_are_experts_by_layer_and_recorded_is_plain(module: Mine, network: PlainNetwork) -> None:
    assert network.units[4:6] == ("l1.e5", "l2.e1") and len(network.units) == 15
    view = network.view(Changes())
    with view.capture(("top_experts", "router_logits")) as captured:
        assert torch.equal(view.logits(IDS), module(IDS))
    x = module.embedding(IDS)
    _, places = two_best(module.layers[0].gate(x.flatten(0, 1)))
    assert torch.equal(captured["top_experts"][0][1].flatten(0, 1), places)
    trace = record(network, Text(("def f(x):",)))
    assert trace["top_experts"].sizes["step"] == 3 and trace["token_text"].values[0, 1] == "d"


def test_dropped_experts_are_those_that_a_block_without_them_lacks(module: Mine, network: PlainNetwork) -> None:
    without = copy.deepcopy(module)
    for layer in without.layers:
        kept = [0, 2, 3]
        layer.experts = nn.ModuleList(layer.experts[e] for e in kept)
        layer.gate.weight = nn.Parameter(layer.gate.weight[kept])
        layer.gate.bias = nn.Parameter(layer.gate.bias[kept])
    gone = tuple(f"l{layer}.e{e}" for layer in (1, 2, 3) for e in (2, 5))
    torch.testing.assert_close(network.view(Changes(drop=gone)).logits(IDS), without(IDS), atol=1e-6, rtol=1e-6)


def test_muted_experts_add_nothing(module: Mine, network: PlainNetwork) -> None:
    silent = copy.deepcopy(module)
    silent.layers[1].experts[3][-1].weight[:] = 0
    silent.layers[1].experts[3][-1].bias[:] = 0
    found = network.view(Changes(mute=("l2.e4",))).logits(IDS)
    torch.testing.assert_close(found, silent(IDS), atol=1e-6, rtol=1e-6)
    assert not torch.allclose(found, module(IDS), atol=1e-4)
    assert torch.equal(network.view(Changes(mute=("l2.e4",))).view(Changes()).logits(IDS), found)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (Intervention(top_k=3), "takes 2 experts at layer 1 of this model, always"),
        (Intervention(drop=("l2.e1", "l2.e2", "l2.e3", "l2.e4")), "layer 2 needs 2 experts"),
    ],
)
def test_what_its_code_cannot_do_is_refused(network: PlainNetwork, change: Intervention, words: str) -> None:
    with pytest.raises(InterventionError, match=words):
        change.validate(network)


def one_best(logits: Tensor) -> tuple[Tensor, Tensor]:
    return logits.softmax(dim=-1).topk(1, dim=-1)


def test_what_is_said_wrong_is_an_error(module: Mine) -> None:
    with pytest.raises(NotAdaptable, match="no module is called blocks.*; there are embedding, layers"):
        adapt(module, routers="blocks.*.gate")
    with pytest.raises(NotAdaptable, match="0 modules are called layers.*.expert, and there are 3 routers"):
        adapt(module, routers="layers.*.gate", experts="layers.*.expert")
    with pytest.raises(NotAdaptable, match="does not say whom it chose"):
        adapt(module, routers="layers.*.gate", experts="layers.*.experts")
    with pytest.raises(NotAdaptable, match="and they were called with"):
        adapt(module, routers="layers.*.gate", experts="layers.*.experts", choose=one_best)


def test_a_module_that_cannot_run_says_why(module: Mine) -> None:
    broken = copy.deepcopy(module)
    broken.head = nn.Linear(3, 257)
    with pytest.raises(NotAdaptable, match="cannot be run on 7 tokens: mat1 and mat2"):
        adapt(broken, routers="layers.*.gate", experts="layers.*.experts", choose=two_best)


def test_a_bias_of_choosing_is_masked_however_it_is_added() -> None:
    """As DeepSeek-V3's routers have it: with any bias, an expert that is dropped is never chosen."""
    x, weight, bias = torch.randn(9, 4), torch.randn(5, 4), torch.tensor([0.0, 50.0, 0.0, 0.0, 50.0])
    dropped = torch.tensor([False, True, False, False, True])
    ways = (
        lambda scores: scores + bias,
        lambda scores: bias + scores,
        lambda scores: scores + bias.unsqueeze(0),
        lambda scores: torch.add(scores, bias[None].float()),
        lambda scores: scores.add_(bias),
    )
    for way in ways:
        with Deciding(Scoring(5, 5), dropped):
            chosen = way(nn.functional.linear(x, weight).sigmoid()).topk(2, dim=-1).indices
        assert set(chosen.flatten().tolist()) <= {0, 2, 3}
        assert set(way((x @ weight.T).sigmoid()).topk(2, dim=-1).indices.flatten().tolist()) == {1, 4}


class Probabilities(nn.Module):
    """A router that gives probabilities in the place of logits."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(5, 16))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        shares = (x @ self.weight.T).softmax(dim=-1)
        return shares, *shares.topk(2, dim=-1)


class Shown(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding, self.router, self.head = nn.Embedding(257, 16), Probabilities(), nn.Linear(16, 257)
        self.experts = nn.Parameter(torch.randn(5, 16, 16))

    def forward(self, ids: Tensor) -> Tensor:
        x = self.embedding(ids)
        flat = x.flatten(0, 1)
        _, weights, places = self.router(flat)
        return self.head(x + torch.einsum("tk,tkcd,td->tc", weights, self.experts[places], flat).view_as(x))


def test_logits_are_logits_also_where_a_router_gives_probabilities() -> None:
    module = Shown().eval().requires_grad_(False)
    network = adapt(module, routers=["router"])
    view = network.view(Changes(drop=("l1.e3",)))
    with view.capture(("router_logits", "compatibility")) as captured:
        view.logits(IDS)
    ((_, logits),) = captured["router_logits"]
    expected = module.embedding(IDS) @ module.router.weight[[0, 1, 3, 4]].T
    torch.testing.assert_close(logits.permute(1, 2, 0), expected)
    muted = network.view(Changes(mute=("l1.e2",)))
    silent = copy.deepcopy(module)
    silent.experts[1] = 0
    torch.testing.assert_close(muted.logits(IDS), silent(IDS), atol=1e-5, rtol=1e-5)
