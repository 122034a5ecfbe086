"""Speed of a network with an intervention and without: both are timed in turn, on the same samples.

Other load on the machine then slows both alike, unlike times that were taken at different moments.
"""

import time
from collections.abc import Iterator

from routescope.data.dataset import LabelledSamples
from routescope.nn.network import Network
from routescope.routing.ablation import Ablation
from routescope.routing.intervention import Intervention
from routescope.routing.running import inputs_of


def alternated(
    model: Network, dataset: LabelledSamples, intervention: Intervention, samples: int, rounds: int
) -> Iterator[tuple[float, float] | None]:
    """Time one batch of the first samples with and without an intervention, round by round.

    Which of the two is first changes from round to round. Nothing is registered on the model between two items.

    Yields:
        None while replacements are prepared and after both have run once; then for each round the seconds (with,
        without).

    Raises:
        InterventionError: for units that the model lacks.
    """
    pair = [Ablation(model, change, dataset) for change in (intervention, Intervention())]
    for ablation in pair:
        for _ in ablation.prepare(samples):
            yield None
    for ablation in pair:
        _seconds(ablation, dataset, samples)  # what depends on parameters alone is prepared once
    yield None
    for number in range(rounds):
        places = (0, 1) if number % 2 == 0 else (1, 0)
        taken = {position: _seconds(pair[position], dataset, samples) for position in places}
        yield taken[0], taken[1]


def _seconds(ablation: Ablation, dataset: LabelledSamples, samples: int) -> float:
    """Return the wall time of one batch, with the runs of donors where contributions are resampled."""
    rows = range(min(samples, len(dataset)))
    inputs = inputs_of(ablation.view, dataset)(rows)
    started = time.perf_counter()
    with ablation.replaced(ablation.donated(rows)):
        ablation.run(inputs).cpu()  # which waits for an accelerator
    return time.perf_counter() - started
