"""Files for print: pictures as wide as was chosen, with letters of the chosen size, in the chosen colours."""

import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from pypdf import PdfReader

from tests.browser.conftest import MODEL
from tests.browser.looks import check

COLUMN = 85 / 25.4 * 72  # points


def letters(page: Any) -> tuple[str, Counter[float]]:
    """Return the text of a page of PDF, and how many letters have each size in points."""
    sizes: Counter[float] = Counter()

    def heard(text: str, matrix: list[float], place: list[float], _font: Any, size: float) -> None:
        sizes[round(size * abs(matrix[3] * place[3]), 2)] += len(text.strip())

    return page.extract_text(visitor_text=heard), sizes


def test_a_pdf_has_text_lines_and_facts_and_the_chosen_size(
    open_paths: Callable[..., Page], save: Callable[..., Path]
) -> None:
    page = open_paths("mnist-m.validation.3", mute="f2", step=2)
    for panel in ("path", "patches", "predictions"):
        reader = PdfReader(save(panel, "pdf", width="column", size="8", scheme="light"), strict=True)
        assert reader.metadata is not None
        facts = json.loads(reader.metadata["/Facts"])
        assert facts["model"] == MODEL and facts["mute"] == ["f2"] and facts["revision"]
        assert reader.metadata.title and reader.metadata.subject and reader.metadata.creator == "Routescope"
        (shown,) = reader.pages
        assert float(shown.mediabox.width) == pytest.approx(COLUMN, abs=0.1)
        text, sizes = letters(shown)
        assert "Model ni-digits" in text
        operators = Counter(operator for _, operator in shown.get_contents().operations)  # type: ignore[union-attr]
        assert operators[b"Tj"] > 5 and operators[b"q"] == operators[b"Q"]
        if panel == "path":
            assert {"f1", "f2", "muted"} <= set(re.split(r"\s+", text))
            assert operators[b"c"] > 100
        if panel == "patches":
            assert shown.images
        assert sizes

    root = ET.parse(save("path", "svg", width="column", size="8", scheme="light")).getroot()
    assert float(root.attrib["width"].removesuffix("pt")) == pytest.approx(COLUMN, abs=0.1)
    check(page)
