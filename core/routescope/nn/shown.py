"""Short texts of results and networks for a notebook: sizes of what is large, and never more than ``LONGEST``."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from typing import Any, Protocol, runtime_checkable

#: Characters of a text at most.
LONGEST = 480
#: Items of a sequence that are shown at most.
FEW = 4
#: Characters of a string that are shown at most.
STRING = 40


@runtime_checkable
class _Array(Protocol):
    """Arrays of numpy, torch and xarray."""

    @property
    def shape(self) -> Any: ...
    @property
    def dtype(self) -> Any: ...


@runtime_checkable
class _Table(Protocol):
    """Tables of pandas."""

    @property
    def shape(self) -> Any: ...
    @property
    def columns(self) -> Any: ...


@runtime_checkable
class _Dataset(Protocol):
    """Data sets of xarray."""

    @property
    def sizes(self) -> Any: ...
    @property
    def data_vars(self) -> Any: ...


def short_repr(result: Any) -> str:
    """Return the name of a dataclass and its fields, large ones as their sizes: a ``__repr__`` of a result."""
    return shortened(type(result).__name__, {each.name: vars(result).get(each.name) for each in fields(result)})


def shortened(name: str, facts: Mapping[str, object]) -> str:
    """Return ``name(fact=value, ...)`` in at most ``LONGEST`` characters; facts that find no room are left out."""
    parts, room = list[str](), LONGEST - len(name) - len("(, ...)")
    for fact, value in facts.items():
        part = f"{fact}={short(value)}"
        if len(part) + 2 > room:
            parts.append("...")
            break
        room -= len(part) + 2
        parts.append(part)
    return f"{name}({', '.join(parts)})"


def short(value: object) -> str:
    """Return a value, or the size of a large one."""
    if value is None or isinstance(value, bool | int):
        return repr(value)
    if isinstance(value, float):
        return f"{value:.5g}"
    if isinstance(value, str | bytes):
        return repr(value if len(value) <= STRING else value[:STRING]) + "..." * (len(value) > STRING)
    for kind in (_table, _collection):
        if (text := kind(value)) is not None:
            return text
    text = repr(value)
    return text if len(text) <= 2 * STRING else type(value).__name__


def _table(value: object) -> str | None:
    if isinstance(value, _Dataset):
        return f"Dataset of {len(value.data_vars)} variables"
    if isinstance(value, _Table):
        return f"table of {value.shape[0]:,} rows and {value.shape[1]} columns"
    if isinstance(value, _Array):
        return f"{' x '.join(map(str, value.shape)) or 'single'} {str(value.dtype).removeprefix('torch.')}"
    return None


def _collection(value: object) -> str | None:
    if not isinstance(value, Collection):
        return None
    if isinstance(value, Mapping):
        few = ", ".join(str(key)[:STRING] for key in list(value)[:FEW])
        return f"{{{few}{', ...' * (len(value) > FEW)}}}"
    if isinstance(value, Sequence) and len(value) <= FEW:
        text = f"({', '.join(map(short, value))})"
        return text if len(text) <= 4 * STRING else f"{len(value)} items"
    first = f"{short(value[0])}, ..." if isinstance(value, Sequence) else "..."
    return f"({first}; {len(value):,})" if len(first) <= STRING else f"{len(value):,} items"
