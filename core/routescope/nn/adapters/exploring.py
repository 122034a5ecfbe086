"""Exploration of the routers of a network that others made: two short passes of a copy on a few tokens.

No family is known by its name. The passes show the number of experts, how many a token takes, how a router returns its
choice, how experts are called, and whether another number of experts can be chosen.

Symbols: T tokens of a pass, E experts of a layer, K experts that a token takes.
"""

import copy
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from torch import nn

from routescope.nn.adapters.interception import Deciding, Listening, RouterProduct
from routescope.nn.adapters.layouts import (
    Call,
    CalledWithAllTokens,
    CalledWithIds,
    Choose,
    ChosenFromLogits,
    Layout,
    call_kind_of,
    layout_of,
    parts,
    tensor,
)
from routescope.nn.experts import RoutedLayer

#: Tokens of a trial: as many as no layer has experts.
TRIAL_TOKENS = (7, 11, 13, 17)
#: What a number of experts, or of those that a token takes, is called by a module that has one.
COUNTS = ("num_experts", "n_routed_experts", "num_local_experts")
TOP_K = "top_k"
#: What numbers of groups of experts, and of those that a token may choose from, are called.
GROUPS, CHOSEN_GROUPS = ("num_group", "n_group"), "topk_group"

#: What somebody's code raises that cannot compute what it is asked for.
FAILURES = (RuntimeError, ValueError, IndexError, KeyError, TypeError, AttributeError)


class NotAdaptable(ValueError):
    """A module whose routing cannot be shown and steered; the message says what it lacks."""


@dataclass(frozen=True)
class Groups:
    """Experts in groups, of which a token first takes the best few.

    Attributes:
        count: groups of a layer, each of as many experts.
        chosen: of which a token takes so many.
        needed: experts by which a group is judged, so that with fewer it is never taken.
    """

    count: int
    chosen: int
    needed: int

    def refusal(self, kept: Sequence[int], experts: int, top_k: int) -> str | None:
        """Why tokens could not choose with only these experts left; None: they can."""
        size = experts // self.count
        left = sorted(sum(e // size == group for e in kept) for group in range(self.count))
        whole = [count for count in left if count >= self.needed]
        if len(whole) < self.chosen:
            return f"{self.chosen} of its {self.count} groups with {self.needed} or more experts left in each"
        if sum(whole[: self.chosen]) < top_k:
            return f"{top_k} experts left in whichever {self.chosen} of its {self.count} groups a token takes"
        return None


@dataclass(frozen=True)
class Site:
    """A router and its experts in a module.

    Attributes:
        router, experts: their paths; no experts where they are no module of their own.
        layer: what it is called, and its sizes.
        layout, call: see ``routescope.nn.adapters.interception.Interceptor``.
        apart: paths of the experts, where each is called by itself.
        counting: paths of the modules that say how many experts a token takes; none: it cannot be changed.
        groups: of experts, where a token takes groups first.
        scoring: which product of the router gives its logits.
        idle: places of experts without weights, such as identities: dropping them saves nothing.
        fixed: why experts cannot be dropped; None: they can.
    """

    router: str
    experts: str | None
    layer: RoutedLayer
    layout: Layout | None
    call: CalledWithIds | CalledWithAllTokens | None
    apart: tuple[str, ...]
    counting: tuple[str, ...]
    groups: Groups | None
    scoring: RouterProduct
    idle: tuple[int, ...]
    fixed: str | None


def shared_copy(module: nn.Module, memo: Mapping[int, object] | None = None) -> nn.Module:
    """A copy of a module that shares its parameters and buffers, and hooks of which do not reach it.

    Args:
        memo: what else is put in the place of what, by its ``id``.
    """
    shared: dict[int, object] = {id(tensor): tensor for tensor in (*module.parameters(), *module.buffers())}
    # A module has a dozen dictionaries of hooks, mostly empty: to copy them one by one takes half of the time.
    attributes = (value for part in module.modules() for value in vars(part).values())
    shared |= {id(value): OrderedDict() for value in attributes if type(value) is OrderedDict and not value}
    shared |= memo or {}
    try:
        made: nn.Module = copy.deepcopy(module, dict(shared))
    except (*FAILURES, copy.Error):
        made = copy.deepcopy(module, {**shared, **_uncopied(module, shared)})
    return made


def _uncopied(module: nn.Module, shared: Mapping[int, object]) -> dict[int, object]:
    """Attributes of modules that cannot be copied, by their ``id``: tensors of a graph, locks and files.

    A training step leaves such tensors, as in ``self.aux_loss = ...``.
    """
    modules = {id(part): part for part in module.modules()}
    uncopied: dict[int, object] = {}

    def look(value: object) -> None:
        try:
            copy.deepcopy(value, {**shared, **modules, **uncopied})
        except (*FAILURES, copy.Error):
            inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, Iterable) else ()
            if isinstance(value, torch.Tensor) or not isinstance(value, Mapping | list | tuple | set):
                uncopied[id(value)] = value
                return
            for part in inner:
                look(part)

    for part in modules.values():
        for name, value in vars(part).items():
            if name not in ("_parameters", "_buffers", "_modules"):
                look(value)
    return uncopied


class _Trial:
    """Outputs of each router and calls of each set of experts in one pass."""

    def __init__(self, module: nn.Module, places: Sequence[tuple[str, str | None]]) -> None:
        self.order: list[str] = []
        self.calls: dict[str, Call] = {}
        self.outs: dict[str, object] = {}
        self.mixed: dict[str, Call] = {}
        for router, experts in places:
            module.get_submodule(router).register_forward_hook(self._routed(router), with_kwargs=True)
            if experts is not None:
                module.get_submodule(experts).register_forward_pre_hook(self._called(experts), with_kwargs=True)

    def _routed(self, path: str) -> Callable[..., None]:
        def hook(_: nn.Module, args: tuple[object, ...], kwargs: dict[str, object], out: object) -> None:
            self.order.append(path)
            self.calls[path], self.outs[path] = (args, kwargs), out

        return hook

    def _called(self, path: str) -> Callable[..., None]:
        def hook(_: nn.Module, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
            self.mixed[path] = (args, kwargs)

        return hook

    def given(self, experts: str | None) -> list[object]:
        """The arguments that experts were called with, as a list."""
        args, kwargs = self.mixed.get(experts or "", ((), {}))
        return [*args, *kwargs.values()]


def _apart(module: nn.Module, experts: str | None) -> tuple[str, ...]:
    """Paths of the experts, where they are modules in a list, or in a dictionary in their order."""
    if experts is None or not isinstance(module.get_submodule(experts), nn.ModuleList | nn.ModuleDict):
        return ()
    return tuple(f"{experts}.{name}" for name, _ in module.get_submodule(experts).named_children())


def _sizes(router: nn.Module, experts: nn.Module | None) -> set[int]:
    """Numbers that may be how many experts a router chooses from."""
    for module in (router, experts):
        named = {} if module is None else vars(module)
        if counts := {value for name, value in named.items() if name in COUNTS and type(value) is int}:
            return counts
    return {parameter.shape[0] for parameter in router.parameters() if parameter.dim() == 2}


def _scoring(heard: Listening, tokens: int, sizes: set[int]) -> tuple[RouterProduct, torch.Tensor] | None:
    """The product of a router that gives its logits, and the logits (T, E).

    They are the last product with a row for each token before the router chooses. None: there is no such product.

    Args:
        tokens: T of the pass.
        sizes: numbers that may be how many experts the router chooses from.
    """
    rows = [product.dim() > 1 and product.shape[:-1].numel() == tokens for product in heard.products]
    if heard.columns is None and any(row and p.shape[-1] in sizes for row, p in zip(rows, heard.products, strict=True)):
        rows = [row and p.shape[-1] in sizes for row, p in zip(rows, heard.products, strict=True)]
    if not any(rows):
        return None
    last = max(number for number, row in enumerate(rows) if row)
    classes = heard.products[last].shape[-1]
    before = sum(product.shape[-1] == classes for product in heard.products[:last])
    experts = classes if classes in sizes else max((size for size in sizes if size < classes), default=classes)
    scoring = RouterProduct(experts, classes, before, skips=experts < classes == heard.columns)
    return scoring, heard.products[last].flatten(0, -2)[:, :experts]


def _idle(module: nn.Module, experts: str | None, apart: Sequence[str], count: int) -> tuple[int, ...]:
    """Places of experts without weights: identities, and those beyond the last row of stacked weights."""
    if apart:
        return tuple(e for e, path in enumerate(apart) if not list(module.get_submodule(path).parameters()))
    stacked = [] if experts is None else [p for p in module.get_submodule(experts).parameters() if p.dim() > 2]
    return tuple(range(min((len(parameter) for parameter in stacked), default=count), count))


def _fixed(router: nn.Module, call: Call, scoring: RouterProduct, layout: Layout, out: object) -> str | None:
    """Why a drop does not change which experts a router chooses; None: it does."""
    (args, kwargs), chosen = call, layout.read(out).experts
    if chosen.shape[1] >= scoring.experts:  # none can be dropped
        return None
    gone = int(chosen.max())
    dropped = torch.arange(scoring.experts, device=chosen.device) == gone
    with Deciding(scoring, dropped), torch.no_grad():
        again = layout.read(type(router).forward(router, *args, **kwargs)).experts
    if not bool((again == gone).any()):
        return None
    if any(isinstance(value, torch.Tensor) and not value.is_floating_point() for value in (*args, *kwargs.values())):
        return "its router assigns experts by token id"
    return "its router takes them from elsewhere than its logits"


def _least_slots(experts: nn.Module, call: Call, kind: CalledWithIds) -> int:
    """The least number of experts a token in a call of the experts: 1, or 2 where they cannot run with 1."""
    args, kwargs = call
    values = [*args, *kwargs.values()]
    for slot in (kind.layout.indices, kind.layout.weights):
        values[slot] = tensor(values, slot)[:, :1]
    try:
        with torch.no_grad():
            experts(*values[: len(args)], **dict(zip(kwargs, values[len(args) :], strict=True)))
    except FAILURES:
        return 2
    return 1


def explored(
    module: nn.Module,
    places: Sequence[tuple[str, str | None]],
    run: Callable[[nn.Module, int], object],
    choose: Choose | None = None,
    *,
    unreached: bool = False,
) -> tuple[Site, ...]:
    """The routers of a module, in the order in which they run.

    Args:
        module: it is not changed; in evaluation mode.
        places: paths of each router and of its experts.
        run: runs a copy of the module on one text of so many tokens.
        choose: whom tokens take, where routers give logits and nothing else.
        unreached: leave out routers that no text reaches, such as those of images; False: refuse them.

    Raises:
        NotAdaptable: a module that cannot be run, a router that does not run exactly once a pass, computes no logits,
            or does not say whom it chose.
    """
    sizes = {
        router: _sizes(module.get_submodule(router), None if experts is None else module.get_submodule(experts))
        for router, experts in places
    }
    tokens = next(count for count in TRIAL_TOKENS if all(count not in numbers for numbers in sizes.values()))
    copied = shared_copy(module)
    trial = _Trial(copied, places)
    try:
        with torch.no_grad():
            run(copied, tokens)
    except NotAdaptable:
        raise
    except FAILURES as error:
        first = " ".join(str(error).split())[:200]
        raise NotAdaptable(f"the model itself cannot be run on {tokens} tokens: {first}") from error
    for router, _ in places:
        if (times := trial.order.count(router)) != 1 and not (unreached and trial.order and not times):
            repeats = ": models that repeat layers are not supported" if times else ""
            raise NotAdaptable(f"the router {router} ran {times} times on one text, not once{repeats}")
    by_router = dict(places)
    sites = [_site(copied, (router, by_router[router]), trial, sizes[router], tokens, choose) for router in trial.order]
    names = _named([site.router for site in sites])
    sites = [replace(site, layer=replace(site.layer, name=name)) for site, name in zip(sites, names, strict=True)]
    return _with_other_counts(module, sites, run, tokens)


def _site(
    module: nn.Module, place: tuple[str, str | None], trial: _Trial, sizes: set[int], tokens: int, choose: Choose | None
) -> Site:
    path, experts = place
    router, (args, kwargs) = module.get_submodule(path), trial.calls[path]
    heard = Listening()
    with heard, torch.no_grad():
        type(router).forward(router, *args, **kwargs)
    if (scored := _scoring(heard, tokens, sizes)) is None:
        rows = {len(product.flatten(0, -2)) for product in heard.products if product.shape[-1] in sizes} - {tokens}
        seen = f"; it was called with {max(rows)} of {tokens} tokens" if rows else ""
        raise NotAdaptable(
            f"the router {path} computes no number an expert for each token{seen}: a router behind another, which sees"
            " some tokens only (a hierarchy), is not supported; name routers that see every token"
        )
    scoring, logits = scored
    count = scoring.experts
    given = trial.given(experts)
    call = call_kind_of(given, tokens, count)
    layout = layout_of(trial.outs[path], tokens, count)
    apart = _apart(module, experts)
    if layout is None and choose is not None:
        _check_logits(module, path, trial.outs[path], tokens, count)
        layout = _chosen_from_logits(choose, logits)
    if apart and len(apart) != count:
        raise NotAdaptable(
            f"{experts} holds {len(apart)} modules, and the router {path} chooses from {count} experts: pass the list"
            " of the experts that it chooses from, without shared experts"
        )
    if not isinstance(call, CalledWithIds) and layout is None and heard.later:
        raise NotAdaptable(f"the router {path} computes its experts itself: which of them a token takes cannot be read")
    if not isinstance(call, CalledWithIds) and layout is None:
        raise NotAdaptable(
            f"the router {path} does not say whom it chose: pass choose=..., a function of its logits (tokens, experts)"
            " that returns weights and expert ids (tokens, experts of a token) as the block computes them"
        )
    if isinstance(call, CalledWithIds) and experts is not None:
        call = replace(call, slots=_least_slots(module.get_submodule(experts), trial.mixed[experts], call))
    top_k = call.layout.top_k if isinstance(call, CalledWithIds) else layout.top_k if layout is not None else 0
    return Site(
        router=path,
        experts=experts if call is not None else None,
        layer=RoutedLayer("", _number(path) or 0, count, top_k),
        layout=layout,
        call=call,
        apart=apart,
        counting=_counting(module, path, top_k),
        groups=_groups(router, count),
        scoring=scoring,
        idle=_idle(module, experts, apart, count),
        fixed=_fixed(router, trial.calls[path], scoring, layout, trial.outs[path]) if layout is not None else None,
    )


def _check_logits(module: nn.Module, path: str, out: object, tokens: int, count: int) -> None:
    """Check that a router returns the logits that ``choose`` reads.

    Raises:
        NotAdaptable: it returns something else; the message names layers that may compute logits.
    """
    first = parts(out)[0] if parts(out) else None
    if isinstance(first, torch.Tensor) and first.shape[-1:] == (count,) and first.shape[:-1].numel() == tokens:
        return
    shape = tuple(first.shape) if isinstance(first, torch.Tensor) else type(first).__name__
    inner = module.get_submodule(path).named_modules(prefix=path)
    layers = [name for name, layer in inner if isinstance(layer, nn.Linear) and layer.out_features == count]
    hint = f", such as {layers[0]}" if layers else ""
    raise NotAdaptable(
        f"the router {path} returns {shape} for {tokens} tokens, and choose reads logits (tokens, experts): name the"
        f" layer that computes the logits as the router{hint}"
    )


def _chosen_from_logits(choose: Choose, logits: torch.Tensor) -> ChosenFromLogits:
    """Return the layout of logits (T, E) for ``choose``; raises NotAdaptable if it returns no weights and ids."""
    weights, experts = choose(logits)
    if weights.shape != experts.shape or experts.dim() != 2 or experts.is_floating_point():
        raise NotAdaptable("choose gives weights (tokens, experts a token takes), and whole numbers of the same shape")
    taken = int((experts >= 0).sum())
    some = taken < experts.numel()  # tokens take different numbers of experts: their mean
    return ChosenFromLogits(choose, max(1, round(taken / len(experts))) if some else experts.shape[1])


def _number(path: str) -> int | None:
    match = re.search(r"(?:^|\.)(\d+)(?:\.|$)", path)
    return int(match[1]) if match else None


def _named(paths: Sequence[str]) -> list[str]:
    """ "l3" for the third layer; "l3a" and "l3b" where it has two routers; by order without numbers."""
    numbers = [_number(path) for path in paths]
    in_paths = [number for number in numbers if number is not None]
    if len(in_paths) < len(paths) or sorted(in_paths) != in_paths:
        return [f"l{order + 1}" for order in range(len(paths))]
    names = []
    for order, number in enumerate(in_paths):
        several = in_paths.count(number) > 1
        letter = chr(ord("a") + in_paths[:order].count(number)) if several else ""
        names.append(f"l{number + 1}{letter}")
    return names


def _counting(module: nn.Module, path: str, top_k: int) -> tuple[str, ...]:
    """The router and what it is in, as far as they say how many experts a token takes."""
    names = path.split(".")
    ways = [".".join(names[:length]) for length in range(len(names), 0, -1)]
    return tuple(way for way in ways if vars(module.get_submodule(way)).get(TOP_K) == top_k)


def _groups(router: nn.Module, experts: int) -> Groups | None:
    """Groups of experts, after DeepSeek-V2 (group-limited greedy) and DeepSeek-V3 (the sum of a group's best two
    scores with their biases), as transformers 5.23 computes both."""
    settings = vars(router)
    count = next((settings[name] for name in GROUPS if type(settings.get(name)) is int), 0)
    chosen = settings.get(CHOSEN_GROUPS)
    if not isinstance(chosen, int) or not count or settings.get("topk_method") == "greedy":
        return None
    biased = any(buffer.shape[-1:] == (experts,) for buffer in router.buffers())
    return Groups(count, chosen, 2 if biased else 1)


def _with_other_counts(
    module: nn.Module, sites: Sequence[Site], run: Callable[[nn.Module, int], object], tokens: int
) -> tuple[Site, ...]:
    """Sites without ``counting`` where a token takes as many experts as before whatever number is set."""
    copied, other = shared_copy(module), {}
    for site in sites:
        top_k = site.layer.top_k
        other[site.router] = top_k + 1 if top_k < site.layer.experts else top_k - 1
        for path in site.counting:
            vars(copied.get_submodule(path))[TOP_K] = other[site.router]
    trial = _Trial(copied, [(site.router, site.experts) for site in sites])
    try:
        with torch.no_grad():
            run(copied, tokens)
    except FAILURES:
        return tuple(replace(site, counting=()) for site in sites)
    checked = []
    for site in sites:
        call = call_kind_of(trial.given(site.experts), tokens, site.layer.experts)
        seen: Layout | None = call.layout if isinstance(call, CalledWithIds) else None
        seen = seen or layout_of(trial.outs[site.router], tokens, site.layer.experts)
        changed = seen is not None and seen.top_k == other[site.router]
        checked.append(site if changed else replace(site, counting=()))
    return tuple(checked)
