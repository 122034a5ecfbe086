"""Interceptors at the routers and experts of a network that others made, one for each layer.

A router's class is replaced, on a copy of the module that shares its parameters, by a subclass whose ``forward`` asks
the interceptor; so the original is untouched, and nothing is left behind by an exception. Logits are seen, and those of
dropped experts set to minus infinity, where the router computes them: in a ``TorchFunctionMode`` around its own
``forward``, which only its thread is in. What muted experts add is left out where the experts are called.

Symbols: B texts, V tokens of each, T = B * V, E experts of a layer, K experts that a token takes, C features.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from routescope.nn.adapters.layouts import CalledWithAllTokens, CalledWithIds, Choice, ChosenFromLogits, Layout, mapped
from routescope.nn.experts import NO_EXPERT, ActiveExperts, RoutedLayer
from routescope.nn.mixture.network import margins
from routescope.nn.mixture.routed import ROUTED_FIELDS, RoutedProbes, shares

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
    """A pass in which a router did not run exactly once, chose an expert that was dropped, or in which experts received
    other tokens than the router, or ``choose``, gives them."""


@dataclass(frozen=True)
class RouterProduct:
    """The product in a router that gives its logits, and the meaning of the columns of this product.

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
        products: in the order in which they were computed.
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

    def __init__(self, scoring: RouterProduct, dropped: Bool[Tensor, " E"] | None) -> None:
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
    """One run of a batch, which its interceptors report to.

    Attributes:
        shape: B and V.
        width: tokens that are reported of each text, V or more; those after V are padding.
        logits: of each step whose router ran.
        ran: how often each step's router ran.
        rows: by step and expert, how many rows an expert that is a module by itself was called with.
        experts: by step, (T, K), the recorded choice.
        checks: comparisons that are made at the end of the pass.
    """

    shape: tuple[int, int]
    width: int
    logits: dict[int, Tensor] = field(default_factory=dict)
    ran: dict[int, int] = field(default_factory=dict)
    rows: dict[tuple[int, int], int] = field(default_factory=dict)
    experts: dict[int, Tensor] = field(default_factory=dict)
    checks: list[Callable[[], None]] = field(default_factory=list)


_current: ContextVar[Pass | None] = ContextVar("routescope_pass", default=None)


@contextmanager
def one_pass(shape: tuple[int, int], names: tuple[str, ...], width: int | None = None) -> Iterator[None]:
    """A run of a batch of B texts of V tokens, in which every layer's router has to run exactly once.

    Args:
        width: tokens that are reported of each text; V unless given.

    Raises:
        IncompleteRouting: a router did not run exactly once, or experts received other tokens than are recorded.
    """
    now = Pass(shape, shape[1] if width is None else width)
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
    for check in now.checks:
        check()


@dataclass(frozen=True)
class Evidence:
    """Evidence about a layer's experts from opening the model: see ``routescope.nn.adapters.evidence``.

    Attributes:
        lever: where muted experts are silenced: in the weights that experts are called with, in what they return, or in
            the weights that the router returns; None: nowhere.
        counts: how many tokens an expert received: the rows that it is called with ("rows"), those of them that are not
            zero ("filled"), or unknown, because experts are called with all tokens ("all"); None: not seen.
        calls: how often an expert is called with each of its tokens.
        unmutable, undroppable: why experts cannot be muted or dropped; None: they can be.
        unverified: why recorded routing is not compared with what experts received; None: it is, on every pass.
        apart: whether what the experts add separately sums to what they return.
        coupled: whether what the block returns of a token changes with the tokens after it.
    """

    lever: Literal["weights", "outputs", "router"] | None = None
    counts: Literal["rows", "filled", "all"] | None = None
    calls: int = 1
    unmutable: str | None = None
    undroppable: str | None = None
    unverified: str | None = None
    apart: bool = False
    coupled: bool = False


class Interceptor:
    """Changes and records the routing of one layer in one view.

    Args:
        layer: its name and sizes.
        part: the experts that take part.
        layout: how the router returns its choice; None: the choice is read from the call of its experts.
        call: how the experts are called; None: in a way that is not supported, and their calls are left alone.
        probes: of the view, where it reports.
        scoring: which product of the router gives its logits.
        evidence: how its experts are muted and their tokens counted.
    """

    def __init__(
        self,
        layer: RoutedLayer,
        part: ActiveExperts,
        layout: Layout | None,
        call: CalledWithIds | CalledWithAllTokens | None,
        probes: RoutedProbes,
        scoring: RouterProduct,
        evidence: Evidence,
    ) -> None:
        self.layer, self.part, self.layout, self.call, self.probes = layer, part, layout, call, probes
        self.scoring, self.evidence = scoring, evidence

    def _mask(self, places: Iterable[int], device: torch.device) -> Bool[Tensor, " E"]:
        chosen = set(places)
        return torch.tensor([e in chosen for e in range(self.layer.experts)], device=device)

    def _among(self, experts: Tensor, places: Iterable[int]) -> Bool[Tensor, "T K"]:
        """Return a mask of the slots that hold one of some experts."""
        return self._mask(places, experts.device)[experts.clamp(min=0)] & (experts != NO_EXPERT)

    def _heard(self) -> list[str]:
        return [name for name in ROUTED_FIELDS if self.probes.listening(name)]

    def _wants_contributions(self) -> bool:
        """Whether a hook listens to contributions; there is no such probe where some layer's cannot be computed."""
        return "contributions" in self.probes._modules and self.probes.listening("contributions")

    # -- the router --------------------------------------------------------------------------------------------

    def decide(
        self, router: nn.Module, forward: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> object:
        """The output of the router, which can choose only from the experts that are left."""
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
        if not isinstance(self.call, CalledWithIds) and self.layout is not None:
            choice = self.checked(self.layout.read(out))
            self._report(choice)
            if self.part.silent and self.evidence.lever == "router":
                out = self.layout.silence(out, self._mask(self.part.silent, choice.experts.device))
        return out

    def checked(self, choice: Choice) -> Choice:
        """The choice with ``NO_EXPERT`` and weight 0 in slots that hold the number of no expert, or a skip.

        Raises:
            IncompleteRouting: a dropped expert was chosen all the same.
        """
        outside = (choice.experts < 0) | (choice.experts >= self.layer.experts)
        if isinstance(self.layout, ChosenFromLogits) and choice.experts.shape[1] == self.layer.experts:
            outside |= choice.weights == 0  # choose lists all experts, the dropped ones too
        if self.scoring.skips:
            outside |= choice.weights == 0  # of a token that skips the layer
        if bool(outside.any()):
            choice = Choice(choice.experts.masked_fill(outside, NO_EXPERT), choice.weights.masked_fill(outside, 0.0))
        if len(self.part.kept) < self.layer.experts:
            gone = set(range(self.layer.experts)) - set(self.part.kept)
            if bool(self._among(choice.experts, gone).any()):
                raise IncompleteRouting(f"an expert of layer {self.layer.name} that was dropped was chosen")
        return choice

    # -- its experts -------------------------------------------------------------------------------------------

    def mix(self, forward: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> object:
        """The sum that experts add to each token, (T, C): 0 of muted experts; listeners may replace contributions."""
        if not isinstance(self.call, CalledWithIds):
            (x,) = (*args, *kwargs.values())
            assert isinstance(x, Tensor)
            self._received(x)
            return self._spread(forward(*args, **kwargs))
        layout, tokens = self.call.layout, self.call.tokens
        given = (*args, *kwargs.values())
        asked = layout.read(given)
        choice = self.checked(asked)
        weights = asked.weights
        if self.part.silent:
            weights = weights.masked_fill(self._among(choice.experts, self.part.silent), 0.0)
        self._report(choice)

        def compute(x: Tensor, experts: Tensor, applied: Tensor) -> Tensor:
            """The output of experts for some tokens, called as the model calls them."""
            changed = list(given)
            changed[tokens], changed[layout.indices], changed[layout.weights] = x, experts, applied
            output: Tensor = forward(*changed[: len(args)], **dict(zip(kwargs, changed[len(args) :], strict=True)))
            return output

        x = given[tokens]
        assert isinstance(x, Tensor)
        now = _current.get()
        if now is None or not self._wants_contributions():
            return compute(x, asked.experts, weights)
        apart = self.apart(compute, x, Choice(choice.experts, weights)).unflatten(1, now.shape)
        heard = self.probes.contributions(apart, step=self.part.step)
        if heard is apart:
            return compute(x, asked.experts, weights)
        return heard.flatten(1, 2).sum(dim=0).view_as(x)

    def _received(self, x: Tensor) -> None:
        """Compare what experts are called with, (E * T, C) of all experts in turn, with the recorded choice.

        Raises:
            IncompleteRouting: an expert received a token that did not choose it, or lacks a token that did.
        """
        now = _current.get()
        if now is None or self.part.step not in now.experts:
            return
        experts = now.experts[self.part.step]
        received = (x.view(self.layer.experts, len(experts), -1) != 0).any(dim=-1).T
        chosen = torch.zeros(len(experts), self.layer.experts + 1, dtype=torch.bool, device=x.device)
        chosen = chosen.scatter(1, experts.where(experts != NO_EXPERT, self.layer.experts), True)[:, :-1]
        some = received.any(dim=-1)  # a token whose features are all 0 is seen by no expert
        if not bool((received[some] == chosen[some]).all()):
            raise IncompleteRouting(f"experts of layer {self.layer.name} received other tokens than the router chose")

    def _spread(self, out: Tensor) -> Tensor:
        """The output (E * T, C) of all experts in turn: 0 of muted experts; listeners may replace contributions."""
        now = _current.get()
        if self.part.silent:
            out = out.unflatten(0, (self.layer.experts, -1))
            out = out.masked_fill(self._mask(self.part.silent, out.device)[:, None, None], 0.0).flatten(0, 1)
        if now is None or not self._wants_contributions():
            return out
        every = out.unflatten(0, (self.layer.experts, *now.shape))
        apart = every[list(self.part.kept)]
        heard = self.probes.contributions(apart, step=self.part.step)
        if heard is apart:
            return out
        every = every.clone()
        every[list(self.part.kept)] = heard.to(every.dtype)
        return every.flatten(0, 2)

    def run_expert(
        self, place: int, forward: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> object:
        """Return the output of an expert module, 0 if muted; raises IncompleteRouting if a dropped one got tokens."""
        now, counts = _current.get(), self.evidence.counts
        if counts is not None:
            rows = rows_of((*args, *kwargs.values()), filled=counts == "filled")
            if now is not None:
                key = (self.part.step, place)
                now.rows[key] = now.rows.get(key, 0) + rows
            if rows and counts != "all" and place not in self.part.kept:
                raise IncompleteRouting(f"an expert of layer {self.layer.name} that was dropped received {rows} tokens")
        out = forward(*args, **kwargs)
        return mapped(out, torch.zeros_like) if place in self.part.silent else out

    def apart(self, compute: Callable[..., Tensor], x: Tensor, choice: Choice) -> Float[Tensor, "E T C"]:
        """Contributions of each expert that is left to each token of ``x``, (T, C) or (B, V, C).

        Experts are called with the tokens that take them, (T, C) or (B, V, C) as the model calls them.
        """
        assert isinstance(self.call, CalledWithIds)
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
        """Report the decision, muted experts with weight 0; raises IncompleteRouting without logits."""
        now, heard = _current.get(), self._heard()
        if now is None or not heard:
            return
        logits = now.logits.get(self.part.step)
        if logits is None or logits.shape[0] != now.shape[0] * now.shape[1]:
            raise IncompleteRouting(f"the router of layer {self.layer.name} gave no logits for every token")
        now.experts[self.part.step] = choice.experts
        if self.evidence.counts is not None:
            now.checks.append(partial(self._compare, now, choice))
        weights, order = choice.weights.sort(dim=-1, descending=True, stable=True)
        experts = choice.experts.gather(-1, order)
        kept = torch.tensor(self.part.kept, dtype=torch.long, device=weights.device)
        silent = self._mask(self.part.silent, weights.device)
        applied = weights.masked_fill(self._among(experts, self.part.silent), 0.0)
        slots = max(0, self.part.chosen - experts.shape[1])
        reports: dict[str, Callable[[], Tensor]] = {
            "router_logits": lambda: logits[:, kept].T,
            "top_experts": lambda: F.pad(experts, (0, slots), value=NO_EXPERT),
            "top_weights": lambda: F.pad(applied, (0, slots)),
            "margin": lambda: margins(logits[:, kept], experts.shape[1]),
            "compatibility": lambda: shares(weights, experts, self.layer.experts).masked_fill(silent, 0.0)[:, kept].T,
        }
        padding = now.width - now.shape[1]
        for name in heard:
            axis = 1 if name in ("router_logits", "compatibility") else 0
            value = reports[name]().unflatten(axis, now.shape)
            after = (0, 0) * (value.dim() - axis - 2)
            value = F.pad(value, (*after, 0, padding), value=NO_EXPERT if name == "top_experts" else 0)
            self.probes.get_submodule(name)(value, step=self.part.step)

    def _compare(self, now: Pass, choice: Choice) -> None:
        """Compare the recorded with the received tokens of each expert after a pass; raises IncompleteRouting."""
        experts, count = choice.experts, self.layer.experts
        shown, least = counts_of(experts, count), counts_of(weighed(experts, choice.weights), count)
        received = [now.rows.get((self.part.step, e), 0) for e in range(count)]
        if not agrees(self.evidence, least, shown, received, len(experts)):
            raise IncompleteRouting(
                f"experts of layer {self.layer.name} received {few(received)} tokens each, and its router, or choose,"
                f" gives them {few(shown)}: {difference(shown, received, len(experts))}"
            )


#: What to do where experts receive other tokens than a router seems to give them.
PASS_CHOOSE = "Pass a choose that returns what the block does, with -1 in slots of tokens that no expert takes"
#: Numbers that a message lists.
MOST_NUMBERS = 16


def few(numbers: list[int]) -> str:
    """Numbers in a message: all of a few, the first of many."""
    return str(numbers) if len(numbers) <= MOST_NUMBERS else f"{str(numbers[:MOST_NUMBERS])[:-1]}, ...]"


def difference(shown: list[int], received: list[int], tokens: int) -> str:
    """Why experts may have received other tokens than are recorded, and what to do.

    Args:
        shown, received: tokens of each expert.
        tokens: T.
    """
    if len(received) == 1 and received < shown:
        reason = "tokens pass by the only expert (a mixture of depths)"
    elif len(received) > 1 and len(set(received)) == 1:
        reason = "each expert received as many, as where experts choose their tokens"
    elif all(count <= most for count, most in zip(received, shown, strict=True)):
        reason = "experts leave tokens out, as under a capacity"
    elif sum(received) != sum(shown) and not sum(received) % tokens:
        reason = f"each token takes {sum(received) // tokens} experts, not {sum(shown) / tokens:.3g}"
    else:
        reason = "look for a capacity, experts that choose their tokens, or another top-k"
    return f"{reason}. {PASS_CHOOSE}"


def counts_of(experts: Int64[Tensor, "T K"], count: int) -> list[int]:
    """Numbers of tokens that take each of ``count`` experts."""
    counts: list[int] = torch.bincount(experts[experts != NO_EXPERT].flatten(), minlength=count).tolist()
    return counts


def weighed(experts: Int64[Tensor, "T K"], weights: Float[Tensor, "T K"]) -> Int64[Tensor, "T K"]:
    """The choice with ``NO_EXPERT`` in slots of weight 0, for which a block need not call an expert."""
    return experts.masked_fill(weights == 0, NO_EXPERT)


def agrees(evidence: Evidence, least: list[int], shown: list[int], received: list[int], tokens: int) -> bool:
    """Whether experts received as many tokens as are recorded, as far as their calls tell.

    Args:
        least: tokens of each expert for which it has a weight.
        shown, received: all tokens that are recorded of each expert, and rows that it was called with.
        tokens: T.
    """
    calls, every = evidence.calls, tokens * evidence.calls
    if evidence.counts == "all":
        return all(
            rows in (0, every) and (rows == every or not count) for count, rows in zip(least, received, strict=True)
        )
    ranges = zip(least, received, shown, strict=True)
    return all(low * calls <= rows <= most * calls and not rows % calls for low, rows, most in ranges)


def rows_of(values: Iterable[object], filled: bool) -> int:
    """Rows of the first floating-point tensor of a call; only those that are not 0 where ``filled``."""
    for value in values:
        if isinstance(value, Tensor) and value.is_floating_point() and value.dim():
            rows = value.flatten(0, -2) if value.dim() > 1 else value[None]
            return int((rows != 0).any(dim=-1).sum()) if filled else len(rows)
    return 0


class _Router(nn.Module):
    """A router that calls its interceptor."""

    def forward(self, *args: Any, **kwargs: Any) -> object:
        interceptor: Interceptor = vars(self)["interceptor"]
        return interceptor.decide(self, super().forward, args, kwargs)


class _Experts(nn.Module):
    """Experts that call the interceptor of their router."""

    def forward(self, *args: Any, **kwargs: Any) -> object:
        interceptor: Interceptor = vars(self)["interceptor"]
        return interceptor.mix(super().forward, args, kwargs)


class _Expert(nn.Module):
    """One expert of several that are called in turn; it calls the interceptor of its router."""

    def forward(self, *args: Any, **kwargs: Any) -> object:
        interceptor: Interceptor = vars(self)["interceptor"]
        return interceptor.run_expert(vars(self)["place"], super().forward, args, kwargs)


_subclasses: dict[tuple[type[nn.Module], type[nn.Module]], type[nn.Module]] = {}


def _intercepting(kind: type[nn.Module], base: type[nn.Module]) -> type[nn.Module]:
    """A subclass of a module's class whose ``forward`` calls its interceptor."""
    return _subclasses.setdefault((kind, base), type(kind.__name__, (base, kind), {"__module__": kind.__module__}))


def intercept_router(router: nn.Module, interceptor: Interceptor) -> None:
    """Let a router call an interceptor from now on."""
    router.__class__ = _intercepting(type(router), _Router)
    vars(router)["interceptor"] = interceptor


def intercept_experts(experts: nn.Module, interceptor: Interceptor) -> None:
    """Let experts call the interceptor of their router from now on."""
    experts.__class__ = _intercepting(type(experts), _Experts)
    vars(experts)["interceptor"] = interceptor


def intercept_expert(expert: nn.Module, interceptor: Interceptor, place: int) -> None:
    """Let one expert, number ``place`` of its layer from 0, call the interceptor of its router from now on."""
    expert.__class__ = _intercepting(type(expert), _Expert)
    vars(expert).update(interceptor=interceptor, place=place)
