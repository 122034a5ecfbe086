"""Interventions as requests describe them: checked against limits and the model, and said for people."""

from collections.abc import Callable, Mapping
from typing import Any

from routescope.nn.network import Network, UnitKind
from routescope.routing import KINDS, Intervention, InterventionError
from routescope.routing.intervention import REPLACING
from routescope.routing.rules import KeptSets, Use
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.errors import NotAccepted

#: Units that one intervention may name, repeats included.
MAX_UNITS = 1_024
#: Routes and gates that one intervention may name, repeats included.
MAX_ROUTES = 256
#: Iterations that an intervention may ask for.
MAX_ITERATIONS = 64

#: Reads what is asked for of a model, as ``accepted`` takes it: ``Measuring.intervention``.
ReadIntervention = Callable[[ModelInfo, dict[str, Any]], Intervention]

#: What is done to units, for people, where units share tokens by their compatibility.
OF_COMPATIBILITIES = {
    "drop": "dropped; the compatibilities of the others are renormalised",
    "mute": "silenced after normalisation; the others keep their compatibilities",
    "mean": "replaced by their mean over the first 200 samples of the same data set, step by step and token by token",
    "resample": "replaced by their contribution for another sample of the same data set",
}
#: The same where units are modules that send messages to each other.
OF_LINKS = {
    "drop": "dropped with their links; attention is renormalised over the others",
    "mute": "their messages are silenced after normalisation; the others keep their attention weights",
    "mean": "what others read of them is replaced by its mean over the first 200 samples of the same data set, "
    "step by step",
    "resample": "what others read of them is replaced by what it is for another sample of the same data set",
}

#: The same where units are blocks.
OF_BLOCKS = {
    "drop": "dropped: neither made nor read; the weights of the other sources are renormalised",
    "mute": "zeros; they keep their share of the weights",
    "mean": "replaced by their mean over the first 200 samples of the same data set",
    "resample": "replaced by what they are for another sample of the same data set",
}
#: The same where units are experts of a layer, of which a token takes the best few.
OF_EXPERTS = {
    "drop": "dropped: never chosen; a token takes the best of the remaining experts",
    "mute": "chosen as before, but their output is 0; no other expert takes over their share",
    "mean": "what they add is replaced by its mean over the first 200 samples of the same data set",
    "resample": "what they add is replaced by what they add for another sample of the same data set",
}
#: The same where units add to their tokens one after the other and share nothing.
OF_LAYERS = {
    "drop": "removed; the remaining units work on what the units before them computed",
    "mute": "they add nothing, which equals dropping them",
    "mean": "what they add is replaced by its mean over the first 200 samples of the same data set, token by token",
    "resample": "what they add is replaced by what they add for another sample of the same data set",
}


#: The same, by kind of unit.
WORDS: dict[UnitKind, Mapping[str, str]] = {
    "block": OF_BLOCKS,
    "expert": OF_EXPERTS,
    "function": OF_COMPATIBILITIES,
    "module": OF_LINKS,
    "layer": OF_LAYERS,
}


def accepted(
    model: Network,
    fields: Mapping[str, Any],
    use: Callable[[], Use] | None = None,
    kept: KeptSets | None = None,
) -> Intervention:
    """The intervention that ``fields`` (lists of units and routes, gates by block, iterations, keep_edges, top_k)
    describe, which the model can take; rules such as ``l3.*`` among the units are what they stand for.

    Args:
        use: gives how much every unit is used, as rules ask; blocking.
        kept: finds sets of units that are kept; blocking.

    Raises:
        NotAccepted: more units, routes or iterations than are accepted, or what the model does not have: units, so many
            iterations, links, routes, contributions that could be replaced.
    """
    units = {kind: tuple(fields.get(kind) or ()) for kind in KINDS}
    mute_routes, copy_routes = (tuple(fields.get(kind) or ()) for kind in ("mute_routes", "copy_routes"))
    gates = tuple((fields.get("gates") or {}).items())
    iterations, keep_edges = fields.get("iterations"), fields.get("keep_edges")
    if sum(map(len, units.values())) > MAX_UNITS:
        raise NotAccepted(f"An intervention names up to {MAX_UNITS} units.")
    if len(mute_routes) + len(copy_routes) + len(gates) > MAX_ROUTES:
        raise NotAccepted(f"An intervention names up to {MAX_ROUTES} routes and gates.")
    if iterations is not None and iterations > MAX_ITERATIONS:
        raise NotAccepted(f"Up to {MAX_ITERATIONS} iterations are accepted.")
    if iterations is not None and iterations < model.bounds.least:
        least = model.bounds.least
        raise NotAccepted(f"This model runs at least {least} iteration{'' if least == 1 else 's'}.")
    if any(units[kind] for kind in REPLACING) and not model.replaceable:
        others = "dropped and muted" if model.mute_refusal is None else "dropped"
        raise NotAccepted(f"Units of this model can be {others}; it records no contributions to replace.")
    try:
        intervention = Intervention(
            drop=units["drop"],
            mute=units["mute"],
            mean=units["mean"],
            resample=units["resample"],
            mute_routes=mute_routes,
            copy_routes=copy_routes,
            gates=gates,
            iterations=iterations,
            keep_edges=keep_edges,
            top_k=fields.get("top_k"),
        ).resolved(model, use, kept)
        intervention.validate(model)
    except InterventionError as error:
        raise NotAccepted(f"The intervention is not possible: {error}.") from error
    return intervention
