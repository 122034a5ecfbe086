"""A mixture of experts of one's own beside itself with experts taken out by hand."""

import copy
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from routescope.data import load
from routescope.nn.adapters.exploring import NotAdaptable
from routescope.nn.adapters.interception import Deciding, IncompleteRouting, RouterProduct
from routescope.nn.adapters.plain import PlainNetwork, adapt
from routescope.nn.inputs.text import Text
from routescope.nn.network import Changes
from routescope.routing import Intervention, InterventionError, record, score
from routescope.routing.caused.importance import importance
from routescope.routing.caused.importance_plan import NoPlan
from routescope.routing.check.checking import check
from tests.core.nn.adapters import own
from tests.core.nn.adapters.own import Mine, Small, one_best, small, two_best

BlockKind = Callable[[int], nn.Module]
Choose = Callable[[Tensor], tuple[Tensor, Tensor]]
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


def test_what_its_code_cannot_do_is_refused(network: PlainNetwork) -> None:
    assert network.units[4:6] == ("l1.e5", "l2.e1") and len(network.units) == 15
    with pytest.raises(InterventionError, match="takes 2 experts at layer 1 of this model, always"):
        Intervention(top_k=3).validate(network)
    with pytest.raises(InterventionError, match="layer 2 needs 2 experts"):
        Intervention(drop=("l2.e1", "l2.e2", "l2.e3", "l2.e4")).validate(network)
    with pytest.raises(ValueError, match="the batch has no text"):
        record(network, Text(()))


LAYERS = {"routers": "layers.*.gate", "experts": "layers.*.experts"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"routers": "blocks.*.gate"}, r'called blocks.*; likely routers are routers="layers.\*.gate", such as'),
        (LAYERS | {"experts": "layers.*.expert"}, "0 modules are called layers.*.expert, and there are 3 routers"),
        (LAYERS, "does not say whom it chose: pass choose="),
        (LAYERS | {"choose": one_best}, "and they were called with"),
    ],
)
def test_what_is_said_wrong_is_an_error(module: Mine, arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(NotAdaptable, match=words):
        adapt(module, **arguments)


def test_a_module_that_cannot_run_says_why(module: Mine) -> None:
    broken = copy.deepcopy(module)
    broken.head = nn.Linear(3, 257)
    with pytest.raises(NotAdaptable, match="cannot be run on 7 tokens: mat1 and mat2"):
        adapt(broken, **LAYERS, choose=two_best)


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
        with Deciding(RouterProduct(5, 5), dropped):
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


# -- blocks of many kinds: what is recorded is what was computed, and what is changed is changed literally ------------

LISTED, FUSED = "blocks.*.experts", None
#: Why experts cannot be muted.
UNKNOWN = "its experts are not known, and its router returns logits only: pass experts="


def within_capacity(logits: Tensor) -> tuple[Tensor, Tensor]:
    return own.taken(own.within_capacity(logits))


def chosen_by_experts(logits: Tensor) -> tuple[Tensor, Tensor]:
    return own.taken(own.chosen_by_experts(logits))


def two_probable(logits: Tensor) -> tuple[Tensor, Tensor]:
    """The two best experts by their probabilities, which do not sum to one."""
    return logits.softmax(dim=-1).topk(2, dim=-1)


def half_of(logits: Tensor) -> tuple[Tensor, Tensor]:
    return own.taken(own.half_of(logits))


@dataclass(frozen=True)
class Kind:
    """A kind of block that opens: its ``choose`` and experts, and in words what is refused, unverified or said."""

    block: BlockKind
    choose: Choose | None = two_best
    experts: str | None = LISTED
    unmutable: str | None = None
    undroppable: str | None = None
    unverified: str | None = None
    alone: str | None = None
    replaceable: bool = False


SOFT, FUSED_SOFT = partial(own.Dense, weights=own.softmax), partial(own.Fused, weights=own.softmax)
CAPACITY = partial(own.Routed, weights=own.within_capacity)
FUSED_CAPACITY = partial(own.Fused, weights=own.within_capacity)
CHOSEN = partial(own.Routed, weights=own.chosen_by_experts)
DEPTHS = partial(own.Routed, weights=own.half_of, routed=1)
NEIGHBOURS, COUNTED = "scores change with neighbours in the batch", "no experts are known whose tokens can be counted"
KINDS = {
    "a list of experts, each called with its tokens": Kind(own.Routed),
    "no experts named": Kind(own.Routed, experts=None, unmutable=UNKNOWN, unverified=COUNTED),
    "a list of experts, each called with all tokens": Kind(own.Dense, unverified="experts are called with all tokens"),
    "the router of makeMoE": Kind(own.MakeMoE, None),
    "weights before experts": Kind(partial(own.Routed, call=own.before)),
    "experts called twice": Kind(partial(own.Routed, call=own.twice)),
    "a dictionary of experts": Kind(own.Named),
    "a shared expert beside the list": Kind(own.Shared),
    "buffers with rows of zeros": Kind(partial(own.Routed, call=own.buffered)),
    "a soft mixture, as it is": Kind(SOFT, own.every_expert, unverified="experts are called with all tokens"),
    "fused experts": Kind(own.Fused, experts=FUSED, unmutable=UNKNOWN, unverified=COUNTED),
    "a fused soft mixture": Kind(FUSED_SOFT, own.every_expert, FUSED, unmutable=UNKNOWN, unverified=COUNTED),
    "a capacity": Kind(CAPACITY, within_capacity, alone=NEIGHBOURS),
    "a capacity of fused experts": Kind(
        FUSED_CAPACITY, within_capacity, FUSED, unmutable=UNKNOWN, unverified=COUNTED, alone=NEIGHBOURS
    ),
    "expert choice": Kind(CHOSEN, chosen_by_experts, alone=NEIGHBOURS),
    "expert choice within each text": Kind(
        own.ChosenInText, chosen_by_experts, alone="scores of a token change with the tokens after it"
    ),
    "a mixture of depths": Kind(DEPTHS, half_of, alone=NEIGHBOURS),
    "the upper router of a hierarchy": Kind(own.Hierarchy),
    "experts called with ids and weights": Kind(own.Told, replaceable=True),
    "ids and weights, weights before experts": Kind(
        partial(own.Told, before=True), unmutable="expert of weight 0 still adds"
    ),
    "a router that ignores its own logits": Kind(
        own.Ignoring, experts=FUSED, unmutable=UNKNOWN, undroppable="dropped expert computes still", unverified=COUNTED
    ),
    "a router that returns ids and weights": Kind(own.Says, None, FUSED, unverified=COUNTED),
    "weights that are normalised again": Kind(
        partial(own.Says, again=True), None, FUSED, unmutable="weights of 0 give no finite numbers", unverified=COUNTED
    ),
}
ROUTERS = "blocks.*.gate"


def listed(model: nn.Module, inside: str = "", **options: Any) -> PlainNetwork:
    """Adapt a model whose blocks have lists of experts."""
    options = {"choose": two_best, "context": 24} | options
    return adapt(model, inside + ROUTERS, inside + LISTED, **options)


@pytest.fixture(scope="module", params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    return KINDS[request.param]


@pytest.fixture(scope="module")
def opened(kind: Kind) -> tuple[Small, PlainNetwork]:
    model = small(kind.block)
    return model, adapt(model, ROUTERS, kind.experts, choose=kind.choose, context=24)


def literal(model: Small, ids: Tensor, alone: bool, **changes: object) -> tuple[Tensor, list[Tensor]]:
    """What a copy answers whose second block is changed by hand, and which tokens each expert had, layer by layer."""
    changed = copy.deepcopy(model)
    for name, value in changes.items():
        setattr(changed.blocks[1], name, value)
    answers, seen = list[Tensor](), [list[Tensor](), list[Tensor]()]
    for rows in ids.split(1 if alone else len(ids)):
        answers.append(changed(rows))
        for layer, block in enumerate(changed.blocks):
            seen[layer].append(block.seen)
    return torch.cat(answers), [torch.cat(parts) for parts in seen]


def routed(view: PlainNetwork, ids: Tensor) -> tuple[Tensor, list[Tensor]]:
    """What a view answers, and which tokens each expert has in what it records, (T, E), layer by layer."""
    with view.capture(("top_experts", "compatibility", "router_logits", "margin")) as captured:
        answer = view.logits(ids)
    seen = []
    for step, layer in enumerate(view.routed_layers):
        experts = torch.cat([part for at, part in captured["top_experts"] if at == step]).flatten(0, 1)
        seen.append(torch.stack([(experts == e).any(dim=-1) for e in range(layer.experts)], dim=1))
    return answer, seen


def test_recorded_is_what_experts_got(kind: Kind, opened: tuple[Small, PlainNetwork]) -> None:
    model, network = opened
    expected, taken = literal(model, IDS, network.one_at_a_time is not None)
    answer, seen = routed(network.view(Changes()), IDS)
    assert torch.equal(answer, expected) and all(map(torch.equal, seen, taken))
    assert bool(kind.alone) == (network.one_at_a_time is not None)
    assert (kind.alone or "") in (network.one_at_a_time or "")
    assert (network.unverified == {}) == (kind.unverified is None)
    assert all((kind.unverified or "") in reason for reason in network.unverified.values())
    attrs = record(network, Text(("a few words",))).dataset.attrs
    assert ("unverified_routing" in attrs) == (kind.unverified is not None)


def check_literal(opened: tuple[Small, PlainNetwork], view: PlainNetwork, **changes: object) -> None:
    """Compare a view with the block that is changed by hand, and check that the change matters."""
    model, network = opened
    expected, _ = literal(model, IDS, network.one_at_a_time is not None, **changes)
    answer, seen = routed(view, IDS)
    torch.testing.assert_close(answer, expected, atol=1e-5, rtol=1e-5)
    assert not torch.allclose(answer, network.logits(IDS), atol=1e-4)
    if "muted" in changes:
        assert torch.equal(seen[1], routed(network.view(Changes()), IDS)[1][1]), "muted experts are chosen as before"


def test_dropping_removes_an_expert_or_is_refused(kind: Kind, opened: tuple[Small, PlainNetwork]) -> None:
    _, network = opened
    gone = "l2.e3" if len(network.routed_layers[1].units) > 1 else "l2.e1"
    if kind.undroppable is not None or network.refusal(Changes(drop=(gone,)), 2):
        words = kind.undroppable or "needs . experts?, as many as a token takes"
        with pytest.raises(InterventionError, match=words):
            Intervention(drop=(gone,)).validate(network)
    elif kind.choose is not None or kind.block is own.MakeMoE:  # the literal blocks have no place for it
        check_literal(opened, network.view(Changes(drop=(gone,))), gone=(2,))


def test_muting_is_a_contribution_of_zero_or_is_refused(kind: Kind, opened: tuple[Small, PlainNetwork]) -> None:
    _, network = opened
    if kind.unmutable is not None:
        assert kind.unmutable in (network.mute_refusal or "")
        with pytest.raises(ValueError, match="cannot be muted"):
            network.mute(("l2.e1",))
        with pytest.raises(InterventionError, match="of layer l1 cannot be muted"):
            record(network, Text(("ab",)), intervention=Intervention(mute=("l2.e1",)))
        with pytest.raises(NoPlan, match="cannot be muted"):
            importance(network, [load("sums", "validation", limit=2)], layer="l2", kind="mute")
        return
    assert network.mute_refusal is None
    for muted in {(0,), tuple(range(len(network.routed_layers[1].units)))}:
        check_literal(opened, network.view(Changes(mute=tuple(f"l2.e{e + 1}" for e in muted))), muted=muted)


def test_means_are_literal_or_refused(kind: Kind, opened: tuple[Small, PlainNetwork]) -> None:
    _, network = opened
    assert network.replaceable == kind.replaceable
    reference = load("sums", "validation", limit=2)
    if not kind.replaceable:
        with pytest.raises(InterventionError, match="does not report what each unit adds"):
            score(network, reference, Intervention(mean=("l1.e1",)))
        with pytest.raises(NoPlan, match="does not report what each unit adds"):
            importance(network, [reference], layer="l1", kind="mean")
        return
    view, vector = network.view(Changes()), torch.linspace(-1, 1, 16)
    with view.replacing({(1, "l2.e2"): vector}, 2):
        check_literal(opened, view, put=(1, vector))


OTHER_TOP_K = "another top-k, or a soft mixture"


@pytest.mark.parametrize(
    ("block", "choose", "experts", "words"),
    [
        (own.Routed, one_best, LISTED, "each token takes 2 experts, not 1"),
        (own.Routed, None, LISTED, "does not say whom it chose: pass choose="),
        (own.Combining, two_best, LISTED, "name the layer that computes the logits as the router, .* blocks.0.gate.0"),
        (own.Routed, two_probable, LISTED, "other weights than the block applies: a token has the weights"),
        (own.Dense, two_probable, LISTED, "other weights than the block applies: a token has the weights"),
        (own.Dense, one_best, LISTED, OTHER_TOP_K),
        (own.Fused, one_best, FUSED, OTHER_TOP_K),
        (SOFT, two_best, LISTED, OTHER_TOP_K),
        (FUSED_SOFT, two_best, FUSED, OTHER_TOP_K),
        (CAPACITY, one_best, LISTED, "experts leave tokens out, as under a capacity"),
        (FUSED_CAPACITY, one_best, FUSED, "the block leaves tokens out"),
        (CHOSEN, two_best, LISTED, "as where experts choose their tokens"),
        (DEPTHS, one_best, LISTED, "a mixture of depths"),
        (partial(own.Routed, further=1), two_best, LISTED, "holds 6 modules.*without shared experts"),
        (own.Noisy, two_best, LISTED, "two runs on the same tokens give different scores"),
    ],
)
def test_routing_that_did_not_happen_is_refused(
    block: Callable[[int], nn.Module],
    choose: Callable[[Tensor], tuple[Tensor, Tensor]] | None,
    experts: str | None,
    words: str,
) -> None:
    with pytest.raises(NotAdaptable, match=words):
        adapt(small(block), ROUTERS, experts, choose=choose, context=24)


def test_lower_routers_of_a_hierarchy_are_refused() -> None:
    with pytest.raises(NotAdaptable, match="a router behind another, which sees some tokens only"):
        adapt(small(own.Hierarchy), "blocks.*.experts.*.gate", choose=two_best, context=24)


def test_a_recorded_pass_that_contradicts_the_choice_is_no_trace() -> None:
    network = listed(small(own.Sometimes))
    texts = Text(("a few bytes!", "another text", "and a third1"))
    with pytest.raises(IncompleteRouting, match="experts of layer l1 received"):
        record(network, texts)
    assert record(network, texts[:2])["top_experts"].sizes["sample"] == 2


def test_a_token_that_no_expert_takes_is_shown_so_and_texts_run_alone() -> None:
    """Of a capacity: each text is scored, and recorded, as it is without its neighbours and their padding."""
    network = listed(small(CAPACITY), choose=within_capacity)
    texts = Text(("aaaaaaaaaaaa", "a longer text of 24 bytes", "c"))
    together = record(network, texts)
    for row in range(len(texts)):
        alone = record(network, texts[[row]])
        for name in ("top_experts", "top_weights", "compatibility", "nats"):
            np.testing.assert_array_equal(
                np.nan_to_num(together[name].values[row]), np.nan_to_num(alone[name].values[0])
            )
    words = "scores change with neighbours in the batch"
    assert str(together.dataset.attrs["texts_run_one_at_a_time"]).startswith(words)
    nobody = (together["compatibility"].values[0, :, :, 1:13] == 0).all(axis=1)
    assert nobody.any() and (together["top_experts"].values[0, :, 1:13][nobody] == -1).all()


def test_check_says_what_cannot_be_muted_or_verified() -> None:
    network = adapt(small(own.Fused), ROUTERS, choose=two_best, context=24)
    report = check(network, [Text(("a few words", "and more"))])
    assert report["verified"].verdict == "not applicable" and "unverified routing in l1, l2" in report["verified"].words
    assert report["reached"].verdict == "not applicable" and "cannot be muted" in report["reached"].words
    told = check(listed(small(own.Told)), [Text(("a few words", "and"))])
    assert told["verified"].verdict == told["reached"].verdict == "held"


# -- code that people have ---------------------------------------------------------------------------------------------


def test_a_module_after_a_training_step_opens() -> None:
    """It keeps a tensor of its graph, and a lock: both are shared, and the module stays as it is."""
    model = small(own.Routed).requires_grad_(True)
    loss = model(IDS).square().mean()
    loss.backward()
    model.aux_loss, model.history, model.lock = loss * 1, [loss * 2], threading.Lock()
    network = listed(model)
    assert network.module.aux_loss is model.aux_loss and network.module.lock is model.lock
    assert network.module.history[0] is model.history[0]
    assert network.view(Changes(mute=("l1.e1",))).logits(IDS).shape == (2, 12, 257)


class Wrapped(nn.Module):
    """A model that returns more than its scores."""

    def __init__(self, wrap: Callable[[Tensor], object]) -> None:
        super().__init__()
        self.inner, self.wrap = small(own.Routed), wrap

    def forward(self, ids: Tensor) -> object:
        return self.wrap(self.inner(ids))


@pytest.mark.parametrize(
    "wrap",
    [
        lambda logits: (logits, None),
        lambda logits: (logits.mean(), logits),
        lambda logits: {"loss": logits.mean(), "logits": logits},
        lambda logits: SimpleNamespace(loss=None, logits=logits),
    ],
)
def test_scores_are_taken_of_what_models_return(wrap: Callable[[Tensor], object]) -> None:
    network = listed(Wrapped(wrap), "inner.")
    assert torch.equal(network.logits(IDS), small(own.Routed)(IDS))
    assert record(network, Text(("a few words",)))["nats"].notnull().sum() > 0


@pytest.mark.parametrize("wrap", [lambda logits: logits[:, -1:], lambda logits: (None, 3), lambda logits: 1])
def test_a_model_without_scores_of_every_token_says_so(wrap: Callable[[Tensor], object]) -> None:
    with pytest.raises(NotAdaptable, match="and no scores .texts, tokens, symbols.*pass scores="):
        listed(Wrapped(wrap), "inner.")


@pytest.mark.parametrize("routers", ["layers.*.router", "x", ["inner.blocks.0.gate", "inner.blocks.7.gate"]])
def test_likely_routers_are_named(routers: str | Sequence[str]) -> None:
    with pytest.raises(NotAdaptable, match=r'likely routers are routers="inner.blocks.\*.gate"'):
        adapt(Wrapped(lambda logits: logits), routers, choose=two_best)


def test_a_context_that_the_model_cannot_read_is_named() -> None:
    class Short(Small):
        def forward(self, ids: Tensor) -> Tensor:
            if ids.shape[1] > 32:
                raise IndexError("index out of range in self")
            return super().forward(ids)

    words = "cannot read a text of 257 tokens .index out of range.*pass its own context="
    with pytest.raises(NotAdaptable, match=words):
        listed(Short(own.Routed).eval(), context=256)


def test_weights_that_were_replaced_are_an_error() -> None:
    model = small(own.Routed)
    network = listed(model)
    model.load_state_dict({name: value * 2 for name, value in model.state_dict().items()})
    assert torch.equal(network.logits(IDS), model(IDS)), "values that are written into tensors are followed"
    model.load_state_dict({name: value * 2 for name, value in model.state_dict().items()}, assign=True)
    with pytest.raises(ValueError, match="embedding.weight of the module is another tensor.*adapt it again"):
        network.view(Changes()).logits(IDS)
