"""The invariants, one small function each: each takes what is checked, and says what it found."""

import copy
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Int64

from core.nn.mixture.routed import NO_EXPERT
from core.nn.network import Balanced, Changes, Network
from core.routing.caused.intervals import weighted_interval, wilson_interval
from core.routing.check.finding import Outcome, failed, held, not_applicable
from core.routing.check.subject import Subject, answer, apart, at_tokens, lengths_of, same_bits
from core.routing.intervention import Intervention, listed_few
from core.routing.listening import IncompleteTrace
from core.routing.running import Ran

#: Fields that are shares, and the axis over which they sum to one.
SHARES = {
    "compatibility": "unit",
    "messages": "sender",
    "read_in": "token",
    "read_out": "unit",
    "multiplexer_weights": "source",
}
#: Fields that say who takes a token, the best first.
TAKEN = ("top_experts", "compatibility")
#: Probabilities in half precision sum to one within this.
COARSE_SUM = 2e-2
#: Batches of other sizes sum in another order, in every layer: so many times what one sum may differ by.
LOOSE = 100


def captured(subject: Subject) -> Outcome:
    """Every field is reported exactly once a step, of every sample, on every pass: of several, one and under a drop."""
    if not subject.fields:
        return not_applicable("this network reports nothing of its routing")
    passes = {"several samples": (subject.few, Intervention()), "one sample": (subject.few[:1], Intervention())}
    if subject.spared:
        passes["several samples under a drop"] = (subject.few, Intervention(drop=subject.spared))
    for name, (inputs, change) in passes.items():
        try:
            subject.record(inputs, change)
        except IncompleteTrace as error:
            return failed(f"of {name}, {error}: look at what that step computes instead of its router")
    steps = f"{len(subject.steps)} steps" if len(subject.steps) > 1 else "the one step"
    return held(f"{', '.join(subject.fields)} at {steps}, on {len(passes)} passes", passes=len(passes))


def reached(subject: Subject) -> Outcome:
    """What the units of every group compute reaches the answer: muting them all changes it."""
    deaf, tried = [], 0
    for name, group in subject.model.groups.items():
        units = tuple(unit for unit in group if unit in set(subject.model.units) - set(subject.model.muted))
        refused = subject.model.refusal(Changes(mute=units), subject.model.bounds.default)
        if not units or refused is not None:
            continue
        tried += 1
        if same_bits(answer(subject.model.mute(units), subject.few), subject.plain):
            deaf.append(name or "all units")
    if deaf:
        few = listed_few(deaf)
        return failed(
            f"muting every unit of {few} changes no answer: look at whether their output is added", n=len(deaf)
        )
    if not tried:
        return not_applicable("this network has no units to mute")
    return held(f"muting a whole group of units changes the answer, in each of {tried}", groups=tried)


def logits(subject: Subject) -> Outcome:
    """What routers report as logits are no probabilities: these sum to one, and sigmoids lie between 0 and 1."""
    if "router_logits" not in subject.model.fields:
        return not_applicable("no router of this network reports logits")
    ran, model = subject.recorded, subject.model
    parts, dims = ran.fields["router_logits"], model.fields["router_logits"].dims
    for at, (name, part) in enumerate(zip(subject.steps, parts, strict=True)):
        own = at_tokens(part, dims, "unit", ran.there)[list(model.computing(at, len(parts)))].double()
        if own.isnan().any() or own.isposinf().any():
            return failed(f"those of {name} are not all finite: look at what its router reads")
        if len(own) < 2 or not own.shape[1]:
            continue
        off = float((own.sum(dim=0) - 1).abs().max())
        if own.min() >= 0 and off < COARSE_SUM:
            return failed(
                f"those of {name} are never below 0 and sum to 1 over its experts: they are probabilities;"
                " look at which output of the router is recorded, and whether a softmax is taken twice",
                off=off,
            )
        if own.min() > 0 and own.max() < 1:
            return failed(
                f"those of {name} all lie between 0 and 1, as sigmoids do: look at which output of the router is"
                " recorded",
                least=float(own.min()),
                most=float(own.max()),
            )
    return held(f"of {len(parts)} routers none reports numbers that sum to one, or all lie between 0 and 1")


def nothing(subject: Subject) -> Outcome:
    """Dropping nothing changes no bit of the answer, nor does keeping every unit, or a second run."""
    model = subject.model
    for words, view in (
        ("a second run", model),
        ("a view without any change", model.view(Changes())),
        ("a view that keeps every unit", model.keep(model.units)),
    ):
        again = answer(view, subject.few)
        if not same_bits(again, subject.plain):
            off = apart(again, subject.plain) if again.shape == subject.plain.shape else float("inf")
            return failed(f"{words} answers otherwise, by up to {off:.1e}: look at what a view computes anew")
    return held("a second run, a view without any change, and one that keeps every unit answer bit for bit alike")


def shares(subject: Subject) -> Outcome:
    """Shares sum to one, at every token, unit or block that takes any; tokens of a mixture of experts always do."""
    model = subject.model
    if model.muted:
        return not_applicable("units are muted, and nobody takes their share")
    found = [name for name in subject.fields if name in SHARES]
    if not found:
        return not_applicable("this network reports no shares")
    ran, worst = subject.recorded, 0.0
    for name in found:
        for at, part in enumerate(ran.fields[name]):
            own = at_tokens(part, model.fields[name].dims, SHARES[name], ran.there).double()
            sums = own.nansum(dim=0)[~own.isnan().all(dim=0)]
            if model.routing is None:  # a token that no unit takes has no shares
                sums = sums[sums != 0]
            off = float((sums - 1).abs().max()) if len(sums) else 0.0
            if off > max(subject.tolerance, 1e-4) or own.isinf().any():
                where = subject.steps[at] if model.fields[name].along == "step" else name
                return failed(
                    f"{name} sums to up to {off:.2g} beside 1 at {where}: look at how it is normalised", off=off
                )
            worst = max(worst, off)
    return held(f"{', '.join(found)} sum to 1 within {worst:.0e}", off=worst)


def padding(subject: Subject) -> Outcome:
    """Padding is no token: a sample beside longer ones has the tokens, and the answer, that it has alone."""
    model, few = subject.model, subject.few
    alone = [lengths_of(model, few[[row]])[0] for row in range(len(few))]
    if len(set(alone)) == 1:
        return not_applicable("every sample has as many tokens, so none is padded")
    for own, beside in zip(alone, lengths_of(model, few), strict=True):
        if own != beside:
            return failed(
                f"a sample has {own} token{'s' * (own != 1)} alone and {beside} beside longer ones: padding is counted;"
                " look at the mask of tokens",
                alone=own,
                beside=beside,
            )
    worst = 0.0
    for row, own in enumerate(alone):
        one, together = answer(model, few[[row]])[0], subject.plain[row]
        if "token" in model.answer_axes:
            axis = model.answer_axes.index("token") - 1
            rest = together.narrow(axis, own, together.shape[axis] - own)
            if rest.any():
                return failed("the answer at padding is not 0, so that it counts: look at where answers are masked")
            one, together = one.narrow(axis, 0, own), together.narrow(axis, 0, own)
        worst = max(worst, apart(one, together))
    if worst > LOOSE * subject.tolerance:
        return failed(
            f"a sample is answered otherwise beside longer ones, by up to {worst:.1e}: look at what reads padding",
            off=worst,
        )
    return held(f"samples of {min(alone)} to {max(alone)} tokens are alone what they are together", off=worst)


def alive(subject: Subject) -> Outcome:
    """No unit is dead: each is taken by some token of the given samples, at some step of its group."""
    field = next((name for name in TAKEN if name in subject.model.fields), None)
    if field is None:
        return not_applicable("no token of this network takes units")
    model, taken, tokens = subject.model, list[np.ndarray](), list[np.ndarray]()
    for inputs in subject.pieces():
        ran = subject.record(inputs, only=(field,))
        taken.append(_taken(model, ran, field, subject.steps))
        tokens.append(np.asarray(lengths_of(model, inputs)))
    by_sample, length = np.concatenate(taken, axis=1), np.concatenate(tokens)
    there = np.array([unit in set(model.units) for unit in model.all_units])
    names = [unit for unit in model.all_units if unit in set(model.units)]
    by_sample = by_sample[there]
    steps = Counter(model.group_at(at, len(subject.steps)) for at in range(len(subject.steps)))
    times = np.array([steps[group] for group, units in model.groups.items() for _ in units])[there]
    total = int(length.sum())
    dead = [name for name, counts in zip(names, by_sample, strict=True) if not counts.any()]
    if dead:
        low, high = wilson_interval(0, len(length))
        return failed(
            f"{listed_few(dead)} took none of {total:,} tokens; of samples like these {len(length):,}, 0 to"
            f" {100 * high:.1f} % have a token that they take (95 %): look at the bias and the balance of their router",
            dead=len(dead),
            low=low,
            high=high,
        )
    if not names:
        return not_applicable("this network has no units")
    rarest = int(by_sample.sum(axis=1).argmin())
    share, low, high = weighted_interval(
        by_sample[rarest] / np.maximum(1, length * times[rarest]), length.astype(np.float64)
    )
    return held(
        f"the rarest, {names[rarest]}, takes {100 * share:.2g} % of {total:,} tokens"
        f" ({100 * low:.2g} to {100 * high:.2g}, 95 %, over samples)",
        share=share,
        low=low,
        high=high,
    )


def _taken(model: Network, ran: Ran, field: str, steps: tuple[str, ...]) -> Int64[np.ndarray, "unit sample"]:
    """How many tokens of each sample take each of all units, steps of a group together."""
    places = {unit: place for place, unit in enumerate(model.all_units)}
    found = np.zeros((len(places), len(ran.rows)), dtype=np.int64)
    dims = model.fields[field].dims
    for at, part in enumerate(ran.fields[field]):
        group = model.groups[model.group_at(at, len(steps))]
        if field == "compatibility":
            took = (part.movedim((dims.index("unit"), dims.index("sample")), (0, 1)).nan_to_num() > 0).flatten(2).sum(2)
            counts = took.cpu().numpy()
        else:
            flat = part.movedim(dims.index("sample"), 0).flatten(1).long()
            flat = torch.where(flat == NO_EXPERT, len(group), flat)
            counts = (
                torch.stack([torch.bincount(row, minlength=len(group) + 1) for row in flat])[:, :-1].T.cpu().numpy()
            )
        for unit, own in zip(group, counts, strict=False):
            found[places[unit]] += own
    return found


def balanced(subject: Subject) -> Outcome:
    """The auxiliary loss reaches the parameters of every router with a gradient that is finite and not zero."""
    facet = subject.model.balanced
    if facet is None:
        return not_applicable("this network is trained without an auxiliary loss of its routers, or says nothing of it")
    learning = _with_learning_routers(subject.model, facet)
    routers = learning.routers()
    with torch.enable_grad():
        loss = learning.auxiliary_loss(subject.few.to(subject.model.device))
    if not loss.isfinite().all():
        return failed(f"it is {float(loss.detach())}: look at what it divides by")
    every = [parameter for own in routers.values() for parameter in own]
    if not loss.requires_grad:
        return failed("it has no gradient at all: look for a detach, or a computation without a graph")
    gradients = dict(zip(map(id, every), torch.autograd.grad(loss, every, allow_unused=True), strict=True))
    without, least = [], float("inf")
    for name, own in routers.items():
        sizes = [0.0 if (g := gradients[id(each)]) is None else float(g.norm()) for each in own]
        if not sum(sizes) > 0 or not np.isfinite(sum(sizes)):
            without.append(name)
        least = min(least, sum(sizes))
    if without:
        return failed(
            f"it reaches no router of {listed_few(without)} with a gradient: look at which layers it sums over,"
            " and at what is detached on the way",
            without=len(without),
        )
    return held(f"its gradient reaches each of {len(routers)} routers, of a norm of {least:.1e} or more", least=least)


def _with_learning_routers(model: Network, facet: Balanced) -> Balanced:
    """A copy in which only routers are parameters of its own, that learn; all else is shared, and nothing changes."""
    own = {id(parameter) for parameters in facet.routers().values() for parameter in parameters}
    shared = {id(each): each for each in (*model.parameters(), *model.buffers()) if id(each) not in own}
    made = copy.deepcopy(model, shared).balanced
    assert made is not None, "a copy has the facets of what it is a copy of"
    for parameters in made.routers().values():
        for parameter in parameters:
            parameter.requires_grad_(True)
    return made


def sliced(subject: Subject) -> Outcome:
    """A network from which units are really cut out answers as the view does in which they are dropped."""
    model = subject.model
    if model.sliceable is None:
        return not_applicable("no network with fewer units is made of this kind: its views leave their weights out")
    if not subject.spared:
        return not_applicable("no unit can be dropped")
    view = model.view(Changes(drop=subject.spared))
    assert view.sliceable is not None, "a view has the facets of what it is a view of"
    try:
        made = view.sliceable.sliced()
    except ValueError as error:
        return not_applicable(f"{error}")
    off = apart(answer(made, subject.few), answer(view, subject.few))
    if off > subject.tolerance:
        return failed(
            f"without {listed_few(subject.spared)} the sliced network answers otherwise, by up to {off:.1e}:"
            " look at how dropped units are masked",
            off=off,
        )
    return held(f"without {listed_few(subject.spared)}, within {off:.0e}", off=off)


def recorded(subject: Subject) -> Outcome:
    """A run that is recorded answers bit for bit what a plain one does."""
    if not subject.fields:
        return not_applicable("this network reports nothing of its routing")
    out = subject.recorded.out
    if not same_bits(out, subject.plain):
        off = apart(out, subject.plain) if out.shape == subject.plain.shape else float("inf")
        return failed(f"a recorded run answers otherwise, by up to {off:.1e}: look at what is computed for listeners")
    return held(f"with {len(subject.fields)} fields listened to")


def verified(subject: Subject) -> Outcome:
    """Recorded routing is compared with the tokens that experts receive, on every pass."""
    routing = subject.model.routing
    if routing is None:
        return not_applicable("no token of this network is routed to experts")
    if not routing.unverified:
        return held(f"in each of {len(routing.routed_layers)} layers")
    layers = listed_few(routing.unverified)
    return not_applicable(f"unverified routing in {layers}: {next(iter(routing.unverified.values()))}")


@dataclass(frozen=True)
class Invariant:
    """What must hold: a short name, a sentence, and the function that looks."""

    name: str
    sentence: str
    look: Callable[[Subject], Outcome]


INVARIANTS = (
    Invariant("captured", "every routed layer is captured on every pass", captured),
    Invariant("reached", "units of every layer reach the answer", reached),
    Invariant("logits", "logits are logits, not probabilities", logits),
    Invariant("nothing", "dropping nothing changes nothing, bit for bit", nothing),
    Invariant("shares", "shares sum to one", shares),
    Invariant("padding", "padding is left out", padding),
    Invariant("alive", "no unit is dead on these samples", alive),
    Invariant("balanced", "the auxiliary loss reaches the gradient of every router", balanced),
    Invariant("sliced", "sliced equals masked", sliced),
    Invariant("recorded", "recorded equals plain, bit for bit", recorded),
    Invariant("verified", "recorded routing is what experts received", verified),
)
