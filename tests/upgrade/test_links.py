"""Links that people kept from version 0.5 open what they opened, down to the last parameter."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from routescope_app.dashboard import PAGES, validation
from routescope_app.dashboard.validation import Selection
from routescope_app.settings import Settings

#: Addresses as the pages of 0.5 wrote them, and what 0.5 read of them.
LINKS = json.loads((Path(__file__).parent / "links_0_5.json").read_text())
#: Where pages are now that were elsewhere in 0.5: the server leads there (tests/app/dashboard/test_middleware.py).
MOVED = {"/": "/samples"}


@pytest.mark.parametrize("entry", LINKS, ids=[each["link"][:60] for each in LINKS])
def test_a_link_is_read_as_it_was(entry: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The page that it opens reads every parameter, and takes none for wrong."""
    parts = urlsplit(entry["link"])
    query = dict(parse_qsl(parts.query, strict_parsing=True))
    read: dict[str, Any] = {}
    of_query = validation.Input.of_query.__func__  # type: ignore[attr-defined]

    def noted(cls: type[validation.Input], query: dict[str, Any]) -> validation.Input:
        found: validation.Input = of_query(cls, query)
        read.update(found.model_dump(mode="json"))
        return found

    monkeypatch.setattr(validation.Input, "of_query", classmethod(noted))
    page = next(page for page in PAGES if page.path == MOVED.get(parts.path, parts.path))
    page.layout(Settings(data_dir=tmp_path), **query)
    chosen = Selection.of_query(query).model_dump(mode="json")
    read |= {name: value for name, value in chosen.items() if name in query}
    assert {name: read[name] for name in entry["read"]} == entry["read"]
    assert set(query) - {"model", "sample"} <= set(entry["read"])


def test_every_page_of_0_5_is_linked() -> None:
    paths = {urlsplit(entry["link"]).path for entry in LINKS}
    assert paths == {"/", "/paths", "/drop", "/types", "/graphs", "/observe", "/circuits", "/blocks"}
    assert {MOVED.get(path, path) for path in paths} <= {page.path for page in PAGES}
