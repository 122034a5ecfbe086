"""The house style of figures in print: one sheet, and the marks on it. Nothing here knows a paper or a record.

A figure is a matplotlib figure for notebooks, and a file of ``save``: SVG, PDF or PNG.
"""

import hashlib
import io
import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.rcsetup import cycler
from matplotlib.textpath import text_to_path

#: The first six unit colours of the page (Okabe and Ito, without yellow), then grey for baselines.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9")
GREY, INK, FAINT = "#7a7f87", "#22262b", "#dfe2e6"
#: Marks by place, so that a figure reads without colour, too.
MARKS = ("o", "s", "^", "D", "v", "P")
#: Label of what a paper prints: open marks.
PRINT = "print"
STYLE: Any = {
    "font.family": "serif",
    "font.serif": ["STIXGeneral", "Times New Roman", "Times"],
    "mathtext.fontset": "stix",
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.labelsize": 9,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.fontsize": 8,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.edgecolor": GREY,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "grid.color": FAINT,
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.2,
    "lines.markersize": 3.8,
    "lines.markeredgewidth": 0,
    "legend.frameon": False,
    "legend.handlelength": 1.6,
    "legend.borderaxespad": 0.2,
    "axes.prop_cycle": cycler(color=COLOURS),
    "image.cmap": "Blues",
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "savefig.dpi": 300,
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
    "svg.hashsalt": "routescope",
}
#: Inches: the text width of a page, and the lines of the head.
WIDTH, TITLE_LINE, NOTE_LINE = 6.6, 0.21, 0.15
#: Colours of the nodes of a graph.
SHADES = 5
#: Points of a note's letters.
NOTE_SIZE = 8
#: Inches of a character of a legend, and of an entry's mark.
LETTER, SYMBOL = 0.062, 0.42


class Mark(NamedTuple):
    """A value at a place, with the ends of its interval if it has one."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None


def sheet(height: float, rows: int = 1, columns: int = 1, **options: Any) -> tuple[Figure, list[Axes]]:
    """Return a figure of the page's text width with empty panels, row by row; ``height`` is in inches."""
    figure, panels = plt.subplots(
        rows, columns, figsize=(WIDTH, height), squeeze=False, layout="constrained", **options
    )
    return figure, list(panels.flat)


def head(figure: Figure, title: str, note: str) -> None:
    """Write the title, and the note below it, above all panels: the figure grows by their height."""
    width, height = figure.get_size_inches()
    lines = _lines(note, 72 * (width - 0.12))
    added = 0.1 + TITLE_LINE + NOTE_LINE * len(lines)
    figure.set_size_inches(width, height + added)
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.set(rect=(0, 0, 1, height / (height + added)), w_pad=0.05, h_pad=0.05)  # type: ignore[call-arg]
    top = height + added
    figure.text(0.06 / width, 1 - 0.06 / top, title, size=11, weight="bold", va="top")
    for at, line in enumerate(lines):
        y = 1 - (0.08 + TITLE_LINE + NOTE_LINE * at) / top
        figure.text(0.06 / width, y, line, size=NOTE_SIZE, color="#50565e", va="top")


def _lines(note: str, room: float) -> list[str]:
    """Break a note into lines of at most ``room`` points."""
    lines: list[str] = []
    for word in note.split():
        longer = f"{lines[-1]} {word}" if lines else word
        wide, _, _ = text_to_path.get_text_width_height_descent(longer, FontProperties(size=NOTE_SIZE), ismath=False)
        lines[-1:] = [longer] if wide <= room else [*lines[-1:], word]
    return lines


def curve(axes: Axes, marks: Sequence[Mark], label: str, at: int = 0, line: str = "-", bars: bool = False) -> None:
    """Draw a curve with its intervals as a band, or as ``bars``; ``at`` chooses colour and mark."""
    colour, shape = COLOURS[at % len(COLOURS)], MARKS[at % len(MARKS)]
    x, y = [mark.x for mark in marks], [mark.y for mark in marks]
    axes.plot(x, y, line, color=colour, marker=shape, label=label, zorder=3)
    where, low, high = _ends(marks)
    if bars:
        intervals(axes, marks, colour)
    elif where:
        axes.fill_between(where, low, high, color=colour, alpha=0.15, linewidth=0, zorder=1)


def intervals(axes: Axes, marks: Sequence[Mark], colour: str, upright: bool = True) -> None:
    """Draw the intervals of marks as thin lines, upright or, for dots over a list, level."""
    _, low, high = _ends(marks)
    for mark, *ends in zip((mark for mark in marks if mark.low is not None), low, high, strict=True):
        x, y = ([mark.x] * 2, ends) if upright else (ends, [mark.y] * 2)
        axes.plot(x, y, "-", color=colour, linewidth=1, zorder=2)


def _ends(marks: Sequence[Mark]) -> tuple[list[float], list[float], list[float]]:
    """Return the places of the marks that have an interval, and its ends."""
    ends = [(mark.x, mark.low, mark.high) for mark in marks if mark.low is not None and mark.high is not None]
    return [x for x, *_ in ends], [low for _, low, _ in ends], [high for *_, high in ends]


def printed(axes: Axes, x: Sequence[float], y: Sequence[float], colour: str = INK) -> Line2D:
    """Draw numbers that a paper prints: open marks, named "print" in the legend."""
    (line,) = axes.plot(x, y, "o", mfc="white", mec=colour, ms=5.5, mew=1.1, label=PRINT, zorder=4)
    return line


def dots(axes: Axes, x: Sequence[float], y: Sequence[float], colour: str, label: str, size: float = 2.2) -> None:
    """Draw points of a map, without a line; axes without ticks."""
    axes.plot(x, y, "o", color=colour, ms=size, mew=0, label=label)
    bare(axes)


def bare(axes: Axes) -> None:
    """Take ticks, grid and frame away: places on a map have no unit."""
    axes.set(xticks=[], yticks=[])
    axes.grid(False)
    axes.spines[:].set_visible(False)


def graph(axes: Axes, places: np.ndarray, linked: np.ndarray) -> None:
    """Draw nodes (U, 2) of a unit circle as dots that are darker with more links, and their links (U, U) as lines."""
    first, second = np.nonzero(np.triu(linked, 1))
    gaps = np.full(len(first), np.nan)
    lines = [np.stack([places[first, k], places[second, k], gaps], 1).ravel() for k in (0, 1)]
    axes.plot(*lines, color=GREY, alpha=0.5, linewidth=0.35, zorder=1)
    degree = linked.sum(axis=1) - np.diag(linked)
    shade = np.digitize(degree, np.linspace(degree.min(), degree.max(), SHADES + 1)[1:-1])
    colours = plt.get_cmap("viridis_r")(np.linspace(0.08, 1, SHADES))
    for at in np.unique(shade):
        dots(axes, places[shade == at, 0], places[shade == at, 1], to_hex(colours[at]), "", 3)
    axes.set(xlim=(-1.06, 1.06), ylim=(-1.06, 1.06), aspect="equal")


def percent(axes: Axes, axis: str = "y") -> None:
    """Write shares of an axis in per cent."""
    chosen = axes.yaxis if axis == "y" else axes.xaxis
    chosen.set_major_formatter(lambda value, _: f"{100 * value:.4g}\u2009%")


def thousands(axes: Axes) -> None:
    """Write steps of a training in thousands."""
    axes.xaxis.set_major_formatter(lambda value, _: f"{value / 1000:g}k" if value else "0")


def legend(figure: Figure, panels: Iterable[Axes]) -> None:
    """Write one legend for all panels below them: each label once, what print says last."""
    entries: dict[str, Any] = {}
    for axes in panels:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            entries.setdefault(label, handle)
    if PRINT in entries:
        del entries[PRINT]
        entries[PRINT] = Line2D([], [], marker="o", mfc="white", mec=INK, ms=5.5, mew=1.1, linestyle="none")
    columns = int(WIDTH // (SYMBOL + LETTER * max(len(label) for label in entries)))
    rows = -(-len(entries) // columns)
    handles = [_larger(handle) for handle in entries.values()]
    figure.legend(handles, list(entries), loc="outside lower center", ncols=-(-len(entries) // rows), columnspacing=1.4)


def _larger(handle: Any) -> Any:
    """Return a handle whose mark can be seen, for the dots of maps."""
    if not isinstance(handle, Line2D) or handle.get_linestyle() != "None" or handle.get_markersize() >= 3:
        return handle
    return Line2D([], [], marker="o", color=handle.get_color(), mew=0, ms=5, linestyle="none")


# -- files ---------------------------------------------------------------------------------------------------

#: Endings of files.
FORMATS = ("svg", "pdf", "png")
#: Fewest dots that are written as one path, and characters of a path whose places need no hundredths of a point.
MANY, LONG = 8, 300
_USES = re.compile(rf"(?:<use [^>]*/>\s*){{{MANY},}}")
_USE = re.compile(r'<use xlink:href="#(\w+)" x="([^"]+)" y="([^"]+)" style="fill: (#\w+)"/>')


def save(figure: Figure, file: Path) -> None:
    """Write a figure as SVG, PDF or PNG, by the ending of its file: the same bytes for the same figure.

    Raises:
        ValueError: another ending.
        OSError: the file cannot be written.
    """
    ending = file.suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        raise ValueError(f"{file.name}: the ending must be one of .{', .'.join(FORMATS)}")
    file.write_bytes(as_file(figure, ending))


def as_file(figure: Figure, ending: str) -> bytes:
    """Return the content of a figure's file, by one of ``FORMATS``."""
    return as_svg(figure).encode() if ending == "svg" else _bytes(figure, ending)


def as_svg(figure: Figure) -> str:
    """Return a figure as a small SVG: short paths, the dots of a map in one path, styles as classes, text as text."""
    text = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", _bytes(figure, "svg").decode(), flags=re.DOTALL)
    radii = {name: float(radius) for name, radius in re.findall(r'<path id="(\w+)" d="M 0 ([\d.]+) ', text)}
    text = _USES.sub(lambda uses: _one_path(uses[0], radii), text)
    text = re.sub(r' d="(M [^"]*)"', lambda d: f' d="{_shorter(d[1])}"', text)
    text = re.sub(r"-?\d+\.\d{3,}", lambda number: _digits(float(number[0]), 2), text)
    text = re.sub(r' id="[A-Za-z0-9.]+_\d+"| transform="rotate\(-0 [^"]*"', "", text)
    prefix = "r" + hashlib.sha256(text.encode()).hexdigest()[:5]  # pages may hold several figures
    for kind in (r'(?<= id=")[mpC][\w]+(?=")', r'(?<= style=")[^"]+(?=")'):
        for at, name in enumerate(dict.fromkeys(re.findall(kind, text))):
            short = f"{prefix}{'i' if 'id' in kind else 's'}{at}"
            if "id" in kind:
                text = re.sub(rf'(?<=[#"]){name}(?=[")])', short, text)
                continue
            text = text.replace(f' style="{name}"', f' class="{short}"')
            text = text.replace("</style>", f".{short} {{{name}}}\n</style>", 1)
    text = re.sub(r"<!DOCTYPE[^>]*>|<g/>| text-anchor: start;", "", text)
    if families := re.findall(r"font-family: [^;}]*,[^;}]*; ", text):
        text = text.replace(families[0], "").replace("*{", f"text {{{families[0]}}}\n*{{", 1)
    return re.sub(r"\s*\n\s*", "\n", _without_bare_groups(text))


def _without_bare_groups(text: str) -> str:
    """Return an SVG without groups that have no attributes."""
    bare, kept = list[bool](), list[str]()
    for part in re.split(r"(<g>|<g [^>]*>|</g>)", text):
        if part.startswith("<g"):
            bare.append(part == "<g>")
        if not (part == "<g>" or (part == "</g>" and bare.pop())):
            kept.append(part)
    return "".join(kept)


def _bytes(figure: Figure, ending: str) -> bytes:
    dates: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
    stream = io.BytesIO()
    with plt.rc_context(STYLE):
        figure.savefig(stream, format=ending, metadata=dates[ending])
    return stream.getvalue()


def _one_path(uses: str, radii: dict[str, float]) -> str:
    """Return many dots as one path a colour, whose round caps are the dots."""
    marks = _USE.findall(uses)
    if len(marks) != uses.count("<use ") or not all(name in radii for name, *_ in marks):
        return uses
    paths = []
    for (name, colour), group in groupby(marks, key=lambda mark: (mark[0], mark[3])):
        rounded = np.round(np.array([(x, y) for _, x, y, _ in group], float), 1)
        places = np.unique(rounded, axis=0)  # dots upon dots are one
        moves = np.diff(places, axis=0, prepend=0.0)
        d = "".join(f"m{_digits(x, 1)} {_digits(y, 1)}h0".replace(" -", "-") for x, y in moves)
        style = f"fill: none; stroke: {colour}; stroke-linecap: round; stroke-width: {2 * radii[name]:.2f}"
        paths.append(f'<path d="{d}" style="{style}"/>\n')
    return "".join(paths)


def _shorter(d: str) -> str:
    """Return a path of matplotlib (M, L, Q, C, z) in relative places, in tenths of a point if it is long."""
    decimals, at, parts, before = 1 if len(d) > LONG else 2, np.zeros(2), list[str](), ""
    for command, numbers in re.findall(r"([MLQCz])([^MLQCz]*)", d):
        if command == "z":
            parts.append("z")
            before = ""  # the next place is given whole
            continue
        places = np.round(np.array(numbers.split(), float).reshape(-1, 2), decimals)
        whole = command == "M" or not before
        letter = command if whole else command.lower()
        values = " ".join(_digits(value, decimals) for value in (places - (0 if whole else at)).ravel())
        parts.append((letter if letter != before else " ") + values)
        at, before = places[-1], letter
    return "".join(parts).replace(" -", "-")


def _digits(value: float, decimals: int) -> str:
    text = f"{value:.{decimals}f}".rstrip("0").rstrip(".")
    return re.sub(r"^(-?)0\.", r"\1.", text) if text not in ("-0", "") else "0"
