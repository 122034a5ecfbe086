"""The parts of a kind of input, and the registry of kinds.

A kind is registered once, beside its codecs and views::

    register_kind(Kind(Points, table=table, text=TextCodec(...), file=FileCodec(...), thumbnail=thumbnail))

Each optional part is a capability: ``kind.text is None`` means that no sample of this kind can be written as text.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from jaxtyping import UInt8
from torch import Tensor

import routescope.data.kinds
from routescope.nn.inputs.kind import Inputs
from routescope.nn.registry import Discovery, kinds_of_input


class InvalidSample(ValueError):
    """Content that is no sample of a kind; the message says what would be accepted."""


@dataclass(frozen=True)
class Table:
    """A sample as rows of plain values, mostly one a token, under the names of their columns.

    Attributes:
        space: the three columns with the coordinates of a row; empty without coordinates.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str | int | float, ...], ...]
    space: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Panels:
    """Panels of a sample: those of a square grid whose last cell is a gap, then answers for the gap.

    Attributes:
        greys: of every panel, 0 for black.
        names: of the panels, as tokens are named after them.
        columns: of the grid.
        answers: how many of the last panels are answers.
    """

    greys: UInt8[np.ndarray, "panel side side"]
    names: tuple[str, ...]
    columns: int
    answers: int


@dataclass(frozen=True)
class PictureCodec:
    """Pictures and drawings as samples.

    Attributes:
        words: accepted files, as a noun phrase.
        formats: accepted formats, as Pillow names them.
        decode: from levels in 0..255 (c, h, w) to a batch of one.
    """

    words: str
    formats: tuple[str, ...]
    decode: Callable[[UInt8[Tensor, "c h w"]], Inputs]


@dataclass(frozen=True)
class TextCodec:
    """Samples written as text.

    Attributes:
        words: accepted texts, as a noun phrase.
        example: an accepted text.
        decode: from a text to a batch of one; raises InvalidSample.
        encode: from a batch to the text of its first sample; None: text would not show what the sample is.
        of_set: whether the right answer depends on a chosen data set, as the value of a point does on the function.
        brackets: an opening and a closing bracket that nest, so that the part between them can be folded.
        typed: whether people type such texts; others are written by files and pages.
    """

    words: str
    example: str
    decode: Callable[[str], Inputs]
    encode: Callable[[Any], str] | None = None
    of_set: bool = False
    brackets: tuple[str, str] | None = None
    typed: bool = True


@dataclass(frozen=True)
class FileCodec:
    """Files that hold a sample, which is kept as text for the kind's ``TextCodec``. All functions raise InvalidSample.

    Attributes:
        words: accepted files, as a noun phrase.
        suffixes: ends of the names of such files, in lower case, with the dot.
        decode: from a file's name, its content, and the most rows, lines or points to read, to a text.
        pictures: suffix to Pillow's format, for files that are pictures; the caller decodes them in a confined process.
        longest_side: of such a picture, in pixels.
        decode_picture: from a decoded picture (height, width, band), RGB or RGBA, to a text.
        answers: number of answers of a sample, of which ``with_answer`` marks the right one; 0: no answers.
        with_answer: from a text and the right answer, counted from 1, to a text with that answer.
    """

    words: str
    suffixes: tuple[str, ...]
    decode: Callable[[str, bytes, int], str]
    pictures: Mapping[str, str] = field(default_factory=dict)
    longest_side: int = 0
    decode_picture: Callable[[UInt8[np.ndarray, "height width band"]], str] | None = None
    answers: int = 0
    with_answer: Callable[[str, int], str] | None = None


@dataclass(frozen=True)
class PanelView:
    """Samples that are made of panels.

    Attributes:
        panels: from a batch to the panels of its first sample.
        exchanged: from a batch, two panels counted from 0, and the label (-1: unknown), to the text of the first sample
            with the two panels exchanged.
    """

    panels: Callable[[Any], Panels]
    exchanged: Callable[[Any, int, int, int], str]


def elements_of(inputs: Any) -> Table:
    """Return the elements of the first sample of a batch with ``values``, one a row."""
    elements = inputs.values[0].flatten(1) if inputs.values[0].ndim > 1 else inputs.values[0][:, None]
    columns = ("element", *(f"value {c + 1}" for c in range(elements.shape[1])))
    return Table(columns, tuple((row, *values) for row, values in enumerate(elements.tolist())))


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of input with its codecs and views, which are given the batch of their kind.

    Attributes:
        batch: the class of its batches.
        table: from a batch to the table of its first sample.
        thumbnail: from a batch and a side in pixels to a small picture of its first sample, RGBA.
        label_word: noun for the label of a sample, such as the value of an expression.
    """

    batch: type[Inputs]
    table: Callable[[Any], Table] = elements_of
    thumbnail: Callable[[Any, int], UInt8[np.ndarray, "side side 4"]] | None = None
    panels: PanelView | None = None
    text: TextCodec | None = None
    file: FileCodec | None = None
    picture: PictureCodec | None = None
    label_word: str = "label"

    @property
    def words(self) -> str:
        """Noun phrase for one sample."""
        return self.batch.words

    def from_text(self, content: str) -> Inputs:
        """Return a batch of one written sample; raises InvalidSample."""
        if self.text is None:
            raise InvalidSample(f"{self.words} cannot be written; its samples are those of the data sets of its kind")
        return self.text.decode(content)

    def to_text(self, inputs: Inputs) -> str | None:
        """Return the first sample of a batch as text; None for kinds that text does not show."""
        return None if self.text is None or self.text.encode is None else self.text.encode(inputs)

    @property
    def picture_refusal(self) -> str:
        """Sentence for a refused picture: how samples of this kind are made instead."""
        words = self.words[:1].upper() + self.words[1:]
        if self.file is not None:
            typed = "" if self.text is None or not self.text.typed else f", or written: {self.text.words}"
            return f"{words} is no picture; it is made of {self.file.words}{typed}."
        if self.text is not None:
            return f"{words} cannot be made from an upload; write one: {self.text.words}."
        name = self.batch.kind
        return f"{words} cannot be made from an upload; samples are those of the data sets whose inputs are {name}."


_registered: dict[str, Kind] = {}


def register_kind(kind: Kind) -> Kind:
    """Register a kind under the name of its batches, and return it; raises ValueError for a name in use."""
    name = kind.batch.kind
    if name in _registered and _registered[name].batch is not kind.batch:
        raise ValueError(f"there is a kind of input {name!r} already")
    _registered[name] = kind
    return kind


_discover = Discovery({routescope.data.kinds.__name__: routescope.data.kinds.__path__})


def kinds() -> dict[str, Kind]:
    """Return every kind that a registered network reads, by name; kinds without a registration are shown as tables."""
    _discover()
    return {name: _registered.get(name) or Kind(batch) for name, batch in kinds_of_input().items()}


def kind_of(inputs: Inputs | type[Inputs]) -> Kind:
    """Return the kind of a batch, or of a class of batches."""
    return kinds().get(inputs.kind) or Kind(inputs if isinstance(inputs, type) else type(inputs))
