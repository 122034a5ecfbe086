"""Invariants of routers: how sharply they choose, what a selection bias decides, and how tokens spread over experts.

Symbols: E experts of a layer that take part, T tokens, K experts that a token takes.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from routescope.nn.mixture.routed import RoutedNetwork
from routescope.routing.caused.intervals import wilson_interval
from routescope.routing.check.finding import InvariantResult, failed, held, not_applicable
from routescope.routing.check.subject import Subject, at_tokens
from routescope.routing.intervention import listed_few

#: A router has collapsed where the mean entropy of its softmax is so small a part of the entropy of even choice.
LEAST_ENTROPY = 0.01
#: Router weights are out of scale from so many times the size (root mean square) of the weights of the layer's experts.
MOST_SCALE = 30.0
#: An expert is lost to its bias where no token takes it, and more than this share of tokens would without the bias.
MOST_LOST = 0.05
#: A bias decides alone where more than this share of tokens take an expert that they would not take without the bias.
MOST_FORCED = 0.5
#: An expert is no choice of the router where all tokens take it, more than this share against their logits.
MOST_AGAINST = 0.05
#: An expert is a hog where its share of a layer's tokens is so far on the way from an even share, K / E, to all tokens.
MOST_OF_THE_WAY = 0.95
#: An expert is a hog, too, from this many times the mean load, less 1 (MaxVio, Wang et al. 2024).
MOST_VIOLATION = 4.0
#: The row of an expert in its router is an outlier from so many times the median norm of the rows.
LONGEST_ROW = 5.0
NO_CHOICE = "no layer leaves a token a choice of experts"
NO_EXPERTS = "no token of this network chooses experts"


@dataclass(frozen=True, eq=False)
class RouterChoices:
    """The choices of one router for the few samples, without padding.

    Attributes:
        units: names of the experts that take part.
        logits: of these experts.
        chosen: which of them each token takes.
    """

    layer: str
    units: tuple[str, ...]
    logits: Float[Tensor, "T E"]
    chosen: Bool[Tensor, "T E"]

    @property
    def top_k(self) -> int:
        """The most experts that a token takes."""
        return int(self.chosen.sum(dim=1).max()) if len(self.chosen) else 0

    def best(self, scores: Float[Tensor, "T E"]) -> Bool[Tensor, "T E"]:
        """Return which experts each token would take by these scores alone."""
        counts = self.chosen.sum(dim=1, keepdim=True)
        order = scores.argsort(dim=1, descending=True, stable=True).argsort(dim=1)
        return order < counts


def _routed(subject: Subject) -> Iterator[RouterChoices]:
    """Yield the choices of every router that has logits, and leaves a token fewer experts than take part."""
    model, ran = subject.model, subject.recorded
    pairs = zip(ran.fields["router_logits"], ran.fields["top_experts"], strict=True)
    for at, (logits, experts) in enumerate(pairs):
        kept = list(model.computing(at, len(subject.steps)))
        scores = at_tokens(logits, model.fields["router_logits"].dims, "unit", ran.there)
        places = at_tokens(experts, model.fields["top_experts"].dims, "slot", ran.there).long().T
        chosen = torch.zeros(len(places), len(scores) + 1, dtype=torch.bool, device=places.device)
        chosen.scatter_(1, torch.where(places < 0, len(scores), places), True)
        choices = RouterChoices(
            subject.steps[at], model.units_at(at, len(subject.steps)), scores[kept].T.double(), chosen[:, kept]
        )
        if len(kept) > 1 and len(chosen) and choices.top_k < len(kept) and not choices.logits.isnan().any():
            yield choices


def _reported(subject: Subject) -> bool:
    return isinstance(subject.model, RoutedNetwork) and {"router_logits", "top_experts"} <= set(subject.model.fields)


def entropy(subject: Subject) -> InvariantResult:
    """No router is certain of every choice: the softmax of its logits spreads at the mean token, and its weights are
    not many times as large as those of its experts."""
    if not _reported(subject):
        return not_applicable(NO_EXPERTS)
    lowest, largest = ("", float("inf")), ("", 0.0)
    for routed in _routed(subject):
        if set(routed.units) <= set(subject.explained):
            continue
        p = routed.logits.softmax(dim=1)
        even = torch.log(torch.tensor(float(p.shape[1])))
        lowest = min(lowest, (routed.layer, float(torch.special.entr(p).sum(dim=1).mean() / even)), key=_second)
        largest = max(largest, (routed.layer, _scale(subject, routed)), key=_second)
    if not lowest[0]:
        return not_applicable("earlier lines tell of all layers" if subject.explained else NO_CHOICE)
    figures = {"entropy": lowest[1], "scale": largest[1]}
    limits = {"entropy": LEAST_ENTROPY, "scale": MOST_SCALE}
    words = (
        f"the router of {lowest[0]} has the lowest entropy, {100 * lowest[1]:.2g} % of an even choice's (limit"
        f" {100 * LEAST_ENTROPY:g} %), and that of {largest[0]} the largest weights, {largest[1]:.2g} times as large as"
        f" its experts' (limit {MOST_SCALE:g})"
    )
    if lowest[1] < LEAST_ENTROPY or largest[1] > MOST_SCALE:
        return failed(
            f"{words}: look at the scale of the router's weights, and for a missing normalisation before the router",
            limits,
            **figures,
        )
    return held(words, limits, **figures)


def _second(pair: tuple[str, float]) -> float:
    return pair[1]


def _scale(subject: Subject, routed: RouterChoices) -> float:
    """Return the size of the router's weights over the median size of its experts' matrices; 0 where it is unknown."""
    model = subject.model
    assert isinstance(model, RoutedNetwork)
    weights = model.expert_weights()
    experts = [_size(w) for unit in routed.units for w in weights.get(unit, {}).values() if w.dim() > 1]
    routers = [_size(w) for w in model.router_weights().get(routed.layer, {}).values() if w.dim() > 1]
    median = float(torch.tensor(experts).median()) if experts else 0.0
    return max(routers) / median if routers and median else 0.0


def _size(weight: Tensor) -> float:
    """Return the root mean square of the numbers of a weight."""
    return float(weight.detach().float().square().mean().sqrt())


def bias(subject: Subject) -> InvariantResult:
    """No selection bias decides alone: it neither keeps an expert from all tokens, nor gives an expert most tokens."""
    model = subject.model
    if not isinstance(model, RoutedNetwork) or not _reported(subject):
        return not_applicable(NO_EXPERTS)
    biases = model.selection_biases()
    if not biases:
        return not_applicable("no router of this network has a bias by expert")
    worst, lost, forced = {"lost": 0.0, "forced": 0.0}, list[str](), list[str]()
    for at, routed in _with_bias(subject):
        selection = biases[routed.layer]
        values = selection.values.double().to(routed.logits.device)[list(model.computing(at, len(subject.steps)))]
        if float(values.max()) == float(values.min()):  # it prefers no expert
            continue
        would = routed.best(routed.logits - values if selection.in_logits else routed.logits)
        does = routed.best(routed.logits) if selection.in_logits else routed.chosen
        pushed = (routed.chosen & does & ~would).double().mean(dim=0)
        worst["forced"] = max(worst["forced"], float(pushed.max()))
        if pushed.max() > MOST_FORCED:
            forced += [routed.units[e] for e in (pushed > MOST_FORCED).nonzero().flatten().tolist()]
            subject.explained.update(dict.fromkeys(routed.units, "bias"))
            continue
        missed = would.double().mean(dim=0) * (_counts(subject, routed.units) == 0).to(would.device)
        worst["lost"] = max(worst["lost"], float(missed.max()))
        lost += [routed.units[e] for e in (missed > MOST_LOST).nonzero().flatten().tolist()]
    limits = {"lost": MOST_LOST, "forced": MOST_FORCED}
    subject.explained.update(dict.fromkeys(lost, "bias"))
    if forced:
        return failed(
            f"up to {100 * worst['forced']:.0f} % of tokens take {listed_few(forced)} because of the selection bias"
            f" alone (limit {100 * MOST_FORCED:g} %): look at the size of the bias beside the router's scores",
            limits,
            **worst,
        )
    if lost:
        return failed(
            f"no token takes {listed_few(lost)}, and up to {100 * worst['lost']:.0f} % of tokens would without the"
            f" selection bias (limit {100 * MOST_LOST:g} %): look at the bias, and at the rule that updates it",
            limits,
            **worst,
        )
    return held(
        f"an expert gets up to {100 * worst['forced']:.0f} % of tokens because of its selection bias alone (limit"
        f" {100 * MOST_FORCED:g} %), and an unused expert lacks up to {100 * worst['lost']:.0f} % because of it (limit"
        f" {100 * MOST_LOST:g} %)",
        limits,
        **worst,
    )


def _with_bias(subject: Subject) -> Iterator[tuple[int, RouterChoices]]:
    assert isinstance(subject.model, RoutedNetwork)
    biases = subject.model.selection_biases()
    for routed in _routed(subject):
        if routed.layer in biases:
            yield subject.steps.index(routed.layer), routed


def _counts(subject: Subject, units: tuple[str, ...]) -> Tensor:
    """Return how many tokens of all samples take each of some experts (E,)."""
    assert subject.taken is not None
    return torch.from_numpy(subject.taken.of(units).sum(axis=1))


def shared(subject: Subject) -> InvariantResult:
    """No shared expert is counted as routed: an expert that all tokens take is one that their logits prefer."""
    model = subject.model
    if not isinstance(model, RoutedNetwork) or not _reported(subject):
        return not_applicable(NO_EXPERTS)
    biases, worst, suspects = model.selection_biases(), 0.0, list[str]()
    for routed in _routed(subject):
        if torch.equal(routed.logits.amin(dim=1), routed.logits.amax(dim=1)):  # a router of zeros: see `load`
            continue
        always = routed.chosen.all(dim=0)
        constant = (routed.logits == routed.logits[:1]).all(dim=0) if len(routed.logits) > 1 else always & False
        against = (routed.chosen & ~routed.best(routed.logits)).double().mean(dim=0)
        if routed.layer in biases and not biases[routed.layer].in_logits:  # the bias may decide against logits
            against = torch.zeros_like(against)
        excess = torch.where(always, torch.where(constant, 1.0, against), 0.0)
        excess = excess * torch.tensor([unit not in subject.explained for unit in routed.units], device=excess.device)
        suspects += [routed.units[e] for e in (excess > MOST_AGAINST).nonzero().flatten().tolist()]
        worst = max(worst, float(excess.max()))
    limits = {"against": MOST_AGAINST}
    if suspects:
        subject.explained.update(dict.fromkeys(suspects, "shared"))
        return failed(
            f"all tokens take {listed_few(suspects)}, up to {100 * worst:.0f} % of them against the router's logits"
            f" (limit {100 * MOST_AGAINST:g} %): look for a shared expert, and leave it out of the routed ones",
            limits,
            against=worst,
        )
    return held(
        f"of the experts that all tokens take, up to {100 * worst:.0f} % of tokens take one against the router's logits"
        f" (limit {100 * MOST_AGAINST:g} %)",
        limits,
        against=worst,
    )


@dataclass(frozen=True)
class _Loads:
    """The largest loads of one layer.

    Attributes:
        unit, share: the expert with the largest share of tokens.
        low: the lower end of the 95 % interval of the share, so that few tokens prove nothing.
        limit: of ``low``.
        violation: MaxVio, at the lower end.
        long_unit, row: the expert with the longest row in the router, and its norm over the median norm.
    """

    layer: str
    unit: str
    share: float
    low: float
    limit: float
    violation: float
    long_unit: str
    row: float

    @property
    def fails(self) -> bool:
        return self.low >= self.limit or self.violation > MOST_VIOLATION or self.row > LONGEST_ROW


def load(subject: Subject) -> InvariantResult:
    """No expert is a hog: none takes nearly all tokens or many times the mean load, or has a far longer router row."""
    model = subject.model
    if not _reported(subject):
        return not_applicable(NO_EXPERTS)
    layers = [loads for routed in _routed(subject) if (loads := _loads(subject, routed)) is not None]
    if not layers:
        return not_applicable("earlier lines tell of all layers" if subject.explained else NO_CHOICE)
    # The layer to tell of is the one that fails, or else the one that is nearest to its limit.
    worst = max(layers, key=lambda loads: (loads.fails, loads.low / loads.limit))
    tokens = max(1, subject.taken.tokens if subject.taken is not None else 0)
    longest = worst if worst.row > LONGEST_ROW else max(layers, key=lambda loads: loads.row)
    figures = {"share": worst.share, "low": worst.low, "maxvio": worst.violation, "row": longest.row}
    limits = {"low": worst.limit, "maxvio": MOST_VIOLATION, "row": LONGEST_ROW}
    words = (
        f"{worst.unit} takes {100 * worst.share:.0f} % of {tokens:,} tokens (at least {100 * worst.low:.0f} %, limit"
        f" {100 * worst.limit:.0f} %), MaxVio {worst.violation:.2g} (limit {MOST_VIOLATION:g}); the router's row of"
        f" {longest.long_unit} is {longest.row:.2g} times as long as the median row (limit {LONGEST_ROW:g})"
    )
    for loads in layers:
        if loads.fails:
            subject.explained.update(dict.fromkeys(model.groups[loads.layer], "load"))
    if worst.fails:
        return failed(f"{words}: look at the router's weights and bias, and at the balance loss", limits, **figures)
    return held(words, limits, **figures)


def _loads(subject: Subject, routed: RouterChoices) -> _Loads | None:
    """Return the largest loads of a layer; None: its experts are all explained by an earlier invariant."""
    assert subject.taken is not None
    counts = _counts(subject, routed.units).double()
    candidates = [position for position, unit in enumerate(routed.units) if unit not in subject.explained]
    if not candidates or not float(counts.sum()):
        return None
    best, even = max(candidates, key=lambda position: float(counts[position])), routed.top_k / len(routed.units)
    long_unit, row = _longest_row(subject, routed)
    tokens = max(1, subject.taken.tokens)
    low, _ = wilson_interval(int(counts[best]), tokens)
    return _Loads(
        routed.layer,
        routed.units[best],
        float(counts[best]) / tokens,
        low,
        even + MOST_OF_THE_WAY * (1 - even),
        low * tokens / float(counts.mean()) - 1,
        long_unit,
        row,
    )


def _longest_row(subject: Subject, routed: RouterChoices) -> tuple[str, float]:
    """Return the expert with the longest row in its router, and the norm of the row over the median norm.

    Where the router has no matrix with a row for each expert, the norms are taken as equal.
    """
    model = subject.model
    assert isinstance(model, RoutedNetwork)
    units = model.groups[routed.layer]
    rows = [w for w in model.router_weights().get(routed.layer, {}).values() if w.dim() == 2 and len(w) == len(units)]
    if not rows:
        return routed.units[0], 1.0
    norms = rows[-1].detach().float().norm(dim=1)[[units.index(unit) for unit in routed.units]]
    best, median = int(norms.argmax()), float(norms.median())
    return routed.units[best], float(norms[best]) / median if median else 1.0  # all rows are 0: equal, too
