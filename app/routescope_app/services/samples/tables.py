"""Samples of any data set, and what people write, as tables: shown so where a kind of input has no picture."""

import asyncio
import math
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import torch
from jaxtyping import Float
from PIL import Image
from torch import Tensor

from routescope.data import Samples, in_words
from routescope.data.blocks.tasks import DIGIT_TASKS
from routescope.data.numbers import boolean
from routescope.data.numbers.sets import NumberSet
from routescope.nn.inputs.blocks import Blocks
from routescope.nn.inputs.kind import Inputs, Panels
from routescope.nn.inputs.numbers import Numbers, variable_names
from routescope.nn.inputs.pictures import Pictures
from routescope.nn.measures import Measure
from routescope.nn.network import LABEL_AXES, NUMBER_AXES, Network
from routescope.nn.registry import kinds_of_input
from routescope.routing.caused.scores import score
from routescope.routing.running import inputs_of
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.engine.inference import Inference
from routescope_app.services.errors import NotAccepted, NotFound
from routescope_app.services.reading import check_reads_set
from routescope_app.services.samples.decoding import encode_png
from routescope_app.services.samples.finding import in_dataset, words_of
from routescope_app.services.samples.gallery import SPLIT, Gallery
from routescope_app.services.samples.names import name_of_file
from routescope_app.services.samples.written import WrittenSamples, kind_of, sample_of
from routescope_app.services.store import WrittenRow
from routescope_app.settings import MAX_PAGE

#: Numbers of one field as JSON or CSV; more are fetched as binary or .npz.
MAX_TEXT_VALUES = 2_000_000


@dataclass(frozen=True)
class BlockDigits:
    """Blocks that are digits: the digits, and the number of the subtask of each iteration."""

    digits: tuple[int, ...]
    program: tuple[int, ...]


@dataclass(frozen=True)
class Product:
    """One product of a function's variables, a corner of its truth table.

    Attributes:
        name: such as "a¬b".
        true: whether the function has it: its entry in the truth table.
        value: at the point.
    """

    name: str
    true: bool
    value: float


@dataclass(frozen=True)
class FunctionValue:
    """What a function is at a point."""

    set: str
    value: float


@dataclass(frozen=True)
class Point:
    """A point of numbers under a function of them.

    Attributes:
        set: the data set of the function.
        set_title: its title.
        names, values: of the variables.
        expression: the function, in words.
        value: of the function at the point.
        products: all of them, in the order of the truth table; none where samples are listed.
        functions: what the function of every data set of the kind is at the point; none where samples are listed.
    """

    set: str
    set_title: str
    names: tuple[str, ...]
    values: tuple[float, ...]
    expression: str
    value: float
    products: tuple[Product, ...] = ()
    functions: tuple[FunctionValue, ...] = ()


@dataclass(frozen=True)
class Writing:
    """A sample as one would write it.

    Attributes:
        text: what one would write.
        brackets: the opening and the closing bracket that nest in it; None: none do.
    """

    text: str
    brackets: tuple[str, str] | None


@dataclass(frozen=True)
class SamplePanels:
    """Panels that a sample is made of: those of a square grid whose last place is a gap, then answers for it.

    Attributes:
        names: of the panels.
        columns: of the grid.
        answers: how many of the last panels are answers.
        rules: of the sample in words, as its data set knows them.
    """

    names: tuple[str, ...]
    columns: int
    answers: int
    rules: tuple[str, ...]


@dataclass(frozen=True)
class SampleTable:
    """A sample of a data set, as its kind of input tells it.

    Attributes:
        set, set_title: its data set; of what somebody wrote None and its name.
        inputs: name of its kind of input.
        label: -1 of what somebody wrote where nothing says what is right of it.
        label_name: of the label; None where the data set names none.
        label_word: what the label is called.
        rows: the first ones, None in place of what is no finite number.
        total_rows: how many there are in all.
        space: the columns that are a row's place in space; none of other kinds.
        pictured: whether ``Tables.picture_png`` has a picture of it.
        blocks: the same of blocks that are digits; None of other kinds.
        point: the same of a point of numbers; None of other kinds.
        writing: the same as it is written, of kinds whose samples are told so.
        panels: what it consists of, where that are panels; ``Tables.panels_png`` has them.
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
    space: tuple[str, ...] = ()
    pictured: bool = False
    blocks: BlockDigits | None = None
    point: Point | None = None
    writing: Writing | None = None
    label_word: str = Inputs.label_word
    panels: SamplePanels | None = None


@dataclass(frozen=True)
class SampleScore:
    """What the answer of a model for one sample is worth by the measure of the head of its domain.

    Attributes:
        predicted: number of the label that was chosen; None where the head chooses none.
        probabilities: of the labels; None where the head chooses none.
        answer, target: where heads answer with one number a sample: that, and what is right.
    """

    domain: str
    measure: Measure
    value: float | None
    loss: float | None
    predicted: int | None
    predicted_name: str | None
    answer: float | None = None
    target: float | None = None
    probabilities: tuple[float, ...] | None = None


class Tables:
    """Finds samples of data sets, whatever they are made of, and what models make of them."""

    def __init__(self, gallery: Gallery, inference: Inference, written: WrittenSamples) -> None:
        self._gallery = gallery
        self._inference = inference
        self._written = written

    def get(self, sample_id: str) -> SampleTable:
        """One sample with as many rows as an answer holds; blocking; raises NotFound."""
        if not self._gallery.owns(sample_id):
            return self._of_own(self._written.get(sample_id), None)
        return self._table(*self._gallery.find_any(sample_id), None)

    def add(self, kind: str, content: str, name: str | None, data: str | None, owner: str | None) -> SampleTable:
        """Take in what somebody wrote as a sample of a kind of input; blocking.

        Args:
            data: the data set that it is put to; None: any of its kind.

        Raises:
            NotAccepted, TooLarge, StoreFull: as ``WrittenSamples``; among them a kind whose samples are put to a data
                set, and none named.
        """
        inputs = self._written.check(kind, content)
        written = kind_of(kind).written
        if written is not None and written.of_set and data is None:
            sets = [name for name, info in self._gallery.sets().items() if info.inputs == kind]
            raise NotAccepted(f"Name the data set whose function it is put to: {in_words(sets)}.")
        self._gallery.of_own(kind, data, inputs, "")
        return self._of_own(self._written.add(kind, content, name, data, owner), None)

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
        """Take in a file as a sample of a kind of input; blocking; raises as ``add``.

        Args:
            answer: that somebody says is right, counted from 1; None: nobody does but the file.
        """
        written = self._written.read(kind, file_name, content, answer)
        shown = name if name and name.strip() else name_of_file(file_name)
        return self.add(kind, written, shown, data, owner)

    def picture_png(self, sample_id: str, side: int) -> bytes:
        """A sample as a small picture; blocking.

        Raises:
            NotFound: no such sample, or one of a kind that has no picture.
        """
        if self._gallery.owns(sample_id):
            dataset, index = self._gallery.find_any(sample_id)
            given = dataset.inputs([index])
        else:
            given = sample_of(self._written.get(sample_id))
        picture = given.thumbnail(side) if isinstance(given, Inputs) else None
        if picture is None:
            raise NotFound("This sample has no picture; it is a table.")
        return encode_png(Image.fromarray(picture))

    def panels_png(self, sample_id: str, columns: int | None = None) -> bytes:
        """The panels of a sample, one beside the other, ``columns`` in a row or all of them; blocking.

        Raises:
            NotFound: no such sample, or one of a kind that has no panels.
            NotAccepted: a last row that would not be full.
        """
        greys = self._panels(sample_id)[0].greys
        rows, over = divmod(len(greys), columns or len(greys))
        if over or not rows:
            raise NotAccepted(f"There are {len(greys)} panels; rows are of a number of columns that divides it.")
        return encode_png(Image.fromarray(np.vstack([np.hstack(list(row)) for row in np.split(greys, rows)])))

    def exchange(self, sample_id: str, one: int, other: int, name: str | None, owner: str | None) -> SampleTable:
        """Make a sample of one's own of another, with two of its panels in each other's places; blocking.

        Raises:
            NotFound: no such sample, or one of a kind that has no panels.
            NotAccepted: no such panels, or the same one twice; and as ``add``.
        """
        panels, inputs, label, data = self._panels(sample_id)
        count = len(panels.names)
        if one == other or max(one, other) >= count:
            raise NotAccepted(f"Two panels change places; name two different ones, 0 to {count - 1}.")
        return self.add(inputs.kind, inputs.exchanged(one, other, label), name, data, owner)

    def _panels(self, sample_id: str) -> tuple[Panels, Inputs, int, str | None]:
        """The panels of a sample, with the sample, its label and its data set."""
        dataset, index, data = self._sample(sample_id)
        given = dataset.inputs([index])
        panels = given.panels() if isinstance(given, Inputs) else None
        if panels is None or not isinstance(given, Inputs):
            raise NotFound("This sample is not made of panels.")
        return panels, given, int(dataset.labels[index]), data

    def _sample(self, sample_id: str) -> tuple[Samples, int, str | None]:
        """A sample as one of a data set: that, its place, and the name of the set that it is put to."""
        if not self._gallery.owns(sample_id):
            row = self._written.get(sample_id)
            return self._set_of(row, row.data), 0, row.data
        dataset, index = self._gallery.find_any(sample_id)
        return dataset, index, dataset.name

    def own(
        self, kind: str | None, caller: str | None, offset: int, limit: int, rows: int
    ) -> tuple[list[SampleTable], int]:
        """What the caller and everybody wrote, of a kind or of all, newest first, and how many there are; blocking.

        Raises:
            NotAccepted: a page that is too long.
        """
        if limit > MAX_PAGE:
            raise NotAccepted(f"One page has up to {MAX_PAGE} samples; ask for others with offset.")
        if kind is not None:
            kind_of(kind)
        found, total = self._written.find(kind, caller, offset, limit)
        return [self._of_own(row, rows) for row in found], total

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
        if limit > MAX_PAGE:
            raise NotAccepted(f"One page has up to {MAX_PAGE} samples; ask for others with offset.")
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
            count = known[name].splits.get(SPLIT)
            if label is None and not find and count is not None and (len(page) == limit or offset >= total + count):
                total += count  # nothing of it is on the page: it need not be read
                continue
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
            row = await asyncio.to_thread(self._written.get, sample_id)
            if info.inputs != row.inputs:
                words = kinds_of_input()[row.inputs].words
                raise NotAccepted(f"This sample is {words}, and this model reads something else.")
            dataset, index = await asyncio.to_thread(self._set_of, row, row.data or info.domains[0]), 0
        else:
            dataset, index = await asyncio.to_thread(self._gallery.find_any, sample_id)
            check_reads_set(info, dataset)
        if dataset.domain not in info.domains:
            return None
        model = await self._inference.run(partial(self._inference.model, info))
        sample = dataset.take([index])
        if int(sample.labels[0]) < 0:
            return await self._inference.run(partial(_chosen, model, sample))
        scores = await self._inference.run(partial(score, model, sample))
        answered = await self._inference.run(partial(_answered, model, sample))
        predicted = int(scores.predicted[0])
        return SampleScore(
            dataset.domain,
            scores.measure,
            _number(scores.figure),
            _number(scores.mean_loss),
            predicted if predicted >= 0 else None,
            _name(dataset, predicted),
            *answered,
            await self._inference.run(partial(_probabilities, model, sample)),
        )

    def _set_of(self, row: WrittenRow, data: str | None) -> Samples:
        return self._gallery.of_own(row.inputs, data, sample_of(row), row.digest)

    def _of_own(self, row: WrittenRow, rows: int | None) -> SampleTable:
        table = self._table(self._set_of(row, row.data), 0, rows)
        return replace(table, id=row.id, set=None, set_title=row.name, stand_in=False)

    def _table(self, dataset: Samples, index: int, rows: int | None) -> SampleTable:
        given = dataset.inputs([index])
        inputs: Inputs = given if isinstance(given, Inputs) else Pictures(given)
        table, label = inputs.table(), int(dataset.labels[index])
        point = self._point(dataset, index, whole=rows is None) if isinstance(dataset, NumberSet) else None
        most = max(1, MAX_TEXT_VALUES // max(1, len(table.columns)))
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
            space=table.space,
            pictured=type(inputs).thumbnail is not Inputs.thumbnail,
            blocks=_digits(dataset.name, inputs),
            point=point,
            writing=_writing(inputs),
            label_word=inputs.label_word,
            panels=_consists_of(inputs, dataset, index),
        )

    def _point(self, dataset: NumberSet, index: int, *, whole: bool) -> Point:
        """A point under its function; ``whole``: with all products, and what all other functions are at it."""
        values = dataset.values[index]
        point = Point(
            set=dataset.name,
            set_title=dataset.title,
            names=variable_names(len(values)),
            values=tuple(map(float, values)),
            expression=dataset.expression,
            value=float(dataset.truth[index]),
        )
        if not whole:
            return point
        corners = boolean.minterms(values[None].double())[0].tolist()
        names = boolean.products(len(values))
        products = tuple(map(Product, names, dataset.table.tolist(), corners))
        return replace(point, products=products, functions=self._functions(values))

    def _functions(self, values: Float[Tensor, " N"]) -> tuple[FunctionValue, ...]:
        found = []
        for name, info in self._gallery.sets().items():
            dataset = self._gallery.dataset(name) if info.inputs == Numbers.kind else None
            if isinstance(dataset, NumberSet) and dataset.values.shape[1] == len(values):
                found.append(FunctionValue(name, float(dataset.user_sample(Numbers(values[None]), "").truth[0])))
        return tuple(found)


def _consists_of(inputs: Inputs, dataset: Samples, index: int) -> SamplePanels | None:
    panels = inputs.panels()
    if panels is None:
        return None
    return SamplePanels(panels.names, panels.columns, panels.answers, dataset.rules_of(index))


def _writing(inputs: Inputs) -> Writing | None:
    text = inputs.as_written()
    return None if text is None else Writing(text, None if inputs.written is None else inputs.written.brackets)


def _digits(set_name: str, inputs: Inputs) -> BlockDigits | None:
    if not isinstance(inputs, Blocks) or set_name not in DIGIT_TASKS:
        return None
    values, tasks = (indicator[0].argmax(-1).tolist() for indicator in (inputs.values, inputs.tasks))
    return BlockDigits(tuple(values), tuple(tasks))


def _chosen(model: Network, sample: Samples) -> SampleScore:
    """The label that is chosen for one sample of which nothing says what is right."""
    head = model.head_of(sample.domain)
    with torch.inference_mode():
        chosen = int(model(inputs_of(model, sample)([0]))[0, head].argmax())
    measure = model.all_heads[head].measure
    probabilities = _probabilities(model, sample)
    return SampleScore(sample.domain, measure, None, None, chosen, _name(sample, chosen), probabilities=probabilities)


def _probabilities(model: Network, sample: Samples) -> tuple[float, ...] | None:
    """Of the labels, by the head of the data set of one sample; None of heads that choose none for it as a whole."""
    if model.answer_axes != LABEL_AXES or not sample.classes:
        return None
    with torch.inference_mode():
        logits = model(inputs_of(model, sample)([0]))[0, model.head_of(sample.domain)]
    return tuple(logits.float().softmax(-1).tolist())


def _answered(model: Network, sample: Samples) -> tuple[float | None, float | None]:
    """(the number that the head of its data set answers for one sample, what is right); None of other answers."""
    if model.answer_axes != NUMBER_AXES:
        return None, None
    with torch.inference_mode():
        answer = model(inputs_of(model, sample)([0]))[0, model.head_of(sample.domain), 0]
    return _number(float(answer)), _number(float(sample.targets([0])[0]))


def _name(dataset: Samples, label: int) -> str | None:
    return dataset.classes[label] if 0 <= label < len(dataset.classes) else None


def _plain(value: str | int | float) -> str | int | float | None:
    return _number(value) if isinstance(value, float) else value


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
