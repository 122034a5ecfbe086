"""Where Routescope sits in a network that others made: at its routers and its experts, one seat a layer.

A router's class is replaced, on a copy of the module that shares its parameters, by a subclass whose ``forward`` asks
the seat; so the original is untouched, and nothing is left behind by an exception. Logits are seen, and those of
dropped experts set to minus infinity, where the router computes them: in a ``TorchFunctionMode`` around its own
``forward``, which only its thread is in. What muted experts add is left out where the experts are called.

Symbols: B texts, V tokens of each, T = B * V, E experts of a layer, K experts that a token takes, C features.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from core.nn.adapters.layouts import Choice, Layout, Spread, Told
from core.nn.mixture.network import Probes, margins
from core.nn.mixture.routed import NO_EXPERT, ROUTED_FIELDS, RoutedLayer, shares

#: Products of which one gives a router's logits.
PRODUCTS = frozenset(
    (F.linear, torch.matmul, torch.mm, torch.addmm, torch.bmm, torch.einsum)
    + (Tensor.matmul, Tensor.mm, Tensor.__matmul__)
)
#: How a selection bias is added; the second ones write to their first argument.
SUMS = frozenset((torch.add, Tensor.add, Tensor.__add__, Tensor.__radd__, torch.sub, Tensor.sub, Tensor.__sub__))
SUMS_IN_PLACE = frozenset((Tensor.add_, Tensor.__iadd__))
#: How a router chooses; the maximum of scores also serves to keep a softmax in range.
CHOICES = frozenset(
    (torch.topk, Tensor.topk, torch.argmax, Tensor.argmax, torch.sort, Tensor.sort, torch.argsort, Tensor.argsort)
)
MASKED_CHOICES = CHOICES | {torch.max, Tensor.max}


class IncompleteRouting(RuntimeError):
    """A pass in which a router did not run exactly once, or chose an expert that was dropped."""


@dataclass(frozen=True)
class Scoring:
    """Which product in a router gives its logits, and what the columns of that product are.

    Attributes:
        experts: E; column e scores expert e.
        classes: columns of the product: E, or more where the router also scores shared experts or a skip.
        product: how many products of this width the router computes before.
        skips: whether a token can take a column after the first E, and so no expert.
    """

    experts: int
    classes: int
    product: int = 0
    skips: bool = False


class Listening(TorchFunctionMode):
    """Records the products that a router computes before it chooses, and the columns that it chooses from.

    Attributes:
        products: of any shape, in the order in which they were computed.
        columns: width of the first tensor that the router chooses from; None: it chooses from none.
        later: how many products follow the choice.
    """

    def __init__(self) -> None:
        super().__init__()
        self.products: list[Tensor] = []
        self.columns: int | None = None
        self.later = 0

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        out = func(*args, **(kwargs or {}))
        if func in PRODUCTS and isinstance(out, Tensor) and out.dim():
            if self.columns is None:
                self.products.append(out.detach())
            else:
                self.later += 1
        if self.columns is None and func in CHOICES and isinstance(args[0], Tensor) and args[0].is_floating_point():
            self.columns = args[0].shape[-1]
        return out


class Deciding(TorchFunctionMode):
    """Records a router's logits while its ``forward`` runs, and keeps it from choosing dropped experts.

    Dropped experts have minus infinity in the logits, in every sum of scores and a vector with one number an expert
    (a selection bias, wherever it is kept), and in every tensor that the router chooses from.

    Args:
        scoring: which product gives the logits.
        dropped: experts that no token can take; None: none.

    Attributes:
        logits: (T, E), as the router computed them; None: it computed none.
    """

    def __init__(self, scoring: Scoring, dropped: Bool[Tensor, " E"] | None) -> None:
        super().__init__()
        self.scoring, self.dropped = scoring, dropped
        self.logits: Float[Tensor, "T E"] | None = None
        self._products = 0

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        scoring = self.scoring
        if self.dropped is not None and self.logits is not None and func in MASKED_CHOICES:
            args = (self._masked(args[0]), *args[1:])
        out = func(*args, **(kwargs or {}))
        if not isinstance(out, Tensor) or not out.dim():
            return out
        if func in PRODUCTS and out.shape[-1] == scoring.classes:
            self._products += 1
            if self._products == scoring.product + 1:
                self.logits = out.detach().flatten(0, -2)[:, : scoring.experts]
                return self._masked(out)
        elif self.logits is not None and func in SUMS and any(self._is_vector(value, out) for value in args):
            return self._masked(out)
        elif self.logits is not None and func in SUMS_IN_PLACE and any(self._is_vector(value, out) for value in args):
            return out if self.dropped is None else out.copy_(self._masked(out))
        return out

    def _is_vector(self, value: object, out: Tensor) -> bool:
        return isinstance(value, Tensor) and value.dim() > 0 and value.numel() == value.shape[-1] == out.shape[-1]

    def _masked(self, scores: Any) -> Any:
        """Scores (..., E) or (..., classes) with minus infinity for dropped experts; anything else as it is."""
        if self.dropped is None or not isinstance(scores, Tensor) or not scores.is_floating_point():
            return scores
        if not scores.dim() or scores.shape[-1] not in (self.scoring.experts, self.scoring.classes):
            return scores
        gone = F.pad(self.dropped, (0, scores.shape[-1] - self.scoring.experts))
        return scores.masked_fill(gone, -torch.inf)


@dataclass
class Pass:
    """One run of a batch, which its seats report to.

    Attributes:
        shape: B and V.
        logits: of each step whose router ran.
        ran: how often each step's router ran.
    """

    shape: tuple[int, int]
    logits: dict[int, Tensor] = field(default_factory=dict)
    ran: dict[int, int] = field(default_factory=dict)


_current: ContextVar[Pass | None] = ContextVar("routescope_pass", default=None)


@contextmanager
def one_pass(shape: tuple[int, int], names: tuple[str, ...]) -> Iterator[None]:
    """A run of a batch of B texts of V tokens, of which every layer's router has to run exactly once.

    Raises:
        IncompleteRouting: where one did not.
    """
    now = Pass(shape)
    token = _current.set(now)
    try:
        yield
    finally:
        _current.reset(token)
    for step, name in enumerate(names):
        if now.ran.get(step, 0) != 1:
            raise IncompleteRouting(
                f"the router of layer {name} ran {now.ran.get(step, 0)} times in one pass, not once"
            )


@dataclass(frozen=True)
class Part:
    """Who takes part at a layer: its step, the experts that are left, those that are muted, how many are chosen."""

    step: int
    kept: tuple[int, ...]
    silent: frozenset[int]
    chosen: int


class Seat:
    """What happens at one layer of one view.

    Args:
        layer: its name and sizes.
        part: who takes part.
        layout: how the router says whom it chose; None: the call of its experts tells.
        call: how the experts are told whom to compute; None: in a way that is not known, and they are not asked.
        probes: of the view, where it reports.
        scoring: which product of the router gives its logits.
    """

    def __init__(
        self,
        layer: RoutedLayer,
        part: Part,
        layout: Layout | None,
        call: Told | Spread | None,
        probes: Probes,
        scoring: Scoring,
    ) -> None:
        self.layer, self.part, self.layout, self.call, self.probes = layer, part, layout, call, probes
        self.scoring = scoring

    def _mask(self, places: Iterable[int], device: torch.device) -> Bool[Tensor, " E"]:
        chosen = set(places)
        return torch.tensor([e in chosen for e in range(self.layer.experts)], device=device)

    def _heard(self) -> list[str]:
        return [name for name in ROUTED_FIELDS if self.probes.listening(name)]

    # -- the router --------------------------------------------------------------------------------------------

    def decide(
        self, router: nn.Module, forward: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> object:
        """What the router gives when it has only the experts that are left to choose from."""
        now, whole = _current.get(), len(self.part.kept) == self.layer.experts
        if now is not None:
            now.ran[self.part.step] = now.ran.get(self.part.step, 0) + 1
        if whole and not (now is not None and self._heard()):
            out = forward(*args, **kwargs)
        else:
            dropped = None if whole else ~self._mask(self.part.kept, next(router.parameters()).device)
            mode = Deciding(self.scoring, dropped)
            with mode:
                out = forward(*args, **kwargs)
            if now is not None and mode.logits is not None:
                now.logits[self.part.step] = mode.logits
        if not isinstance(self.call, Told) and self.layout is not None:
            choice = self._checked(self.layout.read(out))
            self._report(choice)
            if self.part.silent:
                out = self.layout.silence(out, self._mask(self.part.silent, choice.experts.device))
        return out

    def _checked(self, choice: Choice) -> Choice:
        """The same choice, with ``NO_EXPERT`` in the slots of tokens that skip the layer.

        Raises:
            IncompleteRouting: a dropped expert was chosen all the same.
        """
        if self.scoring.skips:
            choice = Choice(choice.experts.masked_fill(choice.weights == 0, NO_EXPERT), choice.weights)
        if len(self.part.kept) < self.layer.experts:
            gone = set(range(self.layer.experts)) - set(self.part.kept)
            if bool(self._among(choice.experts, gone).any()):
                raise IncompleteRouting(f"an expert of layer {self.layer.name} that was dropped was chosen")
        return choice

    def _among(self, experts: Tensor, places: Iterable[int]) -> Bool[Tensor, "T K"]:
        """Which slots hold one of some experts."""
        return self._mask(places, experts.device)[experts.clamp(min=0)] & (experts != NO_EXPERT)

    # -- its experts -------------------------------------------------------------------------------------------

    def mix(self, forward: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> object:
        """What the experts add to each token, (T, C): muted ones nothing, and others what a listener puts there."""
        if not isinstance(self.call, Told):
            return self._spread(forward(*args, **kwargs))
        layout, tokens = self.call.layout, self.call.tokens
        given = (*args, *kwargs.values())
        asked = layout.read(given)
        choice = self._checked(asked)
        weights = choice.weights
        if self.part.silent:
            weights = weights.masked_fill(self._among(choice.experts, self.part.silent), 0.0)
        self._report(choice)

        def compute(x: Tensor, experts: Tensor, own: Tensor) -> Tensor:
            """What experts make of some tokens, called as the model calls them."""
            changed = list(given)
            changed[tokens], changed[layout.indices], changed[layout.weights] = x, experts, own
            found: Tensor = forward(*changed[: len(args)], **dict(zip(kwargs, changed[len(args) :], strict=True)))
            return found

        x = given[tokens]
        assert isinstance(x, Tensor)
        now = _current.get()
        if now is None or not self.probes.listening("contributions"):
            return compute(x, asked.experts, weights)
        apart = self._apart(compute, x, Choice(choice.experts, weights)).unflatten(1, now.shape)
        heard = self.probes.contributions(apart, step=self.part.step)
        if heard is apart:
            return compute(x, asked.experts, weights)
        return heard.flatten(1, 2).sum(dim=0).view_as(x)

    def _spread(self, out: Tensor) -> Tensor:
        """The same (E * T, C) of all experts in turn, with what a listener puts in the place of some."""
        now = _current.get()
        if now is None or not self.probes.listening("contributions"):
            return out
        every = out.unflatten(0, (self.layer.experts, *now.shape))
        apart = every[list(self.part.kept)]
        heard = self.probes.contributions(apart, step=self.part.step)
        if heard is apart:
            return out
        every = every.clone()
        every[list(self.part.kept)] = heard.to(every.dtype)
        return every.flatten(0, 2)

    def _apart(self, compute: Callable[..., Tensor], x: Tensor, choice: Choice) -> Float[Tensor, "E T C"]:
        """What each expert that is left adds to each token.

        Experts are called with the tokens that take them, of as many axes as the model calls them with.
        """
        assert isinstance(self.call, Told)
        made, flat, slots = [], x.flatten(0, -2), self.call.slots
        axes = (1,) * (x.dim() - 2)
        for expert in self.part.kept:
            rows, slot = (choice.experts == expert).nonzero(as_tuple=True)
            added = torch.zeros_like(flat)
            if len(rows):
                index, weight = choice.experts[rows, slot, None], choice.weights[rows, slot, None]
                index, weight = index.expand(-1, slots), F.pad(weight, (0, slots - 1))
                out = compute(flat[rows].view(*axes, len(rows), -1), index, weight)
                added = added.index_copy(0, rows, out.flatten(0, -2).to(x.dtype))
            made.append(added)
        return torch.stack(made)

    # -- what is reported --------------------------------------------------------------------------------------

    def _report(self, choice: Choice) -> None:
        """Pass on what was decided, as far as anybody listens; muted experts are chosen with weight 0.

        Raises:
            IncompleteRouting: the router computed no logits.
        """
        now, heard = _current.get(), self._heard()
        if now is None or not heard:
            return
        logits = now.logits.get(self.part.step)
        if logits is None or logits.shape[0] != now.shape[0] * now.shape[1]:
            raise IncompleteRouting(f"the router of layer {self.layer.name} gave no logits for every token")
        weights, order = choice.weights.sort(dim=-1, descending=True, stable=True)
        experts = choice.experts.gather(-1, order)
        kept = torch.tensor(self.part.kept, dtype=torch.long, device=weights.device)
        silent = self._mask(self.part.silent, weights.device)
        applied = weights.masked_fill(self._among(experts, self.part.silent), 0.0)
        slots = max(0, self.part.chosen - experts.shape[1])
        found: dict[str, Callable[[], Tensor]] = {
            "router_logits": lambda: logits[:, kept].T,
            "top_experts": lambda: F.pad(experts, (0, slots), value=NO_EXPERT),
            "top_weights": lambda: F.pad(applied, (0, slots)),
            "margin": lambda: margins(logits[:, kept], experts.shape[1]),
            "compatibility": lambda: shares(weights, experts, self.layer.experts).masked_fill(silent, 0.0)[:, kept].T,
        }
        for name in heard:
            axis = 1 if name in ("router_logits", "compatibility") else 0
            self.probes.get_submodule(name)(found[name]().unflatten(axis, now.shape), step=self.part.step)


class _Router(nn.Module):
    """A router that asks its seat."""

    def forward(self, *args: Any, **kwargs: Any) -> object:
        seat: Seat = vars(self)["seat"]
        return seat.decide(self, super().forward, args, kwargs)


class _Experts(nn.Module):
    """Experts that ask the seat of their router."""

    def forward(self, *args: Any, **kwargs: Any) -> object:
        seat: Seat = vars(self)["seat"]
        return seat.mix(super().forward, args, kwargs)


class _Expert(nn.Module):
    """One expert of several that are called in turn: it adds nothing where the seat of its router mutes it."""

    def forward(self, *args: Any, **kwargs: Any) -> object:
        seat: Seat = vars(self)["seat"]
        out = super().forward(*args, **kwargs)
        return out * 0 if vars(self)["place"] in seat.part.silent else out


_subclasses: dict[tuple[type[nn.Module], type[nn.Module]], type[nn.Module]] = {}


def _seated(kind: type[nn.Module], base: type[nn.Module]) -> type[nn.Module]:
    """A subclass of a module's class whose ``forward`` asks its seat."""
    return _subclasses.setdefault((kind, base), type(kind.__name__, (base, kind), {"__module__": kind.__module__}))


def take_router(router: nn.Module, seat: Seat) -> None:
    """Let a router ask a seat, from now on."""
    router.__class__ = _seated(type(router), _Router)
    vars(router)["seat"] = seat


def take_experts(experts: nn.Module, seat: Seat) -> None:
    """Let experts ask the seat of their router, from now on."""
    experts.__class__ = _seated(type(experts), _Experts)
    vars(experts)["seat"] = seat


def take_expert(expert: nn.Module, seat: Seat, place: int) -> None:
    """Let one expert ask the seat of its router whether it is muted; ``place`` is its number in the layer, from 0."""
    expert.__class__ = _seated(type(expert), _Expert)
    vars(expert).update(seat=seat, place=place)
