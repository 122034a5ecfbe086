"""Short texts and HTML tables of results and networks, and figures in words."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from html import escape
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from routescope.nn.measures import Measure

#: Characters of a text at most.
LONGEST = 480
#: Items of a sequence that are shown at most.
FEW = 4
#: Characters of a string that are shown at most.
STRING = 40
#: Rows of an HTML table, and characters of a cell, at most.
ROWS, CELL = 20, 100
#: Names of units that are listed one by one at most.
MOST_LISTED = 12


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
    return shortened(type(result).__name__, {field.name: vars(result).get(field.name) for field in fields(result)})


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


def html(
    title: str,
    facts: Mapping[str, object],
    columns: Sequence[str] = (),
    rows: Iterable[Sequence[object]] = (),
) -> str:
    """Return facts, and rows under the names of their columns, as small HTML tables without scripts, at most some kB.

    Rows beyond ``ROWS`` are left out, with a note, and cells are cut after ``CELL`` characters.
    """

    def cell(value: object, tag: str = "td") -> str:
        text = value if isinstance(value, str) else short(value)
        return f'<{tag} style="text-align:left">{escape(text[:CELL])}{"..." * (len(text) > CELL)}</{tag}>'

    def row(cells: Iterable[str]) -> str:
        return f"<tr>{''.join(cells)}</tr>"

    iterator = iter(rows)
    lines = [row(map(cell, values)) for values in islice(iterator, ROWS)]
    left = sum(1 for _ in iterator)
    facts_table = "".join(row((cell(name, "th"), cell(value))) for name, value in islice(facts.items(), ROWS))
    table = f"<table>{row(cell(name, 'th') for name in columns)}{''.join(lines)}</table>" if columns else ""
    more = f"<div>and {left:,} more rows</div>" if left else ""
    return f"<div><strong>{escape(title)}</strong><table>{facts_table}</table>{table}{more}</div>"


def short_html(result: Any) -> str:
    """Return the fields of a dataclass as an HTML table, large ones as their sizes: a ``_repr_html_`` of a result."""
    return html(type(result).__name__, {field.name: vars(result).get(field.name) for field in fields(result)})


def listed(units: Sequence[str]) -> str:
    """Return the names of units; of many the first and the last, and how many there are."""
    if len(units) <= MOST_LISTED:
        return ", ".join(units)
    return f"{', '.join(units[:3])}, ..., {units[-1]} ({len(units)})"


def percent(fraction: float) -> str:
    """A share in percent, with one digit."""
    return f"{100 * fraction:.1f} %"


def signed(change: float, low: float, high: float, digits: int = 1) -> str:
    """A change of a share, in percentage points with its interval."""
    value, least, most = (f"{100 * share:+.{digits}f}" for share in (change, low, high))
    return f"{value} ({least} to {most})"


def with_interval(accuracy: float, low: float, high: float) -> str:
    """A share and its interval in percent."""
    return f"{percent(accuracy)} ({100 * low:.1f} to {100 * high:.1f})"


def figure(measure: "Measure", value: float, low: float, high: float) -> str:
    """A figure with its interval: shares in percent, others in the unit of their measure."""
    if measure.share:
        return with_interval(value, low, high)
    return f"{value:.4f} ({low:.4f} to {high:.4f})" + (f" {measure.unit}" if measure.unit else "")


def change_of(measure: "Measure", change: float, low: float, high: float) -> str:
    """A change of a figure with its interval: of shares in percentage points, else in the unit of the measure."""
    if measure.share:
        return signed(change, low, high)
    return f"{change:+.4f} ({low:+.4f} to {high:+.4f})"


def change_unit(measure: "Measure") -> str:
    """The unit of a change of a figure."""
    return "percentage points" if measure.share else measure.unit or measure.name
