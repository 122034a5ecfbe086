"""Markdown as HTML: for documents and cards. HTML inside it is text, and links lead where the caller says."""

import re
import unicodedata
from collections.abc import Callable, Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

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
    for token in _every(tokens):
        if token.children:
            token.children = list(_led(token.children, address, picture or (lambda _: None)))
    html = str(PARSER.renderer.render(tokens, PARSER.options, {})).replace("<pre>", PRE)
    return html.replace("<table>", TABLE + "<table>").replace("</table>", "</table></div>")


def title_of(text: str) -> str:
    """The first heading, without marks; empty where there is none."""
    tokens = PARSER.parse(text)
    named = (_plain(tokens[at + 1]) for at, token in enumerate(tokens) if token.type == "heading_open")
    return next(named, "")


def pictures_of(text: str) -> set[str]:
    """The files of the pictures that it shows."""
    inline = (each for token in PARSER.parse(text) for each in token.children or ())
    return {str(each.attrs["src"]) for each in inline if each.type == "image"}


def anchor(heading: str) -> str:
    """The id of a heading, as those who write links to it expect: small letters, digits, hyphens."""
    kept = unicodedata.normalize("NFKC", heading).lower()
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", kept).strip())


def _every(tokens: list[Token]) -> Iterator[Token]:
    yield from (token for token in tokens if token.type == "inline")


def _plain(token: Token) -> str:
    return "".join(each.content for each in token.children or () if each.type in {"text", "code_inline"})


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
                said = Token("text", "", 0)
                said.content = token.content
                yield said
                continue
            token.attrSet("src", source)
            token.attrSet("loading", "lazy")
        yield token
