"""Two views of Paths beside each other: the pinned view, the view shown, and their difference."""

from collections.abc import Callable
from typing import Any

import numpy as np
from playwright.sync_api import Page, expect

from routescope_app.dashboard import PAGES
from routescope_app.dashboard.validation import PinChoice
from tests.browser.conftest import MODEL, Guard, Server, until
from tests.browser.looks import check, check_looks

SAMPLE, OTHER = "mnist.validation.3", "mnist-m.validation.5"
#: Other pages that keep the pin.
PINNING = [
    shown for shown in PAGES if shown.key != "paths" and any(member["name"] == "pin" for member in shown.address)
]
SAYS = "([name, value]) => new URLSearchParams(location.search).get(name) === value"
#: The difference of the two traces, number by number.
CHANGE = "[...routescope.compare.difference().change]"


def says(page: Page, name: str, value: str | None) -> None:
    """Wait until the address has this value."""
    until(page, SAYS, [name, value])


def trace(server: Server, sample: str, model: str = MODEL, **intervention: Any) -> dict[str, Any]:
    """A trace from the API."""
    fields = ["compatibility", "types"] if model == MODEL else ["messages", "read_in", "read_out", "confidence"]
    body = {"model": model, "sample": sample, "intervention": intervention, "fields": fields}
    answer: dict[str, Any] = server.ask("POST", "/traces", json=body).raise_for_status().json()
    return answer


def field(server: Server, info: dict[str, Any], name: str = "compatibility") -> np.ndarray:
    """A field of a trace without the axis of the one sample."""
    path = f"/traces/{info['id']}/fields/{name}"
    answer = server.ask("GET", path, params={"format": "json"}).raise_for_status().json()
    assert answer["dims"][0] == "sample" and answer["shape"][0] == 1
    return np.array(answer["values"], dtype=np.float32).reshape(answer["shape"][1:])


def painted(page: Page, a: dict[str, Any], b: dict[str, Any]) -> None:
    """Wait until both paths and their difference are painted."""
    expect(page.locator("#path-picture-of-a")).to_have_attribute("data-painted", a["id"])
    expect(page.locator("#path-picture")).to_have_attribute("data-painted", b["id"])
    if a["id"] != b["id"]:
        expect(page.locator("#difference-picture")).to_have_attribute("data-painted", f"{a['id']} {b['id']}")


def check_sentence(page: Page, plain: dict[str, Any], a: np.ndarray, b: np.ndarray) -> None:
    """The sentence and the table of step 2 have the numbers of the API's two traces."""

    def dominant(values: np.ndarray) -> np.ndarray:
        return np.where(values.max(1) > 1e-6, values.argmax(1), -1)

    other = dominant(a) != dominant(b)
    kinds = np.array([token["kind"] for token in plain["tokens"]])
    patches, heads = ((kinds == kind).sum() for kind in ("patch", "cls"))
    expect(page.locator(".difference-sentence")).to_contain_text(
        f"Caused by the intervention: {other[1][kinds == 'patch'].sum()} of {patches} patches and "
        f"{other[1][kinds == 'cls'].sum()} of {heads} CLS tokens go through another function in iteration 2; "
        f"{other.any(0).sum()} of {len(kinds)} tokens take another path over the {len(a)} steps."
    )
    page.locator(".panel-difference summary", has_text="The same as a table").click()
    cells = page.locator(".panel-difference .as-table table").first.locator("tbody td:first-of-type")
    expect(cells).to_have_text([f"{member.sum()} of {len(kinds)}" for member in other])


def check_moves(page: Page, plain: dict[str, Any], change: np.ndarray) -> None:
    """Both paths step together, and a token is highlighted in both."""
    page.get_by_role("button", name="Next step").click()
    for picture in ("#path-picture", "#path-picture-of-a", "#patch-picture", "#patch-picture-of-a"):
        expect(page.locator(picture)).to_have_attribute("data-step", plain["steps"][2])
    expect(page.locator(".difference-sentence")).to_contain_text("in iteration 3;")
    page.locator("#difference-picture").focus()
    page.keyboard.press("ArrowDown")
    for picture in ("#path-picture", "#path-picture-of-a"):
        expect(page.locator(picture)).to_have_attribute("data-highlighted", plain["tokens"][0]["name"])
    expect(page.locator(".difference-pointed")).to_contain_text(
        f"({change[2, 0, 0]:+.2f})".replace("-", "\N{MINUS SIGN}")
    )
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowLeft")
    says(page, "step", "2")


def test_a_dropped_function_beside_the_pinned_path(open_paths: Callable[..., Page], server: Server) -> None:
    page = open_paths(SAMPLE, step=2)
    for part in ("#panel-path-difference", "#path-picture-of-a", ".pin-bar"):
        expect(page.locator(part)).to_be_hidden()

    plain, dropped = trace(server, SAMPLE), trace(server, SAMPLE, drop=["f3"])
    pin = page.get_by_role("button", name="Pin this view as A")
    pin.click()
    says(page, "pin", f"{MODEL}:{SAMPLE}")
    painted(page, plain, plain)
    expect(page.locator(".difference-sentence")).to_contain_text("A and B are the same path")
    expect(pin).to_be_disabled()
    page.locator("#paths-mode").get_by_text("drop").click()
    page.locator('[data-unit-chip="f3"]').click()
    painted(page, plain, dropped)
    says(page, "drop", "f3")
    expect(page.locator("#panel-path-difference .tag")).to_have_text("caused")
    expect(page.locator('[data-pinned="b"]')).to_have_text(f"{MODEL}, {SAMPLE}, label 6, without f3")

    a, b = field(server, plain), field(server, dropped)
    assert a.shape == b.shape == (len(plain["steps"]), len(plain["units"]), len(plain["tokens"]))
    np.testing.assert_allclose(page.evaluate(CHANGE), (b - a).ravel(), atol=1e-6)
    check_sentence(page, plain, a, b)
    check_moves(page, plain, b - a)
    facts = page.evaluate("routescope.figures.figure('path-difference').facts")
    assert (facts["kind"], facts["a"]["drop"], facts["b"]["drop"]) == ("caused", [], ["f3"])
    check_looks(page, ".pin-bar", "#panel-path", "#panel-path-difference", "#panel-patches")
    page.get_by_role("button", name="Swap").click()
    painted(page, dropped, plain)
    says(page, "pin", f"{MODEL}:{SAMPLE}:drop:f3")
    says(page, "drop", None)
    says(page, "step", "2")
    expect(page.locator(".pin-bar")).to_be_focused()
    np.testing.assert_allclose(page.evaluate(CHANGE), (a - b).ravel(), atol=1e-6)
    page.go_back()
    painted(page, plain, dropped)
    says(page, "pin", f"{MODEL}:{SAMPLE}")
    for shown in PINNING:
        page.locator(f'#frame-navigation a[href^="{shown.path}?"]').click()
        page.wait_for_selector(f".page-{shown.key}")
        until(page, f"location.pathname === '{shown.path}'")
        if PinChoice in shown.asks:
            expect(page.locator(".pin-bar")).to_contain_text(f"{MODEL}, {SAMPLE}")
        says(page, "pin", f"{MODEL}:{SAMPLE}")
    page.locator('#frame-navigation a[href^="/paths?"]').click()
    painted(page, plain, dropped)
    depth = page.evaluate("history.state.depth")
    page.get_by_role("button", name="Unpin").click()
    says(page, "pin", None)
    until(page, "depth => history.state.depth > depth", depth)
    expect(page.locator("#panel-path-difference")).to_be_hidden()
    expect(pin).to_be_focused()
    page.go_back()
    painted(page, plain, dropped)
    page.evaluate("history.go(1 - history.state.depth)")
    painted(page, plain, plain)
    says(page, "pin", f"{MODEL}:{SAMPLE}")
    says(page, "drop", None)
    page.keyboard.press("Control+z")
    says(page, "pin", None)
    expect(page.locator("#path-picture-of-a")).to_be_hidden()


def test_two_samples_two_models_and_a_link_that_pins_nothing(
    page: Page, server: Server, circuit: str, guard: Guard
) -> None:
    address = server.address("/paths", model=MODEL, sample=OTHER, pin=f"{MODEL}:{SAMPLE}")
    page.goto(address)
    one, other = trace(server, SAMPLE), trace(server, OTHER)
    painted(page, one, other)
    expect(page.locator("#panel-path-difference .tag")).to_have_text("observed")
    expect(page.locator(".panel-difference .panel-body .hint")).to_contain_text("Two samples are compared by place")
    np.testing.assert_allclose(page.evaluate(CHANGE), (field(server, other) - field(server, one)).ravel(), atol=1e-6)

    # Another model has other units: both stand there, and no difference is drawn.
    page.locator("#model-select").click()
    page.get_by_role("option").filter(has=page.get_by_text(circuit, exact=True)).click()
    plain = trace(server, OTHER, circuit)
    expect(page.locator("#path-picture")).to_have_attribute("data-painted", plain["id"])
    expect(page.locator("#path-picture-of-a")).to_have_attribute("data-painted", one["id"])
    expect(page.locator(".difference-sentence")).to_contain_text("There is no difference to draw")
    expect(page.locator("#difference-picture")).to_be_hidden()
    says(page, "pin", f"{MODEL}:{SAMPLE}")

    # Two interventions on a circuit.
    page.get_by_role("button", name="Pin this view as A").click()
    says(page, "pin", f"{circuit}:{OTHER}")
    page.locator("#paths-mode").get_by_text("drop").click()
    page.locator('[data-unit-chip="m3"]').click()
    dropped = trace(server, OTHER, circuit, drop=["m3"])
    painted(page, plain, dropped)
    change = field(server, dropped, "messages") - field(server, plain, "messages")
    value = page.evaluate("routescope.compare.difference().columns.map(each => [...each.change])")
    np.testing.assert_allclose(np.concatenate(value[1 : len(plain["steps"])]), change.ravel(), atol=1e-6)
    expect(page.locator(".difference-sentence")).to_contain_text("of the attention in")
    check(page, "#panel-path-difference")

    # A that is not there says so in its place and leaves B alone; what is malformed is said and left out.
    guard.expect(r"404")
    page.goto(server.address("/paths", model=MODEL, sample=SAMPLE, pin=f"{MODEL}-gone:{SAMPLE}"))
    expect(page.locator("#path-picture")).to_have_attribute("data-painted", one["id"])
    expect(page.locator(".path-state-of-a [role=alert]")).to_contain_text("There is no such model")
    expect(page.locator(".difference-sentence")).to_have_text("Without A there is nothing to compare.")
    page.goto(server.address("/paths", model=MODEL, sample=SAMPLE, pin="<b>nothing</b>"))
    expect(page.locator("#path-picture")).to_have_attribute("data-painted", one["id"])
    expect(page.locator(".address-note")).to_contain_text('"pin" of the link is "<b>nothing</b>": it is ignored.')
    expect(page.locator("#panel-path-difference")).to_be_hidden()
    says(page, "pin", None)
