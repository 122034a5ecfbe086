"""Data sets: ``load(name, split)`` returns samples with labels, a domain and a licence.

Everything loads without the internet. A stand-in for another data set says so; ``source`` reads the real one.
"""

from routescope.data.catalogue import dataset, in_words, known_datasets, load, options_for, parse_sources
from routescope.data.samples import SIDE, DataError, DatasetInfo, NoSplit, SampleRequest, Samples, check_limit

__all__ = [
    "SIDE",
    "DataError",
    "DatasetInfo",
    "NoSplit",
    "SampleRequest",
    "Samples",
    "check_limit",
    "dataset",
    "in_words",
    "known_datasets",
    "load",
    "options_for",
    "parse_sources",
]
