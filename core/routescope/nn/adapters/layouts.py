"""Layouts of the outputs of routers that others wrote, recognised by shapes and not by names of families.

Symbols: T tokens of a pass, E experts of a layer, K experts that a token takes, C features.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Bool, Float, Int64, Shaped
from torch import Tensor

from routescope.nn.experts import NO_EXPERT

#: What a module was called with: its arguments by position, and by name.
Call = tuple[tuple[object, ...], Mapping[str, object]]


@dataclass(frozen=True, eq=False)
class Choice:
    """The experts that the tokens of a pass take.

    Attributes:
        experts: places of the chosen ones among all of the layer.
        weights: by which each counts.
    """

    experts: Int64[Tensor, "T K"]
    weights: Float[Tensor, "T K"]


@runtime_checkable
class Layout(Protocol):
    """The positions of the choice in a router's output.

    Attributes:
        top_k: experts that a token took when the layout was recognised.
    """

    @property
    def top_k(self) -> int: ...
    def read(self, out: object) -> Choice:
        """The chosen experts and their weights."""
        ...

    def silence(self, out: object, silent: Bool[Tensor, " E"]) -> object:
        """The output with these experts chosen and of no weight."""
        ...

    def scaled(self, out: object, factor: float) -> object:
        """The output with all weights multiplied by a number."""
        ...


def parts(out: object) -> list[object]:
    """The values that a module returned, as a list."""
    return list(out) if isinstance(out, tuple | list) else [out]


def _with(out: object, slot: int, new: Tensor) -> object:
    """The output with another tensor at a slot."""
    if not isinstance(out, tuple | list):
        return new
    return type(out)([*out[:slot], new, *out[slot + 1 :]])


def mapped(out: object, change: Callable[[Tensor], Tensor]) -> object:
    """The output of a module with every tensor in it changed."""
    if isinstance(out, Tensor):
        return change(out)
    if isinstance(out, tuple | list) and type(out) in (tuple, list):
        return type(out)([mapped(part, change) for part in out])
    return out


def is_whole(value: object) -> bool:
    """Whether it is a tensor of whole numbers."""
    return isinstance(value, Tensor) and value.dtype in (torch.int64, torch.int32)


def tensor(values: Sequence[object], slot: int) -> Shaped[Tensor, "..."]:
    """Return the tensor at a slot; raises TypeError if there is something else."""
    value = values[slot]
    if not isinstance(value, Tensor):
        raise TypeError(f"a router gave {type(value).__name__} where it gave a tensor before")
    return value


@dataclass(frozen=True)
class Indexed:
    """Places (T, K) and weights (T, K), in two slots: most routers, and what most experts are called with."""

    indices: int
    weights: int
    top_k: int

    def read(self, out: object) -> Choice:
        """The chosen experts and their weights."""
        values = parts(out)
        places, weights = tensor(values, self.indices).long(), tensor(values, self.weights)
        return Choice(places.flatten(0, -2), weights.flatten(0, -2))

    def silence(self, out: object, silent: Bool[Tensor, " E"]) -> object:
        """The output with weight 0 for these experts."""
        places, weights = tensor(parts(out), self.indices).long(), tensor(parts(out), self.weights)
        is_expert = (places >= 0) & (places < len(silent))
        return _with(out, self.weights, weights.masked_fill(silent[places.where(is_expert, 0)] & is_expert, 0.0))

    def scaled(self, out: object, factor: float) -> object:
        """The output with all weights multiplied by a number."""
        return _with(out, self.weights, tensor(parts(out), self.weights) * factor)

    def others(self, out: object, experts: int) -> object:
        """The output with the next of ``experts`` in every slot, the weights unchanged."""
        return _with(out, self.indices, (tensor(parts(out), self.indices) + 1) % experts)


@dataclass(frozen=True)
class Scored:
    """Scores (T, E), 0 for all but the chosen ones."""

    scores: int
    top_k: int

    def read(self, out: object) -> Choice:
        """The experts with the largest scores, as many as a token takes."""
        scores = tensor(parts(out), self.scores).flatten(0, -2)
        count = int((scores != 0).sum(dim=-1).max())
        best = scores.topk(max(1, count), dim=-1)
        return Choice(best.indices.masked_fill(best.values == 0, NO_EXPERT), best.values)

    def silence(self, out: object, silent: Bool[Tensor, " E"]) -> object:
        """The output with score 0 for these experts."""
        return _with(out, self.scores, tensor(parts(out), self.scores).masked_fill(silent, 0.0))

    def scaled(self, out: object, factor: float) -> object:
        """The output with all scores multiplied by a number."""
        return _with(out, self.scores, tensor(parts(out), self.scores) * factor)


@dataclass(frozen=True)
class Grouped:
    """Tokens put together by the expert that they take: the order (T * K,) of the pairs of token and slot that sorts
    them by expert, the token of each (T * K,), its weight (T * K,), and how many pairs each of E experts has."""

    order: int
    weights: int
    sizes: int
    top_k: int

    def _experts(self, out: object) -> Int64[Tensor, " pairs"]:
        values = parts(out)
        sizes = values[self.sizes]
        counts = sizes if isinstance(sizes, Tensor) else torch.tensor(sizes)
        return torch.arange(len(counts)).repeat_interleave(counts.cpu()).to(tensor(values, self.order).device)

    def read(self, out: object) -> Choice:
        """The chosen experts and their weights."""
        values, experts = parts(out), self._experts(out)
        order, weights = tensor(values, self.order), tensor(values, self.weights)
        tokens = int(torch.unique(tensor(values, self.order + 1)).numel())
        by_token, shares = torch.empty_like(experts), torch.empty_like(weights)
        by_token[order], shares[order] = experts, weights
        return Choice(by_token.view(tokens, -1), shares.view(tokens, -1))

    def silence(self, out: object, silent: Bool[Tensor, " E"]) -> object:
        """The output with weight 0 for these experts."""
        weights = tensor(parts(out), self.weights)
        return _with(out, self.weights, weights.masked_fill(silent[self._experts(out)], 0.0))

    def scaled(self, out: object, factor: float) -> object:
        """The output with all weights multiplied by a number."""
        return _with(out, self.weights, tensor(parts(out), self.weights) * factor)


#: What a block makes of its router's logits (T, E): weights (T, K) and places (T, K) of the experts that tokens take,
#: counted from 0; -1 in slots of tokens that fewer experts take.
Choose = Callable[[Tensor], tuple[Tensor, Tensor]]


@dataclass(frozen=True)
class ChosenFromLogits:
    """Logits (T, E), of which the block that holds the router chooses; muted experts are silenced where they are."""

    choose: Choose
    top_k: int

    def read(self, out: object) -> Choice:
        """The experts that the block chooses, and their weights."""
        weights, experts = self.choose(tensor(parts(out), 0).flatten(0, -2))
        return Choice(experts, weights)

    def silence(self, out: object, silent: Bool[Tensor, " E"]) -> object:
        """The unchanged output."""
        return out

    def scaled(self, out: object, factor: float) -> object:
        """The unchanged output: logits are no weights."""
        return out


@dataclass(frozen=True)
class CalledWithIds:
    """Experts are called with tokens, and with places and weights of those whom each token takes.

    Attributes:
        layout: where places and weights stand among the arguments.
        tokens: where the tokens do.
        slots: experts of a token that one call needs at least.
    """

    layout: Indexed
    tokens: int
    slots: int = 1


@dataclass(frozen=True)
class CalledWithAllTokens:
    """Experts are called with all tokens, for each expert in turn: (E * T, C), weighted before."""


def call_kind_of(values: Sequence[object], tokens: int, experts: int) -> CalledWithIds | CalledWithAllTokens | None:
    """The way in which experts are called, by the arguments of the call; None: a way that is not supported.

    Args:
        tokens, experts: T and E.
    """
    numbers = [at for at, value in enumerate(values) if isinstance(value, Tensor) and value.is_floating_point()]
    if not numbers:
        return None
    layout = indexed(values, tokens, experts)
    if layout is not None and tensor(values, layout.indices).dim() == 2:
        return CalledWithIds(layout, numbers[0])
    first = tensor(values, numbers[0])
    return CalledWithAllTokens() if len(values) == 1 and first.shape[:-1].numel() == experts * tokens else None


def indexed(values: Sequence[object], tokens: int, experts: int) -> Indexed | None:
    """Places and weights among some values, where two of them are such; None: there are none.

    Args:
        tokens, experts: T and E.
    """
    for at, places in enumerate(values):
        if not isinstance(places, Tensor) or not is_whole(places) or places.dim() < 2:
            continue
        if places.shape[:-1].numel() != tokens or not places.shape[-1] <= experts:
            continue
        if places.numel() and not 0 <= int(places.max()) < experts:
            continue
        for other, weights in enumerate(values):
            if isinstance(weights, Tensor) and weights.is_floating_point() and weights.shape == places.shape:
                return Indexed(at, other, places.shape[-1])
    return None


def _scored(values: Sequence[object], tokens: int, experts: int) -> Scored | None:
    for at, scores in enumerate(values):
        if not isinstance(scores, Tensor) or not scores.is_floating_point() or scores.dim() < 2:
            continue
        if scores.shape[-1] != experts or scores.shape[:-1].numel() != tokens:
            continue
        chosen = (scores != 0).sum(dim=-1)
        if 0 < int(chosen.min()) == int(chosen.max()) < experts:
            return Scored(at, int(chosen.max()))
    return None


def _grouped(values: Sequence[object], tokens: int, experts: int) -> Grouped | None:
    for at, sizes in enumerate(values):
        listed = sizes.tolist() if isinstance(sizes, Tensor) and is_whole(sizes) and sizes.dim() == 1 else sizes
        if not isinstance(listed, list) or len(listed) != experts or not all(type(size) is int for size in listed):
            continue
        pairs = sum(listed)
        if not pairs or pairs % tokens:
            continue
        flat = [isinstance(value, Tensor) and tuple(value.shape) == (pairs,) for value in values]
        whole = [slot for slot, value in enumerate(values) if flat[slot] and is_whole(value)]
        weights = [slot for slot, value in enumerate(values) if flat[slot] and not is_whole(value)]
        if len(whole) == 2 and whole[1] == whole[0] + 1 and len(weights) == 1:
            return Grouped(whole[0], weights[0], at, pairs // tokens)
    return None


def layout_of(out: object, tokens: int, experts: int) -> Layout | None:
    """The layout of a router's output; None: no known layout.

    Args:
        tokens, experts: T and E of the pass that it is of, which differ from each other and from K.
    """
    values = parts(out)
    return indexed(values, tokens, experts) or _scored(values, tokens, experts) or _grouped(values, tokens, experts)
