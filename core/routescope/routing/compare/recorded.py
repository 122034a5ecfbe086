"""Logs recorded from a network on some texts, in a precision, under an intervention."""

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float32

from routescope.data.dataset import LabelledSamples
from routescope.nn.experts import NO_EXPERT
from routescope.nn.mixture.routed import RoutedNetwork
from routescope.nn.network import Network
from routescope.nn.shown import short_repr
from routescope.nn.windows import Windows
from routescope.routing.ablation import Ablation
from routescope.routing.intervention import Intervention
from routescope.routing.logs.log import LogError, RoutingLog, Source
from routescope.routing.running import Cutting, Ran, inputs_of, run, whole_passes

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
    """A log with the loss of its tokens.

    Attributes:
        nats: (token,), given the tokens before it; 0 where a token is given.
    """

    log: RoutingLog
    nats: Float32[np.ndarray, " token"]

    __repr__ = short_repr


def record_log(
    network: Network,
    datasets: Sequence[LabelledSamples],
    intervention: Intervention | None = None,
    precision: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Recorded:
    """Run a network on texts and return the log of its routing.

    Args:
        network: its tokens are routed to experts. It never changes: another precision is that of a copy.
        datasets: of its domains, a sequence for each text, named "python.validation.3". Texts longer than the context
            are read in windows: a token is logged from the first window that has it.
        precision: one of ``PRECISIONS``; None: its own.
        progress: called with (texts done, texts in all).

    Raises:
        LogError: a network without routed experts, an unknown precision, no text.
        InterventionError: units that it lacks. ValueError: a data set of another domain.
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
        view.head_of(dataset.domain)
        ablation = Ablation(view, intervention or Intervention(), dataset)
        cutting = Cutting(ablation, inputs_of(view, dataset))
        passes = whole_passes(view, len(dataset))
        for batch in run(ablation, cutting.inputs, passes, FIELDS, view.rows_at_once()):
            if batch is None or cutting.windows is None:
                continue
            part, chosen = _part(batch, cutting.windows, view.head_of(dataset.domain), len(names))
            parts.append(part)
            names += [f"{dataset.name}.{dataset.split}.{row}" for row in batch.rows]
            for reads, wanted in zip(view.token_texts(cutting.windows.inputs), chosen, strict=True):
                texts += [text for text, is_wanted in zip(reads, wanted[: len(reads)], strict=True) if is_wanted]
            done += len(batch.rows)
            if progress is not None:
                progress(done, total)
    if not parts:
        raise LogError("there is no text to run the network on")
    experts, weights, margin, sequence, nats = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    layers = network.routed_layers
    unverified = "; ".join(f"{layer}: {reason}" for layer, reason in network.unverified.items())
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
        notes=(f"Unverified routing: {unverified}.",) if unverified else (),
    )
    return Recorded(log, nats)


_Part = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def _part(batch: Ran, windows: Windows, domain: int, first: int) -> tuple[_Part, Bool[np.ndarray, "W V"]]:
    """Return experts, weights, margins, sequences and nats of the tokens of a batch, and which tokens of its windows
    they are.

    Args:
        windows: of the batch; a token counts in the first window that has it.
        first: number of the first sequence of the batch.
    """
    arrays = {name: [part.float().cpu().numpy() for part in parts] for name, parts in batch.fields.items()}
    experts = np.stack(arrays["top_experts"], axis=2)  # (window, token, layer, slot)
    nats = batch.out[:, domain].float().cpu().numpy()
    shape = experts.shape[:2]
    present = np.ones(shape, dtype=bool) if batch.there is None else batch.there.cpu().numpy()[:, : shape[1]]
    sample = windows.sample.numpy()
    later = np.diff(sample, prepend=-1) == 0
    present = present & ~(later[:, None] & (np.arange(shape[1]) < windows.first.numpy()[:, None]))
    weights = np.stack(arrays["top_weights"], axis=2)[present]
    taken = np.nan_to_num(experts[present], nan=NO_EXPERT).astype(np.int16)
    sequence = np.repeat((first + sample).astype(np.int32), present.sum(axis=1))
    costs = np.pad(nats, ((0, 0), (0, max(0, shape[1] - nats.shape[1]))))[:, : shape[1]]
    margin = np.stack(arrays["margin"], axis=2)[present].astype(np.float32)
    part = (
        taken,
        np.nan_to_num(weights, nan=0.0).astype(np.float16),
        margin,
        sequence,
        costs[present].astype(np.float32),
    )
    return part, present
