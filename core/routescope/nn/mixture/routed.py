"""The base class of mixtures of experts: experts by layer, of which tokens take the best.

Symbols: B texts, V tokens, E experts of a layer, K experts that a token takes.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from routescope.nn.experts import NO_EXPERT, RoutedLayer
from routescope.nn.inputs.kind import Inputs, strings
from routescope.nn.inputs.text import Text
from routescope.nn.measures import BITS_A_BYTE
from routescope.nn.mixture.vocabulary import TokenVocabulary
from routescope.nn.network import Changes, Head, Named, Network, Tokens
from routescope.nn.probe import Probe
from routescope.nn.windows import TokenBytes, Truncation, Windows, WindowSettings

#: Fields that every mixture of experts reports, one tensor a layer, with their axes.
ROUTED_FIELDS = {
    "compatibility": ("unit", "sample", "token"),
    "top_experts": ("sample", "token", "slot"),
    "top_weights": ("sample", "token", "slot"),
    "margin": ("sample", "token"),
    "router_logits": ("unit", "sample", "token"),
}


@dataclass(frozen=True, eq=False)
class SelectionBias:
    """A bias by which a router prefers experts.

    Attributes:
        values: a number for each expert.
        in_logits: whether recorded logits have it in them, as those of a linear layer have; else it is added later.
    """

    values: Float[Tensor, " E"]
    in_logits: bool


@dataclass(frozen=True)
class NextToken:
    """A token that may come next: its number, how it reads, its probability."""

    id: int
    text: str
    probability: float


class RoutedProbes(nn.Module):
    """The places to which hooks can listen in a mixture of experts; their names are public."""

    def __init__(self) -> None:
        super().__init__()
        for name, dims in ROUTED_FIELDS.items():
            self.add_module(name, Probe(name, dims))
        self.contributions = Probe("contributions", ("unit", "sample", "token", "feature"))

    def listening(self, name: str) -> bool:
        """Whether a hook listens to a probe."""
        probe = self.get_submodule(name)
        assert isinstance(probe, Probe)
        return probe.listening


class RoutedNetwork(Network):
    """A language model whose tokens take the best of a layer's experts, in some of its layers.

    A subclass sets ``routed_layers``, ``vocabulary`` and ``probes``, calls ``read`` and ``keep_all`` once, and gives
    ``logits``. Dropped experts are never chosen: a token takes the best of those that are left, and all of them where
    fewer are left than a token takes; ``refusal`` says so. Muted ones are chosen and add nothing.

    Attributes:
        routed_layers: in the order of the layers.
        vocabulary: its tokens.
        experts_kept, experts_silent: places, in each of these layers, of the experts that take part, and of those among
            them that are muted.
        chosen: how many experts a token takes at every layer; None: as many as it was trained with.
        reading: how many tokens of a text one pass reads.
    """

    kinds: ClassVar[tuple[type[Inputs], ...]] = (Text,)
    unit_kind = "expert"
    routed_layers: tuple[RoutedLayer, ...]
    vocabulary: TokenVocabulary
    probes: RoutedProbes
    experts_kept: tuple[tuple[int, ...], ...]
    experts_silent: tuple[frozenset[int], ...]
    chosen: int | None = None
    reading: WindowSettings

    def arrange(self) -> None:
        """Find the places of the experts of every layer."""
        kept, silent, first = set(self.kept), self.silent, 0
        by_layer = []
        for layer in self.routed_layers:
            by_layer.append(range(first, first + layer.experts))
            first += layer.experts
        self.experts_kept = tuple(tuple(p - places[0] for p in places if p in kept) for places in by_layer)
        self.experts_silent = tuple(frozenset(p - places[0] for p in places if p in silent) for places in by_layer)

    # -- names ---------------------------------------------------------------------------------------------

    @property
    def all_units(self) -> tuple[str, ...]:
        """Names of all experts, layer by layer."""
        return tuple(unit for layer in self.routed_layers for unit in layer.units)

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        return {layer.name: layer.units for layer in self.routed_layers}

    @property
    def most_iterations(self) -> int:
        """Every layer runs once."""
        return len(self.routed_layers)

    @property
    def least_iterations(self) -> int:
        """Every layer runs once."""
        return len(self.routed_layers)

    def step_names(self, iterations: int) -> tuple[str, ...]:
        """Names of the layers that route."""
        return tuple(layer.name for layer in self.routed_layers[:iterations])

    def computing(self, step: int, steps: int) -> tuple[int, ...]:
        """Places, in its layer, of the experts that take part."""
        return self.experts_kept[step]

    def coordinates(self) -> dict[str, tuple[str, ...]]:
        """Names along the axes of a trace; a unit is named by its place in its layer."""
        most = max((layer.experts for layer in self.routed_layers), default=0)
        return super().coordinates() | {"unit": tuple(f"e{e + 1}" for e in range(most))}

    def constants(self) -> Named:
        """Return masks of active and muted experts, layer by layer."""
        most = len(self.coordinates()["unit"])
        kept, muted = (
            torch.tensor([[e in experts for e in range(most)] for experts in places], dtype=torch.bool).reshape(
                -1, most
            )
            for places in (self.experts_kept, self.experts_silent)
        )
        return {"kept": (("step", "unit"), kept), "muted": (("step", "unit"), muted)}

    @property
    def idle_units(self) -> tuple[str, ...]:
        """Names of the experts without weights, such as identities: they all add the same, and dropping them saves
        nothing."""
        return ()

    @property
    def unverified(self) -> Mapping[str, str]:
        """Layer -> why its recorded routing was not compared with the tokens that its experts received; empty: it was
        compared in every layer."""
        return {}

    # -- weights -------------------------------------------------------------------------------------------

    def router_weights(self) -> Mapping[str, Mapping[str, Tensor]]:
        """Return layer -> path of a parameter of its router -> the parameter."""
        return {}

    def expert_weights(self) -> Mapping[str, Mapping[str, Tensor]]:
        """Return expert -> path of a weight -> the weight for all experts whose weights can be told
        apart; the paths of a layer's experts follow in the same order."""
        return {}

    def selection_biases(self) -> "Mapping[str, SelectionBias]":
        """Return layer -> the bias by which its router prefers experts, for layers that have one."""
        return {}

    def attributes(self) -> dict[str, float | str]:
        """Beside a trace stands which layers have unverified routing, and why."""
        reasons = "; ".join(f"{layer}: {reason}" for layer, reason in self.unverified.items())
        return {"unverified_routing": reasons} if reasons else {}

    # -- tokens and heads ----------------------------------------------------------------------------------

    @property
    def starts(self) -> bool:
        """Whether a token starts every text; else the first token of a text is given and not scored."""
        return self.vocabulary.start is not None

    @property
    def most_tokens(self) -> int:
        """Tokens that one pass reads of a text at most, the token that starts it included."""
        return self.reading.context + self.starts

    @property
    @abstractmethod
    def most_context(self) -> int:
        """The largest context that a view can have."""

    def token_bytes(self, inputs: Text) -> list[TokenBytes]:
        """Return all tokens of each text, and the byte at which each token ends.

        Raises:
            ValueError: a token that the model does not know, or a text that the tokenizer cannot read.
        """
        start = () if self.vocabulary.start is None else (self.vocabulary.start,)
        zero = (0,) * len(start)
        if inputs.ids is None:
            pairs = map(self.vocabulary.ends, inputs.texts)
            return [TokenBytes((*start, *ids), (*zero, *ends), self.starts) for ids, ends in pairs]
        given = ((ids, self.vocabulary.ends_of(ids[len(start) :])) for ids in inputs.ids)
        return [TokenBytes(ids, (*zero, *ends), self.starts) for ids, ends in given]

    def ids_of(self, inputs: Text) -> list[tuple[int, ...]]:
        """Return the tokens of each text that one pass reads; raises ValueError for empty or unreadable texts."""
        ids = [tokens.ids[: self.most_tokens] for tokens in self.token_bytes(inputs)]
        if empty := [str(row) for row, tokens in enumerate(ids) if not tokens]:
            raise ValueError(
                f"no token is in text {', '.join(empty[:5])}, counted from 0, and this model has no token that starts "
                "a text: leave empty texts out"
            )
        return ids

    def batch_of(self, ids: Sequence[Sequence[int]]) -> tuple[Int64[Tensor, "B V"], Bool[Tensor, "B V"]]:
        """Tokens of texts, and which are no padding; padding is at the end of shorter texts."""
        lengths = torch.tensor([len(tokens) for tokens in ids])
        longest = max([1, *map(len, ids)])
        padding = self.vocabulary.start or 0
        padded = torch.tensor([[*tokens, *[padding] * (longest - len(tokens))] for tokens in ids])
        is_token = torch.arange(longest) < lengths[:, None]
        return padded.long().reshape(-1, longest).to(self.device), is_token.to(self.device)

    def tokens_of(self, inputs: Inputs) -> Tokens:
        """Places in the longest text of a batch; shorter ones have padding."""
        assert isinstance(inputs, Text)
        ids, is_token = self.batch_of(self.ids_of(inputs))
        return Tokens(self.tokens[: ids.shape[1]], is_token)

    def token_texts(self, inputs: Inputs) -> tuple[tuple[str, ...], ...]:
        """Text of every token."""
        assert isinstance(inputs, Text)
        return tuple(tuple(map(self.vocabulary.token, ids)) for ids in self.ids_of(inputs))

    def as_inputs(self, values: object) -> Inputs:
        """Return a batch of texts, one or several; raises TypeError for other values, ValueError without text."""
        texts = Text(strings(values, "text")) if isinstance(values, str | list | tuple) else super().as_inputs(values)
        if not len(texts):
            raise ValueError("the batch has no text: pass at least one")
        return texts

    # -- windows -------------------------------------------------------------------------------------------

    def windows(self, inputs: Inputs) -> Windows:
        """Return the windows in which texts are scored; raises ValueError for a text that the tokenizer cannot read."""
        assert isinstance(inputs, Text)
        return Windows.of(inputs.texts, self.token_bytes(inputs), self.reading)

    def left_out(self, inputs: Inputs) -> Truncation:
        """Return the numbers of tokens and bytes that one pass leaves out; raises ValueError for an unreadable text."""
        assert isinstance(inputs, Text)
        return Windows.of(inputs.texts, self.token_bytes(inputs), replace(self.reading, cut=True)).left_out

    def with_context(self, context: int | None = None, stride: int | None = None, cut: bool = False) -> Self:
        """A view that reads ``context`` tokens in one pass.

        Args:
            context: None: as many as this network.
            stride: tokens from the start of a window to the start of the next; None: half of the context.
            cut: whether longer texts are cut, in place of scored in windows.

        Raises:
            ValueError: more tokens than ``most_context``, or a stride that leaves a token without context.
        """
        context = self.reading.context if context is None else context
        if context > self.most_context:
            most = f"{self.most_context:,}"
            raise ValueError(f"this model reads up to {most} tokens of a text in one pass, not {context:,}")
        view = self.with_changes()
        view.read(WindowSettings(context, stride, cut))
        return view

    def read(self, reading: WindowSettings) -> None:
        """Read texts so from now on, for constructors and new views; raises ValueError for windows without context."""
        if not self.starts and reading.step == reading.context and not reading.cut:
            raise ValueError(
                f"with a context and a stride of {reading.context} the first token of a window has no token before it, "
                "as no token starts a text of this model: use a smaller stride or a larger context"
            )
        self.reading = reading

    @property
    def tokens(self) -> tuple[str, ...]:
        """Places in a text, from the token that starts it."""
        return tuple(str(place) for place in range(self.most_tokens))

    @property
    def all_heads(self) -> tuple[Head, ...]:
        """Return one head for every domain; all have the same answer, in bits a byte."""
        return tuple(Head(domain, (), BITS_A_BYTE) for domain in self.config.domains)

    @property
    def separate_heads(self) -> bool:
        """False: one answer is that of every domain."""
        return False

    @property
    def answer_name(self) -> str:
        """Nats that every token costs."""
        return "nats"

    @property
    def answer_axes(self) -> tuple[str, ...]:
        return ("sample", "domain", "token")

    # -- computing -----------------------------------------------------------------------------------------

    @abstractmethod
    def logits(
        self, ids: Int64[Tensor, "B V"], is_token: Bool[Tensor, "B V"] | None = None
    ) -> Float[Tensor, "B V symbols"]:
        """Return the scores of the token that follows each token; ``is_token`` masks padding."""

    def forward(self, inputs: Text, iterations: int | None = None) -> Float[Tensor, "B D V"]:
        """Nats that each token costs, given those before it: 0 for the first one, and for padding.

        Raises:
            ValueError: another number of iterations than there are layers that route.
        """
        if iterations not in (None, self.config.iterations):
            raise ValueError(f"this network runs its {self.config.iterations} layers that route, not {iterations}")
        ids, is_token = self.batch_of(self.ids_of(inputs))
        rows = max(1, self.tokens_at_once // ids.shape[1])
        nats = torch.cat([self._nats(*part) for part in zip(ids.split(rows), is_token.split(rows), strict=True)])
        return nats[:, None].expand(-1, len(self.config.domains), -1)

    def _nats(self, ids: Int64[Tensor, "B V"], is_token: Bool[Tensor, "B V"]) -> Float[Tensor, "B V"]:
        scores = self.logits(ids, None if bool(is_token.all()) else is_token)[:, :-1].float()
        cost = F.cross_entropy(scores.flatten(0, 1), ids[:, 1:].flatten(), reduction="none").view_as(ids[:, 1:])
        return F.pad(cost.masked_fill(~is_token[:, 1:], 0.0), (1, 0))

    # -- continuing a text ---------------------------------------------------------------------------------

    def next_tokens(self, inputs: Inputs, count: int) -> tuple[NextToken, ...]:
        """The ``count`` most probable tokens after one text, the most probable first; the start never comes again.

        Raises:
            ValueError: another number of texts than one, or a text without any token.
        """
        assert isinstance(inputs, Text)
        if len(inputs) != 1:
            raise ValueError(f"one text is continued at a time, not {len(inputs)}")
        (tokens,), start = self.token_bytes(inputs), self.vocabulary.start
        ids = tokens.ids
        if not ids:
            raise ValueError("a text of this model has no start: give it one token to go on from")
        window = ids if len(ids) <= self.most_tokens else (ids[0], *ids[1 - self.most_tokens :])
        with torch.no_grad():
            scores = self.logits(torch.tensor([window], device=self.device))[0, -1, : self.vocabulary.size].float()
        if start is not None:
            scores[start] = -torch.inf
        best = scores.softmax(dim=-1).topk(min(count, len(scores) - (start is not None)))
        pairs = zip(best.indices.tolist(), best.values.tolist(), strict=True)
        return tuple(NextToken(token, self.vocabulary.token(token), probability) for token, probability in pairs)

    def extended(self, inputs: Inputs, token: int) -> Text:
        """Return a text with a further token."""
        assert isinstance(inputs, Text)
        ids = (*self.token_bytes(inputs)[0].ids, token)
        return Text((self.vocabulary.text(ids[self.starts :]),), (ids,))

    # -- views ---------------------------------------------------------------------------------------------

    def choosing(self, top_k: int) -> Self:
        """Return a view with ``top_k`` experts a token; raises ValueError below one, or above a layer's experts."""
        least = min(layer.experts for layer in self.routed_layers)
        if not 1 <= top_k <= least:
            raise ValueError(f"a token takes 1 to {least} experts at every layer, not {top_k}")
        return self.with_changes(chosen=top_k)

    def refusal(self, changes: Changes, iterations: int) -> str | None:
        """Why layers could not route: which has fewer experts left than a token takes."""
        gone = set(changes.drop)
        if changes.top_k is not None:
            least = min(layer.experts for layer in self.routed_layers)
            if not 1 <= changes.top_k <= least:
                return f"a token takes 1 to {least} experts at every layer of this model, not {changes.top_k}"
        for layer, kept in zip(self.routed_layers, self.experts_kept, strict=True):
            left = sum(layer.units[expert] not in gone for expert in kept)
            if refused := layer.refusal(left, changes.top_k or self.chosen or layer.top_k):
                return refused
        return None


def shares(weights: Float[Tensor, "*B K"], experts: Int64[Tensor, "*B K"], count: int) -> Float[Tensor, "*B E"]:
    """Share of a token's routing that each of ``count`` experts has: its weight over the sum of the chosen ones'.

    Args:
        weights: of the chosen experts, 0 or more.
        experts: places of the chosen ones, ``NO_EXPERT`` for none.
    """
    is_chosen = (experts != NO_EXPERT).to(weights.dtype)
    whole = (weights * is_chosen).sum(dim=-1, keepdim=True).clamp(min=torch.finfo(weights.dtype).tiny)
    shares = weights.new_zeros(*weights.shape[:-1], count)
    return shares.scatter_add(-1, experts.clamp(min=0), weights * is_chosen / whole)
