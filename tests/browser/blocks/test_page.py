"""The Blocks page: the picture of what every block is made of, its player, its keys, and what a click changes."""

import base64
import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.blocks.pages import ALGO, OTHERS, PICTURES, block_models, run
from tests.browser.conftest import MODEL, Guard, Server, colours_on, until
from tests.browser.looks import DARK, WIDE, begin, check, looks

__all__ = ["block_models"]  # a fixture

Opened = Callable[..., Page]
GIVEN = {"digits": [3, 1, 4, 1, 5], "program": [0, 1]}
IN_ADDRESS = {"digits": "3,1,4,1,5", "program": "1,2"}
CANVAS = "#block-picture"
DRAWN = 0.02  # weights that count as ribbons in what the picture says of itself


@pytest.fixture
def open_blocks(page: Page, server: Server, block_models: str) -> Opened:
    """Opens the page and waits until its picture is painted."""

    def opened(model: str = ALGO, **query: Any) -> Page:
        page.goto(server.address("/blocks", model=model, **(IN_ADDRESS | query)), wait_until="commit")
        page.wait_for_selector(f"{CANVAS}[data-painted={model}]")
        fresh(page)
        return page

    return opened


def fresh(page: Page) -> None:
    """Until the picture shows the run that belongs to what is chosen."""
    until(page, "() => routescope.blocks.run.get().fresh && routescope.blocks.run.get().status === 'done'")


def array(packed: dict[str, Any]) -> np.ndarray:
    return np.frombuffer(base64.b64decode(packed["data"]), "<f4").reshape(packed["shape"])


def said(page: Page, name: str) -> str:
    """What the picture says of itself."""
    return str(page.get_attribute(CANVAS, f"data-{name}"))


def state(page: Page, name: str) -> Any:
    return page.evaluate("name => routescope.blocks.state.get()[name]", name)


def point_of(page: Page, route: str) -> dict[str, float]:
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
    value: dict[str, float] = page.evaluate(script, route)
    return value


# -- what is shown -------------------------------------------------------------------------------------------------


def test_the_picture_shows_the_routes_and_the_answers_that_the_api_gives(open_blocks: Opened, server: Server) -> None:
    given = run(server, input=GIVEN)
    page = open_blocks()
    assert said(page, "iterations") == "1..2"
    strong = sum(int((array(step["weights"]) >= DRAWN).sum()) for step in given["steps"])
    assert int(said(page, "ribbons")) == strong > 0
    assert said(page, "digits").split() == ["".join(map(str, answer["digits"])) for answer in given["answers"]]
    wrong = given["first_wrong"]
    assert wrong, "a network at initialisation was right"
    assert said(page, "wrong") == f"{wrong['iteration']}/{wrong['output']}"
    expect(page.locator('[data-widget="blocks-sentence"]')).to_contain_text(
        f"Iteration {wrong['iteration']}: Wrong here"
    )
    assert colours_on(page, CANVAS) > 40
    expect(page.locator('[data-widget="blocks-legend"] .legend-entry')).to_have_count(7)
    expect(page.locator("nav a", has_text="Blocks")).to_have_attribute("data-active", "true")


def test_where_nothing_is_computed_every_number_is_a_weighted_mean_of_the_inputs(
    open_blocks: Opened, save: Callable[..., Path]
) -> None:
    names = [f"1.{n}" for n in range(1, 5)] + list("ABCDE")
    open_blocks(gates=",".join(f"{name}:0" for name in names), iterations=1)
    document = json.loads(save("blocks", "json", ALGO).read_text())
    digits = dict(zip("ABCDE", GIVEN["digits"], strict=True)) | {"task": GIVEN["program"][0]}
    assert {block["block"] for block in document["blocks"]} == set(names)
    for block in document["blocks"]:
        expected = np.zeros(10)
        for name, share in block["of_inputs"].items():
            expected[digits[name]] += share
        assert block["of_computed"] == 0
        assert np.allclose(block["numbers"], expected, atol=1e-5)


def test_files_hold_every_route_and_shares_that_add_up(
    open_blocks: Opened, server: Server, save: Callable[..., Path]
) -> None:
    open_blocks(mute_routes="A>1.2", gates="1.3:0.25")
    body = {"mute_routes": ["A>1.2"], "gates": {"1.3": 0.25}}
    given = run(server, input=GIVEN, intervention=body)
    lines = save("blocks", "csv", ALGO).read_text().splitlines()
    table = list(csv.DictReader([line for line in lines if not line.startswith("#")]))
    assert len(table) == sum(len(step["sources"]) * len(step["blocks"]) for step in given["steps"])
    blocks: dict[tuple[str, str], list[dict[str, str]]] = {}
    for row in table:
        blocks.setdefault((row["step"], row["block"]), []).append(row)
    for step in given["steps"]:
        for at, name in enumerate(step["blocks"]):
            rows = blocks[step["name"], name]
            assert [float(row["weight"]) for row in rows] == pytest.approx(
                array(step["weights"])[:, at].tolist(), abs=1e-6
            )
            shares = sum(float(row["share_of_block"]) for row in rows)
            assert shares + float(rows[0]["gate"]) == pytest.approx(1, abs=1e-5)
    (muted,) = [row for row in table if (row["step"], row["source"], row["block"]) == ("i1.l1", "A", "1.2")]
    assert float(muted["weight"]) == 0
    assert {row["gate"] for row in table if row["block"] == "1.3"} == {"0.25"}
    document = json.loads(save("blocks", "json", ALGO).read_text())
    assert (document["model"], document["mute_routes"], document["gates"]) == (ALGO, ["A>1.2"], {"1.3": 0.25})
    assert document["kind"] == "under intervention"
    for block in document["blocks"]:
        assert sum(block["of_inputs"].values()) + block["of_computed"] == pytest.approx(1, abs=1e-5)
    svg = save("blocks", "svg", ALGO).read_text()
    assert "iteration 1" in svg
    assert "fixed" in svg
    assert save("blocks", "png", ALGO).read_bytes().startswith(b"\x89PNG")


def test_the_table_says_in_words_what_was_copied(open_blocks: Opened) -> None:
    page = open_blocks(copy_routes="B>1.1,1.1>A")
    page.locator("#panel-blocks").get_by_text("The same as a table").click()
    rows = page.locator('[data-widget="blocks-table"] tbody tr')
    expect(rows).to_have_count(2 * (4 + 5))
    cells = {tuple(row[:3]): row for row in (row.locator("td").all_inner_texts() for row in rows.all())}
    assert cells["1", "1", "1.1"][3:5] == ["copied from B 100 %", "0.000"]
    assert cells["1", "2", "A"][3] == "copied from 1.1 100 %"
    assert cells["1", "2", "A"][5] == "copied from B 100 %"
    assert cells["1", "2", "A"][6].startswith(str(GIVEN["digits"][1]))


# -- stepping ------------------------------------------------------------------------------------------------------


def test_iterations_beyond_those_trained_are_run_folded_and_stepped_through(
    open_blocks: Opened, server: Server
) -> None:
    page = open_blocks()
    for _ in range(5):
        page.click("#blocks-more")
    until(page, "() => location.search.includes('iterations=7')")
    fresh(page)
    given = run(server, input=GIVEN, iterations=7)
    until(page, f"() => document.querySelector('{CANVAS}').dataset.digits.split(' ').length === 7")
    assert said(page, "digits").split() == ["".join(map(str, answer["digits"])) for answer in given["answers"]]
    expect(page.locator(".blocks-runs")).to_contain_text("beyond training")
    first, last = map(int, said(page, "iterations").split(".."))
    assert last - first < 6, "nothing is folded"
    page.locator(".blocks-player .scrub").focus()
    page.keyboard.press("End")
    until(page, f"() => document.querySelector('{CANVAS}').dataset.step === 'i7.l2'")
    assert said(page, "iterations").endswith("..7")
    expect(page.locator(".blocks-readout")).to_have_text("iteration 7, MFNNR 2 of 2")
    until(page, "() => location.search.includes('step=14')")
    page.reload()
    page.wait_for_selector(f"{CANVAS}[data-step='i7.l2']")
    page.click("#blocks-fewer")
    until(page, f"() => document.querySelector('{CANVAS}').dataset.step === 'i6.l2'")


def test_it_plays_to_the_end_and_shows_everything_again(open_blocks: Opened) -> None:
    page = open_blocks()
    page.focus(CANVAS)
    page.keyboard.press(" ")
    until(page, f"() => document.querySelector('{CANVAS}').dataset.playing === 'true'")
    until(page, f"() => document.querySelector('{CANVAS}').dataset.step === 'i2.l1'")
    until(page, f"() => document.querySelector('{CANVAS}').dataset.playing === 'false'")
    assert said(page, "step") == ""
    expect(page.locator("#blocks-play")).to_have_attribute("aria-label", "Play through the levels")


# -- pointing and changing -----------------------------------------------------------------------------------------


def test_with_keys_alone_one_walks_through_the_blocks_and_fixes_a_gate(open_blocks: Opened, server: Server) -> None:
    given = run(server, input=GIVEN)
    page = open_blocks()
    page.focus(CANVAS)
    page.keyboard.press("ArrowRight")
    until(page, f"() => document.querySelector('{CANVAS}').dataset.hovered === '1.1'")
    page.keyboard.press("ArrowDown")
    until(page, f"() => document.querySelector('{CANVAS}').dataset.hovered === '1.2'")
    detail = page.locator('[data-widget="blocks-detail"]')
    expect(detail).to_contain_text(f"gate {array(given['steps'][0]['gates'])[1]:.3f}")
    page.keyboard.press("Enter")
    menu = page.get_by_role("dialog", name="Block 1.2")
    expect(menu).to_be_visible()
    for _ in range(6):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.dataset.gate === '1'"):
            break
    page.keyboard.press("Enter")
    until(page, "() => location.search.includes('gates=1.2:1')")
    fresh(page)
    expect(menu).to_contain_text("gate 1.00")
    expect(page.locator('[data-widget="blocks-tag"]')).to_have_text("under intervention")
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(page.locator(CANVAS)).to_be_focused()
    page.keyboard.press("ArrowRight")  # from where the ring was
    until(page, f"() => document.querySelector('{CANVAS}').dataset.hovered === 'B'")
    page.keyboard.press("Escape")
    until(page, f"() => document.querySelector('{CANVAS}').dataset.hovered === ''")


def test_a_click_on_a_ribbon_mutes_it_and_the_others_share_its_weight(open_blocks: Opened, server: Server) -> None:
    weights = array(run(server, input=GIVEN)["steps"][0]["weights"])
    sources = [*"ABCDE", "task"]
    strongest = sources[int(weights[:, 0].argmax())]
    route = f"{strongest}>1.1"
    page = open_blocks()
    point = point_of(page, route)
    page.locator(CANVAS).hover(position=point)  # type: ignore[arg-type]
    until(page, "([canvas, route]) => document.querySelector(canvas).dataset.hovered === route", [CANVAS, route])
    page.locator(CANVAS).click(position=point)  # type: ignore[arg-type]
    row = page.locator(f'[data-route="{route}"]')
    expect(row).to_have_attribute("data-clicked", "true")
    row.get_by_role("button", name=f"Mute {route}").click()
    fresh(page)
    expect(row).to_contain_text("0.00")
    assert state(page, "mute_routes") == [route]
    left = run(server, input=GIVEN, intervention={"mute_routes": [route]})
    assert array(left["steps"][0]["weights"])[:, 0].sum() == pytest.approx(1, abs=1e-5)
    assert said(page, "digits").split() == ["".join(map(str, answer["digits"])) for answer in left["answers"]]
    row.get_by_role("button", name="copy of").click()  # in place of muting it
    fresh(page)
    assert (state(page, "mute_routes"), state(page, "copy_routes")) == ([], [route])
    expect(row).to_contain_text("1.00")
    row.get_by_role("button", name="copy of").click()
    fresh(page)
    assert state(page, "copy_routes") == []


def test_one_route_of_a_block_stays(open_blocks: Opened) -> None:
    page = open_blocks(mute_routes=",".join(f"{name}>1.1" for name in ["A", "B", "C", "D", "E"]))
    page.evaluate("() => routescope.blocks.state.toggleMute('task', '1.1')")
    expect(page.get_by_text("One route stays")).to_be_visible()
    assert len(state(page, "mute_routes")) == 5


def test_what_an_address_names_and_the_network_does_not_have_is_left_out(open_blocks: Opened) -> None:
    page = open_blocks(mute_routes="A>1.9,B>1.1,1.1>2.1", copy_routes="E>A", gates="7.7:1,1.2:0.5", iterations="64")
    assert (state(page, "mute_routes"), state(page, "copy_routes")) == (["B>1.1"], [])
    assert state(page, "gates") == {"1.2": 0.5}
    assert state(page, "iterations") == state(page, "task")["most_iterations"]
    element = page.locator(".address-note")  # in words
    for words in ('"mute_routes" names A>1.9, 1.1>2.1', '"copy_routes" names E>A', '"gates" names 7.7'):
        expect(element).to_contain_text(words)


# -- pictures, other models, everybody -----------------------------------------------------------------------------


def test_blocks_of_a_picture_are_drawn_as_strips(open_blocks: Opened, save: Callable[..., Path]) -> None:
    page = open_blocks(PICTURES, sample="mnist.validation.3", permutation=2)
    assert colours_on(page, CANVAS) > 100
    svg = save("blocks", "svg", PICTURES).read_text()
    assert svg.count("data:image/png") >= 4 + 4
    document = json.loads(save("blocks", "json", PICTURES).read_text())
    assert document["input"] == {"sample": "mnist.validation.3", "permutation": 1}


@pytest.mark.parametrize(("model", "words"), [(MODEL, "takes no blocks"), (OTHERS[0], "routes none of them")])
def test_a_model_that_routes_no_blocks_is_said_to_and_others_are_offered(
    page: Page, server: Server, block_models: str, model: str, words: str
) -> None:
    page.goto(server.address("/blocks", model=model))
    problem = page.locator(".blocks-problem")
    expect(problem).to_contain_text(words)
    expect(page.locator("#panel-blocks")).to_be_hidden()
    problem.get_by_role("button", name=ALGO).click()
    page.wait_for_selector(f"{CANVAS}[data-painted={ALGO}]")
    expect(problem).to_be_hidden()


def test_a_run_that_fails_is_said_and_can_be_asked_for_again(open_blocks: Opened, page: Page, guard: Guard) -> None:
    guard.expect("status of 503")
    open_blocks()
    page.route("**/block-runs", lambda route: route.fulfill(status=503, json={"title": "Too busy", "detail": "Later."}))
    page.click("#blocks-more")
    failed = page.locator('[data-widget="blocks-failed"]')
    expect(failed).to_contain_text("Too busy")
    expect(page.locator(CANVAS)).to_be_hidden()
    page.unroute("**/block-runs")
    failed.get_by_role("button", name="Try again").click()
    fresh(page)
    expect(page.locator(CANVAS)).to_be_visible()
    assert len(said(page, "digits").split()) == 3


@pytest.mark.parametrize(("scheme", "width"), [("dark", 1440), ("light", 390)])
def test_the_page_fits_and_has_its_colours(open_blocks: Opened, page: Page, scheme: Any, width: int) -> None:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": 900})
    open_blocks(iterations=5)
    expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", scheme)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert colours_on(page, CANVAS) > 40


def test_axe_finds_nothing(open_blocks: Opened, page: Page) -> None:
    begin(page)
    open_blocks(gates="1.2:0.5", step=2)
    page.locator("#panel-blocks").get_by_text("The same as a table").click()
    page.focus(CANVAS)
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_role("dialog", name="Block")).to_be_visible()
    for _ in looks(page, (WIDE, DARK)):
        check(page, ".page-head", "#blocks-picture")
