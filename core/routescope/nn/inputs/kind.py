"""What a kind of input is: a batch of samples of one make, of which any rows can be taken, on any device."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import ClassVar, Self

import numpy as np
import torch
from jaxtyping import Shaped, UInt8
from torch import Tensor

#: Which samples of a batch: a slice, or positions.
Rows = slice | Sequence[int] | Tensor


@dataclass(frozen=True)
class Upload:
    """What of a person's own a sample of a kind is made of.

    Attributes:
        words: what is accepted, in words.
        formats: of the files that are accepted, as Pillow names them.
        drawn: whether a drawing in strokes is accepted too.
    """

    words: str
    formats: tuple[str, ...]
    drawn: bool = False


@dataclass(frozen=True)
class Written:
    """What a sample of a kind is made of that a person writes.

    Attributes:
        words: what is accepted, in words.
        example: one of it.
        of_set: whether what is right of the sample depends on the data set that it is put to, as the value of a point
            does on the function; then one is chosen with it.
        brackets: an opening and a closing bracket that nest, so that what lies between can be folded; None: no such.
        typed: whether people would type it; what they would not, files and pages write.
    """

    words: str
    example: str
    of_set: bool = False
    brackets: tuple[str, str] | None = None
    typed: bool = True


@dataclass(frozen=True)
class Files:
    """Files that hold what a sample of a kind is made of, beside what a person writes.

    Attributes:
        words: what is accepted, in words.
        suffixes: ends of the names of such files, in small letters, each with its dot.
        pictures: those of the suffixes whose files are pictures, as Pillow names their formats; whoever is given one
            that cannot be trusted decodes it where that does no harm, for ``writing_of_picture``.
        longest_side: of such a picture, in pixels.
        answers: how many answers a sample has of which ``with_answer`` takes the right one; 0: there are none.
    """

    words: str
    suffixes: tuple[str, ...]
    pictures: Mapping[str, str] = field(default_factory=dict)
    longest_side: int = 0
    answers: int = 0


@dataclass(frozen=True, eq=False)
class Panels:
    """Panels that a sample is made of: those of a square grid whose last place is a gap, then answers for it.

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


class NotFromUpload(ValueError):
    """No sample of this kind can be made of what people send; the message says so in words."""


class NotFromWriting(ValueError):
    """No sample of this kind can be made of what somebody wrote; the message says what would be accepted."""


class Inputs(ABC):
    """A batch of samples, as a network takes it; a new kind is a subclass, mostly a frozen dataclass of tensors.

    Attributes:
        kind: the name by which pages and data sets say what they read or hold.
        words: what one sample is, in words, for refusals.
        label_word: what the label of a sample is called, such as the value of an expression.
        upload: what of a person's own a sample is made of by ``from_upload``; None: of nothing.
        written: what a person writes that a sample is made of by ``from_writing``; None: nothing.
        files: files that ``writing_of`` tells as they would be written; None: there are none but texts.
    """

    kind: ClassVar[str]
    words: ClassVar[str]
    label_word: ClassVar[str] = "label"
    upload: ClassVar[Upload | None] = None
    written: ClassVar[Written | None] = None
    files: ClassVar[Files | None] = None

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __getitem__(self, rows: Rows, /) -> Self:
        """The samples at ``rows``, in that order."""

    def split(self, size: int) -> Iterator[Self]:
        """At most ``size`` samples at a time; one batch where there are none at all."""
        for start in range(0, max(1, len(self)), size):
            yield self[start : start + size]

    @property
    def row_shapes(self) -> "tuple[tuple[str, torch.dtype, tuple[int, ...]], ...] | None":
        """Name, type and shape of what each sample has in every tensor; batches of equal ones can be joined.

        None of a kind that is no dataclass of tensors with the samples along their first axis.
        """
        names: list[str] = [each.name for each in fields(self)] if is_dataclass(self) else []
        values = {name: vars(self).get(name) for name in names}
        tensors = {name: value for name, value in values.items() if isinstance(value, Tensor)}
        in_rows = all(tensor.ndim and len(tensor) == len(self) for tensor in tensors.values())
        if not tensors or len(tensors) < len(values) or not in_rows:
            return None
        return tuple((name, tensor.dtype, tuple(tensor.shape[1:])) for name, tensor in tensors.items())

    def joined(self, others: Sequence[Self]) -> Self:
        """These samples and then those of the others, all of equal ``row_shapes``.

        Raises:
            ValueError: theirs are not equal, or None.
        """
        shapes = self.row_shapes
        if shapes is None or any(type(each) is not type(self) or each.row_shapes != shapes for each in others):
            raise ValueError("these batches cannot be joined: their samples have other shapes")
        parts = {name: torch.cat([vars(each)[name] for each in (self, *others)]) for name, _, _ in shapes}
        return type(self)(**parts)

    @abstractmethod
    def to(self, device: torch.device | str) -> Self:
        """The same on a device."""

    @abstractmethod
    def table(self) -> "Table":
        """The first sample as a table: how it is shown where no page has a picture of its own for its kind."""

    def thumbnail(self, side: int) -> UInt8[np.ndarray, "side side 4"] | None:
        """The first sample as a small picture, red, green, blue and opacity; None for kinds that are shown as tables.

        Args:
            side: in pixels.
        """
        return None

    def panels(self) -> Panels | None:
        """The panels that the first sample is made of; None for kinds that are made of none."""
        return None

    def exchanged(self, one: int, other: int, label: int) -> str:
        """The first sample with two of its panels, counted from 0, in each other's places, as it would be written.

        Args:
            label: what is right of the sample; -1: nobody knows.

        Raises:
            NotFromWriting: a kind without ``panels``.
        """
        raise NotFromWriting(f"{type(self).words} has no panels that could change places")

    @classmethod
    def from_upload(cls, levels: UInt8[Tensor, "c h w"]) -> Self:
        """A batch of one sample of what somebody sent, decoded to levels in 0..255; kinds with an ``upload`` have one.

        Raises:
            NotFromUpload: no sample of this kind can be made so.
        """
        raise NotFromUpload(cls.refusal_of_uploads())

    @classmethod
    def from_writing(cls, content: str) -> Self:
        """A batch of one sample of what somebody wrote; kinds with ``written`` have one.

        Raises:
            NotFromWriting: no sample of this kind can be made so.
        """
        raise NotFromWriting(f"{cls.words} cannot be written; its samples are those of the data sets of {cls.kind}")

    def as_written(self) -> str | None:
        """What one would write to get the first sample; None where that does not say what it is."""
        return None

    @classmethod
    def writing_of(cls, name: str, content: bytes, most_rows: int) -> str:
        """What a file holds as somebody would write it, for ``from_writing``; kinds with ``files`` have it.

        Args:
            name: of the file, by which it is told what it is.
            most_rows: rows, lines or points that are read of it at most.

        Raises:
            NotFromWriting: no sample of this kind is in it.
        """
        raise NotFromWriting(f"{cls.words} is not read from a file")

    @classmethod
    def writing_of_picture(cls, picture: UInt8[np.ndarray, "height width band"]) -> str:
        """What a decoded picture, RGB or RGBA, holds as somebody would write it; kinds with ``files.pictures`` have it.

        Raises:
            NotFromWriting: no sample of this kind is in it.
        """
        raise NotFromWriting(f"{cls.words} is not read from a picture")

    @classmethod
    def with_answer(cls, writing: str, answer: int) -> str:
        """The same writing with the answer that somebody says is right, counted from 1; kinds with ``files.answers``.

        Raises:
            NotFromWriting: no such answer, or the writing says that another one is right.
        """
        raise NotFromWriting(f"{cls.words} has no answers of which one is right")

    @classmethod
    def refusal_of_uploads(cls) -> str:
        """That, and of what else, samples of this kind come from, in words; for kinds without an ``upload``."""
        what = cls.words[:1].upper() + cls.words[1:]
        if cls.files is not None and cls.written is not None and not cls.written.typed:
            return f"{what} is no picture; it is made of {cls.files.words}."
        if cls.files is not None and cls.written is not None:
            return f"{what} is no picture; it is made of {cls.files.words}, or written: {cls.written.words}."
        if cls.written is not None:
            return f"{what} cannot be made from an upload; write one: {cls.written.words}."
        return f"{what} cannot be made from an upload; samples are those of the data sets whose inputs are {cls.kind}."


@dataclass(frozen=True)
class Table:
    """A sample as rows of plain values, one a token, under the names of their columns.

    Attributes:
        space: the three columns that are a row's place in space, where it has one.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str | int | float, ...], ...]
    space: tuple[str, ...] = ()


def strings(values: object, what: str) -> tuple[str, ...]:
    """A sequence of strings as a tuple; one string is a sequence of one.

    Args:
        values: a string, or an iterable of strings.
        what: noun for one string, for messages.

    Raises:
        TypeError: no iterable, or an element that is no ``str``.
    """
    if isinstance(values, str):
        return (values,)
    if isinstance(values, bytes | bytearray) or not isinstance(values, Iterable):
        raise TypeError(f"each {what} is a str, not {type(values).__name__}: pass one str, or a tuple of them")
    found = tuple(values)
    for place, value in enumerate(found):
        if not isinstance(value, str):
            raise TypeError(f"{what} {place}, counted from 0, is a str, not {type(value).__name__}")
    return found


def check_tensors(inputs: Inputs, **values: object) -> None:
    """Check that fields of a batch are tensors.

    Raises:
        TypeError: a field that is none.
    """
    for name, value in values.items():
        if not isinstance(value, Tensor):
            raise TypeError(
                f"{name} of {type(inputs).__name__} is a tensor with the samples first, not {type(value).__name__}"
            )


def positions_in(rows: Rows) -> slice | Tensor:
    """What a tensor is indexed with to take ``rows``: a slice as it is, positions (row,) as whole numbers."""
    if isinstance(rows, slice):
        return rows
    chosen = torch.as_tensor(rows)
    return chosen if len(chosen) else chosen.long()


@dataclass(frozen=True, eq=False)
class OneTensor(Inputs):
    """A kind of which one tensor, samples first, is everything: what pictures and sets have in common."""

    values: Shaped[Tensor, "B *sample"]

    def __post_init__(self) -> None:
        check_tensors(self, values=self.values)

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, rows: Rows, /) -> Self:
        """The samples at ``rows``, in that order."""
        return type(self)(self.values[positions_in(rows)])

    def to(self, device: torch.device | str) -> Self:
        return type(self)(self.values.to(device))
