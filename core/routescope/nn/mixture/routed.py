"""What every mixture of experts keeps, ours and those that others made: experts by layer, tokens that choose the best.

Symbols: B texts, V tokens, E experts of a layer, K experts that a token takes.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import torch
from jaxtyping import Float, Int64
from torch import Tensor

from routescope.nn.experts import NO_EXPERT, RoutedLayer
from routescope.nn.inputs.kind import Inputs, strings
from routescope.nn.inputs.text import Text
from routescope.nn.measures import BITS_A_BYTE
from routescope.nn.network import Changes, Generation, Head, Named, Network
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


class RoutedNetwork(Network):
    """A network whose tokens take the best of a layer's experts, in some of its layers.

    A subclass sets ``routed_layers``, calls ``_take_part`` once, and gives ``_view``, ``forward`` and what makes tokens
    of texts. Dropped experts are never chosen: a token takes the best of those that are left. Muted ones are chosen and
    add nothing.

    Attributes:
        routed_layers: in the order of the layers.
        kept, silent: places, in each of them, of the experts that take part, and of those among them that are muted.
        chosen: how many experts a token takes at every layer; None: as many as it was trained with.
        reading: how many tokens of a text one pass reads.
    """

    kinds: ClassVar[tuple[type[Inputs], ...]] = (Text,)
    routed_layers: tuple[RoutedLayer, ...]
    kept: tuple[tuple[int, ...], ...]
    silent: tuple[frozenset[int], ...]
    chosen: int | None
    reading: WindowSettings

    def _take_part(self) -> None:
        """All experts take part, none is muted, and a token takes as many as it was trained with."""
        self.kept = tuple(tuple(range(layer.experts)) for layer in self.routed_layers)
        self.silent = tuple(frozenset() for _ in self.routed_layers)
        self.chosen = None

    # -- names ---------------------------------------------------------------------------------------------

    @property
    def routing(self) -> Self:
        """Its tokens are routed to experts."""
        return self

    @property
    def all_units(self) -> tuple[str, ...]:
        """Names of all experts, layer by layer."""
        return tuple(unit for layer in self.routed_layers for unit in layer.units)

    @property
    def units(self) -> tuple[str, ...]:
        return self._named(self.kept)

    @property
    def muted(self) -> tuple[str, ...]:
        """Names of the experts that are chosen and add nothing."""
        return self._named([sorted(silent) for silent in self.silent])

    def _named(self, places: Sequence[Sequence[int]]) -> tuple[str, ...]:
        pairs = zip(self.routed_layers, places, strict=True)
        return tuple(f"{layer.name}.e{e + 1}" for layer, own in pairs for e in own)

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
        return self.kept[step]

    def coordinates(self) -> dict[str, tuple[str, ...]]:
        """Names along the axes of a trace; a unit is named by its place in its layer."""
        most = max((layer.experts for layer in self.routed_layers), default=0)
        return super().coordinates() | {"unit": tuple(f"e{e + 1}" for e in range(most))}

    def constants(self) -> Named:
        """Which experts take part, and which are muted, layer by layer."""
        most = len(self.coordinates()["unit"])
        kept, muted = (
            torch.tensor([[e in own for e in range(most)] for own in places], dtype=torch.bool).reshape(-1, most)
            for places in (self.kept, self.silent)
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
    @abstractmethod
    def starts(self) -> bool:
        """Whether a token starts every text; else the first token of a text is given and not scored."""

    @property
    def most_tokens(self) -> int:
        """Tokens that one pass reads of a text at most, the token that starts it included."""
        return self.reading.context + self.starts

    @property
    @abstractmethod
    def most_context(self) -> int:
        """The largest context that a view can have."""

    @abstractmethod
    def token_bytes(self, inputs: Text) -> list[TokenBytes]:
        """All tokens of each text, and where each ends.

        Raises:
            ValueError: a text that the tokenizer cannot read.
        """

    def ids_of(self, inputs: Text) -> list[tuple[int, ...]]:
        """The tokens of each text that one pass reads.

        Raises:
            ValueError: a text without any token, or a text that the tokenizer cannot read.
        """
        found = [own.ids[: self.most_tokens] for own in self.token_bytes(inputs)]
        if empty := [str(row) for row, ids in enumerate(found) if not ids]:
            raise ValueError(
                f"no token is in text {', '.join(empty[:5])}, counted from 0, and this model has no token that starts "
                "a text: leave empty texts out"
            )
        return found

    def as_inputs(self, values: object) -> Inputs:
        """A batch of texts; one string is one text.

        Args:
            values: texts, a string, or strings.

        Raises:
            TypeError: something other than texts.
            ValueError: a tensor, or no text at all.
        """
        texts = Text(strings(values, "text")) if isinstance(values, str | list | tuple) else super().as_inputs(values)
        if not len(texts):
            raise ValueError("the batch has no text: pass at least one")
        return texts

    @abstractmethod
    def token_texts(self, inputs: Inputs) -> tuple[tuple[str, ...], ...]: ...

    # -- windows -------------------------------------------------------------------------------------------

    @property
    def windowed(self) -> Self:
        """Texts that are longer than the context are scored in windows."""
        return self

    def windows(self, inputs: Inputs) -> Windows:
        """The windows in which texts are scored.

        Raises:
            ValueError: a text that the tokenizer cannot read.
        """
        assert isinstance(inputs, Text)
        return Windows.of(inputs.texts, self.token_bytes(inputs), self.reading)

    def left_out(self, inputs: Inputs) -> Truncation:
        """Tokens and bytes at the end of each text that one pass does not read.

        Raises:
            ValueError: a text that the tokenizer cannot read.
        """
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
        view = self._view(self.kept, self.silent, self.chosen)
        view.read(WindowSettings(context, stride, cut))
        return view

    def read(self, reading: WindowSettings) -> None:
        """Read texts so from now on; for constructors and new views alone.

        Raises:
            ValueError: windows whose first new token has no token before it.
        """
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
        """One answer, in bits a byte, under the name of every domain."""
        return tuple(Head(domain, (), BITS_A_BYTE) for domain in self.config.domains)

    @property
    def separate_heads(self) -> bool:
        """False: one answer is that of every domain."""
        return False

    @property
    def answer_name(self) -> str:
        """What it answers with: how surprising every token is."""
        return "nats"

    @property
    def answer_axes(self) -> tuple[str, ...]:
        return ("sample", "domain", "token")

    @property
    @abstractmethod
    def generation(self) -> Generation:
        """It can continue a text."""

    @abstractmethod
    def forward(self, inputs: Text, iterations: int | None = None) -> Float[Tensor, "B D V"]:
        """Nats that each token costs, given those before it: 0 for the one that starts a text, and for padding."""

    # -- views ---------------------------------------------------------------------------------------------

    @abstractmethod
    def _view(self, kept: tuple[tuple[int, ...], ...], silent: tuple[frozenset[int], ...], chosen: int | None) -> Self:
        """A view that shares every parameter and hooks nothing of this one, with these in place of its own."""

    def _places(self, units: Sequence[str]) -> tuple[frozenset[int], ...]:
        wanted = set(units)
        if unknown := sorted(wanted - set(self.units)):
            named, few = ", ".join(unknown[:5]), ", ".join(self.units[:3])
            raise ValueError(f"unknown units {named}; {len(self.units)} experts take part, such as {few}")
        pairs = zip(self.routed_layers, self.kept, strict=True)
        return tuple(frozenset(e for e in own if f"{layer.name}.e{e + 1}" in wanted) for layer, own in pairs)

    def keep(self, units: Sequence[str]) -> Self:
        """A view in which the other experts are never chosen; a token takes the best of those that are left.

        Where a layer has fewer left than a token takes, a token takes them all; ``refusal`` says so in words.
        """
        places = self._places(units)
        silent = tuple(own & kept for own, kept in zip(self.silent, places, strict=True))
        return self._view(tuple(tuple(sorted(own)) for own in places), silent, self.chosen)

    def mute(self, units: Sequence[str]) -> Self:
        """A view in which these experts are chosen as before and add nothing; nobody takes their share."""
        silent = tuple(own | new for own, new in zip(self.silent, self._places(units), strict=True))
        return self._view(self.kept, silent, self.chosen)

    def choosing(self, top_k: int) -> Self:
        """A view in which a token takes ``top_k`` experts at every layer.

        Raises:
            ValueError: fewer than one, or more than some layer has.
        """
        least = min(layer.experts for layer in self.routed_layers)
        if not 1 <= top_k <= least:
            raise ValueError(f"a token takes 1 to {least} experts at every layer, not {top_k}")
        return self._view(self.kept, self.silent, top_k)

    def refusal(self, changes: Changes, iterations: int) -> str | None:
        """Why layers could not route: which has fewer experts left than a token takes."""
        gone = set(changes.drop)
        if changes.top_k is not None:
            least = min(layer.experts for layer in self.routed_layers)
            if not 1 <= changes.top_k <= least:
                return f"a token takes 1 to {least} experts at every layer of this model, not {changes.top_k}"
        for layer, own in zip(self.routed_layers, self.kept, strict=True):
            left = sum(f"{layer.name}.e{e + 1}" not in gone for e in own)
            if refused := layer.refusal(left, changes.top_k or self.chosen or layer.top_k):
                return refused
        return None


def shares(weights: Float[Tensor, "*B K"], experts: Int64[Tensor, "*B K"], count: int) -> Float[Tensor, "*B E"]:
    """What part of a token's routing each of ``count`` experts has: its weight over the sum of the chosen ones'.

    Args:
        weights: of the chosen experts, 0 or more.
        experts: places of the chosen ones, ``NO_EXPERT`` for none.
    """
    there = (experts != NO_EXPERT).to(weights.dtype)
    whole = (weights * there).sum(dim=-1, keepdim=True).clamp(min=torch.finfo(weights.dtype).tiny)
    found = weights.new_zeros(*weights.shape[:-1], count)
    return found.scatter_add(-1, experts.clamp(min=0), weights * there / whole)
