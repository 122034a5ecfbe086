"""Nothing of the former model stays on a page when another is chosen; play bars are in sight at 1440 x 900.

After the choice no request is answered, so that the page keeps its state until then.
"""

from contextlib import suppress

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import MODEL, WITHOUT_JOBS, Server, until
from tests.browser.looks import begin

SAMPLE = "mnist.validation.3"
#: Leaves all further requests without an answer, and all streams without events.
SILENCE = """() => {
    window.fetch = () => new Promise(() => {});
    window.EventSource = class { addEventListener() {} close() {} };
}"""
#: Words of the page that name a model, except buttons that offer it, and pictures that are painted and not greyed.
LEFT = """name => {
    const said = [...document.querySelectorAll("#content *")]
        .filter(each => !each.children.length && each.checkVisibility({ opacityProperty: true }))
        .filter(each => each.textContent.includes(name) && !each.closest("button, select"));
    const opaque = each => {
        for (let at = each; at; at = at.parentElement) if (Number(getComputedStyle(at).opacity) < 0.6) return false;
        return each.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && each.offsetHeight > 1;
    };
    const painted = [...document.querySelectorAll("#content canvas[data-painted]")].filter(opaque);
    return [...said.map(each => each.textContent), ...painted.map(each => each.id || each.parentElement.className)];
}"""
#: Page, the former model, the next model, an element that shows the former, and controls that name its units.
PAIRS = [
    ("/paths", MODEL, "nac-frozen", "#path-picture[data-painted]", "[data-unit-chip]"),
    ("/drop", MODEL, "smfr-algo", "#panel-drop-accuracy canvas[data-painted]", "[data-drop-unit]"),
    ("/graphs", "nac-frozen", "nac-scale-free", "#graph-picture-learned[data-painted]", "#graph-caption > *"),
    ("/types", MODEL, "nac-frozen", "#type-picture-trained[data-painted]", "[data-type-unit]"),
    ("/blocks", "smfr-algo", "smfr-double", "#block-picture[data-painted]", ".blocks-said"),
    ("/samples", MODEL, "nac-frozen", '[data-key="sample"] canvas[data-painted]', "#see-path:visible"),
    ("/circuits", "nac-scenes", "nac-scenes-words-only", "#design-picture-1[data-painted]", ".pair-answer"),
]


@pytest.mark.parametrize(("path", "former", "following", "there", "of_units"), PAIRS)
def test_nothing_of_the_former_model_stays(
    page: Page, server: Server, path: str, former: str, following: str, there: str, of_units: str
) -> None:
    begin(page)
    quick: dict[str, object] = {"method": "pca", "samples": 30} if path == "/types" else {}
    if not quick:
        page.add_init_script(WITHOUT_JOBS)
    page.goto(server.address(path, model=former, sample=SAMPLE, **quick))
    page.wait_for_selector(there)
    if path == "/types":
        row = page.locator("#panel-typemap .player").bounding_box()
        assert row and row["y"] + row["height"] <= 900
    if path == "/paths":
        expect(page.locator("#paths-caption")).to_contain_text(former)
        row = page.locator(".path-controls").bounding_box()
        assert row and row["y"] + row["height"] <= 900
    page.evaluate(SILENCE)
    page.evaluate("model => routescope.selection.choose({ model })", following)
    expect(page.locator("#model-select")).to_have_value(following)
    expect(page.locator(of_units)).to_have_count(0)
    with suppress(AssertionError):
        until(page, f"name => !({LEFT})(name).length", former)
    assert page.evaluate(LEFT, former) == []


def test_a_question_about_the_former_model_is_given_up(page: Page, server: Server) -> None:
    page.route("**/models/nac-scenes/answers", lambda route: None)  # no answer comes
    page.goto(server.address("/circuits", model="nac-scenes"))
    page.wait_for_selector(".pair-answers[data-status=asking]")
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/nac-scenes/answers")):
        page.evaluate("routescope.selection.choose({ model: 'nac-scenes-words-only' })")
    expect(page.locator("#model-select")).to_have_value("nac-scenes-words-only")
