"""Listening: forward hooks on a network's probes, removed whatever happens."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from torch import Tensor, nn

from core.nn.probe import Probe


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
