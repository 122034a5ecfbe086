"""The pair of pictures of the Circuits page: choosing, editing and uploading it, and the network's answers."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from routescope.data.statements.scenes import Scene, Thing, draw
from tests.browser.circuits.pair_pages import (
    ASKED,
    ask,
    centre,
    changed,
    opened,
    percent,
    shown,
    state,
    thing,
    things,
    wait_for_answer,
)
from tests.browser.conftest import Guard, Server, until, url_of

Opened = Callable[..., Page]


def test_answers_follow_every_edit_and_the_address_restores_the_pair(
    open_pair: Opened, server: Server, statement_model: str
) -> None:
    page = open_pair(statement="scenes.validation.9", s1=ASKED[0], s2=ASKED[1])
    before = ask(server, statement_model, {"statement": "scenes.validation.9"})
    assert shown(page) == percent(before)
    rows = page.locator(".pair-answer")
    for at, answer in enumerate(before):
        expect(rows.nth(at).locator(".pair-truth")).to_contain_text(str(answer["holds"]).lower())
        agrees = (answer["probability"] >= 0.5) == answer["holds"]
        expect(rows.nth(at)).to_contain_text("Correct" if agrees else "Wrong")
    assert page.evaluate("routescope.pairAnswers.before()") is None  # nothing was edited

    first = state(page)["scene"]
    thing(page, 0, 0).click()
    assert state(page)["selected"] == {"picture": 0, "index": 0}
    changed(page, lambda: page.click('#circuits-pair [data-colour="red"]:not([aria-pressed="true"])'))
    changed(page, lambda: page.click('#circuits-pair [data-shape="circle"]'))
    now = state(page)["scene"]
    assert now["pictures"][0][0] == {**first["pictures"][0][0], "colour": "red", "shape": "circle"}
    after = ask(server, statement_model, {"scene": now})
    assert shown(page) == percent(after) and after[0]["holds"] is True
    expect(rows.first.locator(".pair-truth")).to_contain_text("true")
    until(page, "() => Boolean(routescope.pairAnswers.before())")
    moved = 100 * (after[0]["probability"] - before[0]["probability"])
    words = rows.first.locator(".pair-moved").first.inner_text()
    assert float(words.split()[0].replace("−", "-")) == pytest.approx(moved, abs=0.051) and "by your edit" in words

    until(
        page, "words => new URLSearchParams(location.search).get('scene')?.includes(words)", "large red circle 0.2188"
    )
    address = url_of(page)
    page.reload()
    wait_for_answer(page)
    again = state(page)
    assert again["scene"] == now and again["base"]["id"] == "scenes.validation.9"
    assert page.evaluate("routescope.pair.edited()")
    assert url_of(page) == address and shown(page) == percent(after)
    page.click("#pair-reset")
    until(page, "() => location.search.includes('statement=scenes.validation.9')")
    assert "scene=" not in url_of(page) and state(page)["scene"] == first
    page.click("#pair-undo")
    until(page, "() => routescope.pair.edited()")
    assert state(page)["scene"] == now

    hostile = '{"pictures":[["large red circle 0.5 0.5","huge red circle 0.5 0.5","large red circle 7 0.5","<b>"],7]}'
    for scene in (hostile, '{"pictures":"no"}', "not json"):
        opened(page, server, statement_model, scene=scene)
        assert state(page)["base"]["id"]  # the first statement, as without a scene


def check_questions(page: Page) -> None:
    """However many keys are pressed, the page asks one question at a time."""
    asked: list[str] = []
    page.on("request", lambda request: request.url.endswith("/answers") and asked.append(request.url))
    thing(page, 0, 0).focus()
    for _ in range(20):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
    changed(page, lambda: page.keyboard.press("ArrowDown"))
    assert 1 <= len(asked) < 30
    assert page.evaluate("routescope.pairAnswers.state.scene") == state(page)["scene"]


def test_things_are_moved_added_and_swapped_with_the_mouse_and_with_keys(open_pair: Opened) -> None:
    page = open_pair(statement="scenes.validation.40")
    counts = things(page)
    old = state(page)["scene"]["pictures"][0][0]

    def drag(dx: float, dy: float) -> None:
        x, y = centre(page, 0, 0)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + dx, y + dy, steps=8)
        page.mouse.up()

    changed(page, lambda: drag(30, 20))
    new = state(page)["scene"]["pictures"][0][0]
    side = page.locator('[data-picture="0"]').bounding_box()["width"]
    assert new["x"] - old["x"] == pytest.approx(30 / side, abs=0.02)
    assert new["y"] - old["y"] == pytest.approx(20 / side, abs=0.02)
    page.keyboard.press("Control+z")
    until(page, "old => routescope.pair.state.scene.pictures[0][0].x === old", old["x"])

    changed(page, lambda: drag(side + 20, 0))
    assert things(page) == [counts[0] - 1, counts[1] + 1]
    assert state(page)["selected"] == {"picture": 1, "index": counts[1]}
    page.keyboard.press("Control+z")  # the drag is one step
    until(page, "() => !routescope.pair.edited()")
    assert things(page) == counts

    # The same with keys alone.
    thing(page, 0, 0).focus()
    assert state(page)["selected"] == {"picture": 0, "index": 0}
    page.keyboard.press("Tab")
    expect(thing(page, 0, 1)).to_be_focused()
    before = state(page)["scene"]["pictures"][0][1]
    changed(page, lambda: page.keyboard.press("ArrowLeft"))
    changed(page, lambda: page.keyboard.press("Shift+ArrowDown"))
    after = state(page)["scene"]["pictures"][0][1]
    assert after["x"] == pytest.approx(before["x"] - 0.02, abs=0.002)
    assert after["y"] == pytest.approx(before["y"] + 0.1, abs=0.002)
    changed(page, lambda: page.keyboard.press("Control+d"))
    assert things(page) == [counts[0] + 1, counts[1]]
    expect(thing(page, 0, counts[0])).to_be_focused()
    changed(page, lambda: page.keyboard.press("PageDown"))
    assert things(page) == [counts[0], counts[1] + 1]
    changed(page, lambda: page.keyboard.press("Delete"))
    assert things(page) == counts
    expect(thing(page, 1, counts[1] - 1)).to_be_focused()
    for _ in range(10):
        page.keyboard.press("Shift+ArrowRight")
    until(page, "() => routescope.pairAnswers.state.fresh")
    last = state(page)["scene"]["pictures"][1][-1]
    radius = page.evaluate("size => routescope.pairSvg.radiusOf(size)", last["size"])
    assert last["x"] == pytest.approx(1 - radius, abs=0.001)  # it stays in its picture

    check_questions(page)

    first = state(page)["scene"]
    changed(page, lambda: page.click("#pair-swap"))
    assert state(page)["scene"]["pictures"] == first["pictures"][::-1]
    changed(page, lambda: page.click("#pair-empty"))
    assert things(page) == [0, 0] and state(page)["base"] is None
    most = page.evaluate("routescope.pairSvg.vocabulary().most")
    page.click('#circuits-pair [data-shape="star"]')
    page.click('#circuits-pair [data-colour="blue"]')
    page.click('#circuits-pair [data-size="small"]')
    for count in range(most):
        changed(page, lambda: page.click("#pair-add-right"))
        assert things(page) == [0, count + 1]
        page.locator(".pair-ring").first.wait_for(state="attached")
    expect(page.locator("#pair-add-right")).to_be_disabled()
    added = state(page)["scene"]["pictures"][1]
    assert {(member["shape"], member["colour"], member["size"]) for member in added} == {("star", "blue", "small")}
    radius = page.evaluate("routescope.pairSvg.radiusOf('small')")
    gaps = [np.hypot(a["x"] - b["x"], a["y"] - b["y"]) for at, a in enumerate(added) for b in added[:at]]
    assert min(gaps) > 2 * radius  # each where there is room


def test_a_statement_from_the_gallery_brings_its_pictures_and_its_sentence(open_pair: Opened, server: Server) -> None:
    page = open_pair()
    until(page, "() => document.querySelectorAll('[data-statement]').length === 12")
    listed = server.ask("GET", "/statements", params={"kind": "spatial relationship", "limit": 12}).json()
    page.select_option("#pair-kind", "spatial relationship")
    until(page, "id => document.querySelector('[data-statement]').dataset.statement === id", listed["items"][0]["id"])
    assert page.locator("[data-statement]").count() == 12
    until(page, "() => location.search.includes('gallery=')")
    chosen = listed["items"][3]
    card = page.locator(f'[data-statement="{chosen["id"]}"]')
    assert card.locator("svg").count() == 2 and chosen["sentence"] in card.inner_text()
    card.click()
    until(page, "id => routescope.pair.state.base && routescope.pair.state.base.id === id", chosen["id"])
    until(page, "text => routescope.circuits.state.sentences.includes(text)", chosen["sentence"])
    wait_for_answer(page)
    expect(card).to_have_attribute("aria-pressed", "true")
    pinned = page.evaluate("routescope.circuits.state.sentences.length")
    page.locator("[data-statement]").nth(6).click()  # the next takes the place of the one before
    until(page, "id => routescope.pair.state.base.id === id", listed["items"][6]["id"])
    assert page.evaluate("routescope.circuits.state.sentences.length") == pinned
    page.click("#pair-next")
    until(page, "id => document.querySelector('[data-statement]').dataset.statement !== id", listed["items"][0]["id"])


def test_the_browser_draws_the_pixels_of_the_network_input(open_pair: Opened) -> None:
    page = open_pair(statement="scenes.validation.9")
    random = np.random.default_rng(0)
    for _ in range(6):
        scene = Scene(
            tuple(
                tuple(
                    Thing(
                        str(random.choice(["circle", "square", "triangle", "star", "cross"])),
                        str(random.choice(["red", "green", "blue", "yellow", "purple", "orange", "black", "white"])),
                        str(random.choice(["small", "large"])),
                        round(float(random.uniform(0, 1)), 3),
                        round(float(random.uniform(0, 1)), 3),
                    )
                    for _ in range(6)
                )
                for _ in range(2)
            )
        )
        drawn = draw(scene).astype(int).transpose(0, 2, 3, 1)
        for picture, given in zip(drawn, scene.to_dict()["pictures"], strict=True):
            values = page.evaluate("things => [...routescope.pairPixels.pixels(things, 48)]", given)
            seen = np.array(values).reshape(48, 48, 3)
            assert np.abs(seen - picture).max() <= 2 and (seen != picture).mean() < 0.01
    page.check("#pair-seen")
    image = page.locator("img.pair-picture").first
    expect(image).to_be_visible()
    assert image.get_attribute("src") == "/api/v1/statements/scenes.validation.9/pictures/0"


def test_two_uploaded_pictures_have_no_scene_and_other_files_are_refused(
    open_pair: Opened, server: Server, statement_model: str, guard: Guard, tmp_path: Path
) -> None:
    guard.expect("status of 4")
    page = open_pair(s1=ASKED[0], s2=ASKED[1])
    (tmp_path / "words.png").write_text("no picture")
    page.set_input_files("#pair-files", tmp_path / "words.png")
    expect(page.locator("#pair-upload-said.danger")).to_be_visible()
    assert len(page.inner_text("#pair-upload-said")) > 20
    assert state(page)["samples"] is None
    files = []
    for name, colour in (("left", (200, 30, 30)), ("right", (30, 30, 200))):
        files.append(tmp_path / f"{name}.png")
        Image.new("RGB", (60, 60), colour).save(files[-1])
    page.set_input_files("#pair-files", files[0])
    expect(page.locator("#pair-upload-said")).to_contain_text("now choose the right one")
    page.set_input_files("#pair-files", files[1])
    until(page, "() => Boolean(routescope.pair.state.samples)")
    wait_for_answer(page)
    samples = state(page)["samples"]
    assert state(page)["scene"] is None and len(samples) == 2
    until(page, "() => location.search.includes('samples=')")
    expect(page.locator("#pair-of")).to_contain_text("cannot be edited")
    expect(page.locator("#pair-add-left")).to_be_hidden()
    expect(page.locator(".pair-answer").first).to_contain_text("truth not known")
    answer = ask(server, statement_model, {"samples": samples})
    assert shown(page) == percent(answer)
    page.wait_for_selector('#pair-reads-picture canvas[data-painted="all"]')
    page.reload()
    until(page, "first => routescope.pair?.state.samples?.[0] === first", samples[0])
    wait_for_answer(page)
    assert state(page)["samples"] == samples
    page.click("#pair-swap")
    until(page, "first => routescope.pair.state.samples[1] === first", samples[0])
