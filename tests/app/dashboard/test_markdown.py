"""Markdown as HTML: what is in it is shown and never run, links lead where the caller says or nowhere."""

import pytest

from routescope_app.dashboard.help import anchor, pictures_of, rendered, title_of


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "a <img src=x onerror=alert(1)> b",
        '<b style="color:red">x</b>',
        "[x](javascript:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        '[x](https://e.org "\\"><script>alert(1)</script>")',
        "![x](javascript:alert(1))",
        "```html\n<script>alert(1)</script>\n```",
    ],
)
def test_what_is_in_it_is_never_run(text: str) -> None:
    html = rendered(text, picture=lambda name: name)
    for wrong in ("<script", "<b ", "<img src=x", '<img src="javascript', 'href="javascript', 'href="data:'):
        assert wrong not in html


def test_links_lead_where_the_caller_says() -> None:
    text = "[one](one.md#part) [two](two.md) [three](https://e.org/x) ![four](four.png) ![five](five.png)"
    html = rendered(
        text,
        lambda target: {"one.md#part": "/help/one#part", "https://e.org/x": "https://e.org/x"}.get(target),
        lambda name: "/pictures/four.png" if name == "four.png" else None,
    )
    assert '<a href="/help/one#part">one</a> two ' in html
    assert '<a href="https://e.org/x" target="_blank" rel="noopener noreferrer">three</a>' in html
    assert '<img src="/pictures/four.png" alt="four" loading="lazy"' in html and html.count("<img") == 1
    assert "five</p>" in html
    html = rendered("[a](b.md) [c](https://e.org) ![d](e.png)")
    assert html.count("<a ") == 1 and "<img" not in html and "d</p>" in html, "only links to other hosts are left"


def test_headings_can_be_linked_and_wide_parts_reached() -> None:
    html = rendered("# The `data` set, now?\n## The data set now\n\n| a |\n| - |\n| 1 |\n\n    code\n")
    assert 'id="the-data-set-now"' in html and 'id="the-data-set-now-1"' in html
    assert '<pre tabindex="0">' in html and 'tabindex="0" role="group" aria-label="Table"><table>' in html
    assert anchor("Drop effect") == "drop-effect"
    assert title_of("text\n\n# A *b* `c`\n# d") == "A b c" and title_of("none") == ""
    assert pictures_of("![a](b.png) and [![c](d.png)](e)") == {"b.png", "d.png"}
