"""Which data sets hold the same inputs, so that one run of a network answers for all of them."""

from collections.abc import Sequence

from routescope.data.catalogue import known_datasets
from routescope.data.dataset import LabelledSamples


def with_same_inputs(datasets: Sequence[LabelledSamples]) -> tuple[tuple[int, ...], ...]:
    """Places of the data sets in groups, each in rising order: those together that have the same inputs.

    Sets are together where ``DatasetInfo.inputs_of`` says so and the hashes of their samples agree, all of them and in
    the same order; a set that nothing is known of is alone.
    """
    known = known_datasets()
    groups: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for place, dataset in enumerate(datasets):
        info = known.get(dataset.name)
        first = dataset.name if info is None else info.inputs_of or info.name
        hashes = dataset.hashes if info is not None else (str(place),)
        groups.setdefault((first, hashes), []).append(place)
    return tuple(tuple(places) for places in groups.values())
