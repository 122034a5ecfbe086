"""Cards of models: the text beside a checkpoint, as HTML that holds nothing of the text but words and tables."""

from html.parser import HTMLParser
from pathlib import Path

import pytest

from routescope import assets, zoo
from routescope_app.services.cards import as_html
from tests.app.serving import BLOCKS, is_problem, make_blocks, serving, settings


async def test_cards_of_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_blocks()
    readme = assets.data_dir() / "checkpoints" / BLOCKS / "README.md"
    readme.unlink(missing_ok=True)
    async with serving(settings(tmp_path)) as client:
        card = (await client.get("/api/v1/models/ni-digits/card")).json()
        detail = (await client.get("/api/v1/models/ni-digits")).json()
        assert (card["model"], card["revision"], card["complete"]) == ("ni-digits", detail["revision"], True)
        assert card["html"].startswith("<h2>ni-digits</h2>") and "<table>" in card["html"]
        assert f"{detail['parameters']:,} parameters" in card["html"]
        for scored in detail["accuracies"]:
            assert f"<td>{scored['accuracy']:.2%}</td>" in card["html"]
        address = f"/api/v1/models/{BLOCKS}/card"
        problem = is_problem(await client.get(address), 404)
        assert "no card" in problem["detail"] and str(tmp_path) not in problem["detail"]
        is_problem(await client.get("/api/v1/models/nobody/card"), 404)
        monkeypatch.setattr("routescope_app.services.cards.MAX_CHARACTERS", 40)
        try:
            readme.write_bytes(b"# Own\n\n" + b"\xff" + b"words " * 20)  # not all of it is UTF-8
            card = (await client.get(address)).json()
        finally:
            readme.unlink()
        assert card["html"].startswith("<h2>Own</h2>") and card["complete"] is False
        assert card["html"].count("words") < 20


HOSTILE = [
    "<script>alert(1)</script>",
    "before <img src=x onerror=alert(1)> after",
    "[a](javascript:alert(1)) ![b](https://evil.example/b.png) <https://evil.example> <javascript:alert(1)>",
    "[a]: https://evil.example\n\n[a] [words][a]",
    "| <b onclick=x> | [l](//evil.example) |\n| --- | --- |\n| <svg/onload=alert(1)> | ` <i> ` |",
    "```<x y='z'>\n</code><script>\n```",
]


class Elements(HTMLParser):
    """Names of elements and of their attributes."""

    def __init__(self, made: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(made)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}


@pytest.mark.parametrize("text", HOSTILE)
def test_html_in_a_card_is_text_and_nothing_leads_elsewhere(text: str) -> None:
    result = Elements(as_html(text))
    assert result.names <= {"p", "table", "thead", "tbody", "tr", "th", "td", "code", "pre"}
    assert result.attributes <= {"class"}


def test_markdown_of_cards() -> None:
    made = as_html("# A\n\n###### B\n\n* one\n* **two**\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n")
    assert "<h2>A</h2>" in made and "<h6>B</h6>" in made and "<li><strong>two</strong></li>" in made.replace("\n", "")
    assert "<th>a</th>" in made and "<td>2</td>" in made


def test_every_bundled_model_has_a_card() -> None:
    for folder in (assets.ASSETS / "checkpoints").iterdir():
        text = zoo.read_card(folder.name, 100_000)
        assert text is not None and text.startswith(f"# {folder.name}\n")
        assert "&lt;" not in as_html(text), "what bundled cards say is Markdown alone"
