"""A mixture of experts on bytes: a Transformer in which every token takes the best few experts of a layer.

After *OLMoE: Open Mixture-of-Experts Language Models* (Muennighoff et al., 2024), whose mathematics it has but for
sizes: queries and keys are normalised, positions are rotary, experts are SwiGLU, and the router is a softmax over
experts of which the K largest weigh (equation 1), here divided by their sum where ``config.normalise``.

Symbols: B texts, V tokens, C features, E experts, K experts that a token takes, T = B * V.
"""

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, Self

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from routescope.nn.experts import NO_EXPERT, ActiveExperts, RoutedLayer
from routescope.nn.inputs.kind import Inputs
from routescope.nn.inputs.text import Text, bytes_of, text_of
from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.routed import ROUTED_FIELDS, RoutedNetwork, shares
from routescope.nn.network import NextToken, Tokens
from routescope.nn.probe import Probe
from routescope.nn.registry import register
from routescope.nn.windows import TokenBytes, WindowSettings

#: Bytes, and the token that starts a text.
BYTES, START = 256, 256
#: How bytes read that are no character of their own.
START_TEXT = "<start>"
#: How every token reads, by its number.
TOKEN_TEXTS = (*map(chr, range(128)), *(f"\\x{byte:02x}" for byte in range(128, BYTES)), START_TEXT)


class MixtureProbes(nn.Module):
    """The places of a mixture to which hooks can listen; their names are public."""

    def __init__(self) -> None:
        super().__init__()
        for name, dims in ROUTED_FIELDS.items():
            self.add_module(name, Probe(name, dims))
        self.contributions = Probe("contributions", ("unit", "sample", "token", "feature"))

    def listening(self, name: str) -> bool:
        """Whether anybody listens to a probe."""
        probe = self.get_submodule(name)
        assert isinstance(probe, Probe)
        return probe.listening


class RouterOutput(NamedTuple):
    """What a router decides.

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
        """What expert ``e`` makes of tokens: SwiGLU."""
        gate, up = F.linear(x, self.gate_up[e]).chunk(2, dim=-1)
        return F.linear(F.silu(gate) * up, self.down[e])


def margins(logits: Float[Tensor, "T E"], k: int) -> Float[Tensor, " T"]:
    """How far the k-th largest logit is above the next one; NaN where there is none."""
    if not 0 < k < logits.shape[-1]:
        return logits.new_full(logits.shape[:1], torch.nan)
    best = logits.topk(k + 1, dim=-1).values
    return best[:, k - 1] - best[:, k]


def balance(choices: Sequence[RouterOutput], there: Bool[Tensor, " T"]) -> Float[Tensor, ""]:
    """The load-balancing loss: of each layer E times the sum over experts of load and mean probability; their mean.

    Load is the share of all choices that fall on an expert (Fedus et al. 2021, equation 4, divided by how many experts
    a token takes): 1 where both are even, E where one expert takes all. Padding is left out.

    Args:
        choices: of the router of each layer.
        there: which tokens are no padding.
    """
    found = []
    for choice in choices:
        count = choice.logits.shape[-1]
        probability = choice.logits.float().softmax(dim=-1)[there].mean(dim=0)
        load = F.one_hot(choice.places[there], count).float().mean(dim=(0, 1))
        found.append(count * (load * probability).sum())
    return torch.stack(found).mean()


class MixtureLayer(nn.Module):
    """Attention, then experts, each added to what it reads."""

    def __init__(self, config: MixtureConfig, count: int) -> None:
        super().__init__()
        self.attention_norm, self.experts_norm = (nn.RMSNorm(config.features, eps=1e-5) for _ in range(2))
        self.attention = CausalAttention(config)
        self.experts = Experts(config, count)


@register("mixture", family="Mixture of experts", config=MixtureConfig)
class MixtureNetwork(RoutedNetwork):
    """A Transformer on bytes whose tokens take the best few experts of every layer."""

    config: MixtureConfig

    def __init__(self, config: MixtureConfig) -> None:
        super().__init__()
        self.config = config
        self.routed_layers = tuple(
            RoutedLayer(f"l{layer + 1}", layer, count, config.top_k)
            for layer, count in enumerate(config.experts_by_layer)
        )
        self.embedding = nn.Embedding(BYTES + 1, config.features)
        self.layers = nn.ModuleList(MixtureLayer(config, count) for count in config.experts_by_layer)
        self.norm = nn.RMSNorm(config.features, eps=1e-5)
        self.head = nn.Linear(config.features, BYTES + 1, bias=False)
        nn.init.normal_(self.embedding.weight, std=0.02)
        self.probes = MixtureProbes()
        self.read(WindowSettings(config.context))
        self._take_part()

    # -- tokens --------------------------------------------------------------------------------------------

    @property
    def starts(self) -> bool:
        """True: token 256 starts every text."""
        return True

    @property
    def most_context(self) -> int:
        """As many bytes as it was trained on."""
        return self.config.context

    def token_bytes(self, inputs: Text) -> list[TokenBytes]:
        """The start and the bytes of each text."""
        every = inputs.ids or tuple((START, *bytes_of(text)) for text in inputs.texts)
        return [TokenBytes(ids, tuple(range(len(ids))), True) for ids in every]

    def batch_of(self, inputs: Text) -> tuple[Int64[Tensor, "B V"], Bool[Tensor, "B V"]]:
        """Tokens of texts, starts at the end of shorter ones, and which are no padding."""
        ids = self.ids_of(inputs)
        longest = max(map(len, ids), default=1)
        padded = torch.tensor([[*own, *[START] * (longest - len(own))] for own in ids], dtype=torch.long)
        lengths = torch.tensor([len(own) for own in ids])
        there = torch.arange(longest) < lengths[:, None]
        return padded.reshape(-1, longest).to(self.device), there.to(self.device)

    def tokens_of(self, inputs: Inputs) -> Tokens:
        """Places in the longest text of a batch; shorter ones have padding."""
        assert isinstance(inputs, Text)
        ids, there = self.batch_of(inputs)
        return Tokens(self.tokens[: ids.shape[1]], there)

    def token_texts(self, inputs: Inputs) -> tuple[tuple[str, ...], ...]:
        """Every byte as it reads; those of characters of several bytes as hexadecimal numbers."""
        assert isinstance(inputs, Text)
        return tuple(tuple(map(TOKEN_TEXTS.__getitem__, ids)) for ids in self.ids_of(inputs))

    @staticmethod
    def token_text(token: int) -> str:
        """How a token reads."""
        return TOKEN_TEXTS[token]

    # -- views ---------------------------------------------------------------------------------------------

    def _view(self, kept: tuple[tuple[int, ...], ...], silent: tuple[frozenset[int], ...], chosen: int | None) -> Self:
        """A shallow copy with its own probes."""
        view = copy.copy(self)
        view._modules = dict(self._modules)
        view.probes = MixtureProbes()
        view.kept, view.silent, view.chosen = kept, silent, chosen
        return view

    @property
    def sliceable(self) -> Self:
        """Experts can be cut out, in each layer as many as one likes down to those that a token takes."""
        return self

    def sliced(self) -> Self:
        """A network that has only the experts that take part, numbered anew; all else of it is shared with this one.

        Raises:
            ValueError: a layer has fewer left than a token takes.
        """
        counts = tuple(map(len, self.kept))
        left = () if set(counts) <= {self.config.experts} else counts
        config = replace(self.config, top_k=self.chosen or self.config.top_k, experts_left=left)
        with torch.device("meta"):  # no weight is drawn only to be replaced
            made = type(self)(config)
        state = self.state_dict()
        for step, (kept, silent) in enumerate(zip(self.kept, self.silent, strict=True)):
            for name in ("router.weight", "gate_up", "down"):
                own = state[f"layers.{step}.experts.{name}"][list(kept)]
                if name == "down" and silent:
                    own[[place for place, expert in enumerate(kept) if expert in silent]] = 0
                state[f"layers.{step}.experts.{name}"] = own
        made.load_state_dict(state, assign=True)
        made.read(self.reading)
        return made.eval().requires_grad_(False)

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
        self, ids: Int64[Tensor, "B V"], choices: list[RouterOutput] | None = None
    ) -> Float[Tensor, "B V symbols"]:
        """What follows each token.

        Args:
            choices: gets what the router of each layer decides, as training asks for.
        """
        x, turn = self.embedding(ids), self.turn(ids.shape[1])
        for step, layer in enumerate(self.layers):
            assert isinstance(layer, MixtureLayer)
            x = x + layer.attention(layer.attention_norm(x), turn)
            part = ActiveExperts(step, self.kept[step], self.silent[step], self.chosen or self.config.top_k)
            mixed, choice = self._mix(layer.experts, layer.experts_norm(x), part)
            if choices is not None:
                choices.append(choice)
            x = x + mixed
        return self.head(self.norm(x))

    def _mix(
        self, experts: Experts, x: Float[Tensor, "B V C"], part: ActiveExperts
    ) -> tuple[Float[Tensor, "B V C"], RouterOutput]:
        """The sum of what the chosen experts make of each token, by their weights, and who was chosen."""
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
            own = experts.expert(expert, flat[tokens]) * weights[tokens, slot, None]
            if apart:
                made.append(torch.zeros_like(flat).index_add(0, tokens, own))
            else:
                total = total.index_add_(0, tokens, own)
        if apart:
            every = torch.stack(made) if made else flat.new_zeros(0, *flat.shape)
            for own in self.probes.contributions(every.unflatten(1, x.shape[:2]), step=part.step):
                total = total + own.flatten(0, 1)
        return total.view_as(x), choice

    def _report(
        self, choice: RouterOutput, weights: Float[Tensor, "T K"], part: ActiveExperts, shape: torch.Size
    ) -> None:
        """Pass on what the router decided, as far as anybody listens; ``weights`` are those that are applied."""
        heard = {name for name in ROUTED_FIELDS if self.probes.listening(name)}
        if not heard:
            return
        slots = part.chosen - choice.places.shape[1]
        kept = torch.tensor(part.kept, dtype=torch.long, device=weights.device)
        found = {
            "router_logits": lambda: choice.logits.T,
            "top_experts": lambda: F.pad(kept[choice.places], (0, slots), value=NO_EXPERT),
            "top_weights": lambda: F.pad(weights, (0, slots)),
            "margin": lambda: margins(choice.logits, choice.places.shape[1]),
            "compatibility": lambda: self._shares(choice, part).T,
        }
        for name in heard:
            made = found[name]()
            axis = 1 if name in ("router_logits", "compatibility") else 0
            self.probes.get_submodule(name)(made.unflatten(axis, shape), step=part.step)

    @staticmethod
    def _shares(choice: RouterOutput, part: ActiveExperts) -> Float[Tensor, "T E"]:
        """Shares of the experts that take part; those of muted ones are 0, and nobody has them."""
        found = shares(choice.weights, choice.places, len(part.kept))
        muted = torch.tensor([e in part.silent for e in part.kept], dtype=torch.bool, device=found.device)
        return found.masked_fill(muted, 0.0)

    def forward(self, inputs: Text, iterations: int | None = None) -> Float[Tensor, "B D V"]:
        """Nats that each token costs, given those before it: 0 for the start, and for padding.

        Raises:
            ValueError: another number of iterations than there are layers.
        """
        if iterations not in (None, self.config.layers):
            raise ValueError(f"this network runs its {self.config.layers} layers, not {iterations}")
        ids, there = self.batch_of(inputs)
        rows = max(1, self.tokens_at_once // ids.shape[1])
        nats = torch.cat([self._nats(*part) for part in zip(ids.split(rows), there.split(rows), strict=True)])
        return nats[:, None].expand(-1, len(self.config.domains), -1)

    def _nats(self, ids: Int64[Tensor, "B V"], there: Bool[Tensor, "B V"]) -> Float[Tensor, "B V"]:
        scores = self.logits(ids)[:, :-1].float()
        cost = F.cross_entropy(scores.flatten(0, 1), ids[:, 1:].flatten(), reduction="none").view_as(ids[:, 1:])
        return F.pad(cost.masked_fill(~there[:, 1:], 0.0), (1, 0))

    # -- training ------------------------------------------------------------------------------------------

    @property
    def balanced(self) -> Self:
        """Its routers are trained with the load-balancing loss."""
        return self

    def auxiliary_loss(self, inputs: Inputs) -> Float[Tensor, ""]:
        """The load-balancing loss of some texts: see ``balance``."""
        assert isinstance(inputs, Text)
        choices: list[RouterOutput] = []
        ids, there = self.batch_of(inputs)
        self.logits(ids, choices)
        return balance(choices, there.flatten())

    def routers(self) -> dict[str, tuple[nn.Parameter, ...]]:
        """Name of a layer -> the weights of its router."""
        layers = (layer for layer in self.layers if isinstance(layer, MixtureLayer))
        pairs = zip(self.routed_layers, layers, strict=True)
        return {routed.name: tuple(layer.experts.router.parameters()) for routed, layer in pairs}

    # -- weights -------------------------------------------------------------------------------------------

    def router_weights(self) -> dict[str, dict[str, Tensor]]:
        """Return layer -> path of the parameter of its router -> the parameter (E, C)."""
        return {
            layer.name: {f"layers.{step}.experts.router.weight": own}
            for step, (layer, (own, *_)) in enumerate(zip(self.routed_layers, self.routers().values(), strict=True))
        }

    def expert_weights(self) -> dict[str, dict[str, Tensor]]:
        """Return expert -> path of a weight -> the weight: (2 H, C) of gate and up, (C, H) of down."""
        found = {}
        for step, routed in enumerate(self.routed_layers):
            experts = self.layers[step].get_submodule("experts")
            assert isinstance(experts, Experts)
            for e, unit in enumerate(routed.units):
                path = f"layers.{step}.experts"
                found[unit] = {f"{path}.gate_up[{e}]": experts.gate_up[e], f"{path}.down[{e}]": experts.down[e]}
        return found

    # -- continuing a text ---------------------------------------------------------------------------------

    @property
    def generation(self) -> Self:
        """It continues texts byte by byte."""
        return self

    def next_tokens(self, inputs: Inputs, count: int) -> tuple[NextToken, ...]:
        """The ``count`` most probable bytes after one text, the most probable first; the start never comes again.

        Raises:
            ValueError: for another number of texts than one.
        """
        assert isinstance(inputs, Text)
        if len(inputs) != 1:
            raise ValueError(f"one text is continued at a time, not {len(inputs)}")
        ids = torch.tensor([self._window(inputs)], device=self.device)
        with torch.no_grad():
            probability = self.logits(ids)[0, -1, :BYTES].float().softmax(dim=-1)
        best = probability.topk(min(count, BYTES))
        pairs = zip(best.indices.tolist(), best.values.tolist(), strict=True)
        return tuple(NextToken(token, self.token_text(token), share) for token, share in pairs)

    def _window(self, inputs: Text) -> list[int]:
        """Its last tokens, as many as are read, after the start."""
        every = list(inputs.ids[0] if inputs.ids else (START, *bytes_of(inputs.texts[0])))
        return every if len(every) <= self.most_tokens else [START, *every[-self.reading.context :]]

    def extended(self, inputs: Inputs, token: int) -> Text:
        """One text with one byte more."""
        assert isinstance(inputs, Text)
        ids = (*(inputs.ids[0] if inputs.ids else (START, *bytes_of(inputs.texts[0]))), token)
        return Text((text_of(bytes(each for each in ids if each < BYTES)),), (ids,))
