"""Recording: what a network's probes report at every step, checked for completeness."""

from collections.abc import Sequence
from typing import Any

import torch

from core.data.dataset import LabelledSamples
from core.nn.probe import listening, probes_of
from core.routing.ablation import Ablation
from core.routing.intervention import Intervention, InterventionError
from core.routing.listening import by_step, names_along
from core.routing.trace import Trace, assemble

#: What is recorded unless told otherwise, of each as far as the network has it: who takes what, who reads whom, and
#: what blocks are made of.
DEFAULT_FIELDS = (
    "compatibility", "types", "read_in", "messages", "read_out", "confidence", "multiplexer_weights", "gates",
)  # fmt: skip
#: Reference samples that run at once.
REFERENCE_BATCH = 107


def default_fields(model: Any) -> tuple[str, ...]:
    """Those of ``DEFAULT_FIELDS`` that the model has."""
    return tuple(name for name in DEFAULT_FIELDS if name in probes_of(model))


def record(
    model: Any,
    inputs: Any,
    only: Sequence[str] | None = None,
    intervention: Intervention | None = None,
    sample_ids: Sequence[str] | None = None,
    seed: int | None = None,
    reference: LabelledSamples | None = None,
) -> Trace:
    """Run a model on some samples and record how they were routed.

    The model itself gets no hooks: a view of it does, so that computations on the same model in other
    threads are neither recorded nor disturbed.

    Args:
        model: a network with probes, such as ``zoo.load("ni-digits")``.
        inputs: samples as the network takes them, such as a data set's ``inputs``: images (B, c, h, w) in [0, 1],
            statements about pictures, or blocks.
        only: names of the probes to listen to; ``default_fields`` when None.
        intervention: what is ablated and how, and how many iterations to run; nothing when None.
        sample_ids: names for the sample axis; positions when None.
        seed: written into the trace; of the donors of ``resample``, 0 when None.
        reference: samples that ``mean`` and ``resample`` take their replacements from. The donor of a sample is
            that of the reference's sample at the same place.

    Raises:
        IncompleteTrace: when a probe did not report exactly once per step, or layer, or forward, as it says it does.
        InterventionError: when the intervention asks for what the model lacks, for ``mean`` and ``resample``
            without a reference, and when states of tokens are to be recorded with them.
    """
    intervention, only = intervention or Intervention(), default_fields(model) if only is None else only
    ablation = Ablation(model, intervention, reference, seed or 0)
    if ablation.replaces and "states" in only and "token" in probes_of(ablation.view)["states"].dims:
        raise InterventionError("states are recorded under drop and mute only: the last step's are computed apart")
    for _ in ablation.prepare(REFERENCE_BATCH):
        pass
    view, iterations = ablation.view, ablation.iterations
    with torch.no_grad(), ablation.replaced(ablation.donated(range(len(inputs)))), listening(view, only) as captured:
        logits = view(inputs, iterations=iterations)
    probes = probes_of(view)
    fields = {
        name: by_step(name, parts, names_along(view, probes[name].along, iterations), probes[name].dims, len(inputs))
        for name, parts in captured.items()
    }
    return assemble(
        view,
        fields,
        probes,
        logits,
        iterations=iterations,
        intervention=intervention,
        sample_ids=sample_ids,
        seed=seed,
    )
