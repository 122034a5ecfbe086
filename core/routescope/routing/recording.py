"""Recording of a network's routing at every step, checked for completeness, as a trace."""

from collections.abc import Sequence

from torch import Tensor

from routescope.data.samples import Samples
from routescope.nn.inputs.kind import Inputs
from routescope.nn.mixture.routed import RoutedNetwork
from routescope.nn.network import Network
from routescope.routing.ablation import Ablation, check_network
from routescope.routing.intervention import Intervention
from routescope.routing.options import InterventionError
from routescope.routing.running import run
from routescope.routing.trace import Trace, assemble

#: Fields that are recorded by default, as far as the network has them.
DEFAULT_FIELDS = (
    "compatibility", "types", "read_in", "messages", "read_out", "confidence", "multiplexer_weights", "gates",
    "top_experts", "top_weights", "margin",
)  # fmt: skip


def default_fields(model: Network) -> tuple[str, ...]:
    """Return those of ``DEFAULT_FIELDS`` that the model has."""
    return tuple(name for name in DEFAULT_FIELDS if name in model.fields)


def record(
    model: Network,
    inputs: Inputs | Tensor | str | Sequence[str],
    only: Sequence[str] | None = None,
    intervention: Intervention | None = None,
    sample_ids: Sequence[str] | None = None,
    seed: int | None = None,
    reference: Samples | None = None,
) -> Trace:
    """Run a model on some samples and record how they were routed.

    The model itself gets no hooks: a view of it does, so that computations on the same model in other
    threads are neither recorded nor disturbed.

    Args:
        model: such as ``zoo.load("ni-digits")``.
        inputs: samples as the network takes them, such as a data set's ``inputs``: images (B, c, h, w) in [0, 1],
            statements about pictures, or blocks; for a network that reads texts also a string or strings. Of a text
            that is longer than the context its first tokens are recorded.
        only: names of the fields to listen to; ``default_fields`` when None.
        intervention: what is ablated and how, and how many iterations to run; nothing when None.
        sample_ids: names for the sample axis; positions when None.
        seed: written into the trace; of the donors of ``resample``, 0 when None.
        reference: samples that ``mean`` and ``resample`` take their replacements from. The donor of a sample is
            that of the reference's sample at the same place.

    Raises:
        TypeError: something other than a network, or inputs of a kind that the network does not read.
        ValueError: an empty batch, or a text without any token.
        IncompleteTrace: when a field was not reported exactly once per step, or layer, or forward, as it says it is.
        InterventionError: when the intervention asks for what the model lacks, for ``mean`` and ``resample``
            without a reference, and when states of tokens are to be recorded with them.
    """
    check_network(model)
    intervention, only = intervention or Intervention(), default_fields(model) if only is None else only
    ablation = Ablation(model, intervention, reference, seed or 0)
    fields = ablation.view.fields
    if ablation.replaces and "states" in only and "token" in fields["states"].dims:
        raise InterventionError("states are recorded under drop and mute only: the last step's are computed apart")
    batch = ablation.view.as_inputs(inputs)
    *_, ran = run(ablation, lambda rows: batch, [range(len(batch))], only)
    assert ran is not None, "the last item is the batch"
    return assemble(
        ablation.view,
        ran.fields,
        ran.out,
        ablation.view.token_texts(batch),
        left_out=ablation.view.left_out(batch) if isinstance(ablation.view, RoutedNetwork) else None,
        iterations=ablation.iterations,
        intervention=intervention,
        sample_ids=sample_ids,
        seed=seed,
    )
