"""The Blocks page: the picture, its player, its keys, its files, and the changes that a click makes."""

import base64
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.blocks.pages import (
    ALGO,
    CANVAS,
    GIVEN,
    OTHERS,
    PICTURES,
    answers_of,
    changed,
    drawn,
    opened,
    run,
    state,
    wait_for_run,
)
from tests.browser.conftest import MODEL, Guard, Server, colours_on, until

Opened = Callable[..., Page]
DRAWN = 0.02  # weights that count as ribbons in the picture's description of itself


def array(packed: dict[str, Any]) -> np.ndarray:
    return np.frombuffer(base64.b64decode(packed["data"]), "<f4").reshape(packed["shape"])


def wait_for_picture(page: Page, name: str, value: str) -> None:
    expect(page.locator(CANVAS)).to_have_attribute(f"data-{name}", value)


def numbers(given: Any) -> list[str]:
    """The digits of every iteration of a run."""
    return ["".join(map(str, answer["digits"])) for answer in given["answers"]]


def test_the_picture_is_the_run_of_the_api_plays_and_folds_iterations(open_blocks: Opened, server: Server) -> None:
    given = run(server, input=GIVEN)
    page = open_blocks()
    assert drawn(page, "iterations") == "1..2"
    strong = sum(int((array(step["weights"]) >= DRAWN).sum()) for step in given["steps"])
    assert int(drawn(page, "ribbons")) == strong > 0
    assert drawn(page, "digits").split() == numbers(given)
    wrong = given["first_wrong"]
    assert wrong, "a network at initialisation was right"
    assert drawn(page, "wrong") == f"{wrong['iteration']}/{wrong['output']}"
    expect(page.locator(".blocks-sentence")).to_contain_text(f"Iteration {wrong['iteration']}: Wrong here")
    assert colours_on(page, CANVAS) > 40
    expect(page.locator(".blocks-legend .legend-entry")).to_have_count(7)
    page.focus(CANVAS)
    page.keyboard.press(" ")
    wait_for_picture(page, "playing", "true")
    wait_for_picture(page, "step", "i2.l1")
    wait_for_picture(page, "playing", "false")
    assert drawn(page, "step") == ""

    # Iterations beyond those of training are run, folded and stepped through.
    for _ in range(5):
        page.click("#blocks-more")
    until(page, "() => location.search.includes('iterations=7')")
    wait_for_run(page)
    given = run(server, input=GIVEN, iterations=7)
    wait_for_picture(page, "digits", " ".join(numbers(given)))
    expect(page.locator(".blocks-runs")).to_contain_text("beyond training")
    first, last = map(int, drawn(page, "iterations").split(".."))
    assert last - first < 6, "nothing is folded"
    page.locator(".blocks-player .scrub").focus()
    page.keyboard.press("End")
    wait_for_picture(page, "step", "i7.l2")
    assert drawn(page, "iterations").endswith("..7")
    expect(page.locator(".blocks-player output")).to_have_text("iteration 7, MFNNR 2 of 2")
    until(page, "() => location.search.includes('step=14')")
    page.reload()
    wait_for_picture(page, "step", "i7.l2")
    page.click("#blocks-fewer")
    wait_for_picture(page, "step", "i6.l2")


def exported(page: Page, part: str) -> Any:
    """The numbers that the picture exports: "rows" of its CSV file, or its "json" file."""
    return page.evaluate(f"routescope.figures.figure('blocks').panel.{part}()")


def test_exported_numbers_and_the_table_hold_every_route(open_blocks: Opened, server: Server) -> None:
    page = open_blocks(mute_routes="A>1.2", gates="1.3:0.25")
    given = run(server, input=GIVEN, intervention={"mute_routes": ["A>1.2"], "gates": {"1.3": 0.25}})
    names, *lines = exported(page, "rows")
    table = [dict(zip(names, line, strict=True)) for line in lines]
    weights = {(row["step"], row["block"], row["source"]): row["weight"] for row in table}
    assert weights == {
        (step["name"], block, source): pytest.approx(float(array(step["weights"])[at, to]), abs=1e-6)
        for step in given["steps"]
        for at, source in enumerate(step["sources"])
        for to, block in enumerate(step["blocks"])
    }
    assert weights["i1.l1", "1.2", "A"] == 0
    assert {row["gate"] for row in table if row["block"] == "1.3"} == {0.25}
    shares: dict[tuple[str, str], float] = {}
    for row in table:
        block = row["step"], row["block"]
        shares[block] = shares.get(block, row["gate"]) + row["share_of_block"]
    assert [*shares.values()] == pytest.approx([1] * len(shares), abs=1e-5)

    # A file takes a width; the picture on the page keeps its own.
    width = page.locator(CANVAS).evaluate("canvas => canvas.clientWidth")
    scene = "width => (made => [made.width, made.items.length])(routescope.blocks.picture.scene(width))"
    before = page.evaluate(scene)
    assert page.evaluate(scene, 2 * width)[0] == 2 * width
    assert page.evaluate(scene) == before and before[0] == width

    # The table says in words which blocks are copies.
    changed(page, mute_routes=[], copy_routes=["B>1.1", "1.1>A"], gates={})
    page.locator("#panel-blocks").get_by_text("The same as a table").click()
    shown = page.locator('[data-blocks-table="blocks"] tbody tr')
    expect(shown).to_have_count(2 * (4 + 5))
    cells = {tuple(row[:3]): row for row in (row.locator("th, td").all_inner_texts() for row in shown.all())}
    assert cells["1", "1", "1.1"][3:5] == ["copied from B 100 %", "0.000"]
    assert cells["1", "2", "A"][3] == "copied from 1.1 100 %"
    assert cells["1", "2", "A"][5] == "copied from B 100 %"
    assert cells["1", "2", "A"][6].startswith(str(GIVEN["digits"][1]))

    # With all gates closed, every number is a weighted mean of the inputs.
    names = [f"1.{n}" for n in range(1, 5)] + list("ABCDE")
    changed(page, copy_routes=[], gates=dict.fromkeys(names, 0), iterations=1)
    document = exported(page, "json")
    digits = dict(zip("ABCDE", GIVEN["digits"], strict=True)) | {"task": GIVEN["program"][0]}
    assert {block["block"] for block in document["blocks"]} == set(names)
    for block in document["blocks"]:
        expected = np.zeros(10)
        for name, share in block["of_inputs"].items():
            expected[digits[name]] += share
        assert block["of_computed"] == 0
        assert np.allclose(block["numbers"], expected, atol=1e-5)


def point_of(page: Page, route: str) -> Any:
    """A place on a ribbon into a block of the first level."""
    script = """route => {
        const { layout, ribbons, view } = routescope.blocks.picture.parts;
        for (const ribbon of ribbons) {
            const name = view.step(ribbon.t, ribbon.level).sources[ribbon.source] + ">" + view.name(ribbon);
            if (ribbon.t || name !== route) continue;
            const x = ribbon.x0 + 0.92 * (ribbon.x1 - ribbon.x0);
            return { x, y: routescope.blocks.layout.heightAt(ribbon, x) };
        }
    }"""
    return page.evaluate(script, route)


def test_gates_are_fixed_with_keys_and_routes_changed_with_clicks(open_blocks: Opened, server: Server) -> None:
    step = run(server, input=GIVEN)["steps"][0]
    page = open_blocks()
    page.focus(CANVAS)
    page.keyboard.press("ArrowRight")
    wait_for_picture(page, "hovered", "1.1")
    page.keyboard.press("ArrowDown")
    wait_for_picture(page, "hovered", "1.2")
    expect(page.locator(".blocks-detail")).to_contain_text(f"gate {array(step['gates'])[1]:.3f}")
    page.keyboard.press("Enter")
    menu = page.get_by_role("dialog", name="Block 1.2")
    expect(menu).to_be_visible()
    expect(menu.get_by_role("radio", name="free")).to_be_focused()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    until(page, "() => location.search.includes('gates=1.2:1')")
    wait_for_run(page)
    expect(menu).to_contain_text("gate 1.00")
    expect(page.locator("#panel-blocks > .panel-head .tag")).to_have_text("under intervention")
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(page.locator(CANVAS)).to_be_focused()
    page.keyboard.press("ArrowRight")  # from the block that had the ring
    wait_for_picture(page, "hovered", "B")
    page.keyboard.press("Escape")
    wait_for_picture(page, "hovered", "")

    # A click on a ribbon mutes it, and the others share its weight.
    changed(page, gates={})
    route = f"{[*'ABCDE', 'task'][int(array(step['weights'])[:, 0].argmax())]}>1.1"
    point = point_of(page, route)
    page.locator(CANVAS).hover(position=point)
    wait_for_picture(page, "hovered", route)
    page.locator(CANVAS).click(position=point)
    row = page.locator(f'[data-route="{route}"]')
    expect(row).to_have_attribute("data-clicked", "true")
    row.get_by_role("button", name=f"Mute {route}").click()
    wait_for_run(page)
    expect(row).to_contain_text("0.00")
    assert state(page, "mute_routes") == [route]
    left = run(server, input=GIVEN, intervention={"mute_routes": [route]})
    assert array(left["steps"][0]["weights"])[:, 0].sum() == pytest.approx(1, abs=1e-5)
    assert drawn(page, "digits").split() == numbers(left)
    row.get_by_role("button", name="copy of").click()  # replaces the mute
    wait_for_run(page)
    assert (state(page, "mute_routes"), state(page, "copy_routes")) == ([], [route])
    expect(row).to_contain_text("1.00")
    row.get_by_role("button", name="copy of").click()
    wait_for_run(page)
    assert state(page, "copy_routes") == []

    # One route of a block stays.
    changed(page, mute_routes=[f"{name}>1.1" for name in "ABCDE"])
    page.evaluate("() => routescope.blocks.state.toggleMute('task', '1.1')")
    expect(page.get_by_text("One route stays")).to_be_visible()
    assert len(state(page, "mute_routes")) == 5


def test_refusals_name_the_reason_and_the_way_on(page: Page, server: Server, block_models: str, guard: Guard) -> None:
    for model, words in ((MODEL, "takes no blocks"), (OTHERS[0], "routes none of them")):
        page.goto(server.address("/blocks", model=model))
        problem = page.locator(".blocks-problem")
        expect(problem).to_contain_text(words)
        expect(page.locator("#panel-blocks")).to_be_hidden()
        problem.get_by_role("button", name=ALGO).click()
        page.wait_for_selector(f"{CANVAS}[data-painted={ALGO}]")
        expect(problem).to_be_hidden()

    guard.expect("status of 503")
    wait_for_run(page)
    page.route("**/block-runs", lambda route: route.fulfill(status=503, json={"title": "Too busy", "detail": "Later."}))
    page.click("#blocks-more")
    failed = page.locator("#panel-blocks .block-canvas .message")
    expect(failed).to_contain_text("Too busy")
    expect(page.locator(CANVAS)).to_be_hidden()
    page.unroute("**/block-runs")
    failed.get_by_role("button", name="Try again").click()
    wait_for_run(page)
    expect(page.locator(CANVAS)).to_be_visible()
    assert len(drawn(page, "digits").split()) == 3

    opened(page, server, mute_routes="A>1.9,B>1.1,1.1>2.1", copy_routes="E>A", gates="7.7:1,1.2:0.5", iterations="64")
    assert (state(page, "mute_routes"), state(page, "copy_routes")) == (["B>1.1"], [])
    assert state(page, "gates") == {"1.2": 0.5}
    assert state(page, "iterations") == state(page, "task")["most_iterations"]
    note = page.locator(".address-note")
    for words in ('"mute_routes" names A>1.9, 1.1>2.1', '"copy_routes" names E>A', '"gates" names 7.7'):
        expect(note).to_contain_text(words)


def test_a_picture_is_cut_into_strips_and_drawn(open_blocks: Opened, server: Server) -> None:
    page = open_blocks(PICTURES, sample="mnist.validation.3", permutation=2)
    assert colours_on(page, CANVAS) > 100
    svg = page.evaluate("routescope.figures.svgOf(routescope.figures.figure('blocks'))")
    assert svg.count("data:image/png") >= 4 + 4
    assert page.evaluate("routescope.figures.figure('blocks').facts.input") == {
        "sample": "mnist.validation.3",
        "permutation": 1,
    }

    page.wait_for_selector('[data-permutation="7"] canvas[data-painted]')
    assert page.locator("[data-permutation]").count() == 8
    page.locator('#panel-blocks-inputs [data-pick-sample="mnist.validation.4"]').click()
    page.click('[data-permutation="5"]')
    until(page, "() => routescope.blocks.run.get().run?.input.permutation === 5 && routescope.blocks.run.get().fresh")
    until(page, "() => location.search.includes('permutation=6') && location.search.includes('sample=mnist')")
    answer = run(server, PICTURES, input={"sample": "mnist.validation.4", "permutation": 5})
    assert answers_of(page, "rule") == [[answer["label"]]]
    assert answers_of(page, "network") == [answer["answers"][0]["digits"]]
    # The chosen order is shown as the network reads it.
    chosen = page.locator('[data-permutation="5"]')
    shown = chosen.locator("canvas").evaluate(
        "canvas => [...canvas.getContext('2d').getImageData(0, 0, 28, 28).data].filter((_, at) => at % 4 === 0)"
    )
    read = page.evaluate("[...routescope.blocks.run.unpack(routescope.blocks.run.get().run.picture)]")
    assert max(abs(a - 255 * b) for a, b in zip(shown, read, strict=True)) < 1
    expect(chosen).to_have_attribute("aria-pressed", "true")

    page.get_by_text("Draw a digit, or bring a picture").click()
    page.locator("#blocks-pad").focus()
    for key in ("Space", *["ArrowDown"] * 6, *["ArrowRight"] * 4, "Space", "Enter"):
        page.keyboard.press(key)
    until(page, "() => /^[0-9a-f]{32}$/.test(routescope.blocks.run.get().run?.input.sample || '')")
    wait_for_run(page)
    expect(page.locator(".blocks-verdict")).to_contain_text("not known")
    expect(page.locator('[data-system="rule"]')).to_have_text("–")
