"""Memory of results that depend on parameters alone, valid until a parameter changes."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import count
from typing import Any, Generic, Self, TypeVar
from weakref import WeakSet

import torch
from torch import Tensor

Prepared = TypeVar("Prepared")
#: How parameters and what is prepared from them get into the number format that is computed in.
Cast = Callable[[Tensor], Tensor]

#: Bytes that all networks of a process keep together unless told otherwise (``keep_at_most``), converted parameters
#: included; the least recently used of any network goes first, and what was prepared last stays whatever its size.
MOST_BYTES = 256 * 2**20
#: Views of one network that are kept; the least recently used goes first.
MOST_VIEWS = 64

_lock = threading.Lock()
_uses = count()
_memories: "WeakSet[PreparedWeights[Any]]" = WeakSet()


@dataclass
class _Entry(Generic[Prepared]):
    """A prepared result with its parameters; ``nbytes`` is the size of the result alone, without these and
    without what its network converted for all views. ``used`` is greater, the later it was used; ``at`` is when, by
    the monotonic clock."""

    parameters: list[Tensor]
    prepared: Prepared
    nbytes: int
    used: int
    at: float


class PreparedWeights(Generic[Prepared]):
    """A memory that all views of a network share; threads may use it at once.

    Parameters are known by their addresses, versions and number formats. What was prepared from them holds their
    memory, so that an address is not used again. Where autocast is on, parameters are converted once for all views.
    """

    def __init__(self) -> None:
        self._found: OrderedDict[tuple[tuple[object, ...], tuple[Any, ...]], _Entry[Prepared]] = (
            OrderedDict()
        )  # the last used last
        self._casts: tuple[object, dict[int, Tensor]] = (None, {})
        with _lock:
            _memories.add(self)

    def __reduce__(self) -> tuple[type[Self], tuple[()]]:
        """A copy of a network has parameters of its own, and begins without any memory."""
        return type(self), ()

    def find(
        self, parameters: Sequence[Tensor], view: tuple[object, ...], prepare: Callable[[Cast], Prepared]
    ) -> Prepared:
        """The result of ``prepare``: the one made before for the same view and parameters, or a new one."""
        device = parameters[0].device.type
        reduced = torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else None
        state = (reduced, *((p.data_ptr(), p._version, p.dtype, p.device) for p in parameters))
        key = (view, state)
        with _lock:
            if key in self._found:
                self._found.move_to_end(key)
                entry = self._found[key]
                entry.used, entry.at = next(_uses), time.monotonic()
                return entry.prepared
        made = prepare(self._cast(reduced, state, parameters))
        held = [p.detach() for p in parameters]
        with _lock:
            nbytes = _bytes(made, [*parameters, *self._converted()])
            self._found[key] = _Entry(held, made, nbytes, next(_uses), time.monotonic())
            self._found.move_to_end(key)
            while len(self._found) > MOST_VIEWS:
                self._found.popitem(last=False)
            _evict()
        return made

    @property
    def nbytes(self) -> int:
        """Bytes that are kept for this network."""
        return sum(e.nbytes for e in self._found.values()) + sum(t.nbytes for t in self._converted())

    def _converted(self) -> list[Tensor]:
        return [*self._casts[1].values()]

    def _forget_oldest(self) -> None:
        self._found.popitem(last=False)
        if not self._found:
            self._casts = (None, {})

    def _cast(self, reduced: torch.dtype | None, state: object, parameters: Sequence[Tensor]) -> Cast:
        """As autocast does: float32 becomes the reduced format, other formats stay."""
        if reduced is None:
            return lambda tensor: tensor
        with _lock:
            if self._casts[0] != state:  # the parameters were changed: what was made of them before is of no more use
                for key in [key for key in self._found if key[1][0] is not None]:
                    del self._found[key]
                self._casts = (state, {})
            held = self._casts
        known_ids, casts = {id(p) for p in parameters}, held[1]

        def cast(tensor: Tensor) -> Tensor:
            if tensor.dtype != torch.float32:
                return tensor
            if id(tensor) not in known_ids:
                return tensor.to(reduced)
            if id(tensor) not in casts:
                casts[id(tensor)] = tensor.detach().to(reduced)
            return casts[id(tensor)]

        return cast


def keep_at_most(nbytes: int) -> None:
    """Set the bytes that all networks of this process keep together; results beyond that are forgotten at once."""
    global MOST_BYTES
    with _lock:
        MOST_BYTES = nbytes
        _evict()


def forget_unused(seconds: float) -> int:
    """Forget results that were not used for ``seconds``; return their number.

    A forgotten result is prepared again when it is used.
    """
    before, count = time.monotonic() - seconds, 0
    with _lock:
        for memory in _memories:
            while memory._found and next(iter(memory._found.values())).at <= before:
                memory._forget_oldest()
                count += 1
    return count


def _evict() -> None:
    """Forget the least recently used until all networks together keep no more than they may."""
    while sum(memory.nbytes for memory in _memories) > MOST_BYTES:
        filled = [memory for memory in _memories if memory._found]
        if sum(len(memory._found) for memory in filled) <= 1:
            return
        min(filled, key=lambda memory: next(iter(memory._found.values())).used)._forget_oldest()


def _bytes(prepared: object, elsewhere: Sequence[Tensor]) -> int:
    """Memory of what is prepared, without the tensors that are counted elsewhere, such as parameters."""
    others = {p.data_ptr() for p in elsewhere}
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
