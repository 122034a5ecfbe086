"""The samples of the bundled data sets, and what each model makes of them, scored once per model revision."""

import asyncio
import hashlib
import io
import re
import threading
import time
from collections.abc import Mapping, Sequence
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
#: Sets of statements about pictures that need no source.
STATEMENT_SETS = ("scenes",)
#: Splits of the former that people may look at; training draws statements of its own without end.
STATEMENT_SPLITS = ("validation", "test")
#: Sets of single pictures, which the gallery shows.
GALLERY = tuple(name for name, info in known_datasets().items() if info.in_gallery)
#: Predictions for single samples kept in memory.
REMEMBERED = 20_000
#: Bytes of the scores of whole data sets kept in memory: six a sample, in one entry for each model and data set.
SCORES_BYTES = 16 * 2**20
#: (predicted labels, their probabilities) of the samples of a data set.
Scores = tuple[np.ndarray, np.ndarray]


def content_of(image: UInt8[Tensor, "3 32 32"]) -> str:
    """SHA-256 of what a network sees of a sample."""
    return hashlib.sha256(np.ascontiguousarray(torch.as_tensor(image).numpy()).tobytes()).hexdigest()


class Gallery:
    """Data sets by name, loaded once, and predictions for their samples and for uploaded ones."""

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
        """The shown split of every data set of samples."""
        return [self._samples(name, self._split) for name in GALLERY]

    def dataset(self, name: str) -> Samples:
        """The shown split of one data set, whatever a sample of it is."""
        return self._dataset(name, self._split)

    def statements(self, name: str, split: str) -> StatementSet:
        """A split of one of ``STATEMENT_SETS``."""
        found = self._dataset(name, split)
        assert isinstance(found, StatementSet)
        return found

    def content(self, name: str) -> str:
        """Hash of all that the samples of the shown split of a data set are made of."""
        if name not in self._contents:
            self._contents[name] = self.dataset(name).content_hash()
        return self._contents[name]

    def _samples(self, name: str, split: str) -> PictureSet:
        found = self._dataset(name, split)
        assert isinstance(found, PictureSet)
        return found

    def _dataset(self, name: str, split: str) -> Samples:
        with self._loading:
            if (name, split) not in self._datasets:
                self._datasets[name, split] = load(name, split)
            self._used[name, split] = time.monotonic()
            return self._datasets[name, split]

    def forget_unused(self, seconds: float) -> int:
        """Forget the sets, but for those of single pictures, that nobody asked for in so many seconds; how many."""
        before = time.monotonic() - seconds
        with self._loading:
            gone = [key for key, used in self._used.items() if key[0] not in GALLERY and used <= before]
            for key in gone:
                del self._datasets[key], self._used[key]
        return len(gone)

    def find(self, sample_id: str) -> tuple[PictureSet, int]:
        """The data set and position of an id such as ``mnist.validation.17``; raises NotFound, also for other kinds."""
        match = _SAMPLE_ID.fullmatch(sample_id)
        if match and match[1] not in GALLERY and match[1] in self.sets():
            raise NotFound(f"A sample of {match[1]} is no single picture.")
        dataset, index = self._found(sample_id, {name: self.sets()[name] for name in GALLERY})
        assert isinstance(dataset, PictureSet)
        return dataset, index

    def _found(self, sample_id: str, sets: Mapping[str, DatasetInfo]) -> tuple[Samples, int]:
        """The set, one of ``sets``, and position of an id; raises NotFound."""
        match = _SAMPLE_ID.fullmatch(sample_id)
        if match and match[1] in sets and match[2] in sets[match[1]].splits:
            dataset, index = self._dataset(match[1], match[2]), int(match[3])
            if index < len(dataset):
                return dataset, index
        raise NotFound("There is no such sample in the data sets.")

    def find_statement(self, statement_id: str) -> tuple[StatementSet, int]:
        """The set and position of an id such as ``scenes.validation.17``; raises NotFound."""
        match = _SAMPLE_ID.fullmatch(statement_id)
        if match and match[1] in STATEMENT_SETS and match[2] in STATEMENT_SPLITS:
            statements, index = self.statements(match[1], match[2]), int(match[3])
            if index < len(statements):
                return statements, index
        raise NotFound("There is no such statement.")

    def find_any(self, sample_id: str) -> tuple[Samples, int]:
        """The set and position of a sample of any data set, whatever it is made of; raises NotFound."""
        match = _SAMPLE_ID.fullmatch(sample_id)
        if match and match[1] in STATEMENT_SETS:
            return self.find_statement(sample_id)
        return self._found(sample_id, self.sets())

    @staticmethod
    def sets() -> dict[str, DatasetInfo]:
        """Every data set that pages show, by name."""
        return {name: info for name, info in known_datasets().items() if info.shown}

    def of_own(self, kind: str, data: str | None, inputs: Inputs, digest: str) -> Samples:
        """A sample that somebody wrote, as a data set of it alone: what is right of it, and the head that it is for.

        Args:
            data: the data set that it is put to; None: the first of its kind that takes it.

        Raises:
            NotAccepted: no such data set of this kind, or a sample of another make than that takes.
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
        """Whether the id is of the form that data-set samples have."""
        return "." in sample_id

    @staticmethod
    def is_picture(sample_id: str) -> bool:
        """Whether the id is one of a data set of single pictures."""
        return sample_id.partition(".")[0] in GALLERY

    # -- predictions -----------------------------------------------------------------------------------------

    async def scores(self, info: ModelInfo, dataset: PictureSet) -> Scores:
        """(predicted labels, their probabilities) of a whole data set by the head of its domain.

        Computed once per model revision, in small batches between which other requests get their turn.
        """
        check_reads_samples(info)
        return await self._scores.find(_key_of(info, dataset), partial(self._scored, info, dataset))

    async def _scored(self, info: ModelInfo, dataset: PictureSet) -> Scores:
        where = f"{dataset.name}.{dataset.split}"
        path = resolve_within(self._cache, f"{info.id}-{info.revision}-{where}-{_hash_of(dataset)}.npz")
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
        """As ``scores`` when they were computed already, else None."""
        return self._scores.kept.get(_key_of(info, dataset))

    async def predict(
        self, info: ModelInfo, images: list[UInt8[Tensor, "3 32 32"]], domains: list[str]
    ) -> list[Prediction]:
        """What the model makes of the image of each sample of a data set, by the head of its domain."""
        check_reads_samples(info)
        keys = [(info.revision, domain, content_of(image)) for image, domain in zip(images, domains, strict=True)]
        image_of = dict(zip(keys, images, strict=True))

        async def compute(missing: Sequence[tuple[str, str, str]]) -> dict[tuple[str, str, str], Prediction]:
            found = {}
            model = await self._inference.run(partial(self._inference.model, info))
            for start in range(0, len(missing), BATCH):
                chosen = missing[start : start + BATCH]
                stack = torch.stack([torch.as_tensor(image_of[key]) for key in chosen])
                compute = partial(probabilities, model, stack, self._inference.device.torch)
                batch = await self._inference.run(compute, cost=len(chosen) / 4)
                for key, heads in zip(chosen, batch, strict=True):
                    found[key] = answer_of(heads, info.domains, key[1])
            return found

        predictions = await self._predictions.find_all(keys, compute)
        return [predictions[key] for key in keys]


def _key_of(info: ModelInfo, dataset: PictureSet) -> tuple[str, str, str]:
    return info.id, info.revision, f"{dataset.name}.{dataset.split}"


def _hash_of(dataset: PictureSet) -> str:
    return hashlib.sha256("".join(dataset.hashes).encode()).hexdigest()[:12]


def _read_scores(path: Path, count: int) -> Scores | None:
    try:
        with np.load(path, allow_pickle=False) as stored:
            labels, probabilities = stored["labels"], stored["probabilities"]
    except Exception:  # missing or damaged: computed again
        return None
    return (labels, probabilities) if labels.shape == probabilities.shape == (count,) else None


def _write_scores(path: Path, scores: Scores) -> None:
    buffer = io.BytesIO()
    np.savez(buffer, labels=scores[0], probabilities=scores[1])
    write_durably(path, buffer.getvalue())
