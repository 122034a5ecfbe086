"""The first invariant: weights, answers and what routers report are finite."""

from collections.abc import Iterator

import torch
from torch import Tensor

from routescope.nn.mixture.routed import RoutedNetwork
from routescope.nn.network import Network
from routescope.routing.check.finding import Outcome, failed, held
from routescope.routing.check.subject import Subject, at_tokens
from routescope.routing.intervention import listed_few
from routescope.routing.listening import IncompleteTrace

#: Paths of weights that are listed.
MOST_PATHS = 3


def finite(subject: Subject) -> Outcome:
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
