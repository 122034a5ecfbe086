"""Two views of Paths beside each other: what is pinned, what is shown, and what differs between them."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Page, expect

from routescope_app.dashboard import PAGES
from routescope_app.dashboard.validation import PinChoice
from tests.browser.conftest import MODEL, Guard, Server, until
from tests.browser.looks import begin, check, fits, looks

SAMPLE, OTHER = "mnist.validation.3", "mnist-m.validation.5"
#: The other pages that compare, or that one passes through.
PINNING = [
    shown for shown in PAGES if shown.key != "paths" and any(member["name"] == "pin" for member in shown.address)
]
SAYS = "([name, value]) => new URLSearchParams(location.search).get(name) === value"
#: What the page makes of the two traces, number by number.
CHANGE = "[...routescope.compare.difference().change]"


def says(page: Page, name: str, value: str | None) -> None:
    """Waits until the address says it."""
    until(page, SAYS, [name, value])


def trace(server: Server, sample: str, model: str = MODEL, **intervention: Any) -> dict[str, Any]:
    """A trace as the API has it."""
    fields = ["compatibility", "types"] if model == MODEL else ["messages", "read_in", "read_out", "confidence"]
    body = {"model": model, "sample": sample, "intervention": intervention, "fields": fields}
    answer: dict[str, Any] = server.ask("POST", "/traces", json=body).raise_for_status().json()
    return answer


def field(server: Server, info: dict[str, Any], name: str = "compatibility") -> np.ndarray:
    """A field of it without the axis of the one sample."""
    path = f"/traces/{info['id']}/fields/{name}"
    answer = server.ask("GET", path, params={"format": "json"}).raise_for_status().json()
    assert answer["dims"][0] == "sample" and answer["shape"][0] == 1
    return np.array(answer["values"], dtype=np.float32).reshape(answer["shape"][1:])


def dominant(values: np.ndarray) -> np.ndarray:
    """The function that takes each token most, or -1 (step, token), of compatibilities (step, unit, token)."""
    return np.where(values.max(1) > 1e-6, values.argmax(1), -1)


def painted(page: Page, a: dict[str, Any], b: dict[str, Any]) -> None:
    """Waits until both paths and their difference are painted."""
    expect(page.locator("#path-picture-of-a")).to_have_attribute("data-painted", a["id"])
    expect(page.locator("#path-picture")).to_have_attribute("data-painted", b["id"])
    if a["id"] != b["id"]:
        expect(page.locator("#difference-picture")).to_have_attribute("data-painted", f"{a['id']} {b['id']}")


def minus(text: str) -> str:
    """Numbers as the page writes them."""
    return text.replace("-", "\N{MINUS SIGN}")


def check_words(page: Page, plain: dict[str, Any], dropped: dict[str, Any], a: np.ndarray, b: np.ndarray) -> None:
    """The sentence, the answers and the table of step 2 say what follows from the API's two traces."""
    other = dominant(a) != dominant(b)
    kinds = np.array([token["kind"] for token in plain["tokens"]])
    patches, heads = ((kinds == kind).sum() for kind in ("patch", "cls"))
    words = page.locator(".difference-sentence")
    expect(words).to_contain_text(
        f"Caused by the intervention: {other[1][kinds == 'patch'].sum()} of {patches} patches and "
        f"{other[1][kinds == 'cls'].sum()} of {heads} CLS tokens go through another function in iteration 2; "
        f"{other.any(0).sum()} of {len(kinds)} tokens take another path over the {len(a)} steps."
    )
    stays = np.delete(b - a, plain["units"].index("f3"), 1)
    most = stays.ravel()[np.abs(stays).argmax()]
    expect(words).to_contain_text("Largest change of a function that stays: ")
    expect(words).to_contain_text(minus(f"({most:+.2f})."))
    answers = page.locator(".difference-answers tbody tr").all()
    for row, prediction, another in zip(answers, plain["predictions"], dropped["predictions"], strict=True):
        cells = row.locator("td").all_inner_texts()
        right = ["right" if head["label"] == 6 else "wrong" for head in (prediction, another)]
        assert [cells[0], cells[2]] == [f"{prediction['label']}, {right[0]}", f"{another['label']}, {right[1]}"]
        change = another["probabilities"][prediction["label"]] - prediction["probabilities"][prediction["label"]]
        assert minus(f"({100 * change:+.1f} points)") in cells[4]
    page.locator(".panel-difference summary", has_text="The same as a table").click()
    rows = page.locator(".panel-difference .as-table table").first.locator("tbody tr").all()
    assert [row.locator("td").first.inner_text() for row in rows] == [
        f"{member.sum()} of {len(kinds)}" for member in other
    ]


def check_moves(page: Page, plain: dict[str, Any], change: np.ndarray) -> None:
    """Both paths step together, and what is pointed at in one is pointed at in the other."""
    page.get_by_role("button", name="Next step").click()
    for picture in ("#path-picture", "#path-picture-of-a", "#patch-picture", "#patch-picture-of-a"):
        expect(page.locator(picture)).to_have_attribute("data-step", plain["steps"][2])
    expect(page.locator(".difference-sentence")).to_contain_text("in iteration 3;")
    page.locator("#difference-picture").focus()
    page.keyboard.press("ArrowDown")
    for picture in ("#path-picture", "#path-picture-of-a"):
        expect(page.locator(picture)).to_have_attribute("data-highlighted", plain["tokens"][0]["name"])
    expect(page.locator(".difference-pointed")).to_contain_text(minus(f"({change[2, 0, 0]:+.2f})"))
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowLeft")
    says(page, "step", "2")


def check_file(path: Path, change: np.ndarray) -> None:
    """The file has where A and B come from, and every number."""
    lines = path.read_text().splitlines()
    facts = [line for line in lines if line.startswith("#")]
    assert '# kind: "caused"' in facts
    assert any(line.startswith("# a: ") and '"drop":[]' in line for line in facts)
    assert any(line.startswith("# b: ") and '"drop":["f3"]' in line for line in facts)
    written = [float(row["change"]) for row in csv.DictReader(lines[len(facts) :])]
    np.testing.assert_allclose(written, change.transpose(0, 2, 1).ravel(), atol=1e-6)


def test_a_dropped_function_beside_what_was_pinned(
    open_paths: Callable[..., Page], server: Server, save: Callable[..., Path]
) -> None:
    page = open_paths(SAMPLE, step=2)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for part in ("#panel-path-difference", "#path-picture-of-a", ".pin-bar"):
        expect(page.locator(part)).to_be_hidden()
    page.wait_for_timeout(300)
    assert not [url for url in asked if "/traces" in url or "/samples/" in url], "asked for where nothing is pinned"

    plain, dropped = trace(server, SAMPLE), trace(server, SAMPLE, drop=["f3"])
    pin = page.get_by_role("button", name="Pin what is shown as A")
    pin.click()
    says(page, "pin", f"{MODEL}:{SAMPLE}")
    painted(page, plain, plain)
    expect(page.locator(".difference-sentence")).to_contain_text("A and B are the same path")
    expect(pin).to_be_disabled()
    page.locator("#paths-mode").get_by_text("drop").click()
    page.locator('[data-unit-chip="f3"]').click()
    painted(page, plain, dropped)
    says(page, "drop", "f3")
    expect(page.locator('[data-widget="difference-kind"]')).to_have_text("caused")
    expect(page.locator('[data-pinned="b"]')).to_have_text(f"{MODEL}, {SAMPLE}, label 6, without f3")

    a, b = field(server, plain), field(server, dropped)
    assert a.shape == b.shape == (len(plain["steps"]), len(plain["units"]), len(plain["tokens"]))
    np.testing.assert_allclose(page.evaluate(CHANGE), (b - a).ravel(), atol=1e-6)
    check_words(page, plain, dropped, a, b)
    check_moves(page, plain, b - a)
    check_file(save("path-difference", "csv"), b - a)
    for _ in looks(page):
        assert fits(page)
        check(page, ".pin-bar", "#panel-path", "#panel-path-difference", "#panel-patches")

    begin(page)
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
    expect(page.locator('[data-widget="difference-kind"]')).to_have_text("observed")
    expect(page.locator(".panel-difference .hint")).to_contain_text("Two samples are compared by place")
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
    page.get_by_role("button", name="Pin what is shown as A").click()
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
