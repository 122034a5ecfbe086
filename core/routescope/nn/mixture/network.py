"""A mixture of experts on bytes: a Transformer in which every token takes the best few experts of a layer.

After *OLMoE: Open Mixture-of-Experts Language Models* (Muennighoff et al., 2024), whose mathematics it has but for
sizes: queries and keys are normalised, positions are rotary, experts are SwiGLU, and the router is a softmax over
experts of which the K largest weigh (equation 1), here divided by their sum where ``config.normalise``.

Symbols: B texts, V tokens, C features, E experts, K experts that a token takes, T = B * V.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, Self

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from routescope.nn.experts import NO_EXPERT, ActiveExperts, RoutedLayer
from routescope.nn.inputs.kind import Inputs
from routescope.nn.inputs.text import Text
from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.routed import ROUTED_FIELDS, RoutedNetwork, RoutedProbes, shares
from routescope.nn.mixture.vocabulary import ByteVocabulary
from routescope.nn.network import BalancedNetwork, SliceableNetwork
from routescope.nn.registry import register
from routescope.nn.windows import WindowSettings


class RouterOutput(NamedTuple):
    """The decision of a router.

    Attributes:
        logits: of the experts that take part, in their order.
        weights: of the chosen experts, the largest first; nothing is muted.
        places: of the chosen experts among those that take part.
    """

    logits: Float[Tensor, "T E"]
    weights: Float[Tensor, "T K"]
    places: Int64[Tensor, "T K"]


class CausalAttention(nn.Module):
    """Causal attention of heads, with normalised queries and keys and rotary positions."""

    def __init__(self, config: MixtureConfig) -> None:
        super().__init__()
        C = config.features
        self.heads = config.heads
        self.query, self.key, self.value, self.out = (nn.Linear(C, C, bias=False) for _ in range(4))
        self.query_norm, self.key_norm = (nn.RMSNorm(C, eps=1e-5) for _ in range(2))

    def forward(
        self, x: Float[Tensor, "B V C"], turn: tuple[Float[Tensor, "V d"], Float[Tensor, "V d"]]
    ) -> Float[Tensor, "B V C"]:
        """Each token reads those before it and itself. ``turn``: cosine and sine of every place."""
        B, V, C = x.shape

        def split(tensor: Tensor) -> Tensor:
            return tensor.view(B, V, self.heads, -1).transpose(1, 2)

        q, k = (
            rotated(split(norm(project(x))), turn)
            for norm, project in ((self.query_norm, self.query), (self.key_norm, self.key))
        )
        read = F.scaled_dot_product_attention(q, k, split(self.value(x)), is_causal=True)
        return self.out(read.transpose(1, 2).reshape(B, V, C))


def rotated(
    x: Float[Tensor, "B H V d"], turn: tuple[Float[Tensor, "V d"], Float[Tensor, "V d"]]
) -> Float[Tensor, "B H V d"]:
    """Features turned by an angle that grows with the place: pairs are a half of them apart (Su et al., 2021)."""
    first, second = x.chunk(2, dim=-1)
    return x * turn[0] + torch.cat((-second, first), dim=-1) * turn[1]


class Experts(nn.Module):
    """The experts of a layer and their router."""

    def __init__(self, config: MixtureConfig, count: int) -> None:
        super().__init__()
        E, C, H = count, config.features, config.hidden
        self.top_k, self.normalise = config.top_k, config.normalise
        self.router = nn.Linear(C, E, bias=False)
        self.gate_up = nn.Parameter(torch.empty(E, 2 * H, C))
        self.down = nn.Parameter(torch.empty(E, C, H))
        for weight in (self.gate_up, self.down):
            nn.init.normal_(weight, std=0.02)

    def choose(self, x: Float[Tensor, "T C"], kept: tuple[int, ...], top_k: int | None) -> RouterOutput:
        """Equation 1: a softmax over the experts that take part, of which the K largest are chosen."""
        every = len(kept) == len(self.gate_up)
        logits = F.linear(x, self.router.weight if every else self.router.weight[list(kept)])
        k = min(top_k or self.top_k, len(kept))
        weights, places = logits.softmax(dim=-1, dtype=torch.float32).topk(k, dim=-1)
        if self.normalise:
            weights = weights / weights.sum(dim=-1, keepdim=True)
        return RouterOutput(logits, weights.to(x.dtype), places)

    def expert(self, e: int, x: Float[Tensor, "t C"]) -> Float[Tensor, "t C"]:
        """SwiGLU of expert ``e`` for some tokens."""
        gate, up = F.linear(x, self.gate_up[e]).chunk(2, dim=-1)
        return F.linear(F.silu(gate) * up, self.down[e])


def margins(logits: Float[Tensor, "T E"], k: int) -> Float[Tensor, " T"]:
    """Distance of the k-th largest logit to the next one; NaN without a next one."""
    if not 0 < k < logits.shape[-1]:
        return logits.new_full(logits.shape[:1], torch.nan)
    best = logits.topk(k + 1, dim=-1).values
    return best[:, k - 1] - best[:, k]


def balance(choices: Sequence[RouterOutput], is_token: Bool[Tensor, " T"]) -> Float[Tensor, ""]:
    """The load-balancing loss: of each layer E times the sum over experts of load and mean probability; their mean.

    Load is the share of all choices that fall on an expert (Fedus et al. 2021, equation 4, divided by how many experts
    a token takes): 1 where both are even, E where one expert takes all. Padding is left out.

    Args:
        choices: of the router of each layer.
        is_token: which tokens are no padding.
    """
    losses = []
    for choice in choices:
        count = choice.logits.shape[-1]
        probability = choice.logits.float().softmax(dim=-1)[is_token].mean(dim=0)
        load = F.one_hot(choice.places[is_token], count).float().mean(dim=(0, 1))
        losses.append(count * (load * probability).sum())
    return torch.stack(losses).mean()


class MixtureLayer(nn.Module):
    """Attention, then experts, each added to what it reads."""

    def __init__(self, config: MixtureConfig, count: int) -> None:
        super().__init__()
        self.attention_norm, self.experts_norm = (nn.RMSNorm(config.features, eps=1e-5) for _ in range(2))
        self.attention = CausalAttention(config)
        self.experts = Experts(config, count)


@register("mixture", family="Mixture of experts", config=MixtureConfig)
class MixtureNetwork(SliceableNetwork, BalancedNetwork, RoutedNetwork):
    """A Transformer on bytes whose tokens take the best few experts of every layer."""

    config: MixtureConfig
    vocabulary = ByteVocabulary()

    def __init__(self, config: MixtureConfig) -> None:
        super().__init__()
        self.config = config
        self.routed_layers = tuple(
            RoutedLayer(f"l{layer + 1}", layer, count, config.top_k)
            for layer, count in enumerate(config.experts_by_layer)
        )
        self.embedding = nn.Embedding(self.vocabulary.size, config.features)
        self.layers = nn.ModuleList(MixtureLayer(config, count) for count in config.experts_by_layer)
        self.norm = nn.RMSNorm(config.features, eps=1e-5)
        self.head = nn.Linear(config.features, self.vocabulary.size, bias=False)
        nn.init.normal_(self.embedding.weight, std=0.02)
        self.probes = RoutedProbes()
        self.read(WindowSettings(config.context))
        self.keep_all()

    # -- tokens --------------------------------------------------------------------------------------------

    @property
    def most_context(self) -> int:
        """As many bytes as it was trained on."""
        return self.config.context

    # -- views ---------------------------------------------------------------------------------------------

    def sliced(self) -> Self:
        """Return a network of the experts that take part, sharing the rest; raises ValueError for fewer than top-k."""
        counts = tuple(map(len, self.experts_kept))
        left = () if set(counts) <= {self.config.experts} else counts
        config = replace(self.config, top_k=self.chosen or self.config.top_k, experts_left=left)
        with torch.device("meta"):  # no weight is drawn only to be replaced
            sliced = type(self)(config)
        state = self.state_dict()
        for step, (kept, silent) in enumerate(zip(self.experts_kept, self.experts_silent, strict=True)):
            for name in ("router.weight", "gate_up", "down"):
                weights = state[f"layers.{step}.experts.{name}"][list(kept)]
                if name == "down" and silent:
                    weights[[place for place, expert in enumerate(kept) if expert in silent]] = 0
                state[f"layers.{step}.experts.{name}"] = weights
        sliced.load_state_dict(state, assign=True)
        sliced.read(self.reading)
        return sliced.eval().requires_grad_(False)

    def example(self, batch: int) -> Text:
        """Texts as long as one pass reads."""
        letters = "".join(chr(97 + place % 26) for place in range(self.reading.context))
        return Text((letters,) * batch)

    # -- computing -----------------------------------------------------------------------------------------

    def turn(self, tokens: int) -> tuple[Float[Tensor, "V d"], Float[Tensor, "V d"]]:
        """Cosine and sine of the angle of every place and feature of a head."""
        half = self.config.features // self.config.heads // 2
        rate = self.config.theta ** (-torch.arange(half, dtype=torch.float32, device=self.device) / half)
        angle = torch.arange(tokens, dtype=torch.float32, device=self.device)[:, None] * rate
        angle = torch.cat((angle, angle), dim=-1)
        dtype = self.embedding.weight.dtype
        return angle.cos().to(dtype), angle.sin().to(dtype)

    def logits(
        self,
        ids: Int64[Tensor, "B V"],
        is_token: Bool[Tensor, "B V"] | None = None,
        choices: list[RouterOutput] | None = None,
    ) -> Float[Tensor, "B V symbols"]:
        """Scores of the token that follows each token; padding comes last, so that no token reads it.

        Args:
            is_token: not needed.
            choices: gets the decisions of the router of each layer, for training.
        """
        x, turn = self.embedding(ids), self.turn(ids.shape[1])
        for step, layer in enumerate(self.layers):
            assert isinstance(layer, MixtureLayer)
            x = x + layer.attention(layer.attention_norm(x), turn)
            top_k = self.chosen or self.config.top_k
            part = ActiveExperts(step, self.experts_kept[step], self.experts_silent[step], top_k)
            mixed, choice = self._mix(layer.experts, layer.experts_norm(x), part)
            if choices is not None:
                choices.append(choice)
            x = x + mixed
        return self.head(self.norm(x))

    def _mix(
        self, experts: Experts, x: Float[Tensor, "B V C"], part: ActiveExperts
    ) -> tuple[Float[Tensor, "B V C"], RouterOutput]:
        """The weighted sum of the chosen experts' outputs for each token, and the choice."""
        flat = x.flatten(0, 1)
        choice = experts.choose(flat, part.kept, part.chosen)
        weights = choice.weights
        if part.silent:
            muted = torch.tensor([e in part.silent for e in part.kept], device=x.device)
            weights = weights.masked_fill(muted[choice.places], 0.0)
        self._report(choice, weights, part, x.shape[:2])
        apart, made, total = self.probes.listening("contributions"), [], torch.zeros_like(flat)
        for place, expert in enumerate(part.kept):
            tokens, slot = (choice.places == place).nonzero(as_tuple=True)
            added = experts.expert(expert, flat[tokens]) * weights[tokens, slot, None]
            if apart:
                made.append(torch.zeros_like(flat).index_add(0, tokens, added))
            else:
                total = total.index_add_(0, tokens, added)
        if apart:
            every = torch.stack(made) if made else flat.new_zeros(0, *flat.shape)
            for contribution in self.probes.contributions(every.unflatten(1, x.shape[:2]), step=part.step):
                total = total + contribution.flatten(0, 1)
        return total.view_as(x), choice

    def _report(
        self, choice: RouterOutput, weights: Float[Tensor, "T K"], part: ActiveExperts, shape: torch.Size
    ) -> None:
        """Report the router's decision to listeners; ``weights`` are the applied ones."""
        heard = {name for name in ROUTED_FIELDS if self.probes.listening(name)}
        if not heard:
            return
        slots = part.chosen - choice.places.shape[1]
        kept = torch.tensor(part.kept, dtype=torch.long, device=weights.device)
        reports = {
            "router_logits": lambda: choice.logits.T,
            "top_experts": lambda: F.pad(kept[choice.places], (0, slots), value=NO_EXPERT),
            "top_weights": lambda: F.pad(weights, (0, slots)),
            "margin": lambda: margins(choice.logits, choice.places.shape[1]),
            "compatibility": lambda: self._shares(choice, part).T,
        }
        for name in heard:
            made = reports[name]()
            axis = 1 if name in ("router_logits", "compatibility") else 0
            self.probes.get_submodule(name)(made.unflatten(axis, shape), step=part.step)

    @staticmethod
    def _shares(choice: RouterOutput, part: ActiveExperts) -> Float[Tensor, "T E"]:
        """Shares of the experts that take part; 0 for muted experts, which no other expert gets."""
        of_kept = shares(choice.weights, choice.places, len(part.kept))
        muted = torch.tensor([e in part.silent for e in part.kept], dtype=torch.bool, device=of_kept.device)
        return of_kept.masked_fill(muted, 0.0)

    # -- training ------------------------------------------------------------------------------------------

    def auxiliary_loss(self, inputs: Inputs) -> Float[Tensor, ""]:
        """The load-balancing loss of some texts: see ``balance``."""
        assert isinstance(inputs, Text)
        choices: list[RouterOutput] = []
        ids, is_token = self.batch_of(self.ids_of(inputs))
        self.logits(ids, choices=choices)
        return balance(choices, is_token.flatten())

    def routers(self) -> dict[str, tuple[nn.Parameter, ...]]:
        """Name of a layer -> the weights of its router."""
        layers = (layer for layer in self.layers if isinstance(layer, MixtureLayer))
        pairs = zip(self.routed_layers, layers, strict=True)
        return {routed.name: tuple(layer.experts.router.parameters()) for routed, layer in pairs}

    # -- weights -------------------------------------------------------------------------------------------

    def router_weights(self) -> dict[str, dict[str, Tensor]]:
        """Return layer -> path of the parameter of its router -> the parameter (E, C)."""
        return {
            layer.name: {f"layers.{step}.experts.router.weight": weight}
            for step, (layer, (weight, *_)) in enumerate(zip(self.routed_layers, self.routers().values(), strict=True))
        }

    def expert_weights(self) -> dict[str, dict[str, Tensor]]:
        """Return expert -> path of a weight -> the weight: (2 H, C) of gate and up, (C, H) of down."""
        by_unit = {}
        for step, routed in enumerate(self.routed_layers):
            experts = self.layers[step].get_submodule("experts")
            assert isinstance(experts, Experts)
            for e, unit in enumerate(routed.units):
                path = f"layers.{step}.experts"
                by_unit[unit] = {f"{path}.gate_up[{e}]": experts.gate_up[e], f"{path}.down[{e}]": experts.down[e]}
        return by_unit
