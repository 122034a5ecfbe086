"""Samples of data sets, and their predictions by models, computed once per model revision."""

import asyncio
import hashlib
import io
import re
import threading
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import torch
from jaxtyping import UInt8
from torch import Tensor

from routescope.data import DataError, DatasetInfo, Samples, in_words, known_datasets, load
from routescope.data.pictures.sets import PictureSet
from routescope.data.statements.sets import StatementSet
from routescope.nn.inputs.kind import Inputs
from routescope.nn.inputs.pictures import Pictures
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.single_flight import SingleFlight
from routescope_app.services.errors import NotAccepted, NotFound, sentence
from routescope_app.services.files import write_durably
from routescope_app.services.folders import resolve_within
from routescope_app.services.reading import check_reads_samples
from routescope_app.services.samples.predictions import BATCH, Prediction, answer_of, probabilities

#: Split of the data sets that the gallery shows.
SPLIT = "validation"

_SAMPLE_ID = re.compile(r"([a-z0-9-]{1,40})\.([a-z]{1,20})\.(0|[1-9][0-9]{0,8})")
#: Data sets of statements about pictures that need no source.
STATEMENT_SETS = ("scenes",)
#: Shown splits of statements; training draws statements without end.
STATEMENT_SPLITS = ("validation", "test")
#: Data sets of single pictures.
GALLERY = tuple(name for name, info in known_datasets().items() if info.in_gallery)
#: Predictions of single samples in memory.
REMEMBERED = 20_000
#: Bytes of predictions of whole data sets in memory: six a sample, one entry a model and data set.
SCORES_BYTES = 16 * 2**20
#: Predicted labels and their probabilities, for all samples of a data set.
Scores = tuple[np.ndarray, np.ndarray]


def content_of(image: UInt8[Tensor, "3 32 32"]) -> str:
    """Return the SHA-256 of an image as networks see it."""
    return hashlib.sha256(np.ascontiguousarray(torch.as_tensor(image).numpy()).tobytes()).hexdigest()


def batch_of(samples: Samples, index: int) -> Inputs:
    """Return one sample of a data set as a batch of its kind; data sets of pictures give plain tensors."""
    inputs = samples.inputs([index])
    return inputs if isinstance(inputs, Inputs) else Pictures(inputs)


class Gallery:
    """Data sets by name, loaded once, and predictions for their samples."""

    def __init__(self, inference: Inference, split: str, cache: Path) -> None:
        self._inference = inference
        self._split = split
        self._cache = cache
        self._datasets: dict[tuple[str, str], Samples] = {}
        self._used: dict[tuple[str, str], float] = {}
        self._contents: dict[str, str] = {}
        self._loading = threading.Lock()
        self._scores = SingleFlight[tuple[str, str, str], Scores](
            SCORES_BYTES, lambda both: sum(a.nbytes for a in both), "scores"
        )
        self._predictions = SingleFlight[tuple[str, str, str], Prediction](REMEMBERED)

    # -- samples ---------------------------------------------------------------------------------------------

    def datasets(self) -> list[PictureSet]:
        """Return the shown split of every data set of single pictures."""
        datasets = [self.dataset(name) for name in GALLERY]
        return [dataset for dataset in datasets if isinstance(dataset, PictureSet)]

    def dataset(self, name: str, split: str | None = None) -> Samples:
        """Return a split of a data set of any kind; None: the shown split."""
        key = name, split or self._split
        with self._loading:
            if key not in self._datasets:
                self._datasets[key] = load(*key)
            self._used[key] = time.monotonic()
            return self._datasets[key]

    def statements(self, split: str) -> StatementSet:
        """Return a split of the shown statements."""
        statements = self.dataset(STATEMENT_SETS[0], split)
        assert isinstance(statements, StatementSet)
        return statements

    def content(self, name: str) -> str:
        """Return the content hash of the shown split of a data set."""
        if name not in self._contents:
            self._contents[name] = self.dataset(name).content_hash()
        return self._contents[name]

    def forget_unused(self, seconds: float) -> int:
        """Unload data sets unused for ``seconds``, except those of single pictures; return their number."""
        before = time.monotonic() - seconds
        with self._loading:
            gone = [key for key, used in self._used.items() if key[0] not in GALLERY and used <= before]
            for key in gone:
                del self._datasets[key], self._used[key]
        return len(gone)

    def find_any(self, sample_id: str) -> tuple[Samples, int]:
        """Return data set and position of a sample of any kind, such as ``mnist.validation.17``; raises NotFound."""
        match, sets = _SAMPLE_ID.fullmatch(sample_id), self.sets()
        if match and match[1] in sets:
            name, split, index = match[1], match[2], int(match[3])
            splits = STATEMENT_SPLITS if name in STATEMENT_SETS else sets[name].splits
            if split in splits and index < len(dataset := self.dataset(name, split)):
                return dataset, index
        raise NotFound("There is no such sample in the data sets.")

    def find(self, sample_id: str) -> tuple[PictureSet, int]:
        """Return data set and position of a single picture; raises NotFound."""
        name = sample_id.partition(".")[0]
        if name not in GALLERY and name in self.sets():
            raise NotFound(f"A sample of {name} is no single picture.")
        dataset, index = self.find_any(sample_id)
        assert isinstance(dataset, PictureSet)
        return dataset, index

    def find_statement(self, statement_id: str) -> tuple[StatementSet, int]:
        """Return data set and position of a statement; raises NotFound."""
        dataset, index = self.find_any(statement_id)
        if not isinstance(dataset, StatementSet):
            raise NotFound(f"A sample of {dataset.name} is no statement.")
        return dataset, index

    @staticmethod
    def sets() -> dict[str, DatasetInfo]:
        """Return every shown data set by name."""
        return {name: info for name, info in known_datasets().items() if info.shown}

    def of_own(self, kind: str, data: str | None, inputs: Inputs, digest: str) -> Samples:
        """Return a written sample as a data set of one, with its right answer and the domain of its head.

        Args:
            data: data set that gives the right answer; None: the first of this kind that accepts the sample.

        Raises:
            NotAccepted: no such data set of this kind, or the data set does not accept the sample.
        """
        of_kind = [name for name, info in self.sets().items() if info.inputs == kind]
        if data is not None and data not in of_kind:
            raise NotAccepted(f"There is no such data set of {kind}; there are: {in_words(of_kind)}.")
        refusal: DataError | None = None
        for name in of_kind if data is None else [data]:
            try:
                if (sample := self.dataset(name).user_sample(inputs, digest)) is not None:
                    return sample
            except DataError as error:
                refusal = error
        if refusal is None:
            raise NotAccepted(f"No data set of {kind} takes samples of one's own.")
        raise NotAccepted(sentence(refusal)) from refusal

    @staticmethod
    def owns(sample_id: str) -> bool:
        """Return whether an id has the form of a data set's sample."""
        return "." in sample_id

    @staticmethod
    def is_picture(sample_id: str) -> bool:
        """Return whether an id is of a data set of single pictures."""
        return sample_id.partition(".")[0] in GALLERY

    # -- predictions -----------------------------------------------------------------------------------------

    async def scores(self, info: ModelInfo, dataset: PictureSet) -> Scores:
        """Return the predictions for a whole data set by the head of its domain.

        Computed once per model revision, in small batches between which other requests run.
        """
        check_reads_samples(info)
        return await self._scores.find(_key_of(info, dataset), partial(self._scored, info, dataset))

    async def _scored(self, info: ModelInfo, dataset: PictureSet) -> Scores:
        where = f"{dataset.name}.{dataset.split}"
        content = hashlib.sha256("".join(dataset.hashes).encode()).hexdigest()[:12]
        path = resolve_within(self._cache, f"{info.id}-{info.revision}-{where}-{content}.npz")
        stored = await asyncio.to_thread(_read_scores, path, len(dataset))
        if stored is None:
            head = info.domains.index(dataset.domain)
            model = await self._inference.run(partial(self._inference.model, info))
            device = self._inference.device.torch
            labels, highest = [], []
            for start in range(0, len(dataset), BATCH):
                images = dataset.images[start : start + BATCH]
                batch = await self._inference.run(partial(probabilities, model, images, device))
                labels.append(batch[:, head].argmax(-1))
                highest.append(batch[:, head].max(-1))
            stored = np.concatenate(labels).astype(np.int16), np.concatenate(highest).astype(np.float32)
            await asyncio.to_thread(_write_scores, path, stored)
        return stored

    def known_scores(self, info: ModelInfo, dataset: PictureSet) -> Scores | None:
        """Return ``scores`` if they are in memory, else None."""
        return self._scores.kept.get(_key_of(info, dataset))

    async def predict(
        self, info: ModelInfo, images: list[UInt8[Tensor, "3 32 32"]], domains: list[str]
    ) -> list[Prediction]:
        """Return predictions for images of data sets, each by the head of its domain."""
        check_reads_samples(info)
        keys = [(info.revision, domain, content_of(image)) for image, domain in zip(images, domains, strict=True)]
        image_of = dict(zip(keys, images, strict=True))

        async def compute(missing: Sequence[tuple[str, str, str]]) -> dict[tuple[str, str, str], Prediction]:
            answers = {}
            model = await self._inference.run(partial(self._inference.model, info))
            for start in range(0, len(missing), BATCH):
                chosen = missing[start : start + BATCH]
                stack = torch.stack([torch.as_tensor(image_of[key]) for key in chosen])
                compute = partial(probabilities, model, stack, self._inference.device.torch)
                batch = await self._inference.run(compute, cost=len(chosen) / 4)
                for key, heads in zip(chosen, batch, strict=True):
                    answers[key] = answer_of(heads, info.domains, key[1])
            return answers

        predictions = await self._predictions.find_all(keys, compute)
        return [predictions[key] for key in keys]


def _key_of(info: ModelInfo, dataset: PictureSet) -> tuple[str, str, str]:
    return info.id, info.revision, f"{dataset.name}.{dataset.split}"


def _read_scores(path: Path, count: int) -> Scores | None:
    try:
        with np.load(path, allow_pickle=False) as stored:
            labels, probabilities = stored["labels"], stored["probabilities"]
    except Exception:  # missing or damaged files are computed again
        return None
    return (labels, probabilities) if labels.shape == probabilities.shape == (count,) else None


def _write_scores(path: Path, scores: Scores) -> None:
    buffer = io.BytesIO()
    np.savez(buffer, labels=scores[0], probabilities=scores[1])
    write_durably(path, buffer.getvalue())
