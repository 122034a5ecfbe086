"""The panels beside the picture of the blocks: inputs, interventions, answers, files, access."""

import csv
import functools
import io
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.blocks.pages import (
    ALGO,
    CHANGED,
    IN_ADDRESS,
    OTHERS,
    PICTURES,
    PLAIN,
    STEPS,
    block_models,
    changed,
    measure,
    opened,
    run,
    said,
    state,
    wait_for_run,
    wrong,
)
from tests.browser.conftest import Server, until
from tests.browser.drop_pages import SVG
from tests.browser.looks import begin, check, fits, looks

__all__ = ["block_models"]  # a fixture

Opened = Callable[..., Page]
GIVEN = {"digits": [3, 1, 4, 1, 5], "program": [0, 1]}


@pytest.fixture
def open_blocks(page: Page, server: Server, block_models: str) -> Opened:
    return functools.partial(opened, page, server)


# -- what is given ---------------------------------------------------------------------------------------------------


def test_digits_are_typed_and_stepped(open_blocks: Opened) -> None:
    page = open_blocks()
    digits = page.locator(".blocks-digit")
    assert digits.count() == 5
    assert digits.evaluate_all("all => all.map(each => each.value)") == [str(digit) for digit in GIVEN["digits"]]
    digits.first.click()
    page.keyboard.type("97")  # the next field takes the second digit
    expect(digits.nth(0)).to_have_value("9")
    expect(digits.nth(1)).to_have_value("7")
    expect(digits.nth(2)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
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
    assert state(page, "digits") == [3, 0, 4, 6, 8]
    until(page, "() => location.search.includes('digits=3,0,4,6,8')")
    page.reload()
    wait_for_run(page)
    assert state(page, "digits") == [3, 0, 4, 6, 8]


def test_the_program(open_blocks: Opened, server: Server) -> None:
    page = open_blocks()
    assert state(page, "program") == GIVEN["program"]
    page.select_option("#blocks-iteration-1", "4")
    assert state(page, "program") == [0, 4]
    page.click("#blocks-more")  # the one counter: a subtask for each iteration that runs
    page.select_option("#blocks-iteration-2", "3")
    assert state(page, "program") == [0, 4, 3]
    page.click("#blocks-fewer")
    expect(page.locator("#blocks-iteration-2")).to_have_count(0)
    page.evaluate("routescope.blocks.state.set({ program: [0, 4] })")
    changed(page, lambda: page.evaluate("routescope.blocks.state.set({ iterations: 5 })"))
    expect(page.locator("#blocks-iteration-4")).to_have_value("0")  # after the last the program begins again
    expect(page.locator("#blocks-program-said")).to_be_empty()
    answer = run(server, input={**GIVEN, "program": [0, 4]}, iterations=5)
    expect(page.locator("[data-iteration-row]")).to_have_count(5)
    assert said(page, "rule") == [answer["true"] for answer in answer["answers"]]
    assert said(page, "network") == [answer["digits"] for answer in answer["answers"]]


def test_a_run_that_arrives_after_another_choice_is_not_taken_for_its_own(open_blocks: Opened) -> None:
    page = open_blocks()
    page.evaluate(
        """() => {
            const { blocks } = routescope;
            const ask = window.fetch;
            window.seen = [];
            blocks.run.subscribe(({ run, fresh }) =>
                run && window.seen.push([run.answers.length, blocks.state.iterations(), fresh]));
            window.fetch = async (path, options) => {
                const answer = await ask(path, options);
                if (options?.method === "POST" && path.endsWith("/block-runs")) {
                    window.fetch = ask;
                    const read = answer.text.bind(answer);
                    answer.text = async () => {
                        const run = await read();
                        blocks.state.set({ iterations: 3 });
                        return run;
                    };
                }
                return answer;
            };
            blocks.state.set({ iterations: 4 });
        }"""
    )
    until(page, "() => routescope.blocks.run.get().fresh && routescope.blocks.run.get().run.answers.length === 3")
    seen = page.evaluate("window.seen")
    assert [4, 3, False] in seen
    assert all(run == chosen for run, chosen, fresh in seen if fresh), seen


def test_tasks_and_networks_are_chosen_in_the_frame(open_blocks: Opened) -> None:
    page = open_blocks()
    picker = page.locator("#model-select")
    groups = page.locator("#model-options [role=group]")
    picker.fill("smfr conditional")
    expect(groups).to_have_count(1)
    assert {ALGO, PLAIN} <= set(page.locator("#model-options .model-name").all_inner_texts())
    picker.fill(PLAIN)
    page.keyboard.press("Enter")
    until(page, "name => location.search.includes('model=' + name)", PLAIN)
    wait_for_run(page)
    picker.fill(PICTURES)
    page.keyboard.press("Enter")
    until(page, "() => document.querySelector('[data-widget=blocks-image]').checkVisibility()")
    assert not page.locator(".blocks-digit").first.is_visible()
    assert not page.locator('[data-widget="blocks-program"]').is_visible()
    expect(page.locator("h1")).to_have_text("Blocks")


def test_a_picture_and_the_order_of_its_strips(open_blocks: Opened, server: Server) -> None:
    page = open_blocks(model=PICTURES)
    page.wait_for_selector('[data-permutation="7"] canvas[data-painted]')
    assert page.locator("[data-permutation]").count() == 8
    page.locator('#blocks-inputs [data-pick-sample="mnist.validation.3"]').click()
    until(page, "() => routescope.blocks.run.get().run?.input.sample === 'mnist.validation.3'")
    page.click('[data-permutation="5"]')
    until(page, "() => routescope.blocks.run.get().run?.input.permutation === 5 && routescope.blocks.run.get().fresh")
    until(page, "() => location.search.includes('permutation=6') && location.search.includes('sample=mnist')")
    answer = run(server, PICTURES, input={"sample": "mnist.validation.3", "permutation": 5})
    assert said(page, "rule") == [[answer["label"]]]
    assert said(page, "network") == [answer["answers"][0]["digits"]]
    # The chosen order is shown as the network got it.
    shown = page.locator('[data-permutation="5"] canvas').evaluate(
        "canvas => [...canvas.getContext('2d').getImageData(0, 0, 28, 28).data].filter((_, at) => at % 4 === 0)"
    )
    got = page.evaluate("[...routescope.blocks.run.unpack(routescope.blocks.run.get().run.picture)]")
    assert max(abs(a - 255 * b) for a, b in zip(shown, got, strict=True)) < 1
    expect(page.locator('[data-permutation="5"]')).to_have_attribute("aria-pressed", "true")


def test_a_drawing_is_given_to_the_network(open_blocks: Opened) -> None:
    page = open_blocks(model=PICTURES)
    page.get_by_text("Draw a digit, or bring a picture").click()
    pad = page.locator("#blocks-pad")
    pad.focus()
    for key in ("Space", *["ArrowDown"] * 6, *["ArrowRight"] * 4, "Space", "Enter"):
        page.keyboard.press(key)
    until(page, "() => /^[0-9a-f]{32}$/.test(routescope.blocks.run.get().run?.input.sample || '')")
    wait_for_run(page)
    expect(page.locator('[data-widget="blocks-verdict"]')).to_contain_text("not known")
    expect(page.locator('[data-system="rule"]')).to_have_text("–")


# -- interventions ---------------------------------------------------------------------------------------------------


def test_interventions_by_selects(open_blocks: Opened, server: Server) -> None:
    page = open_blocks()
    page.select_option("#blocks-block", "1.2")
    page.select_option("#blocks-source", "A")
    page.click("#blocks-mute")
    page.select_option("#blocks-block", "1.1")
    page.select_option("#blocks-source", "B")
    page.click("#blocks-copy")
    page.select_option("#blocks-block", "E")
    assert page.locator("#blocks-source option").all_inner_texts() == ["1.1", "1.2", "1.3", "1.4"]
    page.select_option("#blocks-gate", "0.5")
    items = page.locator("[data-intervention]")
    expect(items).to_have_count(3)
    assert [text.split("\n")[0] for text in items.all_inner_texts()] == ["muted", "forced copy", "gate fixed"]
    until(page, "() => new URLSearchParams(location.search).get('mute_routes') === 'A>1.2'")
    until(
        page, "() => routescope.blocks.run.get().fresh && routescope.blocks.run.get().run.intervention.gates.E === 0.5"
    )
    answer = run(server, input=GIVEN, iterations=2, intervention=CHANGED)
    wait_for_run(page)
    assert said(page, "network") == [answer["digits"] for answer in answer["answers"]]
    assert said(page, "baseline") == [member["digits"] for member in answer["baseline"]]
    bare = run(server, input=GIVEN, iterations=2)
    assert said(page, "baseline") == [answer["digits"] for answer in bare["answers"]]

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


def test_a_link_restores_interventions(open_blocks: Opened) -> None:
    page = open_blocks(**IN_ADDRESS)
    for name, value in CHANGED.items():
        assert state(page, name) == value
    expect(page.locator("[data-intervention]")).to_have_count(3)
    expect(page.locator("#blocks-undo")).to_be_disabled()


# -- answers ---------------------------------------------------------------------------------------------------------


def test_answers_beside_the_rule_and_other_networks(open_blocks: Opened, server: Server) -> None:
    page = open_blocks(iterations=3)
    answer = run(server, input=GIVEN, iterations=3)
    assert {other["model"] for other in answer["others"]} >= set(OTHERS)
    systems = {"network": answer["answers"]} | {other["model"]: other["answers"] for other in answer["others"]}
    for system, answers in systems.items():
        assert said(page, system) == [answer["digits"] for answer in answers]
        assert wrong(page, system) == [[not one for one in answer["right"]] for answer in answers]
    verdict = page.inner_text('[data-widget="blocks-verdict"]')
    first = answer["first_wrong"]
    assert first and f"First wrong after iteration {first['iteration']}: {first['output']} is" in verdict
    tags = page.locator('[data-widget="blocks-answers"] .tag').all_inner_texts()
    assert tags == ["beyond training"]
    page.click('[data-look="1"]')
    expect(page.locator('[data-iteration-row="1"]')).to_have_attribute("aria-current", "step")
    assert state(page, "step") == 2  # two MFNNRs an iteration


# -- files, access ---------------------------------------------------------------------------------------------------


def test_pictures_and_numbers_can_be_taken_away(open_blocks: Opened, server: Server, save: Callable[..., Path]) -> None:
    page = open_blocks(measured=100, **IN_ADDRESS)
    page.wait_for_selector("#plot-blocks-indicators[data-painted]")
    measure(page)
    save = functools.partial(save, model=ALGO)

    systems = 2 + len(run(server, input=GIVEN)["others"])
    counts = {"blocks-answers": 2 * 5 * systems, "blocks-accuracy": 2 + 5, "blocks-indicators": STEPS}
    for panel, count in counts.items():
        root = ET.fromstring(save(panel, "svg").read_text(encoding="utf-8"))
        facts = json.loads(root.findtext(f"{SVG}metadata") or "")
        assert facts["model"] == ALGO and facts["revision"] and "mute_routes=" in facts["link"]
        if panel != "blocks-indicators":
            assert {name: facts[name] for name in CHANGED} == CHANGED
        assert root.findtext(f"{SVG}title") and len(list(root.iter(f"{SVG}text"))) > 10
        with Image.open(save(panel, "png")) as picture:
            assert json.loads(picture.text["Description"])["model"] == ALGO
        assert json.loads(save(panel, "json").read_text())["model"] == ALGO
        text = save(panel, "csv").read_text()
        rows = list(csv.DictReader(io.StringIO("\n".join(line for line in text.splitlines() if line[0] != "#"))))
        assert len(rows) == count, panel


def test_keys_alone(page: Page, open_blocks: Opened) -> None:
    open_blocks()

    def tab_to(selector: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                assert outline != "none", f"{selector} has no visible focus"
                return
        raise AssertionError(f"no way to {selector} with the tab key")

    tab_to("#blocks-digit-0")
    page.keyboard.type("8")
    until(page, "() => routescope.blocks.state.get().digits[0] === 8")
    tab_to("#blocks-iteration-0")
    page.keyboard.press("ArrowDown")
    until(page, "() => routescope.blocks.state.get().program[0] === 1")
    tab_to("#blocks-mute")
    page.keyboard.press("Enter")
    expect(page.locator("[data-intervention]")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("[data-intervention]")).to_have_count(0)


@pytest.mark.parametrize("model", [ALGO, PICTURES])
def test_axe_finds_nothing(page: Page, open_blocks: Opened, model: str) -> None:
    begin(page)
    open_blocks(model=model, measured=100, iterations=3 if model == ALGO else 1, gates="1.2:0.25")
    measure(page)
    if model == PICTURES:
        page.get_by_text("Draw a digit, or bring a picture").click()
        page.wait_for_selector('[data-permutation="7"] canvas[data-painted]')
    for _ in looks(page):
        check(page)
        wide = page.evaluate(
            "['inputs', 'steer', 'answers', 'accuracy', 'indicators'].flatMap(name => "
            "[...document.querySelectorAll('#blocks-' + name + ' *')]).filter("
            "each => each.getBoundingClientRect().right > innerWidth + 1"
            " && !each.closest('.table-scroll, .hidden-visually'))"
            ".map(each => each.outerHTML.slice(0, 120))"
        )
        assert not wide, "\n".join(wide[:5])
        assert fits(page)
