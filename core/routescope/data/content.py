"""What the samples of a data set are made of, as one hash: two sets of the same hash give the same answers."""

import hashlib

import numpy as np

from routescope.data.dataset import Dataset, LabelledSamples
from routescope.data.statements.sets import StatementSet


def content_hash(dataset: LabelledSamples) -> str:
    """SHA-256 of all that the samples of a data set are made of, 64 hexadecimal digits."""
    digest = hashlib.sha256(f"{dataset.name}.{dataset.split}".encode())
    pictures = (dataset.images,) if isinstance(dataset, Dataset | StatementSet) else ()
    for array in (*pictures, dataset.labels):
        digest.update(np.ascontiguousarray(array.numpy()).data)
    if not isinstance(dataset, Dataset):
        texts = dataset.sentences if isinstance(dataset, StatementSet) else dataset.hashes
        digest.update("\n".join(texts).encode())
    return digest.hexdigest()
