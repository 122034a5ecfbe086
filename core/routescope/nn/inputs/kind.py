"""Base classes of batches: samples of one kind of input, as a network takes them."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import ClassVar, Self

import torch
from jaxtyping import Shaped
from torch import Tensor

#: Which samples of a batch: a slice, or positions.
Rows = slice | Sequence[int] | Tensor


class Inputs(ABC):
    """A batch of samples; a new kind of input is a subclass, mostly a frozen dataclass of tensors.

    How its samples are read, written and shown is registered in ``routescope.data.kinds``.

    Attributes:
        kind: the name that pages and data sets use for it.
        words: noun phrase for one sample, for refusals.
    """

    kind: ClassVar[str]
    words: ClassVar[str]

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __getitem__(self, rows: Rows, /) -> Self:
        """The samples at ``rows``, in that order."""

    def split(self, size: int) -> Iterator[Self]:
        """Yield batches of at most ``size`` samples; one empty batch if there are no samples."""
        for start in range(0, max(1, len(self)), size):
            yield self[start : start + size]

    @property
    def row_shapes(self) -> "tuple[tuple[str, torch.dtype, tuple[int, ...]], ...] | None":
        """Name, type and shape per sample of every tensor; batches with equal values can be joined.

        None for a kind that is not a dataclass of tensors with the samples along their first axis.
        """
        names: list[str] = [field.name for field in fields(self)] if is_dataclass(self) else []
        values = {name: vars(self).get(name) for name in names}
        tensors = {name: value for name, value in values.items() if isinstance(value, Tensor)}
        in_rows = all(tensor.ndim and len(tensor) == len(self) for tensor in tensors.values())
        if not tensors or len(tensors) < len(values) or not in_rows:
            return None
        return tuple((name, tensor.dtype, tuple(tensor.shape[1:])) for name, tensor in tensors.items())

    def joined(self, others: Sequence[Self]) -> Self:
        """Return these samples, then those of ``others``; raises ValueError for unequal or no ``row_shapes``."""
        shapes = self.row_shapes
        if shapes is None or any(type(batch) is not type(self) or batch.row_shapes != shapes for batch in others):
            raise ValueError("these batches cannot be joined: their samples have other shapes")
        parts = {name: torch.cat([vars(batch)[name] for batch in (self, *others)]) for name, _, _ in shapes}
        return type(self)(**parts)

    @abstractmethod
    def to(self, device: torch.device | str) -> Self:
        """The same batch on a device."""


def strings(values: object, noun: str) -> tuple[str, ...]:
    """Return strings as a tuple; a single string becomes a tuple of one.

    Args:
        values: a string, or an iterable of strings.
        noun: word for one string, for messages.

    Raises:
        TypeError: not an iterable, or an element that is no ``str``.
    """
    if isinstance(values, str):
        return (values,)
    if isinstance(values, bytes | bytearray) or not isinstance(values, Iterable):
        raise TypeError(f"each {noun} is a str, not {type(values).__name__}: pass one str, or a tuple of them")
    texts = tuple(values)
    for position, value in enumerate(texts):
        if not isinstance(value, str):
            raise TypeError(f"{noun} {position}, counted from 0, is a str, not {type(value).__name__}")
    return texts


def check_tensors(inputs: Inputs, **values: object) -> None:
    """Check that fields of a batch are tensors; raises TypeError for others."""
    for name, value in values.items():
        if not isinstance(value, Tensor):
            raise TypeError(
                f"{name} of {type(inputs).__name__} is a tensor with the samples first, not {type(value).__name__}"
            )


def positions_in(rows: Rows) -> slice | Tensor:
    """Return an index for tensors: a slice as it is, positions as whole numbers (row,)."""
    if isinstance(rows, slice):
        return rows
    chosen = torch.as_tensor(rows)
    return chosen if len(chosen) else chosen.long()


@dataclass(frozen=True, eq=False)
class OneTensor(Inputs):
    """A batch that is one tensor, samples first, such as pictures or sets."""

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
