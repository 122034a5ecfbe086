"""Every panel of every page has a title, a caption, a source and numbers, and code or a reason against it."""

import ast
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import MODEL, Server, until

SVG = "{http://www.w3.org/2000/svg}"
SAMPLE = "mnist.validation.3"
#: Query of each page, and the panels with contents before any action.
PAGES: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "paths": ({"model": MODEL, "sample": SAMPLE, "mute": "f2"}, ("path", "patches", "predictions")),
    "drop": (
        {"model": MODEL, "samples": 30, "units": "f1"},
        (
            "drop-accuracy", "drop-labels", "drop-domains", "importance", "effect", "use", "interactions", "retention",
            "anytime",
        ),
    ),
    "graphs": (
        {"sample": SAMPLE, "samples": 12, "unit": "m5", "least": 3},
        (
            "graph", "graph-matrix", "graph-statistics", "graph-degrees", "graph-clusters", "graph-effect",
            "graph-module",
        ),
    ),
    "circuits": ({}, ("designs", "distances", "pair-pictures", "pair-answers", "pair-reads")),
    "blocks": ({"model": "smfr-addmul"}, ("blocks", "blocks-answers", "blocks-indicators")),
    "types": ({"model": MODEL, "method": "pca", "samples": 6}, ("typemap", "typesteps", "typeclusters", "typefacts")),
    "observe": ({"model": MODEL, "samples": 12}, ("observe-matrix", "observe-usage", "observe-exemplars-panel")),
}  # fmt: skip
#: Panels without contents before an action: a lasso, a started job, scored statements, a pin.
LATER = {
    "typeselection", "convergence", "sentencemap", "sentenceselection", "separation", "pair-drop", "blocks-accuracy",
    "path-difference", "drop-compared", "drop-difference", "drop-studio", "drop-studio-curves",
}  # fmt: skip
#: Panels that no code of a notebook makes: A beside B is of two figures, each of which has code of its own.
WITHOUT_CODE = {"drop-compared", "drop-difference", "drop-confidence"}
#: Pictures that are wider than a column of a journal where a box needs its ten digits.
LEAST = {"blocks"}
#: Figures that tests/web/collisions.test.js draws with long names and many units.
FIGURES = Path(__file__).parents[2] / "web" / "hard_figures.js"
TESTED = set(re.findall(r'^  "?([a-z-]+)"?: \[', FIGURES.read_text(), re.MULTILINE))
#: Widths of a picture with letters of 8 points: in a column and on a page of a journal.
WIDTHS = (300, 660)
FIGURE = """async key => {
    const place = document.getElementById(key + "-title");
    const figure = routescope.figures.figure(key);
    const heading = [place?.textContent, document.querySelector("#panel-" + key + " > .reads")?.textContent];
    if (!figure) return { heading, figure: null };
    const { panel } = figure;
    const picture = "scene" in panel.picture || "svg" in panel.picture;
    const pen = document.createElement("canvas").getContext("2d");
    const font = getComputedStyle(document.body).fontFamily;
    const cut = ({ width, height, items }) => items.filter(item => {
        if (item.shape !== "text" || !item.text || item.opacity === 0 || item.turn) return false;
        pen.font = `${item.weight ?? 400} ${item.size}px ${font}`;
        const wide = pen.measureText(item.text).width;
        const left = item.x - { start: 0, middle: wide / 2, end: wide }[item.anchor ?? "start"];
        return left < -1 || left + wide > width + 1 || item.y - 0.72 * item.size < -1 || item.y > height + 1;
    }).map(({ text }) => text);
    const drawn = [];
    for (const width of panel.picture.scene ? [300, 660] : []) {
        const scene = await panel.picture.scene(width);
        drawn.push([scene.width, cut(scene)]);
    }
    return { heading, figure: figure.about, drawn, python: await routescope.figures.codeOf(figure),
        facts: JSON.parse(JSON.stringify(figure.facts)),
        rows: panel.rows().length, json: Object.keys(panel.json()).length,
        offered: document.querySelector('[data-panel="' + key + '"][data-export="python"]') !== null,
        svg: picture ? await routescope.figures.svgOf(figure).catch(error => String(error)) : null };
}"""


@pytest.mark.slow
@pytest.mark.parametrize("key", PAGES)
def test_panels_have_titles_captions_numbers_and_code(
    page: Page, server: Server, key: str, circuit: str, statement_model: str
) -> None:
    query, shown = PAGES[key]
    model = {"graphs": circuit, "circuits": statement_model}.get(key, query.get("model"))
    page.goto(server.address(f"/{key}", **query | {"model": model}))
    until(page, "keys => window.routescope?.figures && keys.every(key => routescope.figures.figure(key))", list(shown))
    panels = page.evaluate("routescope.figures.registered()")
    assert set(shown) <= set(panels)
    for panel in panels:
        value = page.evaluate(FIGURE, panel)
        assert all(text and text.strip() for text in value["heading"]), panel
        figure = value["figure"]
        assert figure or panel in LATER or panel.startswith("observe-"), panel
        if not figure:
            continue
        assert figure["title"] and figure["caption"].endswith(".") and "Model" in figure["source"], panel
        assert not value["drawn"] or panel in TESTED, panel
        facts = value["facts"]
        assert facts["model"] == model and facts["revision"] and f"/{key}?" in facts["link"], panel
        for asked, (width, cut) in zip(WIDTHS, value["drawn"], strict=False):
            assert not cut and (round(width) == asked or panel in LEAST), (panel, asked, width, cut)
        assert value["json"] and (value["rows"] > 1 or panel == "convergence"), panel
        assert value["offered"] == (panel not in WITHOUT_CODE), panel
        if value["offered"] and not (panel == "convergence" and value["python"] is None):
            ast.parse(value["python"])
        if value["svg"] and value["svg"].startswith("<?xml"):
            root = ET.fromstring(value["svg"])
            words = " ".join(text.text or "" for text in root.iter(f"{SVG}text"))
            assert (root.findtext(f"{SVG}title") or "").startswith(figure["title"]), panel
            assert figure["caption"] in (root.findtext(f"{SVG}desc") or ""), panel
            assert figure["title"] in words and figure["caption"].split()[-1] in words, panel
            assert json.loads(root.findtext(f"{SVG}metadata") or "") == facts, panel
