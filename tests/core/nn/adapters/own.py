"""Mixtures of experts as people write them: a router that gives logits, and a block that chooses and calls experts."""

from collections.abc import Callable

import torch
from jaxtyping import Float, Int64
from torch import Tensor, nn


def two_best(logits: Float[Tensor, "T E"]) -> tuple[Float[Tensor, "T K"], Int64[Tensor, "T K"]]:
    """Weights and places of the two experts with the largest probabilities, which sum to one."""
    weights, experts = logits.softmax(dim=-1).topk(2, dim=-1)
    return weights / weights.sum(dim=-1, keepdim=True), experts


class Block(nn.Module):
    """Each token takes two of five experts."""

    def __init__(self, features: int) -> None:
        super().__init__()
        self.gate = nn.Linear(features, 5)
        self.experts = nn.ModuleList(mlp(features) for _ in range(5))

    def forward(self, x: Float[Tensor, "B V C"]) -> Float[Tensor, "B V C"]:
        flat = x.flatten(0, 1)
        weights, places = two_best(self.gate(flat))
        total = torch.zeros_like(flat)
        for place, expert in enumerate(self.experts):
            tokens, slot = (places == place).nonzero(as_tuple=True)
            total = total.index_add(0, tokens, expert(flat[tokens]) * weights[tokens, slot, None])
        return x + total.view_as(x)


class Mine(nn.Module):
    """Bytes, three blocks, and a running mean in between, by which tokens read those before them."""

    def __init__(self, features: int = 16) -> None:
        super().__init__()
        self.embedding = nn.Embedding(257, features)
        self.layers = nn.ModuleList(Block(features) for _ in range(3))
        self.head = nn.Linear(features, 257)

    def forward(self, ids: Int64[Tensor, "B V"]) -> Float[Tensor, "B V symbols"]:
        x = self.embedding(ids)
        for layer in self.layers:
            count = torch.arange(1, ids.shape[1] + 1)[:, None]
            x = layer(x) + x.cumsum(dim=1) / count
        return self.head(x)


# -- blocks of many kinds -----------------------------------------------------------------------------------------

EXPERTS = 5


def with_two(logits: Float[Tensor, "T E"]) -> Float[Tensor, "T E"]:
    """Weights of all experts, 0 but for the two best."""
    weights, experts = two_best(logits)
    return torch.zeros_like(logits).scatter(1, experts, weights)


def softmax(logits: Float[Tensor, "T E"]) -> Float[Tensor, "T E"]:
    """Weights of all experts, none of them 0."""
    return logits.softmax(dim=-1)


def within_capacity(logits: Float[Tensor, "T E"]) -> Float[Tensor, "T E"]:
    """Switch: the best expert of each token, of the first tokens that fit into a capacity of 1.25."""
    probability, expert = logits.softmax(dim=-1).max(dim=-1)
    chosen = nn.functional.one_hot(expert, logits.shape[-1])
    fits = chosen.cumsum(dim=0) <= max(1, int(1.25 * len(logits) / logits.shape[-1]))
    return probability[:, None] * chosen * fits


def largest(values: Float[Tensor, "T E"], share: int) -> Float[Tensor, "T E"]:
    """Of each expert's values those of a share of the tokens, the largest; 0 of the others."""
    best = values.topk(max(1, len(values) // share), dim=0).indices
    return torch.zeros_like(values).scatter(0, best, values.gather(0, best))


def chosen_by_experts(logits: Float[Tensor, "T E"]) -> Float[Tensor, "T E"]:
    """Expert choice: each expert takes the third of the tokens with the largest probabilities."""
    return largest(logits.softmax(dim=-1), 3)


def half_of(logits: Float[Tensor, "T 1"]) -> Float[Tensor, "T 1"]:
    """The logits of the half of the tokens whose logits are the largest."""
    return largest(logits, 2)


def one_best(logits: Float[Tensor, "T E"]) -> tuple[Float[Tensor, "T 1"], Int64[Tensor, "T 1"]]:
    """The probability and the number of the best expert."""
    return logits.softmax(dim=-1).topk(1, dim=-1)


def every_expert(logits: Float[Tensor, "T E"]) -> tuple[Float[Tensor, "T E"], Int64[Tensor, "T E"]]:
    """All experts, by their probabilities."""
    return logits.softmax(dim=-1), torch.arange(logits.shape[-1]).expand_as(logits)


def taken(weights: Float[Tensor, "T E"]) -> tuple[Float[Tensor, "T E"], Int64[Tensor, "T E"]]:
    """Weights and numbers of experts whose weight is not 0, and -1 for the others."""
    return weights, torch.arange(weights.shape[-1]).expand_as(weights).masked_fill(weights == 0, -1)


def mlp(features: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(features, 12), nn.GELU(), nn.Linear(12, features))


def after(expert: nn.Module, x: Float[Tensor, "R C"], weight: Float[Tensor, "R 1"]) -> Float[Tensor, "R C"]:
    """What an expert adds to the tokens that it has a weight for: it is called, and its answer is weighted."""
    return expert(x) * weight


def before(expert: nn.Module, x: Float[Tensor, "R C"], weight: Float[Tensor, "R 1"]) -> Float[Tensor, "R C"]:
    """Weights are applied to what an expert reads."""
    return expert(x * weight)


def twice(expert: nn.Module, x: Float[Tensor, "R C"], weight: Float[Tensor, "R 1"]) -> Float[Tensor, "R C"]:
    """An expert is called twice."""
    return after(expert, x, weight) + after(expert, x * 0.5, weight)


def buffered(expert: nn.Module, x: Float[Tensor, "R C"], weight: Float[Tensor, "R 1"]) -> Float[Tensor, "R C"]:
    """An expert is called with more rows than it has tokens, 0 in the others."""
    return expert(nn.functional.pad(x, (0, 0, 0, 20 - len(x) % 13)))[: len(x)] * weight


class Routed(nn.Module):
    """A block that adds, to each token, what its experts make of it times their weights.

    Args:
        weights: logits (T, E) -> weights (T, E).
        call: what an expert adds to its tokens.
        routed, further: experts that the router knows, and others, which all tokens take.

    Attributes:
        gone, muted: experts that are literally left out, and whose contribution is literally 0; empty unless a test
            sets them.
        seen: (T, E), which tokens each expert had weight for in the last run.
    """

    def __init__(
        self,
        features: int,
        weights: Callable[[Tensor], Tensor] = with_two,
        call: Callable[[nn.Module, Tensor, Tensor], Tensor] = after,
        routed: int = EXPERTS,
        further: int = 0,
    ) -> None:
        super().__init__()
        self.weights, self.call, self.further = weights, call, further
        self.gate: nn.Module = nn.Linear(features, routed)
        self.experts: nn.Module = nn.ModuleList(mlp(features) for _ in range(routed + further))
        self.gone: tuple[int, ...] = ()
        self.muted: tuple[int, ...] = ()
        self.seen = torch.empty(0)

    def logits(self, flat: Float[Tensor, "T C"]) -> Float[Tensor, "T E"]:
        """The router's logits, without the experts that are left out."""
        logits = self.gate(flat).clone()
        logits[:, list(self.gone)] = -torch.inf
        return logits

    def added(self, flat: Float[Tensor, "T C"], weights: Float[Tensor, "T E"]) -> Float[Tensor, "T C"]:
        """What experts add: each is called with its tokens."""
        total, weights = torch.zeros_like(flat), nn.functional.pad(weights, (0, self.further), value=1.0)
        for e, expert in enumerate(self.experts.children()):
            rows = (weights[:, e] != 0).nonzero(as_tuple=True)[0]
            out = self.call(expert, flat[rows], weights[rows, e, None])
            total = total.index_add(0, rows, out * (e not in self.muted))
        return total

    def forward(self, x: Float[Tensor, "B V C"]) -> Float[Tensor, "B V C"]:
        flat = x.flatten(0, 1)
        weights = self.weights(self.logits(flat))
        self.seen = weights.detach() != 0
        return x + self.added(flat, weights).view_as(x)


class Dense(Routed):
    """Every expert is called with all tokens, and weighted afterwards."""

    def added(self, flat: Float[Tensor, "T C"], weights: Float[Tensor, "T E"]) -> Float[Tensor, "T C"]:
        outs = [expert(flat) * (e not in self.muted) for e, expert in enumerate(self.experts)]
        return sum((out * weights[:, e, None] for e, out in enumerate(outs)), torch.zeros_like(flat))


class NoisyTopK(nn.Module):
    """The router of makeMoE: probabilities of all experts, 0 but for the two best, and the numbers of these two."""

    def __init__(self, features: int) -> None:
        super().__init__()
        self.layer = nn.Linear(features, EXPERTS)

    def forward(self, x: Float[Tensor, "B V C"]) -> tuple[Float[Tensor, "B V E"], Int64[Tensor, "B V 2"]]:
        logits = self.layer(x)
        values, experts = logits.topk(2, dim=-1)
        return torch.full_like(logits, -torch.inf).scatter(-1, experts, values).softmax(dim=-1), experts


class MakeMoE(Routed):
    """Experts run on the tokens that a router of its own chose."""

    def __init__(self, features: int) -> None:
        super().__init__(features)
        self.gate = NoisyTopK(features)

    def forward(self, x: Float[Tensor, "B V C"]) -> Float[Tensor, "B V C"]:
        logits = self.gate.layer(x).clone()
        logits[..., list(self.gone)] = -torch.inf
        weights = with_two(logits.flatten(0, 1)) if self.gone else self.gate(x)[0].flatten(0, 1)
        self.seen = weights.detach() != 0
        return x + self.added(x.flatten(0, 1), weights).view_as(x)


class Combining(Routed):
    """The router returns a tensor (T, E, slots) that combines what experts return, and no logits."""

    def __init__(self, features: int) -> None:
        super().__init__(features)
        self.gate = nn.Sequential(nn.Linear(features, EXPERTS), nn.Unflatten(-1, (EXPERTS, 1)))

    def logits(self, flat: Float[Tensor, "T C"]) -> Float[Tensor, "T E"]:
        made: Tensor = self.gate(flat).squeeze(-1)
        return made


class Named(Routed):
    """Experts stand in a dictionary; those without a token are not called."""

    def __init__(self, features: int) -> None:
        super().__init__(features, call=lambda expert, x, weight: after(expert, x, weight) if len(x) else x)
        self.experts = nn.ModuleDict({f"expert_{e}": mlp(features) for e in range(EXPERTS)})


class Shared(Routed):
    """All tokens take a shared expert besides."""

    def __init__(self, features: int) -> None:
        super().__init__(features)
        self.shared = mlp(features)

    def added(self, flat: Float[Tensor, "T C"], weights: Float[Tensor, "T E"]) -> Float[Tensor, "T C"]:
        return super().added(flat, weights) + self.shared(flat)


class Fused(Routed):
    """Experts are one parameter, without a module."""

    def __init__(self, features: int, weights: Callable[[Tensor], Tensor] = with_two) -> None:
        super().__init__(features, weights)
        del self.experts
        self.stack = nn.Parameter(torch.randn(EXPERTS, features, features) / 4)

    def added(self, flat: Float[Tensor, "T C"], weights: Float[Tensor, "T E"]) -> Float[Tensor, "T C"]:
        kept = flat.new_tensor([float(e not in self.muted) for e in range(EXPERTS)])
        return torch.einsum("te,ecd,tc->td", weights * kept, self.stack, flat)


class ChosenInText(Routed):
    """Experts choose their tokens within each text."""

    def forward(self, x: Float[Tensor, "B V C"]) -> Float[Tensor, "B V C"]:
        flat = x.flatten(0, 1)
        logits = self.logits(flat).unflatten(0, x.shape[:2])
        weights = torch.cat([chosen_by_experts(text) for text in logits])
        self.seen = weights != 0
        return x + self.added(flat, weights).view_as(x)


class Hierarchy(Routed):
    """Each token takes two of five groups, and in each group one of two experts."""

    def __init__(self, features: int) -> None:
        super().__init__(features)
        self.experts = nn.ModuleList(Group(features) for _ in range(EXPERTS))


class Group(nn.Module):
    def __init__(self, features: int) -> None:
        super().__init__()
        self.gate, self.members = nn.Linear(features, 2), nn.ModuleList(mlp(features) for _ in range(2))

    def forward(self, flat: Float[Tensor, "T C"]) -> Float[Tensor, "T C"]:
        weights, best = one_best(self.gate(flat))
        outs = torch.stack([member(flat) for member in self.members], dim=1)
        return weights * outs[torch.arange(len(flat)), best[:, 0]]


class Asked(nn.Module):
    """Experts that are called with tokens, expert ids and weights; ``before``: weights are applied to their inputs."""

    def __init__(self, features: int, before: bool = False) -> None:
        super().__init__()
        self.before = before
        self.stack = nn.Parameter(torch.randn(EXPERTS, features, features) / 4)
        self.bias = nn.Parameter(torch.randn(EXPERTS, features))

    def forward(
        self, flat: Float[Tensor, "T C"], ids: Int64[Tensor, "T K"], weights: Float[Tensor, "T K"]
    ) -> Float[Tensor, "T C"]:
        scale = weights[..., None]
        read = flat[:, None] * scale if self.before else flat[:, None]
        out = torch.einsum("tkc,tkcd->tkd", read, self.stack[ids]).add(self.bias[ids]).tanh()
        return (out if self.before else out * scale).sum(dim=1)


class Told(Routed):
    """Experts are called with expert ids and weights; ``put``: what is literally put in the place of an expert."""

    put: tuple[int, Tensor] | None = None

    def __init__(self, features: int, before: bool = False) -> None:
        super().__init__(features)
        self.experts = Asked(features, before)

    def added(self, flat: Float[Tensor, "T C"], weights: Float[Tensor, "T E"]) -> Float[Tensor, "T C"]:
        shares, ids = weights.topk(2, dim=-1)
        lacking = torch.isin(ids, torch.tensor((*self.muted, *(self.put or ())[:1])))
        out = self.experts(flat, ids, shares.masked_fill(lacking, 0.0))
        return out if self.put is None else out + self.put[1]


class Ignoring(Fused):
    """The block computes its logits a second time, and nothing that a router returns matters."""

    def logits(self, flat: Float[Tensor, "T C"]) -> Float[Tensor, "T E"]:
        self.gate(flat)
        return flat @ self.gate.weight.T + self.gate.bias


class TopTwo(nn.Module):
    """A router that returns weights and expert ids."""

    def __init__(self, features: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(EXPERTS, features))

    def forward(self, flat: Float[Tensor, "T C"]) -> tuple[Float[Tensor, "T K"], Int64[Tensor, "T K"]]:
        return two_best(flat @ self.weight.T)


class Says(Fused):
    """The router says whom it chose; ``again``: the block normalises its weights again."""

    def __init__(self, features: int, again: bool = False) -> None:
        super().__init__(features)
        self.again, self.gate = again, TopTwo(features)

    def forward(self, x: Float[Tensor, "B V C"]) -> Float[Tensor, "B V C"]:
        flat = x.flatten(0, 1)
        shares, ids = self.gate(flat)
        shares = shares.masked_fill(torch.isin(ids, torch.tensor(self.muted)), 0.0)
        if self.again:
            shares = shares / shares.sum(dim=-1, keepdim=True)
        weights = shares.new_zeros(len(flat), EXPERTS).scatter(1, ids, shares)
        self.seen = weights != 0
        return x + self.added(flat, weights).view_as(x)


class Sometimes(Routed):
    """A token is left out where there are 39 tokens."""

    def added(self, flat: Float[Tensor, "T C"], weights: Float[Tensor, "T E"]) -> Float[Tensor, "T C"]:
        if len(flat) == 39:
            weights = weights.clone()
            weights[0] = 0
        return super().added(flat, weights)


class Noisy(Routed):
    """The router adds noise, in evaluation mode too."""

    def logits(self, flat: Float[Tensor, "T C"]) -> Float[Tensor, "T E"]:
        logits = super().logits(flat)
        return logits + torch.randn_like(logits)


class Small(nn.Module):
    """Bytes, two blocks of a kind, and a running mean in between."""

    def __init__(self, kind: Callable[[int], nn.Module], features: int = 16) -> None:
        super().__init__()
        self.embedding = nn.Embedding(257, features)
        self.blocks = nn.ModuleList(kind(features) for _ in range(2))
        self.head = nn.Linear(features, 257)

    def forward(self, ids: Int64[Tensor, "B V"]) -> Float[Tensor, "B V symbols"]:
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x) + x.cumsum(dim=1) / torch.arange(1, ids.shape[1] + 1)[:, None]
        return self.head(x)


def small(kind: Callable[[int], nn.Module], seed: int = 3) -> Small:
    """A small model of a kind of block, in evaluation mode, whose routers choose differently from token to token."""
    torch.manual_seed(seed)
    model = Small(kind).eval().requires_grad_(False)
    for name, parameter in model.named_parameters():
        if ".gate." in name:
            parameter.mul_(4)
    return model
