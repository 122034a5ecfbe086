"""Samples as they are written: text, and lists in brackets that fold, with the places of their tokens.

Every piece says which tokens of a network it is (``data-from``, ``data-to``), so that the page can shade it by what
reads them (``assets/web/pages/samples/readers.js``).
"""

import re
from collections.abc import Iterator

from dash import html
from dash.development.base_component import Component

from routescope_app.api.schemas.catalogue import Writing

#: Lists that lie within so many others are folded at first where an expression is long.
OPEN_DEPTH = 3
#: Lists are not folded within more others than this.
DEEPEST = 40
#: Symbols of an expression of which nothing is folded at first.
SHORT = 120


def written(writing: Writing) -> Component:
    """A sample that is written: with its lists to fold where brackets nest, else as running text."""
    if writing.brackets is None:
        return html.Pre(list(_words(writing.text)), className="sample-text written")
    words = writing.text.split()
    most = OPEN_DEPTH if len(words) > SHORT else len(words)
    pieces, _ = _members(words, 0, writing.brackets, 1, most)
    return html.Div(pieces, className="written nested")


def beginning(writing: Writing, most: int = 160) -> Component:
    """The first characters of it, for a card in a gallery."""
    text = writing.text if len(writing.text) <= most else writing.text[:most].rstrip() + "\N{HORIZONTAL ELLIPSIS}"
    return html.Pre(text, className="sample-text")


def _piece(text: str, first: int, count: int = 1, **more: str) -> Component:
    return html.Span(text, className="piece", **{"data-from": str(first), "data-to": str(first + count)}, **more)


def _words(text: str) -> Iterator[Component]:
    """Words with the white space behind them; their tokens are bytes."""
    place = 0
    for match in re.finditer(r"\s*\S+\s*|\s+", text):
        count = len(match[0].encode())
        yield _piece(match[0], place, count)
        place += count


def _members(
    words: list[str], place: int, brackets: tuple[str, str], depth: int, most: int
) -> tuple[list[Component], int]:
    """What stands from ``place`` to the end of its list, and where that ends."""
    opening, closing = brackets
    pieces: list[Component] = []
    while place < len(words) and words[place] != closing:
        if not words[place].startswith(opening):
            pieces.append(_piece(words[place], place))
            place += 1
            continue
        first = place
        within = _members if depth < DEEPEST else _flat
        inside, place = within(words, place + 1, brackets, depth + 1, most)
        count = place - first - 1
        summary = html.Summary(
            [
                _piece(words[first], first),
                html.Span(f"{count:,} symbol{'' if count == 1 else 's'}", className="folded"),
            ]
        )
        end = [_piece(closing, place)] if place < len(words) else []
        body = html.Div([*inside, *end], className="list-body")
        pieces.append(html.Details([summary, body], open=depth <= most, className="list"))
        place += 1
    return pieces, place


def _flat(
    words: list[str], place: int, brackets: tuple[str, str], depth: int, most: int
) -> tuple[list[Component], int]:
    """The same of lists that lie too deep to fold: a run of their symbols."""
    opening, closing = brackets
    pieces, begun = list[Component](), 0
    while place < len(words) and (begun or words[place] != closing):
        begun += words[place].startswith(opening) - (words[place] == closing)
        pieces.append(_piece(words[place], place))
        place += 1
    return pieces, place
