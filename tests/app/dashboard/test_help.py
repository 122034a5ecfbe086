"""Help: documents as pages, the glossary, the tours and what they point at."""

import re
from pathlib import Path

import httpx
import pytest
from dash.development.base_component import Component

from routescope.assets import ASSETS, DOCS
from routescope_app.dashboard import PAGES, frame, help
from routescope_app.dashboard.components.tree import PageTree
from routescope_app.dashboard.help import DOCUMENTS, Documents, anchor
from routescope_app.dashboard.page import Page
from tests.app.serving import settings

WEB = ASSETS / "web"
GLOSSARY = (DOCS / "glossary.md").read_text()
#: Word -> what it means.
ENTRIES = dict(re.findall(r"^### (.+)\n\n((?:.+\n)+)", GLOSSARY, re.MULTILINE))


def test_every_document_is_a_page_with_its_links_and_pictures(page: httpx.Client) -> None:
    assert set(DOCUMENTS.titles) == {path.stem.lower() for path in DOCS.glob("*.md")}
    seen: dict[str, str] = {}
    for name in DOCUMENTS.titles:
        answer = page.get(help.address_of(name))
        assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/html")
        seen[help.address_of(name)] = answer.text
    links = {match for text in seen.values() for match in re.findall(r'<(?:a|img) (?:href|src)="([^"]+)"', text)}
    pictures = {link for link in links if link.startswith("/help/pictures/")}
    assert len(pictures) == len(DOCUMENTS.pictures) > 5
    for picture in pictures:
        assert page.get(picture).headers["content-type"].startswith("image/")
    for link in links - pictures - {"/"}:
        if not link.startswith("http"):
            path, _, section = link.partition("#")
            assert path in seen, f"{link} leads nowhere"
            assert not section or f'id="{section}"' in seen[path], f"{link}: there is no such section"
    for name in ("nothing", "..%2fpyproject", "pictures/..%2fpages.md", "pictures/pages.md"):
        assert page.get(f"/help/{name}").status_code == 404, name


def test_a_document_shows_no_file_that_is_not_bundled(tmp_path: Path) -> None:
    docs, assets = tmp_path / "docs", tmp_path / "assets"
    for folder in (docs, assets):
        folder.mkdir()
    (tmp_path / "secret.png").write_bytes(b"x")
    (assets / "card.json").write_text("{}")
    (docs / "one.md").write_text(
        "# One\n\n![a](../secret.png) ![b](../assets/card.json) [c](../core/x.py) [d](one.md)\n"
    )
    outcome = Documents(docs, assets)
    assert outcome.pictures == {} and outcome.titles == {"one": "One"}
    assert "<img" not in outcome.body("one") and outcome.body("one").count("<a ") == 1
    with pytest.raises(KeyError):
        outcome.body("two")


# -- the glossary ----------------------------------------------------------------------------------------------------


def test_the_glossary_explains_each_word_once_briefly_and_nowhere_else() -> None:
    """No page and no other document has a list of words, or says what one means in the same sentence."""
    words = re.findall(r"^### (.+)$", GLOSSARY, re.MULTILINE)
    assert len(words) == len({word.lower() for word in words}) == len(ENTRIES) > 30
    for word, meaning in ENTRIES.items():
        assert 1 <= len(re.findall(r"[.?](?:\s|$)", meaning)) <= 3, f"{word} has too many sentences"
    others = [path for path in DOCS.glob("*.md") if path.name != "glossary.md"]
    others += [
        path for kind in ("*.js", "*.py") for path in (*WEB.rglob(kind), *Path(help.__file__).parent.rglob(kind))
    ]
    for path in others:
        text = " ".join(path.read_text().split())
        assert not re.search(r"^#+ Glossary", path.read_text(), re.MULTILINE), path
        for word, meaning in ENTRIES.items():
            assert " ".join(meaning.split()) not in text, f"{path} explains {word} again"


def test_every_word_of_the_glossary_is_used_in_the_pages() -> None:
    own = {"parts/help", "vendor"}
    sources = [
        path
        for folder, kind in ((WEB, "*.js"), (Path(help.__file__).parent, "*.py"))
        for path in folder.rglob(kind)
        if not any(part in path.as_posix() for part in own)
    ]
    text = "\n".join(path.read_text() for path in sources).lower()
    unused = [word for word in ENTRIES if not re.search(rf"\b{re.escape(word.lower())}(?:s|ed|ped|d)?\b", text)]
    assert not unused


# -- the tours -------------------------------------------------------------------------------------------------------


def tours() -> dict[str, list[tuple[str, str, str]]]:
    """Page -> (selector, title, text) of each stop, as parts/help/tours.js has them."""
    text = (WEB / "parts/help/tours.js").read_text()
    stop = r"\[\s*\"(.+?)\", *\s*\"(.+?)\",\s*\"(.+?)\",?\s*\]"
    shared = {match[1]: match.groups()[1:] for match in re.finditer(rf"^const (\w+) = {stop}", text, re.MULTILINE)}
    assert len(shared) == 2
    pages = {}
    for key, body in re.findall(r"^  (\w+): \[\n(.*?)^  \],", text, re.MULTILINE | re.DOTALL):
        found = re.finditer(rf"^    ([A-Z]+),$|{stop}", body, re.MULTILINE)
        pages[key] = [shared[match[1]] if match[1] else match.groups()[1:] for match in found]
    return pages


@pytest.mark.parametrize("shown", PAGES, ids=lambda shown: shown.key)
def test_tours_point_at_what_is_there(shown: Page, tmp_path: Path) -> None:
    """At elements of the page's layout or of the frame, by id, class, widget or attribute.

    A page that is one tree has its names in its modules; the browser tests walk through its tour.
    """
    marks: set[str] = set()
    tree = ""
    for part in (*shown.layout(settings(tmp_path))._traverse(), *frame.layout(PAGES)._traverse()):
        if isinstance(part, PageTree):
            tree = "".join(
                path.read_text() for path in (*WEB.glob(f"pages/{shown.key}/**/*.js"), *WEB.glob("parts/*.js"))
            )
        if isinstance(part, Component):
            props = part.to_plotly_json()["props"]
            marks |= {f"#{props.get('id')}", *(f".{name}" for name in (props.get("className") or "").split())}
            for name in props:
                marks |= {f"[{name}]", f'[{name}="{props[name]}"]'}
    for selector, title, _ in tours()[shown.key]:
        for mark in re.findall(r"[#.][\w-]+|\[[^\]]+\]", selector):
            named = mark.strip("#.[]").removeprefix("panel-").removeprefix(f"{shown.key}-")
            assert mark in marks or named in tree, f"{title} points at {selector}, which is not there"


def test_the_menu_offers_what_can_be_opened() -> None:
    opened = set(re.findall(r"^  (\w+): async", (WEB / "parts/help/open.js").read_text(), re.MULTILINE))
    assert {what for what, _, _ in help.ENTRIES} | {"own"} == opened  # a door of Home opens that one
    assert {page.key for page in PAGES} == set(tours()) and all(5 <= len(stops) <= 7 for stops in tours().values())
    for shown in PAGES:  # parts/help/documents.js opens the section that has the key of the page
        assert f"\n## {shown.title}\n" in (DOCS / "pages.md").read_text() and anchor(shown.title) == shown.key
