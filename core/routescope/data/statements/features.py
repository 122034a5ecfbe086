"""Features of pictures and sentences by frozen encoders, computed once and kept on disk.

Frozen weights give the same features of a picture in every epoch, and pictures of statements are not augmented.
Features are kept as 32-bit numbers, as they are computed: nothing is rounded. A file is of a thousand pictures or
sentences and is found by what they are and by what encodes them, so that other weights make other files, an
interrupted run keeps those that are whole, and sets that begin alike share them.
"""

import hashlib
import math
import shutil
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from jaxtyping import Float32, Int64, UInt8
from torch import Tensor

from routescope.assets import data_dir
from routescope.data.cache import Arrays, cache_path, cached, mapped
from routescope.data.samples import Samples
from routescope.data.statements.sets import PictureFeatures, StatementSet
from routescope.nn.baselines.perceiver_io import StatementPerceiverIO
from routescope.nn.circuit.conditional import ConditionalNeuralAttentiveCircuit
from routescope.nn.encoders.frozen import FrozenImageEncoder, FrozenTextEncoder
from routescope.nn.network import Network

#: Pictures, or sentences, of one file, and how many are encoded at once.
IN_A_FILE, AT_ONCE = 1024, 32

Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class _File:
    """Rows of features in one file.

    Attributes:
        family, key: as of ``mapped``.
        counts: pictures or sentences of each batch that is encoded at once.
        batch: the rows of a batch.
    """

    family: str
    key: dict[str, Any]
    shape: tuple[int, ...]
    counts: tuple[int, ...]
    batch: Callable[[int], Float32[np.ndarray, "row *features"]]

    @property
    def there(self) -> bool:
        return cache_path(self.family, self.key).with_suffix(".npy").is_file()

    def read(self, progress: Callable[[int], None]) -> np.ndarray:
        """The rows, encoded where there is no such file."""

        def fill(array: np.ndarray) -> None:
            start = 0
            for number, count in enumerate(self.counts):
                rows = self.batch(number)
                array[start : start + len(rows)] = rows
                start += len(rows)
                progress(count)

        return mapped(self.family, self.key, self.shape, fill, np.float32)


def with_features(model: Network, data: Samples, progress: Progress | None = None) -> Samples:
    """Return the samples with the features of a network's frozen encoders; the same samples where it has none.

    Features of its sentences are then known to every encoder of these weights. Where there is no room for files, a
    warning says so, and features are computed whenever they are asked for.

    Args:
        progress: called with (pictures and sentences encoded, in all); not called where all are kept already.
    """
    if not isinstance(model, ConditionalNeuralAttentiveCircuit | StatementPerceiverIO):
        return data
    return encoded(data, model.pictures.encoder, model.text, model.config.sees, progress)


def encoded(data: Samples, pictures: object, text: object, sees: str = "both", progress: Progress | None = None) -> Any:
    """Return the samples with the features of frozen encoders of the inputs that a network sees."""
    if not isinstance(data, StatementSet):
        return data
    places, files, texts, names = None, list[_File](), list[_File](), list[list[str]]()
    if isinstance(pictures, FrozenImageEncoder) and sees != "sentence" and data.features is None:
        places, files = _of_pictures(data, pictures)
    if isinstance(text, FrozenTextEncoder) and sees != "pictures":
        names, texts = _of_sentences(data, text)
    try:
        found = _read(files + texts, progress)
    except OSError as error:
        warnings.warn(f"features of {data.title}, {data.split}, are not kept: {error}", stacklevel=3)
        return data
    if isinstance(text, FrozenTextEncoder):
        known = text.weights.sentences.setdefault(text.most, {})
        for some, rows in zip(names, found[len(files) :], strict=True):
            ends = np.cumsum([0, *(length + 1 for length in text.lengths(some))]).tolist()
            known.update({each: rows[a:b] for each, (a, b) in zip(some, pairwise(ends), strict=True)})
    return data if places is None else replace(data, features=PictureFeatures(places, tuple(found[: len(files)])))


def _read(files: Sequence[_File], progress: Progress | None) -> list[np.ndarray]:
    missing = [file for file in files if not file.there]
    need, count, done = 4 * sum(math.prod(file.shape) for file in missing), sum(sum(f.counts) for f in missing), 0
    folder = data_dir()
    folder.mkdir(parents=True, exist_ok=True)
    if need > (free := shutil.disk_usage(folder).free):
        raise OSError(f"{need / 2**30:.1f} GiB are needed in {folder}, which has {free / 2**30:.1f} GiB left")

    def tell(more: int) -> None:
        nonlocal done
        done += more
        if progress is not None:
            progress(done, count)

    return [file.read(tell) for file in files]


def _of_pictures(
    data: StatementSet, encoder: FrozenImageEncoder
) -> tuple[Int64[Tensor, "sample picture"], list[_File]]:
    """Return the number of each picture among the different ones, and a file for each thousand of these."""
    digest = hashlib.sha256("\n".join(data.hashes).encode()).hexdigest()
    pictures = cached("different-pictures", {"hashes": digest}, lambda: _different(data.images))
    weights = {
        "weights": encoder.weights.fingerprint,
        "mean": encoder.mean.flatten().tolist(),
        "std": encoder.std.flatten().tolist(),
    }
    images, files = data.images.flatten(0, 1), []
    for group, digests in zip(
        _groups(pictures["first"], IN_A_FILE), _groups(pictures["digests"], IN_A_FILE), strict=True
    ):
        batches = list(_groups(group, AT_ONCE))

        def batch(number: int, batches: list[np.ndarray] = batches) -> np.ndarray:
            pixels = images[torch.from_numpy(batches[number])].to(encoder.here.device).float() / 255
            return encoder(pixels).float().cpu().numpy()

        key = {"pictures": hashlib.sha256(digests.tobytes()).hexdigest(), "pixels": list(images.shape[1:]), **weights}
        shape = (len(group), encoder.grid[0] * encoder.grid[1], encoder.features)
        files.append(_File("clip-pictures", key, shape, tuple(map(len, batches)), batch))
    return torch.from_numpy(pictures["places"]), files


def _different(images: UInt8[Tensor, "N P 3 side side"]) -> Arrays:
    """The number of each picture among the different ones; of these where they first are, and their hashes."""
    numbers: dict[bytes, int] = {}
    numbers_of_pictures, first = np.empty(images.shape[:2], np.int64), list[int]()
    for row, picture in enumerate(images.flatten(0, 1)):
        digest = hashlib.sha256(np.ascontiguousarray(picture.numpy()).data).digest()
        if digest not in numbers:
            first.append(row)
        numbers_of_pictures.flat[row] = numbers.setdefault(digest, len(numbers))
    return {
        "places": numbers_of_pictures,
        "first": np.array(first, np.int64),
        "digests": np.frombuffer(b"".join(numbers), np.uint8).reshape(-1, 32),
    }


def _of_sentences(data: StatementSet, encoder: FrozenTextEncoder) -> tuple[list[list[str]], list[_File]]:
    """The different sentences that are not known yet, and a file for each thousand of them."""
    known = encoder.weights.sentences.get(encoder.most, {})
    different = list(dict.fromkeys(data.sentences))
    names, files = [], []
    for group in _groups(different, IN_A_FILE):
        if all(sentence in known for sentence in group):
            continue
        batches = list(_groups(group, AT_ONCE))

        def batch(number: int, batches: list[list[str]] = batches) -> np.ndarray:
            return encoder.rows(batches[number])

        digest = hashlib.sha256("\0".join(group).encode()).hexdigest()
        key = {"sentences": digest, "weights": encoder.weights.fingerprint, "most": encoder.most}
        shape = (sum(encoder.lengths(group)) + len(group), encoder.features)
        names.append(group)
        files.append(_File(f"{encoder.weights.kind}-sentences", key, shape, tuple(map(len, batches)), batch))
    return names, files


def _groups(values: Any, size: int) -> Iterator[Any]:
    """Return groups of ``size`` values in order, and the rest."""
    return (values[start : start + size] for start in range(0, len(values), size))
