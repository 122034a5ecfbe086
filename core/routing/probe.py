"""Recording: forward hooks on a network's probes, removed whatever happens, checked for completeness."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from core.nn.probe import Probe
from core.routing.intervention import Intervention
from core.routing.trace import Trace, assemble

__all__ = ["IncompleteTrace", "Probe", "probes_of", "record"]

DEFAULT_FIELDS = ("compatibility", "types")


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


def record(
    model: Any,
    images: Float[Tensor, "B c h w"],
    only: Sequence[str] = DEFAULT_FIELDS,
    intervention: Intervention | None = None,
    sample_ids: Sequence[str] | None = None,
    seed: int | None = None,
) -> Trace:
    """Run a model on some samples and record how they were routed.

    The model itself gets no hooks: a view of it does, so that computations on the same model in other
    threads are neither recorded nor disturbed.

    Args:
        model: a network with probes, such as ``zoo.load("ni-digits")``.
        images: samples in [0, 1].
        only: names of the probes to listen to.
        intervention: what to drop and mute and how many iterations to run; nothing when None.
        sample_ids: names for the sample axis; positions when None.
        seed: written into the trace, for computations that draw.

    Raises:
        IncompleteTrace: when a probe did not report exactly once per step.
        InterventionError: when the intervention names units that the model lacks.
    """
    intervention = intervention or Intervention()
    view = intervention.apply(model)
    iterations = view.config.iterations if intervention.iterations is None else intervention.iterations
    steps = view.step_names(iterations)
    with torch.no_grad(), listening(view, only) as captured:
        logits = view(images, iterations=iterations)
    dims = {name: probe.dims for name, probe in probes_of(view).items() if name in captured}
    fields = {name: _by_step(name, parts, steps, dims[name], len(images)) for name, parts in captured.items()}
    return assemble(
        view, fields, dims, logits, steps=steps, intervention=intervention, sample_ids=sample_ids, seed=seed
    )


def _by_step(
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
