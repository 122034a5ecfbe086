"""The panels beside the picture of the blocks: inputs, interventions, answers, accuracy, indicators, files, access."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.blocks.pages import (
    ALGO,
    CANVAS,
    CHANGED,
    GIVEN,
    IN_ADDRESS,
    OTHERS,
    PICTURES,
    PLAIN,
    STEPS,
    answers_of,
    changed,
    measure,
    run,
    state,
    wait_for_run,
)
from tests.browser.conftest import Guard, Server, colours_on, tab_to, until
from tests.browser.looks import PHONE, begin, check, fits, looks

Opened = Callable[..., Page]


def test_digits_a_program_and_a_model_are_chosen(open_blocks: Opened, server: Server) -> None:
    page = open_blocks()
    digits = page.locator(".blocks-digit")
    assert digits.evaluate_all("all => all.map(each => each.value)") == [str(digit) for digit in GIVEN["digits"]]
    digits.first.click()
    page.keyboard.type("97")  # the next field takes the second digit
    expect(digits.nth(0)).to_have_value("9")
    expect(digits.nth(1)).to_have_value("7")
    expect(digits.nth(2)).to_be_focused()
    for key in ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    until(page, "() => location.search.includes('digits=9,7,5,9,5')")
    assert digits.nth(3).get_attribute("aria-valuenow") == "9"
    digits.first.focus()
    page.evaluate(
        "() => { const data = new DataTransfer(); data.setData('text', '2 0 4x6 8 1');"
        " document.activeElement.dispatchEvent("
        "new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })); }"
    )
    until(page, "() => location.search.includes('digits=2,0,4,6,8')")
    page.get_by_role("button", name="A: one up").click()
    until(page, "() => location.search.includes('digits=3,0,4,6,8')")
    page.reload()
    wait_for_run(page)
    assert state(page, "digits") == [3, 0, 4, 6, 8]

    assert state(page, "program") == GIVEN["program"]
    page.select_option("#blocks-iteration-1", "4")
    page.click("#blocks-more")  # adds a subtask too
    page.select_option("#blocks-iteration-2", "3")
    assert state(page, "program") == [0, 4, 3]
    page.click("#blocks-fewer")
    expect(page.locator("#blocks-iteration-2")).to_have_count(0)
    changed(page, program=[0, 4], iterations=5)
    expect(page.locator("#blocks-iteration-4")).to_have_value("0")  # after the last the program begins again
    expect(page.locator("#blocks-program-said")).to_be_empty()
    answer = run(server, input={"digits": [3, 0, 4, 6, 8], "program": [0, 4]}, iterations=5)
    expect(page.locator("[data-iteration-row]")).to_have_count(5)
    assert answers_of(page, "rule") == [answer["true"] for answer in answer["answers"]]
    assert answers_of(page, "network") == [answer["digits"] for answer in answer["answers"]]

    picker = page.locator("#model-select")
    picker.fill("smfr conditional")
    expect(page.locator("#model-options [role=group]")).to_have_count(1)
    assert {ALGO, PLAIN} <= set(page.locator("#model-options .model-name").all_inner_texts())
    picker.fill(PLAIN)
    page.keyboard.press("Enter")
    until(page, "name => location.search.includes('model=' + name)", PLAIN)
    wait_for_run(page)
    expect(page.locator("#panel-blocks-indicators")).to_contain_text("has no training history")
    assert not page.locator("#plot-blocks-indicators").is_visible()
    picker.fill(PICTURES)
    page.keyboard.press("Enter")
    until(page, "() => document.querySelector('.blocks-image')?.checkVisibility()")
    assert not page.locator(".blocks-digit").first.is_visible()
    assert not page.locator(".blocks-program").is_visible()
    expect(page.locator("h1")).to_have_text("Blocks")


def test_interventions_are_listed_undone_and_answered_beside_other_networks(
    open_blocks: Opened, server: Server
) -> None:
    page = open_blocks(iterations=3)
    answer = run(server, input=GIVEN, iterations=3)
    assert {other["model"] for other in answer["others"]} >= set(OTHERS)
    systems = {"network": answer["answers"]} | {other["model"]: other["answers"] for other in answer["others"]}
    for system, answers in systems.items():
        assert answers_of(page, system) == [answer["digits"] for answer in answers]
        crosses = answers_of(page, system, "!each.querySelector('.blocks-cross')")
        assert crosses == [answer["right"] for answer in answers]
    first = answer["first_wrong"]
    verdict = page.inner_text(".blocks-verdict")
    assert first and f"First wrong after iteration {first['iteration']}: {first['output']} is" in verdict
    assert page.locator(".blocks-answers .tag").all_inner_texts() == ["beyond training"]
    page.click('[data-look="1"]')
    expect(page.locator('[data-iteration-row="1"]')).to_have_attribute("aria-current", "step")
    assert state(page, "step") == 2  # two MFNNRs an iteration

    page.select_option("#blocks-block", "1.2")
    page.select_option("#blocks-source", "A")
    page.click("#blocks-mute")
    page.select_option("#blocks-block", "1.1")
    page.select_option("#blocks-source", "B")
    page.click("#blocks-copy")
    page.select_option("#blocks-block", "E")
    expect(page.locator("#blocks-source option")).to_have_text(["1.1", "1.2", "1.3", "1.4"])
    page.select_option("#blocks-gate", "0.5")
    items = page.locator("[data-intervention]")
    expect(items).to_have_count(3)
    assert [text.split("\n")[0] for text in items.all_inner_texts()] == ["muted", "forced copy", "gate fixed"]
    until(page, "() => new URLSearchParams(location.search).get('mute_routes') === 'A>1.2'")
    until(page, "() => routescope.blocks.run.get().run.intervention.gates.E === 0.5")
    wait_for_run(page)
    steered = run(server, input=GIVEN, iterations=3, intervention=CHANGED)
    assert answers_of(page, "network") == [answer["digits"] for answer in steered["answers"]]
    assert answers_of(page, "baseline") == [answer["digits"] for answer in answer["answers"]]

    page.click("#blocks-undo")
    expect(items).to_have_count(2)
    page.click("#blocks-undo")
    expect(items).to_have_count(1)
    assert state(page, "copy_routes") == [] and state(page, "mute_routes") == ["A>1.2"]
    page.get_by_role("button", name="Take back: muted").click()
    expect(items).to_have_count(0)
    page.click("#blocks-undo")
    expect(items).to_have_count(1)
    page.click("#blocks-clear")
    expect(items).to_have_count(0)
    until(page, "() => !location.search.includes('mute_routes')")
    expect(page.locator('[data-system="baseline"]')).to_have_count(0)


def number(page: Page, name: str, part: str = "value") -> str:
    return page.inner_text(f"#blocks-number-{name} .number-{part}")


def wait_for_status(page: Page, words: str) -> None:
    expect(page.locator("#blocks-status")).to_contain_text(words)


def check_indicators(page: Page, server: Server) -> None:
    """The plot draws every series that was recorded, and the table has a row a measurement."""
    answer = server.ask("GET", f"/models/{ALGO}/indicators").json()
    assert answer["steps"] == [100 * at for at in range(STEPS)]
    page.wait_for_selector(f"#plot-blocks-indicators canvas[data-painted={ALGO}]")
    words = page.get_attribute("#plot-blocks-indicators canvas", "aria-label") or ""
    assert "Sharpness: MFNNR 1, MFNNR 2" in words and "Accuracy, %: validation, test" in words
    assert "permutations: fairness;" in words  # the difference was never measured: not drawn
    names, *rows = page.evaluate("routescope.figures.figure('blocks-indicators').panel.rows()")
    by_name = {entry["name"]: entry["values"] for entry in answer["series"]}
    assert [row[names.index("sharpness.l1")] for row in rows] == by_name["sharpness.l1"]
    assert colours_on(page, "#plot-blocks-indicators canvas") > 10
    page.locator('[data-blocks-table="indicators"]').locator("xpath=..").locator("summary").click()
    expect(page.locator('[data-blocks-table="indicators"] tbody tr')).to_have_count(STEPS)


def test_a_link_restores_interventions_and_accuracy_is_measured_in_view(
    page: Page, open_blocks: Opened, server: Server, guard: Guard
) -> None:
    def evaluate(**intervention: Any) -> Any:
        body = {"model": ALGO, "data": ["algo"], "samples": 100, "intervention": intervention, "controls": 0}
        return server.ask("POST", "/evaluations", json=body).json()

    guard.expect("status of 500")
    stream = "**/evaluations/stream**"
    page.route(stream, lambda route: route.fulfill(status=500, body='{"title": "Out of order", "detail": "Later."}'))
    open_blocks(measured=100, **IN_ADDRESS)
    for name, value in CHANGED.items():
        assert state(page, name) == value
    expect(page.locator("[data-intervention]")).to_have_count(3)
    expect(page.locator("#blocks-undo")).to_be_disabled()
    check_indicators(page, server)
    progress = page.locator("#panel-blocks-accuracy .drop-progress")
    page.locator("#panel-blocks-accuracy").scroll_into_view_if_needed()
    expect(progress).to_have_attribute("data-state", "failed")
    assert page.inner_text("#blocks-status") == "Out of order. Later."
    page.unroute(stream)
    page.click("#blocks-again")
    measure(page)
    wait_for_status(page, "A → 1.2 muted")
    assert number(page, "baseline") == f"{100 * evaluate()['accuracy']['value']:.1f}"
    evaluation = evaluate(**CHANGED)
    assert number(page, "accuracy") == f"{100 * evaluation['accuracy']['value']:.1f}"
    low, high = (f"{100 * evaluation['accuracy'][end]:.1f}" for end in ("low", "high"))
    assert number(page, "accuracy", "range") == f"95 %: {low} to {high} %"
    words = page.locator(".blocks-effect canvas").nth(1).get_attribute("aria-label") or ""
    assert len(evaluation["by_kind"]) == 5
    for row in evaluation["by_kind"]:
        assert f"{row['name']} {100 * row['accuracy']:.1f} %" in words
    assert colours_on(page, ".blocks-effect canvas >> nth=0") > 10

    page.evaluate("routescope.blocks.state.set({ iterations: 3 })")
    wait_for_status(page, "Scored after 2 iterations")  # effects of routes and of iterations are not mixed
    page.evaluate("scrollTo(0, 0)")
    page.dispatch_event("#blocks-clear", "click")  # wherever it is: a click by mouse would scroll to it
    expect(progress).to_have_attribute("data-state", "waiting")
    measure(page)
    wait_for_status(page, "3 iterations: 100")
    assert number(page, "accuracy") == f"{100 * evaluate(iterations=3)['accuracy']['value']:.1f}"
    page.evaluate("routescope.blocks.state.set({ iterations: 2 })")
    measure(page)
    expect(page.locator("#blocks-number-change")).to_contain_text("nothing is changed")

    page.route(stream, lambda _: None)  # never ends by itself
    live = "() => routescope.stream.live('blocks')"
    page.select_option("#blocks-measured", "2000")
    until(page, live)
    page.click("#blocks-cancel")
    expect(progress).to_have_attribute("data-state", "cancelled")
    assert page.evaluate(live) is False
    assert "Cancelled" in page.inner_text("#blocks-status")
    page.click("#blocks-again")
    until(page, live)
    page.click(".brand")
    page.wait_for_selector(".page-home")
    until(page, "() => routescope.stream.live('blocks') === false")


@pytest.mark.parametrize("model", [ALGO, PICTURES])
def test_keys_reach_the_controls_and_axe_finds_nothing(page: Page, open_blocks: Opened, model: str) -> None:
    begin(page)
    open_blocks(model=model, measured=100, iterations=5 if model == ALGO else 1, gates="1.2:0.25")
    if model == ALGO:
        tab_to(page, "#blocks-digit-0")
        page.keyboard.type("8")
        until(page, "() => routescope.blocks.state.state.digits[0] === 8")
        tab_to(page, "#blocks-iteration-0")
        page.keyboard.press("ArrowDown")
        until(page, "() => routescope.blocks.state.state.program[0] === 1")
        tab_to(page, "#blocks-mute")
        page.keyboard.press("Enter")
        expect(page.locator("[data-intervention]")).to_have_count(2)
        page.keyboard.press("Enter")
        expect(page.locator("[data-intervention]")).to_have_count(1)
        page.locator("#panel-blocks").get_by_text("The same as a table").click()
    else:
        page.get_by_text("Draw a digit, or bring a picture").click()
        page.wait_for_selector('[data-permutation="7"] canvas[data-painted]')
    measure(page)
    for look in looks(page):
        assert fits(page)
        assert colours_on(page, CANVAS) > 40
        if look != PHONE:
            check(page)
        wide = page.evaluate(
            "['inputs', 'steer', 'answers', 'accuracy', 'indicators'].flatMap(name => "
            "[...document.querySelectorAll('#panel-blocks-' + name + ' *')]).filter("
            "each => each.getBoundingClientRect().right > innerWidth + 1"
            " && !each.closest('.table-scroll, .hidden-visually'))"
            ".map(each => each.outerHTML.slice(0, 120))"
        )
        assert not wide, "\n".join(wide[:5])
    if model == ALGO:
        begin(page)
        page.focus(CANVAS)
        for key in ("ArrowRight", "ArrowRight", "Enter"):
            page.keyboard.press(key)
        expect(page.get_by_role("dialog", name="Block")).to_be_visible()
        check(page, "#panel-blocks")
