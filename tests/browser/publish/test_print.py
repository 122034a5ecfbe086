"""Files for print: pictures as wide as was chosen, with letters of the chosen size, in the chosen colours."""

import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from tests.browser.conftest import MODEL
from tests.browser.looks import check

COLUMN = 85 / 25.4 * 72  # points


def letters(page: Any) -> tuple[str, Counter[float]]:
    """Return the text of a page of PDF, and how many texts have each size in points."""
    sizes: Counter[float] = Counter()

    def heard(text: str, page_matrix: list[float], matrix: list[float], _font: Any, size: float) -> None:
        if text.strip():
            sizes[round(size * abs(page_matrix[3] * matrix[3]), 2)] += 1

    return page.extract_text(visitor_text=heard), sizes


def pdf(file: Path) -> tuple[dict[str, Any], Any]:
    """Return the facts and the one page of a PDF that holds to the format."""
    reader = PdfReader(file, strict=True)
    assert reader.metadata is not None and reader.metadata.title and reader.metadata.subject
    (page,) = reader.pages
    content = page.get_contents()
    assert content is not None
    operators = Counter(operator for _, operator in content.operations)
    assert operators[b"q"] == operators[b"Q"] and operators[b"BT"] == operators[b"ET"] > 5
    assert not re.search(rb"NaN|undefined|Infinity", file.read_bytes())
    assert not re.search(rb"NaN|undefined|Infinity", content.get_data())
    return json.loads(str(reader.metadata["/Facts"])), page


def test_a_pdf_has_text_lines_facts_and_the_chosen_size(
    open_paths: Callable[..., Page], save: Callable[..., Path]
) -> None:
    open_paths("mnist-m.validation.3", mute="f2", step=2)
    for size in ("8", "12"):
        facts, page = pdf(save("predictions", "pdf", width="column", size=size, scheme="light"))
        assert facts["model"] == MODEL and facts["mute"] == ["f2"] and facts["revision"]
        assert float(page.mediabox.width) == pytest.approx(COLUMN, abs=0.1)
        text, sizes = letters(page)
        assert f"Model {MODEL}" in text
        assert any(abs(found - float(size)) < 0.02 * float(size) for found in sizes), sizes
    _, page = pdf(save("path", "pdf", width="page", size="8", scheme="light"))
    text, _ = letters(page)
    assert {"f1", "f2", "muted", "street-digits"} <= set(re.split(r"\s+", text))
    curves = Counter(operator for _, operator in page.get_contents().operations)[b"c"]
    assert curves > 100 and "/Pattern" in page["/Resources"]
    _, page = pdf(save("patches", "pdf", width="slide", size="12", scheme="dark"))
    assert float(page.mediabox.width) == pytest.approx(1200, abs=0.1) and page.images

    root = ET.parse(save("path", "svg", width="column", size="8", scheme="light")).getroot()
    assert float(root.attrib["width"].removesuffix("pt")) == pytest.approx(COLUMN, abs=0.1)


def test_the_last_choice_is_offered_again_and_greys_are_grey(
    open_paths: Callable[..., Page], save: Callable[..., Path], tmp_path: Path
) -> None:
    page = open_paths("mnist-m.validation.3")
    page.click("#path-export")
    expect(page.locator('[data-panel="path"][data-export="again"]')).to_be_hidden()
    page.keyboard.press("Escape")
    first = save("path", "png", width="slide", size="12", scheme="mono")
    with Image.open(first) as picture:
        assert picture.width == 1600
        assert json.loads(picture.text["Description"])["model"] == MODEL  # type: ignore[attr-defined]
        ground = picture.convert("RGB").getpixel((picture.width - 3, 3))
    assert ground == (255, 255, 255)

    page.click("#predictions-export")
    again = page.locator('[data-panel="predictions"][data-export="again"]')
    expect(again).to_have_text("Export again as PNG, slide, greys")
    with page.expect_download() as coming:
        again.press("Enter")
    coming.value.save_as(tmp_path / "again.png")
    with Image.open(tmp_path / "again.png") as picture:
        assert picture.width == 1600
        red, green, blue = picture.convert("RGB").split()
        assert red.tobytes() == green.tobytes() == blue.tobytes()
    expect(page.locator("#predictions-export")).to_be_focused()

    page.keyboard.press("Enter")
    page.click('[data-panel="predictions"][data-export="choose"]')
    expect(page.locator("#export-width")).to_have_value("slide")
    check(page)
    page.check('.export-dialog input[value="csv"]')
    expect(page.locator("#export-width")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator("#predictions-export")).to_be_focused()
