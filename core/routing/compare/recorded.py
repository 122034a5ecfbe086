"""The log of a network on some texts: recorded, in a precision, under an intervention."""

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float32

from core.data.dataset import LabelledSamples
from core.nn.mixture.routed import NO_EXPERT, RoutedNetwork
from core.nn.network import Network
from core.routing.intervention import Intervention
from core.routing.logs.log import LogError, RoutingLog, Source
from core.routing.running import Routed, inputs_of, routed

#: Precisions that a network can be brought to.
PRECISIONS: dict[str, torch.dtype] = {
    "float64": torch.float64,
    "float32": torch.float32,
    "bfloat16": torch.bfloat16,
    "float16": torch.float16,
}
FIELDS = ("top_experts", "top_weights", "margin")


@dataclass(frozen=True, eq=False)
class Recorded:
    """A log, and what each of its tokens cost.

    Attributes:
        nats: (token,), given the tokens before it; 0 where a token is given.
    """

    log: RoutingLog
    nats: Float32[np.ndarray, " token"]


def record_log(
    network: Network,
    datasets: Sequence[LabelledSamples],
    intervention: Intervention | None = None,
    precision: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Recorded:
    """Run a network on texts and keep who was chosen.

    Args:
        network: its tokens are routed to experts. It stays as it is: another precision is that of a copy.
        datasets: of its domains, each a sequence a text, named "python.validation.3".
        precision: one of ``PRECISIONS``; its own when None.
        progress: is told how many texts are done, and of how many.

    Raises:
        LogError: a network whose tokens are not routed to experts, a precision that there is not, no text.
        InterventionError: units that it lacks. ValueError: a data set that is none of its domains.
    """
    if not isinstance(network, RoutedNetwork):
        raise LogError(f"tokens of {network.id} are not routed to experts; give a mixture of experts such as moe-bytes")
    if precision is not None and precision not in PRECISIONS:
        raise LogError(f"{precision!r} is no precision; there are {', '.join(PRECISIONS)}")
    dtype = next(network.parameters()).dtype
    view: RoutedNetwork = network
    if precision is not None and PRECISIONS[precision] != dtype:
        view = copy.deepcopy(network).to(PRECISIONS[precision])
    total, done = sum(map(len, datasets)), 0
    parts = list[_Part]()
    names, texts = list[str](), list[str]()
    for dataset in datasets:
        give = inputs_of(view, dataset)
        for batch in routed(view, dataset, len(dataset), intervention or Intervention(), FIELDS):
            if batch is None:
                continue
            parts.append(_part(batch, view.head_of(dataset.domain), len(names)))
            names += [f"{dataset.name}.{dataset.split}.{row}" for row in batch.rows]
            found = view.token_texts(give(batch.rows)) or ()
            texts += [text for own in found for text in own]
            done += len(batch.rows)
            if progress is not None:
                progress(done, total)
    if not parts:
        raise LogError("there is no text to run the network on")
    experts, weights, margin, sequence, nats = (np.concatenate(each) for each in zip(*parts, strict=True))
    layers = network.routed_layers
    log = RoutingLog(
        source=Source("Routescope", f"{network.id} in {precision or str(dtype).removeprefix('torch.')}", network.id),
        layers=tuple(layer.name for layer in layers),
        indices=tuple(layer.index for layer in layers),
        num_experts=max(layer.experts for layer in layers),
        experts=experts,
        sequence=sequence,
        sequences=tuple(names),
        weights=weights,
        margin=margin,
        token_texts=tuple(texts) if len(texts) == len(experts) else None,
    )
    return Recorded(log, nats)


_Part = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def _part(batch: Routed, domain: int, first: int) -> _Part:
    """Experts, weights, margins, sequences and nats of the tokens of a batch that are no padding."""
    experts = np.stack(batch.fields["top_experts"], axis=2)  # (sample, token, layer, slot)
    nats = batch.out[:, domain]
    there = np.ones(experts.shape[:2], dtype=bool) if batch.there is None else batch.there[:, : experts.shape[1]]
    weights = np.stack(batch.fields["top_weights"], axis=2)[there]
    own = np.nan_to_num(experts[there], nan=NO_EXPERT).astype(np.int16)
    sequence = np.repeat(np.arange(first, first + len(there), dtype=np.int32), there.sum(axis=1))
    costs = np.pad(nats, ((0, 0), (0, max(0, there.shape[1] - nats.shape[1]))))[:, : there.shape[1]]
    margin = np.stack(batch.fields["margin"], axis=2)[there].astype(np.float32)
    return own, np.nan_to_num(weights, nan=0.0).astype(np.float16), margin, sequence, costs[there].astype(np.float32)
