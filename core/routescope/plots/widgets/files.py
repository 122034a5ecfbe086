"""Files of interactive figures: their modules for browsers, and an HTML file of one figure."""

import json
from functools import cache
from html import escape
from pathlib import Path

from routescope.routing.interactive import InteractiveFigure

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
