"""Reported fields of a network, checked for gaps and put to the positions of all units and tokens."""

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Shaped
from torch import Tensor

from routescope.nn.experts import NO_EXPERT
from routescope.nn.inputs.kind import Inputs
from routescope.nn.network import Network

#: Axes along which units lie. A network reports those that compute; elsewhere all have their place.
UNIT_AXES = ("unit", "sender")
#: Values of fields at padding; others are NaN there.
AT_PADDING = {"compatibility": 0, "top_experts": NO_EXPERT}


class IncompleteTrace(RuntimeError):
    """A field was not reported at every step, which would have made the trace shorter."""


def names_along(network: Network, axis: str | None, iterations: int) -> tuple[str, ...]:
    """Return the names of the reports of a field, in order; a single empty one where it reports once a forward."""
    return ("",) if axis is None else tuple(network.along(axis, iterations))


def on_all_units(view: Network, parts: Sequence[Tensor], dims: tuple[str, ...]) -> list[Tensor]:
    """Put the units that computed back to their positions among all units; the others get zeros.

    Args:
        view: it knows which units compute (``computing``) and how many there are (``coordinates``).
        parts: one tensor for each name along the field's axis; the shape but for the axes of units stays.
        dims: names of each tensor's axes.
    """
    spread = list(parts)
    for axis, name in enumerate(dims):
        if name in UNIT_AXES:
            units = len(view.coordinates()[name])
            spread = [_spread(part, axis, view.computing(t, len(spread)), units) for t, part in enumerate(spread)]
    return spread


def _spread(part: Tensor, axis: int, positions: Sequence[int], units: int) -> Tensor:
    shape = list(part.shape)
    shape[axis] = units
    index = torch.tensor(positions, dtype=torch.long, device=part.device)
    return part.new_zeros(shape).index_copy(axis, index, part)


def there_of(network: Network, inputs: Inputs) -> Bool[Tensor, "B V"] | None:
    """Return which tokens, of all that a sample can have, a batch has; None where every sample has all of them."""
    tokens, most = network.tokens_of(inputs), len(network.tokens)
    if tokens.mask is None and len(tokens.names) == most:
        return None
    mask = torch.ones(len(inputs), len(tokens.names), dtype=torch.bool) if tokens.mask is None else tokens.mask
    return F.pad(mask, (0, most - mask.shape[1]))


def without_padding(
    name: str,
    part: Shaped[Tensor, "..."],
    dims: tuple[str, ...],
    present: Bool[Tensor, "B V"] | None,
    fill: float | None = None,
) -> Shaped[Tensor, "..."]:
    """Return a field at the positions of all tokens, with the axes ``dims``: NaN, 0 or ``NO_EXPERT`` at padding.

    Args:
        present: see ``there_of``; where it is None, nothing is changed.
        fill: value at padding instead.
    """
    if present is None or not {"sample", "token"} <= set(dims):
        return part
    if fill is None:
        fill = AT_PADDING.get(name, torch.nan)
    sample, token = dims.index("sample"), dims.index("token")
    missing = list(part.shape)
    missing[token] = present.shape[1] - missing[token]
    part = part if part.is_floating_point() or name in AT_PADDING else part.float()
    whole = torch.cat((part, part.new_full(missing, fill)), dim=token)
    mask = present.to(part.device) if sample < token else present.to(part.device).T
    shape = [size if axis in (sample, token) else 1 for axis, size in enumerate(whole.shape)]
    return whole.masked_fill(~mask.reshape(shape), fill)


def by_step(
    name: str, parts: list[tuple[int, Tensor]], steps: Sequence[str], dims: tuple[str, ...], samples: int
) -> list[Tensor]:
    """Return one tensor for each step, of the shape of its parts, with the chunks of a large batch joined along the
    samples.

    Raises:
        IncompleteTrace: a gap or a surplus.
    """
    by_step: list[list[Tensor]] = [[] for _ in steps]
    for step, tensor in parts:
        if not 0 <= step < len(steps):
            raise IncompleteTrace(f"{name} reported a step {step} of a run with {len(steps)} steps")
        by_step[step].append(tensor)
    axis = dims.index("sample")
    for step_name, chunks in zip(steps, by_step, strict=True):
        reported = sum(chunk.shape[axis] for chunk in chunks)
        if not chunks or reported != samples:
            where = f" at {step_name}" if step_name else ""
            raise IncompleteTrace(f"{name} reported {reported} samples{where}, of {samples} that were computed")
    return [torch.cat(chunks, dim=axis) for chunks in by_step]
