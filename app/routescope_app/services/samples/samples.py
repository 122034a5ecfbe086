"""Pictures as samples, uploaded, drawn or of data sets: found, shown, labelled, and as inputs of models."""

import asyncio
import contextlib
import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
import torch
from jaxtyping import Bool, UInt8
from PIL import Image
from torch import Tensor

from routescope.data import Samples
from routescope.data.kinds.kind import kinds
from routescope.data.kinds.pictures import CODEC
from routescope.data.pictures.sets import PictureSet
from routescope.nn.inputs.kind import Inputs
from routescope.nn.inputs.pictures import Pictures
from routescope.routing import Trace
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.engine.threads import Priority
from routescope_app.services.errors import NotAccepted, NotFound, ReadOnly
from routescope_app.services.reading import (
    ELSEWHERE,
    check_reads_samples,
    check_reads_set,
    picture_codec,
    reads_own_sets,
    reads_samples,
)
from routescope_app.services.samples.decoding import encode_png
from routescope_app.services.samples.finding import in_dataset, in_own, words_of
from routescope_app.services.samples.gallery import GALLERY, Gallery, batch_of, content_of
from routescope_app.services.samples.predictions import Prediction, Predictions, Question
from routescope_app.services.samples.uploads import SearchedUpload, Uploads
from routescope_app.services.samples.written import WrittenSamples, sample_of
from routescope_app.services.store import SampleRow, WrittenRow

#: Largest magnification of an image.
MAX_IMAGE_SCALE = 32


@dataclass(frozen=True)
class Sample:
    """Facts about one sample.

    Attributes:
        owner: browser that it came from; None: everybody's.
        content: hash of the image file of an uploaded or drawn sample.
    """

    id: str
    origin: str
    set: str | None
    set_title: str | None
    stand_in: bool
    label: int | None
    name: str
    width: int
    height: int
    created: datetime | None
    owner: str | None = None
    content: str | None = None
    prediction: Prediction | None = None


@dataclass(frozen=True)
class SampleFilters:
    """Filters of samples; None: all.

    Attributes:
        wrong: whether a model labels them wrongly (True) or rightly (False). Samples without a label, or without a head
            for their domain, are neither.
        find: search words (see ``finding``).
    """

    label: int | None
    wrong: bool | None
    find: str | None


def picture_of(image: UInt8[np.ndarray, "3 height width"]) -> Image.Image:
    """Return an image with its channels first as a picture."""
    return Image.fromarray(np.ascontiguousarray(image.transpose(1, 2, 0)))


def magnified_png(image: UInt8[np.ndarray, "3 height width"], scale: int) -> bytes:
    """Return an image as PNG, each pixel ``scale`` pixels wide."""
    picture = picture_of(image)
    size = (picture.width * scale, picture.height * scale)
    return encode_png(picture.resize(size, Image.Resampling.NEAREST), compress_level=1)


class SampleStore:
    """Finds, shows and changes samples of any origin."""

    def __init__(self, uploads: Uploads, gallery: Gallery, written: WrittenSamples, predictions: Predictions) -> None:
        self._uploads = uploads
        self._gallery = gallery
        self._written = written
        self._predictions = predictions

    def add(
        self,
        content: bytes,
        origin: str,
        file_name: str | None,
        name: str | None,
        label: int | None,
        kind: str = Pictures.kind,
        *,
        owner: str | None,
    ) -> Sample:
        """Keep an upload as a sample of a picture kind; blocks; raises NotAccepted, and as ``Uploads.add``."""
        picture_codec(kind)
        return _of_row(self._uploads.add(content, origin, file_name, name, label, owner))

    def get(self, sample_id: str) -> Sample:
        """Return a sample; raises NotFound."""
        if self._gallery.owns(sample_id):
            return _of_dataset(*self._gallery.find(sample_id))
        return _of_row(self._uploads.get(sample_id))

    def change(self, sample_id: str, changes: dict[str, str | int | None], caller: str | None) -> Sample:
        self._check_writable(sample_id)
        return _of_row(self._uploads.change(sample_id, changes, caller))

    def delete(self, sample_id: str, caller: str | None) -> None:
        self._check_writable(sample_id)
        if self._written.has(sample_id):
            self._written.remove(sample_id, caller)
        else:
            self._predictions.forget(self._uploads.delete(sample_id, caller))

    def _check_writable(self, sample_id: str) -> None:
        if self._gallery.owns(sample_id):
            self._gallery.find(sample_id)
            raise ReadOnly("Samples of data sets cannot be changed; only uploaded and drawn ones can.")

    # -- pictures --------------------------------------------------------------------------------------------

    def image(self, sample_id: str) -> UInt8[Tensor, "3 32 32"]:
        """Return the image that networks see."""
        if self._gallery.owns(sample_id):
            dataset, index = self._gallery.find(sample_id)
            return torch.as_tensor(dataset.images[index])
        return self._uploads.image(self._uploads.get(sample_id))

    def inputs(self, info: ModelInfo, sample_id: str) -> tuple[Inputs, str]:
        """Return a sample as a batch of one, and its hash; blocks; raises NotFound, NotAccepted if it is not read."""
        if reads_own_sets(info):
            if not self._gallery.owns(sample_id):
                if self._written.has(sample_id):
                    return self._written_inputs(info, self._written.get(sample_id))
                self._uploads.get(sample_id)  # an unknown sample is NotFound, whatever its kind
                codec = picture_codec(info.inputs)
                image = self.image(sample_id)
                return codec.decode(image), content_of(image)
            dataset, index = self._gallery.find_any(sample_id)
            check_reads_set(info, dataset)
            return dataset.inputs([index]), hashlib.sha256(dataset.hashes[index].encode()).hexdigest()
        check_reads_samples(info)
        image = self.image(sample_id)
        return CODEC.decode(image), content_of(image)

    def _written_inputs(self, info: ModelInfo, row: WrittenRow) -> tuple[Inputs, str]:
        if info.inputs != row.inputs:
            raise NotAccepted(f"This sample is {kinds()[row.inputs].words}, and this model reads something else.")
        dataset = self._gallery.of_own(row.inputs, row.data, sample_of(row), row.digest)
        check_reads_set(info, dataset)
        return dataset.inputs([0]), row.digest

    def image_key(self, sample_id: str) -> str | None:
        """Return the hash of an uploaded sample's image, None for data sets; raises NotFound."""
        return None if self._gallery.owns(sample_id) else self._uploads.get(sample_id).image

    def inputs_of_image(self, info: ModelInfo, key: str) -> Inputs:
        """Return the image with the hash ``image_key`` as a batch of one for a model; blocks.

        Raises:
            NotFound: the image was deleted.
            NotAccepted: a model that does not read it.
        """
        check_own(info)
        codec = picture_codec(info.inputs) if reads_own_sets(info) else CODEC
        return codec.decode(self._uploads.image_of(key))

    def inputs_of_set(self, info: ModelInfo, sample_id: str) -> tuple[Inputs, str]:
        """Return a data set's sample as a batch of one, and its hash; blocks; raises NotFound, NotAccepted."""
        dataset, index = self._gallery.find_any(sample_id)
        check_reads_set(info, dataset)
        return batch_of(dataset, index), dataset.hashes[index]

    def image_png(self, sample_id: str, scale: int) -> bytes:
        """Return the image that networks see, each pixel ``scale`` pixels wide."""
        return magnified_png(self.image(sample_id).numpy(), scale)

    def sheet_png(self, sample_ids: Sequence[str], columns: int) -> bytes:
        """Return the images that networks see in one picture, row by row; empty cells are black."""
        images = [self.image(sample_id).numpy() for sample_id in sample_ids]
        side = images[0].shape[-1]
        rows = -(-len(images) // columns)
        sheet = np.zeros((rows * side, columns * side, 3), np.uint8)
        for at, image in enumerate(images):
            top, left = side * (at // columns), side * (at % columns)
            sheet[top : top + side, left : left + side] = image.transpose(1, 2, 0)
        return encode_png(Image.fromarray(sheet), compress_level=6)

    def picture_png(self, sample_id: str) -> bytes:
        """Return the uploaded picture, re-encoded; for data sets the image that networks see."""
        if self._gallery.owns(sample_id):
            return self.image_png(sample_id, 1)
        return self._uploads.picture(self._uploads.get(sample_id))

    def picture_key(self, sample_id: str) -> str:
        """Return a key for the result of ``picture_png``, by content for uploads; raises NotFound."""
        if self._gallery.owns(sample_id):
            return sample_id
        return self._uploads.get(sample_id).picture

    def open_picture(self, sample_id: str) -> Image.Image:
        """Return the decoded picture of ``picture_png``; few are decoded at the same time."""
        with self._uploads.decoding:
            picture = Image.open(io.BytesIO(self.picture_png(sample_id)), formats=("PNG",))
            picture.load()
        return picture

    def remember(self, info: ModelInfo, sample_id: str, trace: Trace) -> None:
        """Keep the prediction of a trace for an uploaded sample; blocks."""
        if self._gallery.owns(sample_id) or not reads_samples(info) or "logits" not in trace.dataset:
            return
        with contextlib.suppress(NotFound):  # deleted in the meantime
            row, heads = self._uploads.get(sample_id), trace.predictions()[0]
            stacked = np.stack([heads[domain] for domain in info.domains])
            self._predictions.remember(info, row.origin, row.image, stacked)

    # -- lists -----------------------------------------------------------------------------------------------

    async def find(
        self,
        filters: SampleFilters,
        *,
        caller: str | None,
        origin: str | None,
        set_name: str | None,
        info: ModelInfo | None,
        offset: int,
        limit: int,
    ) -> tuple[list[Sample], int]:
        """Return one page of the matching samples, and their number: uploads newest first, then the data sets.

        Uploads are those of the caller and of everybody.
        """
        if filters.wrong is not None and info is None:
            raise NotAccepted("The filter 'wrong' needs a model: name one with model=.")
        if set_name is not None and set_name not in GALLERY:
            raise NotAccepted(f"There is no such data set; there are: {', '.join(GALLERY)}.")
        page: list[Sample] = []
        total = 0
        if origin != "data" and set_name is None:
            page, total = await self.uploads(filters, caller, info, offset, limit, origin)
        if origin in {None, "data"}:
            for dataset in await asyncio.to_thread(self._gallery.datasets):
                if set_name in {None, dataset.name}:
                    chosen = np.flatnonzero(await self.matching(dataset, filters, info))
                    first = max(offset - total, 0)
                    room = limit - len(page)
                    page += [_of_dataset(dataset, int(i)) for i in chosen[first : first + room]]
                    total += len(chosen)
        return (await self.with_predictions(page, info) if info is not None else page), total

    async def uploads(
        self,
        filters: SampleFilters,
        caller: str | None,
        info: ModelInfo | None,
        offset: int,
        limit: int,
        origin: str | None = None,
    ) -> tuple[list[Sample], int]:
        """Return a page of the caller's and everybody's matching uploads, newest first, and their number."""
        words, wrong = words_of(filters.find), filters.wrong
        search = (origin, filters.label, caller)
        if wrong is None and not words:
            rows, total = await asyncio.to_thread(self._uploads.find, *search, offset, limit)
            return [_of_row(row) for row in rows], total
        if wrong is not None and (info is None or not gives_predictions(info)):
            return [], 0
        of_samples = None if wrong is None or info is None else self._predictions.of_samples(info)
        listed = await asyncio.to_thread(self._uploads.listed, *search, of_samples)
        matching = [upload for upload in listed if in_own(upload, words)]
        if wrong is not None and info is not None:
            predicted = await self._predicted(matching, info)
            matching = [upload for upload in matching if (predicted[upload.id] != upload.label) == wrong]
        ids = [upload.id for upload in matching[offset : offset + limit]]
        return [_of_row(row) for row in await asyncio.to_thread(self._uploads.rows, ids)], len(matching)

    async def _predicted(self, listed: Sequence[SearchedUpload], info: ModelInfo) -> dict[str, int]:
        """Return the model's label for each upload, by its id; unknown labels are computed."""
        known = {upload.id: upload.predicted for upload in listed if upload.predicted is not None}
        new = {
            upload.id: self._predictions.question(info, upload.origin, upload.image)
            for upload in listed
            if upload.predicted is None
        }
        answers = await self._predictions.compute(info, list(dict.fromkeys(new.values())), Priority.STREAM)
        return known | {sample_id: answers[question].label for sample_id, question in new.items()}

    async def matching(
        self, dataset: Samples, filters: SampleFilters, info: ModelInfo | None
    ) -> Bool[np.ndarray, " sample"]:
        """Return which samples of a data set match; only pictures can be right or wrong."""
        label, wrong = filters.label, filters.wrong
        labels = np.asarray(dataset.labels)
        mask = np.ones(len(labels), dtype=bool) if label is None else labels == label
        if words := words_of(filters.find):
            mask &= in_dataset(dataset, words)
        if wrong is not None and info is not None:
            if dataset.domain not in info.domains or not isinstance(dataset, PictureSet):
                return np.zeros(len(labels), dtype=bool)
            predicted, _ = await self._gallery.scores(info, dataset)
            mask &= (predicted != labels) == wrong
        return mask

    async def with_predictions(self, samples: list[Sample], info: ModelInfo) -> list[Sample]:
        """Return samples with predictions: by the head of their data set, MNIST's for drawings, else the most certain.

        Models of other kinds of input give no predictions.
        """
        if not gives_predictions(info):
            return samples
        check_reads_samples(info)
        predictions: dict[str, Prediction] = {}
        unknown: list[tuple[str, str]] = []
        own: dict[str, Question] = {}
        for sample in samples:
            if sample.content is not None:
                own[sample.id] = self._predictions.question(info, sample.origin, sample.content)
            elif sample.set in info.domains:
                dataset, index = self._gallery.find(sample.id)
                scores = self._gallery.known_scores(info, dataset)
                if scores is None:
                    unknown.append((sample.id, dataset.domain))
                else:
                    predictions[sample.id] = Prediction(int(scores[0][index]), float(scores[1][index]), dataset.domain)
        if own:
            answers = await self._predictions.find(info, list(own.values()))
            predictions |= {sample_id: answers[question] for sample_id, question in own.items()}
        if unknown:
            images = await asyncio.to_thread(lambda: [self.image(sample_id) for sample_id, _ in unknown])
            new = await self._gallery.predict(info, images, [domain for _, domain in unknown])
            predictions.update(zip((sample_id for sample_id, _ in unknown), new, strict=True))
        return [replace(sample, prediction=predictions.get(sample.id)) for sample in samples]


def gives_predictions(info: ModelInfo) -> bool:
    """Return whether a model labels single pictures."""
    return info.inputs not in ELSEWHERE and not reads_own_sets(info)


def check_own(info: ModelInfo) -> None:
    """Raise NotAccepted for a model that reads no uploads."""
    if reads_own_sets(info):
        picture_codec(info.inputs)
    else:
        check_reads_samples(info)


def _of_row(row: SampleRow) -> Sample:
    return Sample(
        id=row.id,
        origin=row.origin,
        set=None,
        set_title=None,
        stand_in=False,
        label=row.label,
        name=row.name,
        width=row.width,
        height=row.height,
        created=row.created,
        owner=row.owner,
        content=row.image,
    )


def _of_dataset(dataset: PictureSet, index: int) -> Sample:
    height, width = (int(side) for side in dataset.images.shape[-2:])
    return Sample(
        id=f"{dataset.name}.{dataset.split}.{index}",
        origin="data",
        set=dataset.name,
        set_title=dataset.title,
        stand_in=dataset.stand_in,
        label=int(dataset.labels[index]),
        name=f"{dataset.info.title} {index}",
        width=width,
        height=height,
        created=None,
    )
