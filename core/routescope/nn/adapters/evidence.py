"""Experiments on each layer when a model is opened: which tokens reach its experts, and how experts can be muted.

The block that holds a router and its experts runs again on the inputs that it had in one pass: with experts muted, with
one dropped, or with a number added to what experts return. Tokens whose output changes are those that take the expert.

Symbols: T tokens of the pass, E experts of a layer, K experts that a token takes, C features.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from routescope.nn.adapters.exploring import FAILURES, NotAdaptable, Site
from routescope.nn.adapters.interception import (
    PASS_CHOOSE,
    Evidence,
    IncompleteRouting,
    Interceptor,
    agrees,
    counts_of,
    difference,
    few,
    rows_of,
    weighed,
)
from routescope.nn.adapters.layouts import (
    Call,
    CalledWithAllTokens,
    CalledWithIds,
    Choice,
    ChosenFromLogits,
    Indexed,
    mapped,
    tensor,
)
from routescope.nn.experts import NO_EXPERT

#: What lets experts be muted, and their tokens be counted.
PASS_EXPERTS = (
    "pass experts=..., a module that is called with (tokens, expert ids, weights), or an nn.ModuleList of experts"
)
#: What to do where a block weights experts otherwise than is recorded.
PASS_WEIGHTS = "Pass a choose that returns the weights by which the block multiplies what experts return"
#: Weights of a token that a message lists.
MOST_WEIGHTS = 8
#: Tokens of a pass whose experts receive expert ids and weights, and of other passes.
FEW_TOKENS, MORE_TOKENS = 13, 48
#: A weight of at least this share of its token's weights has to have an effect.
LEAST_SHARE = 0.1
#: Sums in another order differ by less than this part of the largest number, in single and in half precision.
ROUNDING, COARSE_ROUNDING = 1e-5, 5e-2
#: Differences above so many times that of two equal runs are an effect.
ABOVE_NOISE = 8
#: What is added to the output of experts, as a multiple of the largest number of their block, and to stacked weights of
#: experts, as a multiple of the largest weight: an effect is large beside rounding, also of an expert of small weight.
NUDGE, STACKED_NUDGE = 400, 16
#: Stacked weights of experts of a layer that are copied to change some of them, in bytes.
MOST_STACKED = 2**28

#: Runs a copy of the model on tokens (B, V).
Run = Callable[[nn.Module, Tensor], object]


@dataclass
class BlockRunner:
    """A copy of a model on which single blocks run again, on the inputs that they had in one pass.

    Attributes:
        module: with ``interceptors`` at its routers and experts; it shares parameters with the model.
        tokens: T of the pass.
        calls: by the path of a module, what it was called with last.
        times: by the path of a module, how often it was called.
        outs: by step, what the router returned.
        rows, filled: by step and expert, how many rows it was called with, and how many of them are not 0.
        change: by step, what is made of the output of its router.
        nudged: by step, the experts to whose output a number is added.
        returned: by step, experts that each return a number in a feature of their own, and the number.
        size: the largest number that the block in question returned.
    """

    module: nn.Module
    sites: Sequence[Site]
    interceptors: Sequence[Interceptor]
    tokens: int = 0
    calls: dict[str, Call] = field(default_factory=dict)
    times: dict[str, int] = field(default_factory=dict)
    outs: dict[int, object] = field(default_factory=dict)
    rows: dict[tuple[int, int], int] = field(default_factory=dict)
    filled: dict[tuple[int, int], int] = field(default_factory=dict)
    change: dict[int, Callable[[object], object]] = field(default_factory=dict)
    nudged: dict[int, frozenset[int]] = field(default_factory=dict)
    returned: dict[int, tuple[range, float]] = field(default_factory=dict)
    size: float = 1.0
    watching: bool = False

    def __post_init__(self) -> None:
        for path in sorted({path for site in self.sites for path in (*_above(site), *filter(None, [site.experts]))}):
            self.module.get_submodule(path).register_forward_pre_hook(self._called(path), with_kwargs=True)
        for step, site in enumerate(self.sites):
            self.module.get_submodule(site.router).register_forward_hook(self._routed(step))
            for place, path in enumerate(site.apart):
                expert = self.module.get_submodule(path)
                expert.register_forward_pre_hook(self._counted(step, place), with_kwargs=True)
                expert.register_forward_hook(self._nudged(step, place))

    def can_watch(self, run: Run, ids: Tensor) -> bool:
        """Whether the model runs on tokens (B, V); see ``watch``."""
        try:
            self.watch(run, ids)
        except NotAdaptable:
            return False
        return True

    def watch(self, run: Run, ids: Tensor) -> None:
        """Run the model on tokens (B, V), and keep the inputs of its blocks; raises NotAdaptable if it cannot run."""
        self.tokens = ids.numel()
        for kept in (self.calls, self.times, self.outs, self.rows, self.filled):
            kept.clear()
        self.watching = True
        try:
            with torch.no_grad():
                run(self.module, ids)
        except FAILURES as error:
            reason = " ".join(str(error).split())[:200]
            raise NotAdaptable(f"the model cannot run on tokens {tuple(ids.shape)}: {reason}") from error
        finally:
            self.watching = False

    def _called(self, path: str) -> Callable[..., None]:
        def hook(_: nn.Module, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
            if self.watching:
                self.calls[path] = _copied(args, kwargs)
                self.times[path] = self.times.get(path, 0) + 1

        return hook

    def _routed(self, step: int) -> Callable[..., object]:
        def hook(_: nn.Module, __: object, out: object) -> object:
            if self.watching:
                self.outs[step] = out
            return self.change[step](out) if step in self.change else None

        return hook

    def _counted(self, step: int, place: int) -> Callable[..., None]:
        def hook(_: nn.Module, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
            if self.watching:
                key, values = (step, place), (*args, *kwargs.values())
                self.rows[key] = self.rows.get(key, 0) + rows_of(values, filled=False)
                self.filled[key] = self.filled.get(key, 0) + rows_of(values, filled=True)

        return hook

    def _nudged(self, step: int, place: int) -> Callable[..., object]:
        def hook(_: nn.Module, __: object, out: object) -> object:
            if step in self.returned:
                return mapped(out, lambda part: _in_one_feature(part, place, *self.returned[step]))
            return mapped(out, self._nudge) if place in self.nudged.get(step, ()) else None

        return hook

    def _nudge(self, out: Tensor) -> Tensor:
        if not out.is_floating_point() or not out.numel():
            return out
        return _with_noise(out, NUDGE * max(1e-3, self.size, _largest([out.detach().float()])))

    # -- one block -----------------------------------------------------------------------------------------

    def block(self, step: int) -> str | None:
        """The path of the smallest module that holds a router and its experts and ran once; None: none did."""
        return next((path for path in _above(self.sites[step]) if self.times.get(path) == 1), None)

    def again(self, path: str, call: Call | None = None) -> list[Tensor]:
        """The floating-point tensors that a block returns when it runs again."""
        args, kwargs = _copied(*(self.calls[path] if call is None else call))
        with torch.no_grad():
            return _numbers(self.module.get_submodule(path)(*args, **kwargs))

    @contextmanager
    def with_part(self, step: int, kept: Sequence[int] | None = None, silent: Sequence[int] = ()) -> Iterator[None]:
        """Only some experts of a layer take part meanwhile, and some of them are muted."""
        interceptor = self.interceptors[step]
        before = interceptor.part
        interceptor.part = replace(before, kept=before.kept if kept is None else tuple(kept), silent=frozenset(silent))
        try:
            yield
        finally:
            interceptor.part = before

    @contextmanager
    def nudging(self, step: int, experts: Sequence[int]) -> Iterator[bool]:
        """Numbers are added to what some experts return meanwhile; False: this layer's experts cannot be reached."""
        site = self.sites[step]
        if site.apart:
            self.nudged[step] = frozenset(experts)
            try:
                yield True
            finally:
                del self.nudged[step]
            return
        stacked = self._stacked(step)
        for module, name, weight in stacked:
            changed = weight.detach().clone()
            changed[list(experts)] = _with_noise(changed[list(experts)], STACKED_NUDGE * _largest([weight.float()]))
            module._parameters[name] = nn.Parameter(changed, requires_grad=False)
        try:
            yield bool(stacked)
        finally:
            for module, name, weight in stacked:
                module._parameters[name] = weight

    @contextmanager
    def returning(self, step: int, experts: range, size: float) -> Iterator[None]:
        """Some experts return ``size`` in a feature of their own meanwhile, and 0 elsewhere; the others return 0."""
        self.returned[step] = experts, size
        try:
            yield
        finally:
            del self.returned[step]

    def _stacked(self, step: int) -> list[tuple[nn.Module, str, nn.Parameter]]:
        """Parameters of three axes or more with a row for each expert, in the router's block alone."""
        site, stacked = self.sites[step], []
        scope = site.router.rpartition(".")[0]
        others = [other.router for other in self.sites if other is not site]
        if any(not scope or path.startswith(f"{scope}.") for path in others):
            return []
        router = self.module.get_submodule(site.router)
        routing = {id(parameter) for parameter in router.parameters()}
        for module in self.module.get_submodule(scope).modules():
            for name, weight in module._parameters.items():
                is_stack = weight is not None and weight.dim() > 2 and len(weight) == site.layer.experts
                if weight is not None and is_stack and id(weight) not in routing:
                    stacked.append((module, name, weight))
        return stacked if sum(weight.nbytes for _, _, weight in stacked) <= MOST_STACKED else []

    def choice(self, step: int) -> Choice | None:
        """Return the experts that the tokens of the watched pass take, as recorded; None: no evidence."""
        site, interceptor = self.sites[step], self.interceptors[step]
        if isinstance(site.call, CalledWithIds):
            args, kwargs = self.calls[site.experts or ""]
            return interceptor.checked(site.call.layout.read((*args, *kwargs.values())))
        return None if site.layout is None else interceptor.checked(site.layout.read(self.outs[step]))


def _in_one_feature(out: Tensor, place: int, experts: range, size: float) -> Tensor:
    """Zeros in the place of what an expert returns; ``size`` in a feature of its own for ``experts``."""
    made = torch.zeros_like(out)
    if place in experts and made.dim() and made.shape[-1] > place - experts.start:
        made[..., place - experts.start] = size
    return made


def _above(site: Site) -> list[str]:
    """Paths of the modules that hold a router, and its experts, from the smallest to the whole model."""
    names = site.router.split(".")
    paths = [".".join(names[:length]) for length in range(len(names) - 1, -1, -1)]
    inner = (*filter(None, [site.experts]), *site.apart)
    return [path for path in paths if not path or all(name.startswith(f"{path}.") for name in inner)]


def _copied(args: tuple[object, ...], kwargs: Mapping[str, object]) -> Call:
    def copy(value: object) -> object:
        return value.detach().clone() if isinstance(value, Tensor) else value

    return tuple(map(copy, args)), {name: copy(value) for name, value in kwargs.items()}


def _numbers(out: object) -> list[Tensor]:
    if isinstance(out, Tensor):
        return [out.float()] if out.is_floating_point() else []
    values = out.values() if isinstance(out, Mapping) else out if isinstance(out, tuple | list) else ()
    return [number for value in values for number in _numbers(value)]


def _with_noise(values: Tensor, size: float) -> Tensor:
    """Values with noise added along the last axis."""
    noise = torch.randn(values.shape[-1], generator=torch.Generator().manual_seed(0)) * size
    return values + noise.to(values)


def _largest(numbers: Sequence[Tensor]) -> float:
    """The largest number of tensors, by its size, of those that are finite."""
    sizes = [float(part[part.isfinite()].abs().max()) for part in numbers if bool(part.isfinite().any())]
    return max(sizes, default=0.0)


def _apart(first: Sequence[Tensor], second: Sequence[Tensor]) -> float:
    """The largest difference of tensors; infinite where only one of two numbers is finite."""
    worst = 0.0
    for a, b in zip(first, second, strict=True):
        if a.shape != b.shape or not bool((a.isfinite() == b.isfinite()).all()):
            return math.inf
        both = a.isfinite()
        worst = max(worst, _largest([a[both] - b[both]]))
    return worst


def _rounding(dtype: torch.dtype) -> float:
    return ROUNDING if dtype in (torch.float32, torch.float64) else COARSE_ROUNDING


def _by_token(numbers: Sequence[Tensor], tokens: int) -> Float[Tensor, "T C"] | None:
    """Rows that a block returns, one for each token; None: it returns no such tensor."""
    rows = (number for number in numbers if number.dim() > 1 and number.shape[:-1].numel() == tokens)
    return next((number.flatten(0, -2) for number in rows), None)


# -- what is tried ---------------------------------------------------------------------------------------------


def gather_evidence(
    module: nn.Module,
    sites: Sequence[Site],
    interceptors: Sequence[Interceptor],
    run: Run,
    symbols: int,
    context: int,
    single: bool = False,
) -> tuple[Evidence, ...]:
    """Evidence about each layer from experiments.

    Args:
        module: a copy with ``interceptors`` at its routers and experts; hooks stay on it.
        run: runs it on tokens (B, V).
        symbols: tokens are numbers below it.
        context: tokens that a text has at most.
        single: whether scores of a token change with tokens beside or after it: only single texts are tried then, and
            whether it is the blocks that couple their tokens.

    Raises:
        NotAdaptable: experts receive other tokens than the routers, or ``choose``, give them.
    """
    runner = BlockRunner(module, sites, interceptors)
    by_call = all(isinstance(site.call, CalledWithIds | CalledWithAllTokens) for site in sites)
    device = next(module.parameters()).device
    generator = torch.Generator().manual_seed(0)

    def sample(texts: int, tokens: int) -> Tensor:
        return torch.randint(symbols, (texts, tokens), generator=generator).to(device)

    runner.watch(run, sample(1, min(context, FEW_TOKENS if by_call else MORE_TOKENS)))
    counted = [_counting(runner, step) for step in range(len(sites))]
    if not by_call:  # so many tokens that a capacity acts
        runner.watch(run, sample(1, context))
        for step, evidence in enumerate(counted):
            _compare(runner, step, evidence)
        apart: list[Reach | None] = [None] * len(sites)
        if not single and runner.can_watch(run, sample(MORE_TOKENS, 1)):
            apart = [_reach(runner, step) for step in range(len(sites))]
        runner.watch(run, sample(1, min(context, MORE_TOKENS)))
        for step, wrong in enumerate(apart):
            _agree(runner, step, wrong, single)
            if isinstance(sites[step].layout, ChosenFromLogits) and (reason := _other_weights(runner, step)):
                raise NotAdaptable(f"choose gives other weights than the block applies: {reason}. {PASS_WEIGHTS}")
    by_layer = [_evidence(runner, step, seen) for step, seen in enumerate(counted)]
    return tuple(replace(layer, coupled=single and _coupled(runner, step)) for step, layer in enumerate(by_layer))


def _coupled(runner: BlockRunner, step: int) -> bool:
    """Whether what a block returns of the first half of a text changes with the second half."""
    path = runner.block(step)
    if not path:
        return False
    half = runner.tokens // 2

    def first(value: object) -> object:
        if not isinstance(value, Tensor):
            return value
        axis = next((axis for axis, size in enumerate(value.shape[:2]) if size == runner.tokens), None)
        return value if axis is None else value.narrow(axis, 0, half)

    args, kwargs = runner.calls[path]
    whole = _by_token(runner.again(path), runner.tokens)
    try:
        call = tuple(map(first, args)), {name: first(value) for name, value in kwargs.items()}
        cut = _by_token(runner.again(path, call), half)
    except FAILURES:
        return False
    if whole is None or cut is None:
        return False
    dtype = next(runner.module.parameters()).dtype
    return _apart([whole[:half]], [cut]) > _rounding(dtype) * _largest([whole])


def _counting(runner: BlockRunner, step: int) -> Evidence:
    """The way to count the tokens of experts that are modules by themselves.

    Raises:
        NotAdaptable: in no way that agrees with what is recorded.
    """
    site, choice = runner.sites[step], runner.choice(step)
    if not site.apart or choice is None:
        return Evidence()
    experts, tokens = range(site.layer.experts), len(choice.experts)
    shown, least = counts_of(choice.experts, site.layer.experts), counts_of(_weighed(choice), site.layer.experts)
    rows, filled = ([seen.get((step, e), 0) for e in experts] for seen in (runner.rows, runner.filled))
    if not any(rows):
        return Evidence()
    calls = [max(1, round(sum(received) / max(1, sum(shown)))) for received in (rows, filled)]
    ways = (
        (Evidence(counts="rows", calls=calls[0]), rows),
        (Evidence(counts="filled", calls=calls[1]), filled),
        (Evidence(counts="all", calls=max(1, max(rows) // tokens)), rows),
    )
    for way, received in ways:
        everywhere = way.counts != "all" and len(rows) > 1 and set(rows) == {tokens * way.calls}
        if not everywhere and agrees(way, least, shown, received, tokens):
            return way
    raise NotAdaptable(
        f"choose, or the router, gives experts of {site.router} {few(shown)} tokens each, and they were called with"
        f" {few(rows)}: {difference(shown, rows, tokens)}"
    )


def _compare(runner: BlockRunner, step: int, evidence: Evidence) -> None:
    """Compare counts on a longer text; raises NotAdaptable if they differ."""
    site, choice = runner.sites[step], runner.choice(step)
    if evidence.counts is None or choice is None:
        return
    seen = runner.filled if evidence.counts == "filled" else runner.rows
    shown = counts_of(choice.experts, site.layer.experts)
    received = [seen.get((step, e), 0) for e in range(site.layer.experts)]
    least = counts_of(_weighed(choice), site.layer.experts)
    if not agrees(evidence, least, shown, received, len(choice.experts)):
        raise NotAdaptable(
            f"of a text of {runner.tokens} tokens, choose, or the router, gives experts of {site.router} {few(shown)}"
            f" tokens each, and they were called with {few(received)}: {difference(shown, received, runner.tokens)}"
        )


def _weighed(choice: Choice) -> Tensor:
    return weighed(choice.experts, choice.weights)


@dataclass(frozen=True)
class Reach:
    """Tokens of a pass that some experts reach, beside those that take these experts.

    Attributes:
        experts: of the layer, counted from 0.
        tokens: T.
        shown: how many tokens take them, as it is recorded.
        changed: how many tokens change with what these experts return.
        more, less: of them, tokens that do not take these experts, and tokens that do and do not change.
    """

    experts: tuple[int, ...]
    tokens: int
    shown: int
    changed: int
    more: int
    less: int


def _reach(runner: BlockRunner, step: int) -> Reach | None:
    """The first set of experts whose tokens are not those that are recorded; None: all are, or nothing can be seen.

    Experts are tried in sets, so that each expert is told from each other by some set: those whose number has a binary
    digit, and those that lack it.
    """
    site, path, choice = runner.sites[step], runner.block(step), runner.choice(step)
    if isinstance(site.call, CalledWithIds | CalledWithAllTokens) or path is None or choice is None:
        return None
    try:
        before, twice = (_by_token(runner.again(path), runner.tokens) for _ in range(2))
        if before is None or twice is None:
            return None
        runner.size, noise = _largest([before]), _apart([before], [twice])
        for experts in _sets(site.layer.experts):
            with runner.nudging(step, experts) as reachable:
                after = _by_token(runner.again(path), runner.tokens) if reachable else None
            if after is None:
                return None
            if wrong := _wrong(choice, experts, before, after, noise):
                return wrong
    except FAILURES:
        return None
    return None


def _sets(experts: int) -> list[tuple[int, ...]]:
    digits = range(max(1, math.ceil(math.log2(experts)))) if experts > 1 else range(1)
    sets = [tuple(e for e in range(experts) if (e >> digit) % 2 == value) for digit in digits for value in (0, 1)]
    return [chosen for chosen in sets if chosen]


def _wrong(
    choice: Choice,
    experts: tuple[int, ...],
    before: Float[Tensor, "T C"],
    after: Float[Tensor, "T C"],
    noise: float,
) -> Reach | None:
    if not (before.isfinite().all() and after.isfinite().all()):
        return None  # NaN reaches every token, whoever takes it; `check` names the weights
    tokens = len(before)
    weights = choice.weights.float().abs() * (choice.experts != NO_EXPERT)
    among = torch.isin(choice.experts, torch.tensor(experts, device=choice.experts.device))
    share = (weights * among).sum(dim=-1) / weights.sum(dim=-1).clamp(min=torch.finfo(torch.float32).tiny)
    finite = before.isfinite().all(dim=-1) & after.isfinite().all(dim=-1)
    differences = (after - before)[finite].abs().amax(dim=-1)
    changed: Bool[Tensor, " T"] = differences > max(ABOVE_NOISE * noise, 1e-4 * _largest([before]))
    share, taking = share[finite], among.any(dim=-1)[finite]
    more, less = int((changed & ~taking).sum()), int((~changed & (share >= LEAST_SHARE)).sum())
    return Reach(experts, tokens, int(taking.sum()), int(changed.sum()), more, less) if more or less else None


def _agree(runner: BlockRunner, step: int, apart: Reach | None, single: bool) -> None:
    """Raise NotAdaptable for a layer whose experts reach other tokens than those that take them.

    A block may mix tokens behind its experts, so that more of them change: then texts of one token tell.

    Args:
        apart: what was seen on texts of one token.
        single: whether no such texts were tried.
    """
    if runner.block(step) == "":
        wrong = apart
    else:
        together = _reach(runner, step)
        wrong = together if together is not None and (together.less or single or apart is not None) else None
    if wrong is None:
        return
    names = few([e + 1 for e in wrong.experts])
    reason = (
        "the block takes more experts than that (another top-k, or a soft mixture of all)"
        if wrong.more
        else "the block leaves tokens out (a capacity, experts that choose their tokens, or a mixture of depths)"
    )
    raise NotAdaptable(
        f"choose, or the router {runner.sites[step].router}, gives experts {names} {wrong.shown} of {wrong.tokens}"
        f" tokens, and {wrong.changed} tokens change with what these experts return: {reason}. {PASS_CHOOSE}"
    )


def _other_weights(runner: BlockRunner, step: int) -> str | None:
    """The difference of the applied weights from the recorded ones, in words; None: no difference, or none can be seen.

    Each expert returns one number in a feature of its own, which the block adds by the weight of the expert. Nothing is
    seen where the block changes that sum (by a norm or a matrix), or applies weights to what experts read.
    """
    site, path, choice = runner.sites[step], runner.block(step), runner.choice(step)
    if not site.apart or path is None or choice is None:
        return None
    try:
        applied = _applied(runner, step, path)
    except FAILURES:
        return None
    if applied is None:
        return None
    nobody = choice.experts == NO_EXPERT
    recorded = applied.new_zeros(len(applied), site.layer.experts + 1)
    recorded = recorded.scatter_add(
        1, choice.experts.masked_fill(nobody, site.layer.experts), choice.weights.float().masked_fill(nobody, 0.0)
    )[:, :-1]
    close = _weight_rounding(runner) * float(applied.abs().max())
    for weights in (recorded, (recorded != 0).float()):  # all are 1 where weights act on what experts read
        factor = (applied * weights).sum() / weights.square().sum().clamp(min=torch.finfo(torch.float32).tiny)
        if float((applied - factor * weights).abs().max()) <= close:
            return None
    worst = int((applied - recorded).abs().amax(dim=-1).argmax())
    shown, used = ([round(float(w), 3) for w in row[worst, :MOST_WEIGHTS]] for row in (recorded, applied))
    return f"a token has the weights {shown} for its experts, and the block adds what they return by {used}"


def _applied(runner: BlockRunner, step: int, path: str) -> Float[Tensor, "T E"] | None:
    """The weights by which a block adds what its experts return; None: it does not add that as it is."""
    experts = runner.sites[step].layer.experts
    with runner.returning(step, range(0), 0.0):
        before = _by_token(runner.again(path), runner.tokens)
    if before is None or not bool(before.isfinite().all()):
        return None
    before = before.float()
    size, width, parts = max(1.0, _largest([before])), max(1, before.shape[-1] // 2), list[Tensor]()
    for first in range(0, experts, width):
        some, added = range(first, min(first + width, experts)), list[Tensor]()
        for times in (1, 2):
            with runner.returning(step, some, times * size):
                after = _by_token(runner.again(path), runner.tokens)
            if after is None or not bool(after.isfinite().all()):
                return None
            added.append((after.float() - before) / size)
        close = _weight_rounding(runner) * max(1e-3, float(added[0].abs().max()))
        if float((added[1] - 2 * added[0]).abs().max()) > close or float(added[0][:, len(some) :].abs().max()) > close:
            return None
        parts.append(added[0][:, : len(some)])
    return torch.cat(parts, dim=1)


def _weight_rounding(runner: BlockRunner) -> float:
    """The largest accepted difference of weights of experts, as a part of the largest weight."""
    return 100 * _rounding(next(runner.module.parameters()).dtype)


# -- what follows ----------------------------------------------------------------------------------------------


def _evidence(runner: BlockRunner, step: int, evidence: Evidence) -> Evidence:
    site, path = runner.sites[step], runner.block(step)
    dtype = next(runner.module.parameters()).dtype
    try:
        if isinstance(site.call, CalledWithIds):
            evidence = _evidence_of_call(runner, step, evidence, dtype)
        elif path is None:
            reason = f"no module that holds {site.router} and its experts runs once a pass"
            return replace(evidence, unmutable=f"{reason}: {PASS_EXPERTS}", unverified=_unverified(site, evidence))
        else:
            evidence = _evidence_of_block(runner, step, path, evidence, dtype)
        return evidence if path is None else replace(evidence, undroppable=_undroppable(runner, step, path))
    except FAILURES as error:
        first = " ".join(str(error).split())[:160]
        return replace(
            evidence,
            lever=None,
            unmutable=f"its block cannot be run again by itself ({first}): {PASS_EXPERTS}",
            unverified=_unverified(site, evidence),
        )


def _unverified(site: Site, evidence: Evidence) -> str | None:
    """Why a layer's recorded routing is not compared with what its experts receive; None: it is, on every pass."""
    if isinstance(site.call, CalledWithIds | CalledWithAllTokens) or evidence.counts in ("rows", "filled"):
        return None
    if evidence.counts == "all":
        return (
            "its experts are called with all tokens: the choice was compared with its effect when the model was opened,"
            " and not on every pass"
        )
    if site.apart:
        return f"the modules of its experts are never called, so that no tokens are counted: {PASS_EXPERTS}"
    return f"no experts are known whose tokens can be counted: {PASS_EXPERTS}"


def _evidence_of_call(runner: BlockRunner, step: int, evidence: Evidence, dtype: torch.dtype) -> Evidence:
    """Evidence about experts that are called with ids and weights: weights have to be factors of their outputs."""
    site, interceptor = runner.sites[step], runner.interceptors[step]
    assert isinstance(site.call, CalledWithIds)
    path, layout = site.experts or "", site.call.layout
    args, kwargs = runner.calls[path]
    given = [*args, *kwargs.values()]

    def out(change: Mapping[int, Tensor]) -> list[Tensor]:
        values = [change.get(place, value) for place, value in enumerate(given)]
        return runner.again(path, (tuple(values[: len(args)]), dict(zip(kwargs, values[len(args) :], strict=True))))

    weights, places = tensor(given, layout.weights), tensor(given, layout.indices)
    whole, twice, none = out({}), out({}), out({layout.weights: weights * 0})
    half = out({layout.weights: weights * 0.5})
    others = out({layout.weights: weights * 0, layout.indices: (places + 1) % site.layer.experts})
    if reason := _no_factor(whole, twice, none, half, others, dtype):
        return replace(evidence, unmutable=f"{reason}: {PASS_EXPERTS}")
    evidence = replace(evidence, lever="weights")
    x = tensor(given, site.call.tokens)
    if len(whole) != 1 or whole[0].shape != x.shape or bool(none[0].any()):
        return evidence

    slot = site.call.tokens

    def compute(tokens: Tensor, experts: Tensor, shares: Tensor) -> Tensor:
        return out({slot: tokens, layout.indices: experts, layout.weights: shares})[0]

    summed = interceptor.apart(compute, x, interceptor.checked(layout.read(given))).sum(dim=0).view_as(x)
    if _apart(whole, [summed.float()]) > _rounding(dtype) * _largest(whole):
        reason = "what its experts return of a token changes with the tokens beside it"
        return replace(evidence, unverified=reason)
    return replace(evidence, apart=True)


def _no_factor(
    whole: Sequence[Tensor],
    twice: Sequence[Tensor],
    none: Sequence[Tensor],
    half: Sequence[Tensor],
    others: Sequence[Tensor],
    dtype: torch.dtype,
) -> str | None:
    """Why weight 0 does not silence an expert; None: it does.

    Args:
        whole, twice: numbers with the model's weights, of two runs.
        none, half: with weights 0, and with half of the weights.
        others: with weights 0, of other experts.
    """
    if not all(bool(number.isfinite().all()) for number in (*none, *half)):
        return "weights of 0 give no finite numbers"
    effect, noise = _apart(whole, none), ABOVE_NOISE * _apart(whole, twice)
    if effect <= noise and _largest(whole):
        return "the weights of its router change nothing that is computed"
    limit = max(noise, _rounding(dtype) * _largest(whole))
    if _apart(none, others) > limit:
        return "an expert of weight 0 still adds to its tokens"
    if _apart(half, [(a + b) / 2 for a, b in zip(whole, none, strict=True)]) > limit:
        return "weights are no factors of what experts add (they are normalised again, or applied to what experts read)"
    return None


def _evidence_of_block(runner: BlockRunner, step: int, path: str, evidence: Evidence, dtype: torch.dtype) -> Evidence:
    """Evidence about experts that are modules by themselves, called with all tokens in turn, or not known."""
    site = runner.sites[step]
    evidence = replace(evidence, unverified=_unverified(site, evidence) or _other_weights(runner, step))
    whole, twice = runner.again(path), runner.again(path)
    runner.size = _largest(whole)
    if site.apart or isinstance(site.call, CalledWithAllTokens):
        if site.apart:  # what they return reaches the block's output, so that 0 in its place does, too
            with runner.nudging(step, range(site.layer.experts)):
                changed = runner.again(path)
        else:
            with runner.with_part(step, silent=range(site.layer.experts)):
                changed = runner.again(path)
        if _apart(whole, changed) <= ABOVE_NOISE * _apart(whole, twice):
            return replace(evidence, unmutable=f"its experts are not called as modules of their own: {PASS_EXPERTS}")
        return replace(evidence, lever="outputs", apart=isinstance(site.call, CalledWithAllTokens))
    layout = site.layout
    if layout is None or isinstance(layout, ChosenFromLogits):
        return replace(
            evidence, unmutable=f"its experts are not known, and its router returns logits only: {PASS_EXPERTS}"
        )

    def out(change: Callable[[object], object]) -> list[Tensor]:
        runner.change[step] = change
        try:
            return runner.again(path)
        finally:
            del runner.change[step]

    none, half = out(lambda made: layout.scaled(made, 0.0)), out(lambda made: layout.scaled(made, 0.5))
    if isinstance(layout, Indexed):
        others = out(lambda made: layout.others(layout.scaled(made, 0.0), site.layer.experts))
    else:
        with runner.nudging(step, range(site.layer.experts)):
            others = out(lambda made: layout.scaled(made, 0.0))
    if reason := _no_factor(whole, twice, none, half, others, dtype):
        return replace(evidence, unmutable=f"{reason}: {PASS_EXPERTS}")
    return replace(evidence, lever="router")


def _undroppable(runner: BlockRunner, step: int, path: str) -> str | None:
    """Why experts of a layer cannot be dropped; None: they can, or it has too few of them to try."""
    site, choice = runner.sites[step], runner.choice(step)
    if site.fixed is not None:
        return f"{site.fixed}. Mute them instead"
    if choice is None:
        return None
    counts = counts_of(choice.experts, site.layer.experts)
    gone = max(range(site.layer.experts), key=counts.__getitem__)
    kept = [e for e in range(site.layer.experts) if e != gone]
    groups = site.groups
    if site.layer.refusal(len(kept), site.layer.top_k) or not counts[gone]:
        return None
    if groups is not None and groups.refusal(kept, site.layer.experts, site.layer.top_k):
        return None
    whole, twice = runner.again(path), runner.again(path)
    runner.size, noise = _largest(whole), ABOVE_NOISE * _apart(whole, twice)
    by_call = isinstance(
        site.call, CalledWithIds | CalledWithAllTokens
    )  # the experts that tokens take are compared on every pass
    try:
        with runner.with_part(step, kept):
            without = runner.again(path)
        if by_call:
            before = after = without
        else:
            with runner.nudging(step, [gone]) as reachable:
                before = runner.again(path) if reachable else whole
                with runner.with_part(step, kept):
                    after = runner.again(path)
    except IncompleteRouting as error:
        return f"{error}, when one expert was dropped to try"
    except FAILURES as error:
        return f"it cannot run without one of its experts ({' '.join(str(error).split())[:160]})"
    if any(bool(part.isnan().any()) for part in without) and not any(bool(part.isnan().any()) for part in whole):
        return "it gives NaN without one of its experts"
    if _apart(without, after) > max(noise, 1e-4 * runner.size):
        return "what a dropped expert computes still reaches tokens"
    weight = choice.weights.abs()
    heavy = (choice.experts == gone) & (weight >= LEAST_SHARE * weight.sum(dim=-1, keepdim=True))
    if not by_call and bool(heavy.any()) and _apart(before, after) <= noise:
        return "dropping an expert changes nothing that is computed"
    return None
