"""Listening: forward hooks on a network's probes, removed whatever happens, and what they heard checked for gaps."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

#: Axes along which units lie. A network reports those that compute; elsewhere all have their place.
UNIT_AXES = ("unit", "sender")


class IncompleteTrace(RuntimeError):
    """A probe did not report at every step: the trace would have been silently shorter."""


def names_along(view: Any, axis: str | None, iterations: int) -> tuple[str, ...]:
    """Names of what a probe reports one after the other; a single empty one where it reports once a forward."""
    if axis is None:
        return ("",)
    names: Sequence[str] = view.step_names(iterations) if axis == "step" else view.along(axis, iterations)
    return tuple(names)


def on_all_units(view: Any, parts: Sequence[Tensor], dims: tuple[str, ...]) -> list[Tensor]:
    """Put the units that computed back to their places among all units; the others get zeros.

    Args:
        view: it tells which units compute (``computing``) and how many there are (``coordinates``).
        parts: one tensor for each name along the probe's axis.
        dims: names of each tensor's axes.
    """
    found = list(parts)
    for axis, name in enumerate(dims):
        if name in UNIT_AXES:
            units = len(view.coordinates()[name])
            found = [_spread(part, axis, view.computing(t, len(found)), units) for t, part in enumerate(found)]
    return found


def _spread(part: Tensor, axis: int, positions: Sequence[int], units: int) -> Tensor:
    shape = list(part.shape)
    shape[axis] = units
    index = torch.tensor(positions, dtype=torch.long, device=part.device)
    return part.new_zeros(shape).index_copy(axis, index, part)


def by_step(
    name: str, parts: list[tuple[int, Tensor]], steps: Sequence[str], dims: tuple[str, ...], samples: int
) -> list[Tensor]:
    """One tensor per step, the chunks of a large batch joined; raises IncompleteTrace for gaps and surpluses."""
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
