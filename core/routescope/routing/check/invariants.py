"""The invariants of all networks, one function each, and the list of all invariants in the order of a check."""

import copy
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float64
from torch import Tensor

from routescope.nn.adapters.interception import IncompleteRouting
from routescope.nn.mixture.routed import RoutedNetwork
from routescope.nn.network import BalancedNetwork, Changes, Network, SliceableNetwork
from routescope.routing.caused.intervals import weighted_interval, wilson_interval
from routescope.routing.check.distinct import distinct
from routescope.routing.check.experts import bias, entropy, load, shared
from routescope.routing.check.finding import InvariantResult, failed, held, not_applicable
from routescope.routing.check.subject import Subject, answer, apart, at_tokens, lengths_of, same_bits
from routescope.routing.intervention import Intervention, listed_few
from routescope.routing.listening import IncompleteTrace

#: Paths of weights that are listed.
MOST_PATHS = 3


def finite(subject: Subject) -> InvariantResult:
    """Weights and answers have no NaN and no infinity; a failure names the layer, the expert and the weight."""
    model = subject.model
    bad = {path: name for name, path, weight in _weights(model) if _broken(weight)}
    if bad:
        named, paths = list(dict.fromkeys(bad.values())), ", ".join(list(bad)[:MOST_PATHS])
        more = f" and {len(bad) - MOST_PATHS} more" * (len(bad) > MOST_PATHS)
        return failed(
            f"NaN or infinity in {len(bad)} tensor{'s' * (len(bad) != 1)} (limit 0), in the weights of"
            f" {listed_few(named)} ({paths}{more}): look at the file, and at the training step that wrote it",
            {"weights": 0},
            weights=len(bad),
        )
    wrong = int((~subject.plain.isfinite()).flatten(1).any(dim=1).sum())
    if wrong:
        return failed(
            f"NaN or infinity in the answers for {wrong} of {len(subject.plain)} samples, limit 0, and all weights are"
            f" finite; {_first(subject)}: look for an overflow or a division by zero there",
            {"answers": 0},
            answers=wrong,
        )
    return held("no NaN and no infinity (limit 0)", {"weights": 0, "answers": 0}, weights=0, answers=0)


def _weights(model: Network) -> Iterator[tuple[str, str, Tensor]]:
    """Yield (expert, router or weight in words, path, weight) for every parameter, those of experts apart."""
    seen = set[int]()
    if isinstance(model, RoutedNetwork):
        for unit, weights in model.expert_weights().items():
            for path, weight in weights.items():
                seen.add(weight.untyped_storage().data_ptr())
                yield unit, path, weight
        for layer, weights in model.router_weights().items():
            for path, weight in weights.items():
                seen.add(weight.untyped_storage().data_ptr())
                yield f"the router of {layer}", path, weight
        for layer, bias in model.selection_biases().items():
            yield f"the router of {layer}", "its selection bias", bias.values
    for path, weight in model.named_parameters():
        if weight.untyped_storage().data_ptr() not in seen:
            path = path.removeprefix("module.")  # of a model that was adapted
            yield path.rpartition(".")[0] or path, path, weight


def _broken(weight: Tensor) -> bool:
    return weight.is_floating_point() and not bool(torch.isfinite(weight).all())


def _first(subject: Subject) -> str:
    """Name the first layer whose router reports numbers that are not finite."""
    model = subject.model
    if "router_logits" not in model.fields:
        return "this network reports no router"
    try:
        ran = subject.record(subject.few, only=("router_logits",))
    except IncompleteTrace:
        return "its routers did not report every sample"
    dims = model.fields["router_logits"].dims
    for name, part in zip(subject.steps, ran.fields["router_logits"], strict=True):
        if not at_tokens(part, dims, "unit", ran.there).isfinite().all():
            return f"the first router that reports NaN or infinity is that of {name}"
    return "every router reports finite numbers, so the head or the last layer does not"


#: Fields that are shares, and the axis over which they sum to one.
SHARES = {
    "compatibility": "unit",
    "messages": "sender",
    "read_in": "token",
    "read_out": "unit",
    "multiplexer_weights": "source",
}
#: Probabilities in half precision sum to one within this.
COARSE_SUM = 2e-2
#: Batches of other sizes sum in another order, in every layer: the limit is so many times that of a single sum.
LOOSE = 100
#: Weights are a softmax of a softmax where they differ from it by less, and from a softmax of logits by 100 times more.
TWICE = 1e-4


def captured(subject: Subject) -> InvariantResult:
    """Every field is reported once a step, for all samples, on all passes: several samples, one sample, and a drop."""
    if not subject.fields:
        return not_applicable("this network records no routing")
    passes = {"several samples": (subject.few, Intervention()), "one sample": (subject.few[:1], Intervention())}
    if subject.spared:
        passes["several samples under a drop"] = (subject.few, Intervention(drop=subject.spared))
    for name, (inputs, change) in passes.items():
        try:
            subject.record(inputs, change)
        except (IncompleteTrace, IncompleteRouting) as error:
            return failed(
                f"in the pass of {name}, {error}: look at whether this step runs its router once, and obeys it"
            )
    steps = f"{len(subject.steps)} steps" if len(subject.steps) > 1 else "the single step"
    return held(f"{', '.join(subject.fields)} at {steps}, on {len(passes)} of {len(passes)} passes", passes=len(passes))


def reached(subject: Subject) -> InvariantResult:
    """Muting all units of a group changes the answer, for every group."""
    model = subject.model
    if model.mute_refusal is not None:
        return not_applicable(model.mute_refusal)
    deaf, tried = [], 0
    for name, group in model.groups.items():
        units = tuple(unit for unit in group if unit in set(model.units) - set(model.muted))
        refused = model.refusal(Changes(mute=units), model.bounds.default)
        if not units or refused is not None:
            continue
        tried += 1
        if same_bits(answer(model.mute(units), subject.few), subject.plain):
            deaf.append(name or "all units")
    if not tried:
        return not_applicable("this network has no units to mute")
    if deaf:
        return failed(
            f"muting all units of {listed_few(deaf)} changes no answer, {len(deaf)} of {tried} groups (limit 0): look"
            " at whether the output of these units is added",
            {"deaf": 0},
            deaf=len(deaf),
            groups=tried,
        )
    return held(f"muting changes the answer in {tried} of {tried} groups of units", {"deaf": 0}, deaf=0, groups=tried)


def logits(subject: Subject) -> InvariantResult:
    """Recorded logits are no probabilities: they do not sum to 1, nor all lie between 0 and 1, and the weights of the
    experts are no softmax of a softmax."""
    if "router_logits" not in subject.model.fields:
        return not_applicable("no router of this network reports logits")
    ran, model = subject.recorded, subject.model
    parts, dims, nearest = ran.fields["router_logits"], model.fields["router_logits"].dims, float("inf")
    twice = list[str]()
    for at, (name, part) in enumerate(zip(subject.steps, parts, strict=True)):
        kept = list(model.computing(at, len(parts)))
        numbers = at_tokens(part, dims, "unit", ran.there)[kept].double()
        if len(numbers) < 2 or not numbers.shape[1]:
            continue
        off = float((numbers.sum(dim=0) - 1).abs().max())
        nearest = min(nearest, off)
        if numbers.min() >= 0 and off < COARSE_SUM:
            return failed(
                f"the logits of {name} are never below 0 and sum to 1 within {off:.1g} (limit {COARSE_SUM:g}), as"
                " probabilities do: look at which output of the router is recorded, and whether softmax is taken twice",
                {"off": COARSE_SUM},
                off=off,
            )
        if numbers.min() > 0 and numbers.max() < 1:
            return failed(
                f"the logits of {name} all lie between 0 and 1 ({numbers.min():.2g} to {numbers.max():.2g}), as"
                " sigmoids do: look at which output of the router is recorded",
                least=float(numbers.min()),
                most=float(numbers.max()),
            )
        if _softmax_twice(subject, at, numbers):
            twice.append(name)
            subject.explained.update(dict.fromkeys(model.units_at(at, len(parts)), "logits"))
    if twice:
        return failed(
            f"the weights of the experts of {listed_few(twice)} are a softmax of a softmax of the logits, within"
            f" {TWICE:g} ({len(twice)} of {len(parts)} layers, limit 0): look for probabilities where the block expects"
            " logits",
            {"twice": 0},
            twice=len(twice),
        )
    return held(
        f"sums of logits over experts differ from 1 by up to {nearest:.2g} or more (limit {COARSE_SUM:g}) in each of"
        f" {len(parts)} routers",
        {"off": COARSE_SUM},
        off=nearest,
    )


def _softmax_twice(subject: Subject, at: int, numbers: Float64[Tensor, "E T"]) -> bool:
    """Return whether weights are the softmax of probabilities, and not that of the logits."""
    model, ran, names = subject.model, subject.recorded, ("top_experts", "top_weights")
    if model.muted or len(model.units) < len(model.all_units) or not set(names) <= set(ran.fields):
        return False
    experts, weights = (at_tokens(ran.fields[name][at], model.fields[name].dims, "slot", ran.there) for name in names)
    if (experts < 0).any() or int(experts.max()) >= len(numbers):
        return False
    once = numbers.softmax(dim=0)
    for whole in (False, True):

        def off(p: Tensor, whole: bool = whole) -> float:
            given, expected = weights.double(), p.gather(0, experts.long())
            if whole:
                given, expected = given / given.sum(dim=0), expected / expected.sum(dim=0)
            return float((given - expected).abs().max())

        if off(once.softmax(dim=0)) < TWICE and off(once) > 100 * TWICE:
            return True
    return False


def nothing(subject: Subject) -> InvariantResult:
    """A second run, a view without changes, and a view that keeps all units answer with the same bits."""
    model = subject.model
    for words, view in (
        ("a second run", model),
        ("a view without any change", model.view(Changes())),
        ("a view that keeps every unit", model.keep(model.units)),
    ):
        again = answer(view, subject.few)
        if not same_bits(again, subject.plain):
            off = apart(again, subject.plain) if again.shape == subject.plain.shape else float("inf")
            return failed(
                f"{words} changes the answer by up to {off:.1e} (limit 0): look for randomness, and for numbers that a"
                " view computes in another order",
                {"off": 0},
                off=off,
            )
    return held(
        "a second run, a view without any change and a view that keeps every unit differ by 0 (limit 0)",
        {"off": 0},
        off=0,
    )


def shares(subject: Subject) -> InvariantResult:
    """Shares sum to 1 at every token, unit or block that takes any; in a mixture of experts at every token."""
    model = subject.model
    if model.muted:
        return not_applicable("units are muted, and no unit takes their share")
    fields = [name for name in subject.fields if name in SHARES]
    if not fields:
        return not_applicable("this network reports no shares")
    ran, worst, limit = subject.recorded, 0.0, max(subject.tolerance, 1e-4)
    for name in fields:
        for at, part in enumerate(ran.fields[name]):
            numbers = at_tokens(part, model.fields[name].dims, SHARES[name], ran.there).double()
            sums = numbers.nansum(dim=0)[~numbers.isnan().all(dim=0)]
            if not isinstance(model, RoutedNetwork):  # a token that no unit takes has no shares
                sums = sums[sums != 0]
            off = float((sums - 1).abs().max()) if len(sums) else 0.0
            if off > limit or numbers.isinf().any():
                where = subject.steps[at] if model.fields[name].along == "step" else name
                return failed(
                    f"{name} of {where} sums to 1 only within {off:.2g} (limit {limit:g}): look at how it is"
                    " normalised",
                    {"off": limit},
                    off=off,
                )
            worst = max(worst, off)
    return held(f"{', '.join(fields)} sum to 1 within {worst:.0e} (limit {limit:g})", {"off": limit}, off=worst)


def padding(subject: Subject) -> InvariantResult:
    """A sample has the same tokens and the same answer alone and beside longer samples."""
    model, few = subject.model, subject.few
    alone = [lengths_of(model, few[[row]])[0] for row in range(len(few))]
    if len(set(alone)) == 1:
        return not_applicable("every sample has the same number of tokens, so that none is padded")
    for count, beside in zip(alone, lengths_of(model, few), strict=True):
        if count != beside:
            return failed(
                f"a sample of {count} token{'s' * (count != 1)} counts {beside} beside longer samples: padding is"
                " counted; look at the mask of tokens",
                {"beside": count},
                alone=count,
                beside=beside,
            )
    worst, limit = 0.0, LOOSE * subject.tolerance
    for row, count in enumerate(alone):
        single, together = answer(model, few[[row]])[0], subject.plain[row]
        if "token" in model.answer_axes:
            axis = model.answer_axes.index("token") - 1
            rest = together.narrow(axis, count, together.shape[axis] - count)
            if rest.any():
                most = float(rest.abs().max())
                return failed(
                    f"the answer at padding is up to {most:.2g} (limit 0), so that padding counts: look at where"
                    " answers are masked",
                    {"at_padding": 0},
                    at_padding=most,
                )
            single, together = single.narrow(axis, 0, count), together.narrow(axis, 0, count)
        worst = max(worst, apart(single, together))
    if worst > limit:
        return failed(
            f"the answer for a sample changes by up to {worst:.1e} beside longer samples (limit {limit:g}): look for a"
            " layer that reads padding, or tokens that follow",
            {"off": limit},
            off=worst,
        )
    return held(
        f"samples of {min(alone)} to {max(alone)} tokens change by up to {worst:.0e} beside longer ones (limit"
        f" {limit:g})",
        {"off": limit},
        off=worst,
    )


def alive(subject: Subject) -> InvariantResult:
    """No unit is dead: each is taken by some token of the given samples, at some step of its group."""
    model, taken = subject.model, subject.taken
    if taken is None:
        return not_applicable("no token of this network takes units")
    present = set(model.units)
    names = [unit for unit in model.all_units if unit in present and unit not in subject.explained]
    if not names:
        return not_applicable("earlier lines tell of all units" if subject.explained else "this network has no units")
    by_sample, length, total = taken.of(names), taken.lengths, taken.tokens
    apart_from = f"; {listed_few(subject.explained)} are left out, as earlier lines tell of them" * bool(
        subject.explained
    )
    steps = Counter(model.group_at(at, len(subject.steps)) for at in range(len(subject.steps)))
    times = {unit: steps[group] for group, units in model.groups.items() for unit in units}
    dead = [name for name, counts in zip(names, by_sample, strict=True) if not counts.any()]
    if dead:
        low, high = wilson_interval(0, len(length))
        return failed(
            f"no token of these {len(length):,} samples takes {listed_few(dead)} (0 of {total:,}, limit 1); up to"
            f" {100 * high:.1f} % of such samples may still have a token that does (95 %): look at the bias and the"
            f" balance of the router, or take more samples{apart_from}",
            {"least": 1},
            least=0,
            dead=len(dead),
            low=low,
            high=high,
        )
    rarest = int(by_sample.sum(axis=1).argmin())
    share, low, high = weighted_interval(
        by_sample[rarest] / np.maximum(1, length * times[names[rarest]]), length.astype(np.float64)
    )
    return held(
        f"the rarest unit, {names[rarest]}, is taken {int(by_sample[rarest].sum()):,} times (limit 1), by"
        f" {100 * share:.2g} % of {total:,} tokens ({100 * low:.2g} to {100 * high:.2g} %, 95 %, over samples)"
        f"{apart_from}",
        {"least": 1},
        least=int(by_sample[rarest].sum()),
        share=share,
        low=low,
        high=high,
    )


def balanced(subject: Subject) -> InvariantResult:
    """The auxiliary loss is finite, and has a finite gradient other than 0 for every router."""
    if not isinstance(subject.model, BalancedNetwork):
        return not_applicable("this network has no auxiliary loss that the check could compute")
    learning = _with_learning_routers(subject.model)
    routers = learning.routers()
    with torch.enable_grad():
        loss = learning.auxiliary_loss(subject.few.to(subject.model.device))
    if not loss.isfinite().all():
        return failed(f"the loss is {float(loss.detach())}: look at what it divides by")
    every = [parameter for parameters in routers.values() for parameter in parameters]
    if not loss.requires_grad:
        return failed("the loss has no gradient at all: look for a detach, or a computation without a graph")
    gradients = dict(zip(map(id, every), torch.autograd.grad(loss, every, allow_unused=True), strict=True))
    without, least = [], float("inf")
    for name, parameters in routers.items():
        sizes = [0.0 if (g := gradients[id(parameter)]) is None else float(g.norm()) for parameter in parameters]
        if not sum(sizes) > 0 or not np.isfinite(sum(sizes)):
            without.append(name)
        least = min(least, sum(sizes))
    if without:
        return failed(
            f"the routers of {listed_few(without)} get no gradient, {len(without)} of {len(routers)} (limit 0): look at"
            " which layers the loss sums over, and for a detach on the way",
            {"without": 0},
            without=len(without),
        )
    return held(
        f"the smallest gradient of {len(routers)} routers has norm {least:.1e} (limit: above 0)",
        {"least": 0},
        least=least,
    )


def _with_learning_routers(model: BalancedNetwork) -> BalancedNetwork:
    """Return a copy in which only the routers have parameters of their own, which learn; all else is shared and never
    changes."""
    routers = {id(parameter) for parameters in model.routers().values() for parameter in parameters}
    shared = {id(tensor): tensor for tensor in (*model.parameters(), *model.buffers()) if id(tensor) not in routers}
    made = copy.deepcopy(model, shared)
    for parameters in made.routers().values():
        for parameter in parameters:
            parameter.requires_grad_(True)
    return made


def sliced(subject: Subject) -> InvariantResult:
    """A network from which units are cut out answers like the view in which they are dropped."""
    model = subject.model
    if not isinstance(model, SliceableNetwork):
        return not_applicable("no smaller network can be made of this one")
    if not subject.spared:
        return not_applicable("no unit can be dropped")
    if "logits" in subject.explained.values():
        return not_applicable("a softmax of probabilities gives weight to dropped experts; `logits` tells of it")
    view = model.view(Changes(drop=subject.spared))
    assert isinstance(view, SliceableNetwork), "a view is of the class of its network"
    try:
        smaller = view.sliced()
    except ValueError as error:
        return not_applicable(f"{error}")
    off, limit = apart(answer(smaller, subject.few), answer(view, subject.few)), subject.tolerance
    words = f"without {listed_few(subject.spared)}, the two differ by up to {off:.1e} (limit {limit:g})"
    if off > limit:
        return failed(f"{words}: look at how dropped units are masked", {"off": limit}, off=off)
    return held(words, {"off": limit}, off=off)


def recorded(subject: Subject) -> InvariantResult:
    """A recorded run answers with the same bits as a plain run."""
    if not subject.fields:
        return not_applicable("this network records no routing")
    out = subject.recorded.out
    if not same_bits(out, subject.plain):
        off = apart(out, subject.plain) if out.shape == subject.plain.shape else float("inf")
        return failed(
            f"recording changes the answer by up to {off:.1e} (limit 0): look at what is computed only while recording",
            {"off": 0},
            off=off,
        )
    return held(f"recording {len(subject.fields)} fields changes the answer by 0 (limit 0)", {"off": 0}, off=0)


def verified(subject: Subject) -> InvariantResult:
    """Recorded routing is compared with the tokens that experts receive, on every pass."""
    model = subject.model
    if not isinstance(model, RoutedNetwork):
        return not_applicable("no token of this network is routed to experts")
    if not model.unverified:
        count = len(model.routed_layers)
        return held(f"compared in {count} of {count} layers", {"unverified": 0}, unverified=0)
    layers = listed_few(model.unverified)
    return not_applicable(f"unverified routing in {layers}: {next(iter(model.unverified.values()))}")


@dataclass(frozen=True)
class Invariant:
    """A property that must hold: a short name, a sentence, and the function that looks."""

    name: str
    sentence: str
    look: Callable[[Subject], InvariantResult]


INVARIANTS = (
    Invariant("finite", "weights and answers are finite", finite),
    Invariant("captured", "every routed layer is recorded on every pass", captured),
    Invariant("reached", "the units of every layer change the answer", reached),
    Invariant("distinct", "no unit adds nothing, and no two units are the same", distinct),
    Invariant("logits", "recorded logits are logits, not probabilities", logits),
    Invariant("nothing", "dropping nothing changes no bit of the answer", nothing),
    Invariant("shares", "shares sum to 1", shares),
    Invariant("padding", "padding changes nothing and is not counted", padding),
    Invariant("bias", "no selection bias decides alone", bias),
    Invariant("shared", "no shared expert is counted as routed", shared),
    Invariant("load", "no expert takes nearly all tokens", load),
    Invariant("entropy", "no router has collapsed to certainty", entropy),
    Invariant("alive", "no unit is dead on these samples", alive),
    Invariant("balanced", "the auxiliary loss has a gradient for every router", balanced),
    Invariant("sliced", "cutting experts out answers as dropping them", sliced),
    Invariant("recorded", "recording changes no bit of the answer", recorded),
    Invariant("verified", "recorded routing is what experts received", verified),
)
