"""Listening: forward hooks on a network's probes, removed whatever happens, and what they heard checked for gaps."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn

from core.nn.probe import Probe


class IncompleteTrace(RuntimeError):
    """A probe did not report at every step: the trace would have been silently shorter."""


def probes_of(model: nn.Module) -> dict[str, Probe]:
    """Every probe of a model by its public name."""
    return {module.name: module for module in model.modules() if isinstance(module, Probe)}


@contextmanager
def listening(model: nn.Module, names: Sequence[str]) -> Iterator[dict[str, list[tuple[int, Tensor]]]]:
    """Listen to the named probes; yields name -> [(step, tensor), ...] as it fills.

    No hook is left behind, also after an exception.
    """
    probes = probes_of(model)
    unknown = sorted(set(names) - set(probes))
    if unknown:
        raise ValueError(f"unknown fields {', '.join(unknown)}; this model records {', '.join(probes)}")
    captured: dict[str, list[tuple[int, Tensor]]] = {name: [] for name in names}

    def hook(module: nn.Module, _: Any, kwargs: dict[str, Any], output: Tensor) -> None:
        captured[str(module.name)].append((kwargs["step"], output.detach()))

    handles = []
    try:
        for name in captured:
            handles.append(probes[name].register_forward_hook(hook, with_kwargs=True))
        yield captured
    finally:
        for handle in handles:
            handle.remove()


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
            raise IncompleteTrace(f"{name} reported {reported} samples at {step_name}, of {samples} that were computed")
    return [torch.cat(chunks, dim=axis) for chunks in by_step]
