"""Nothing of the former model stays on a page when another is chosen; and play bars are in sight at 1440 x 900.

Once another model is chosen nothing more is answered: what is on the page then is what stays until the answers come.
"""

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Page, Route, TimeoutError, expect

from routescope_app.dashboard import PAGES
from tests.browser.conftest import MODEL, WITHOUT_JOBS, Server, until
from tests.browser.looks import begin

SAMPLES = next(page.path for page in PAGES if page.key == "samples")
SAMPLE = "mnist.validation.3"
#: From now on no request is answered, and no stream says anything.
SILENCE = """() => {
    window.fetch = () => new Promise(() => {});
    window.EventSource = class { addEventListener() {} close() {} };
}"""
#: Words of the page that name a model, besides buttons that offer it; and pictures that are painted and not greyed.
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
#: Page, the former model, the next one, what shows that the former is there, and controls that name its units.
PAIRS = [
    ("/paths", MODEL, "nac-frozen", "#path-picture[data-painted]", "[data-unit-chip]"),
    ("/drop", MODEL, "smfr-algo", "#panel-drop-accuracy canvas[data-painted]", "[data-drop-unit]"),
    ("/graphs", "nac-frozen", "nac-scale-free", "#graph-picture-learned[data-painted]", "#graph-caption > *"),
    ("/types", MODEL, "nac-frozen", "#type-picture-trained[data-painted]", "[data-type-unit]"),
    ("/blocks", "smfr-algo", "smfr-double", "#block-picture[data-painted]", ".blocks-said"),
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


def test_an_answer_about_the_former_model_that_comes_late_is_not_shown(page: Page, server: Server) -> None:
    held: list[Route] = []
    page.route("**/models/nac-scenes/answers", lambda route: held.append(route))
    page.goto(server.address("/circuits", model="nac-scenes"))
    page.wait_for_selector("#design-picture-1[data-painted]")
    until(page, "!!document.querySelector('.pair-answers[data-status=asking]')")
    page.evaluate(SILENCE)
    page.evaluate("routescope.selection.choose({ model: 'nac-scenes-words-only' })")
    expect(page.locator("#model-select")).to_have_value("nac-scenes-words-only")
    (route,) = held
    with suppress(TimeoutError), page.expect_response("**/models/nac-scenes/answers", timeout=5_000):
        route.continue_()  # nothing comes where it was given up
    page.wait_for_timeout(300)
    expect(page.locator(".pair-answer")).to_have_count(0)


def test_predictions_of_the_former_model_go_from_samples(page: Page, server: Server) -> None:
    page.goto(server.address(SAMPLES, model=MODEL, sample=SAMPLE))
    page.wait_for_selector('[data-key="sample"] canvas[data-painted]')
    page.evaluate(SILENCE)
    page.evaluate("routescope.selection.choose({ model: 'nac-frozen' })")
    expect(page.locator('[data-key="sample"] canvas')).not_to_have_attribute("data-painted", re.compile("."))
    expect(page.locator("#see-path")).to_be_hidden()
