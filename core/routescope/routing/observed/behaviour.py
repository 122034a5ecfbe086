"""Measures of samples by a network's behaviour: distance of their routing, and disagreement of the heads.

Routings are compared by total variation (Levin, Peres and Wilmer, "Markov Chains and Mixing Times", 2nd ed., 2017,
section 4.1): half the sum of the absolute differences of the shares at a step, which is the share of the routing weight
that goes elsewhere, from 0 to 1. The field in ``ROUTED`` that the network reports decides what is routed: tokens to
units, the attention of modules to the modules that they read, or the weights of blocks to their sources. Weight that
goes nowhere, as where a unit is muted, is a target of its own, so muting counts as dropping does. The distance of two
routings is the mean over tokens (or modules, or blocks) and the steps of both.

Heads disagree by the generalised Jensen-Shannon divergence of their answers (Lin, "Divergence measures based on the
Shannon entropy", 1991): the entropy of the mean of their probabilities less the mean of their entropies, in bits, from
0 where all answer alike to log2 of the number of heads.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float

from routescope.data.dataset import LabelledSamples
from routescope.nn.inputs.kind import Inputs
from routescope.nn.measures import ACCURACY
from routescope.nn.network import Network
from routescope.routing.ablation import Ablation
from routescope.routing.intervention import Intervention
from routescope.routing.listening import UNIT_AXES, names_along
from routescope.routing.observed.measures import entropy, shares
from routescope.routing.running import Ran, inputs_of, pieces, run

#: By the field that reports it: the axis of what is routed, and of where it goes. The first that a network has counts.
ROUTED = {
    "compatibility": ("token", "unit"),
    "messages": ("unit", "sender"),
    "multiplexer_weights": ("block", "source"),
}
#: A measure of every sample of a batch.
Measure = Callable[[Inputs], Float[np.ndarray, " sample"]]


class NoSuchBehaviour(ValueError):
    """A network that does not report the behaviour that is asked for."""


def routed_field(model: Network) -> str:
    """Return the name of the field with the routing; raise NoSuchBehaviour without one."""
    fields = model.fields
    for name in ROUTED:
        if name in fields:
            return name
    raise NoSuchBehaviour(f"it reports no routing: {', '.join(ROUTED)}; it has {', '.join(fields) or 'nothing'}")


def heads_that_may_disagree(model: Network) -> tuple[int, ...]:
    """Return the positions of separate heads with the same labels as the first; raise NoSuchBehaviour for fewer than
    two."""
    heads = model.all_heads
    if model.answer_axes != ("sample", "domain", "label") or not all(head.measure == ACCURACY for head in heads):
        raise NoSuchBehaviour("it has no heads that could disagree: they choose no label")
    alike = tuple(at for at, head in enumerate(heads) if head.labels == heads[0].labels)
    if not model.separate_heads or len(alike) < 2:
        raise NoSuchBehaviour("it has no heads that could disagree: one head answers for every data set")
    return alike


@dataclass(frozen=True, eq=False)
class Routing:
    """Routing of some samples.

    Attributes:
        steps: names of the steps, or layers.
        to: shares at each step, (sample, routed, place); the last place stands for no target.
        there: which tokens, modules or blocks exist at each step: no padding, no module that is left out.
    """

    steps: tuple[str, ...]
    to: tuple[Float[np.ndarray, "sample routed place"], ...]
    there: tuple[Bool[np.ndarray, "sample routed"], ...]

    def __len__(self) -> int:
        return len(self.to[0]) if self.to else 0

    def distances(self, other: "Routing") -> Float[np.ndarray, " sample"]:
        """Return the distance of every sample to the same sample of ``other``, or to its only one.

        It is 0 for equal routings, at most 1, and symmetric; NaN where both route nothing.
        """
        rows = max(len(self), len(other))
        total, count = np.zeros(rows), np.zeros(rows)
        for at, step in enumerate(self.steps):
            if step in other.steps:
                beside = other.steps.index(step)
                both = self.there[at] & other.there[beside]
                apart = np.abs(self.to[at] - other.to[beside]).sum(axis=-1) / 2
                total += np.where(both, apart, 0).sum(axis=-1)
                count += both.sum(axis=-1)
        distances = np.divide(total, count, out=np.full(rows, np.nan), where=count > 0)
        return np.clip(distances, 0, 1)


class Router:
    """Returns the routing of batches of samples under one intervention.

    Raises:
        NoSuchBehaviour: a network that reports no routing.
        InterventionError: an intervention that the network cannot take.
    """

    def __init__(self, model: Network, intervention: Intervention) -> None:
        self._name = routed_field(model)
        self._field = model.fields[self._name]
        self._ablation = Ablation(model, intervention, None)
        view = self._ablation.view
        self._steps = names_along(view, self._field.along, self._ablation.iterations)

    def __call__(self, inputs: Inputs) -> Routing:
        """The routing of a batch."""
        ran = _ran(self._ablation, inputs, (self._name,))
        routed, target = ROUTED[self._name]
        axes = [self._field.dims.index(axis) for axis in ("sample", routed, target)]
        to, present = [], []
        for step, part in enumerate(ran.fields[self._name]):
            weights = part.float().cpu().numpy().astype(np.float64).transpose(axes)
            present.append(self._there(step, weights, routed, ran))
            to.append(_with_nobody(weights))
        return Routing(self._steps, tuple(to), tuple(present))

    def _there(self, step: int, weights: np.ndarray, routed: str, ran: Ran) -> Bool[np.ndarray, "sample routed"]:
        present = ~np.isnan(weights).all(axis=-1)
        if routed in UNIT_AXES:
            computing = np.zeros(present.shape[1], dtype=bool)
            computing[list(self._ablation.view.computing(step, len(self._steps)))] = True
            present &= computing
        if routed == "token" and ran.there is not None:
            present &= ran.there.cpu().numpy()
        return present


def _with_nobody(weights: Float[np.ndarray, "*rest place"]) -> Float[np.ndarray, "*rest places"]:
    """Return the weights with what is missing to 1 as a last place; larger sums are scaled to 1."""
    given = np.nan_to_num(weights)
    sums = given.sum(axis=-1, keepdims=True)
    return np.concatenate([np.where(sums > 1, shares(given), given), np.maximum(0, 1 - sums)], axis=-1)


def _ran(ablation: Ablation, inputs: Inputs, only: Sequence[str]) -> Ran:
    *_, ran = run(ablation, lambda rows: inputs, [range(len(inputs))], only)
    assert ran is not None, "the last item is the batch"
    return ran


def rerouting(model: Network, intervention: Intervention) -> Measure:
    """Return a measure of the distance of a sample's routings with and without an intervention."""
    plain, changed = Router(model, Intervention()), Router(model, intervention)
    return lambda inputs: plain(inputs).distances(changed(inputs))


def nearness(model: Network, reference: Inputs, intervention: Intervention | None = None) -> Measure:
    """Return a measure of the distance of a sample's routing to that of ``reference``, both under an intervention.

    Raises:
        NoSuchBehaviour, InterventionError: see ``Router``.
        ValueError: a reference of several samples.
    """
    if len(reference) != 1:
        raise ValueError(f"the reference is one sample, not {len(reference)}")
    router = Router(model, intervention or Intervention())
    routing = router(reference)
    return lambda inputs: router(inputs).distances(routing)


def disagreement(model: Network, intervention: Intervention | None = None) -> Measure:
    """Return a measure of how much the heads disagree on a sample, in bits.

    Raises:
        NoSuchBehaviour: fewer than two heads that could.
        InterventionError: an intervention that the network cannot take.
    """
    heads = list(heads_that_may_disagree(model))
    ablation = Ablation(model, intervention or Intervention(), None)

    def measure(inputs: Inputs) -> Float[np.ndarray, " sample"]:
        answers = _ran(ablation, inputs, ()).out[:, heads].to(torch.float64)
        return divergence(answers.softmax(dim=-1).cpu().numpy())

    return measure


def divergence(p: Float[np.ndarray, "*rest d k"]) -> Float[np.ndarray, "*rest"]:
    """Return H(mean_d p_d) - mean_d H(p_d) in bits: 0 where all are the same, at most log2(d)."""
    bits = (entropy(p.mean(axis=-2)) - entropy(p).mean(axis=-1)) / np.log(2)
    divergences: np.ndarray = np.clip(bits, 0, np.log2(p.shape[-2]))
    return divergences


def batches(model: Network, dataset: LabelledSamples, count: int) -> Iterator[Inputs]:
    """Yield the first ``count`` samples of a data set, as many at once as the network computes in one pass."""
    size, inputs = model.rows_at_once(), inputs_of(model, dataset)
    for places in pieces(count, size, size):
        yield inputs(places)
