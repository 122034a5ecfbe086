"""A data set of somebody else: one function in one file, and nothing else."""

from routescope.data import DatasetInfo, SampleRequest, dataset
from routescope.data.text.sets import TextSet, text_set

TEXTS = ("There was a young lady of Riga,", "who smiled as she rode on a tiger.", "They came back from the ride")


@dataset(DatasetInfo("limericks", "Limericks", "public domain", {"validation": 3}, inputs="text"))
def limericks(request: SampleRequest) -> TextSet:
    return text_set(request.facts, TEXTS[: request.count])
