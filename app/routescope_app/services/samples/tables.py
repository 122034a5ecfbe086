"""Samples of any kind as tables: those of data sets, and written ones; and how models score them."""

import asyncio
import math
from functools import partial

import numpy as np
import torch
from jaxtyping import Float
from PIL import Image
from torch import Tensor

from routescope.data import Samples, in_words
from routescope.data.blocks.tasks import DIGIT_TASKS
from routescope.data.kinds.kind import Panels, kind_of, kinds
from routescope.data.numbers import boolean
from routescope.data.numbers.sets import NumberSet
from routescope.nn.inputs.blocks import Blocks
from routescope.nn.inputs.kind import Inputs
from routescope.nn.inputs.numbers import Numbers, variable_names
from routescope.nn.network import LABEL_AXES, NUMBER_AXES, Network
from routescope.routing.caused.scores import score
from routescope.routing.running import inputs_of
from routescope.zoo.catalogue import ModelInfo
from routescope_app.api.schemas.base import MeasureName
from routescope_app.api.schemas.catalogue import (
    BlockDigits,
    FunctionValue,
    Point,
    Product,
    SamplePanels,
    SampleScore,
    SampleTable,
    SampleTables,
    Writing,
)
from routescope_app.services.engine.inference import Inference
from routescope_app.services.errors import NotAccepted, NotFound
from routescope_app.services.reading import check_reads_set
from routescope_app.services.samples.decoding import encode_png
from routescope_app.services.samples.finding import in_dataset, words_of
from routescope_app.services.samples.gallery import SPLIT, Gallery, batch_of
from routescope_app.services.samples.names import name_of_file
from routescope_app.services.samples.written import WrittenSamples, sample_of, writable
from routescope_app.services.store import WrittenRow
from routescope_app.settings import MAX_PAGE

#: Numbers of one field as JSON or CSV; more are fetched as binary or .npz.
MAX_TEXT_VALUES = 2_000_000
LONG_PAGE = f"One page has up to {MAX_PAGE} samples; ask for others with offset."


class Tables:
    """Finds samples of any kind, shows them as tables, and scores them with models.

    Methods block, except ``score``. They raise NotFound for an unknown sample.
    """

    def __init__(self, gallery: Gallery, inference: Inference, written: WrittenSamples) -> None:
        self._gallery = gallery
        self._inference = inference
        self._written = written

    def get(self, sample_id: str, rows: int | None = None) -> SampleTable:
        """Return one sample with its first ``rows`` rows; None: as many as an answer holds."""
        if not self._gallery.owns(sample_id):
            return self._of_row(self._written.get(sample_id), rows)
        return self._table(*self._gallery.find_any(sample_id), rows)

    def add(self, kind: str, content: str, name: str | None, data: str | None, owner: str | None) -> SampleTable:
        """Keep a written sample of a kind of input.

        Args:
            data: data set that gives the right answer; None: any of this kind.

        Raises:
            NotAccepted, TooLarge, StoreFull: as ``WrittenSamples``; NotAccepted also where ``data`` is needed.
        """
        inputs = self._written.check(kind, content)
        codec = writable(kind).text
        if codec is not None and codec.of_set and data is None:
            sets = [name for name, info in self._gallery.sets().items() if info.inputs == kind]
            raise NotAccepted(f"Name the data set whose function it is put to: {in_words(sets)}.")
        self._gallery.of_own(kind, data, inputs, "")
        return self._of_row(self._written.add(kind, content, name, data, owner), None)

    def add_file(
        self,
        kind: str,
        file_name: str,
        content: bytes,
        name: str | None,
        data: str | None,
        owner: str | None,
        answer: int | None = None,
    ) -> SampleTable:
        """Keep a file as a sample; ``answer`` counts from 1, None: as the file says. Raises as ``add``."""
        text = self._written.read(kind, file_name, content, answer)
        return self.add(kind, text, name if name and name.strip() else name_of_file(file_name), data, owner)

    def picture_png(self, sample_id: str, side: int) -> bytes:
        """Return the thumbnail of a sample; raises NotFound for kinds without thumbnails."""
        dataset, index, _ = self._sample(sample_id)
        inputs = batch_of(dataset, index)
        thumbnail = kind_of(inputs).thumbnail
        if thumbnail is None:
            raise NotFound("This sample has no picture; it is a table.")
        return encode_png(Image.fromarray(thumbnail(inputs, side)))

    def panels_png(self, sample_id: str, columns: int | None = None) -> bytes:
        """Return the panels of a sample as one picture, ``columns`` in a row, or all in one row.

        Raises:
            NotFound: a kind without panels.
            NotAccepted: a last row that would not be full.
        """
        greys = self._panels(sample_id)[0].greys
        rows, over = divmod(len(greys), columns or len(greys))
        if over or not rows:
            raise NotAccepted(f"There are {len(greys)} panels; rows are of a number of columns that divides it.")
        return encode_png(Image.fromarray(np.vstack([np.hstack(list(row)) for row in np.split(greys, rows)])))

    def exchange(self, sample_id: str, one: int, other: int, name: str | None, owner: str | None) -> SampleTable:
        """Keep a copy of a sample with two of its panels exchanged.

        Raises:
            NotFound: a kind without panels.
            NotAccepted: no such panels, or the same panel twice; and as ``add``.
        """
        panels, inputs, label, data = self._panels(sample_id)
        count, view = len(panels.names), kind_of(inputs).panels
        assert view is not None, "samples with panels have a view of them"
        if one == other or max(one, other) >= count:
            raise NotAccepted(f"Two panels change places; name two different ones, 0 to {count - 1}.")
        return self.add(inputs.kind, view.exchanged(inputs, one, other, label), name, data, owner)

    def _panels(self, sample_id: str) -> tuple[Panels, Inputs, int, str | None]:
        """Return the panels of a sample, the sample, its label and its data set."""
        dataset, index, data = self._sample(sample_id)
        inputs = batch_of(dataset, index)
        view = kind_of(inputs).panels
        if view is None:
            raise NotFound("This sample is not made of panels.")
        return view.panels(inputs), inputs, int(dataset.labels[index]), data

    def _sample(self, sample_id: str) -> tuple[Samples, int, str | None]:
        """Return a data set with the sample, its position, and the name of the set that gives the right answer."""
        if not self._gallery.owns(sample_id):
            row = self._written.get(sample_id)
            return self._set_of(row, row.data), 0, row.data
        dataset, index = self._gallery.find_any(sample_id)
        return dataset, index, dataset.name

    def own(self, kind: str | None, caller: str | None, offset: int, limit: int, rows: int) -> SampleTables:
        """Return one page of written samples of the caller and of everybody, newest first.

        Args:
            kind: only of this kind of input.
            rows: most rows of each sample.

        Raises:
            NotAccepted: a page that is too long, or no such kind.
        """
        if limit > MAX_PAGE:
            raise NotAccepted(LONG_PAGE)
        if kind is not None:
            writable(kind)
        page, total = self._written.find(kind, caller, offset, limit)
        return SampleTables(items=[self._of_row(row, rows) for row in page], total=total)

    def find(
        self,
        kind: str | None,
        set_name: str | None,
        label: int | None,
        offset: int,
        limit: int,
        rows: int,
        find: str | None = None,
    ) -> SampleTables:
        """Return one page of the samples of the shown splits, set after set.

        Args:
            kind: only of sets of this kind of input.
            rows: most rows of each sample.
            find: search words (see ``finding``).

        Raises:
            NotAccepted: no such data set or kind, or a page that is too long.
        """
        if limit > MAX_PAGE:
            raise NotAccepted(LONG_PAGE)
        known = self._gallery.sets()
        if set_name is not None and set_name not in known:
            raise NotAccepted(f"There is no such data set; there are: {', '.join(known)}.")
        names = [name for name, info in known.items() if set_name in (None, name) and kind in (None, info.inputs)]
        if kind is not None and not names:
            of_sets = dict.fromkeys(info.inputs for info in known.values())
            raise NotAccepted(f"There is no such data set of these inputs; there are some of: {', '.join(of_sets)}.")
        page: list[SampleTable] = []
        total = 0
        for name in names:
            count = known[name].splits.get(SPLIT)
            if label is None and not find and count is not None and (len(page) == limit or offset >= total + count):
                total += count  # no sample of this set is on the page: the set need not be loaded
                continue
            dataset = self._gallery.dataset(name)
            labels = np.asarray(dataset.labels)
            mask = np.ones(len(labels), dtype=bool) if label is None else labels == label
            chosen = np.flatnonzero(mask & in_dataset(dataset, words_of(find)) if find else mask)
            first = max(offset - total, 0)
            page += [self._table(dataset, int(i), rows) for i in chosen[first : first + limit - len(page)]]
            total += len(chosen)
        return SampleTables(items=page, total=total)

    async def score(self, info: ModelInfo, sample_id: str) -> SampleScore | None:
        """Return the score of a sample, None without a head for it; raises NotAccepted for another kind of input."""
        if not self._gallery.owns(sample_id):
            row = await asyncio.to_thread(self._written.get, sample_id)
            if info.inputs != row.inputs:
                words = kinds()[row.inputs].words
                raise NotAccepted(f"This sample is {words}, and this model reads something else.")
            dataset, index = await asyncio.to_thread(self._set_of, row, row.data or info.domains[0]), 0
        else:
            dataset, index = await asyncio.to_thread(self._gallery.find_any, sample_id)
            check_reads_set(info, dataset)
        if dataset.domain not in info.domains:
            return None
        model = await self._inference.run(partial(self._inference.model, info))
        return await self._inference.run(partial(_scored, model, dataset.take([index])))

    def _set_of(self, row: WrittenRow, data: str | None) -> Samples:
        return self._gallery.of_own(row.inputs, data, sample_of(row), row.digest)

    def _of_row(self, row: WrittenRow, rows: int | None) -> SampleTable:
        table = self._table(self._set_of(row, row.data), 0, rows)
        return table.model_copy(update={"id": row.id, "set": None, "set_title": row.name, "stand_in": False})

    def _table(self, dataset: Samples, index: int, rows: int | None) -> SampleTable:
        inputs, label = batch_of(dataset, index), int(dataset.labels[index])
        kind = kind_of(inputs)
        table = kind.table(inputs)
        most = max(1, MAX_TEXT_VALUES // max(1, len(table.columns)))
        most = most if rows is None else min(rows, most)
        writing = panels = None
        if kind.text is not None and (text := kind.to_text(inputs)) is not None:
            writing = Writing(text=text, brackets=kind.text.brackets)
        if kind.panels is not None:
            shown = kind.panels.panels(inputs)
            rules = list(dataset.rules_of(index))
            panels = SamplePanels(names=list(shown.names), columns=shown.columns, answers=shown.answers, rules=rules)
        return SampleTable(
            id=f"{dataset.name}.{dataset.split}.{index}",
            set=dataset.name,
            set_title=dataset.title,
            stand_in=dataset.stand_in,
            inputs=inputs.kind,
            label=label,
            label_name=_label_name(dataset, label),
            label_word=kind.label_word,
            columns=list(table.columns),
            rows=[
                [_finite(value) if isinstance(value, float) else value for value in row] for row in table.rows[:most]
            ],
            total_rows=len(table.rows),
            space=list(table.space),
            pictured=kind.thumbnail is not None,
            blocks=_digits(dataset.name, inputs),
            point=self._point(dataset, index, whole=rows is None) if isinstance(dataset, NumberSet) else None,
            writing=writing,
            panels=panels,
        )

    def _point(self, dataset: NumberSet, index: int, *, whole: bool) -> Point:
        """Return a point under its function; ``whole``: with all products, and the values of all other functions."""
        values = dataset.values[index]
        products: list[Product] = []
        if whole:
            corners = boolean.minterms(values[None].double())[0].tolist()
            columns = zip(boolean.products(len(values)), dataset.table.tolist(), corners, strict=True)
            products = [Product(name=name, true=true, value=value) for name, true, value in columns]
        return Point(
            set=dataset.name,
            set_title=dataset.title,
            names=list(variable_names(len(values))),
            values=values.tolist(),
            expression=dataset.expression,
            value=float(dataset.truth[index]),
            products=products,
            functions=self._functions(values) if whole else [],
        )

    def _functions(self, values: Float[Tensor, " N"]) -> list[FunctionValue]:
        functions = []
        for name, info in self._gallery.sets().items():
            dataset = self._gallery.dataset(name) if info.inputs == Numbers.kind else None
            if isinstance(dataset, NumberSet) and dataset.values.shape[1] == len(values):
                truth = dataset.user_sample(Numbers(values[None]), "").truth[0]
                functions.append(FunctionValue(set=name, value=float(truth)))
        return functions


def _digits(set_name: str, inputs: Inputs) -> BlockDigits | None:
    if not isinstance(inputs, Blocks) or set_name not in DIGIT_TASKS:
        return None
    digits, program = (one_hot[0].argmax(-1).tolist() for one_hot in (inputs.values, inputs.tasks))
    return BlockDigits(digits=digits, program=program)


def _scored(model: Network, sample: Samples) -> SampleScore:
    """Score one sample by the head of its data set; without value and loss if the right label is unknown."""
    head, known = model.head_of(sample.domain), int(sample.labels[0]) >= 0
    result = SampleScore(
        domain=sample.domain,
        measure=MeasureName.model_validate(model.all_heads[head].measure),
        value=None,
        loss=None,
        predicted=None,
        predicted_name=None,
    )
    if known:
        scores = score(model, sample)
        result.measure = MeasureName.model_validate(scores.measure)
        result.value, result.loss = _finite(scores.figure), _finite(scores.mean_loss)
        result.predicted = int(scores.predicted[0]) if scores.predicted[0] >= 0 else None
    if not known or model.answer_axes in (LABEL_AXES, NUMBER_AXES):
        with torch.inference_mode():
            outputs = model(inputs_of(model, sample)([0]))[0, head]
        if not known:
            result.predicted = int(outputs.argmax())
        if model.answer_axes == LABEL_AXES and sample.classes:
            result.probabilities = outputs.float().softmax(-1).tolist()
        if known and model.answer_axes == NUMBER_AXES:
            result.answer, result.target = _finite(float(outputs[0])), _finite(float(sample.targets([0])[0]))
    if result.predicted is not None:
        result.predicted_name = _label_name(sample, result.predicted)
    return result


def _label_name(dataset: Samples, label: int) -> str | None:
    return dataset.classes[label] if 0 <= label < len(dataset.classes) else None


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
