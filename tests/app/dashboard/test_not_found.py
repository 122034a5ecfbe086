"""What is said where an address is no page's."""

import json
from typing import Any

import pytest

from routescope_app.dashboard import PAGES, not_found


def text_of(parts: Any) -> str:
    return json.dumps([part.to_plotly_json() for part in parts], default=lambda member: member.to_plotly_json())


@pytest.mark.parametrize(
    ("path", "first"),
    [("/path", "paths"), ("/Paths/", "paths"), ("/sample.html", "samples"), ("/app/circuit/3", "circuits"),
     ("/obserb", "observe"), ("/home", "home")],
)  # fmt: skip
def test_the_likeliest_page_comes_first(path: str, first: str) -> None:
    assert not_found.nearest(path, PAGES)[0].key == first


def test_nothing_is_guessed_of_what_is_like_no_page() -> None:
    assert not_found.nearest("/qqqq/1234", PAGES) == []


def test_what_was_asked_for_is_said_and_every_page_offered() -> None:
    words = text_of(not_found.said("/pathz/" + "x" * 500, PAGES))
    assert "/pathz/xx" in words and "x" * not_found.LONGEST not in words and "Perhaps" in words
    for page in PAGES:
        assert f'"href": "{page.path}"' in words
    for hostile in (None, 7, ["/paths"], {"a": 1}):  # what a browser sends is anything
        assert "Perhaps" not in text_of(not_found.said(hostile, PAGES))
