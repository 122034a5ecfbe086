"""Interventions of requests: checked against limits and the model, and explained in the words of its family."""

from collections.abc import Callable, Mapping, Sized
from typing import Any

from routescope.nn.network import Network, UnitKind
from routescope.routing.intervention import Intervention
from routescope.routing.options import OPTIONS, REPLACING, InterventionError
from routescope.routing.rules import KeptSets, Use
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.errors import NotAccepted

#: The largest number of units that one intervention names, repeats included.
MAX_UNITS = 1_024
#: The largest number of routes and gates that one intervention names, repeats included.
MAX_ROUTES = 256

#: Reads the fields of a request for a model, as ``accepted``: ``Measuring.intervention``.
ReadIntervention = Callable[[ModelInfo, dict[str, Any]], Intervention]

#: Kind of ablation -> its effect, for units that share tokens by their compatibility.
OF_COMPATIBILITIES = {
    "drop": "dropped; the compatibilities of the others are renormalised",
    "mute": "silenced after normalisation; the others keep their compatibilities",
    "mean": "replaced by their mean over the first 200 samples of the same data set, step by step and token by token",
    "resample": "replaced by their contribution for another sample of the same data set",
}
#: The same for modules that send messages to each other.
OF_LINKS = {
    "drop": "dropped with their links; attention is renormalised over the others",
    "mute": "their messages are silenced after normalisation; the others keep their attention weights",
    "mean": "what others read of them is replaced by its mean over the first 200 samples of the same data set, "
    "step by step",
    "resample": "what others read of them is replaced by what it is for another sample of the same data set",
}

#: The same for blocks.
OF_BLOCKS = {
    "drop": "dropped: neither made nor read; the weights of the other sources are renormalised",
    "mute": "zeros; they keep their share of the weights",
    "mean": "replaced by their mean over the first 200 samples of the same data set",
    "resample": "replaced by what they are for another sample of the same data set",
}
#: The same for experts, of which a token takes the best few.
OF_EXPERTS = {
    "drop": "dropped: never chosen; a token takes the best of the remaining experts",
    "mute": "chosen as before, but their output is 0; no other expert takes over their share",
    "mean": "what they add is replaced by its mean over the first 200 samples of the same data set",
    "resample": "what they add is replaced by what they add for another sample of the same data set",
}
#: The same for units that add to their tokens one after the other.
OF_LAYERS = {
    "drop": "removed; the remaining units work on what the units before them computed",
    "mute": "they add nothing, which equals dropping them",
    "mean": "what they add is replaced by its mean over the first 200 samples of the same data set, token by token",
    "resample": "what they add is replaced by what they add for another sample of the same data set",
}


#: Kind of unit -> the effect of each kind of ablation.
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
    """Return the intervention that a request describes, with units in place of rules, checked on the model.

    Args:
        fields: of ``Intervention``; None: not set.
        use: gives how much each unit is used, for rules; blocking.
        kept: finds stored sets of units; blocking.

    Raises:
        NotAccepted: more units or routes than one intervention may name, malformed values, or changes that the model
            cannot take.
    """
    values = {name: value for name, value in fields.items() if value is not None}
    named = dict.fromkeys(("units", "routes", "gates", "count", "share"), 0)
    for name, value in values.items():
        named[OPTIONS[name].form] += len(value) if isinstance(value, Sized) else 0
    if named["units"] > MAX_UNITS:
        raise NotAccepted(f"An intervention names up to {MAX_UNITS} units.")
    if named["routes"] + named["gates"] > MAX_ROUTES:
        raise NotAccepted(f"An intervention names up to {MAX_ROUTES} routes and gates.")
    least = model.bounds.least
    if least > values.get("iterations", least):
        raise NotAccepted(f"This model runs at least {least} iteration{'' if least == 1 else 's'}.")
    if any(values.get(kind) for kind in REPLACING) and not model.replaceable:
        others = "dropped and muted" if model.mute_refusal is None else "dropped"
        raise NotAccepted(f"Units of this model can be {others}; it records no contributions to replace.")
    try:
        intervention = Intervention(**values).resolved(model, use, kept)
        intervention.validate(model)
    except InterventionError as error:
        raise NotAccepted(f"The intervention is not possible: {error}.") from error
    return intervention
