"""Hosts of interactive figures: a notebook and an HTML file. ``make bundle`` makes their modules for browsers."""

import json
from functools import cache
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from routescope.routing.interactive import InteractiveFigure

HINT = "For the interactive figure, install anywidget: pip install 'routescope[notebook]'"
#: The file asks no host for anything.
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>:root {{ color-scheme: light dark; background: light-dark(#ffffff, #161a20); font-family: sans-serif }}
h1 {{ margin: 0 10px; font-size: 20px }}
{sheet}</style>
</head>
<body>
<main>
<h1>{title}</h1>
<div><script type="application/json" data-figure="{name}">{given}</script></div>
</main>
<script type="module">
{module}</script>
</body>
</html>
"""


@cache
def file_of(name: str) -> str:
    """Return a module for browsers, or ``figure.css``."""
    return (Path(__file__).parent / name).read_text()


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


def write_html(figure: InteractiveFigure, path: Path) -> Path:
    """Write a figure as one HTML file, without a kernel; an existing file is replaced."""
    given = json.dumps({"data": {**figure.data, "live": False}, "choice": figure.choice}, allow_nan=False)
    page = PAGE.format(
        policy=POLICY,
        title=escape(figure.title),
        sheet=file_of("figure.css"),
        name=figure.module,
        given=given.replace("<", "\\u003c"),
        module=file_of(f"{figure.module}.js"),
    )
    path.write_text(page, encoding="utf-8")
    return path
