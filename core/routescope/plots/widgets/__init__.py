"""Interactive figures in notebooks and in HTML files. ``make bundle`` makes their modules for browsers."""

from html import escape
from importlib.util import find_spec
from typing import Any

from routescope.routing.interactive import InteractiveFigure

HINT = "For the interactive figure, install anywidget: pip install 'routescope[notebook]'"


def mimebundle(figure: InteractiveFigure | None, table: str, text: str) -> Any:
    """Return what a notebook shows of a result: its widget, or its table and how to install ``anywidget``.

    Args:
        table, text: the result as HTML and as text, for viewers without widgets.
    """
    if figure is None:
        return {"text/html": table, "text/plain": text}
    if find_spec("anywidget") is None:
        return {"text/html": f"{table}<div>{escape(HINT)}</div>", "text/plain": f"{text}\n{HINT}"}
    from routescope.plots.widgets.kernel import FigureWidget

    data, metadata = FigureWidget(figure)._repr_mimebundle_() or ({}, {})
    return {**data, "text/html": table, "text/plain": text}, metadata
