"""Samples of any data set, and texts that people bring, as tables: shown so where a kind of input has no picture."""

import asyncio
import math
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch

from app.services.engine.inference import Inference
from app.services.errors import NotAccepted
from app.services.reading import check_reads_set
from app.services.samples.finding import in_dataset, words_of
from app.services.samples.gallery import Gallery
from app.services.samples.texts import Texts, text_of
from app.services.store import TextRow
from app.settings import Settings
from core.data import LabelledSamples
from core.data.blocks.tasks import DIGIT_TASKS
from core.data.text.sets import TextSet
from core.nn.inputs.blocks import Blocks
from core.nn.inputs.kind import Inputs
from core.nn.inputs.pictures import Pictures
from core.nn.inputs.text import Text
from core.nn.measures import Measure
from core.routing.caused.scores import score
from core.zoo.catalogue import ModelInfo


@dataclass(frozen=True)
class BlockDigits:
    """Blocks that are digits: the digits, and the number of the subtask of each iteration."""

    digits: tuple[int, ...]
    program: tuple[int, ...]


@dataclass(frozen=True)
class SampleTable:
    """A sample of a data set, as its kind of input tells it.

    Attributes:
        set, set_title: its data set; of a text that somebody brought None and its name.
        inputs: name of its kind of input.
        label_name: of the label; None where the data set names none.
        rows: the first ones, None in place of what is no finite number.
        total_rows: how many there are in all.
        blocks: the same of blocks that are digits; None of other kinds.
    """

    id: str
    set: str | None
    set_title: str
    stand_in: bool
    inputs: str
    label: int
    label_name: str | None
    columns: tuple[str, ...]
    rows: tuple[tuple[str | int | float | None, ...], ...]
    total_rows: int
    blocks: BlockDigits | None = None


@dataclass(frozen=True)
class SampleScore:
    """What the answer of a model for one sample is worth by the measure of the head of its domain.

    Attributes:
        predicted: number of the label that was chosen; None where the head chooses none.
    """

    domain: str
    measure: Measure
    value: float | None
    loss: float | None
    predicted: int | None
    predicted_name: str | None


class Tables:
    """Finds samples of data sets, whatever they are made of, and what models make of them."""

    def __init__(self, settings: Settings, gallery: Gallery, inference: Inference, texts: Texts) -> None:
        self._settings = settings
        self._gallery = gallery
        self._inference = inference
        self._texts = texts

    def get(self, sample_id: str) -> SampleTable:
        """One sample with as many rows as an answer holds; blocking; raises NotFound."""
        if not self._gallery.owns(sample_id):
            return self._of_text(self._texts.get(sample_id), None)
        return self._table(*self._gallery.find_any(sample_id), None)

    def add_text(self, text: str, name: str | None, owner: str | None) -> SampleTable:
        """Take in a text as a sample; blocking; raises as ``Texts.add``."""
        return self._of_text(self._texts.add(text, name, owner), None)

    def own_texts(self, caller: str | None, offset: int, limit: int, rows: int) -> tuple[list[SampleTable], int]:
        """The caller's and everybody's texts, newest first, and how many there are; blocking.

        Raises:
            NotAccepted: a page that is too long.
        """
        if limit > self._settings.max_page:
            raise NotAccepted(f"One page has up to {self._settings.max_page} samples; ask for others with offset.")
        found, total = self._texts.find(caller, offset, limit)
        return [self._of_text(row, rows) for row in found], total

    def find(
        self,
        kind: str | None,
        set_name: str | None,
        label: int | None,
        offset: int,
        limit: int,
        rows: int,
        find: str | None = None,
    ) -> tuple[list[SampleTable], int]:
        """One page of the samples of the shown splits, set after set, and how many match; blocking.

        Args:
            kind: only of sets of this kind of input.
            rows: the most rows of each sample.
            find: words on what samples are (``finding``).

        Raises:
            NotAccepted: no such data set or kind, or a page that is too long.
        """
        if limit > self._settings.max_page:
            raise NotAccepted(f"One page has up to {self._settings.max_page} samples; ask for others with offset.")
        known = self._gallery.sets()
        if set_name is not None and set_name not in known:
            raise NotAccepted(f"There is no such data set; there are: {', '.join(known)}.")
        names = [name for name, info in known.items() if set_name in (None, name) and kind in (None, info.inputs)]
        if kind is not None and not names:
            kinds = dict.fromkeys(info.inputs for info in known.values())
            raise NotAccepted(f"There is no such data set of these inputs; there are some of: {', '.join(kinds)}.")
        page: list[SampleTable] = []
        total = 0
        for name in names:
            dataset = self._gallery.dataset(name)
            labels = np.asarray(dataset.labels)
            mask = np.ones(len(labels), dtype=bool) if label is None else labels == label
            chosen = np.flatnonzero(mask & in_dataset(dataset, words_of(find)) if find else mask)
            first = max(offset - total, 0)
            page += [self._table(dataset, int(i), rows) for i in chosen[first : first + limit - len(page)]]
            total += len(chosen)
        return page, total

    async def score(self, info: ModelInfo, sample_id: str) -> SampleScore | None:
        """What a model makes of a sample; None where it has no head for the data set.

        Raises:
            NotFound: no such sample.
            NotAccepted: a model that reads something else.
        """
        if not self._gallery.owns(sample_id):
            row = await asyncio.to_thread(self._texts.get, sample_id)
            if info.inputs != Text.kind:
                raise NotAccepted("This sample is a text, and this model reads something else.")
            dataset, index = _set_of(row, info.domains[0]), 0
        else:
            dataset, index = await asyncio.to_thread(self._gallery.find_any, sample_id)
            check_reads_set(info, dataset)
        if dataset.domain not in info.domains:
            return None
        model = await self._inference.run(partial(self._inference.model, info))
        scores = await self._inference.run(partial(score, model, dataset.take([index])))
        predicted = int(scores.predicted[0])
        return SampleScore(
            dataset.domain,
            scores.measure,
            _number(scores.figure),
            _number(scores.mean_loss),
            predicted if predicted >= 0 else None,
            _name(dataset, predicted),
        )

    def _of_text(self, row: TextRow, rows: int | None) -> SampleTable:
        table = Text((text_of(row),)).table()
        most = max(1, self._settings.max_text_values // len(table.columns))
        return SampleTable(
            id=row.id,
            set=None,
            set_title=row.name,
            stand_in=False,
            inputs=Text.kind,
            label=len(row.content),
            label_name=None,
            columns=table.columns,
            rows=table.rows[: most if rows is None else min(rows, most)],
            total_rows=len(table.rows),
        )

    def _table(self, dataset: LabelledSamples, index: int, rows: int | None) -> SampleTable:
        given = dataset.inputs([index])
        inputs: Inputs = given if isinstance(given, Inputs) else Pictures(given)
        table, label = inputs.table(), int(dataset.labels[index])
        most = max(1, self._settings.max_text_values // max(1, len(table.columns)))
        return SampleTable(
            id=f"{dataset.name}.{dataset.split}.{index}",
            set=dataset.name,
            set_title=dataset.title,
            stand_in=dataset.stand_in,
            inputs=inputs.kind,
            label=label,
            label_name=_name(dataset, label),
            columns=table.columns,
            rows=tuple(tuple(map(_plain, row)) for row in table.rows[: most if rows is None else min(rows, most)]),
            total_rows=len(table.rows),
            blocks=_digits(dataset.name, inputs),
        )


def _digits(set_name: str, inputs: Inputs) -> BlockDigits | None:
    if not isinstance(inputs, Blocks) or set_name not in DIGIT_TASKS:
        return None
    values, tasks = (indicator[0].argmax(-1).tolist() for indicator in (inputs.values, inputs.tasks))
    return BlockDigits(tuple(values), tuple(tasks))


def _set_of(row: TextRow, domain: str) -> LabelledSamples:
    """A text that somebody brought, to be scored by the head of a domain."""
    return TextSet(
        domain, row.name, "own", (text_of(row),), ("",), torch.tensor([len(row.content)]), (row.digest,), ""
    )  # fmt: skip


def _name(dataset: LabelledSamples, label: int) -> str | None:
    return dataset.classes[label] if 0 <= label < len(dataset.classes) else None


def _plain(value: str | int | float) -> str | int | float | None:
    return _number(value) if isinstance(value, float) else value


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
