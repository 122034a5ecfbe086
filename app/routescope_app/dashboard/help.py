"""Help: the buttons of the header, and the documents of ``docs/`` as pages, which the page shows in a dialog.

``/help/models`` is ``docs/models.md`` as HTML, ``/help`` the list of all; ``/help/pictures/...`` are the pictures that
they show. Links between documents lead there; what is named and not served stays as words. HTML inside Markdown is
shown as text.
"""

import functools
import posixpath
import re
import unicodedata
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component
from fastapi import FastAPI
from markdown_it import MarkdownIt
from markdown_it.token import Token
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, JSONResponse

from routescope.assets import ASSETS, DOCS
from routescope_app.dashboard.components.icons import icon
from routescope_app.dashboard.web import STYLES, Web

#: Where a link or a picture leads; None: nowhere, so that its words alone are left.
Address = Callable[[str], str | None]
OUTSIDE = re.compile(r"https?://", re.IGNORECASE)
#: What a page shows besides CommonMark: tables, and what was struck out.
PARSER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])

#: What may be wider than its place is scrolled there, also with keys.
PRE = '<pre tabindex="0">'
TABLE = '<div class="prose-table" tabindex="0" role="group" aria-label="Table">'


def outside_only(target: str) -> str | None:
    """Links to other hosts alone: the page that shows the text has nothing at its relative addresses."""
    return target if OUTSIDE.match(target) else None


def rendered(text: str, address: Address = outside_only, picture: Address | None = None) -> str:
    """Markdown as HTML that is safe to show, whoever wrote it.

    Headings have the ids that links name (``## The data`` has ``the-data``); tables can be reached and scrolled with
    keys. HTML in the text is shown as text. Links with other schemes than http and https lead nowhere.

    Args:
        text: Markdown.
        address: where the target of a link leads.
        picture: where the file of a picture lies; by default there are none, and what they show is said in words.
    """
    tokens = PARSER.parse(text)
    _name_headings(tokens)
    for token in tokens:
        if token.type == "inline" and token.children:
            token.children = list(_led(token.children, address, picture or (lambda _: None)))
    html = str(PARSER.renderer.render(tokens, PARSER.options, {})).replace("<pre>", PRE)
    return html.replace("<table>", TABLE + "<table>").replace("</table>", "</table></div>")


def title_of(text: str) -> str:
    """The first heading, without marks; empty where there is none."""
    tokens = PARSER.parse(text)
    named = (_plain(tokens[at + 1]) for at, token in enumerate(tokens) if token.type == "heading_open")
    return next(named, "")


def headings_of(text: str) -> list[dict[str, Any]]:
    """Return ``id``, ``title`` and ``level`` of the headings of levels 2 and 3, in the order of the text."""
    tokens = PARSER.parse(text)
    _name_headings(tokens)
    return [
        {"id": token.attrs["id"], "title": _plain(tokens[at + 1]), "level": int(token.tag[1])}
        for at, token in enumerate(tokens)
        if token.type == "heading_open" and token.tag in {"h2", "h3"}
    ]


def pictures_of(text: str) -> set[str]:
    """The files of the pictures that it shows."""
    inline = (child for token in PARSER.parse(text) for child in token.children or ())
    return {str(token.attrs["src"]) for token in inline if token.type == "image"}


def anchor(heading: str) -> str:
    """The id of a heading, as those who write links to it expect: small letters, digits, hyphens."""
    kept = unicodedata.normalize("NFKC", heading).lower()
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", kept).strip())


def _plain(token: Token) -> str:
    return "".join(child.content for child in token.children or () if child.type in {"text", "code_inline"})


def _name_headings(tokens: list[Token]) -> None:
    taken: dict[str, int] = {}
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            name = anchor(_plain(tokens[at + 1]))
            count = taken[name] = taken.get(name, -1) + 1
            token.attrSet("id", f"{name}-{count}" if count else name)


def _led(children: list[Token], address: Address, picture: Address) -> Iterator[Token]:
    """The parts of a line, its links and pictures led where they lead here."""
    open_links: list[bool] = []
    for token in children:
        if token.type == "link_open":
            target = address(str(token.attrs["href"]))
            open_links.append(target is not None)
            if target is None:
                continue
            token.attrSet("href", target)
            if OUTSIDE.match(target):
                token.attrSet("target", "_blank")
                token.attrSet("rel", "noopener noreferrer")
        elif token.type == "link_close" and not open_links.pop():
            continue
        elif token.type == "image":
            source = picture(str(token.attrs["src"]))
            if source is None:
                words = Token("text", "", 0)
                words.content = token.content
                yield words
                continue
            token.attrSet("src", source)
            token.attrSet("loading", "lazy")
        yield token


#: Where the documents are served.
PATH = "/help"
#: The document that lists the others.
INDEX = "readme"
#: What the scheme of a document's own page follows.
SCHEME = "parts/help/document_scheme.js"
PICTURES = {".png", ".svg", ".webp"}
TEMPLATE = """<!DOCTYPE html>
<html lang="en" data-mantine-color-scheme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} | Routescope</title>
<link rel="icon" type="image/svg+xml" href="{icon}">
<link rel="stylesheet" href="{styles}">
<script type="module" src="{scheme}"></script>
</head>
<body class="help-page">
<nav class="help-page-links" aria-label="Routescope"><a href="/">Routescope</a> <a href="{path}">All documents</a></nav>
<main class="prose" data-document="{name}">
{body}
</main>
</body>
</html>
"""


class Documents:
    """The documents of ``folder`` by their names: those of their files in small letters, without ending."""

    def __init__(self, folder: Path, assets: Path) -> None:
        self._roots = {"docs": folder, "assets": assets}
        self._files = {path.stem.lower(): path for path in sorted(folder.glob("*.md"))}

    @functools.cached_property
    def titles(self) -> dict[str, str]:
        """Return the title of each document by its name, the list of documents first."""
        first = sorted(self._files, key=lambda name: (name != INDEX, name))
        return {name: title_of(self._files[name].read_text(encoding="utf-8")) for name in first}

    @functools.cached_property
    def headings(self) -> list[dict[str, Any]]:
        """Return each document's name, title and the ``id``, ``title`` and ``level`` of its further headings."""
        return [
            {"name": name, "title": title, "sections": headings_of(self._files[name].read_text(encoding="utf-8"))}
            for name, title in self.titles.items()
        ]

    @functools.cached_property
    def pictures(self) -> dict[str, Path]:
        """The pictures that documents show, by the names of their files; others are not served."""
        shown = {name for path in self._files.values() for name in pictures_of(path.read_text(encoding="utf-8"))}
        files = [self._file(name) for name in shown]
        return {path.name: path for path in files if path is not None and path.suffix in PICTURES}

    @functools.lru_cache(maxsize=64)  # noqa: B019  (there is one such object a process)
    def body(self, name: str) -> str:
        """A document as HTML; raises KeyError where there is none."""
        return rendered(self._files[name].read_text(encoding="utf-8"), self.address, self._picture)

    def address(self, target: str) -> str | None:
        """Return the address of a link in a document; None if its target is not served."""
        if target.startswith(("http://", "https://", "#")):
            return target
        path, _, section = target.partition("#")
        folder, name = posixpath.split(posixpath.normpath(f"docs/{path}"))
        stem, ending = posixpath.splitext(name)
        if folder == "docs" and ending == ".md" and stem.lower() in self._files:
            return address_of(stem.lower(), section)
        return self._picture(path)

    def _picture(self, target: str) -> str | None:
        name = posixpath.basename(target)
        return f"{PATH}/pictures/{quote(name)}" if name in self.pictures else None

    def _file(self, target: str) -> Path | None:
        """The file that a document names by its way from there, of what is bundled."""
        root, _, rest = posixpath.normpath(f"docs/{target}").partition("/")
        path = self._roots[root] / rest if root in self._roots else None
        return path if path is not None and path.is_file() else None


DOCUMENTS = Documents(DOCS, ASSETS)


def address_of(name: str, section: str = "") -> str:
    """The address of a document, or of one section."""
    path = PATH if name == INDEX else f"{PATH}/{name}"
    return f"{path}#{section}" if section else path


def install(server: FastAPI, web: Web) -> None:
    """Serve the documents; before Dash, which answers every address that is left."""

    async def document(name: str = INDEX) -> HTMLResponse:
        if name not in DOCUMENTS.titles:
            raise HTTPException(404)
        return HTMLResponse(
            TEMPLATE.format(
                title=escape(DOCUMENTS.titles[name]),
                icon=web.url("icons/mark.svg"),
                styles=web.url(STYLES),
                scheme=web.url(SCHEME),
                path=PATH,
                name=name,
                body=DOCUMENTS.body(name),
            ),
            headers={"Cache-Control": "no-cache"},
        )

    async def picture(name: str) -> FileResponse:
        if name not in DOCUMENTS.pictures:
            raise HTTPException(404)
        return FileResponse(DOCUMENTS.pictures[name])

    async def headings() -> JSONResponse:
        return JSONResponse(DOCUMENTS.headings, headers={"Cache-Control": "no-cache"})

    server.add_api_route(PATH, document, methods=["GET", "HEAD"], include_in_schema=False, response_class=HTMLResponse)
    server.add_api_route(PATH + "/headings", headings, methods=["GET", "HEAD"], include_in_schema=False)
    server.add_api_route(PATH + "/pictures/{name}", picture, methods=["GET", "HEAD"], include_in_schema=False)
    server.add_api_route(
        PATH + "/{name}", document, methods=["GET", "HEAD"], include_in_schema=False, response_class=HTMLResponse
    )


# -- the header ------------------------------------------------------------------------------------------------------

#: What the menu offers: what it opens (parts/help/open.js), words, keys.
ENTRIES = (
    ("page", "About this page", ""),
    ("tour", "Tour of this page", ""),
    ("glossary", "Glossary", ""),
    ("shortcuts", "Shortcuts", "?"),
    ("documents", "All documents", ""),
    ("palette", "Find and do", "Ctrl K"),
)


def buttons() -> Component:
    """The header's buttons for help: the command palette, the menu, and the line that offers a tour to a newcomer."""
    palette = html.Button(
        icon("search"),
        type="button",
        className="tool help-find",
        title="Find and do (Ctrl K)",
        **{"aria-label": "Find and do", "aria-haspopup": "dialog", "aria-keyshortcuts": "Control+K Meta+K",
           "data-help": "palette"},
    )  # fmt: skip
    items = [
        html.Button(
            [html.Span(words), html.Kbd(keys) if keys else None],
            type="button",
            className="menu-item help-item",
            **{"data-help": what},
        )
        for what, words, keys in ENTRIES
    ]
    offer = html.Div(className="help-offer", hidden=True, **{"data-widget": "help-offer"})
    # parts/frame.js closes it on a choice, on Escape and on a click elsewhere.
    opener = html.Summary(
        icon("help"), id="help-menu", className="tool tool-text help-opener", **{"aria-label": "Help"}
    )
    help_menu = html.Details([opener, html.Div(items, className="menu-items")], className="menu")
    return dmc.Box([offer, palette, help_menu], className="help-buttons")
