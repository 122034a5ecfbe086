"""What was prepared from parameters alone, found again until one of them changes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Generic, Self, TypeVar

import torch
from torch import Tensor

from core.nn.modfc import Cast

Prepared = TypeVar("Prepared")

#: So many bytes and views are kept; then all are forgotten.
MOST_BYTES = 256 * 2**20
MOST_VIEWS = 64


class PreparedWeights(Generic[Prepared]):
    """A memory that all views of a network share; threads may use it at once.

    Parameters are known by their addresses, versions and number formats. What was prepared from them holds their
    memory, so that an address is not used again. Where autocast is on, parameters are converted once for all views.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[object, ...], tuple[list[Tensor], int, Prepared]] = {}
        self._casts: tuple[object, dict[int, Tensor]] = (None, {})

    def __reduce__(self) -> tuple[type[Self], tuple[()]]:
        """A copy of a network has parameters of its own, and begins without any memory."""
        return type(self), ()

    def find(
        self, parameters: Sequence[Tensor], view: tuple[object, ...], prepare: Callable[[Cast], Prepared]
    ) -> Prepared:
        """What ``prepare`` makes of the parameters, or made of them before for the same view."""
        device = parameters[0].device.type
        reduced = torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else None
        state = (reduced, *((p.data_ptr(), p._version, p.dtype, p.device) for p in parameters))
        found = self._found.get((view, state))
        if found is None:
            made = prepare(self._cast(reduced, state, parameters))
            found = ([p.detach() for p in parameters], _bytes(made, parameters), made)
            if len(self._found) >= MOST_VIEWS or found[1] + sum(b for _, b, _ in [*self._found.values()]) > MOST_BYTES:
                self._found.clear()
            self._found[(view, state)] = found
        return found[2]

    def _cast(self, reduced: torch.dtype | None, state: object, parameters: Sequence[Tensor]) -> Cast:
        """As autocast does: float32 becomes the reduced format, other formats stay."""
        if reduced is None:
            return lambda tensor: tensor
        held = self._casts
        if held[0] != state:
            held = self._casts = (state, {})
        own, casts = {id(p) for p in parameters}, held[1]

        def cast(tensor: Tensor) -> Tensor:
            if tensor.dtype != torch.float32:
                return tensor
            if id(tensor) not in own:
                return tensor.to(reduced)
            if id(tensor) not in casts:
                casts[id(tensor)] = tensor.detach().to(reduced)
            return casts[id(tensor)]

        return cast


def _bytes(prepared: object, parameters: Sequence[Tensor]) -> int:
    """Memory of what is prepared, without the parameters that are part of it."""
    others = {p.data_ptr() for p in parameters}
    return sum({t.data_ptr(): t.nbytes for t in _tensors(prepared) if t.data_ptr() not in others}.values())


def _tensors(prepared: Any) -> Iterator[Tensor]:
    if isinstance(prepared, Tensor):
        yield prepared
    elif isinstance(prepared, tuple):
        for part in prepared:
            yield from _tensors(part)
    elif is_dataclass(prepared):
        for field in fields(prepared):
            yield from _tensors(getattr(prepared, field.name))
