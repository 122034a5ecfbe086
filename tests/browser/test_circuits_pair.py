"""The pictures of the Circuits page: choosing, editing and uploading a pair, and what the network makes of it."""

import base64
import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from core.data.scenes import Scene, Thing, draw
from tests.browser.conftest import Guard, Server, colours_on, until
from tests.browser.drop_pages import SVG
from tests.browser.test_accessibility import check

ASKED = ["There is a red circle", "There are exactly three red circles"]


@pytest.fixture(autouse=True)
def no_map(page: Page) -> None:
    """Keeps the page from making maps of sentences by itself, which would take the processor from the test."""
    page.add_init_script(
        "const waiting = setInterval(() => { if (!window.routescope?.jobs) return;"
        " routescope.jobs.start = () => {}; clearInterval(waiting); }, 1);"
    )


@pytest.fixture
def open_pair(page: Page, server: Server, statement_model: str) -> Callable[..., Page]:
    """Opens the page and waits until the network has answered."""

    def opened(**query: Any) -> Page:
        page.goto(server.address("/circuits", model=statement_model, **query))
        wait_for_answer(page)
        return page

    return opened


def wait_for_answer(page: Page) -> None:
    page.wait_for_selector('.pair-answers[data-status="done"][data-fresh="true"] .pair-answer')


def state(page: Page) -> Any:
    return page.evaluate("({ ...routescope.pair.state, problem: null })")


def things(page: Page) -> list[int]:
    return [len(each) for each in state(page)["scene"]["pictures"]]


def changed(page: Page, act: Callable[[], object]) -> None:
    """Does something to the scene and waits for the answer that belongs to it."""
    before = page.evaluate("JSON.stringify(routescope.pair.state.scene)")
    act()
    until(page, "old => JSON.stringify(routescope.pair.state.scene) !== old", before)
    until(
        page,
        "() => routescope.pairAnswers.state.fresh"
        " && JSON.stringify(routescope.pairAnswers.state.scene) === JSON.stringify(routescope.pair.state.scene)",
    )


def ask(server: Server, model: str, pictures: Any, sentences: list[str] = ASKED, **intervention: Any) -> Any:
    """What the API answers to the same question."""
    body = {"sentences": sentences, "pictures": pictures, "intervention": intervention}
    answer = httpx.post(f"{server.url}/api/v1/models/{model}/answers", json=body, timeout=120)
    assert answer.status_code == 200, answer.text
    return answer.json()["answers"]


def shown(page: Page) -> list[float]:
    return [float(text.split()[0]) for text in page.locator(".pair-value").all_inner_texts()]


def percent(answers: list[Any]) -> list[float]:
    return [pytest.approx(100 * each["probability"], abs=0.051) for each in answers]


def thing(page: Page, picture: int, index: int) -> Any:
    return page.locator(f'[data-picture="{picture}"] [data-thing="{index}"]')


def centre(page: Page, picture: int, index: int) -> tuple[float, float]:
    thing(page, picture, index).scroll_into_view_if_needed()
    box = thing(page, picture, index).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_answers_are_those_of_the_api(open_pair: Callable[..., Page], server: Server, statement_model: str) -> None:
    page = open_pair(statement="scenes.validation.9", s1=ASKED[0], s2=ASKED[1])
    said = ask(server, statement_model, {"statement": "scenes.validation.9"})
    assert shown(page) == percent(said)
    rows = page.locator(".pair-answer")
    for at, answer in enumerate(said):
        truth = {True: "true", False: "false"}[answer["holds"]]
        expect(rows.nth(at).locator(".pair-truth")).to_contain_text(truth)
        agrees = (answer["probability"] >= 0.5) == answer["holds"]
        expect(rows.nth(at)).to_contain_text("agrees" if agrees else "disagrees")
    assert page.evaluate("routescope.pairAnswers.state.base") is None  # nothing was edited


def test_every_edit_is_asked_again_and_told_against_the_pair_before(
    open_pair: Callable[..., Page], server: Server, statement_model: str
) -> None:
    page = open_pair(statement="scenes.validation.9", s1=ASKED[0], s2=ASKED[1])
    first = state(page)["scene"]
    thing(page, 0, 0).click()
    assert state(page)["selected"] == {"picture": 0, "index": 0}
    changed(page, lambda: page.click('#circuits-pair [data-colour="red"]:not([aria-pressed="true"])'))
    changed(page, lambda: page.click('#circuits-pair [data-shape="circle"]'))
    now = state(page)["scene"]
    assert now["pictures"][0][0] == {**first["pictures"][0][0], "colour": "red", "shape": "circle"}
    said = ask(server, statement_model, {"scene": now})
    assert shown(page) == percent(said) and said[0]["holds"] is True
    expect(page.locator(".pair-answer").first.locator(".pair-truth")).to_contain_text("true")
    before = ask(server, statement_model, {"statement": "scenes.validation.9"})
    until(page, "() => Boolean(routescope.pairAnswers.state.base)")
    moved = 100 * (said[0]["probability"] - before[0]["probability"])
    words = page.locator(".pair-answer").first.locator(".pair-moved").first.inner_text()
    assert float(words.split()[0].replace("−", "-")) == pytest.approx(moved, abs=0.051) and "by your edit" in words
    page.click("#pair-reset")
    until(page, "() => !routescope.pair.state.edited")
    assert state(page)["scene"] == first
    page.click("#pair-undo")
    until(page, "() => routescope.pair.state.edited")
    assert state(page)["scene"] == now


def test_things_are_dragged_also_to_the_other_picture(open_pair: Callable[..., Page]) -> None:
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
    until(page, "() => !routescope.pair.state.edited")
    assert things(page) == counts


def test_with_keys_alone(open_pair: Callable[..., Page]) -> None:
    page = open_pair(statement="scenes.validation.40")
    counts = things(page)
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


def test_adding_up_to_the_most_swapping_and_an_empty_pair(open_pair: Callable[..., Page]) -> None:
    page = open_pair(statement="scenes.validation.40")
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
    assert {(each["shape"], each["colour"], each["size"]) for each in added} == {("star", "blue", "small")}
    radius = page.evaluate("routescope.pairSvg.radiusOf('small')")
    gaps = [np.hypot(a["x"] - b["x"], a["y"] - b["y"]) for at, a in enumerate(added) for b in added[:at]]
    assert min(gaps) > 2 * radius  # each where there is room


def test_the_address_gives_the_same_pair_again(open_pair: Callable[..., Page]) -> None:
    page = open_pair(statement="scenes.validation.40")
    thing(page, 1, 0).focus()
    changed(page, lambda: page.keyboard.press("ArrowDown"))
    until(page, "() => location.search.includes('scene=')")
    scene, address, said = state(page)["scene"], page.url, shown(page)
    page.reload()
    wait_for_answer(page)
    again = state(page)
    assert again["scene"] == scene and again["base"]["id"] == "scenes.validation.40" and again["edited"]
    assert page.url == address and shown(page) == said
    page.click("#pair-reset")
    until(page, "() => location.search.includes('statement=scenes.validation.40')")
    assert "scene=" not in page.url


@pytest.mark.parametrize(
    "scene",
    [
        '{"pictures":[["large red circle 0.5 0.5","huge red circle 0.5 0.5","large red circle 7 0.5","<b>"],7]}',
        '{"pictures":"no"}',
        "{}",
        "not json",
    ],
)
def test_what_is_no_scene_in_an_address_is_left_out(open_pair: Callable[..., Page], scene: str) -> None:
    page = open_pair(scene=scene)
    assert state(page)["base"]["id"]  # the first statement, as without a scene


def test_a_statement_from_the_gallery_brings_its_pictures_and_its_sentence(
    open_pair: Callable[..., Page], server: Server
) -> None:
    page = open_pair()
    until(page, "() => document.querySelectorAll('[data-statement]').length === 12")
    listed = httpx.get(f"{server.url}/api/v1/statements", params={"kind": "spatial relationship", "limit": 12}).json()
    page.select_option("#pair-kind", "spatial relationship")
    until(page, "id => document.querySelector('[data-statement]').dataset.statement === id", listed["items"][0]["id"])
    assert page.locator("[data-statement]").count() == 12
    until(page, "() => location.search.includes('gallery=')")
    chosen = listed["items"][3]
    card = page.locator(f'[data-statement="{chosen["id"]}"]')
    assert card.locator("svg").count() == 2 and chosen["sentence"] in card.inner_text()
    card.click()
    until(page, "id => routescope.pair.state.base && routescope.pair.state.base.id === id", chosen["id"])
    until(page, "text => routescope.circuits.state.get().sentences.includes(text)", chosen["sentence"])
    wait_for_answer(page)
    expect(card).to_have_attribute("aria-pressed", "true")
    pinned = page.evaluate("routescope.circuits.state.get().sentences.length")
    page.locator("[data-statement]").nth(6).click()  # the next takes the place of the one before
    until(page, "id => routescope.pair.state.base.id === id", listed["items"][6]["id"])
    assert page.evaluate("routescope.circuits.state.get().sentences.length") == pinned
    page.click("#pair-next")
    until(page, "id => document.querySelector('[data-statement]').dataset.statement !== id", listed["items"][0]["id"])


def test_the_browser_draws_what_the_network_gets(page: Page, open_pair: Callable[..., Page], server: Server) -> None:
    open_pair(statement="scenes.validation.9")
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


def test_two_pictures_of_ones_own_have_no_scene(
    open_pair: Callable[..., Page], server: Server, statement_model: str, tmp_path: Path
) -> None:
    page = open_pair(s1=ASKED[0], s2=ASKED[1])
    files = []
    for name, colour in (("left", (200, 30, 30)), ("right", (30, 30, 200))):
        files.append(tmp_path / f"{name}.png")
        Image.new("RGB", (60, 60), colour).save(files[-1])
    page.set_input_files("#pair-files", files[0])
    expect(page.locator("#pair-upload-said")).to_contain_text("now the right one")
    page.set_input_files("#pair-files", files[1])
    until(page, "() => Boolean(routescope.pair.state.samples)")
    wait_for_answer(page)
    samples = state(page)["samples"]
    assert state(page)["scene"] is None and len(samples) == 2
    until(page, "() => location.search.includes('samples=')")
    expect(page.locator("#pair-of")).to_contain_text("cannot be edited")
    expect(page.locator("#pair-add-left")).to_be_hidden()
    expect(page.locator(".pair-answer").first).to_contain_text("truth not known")
    said = ask(server, statement_model, {"samples": samples})
    assert shown(page) == percent(said)
    page.wait_for_selector('#pair-reads-picture[data-painted="all"]')
    page.reload()
    wait_for_answer(page)
    assert state(page)["samples"] == samples
    page.click("#pair-swap")
    until(page, "first => routescope.pair.state.samples[1] === first", samples[0])


def test_a_file_that_is_no_picture_is_refused_in_words(
    open_pair: Callable[..., Page], guard: Guard, tmp_path: Path
) -> None:
    guard.expect("status of 4")
    page = open_pair()
    (tmp_path / "words.png").write_text("no picture")
    page.set_input_files("#pair-files", tmp_path / "words.png")
    expect(page.locator("#pair-upload-said.danger")).to_be_visible()
    assert len(page.inner_text("#pair-upload-said")) > 20
    assert state(page)["samples"] is None


def test_where_modules_read(open_pair: Callable[..., Page], server: Server, statement_model: str) -> None:
    page = open_pair(statement="scenes.validation.9", s1=ASKED[0], s2=ASKED[1])
    answer = ask(server, statement_model, {"statement": "scenes.validation.9"})[0]
    weights = np.frombuffer(base64.b64decode(answer["read_in"]["data"]), "<f4").reshape(answer["read_in"]["shape"])
    shares = np.array(answer["read_out_share"])
    page.wait_for_selector('#pair-reads-picture[data-painted="all"]')
    assert colours_on(page, "#pair-reads-picture") > 40
    both = (shares[:, None] * weights).sum(0) / shares.sum()
    left = round(100 * float(both[:36].sum()))
    until(
        page,
        "left => document.querySelector('#pair-reads-picture').ariaLabel.includes(left + ' % of it on the left')",
        left,
    )
    modules = page.locator("[data-module]")
    assert modules.count() == len(shares)
    assert modules.first.get_attribute("data-module") == f"m{int(shares.argmax()) + 1}"
    modules.first.click()
    name = modules.first.get_attribute("data-module")
    page.wait_for_selector(f'#pair-reads-picture[data-painted="{name}"]')
    until(page, "name => location.search.includes('unit=' + name)", name)
    page.select_option("#pair-reads-for", "all")
    page.wait_for_selector('#pair-reads-picture[data-sentences="2"]')
    until(page, "() => location.search.includes('reads=all')")
    page.focus("#pair-reads-picture")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(f'#pair-reads-picture[data-painted="{modules.nth(1).get_attribute("data-module")}"]')
    page.keyboard.press("Escape")
    page.wait_for_selector('#pair-reads-picture[data-painted="all"]')


def wait_until_measured(page: Page) -> None:
    page.locator("#panel-pair-drop").scroll_into_view_if_needed()
    page.wait_for_selector('[data-widget="pair-progress"][data-state="done"]')


def measure(page: Page, samples: int = 100) -> None:
    page.select_option("#pair-samples", str(samples))
    wait_until_measured(page)


def test_leaving_modules_out_by_kind(open_pair: Callable[..., Page], server: Server, statement_model: str) -> None:
    page = open_pair(statement="scenes.validation.9", s1=ASKED[0], s2=ASKED[1])
    measure(page)

    def evaluate(**intervention: Any) -> Any:
        body = {
            "model": statement_model,
            "data": ["scenes"],
            "samples": 100,
            "intervention": intervention,
            "controls": 5,
        }
        return httpx.post(f"{server.url}/api/v1/evaluations", json=body, timeout=120).json()

    assert "nothing left out: 100 statements" in page.inner_text("#pair-status")
    tags = page.locator('[data-widget="pair-tag"]')
    assert tags.all_inner_texts() == ["observed", "observed"]
    page.click('[data-pair-unit="m3"]')
    page.click('[data-pair-unit="m5"]')
    until(page, "() => location.search.includes('drop=m3,m5')")
    until(page, "() => document.querySelector('#pair-status').textContent.includes('2 modules left out: 100')")
    said = evaluate(drop=["m3", "m5"])
    assert page.inner_text("#pair-accuracy .number-value") == f"{100 * said['accuracy']['value']:.1f}"
    words = page.get_attribute('[data-widget="pair-kinds"] canvas', "aria-label") or ""
    assert len(said["by_kind"]) == 6
    for row in said["by_kind"]:
        assert f"{row['name']} {100 * row['accuracy']:.1f} % of {row['count']}" in words
    assert "5 sets of 2" in page.inner_text("#pair-control .number-range")
    answers = ask(server, statement_model, {"statement": "scenes.validation.9"}, drop=["m3", "m5"])
    wait_for_answer(page)
    assert shown(page) == percent(answers)
    assert tags.all_inner_texts() == ["under intervention", "under intervention"]
    caused = 100 * (answers[0]["probability"] - answers[0]["baseline_probability"])
    words = page.locator(".pair-answer").first.inner_text()
    found = re.search(r"([+−]?[\d.]+) points by what is left out", words)
    assert found and float(found[1].replace("−", "-")) == pytest.approx(caused, abs=0.051)
    expect(page.locator('[data-module="m3"]')).to_contain_text("out")

    page.fill("#pair-edges", "25")
    until(page, "() => location.search.includes('edges=0.25')")
    until(page, "() => document.querySelector('#pair-status').textContent.includes('25 % of the links kept: 100')")
    page.click("#pair-all")
    until(page, "() => document.querySelector('#pair-status').textContent.includes('nothing left out: 100')")
    assert "drop=" not in page.url and "edges=" not in page.url


def test_the_least_connected_of_the_circuit_that_answers(
    open_pair: Callable[..., Page], server: Server, statement_model: str
) -> None:
    page = open_pair(statement="scenes.validation.9", s1=ASKED[0], s2=ASKED[1])
    body = {"sentences": ASKED}
    designs = httpx.post(f"{server.url}/api/v1/models/{statement_model}/designs", json=body, timeout=120).json()
    page.wait_for_selector("#pair-least:enabled")
    weakest = np.argsort(designs["designs"][0]["connectivity"], kind="stable")[:4]
    expected = [designs["units"][at] for at in sorted(weakest)]
    page.fill("#pair-least", "4")
    until(
        page, "expected => JSON.stringify(routescope.circuits.state.get().drop) === JSON.stringify(expected)", expected
    )
    out = page.locator('[data-pair-unit][aria-pressed="true"]')
    expect(out).to_have_count(4)
    assert sorted(out.evaluate_all("all => all.map(each => each.dataset.pairUnit)")) == sorted(expected)
    until(page, "drop => location.search.includes('drop=' + drop)", ",".join(expected))
    page.locator(f'[data-pair-unit="{expected[0]}"]').click()  # the slider's choice is one by names
    expect(out).to_have_count(3)
    expect(page.locator("#panel-pair-drop")).to_contain_text("others are left out")
    page.fill("#pair-least", "11")
    expect(out).to_have_count(11)
    stays = page.locator('[data-pair-unit][aria-pressed="false"]')
    stays.click()
    expect(page.locator(".mantine-Notification-root").first).to_contain_text("One module stays")
    expect(out).to_have_count(11)


def test_cancel_and_go_on(open_pair: Callable[..., Page]) -> None:
    page = open_pair(statement="scenes.validation.9")
    page.select_option("#pair-samples", "2000")
    page.locator("#panel-pair-drop").scroll_into_view_if_needed()
    page.wait_for_selector('[data-widget="pair-progress"][data-state="running"]')
    page.click("#pair-cancel")
    page.wait_for_selector('[data-widget="pair-progress"][data-state="cancelled"]')
    assert page.evaluate("routescope.stream.live('pair')") is False
    assert "Cancelled" in page.inner_text("#pair-status")
    page.click("#pair-again")
    page.wait_for_selector('[data-widget="pair-progress"][data-state="running"]')
    page.locator("nav a", has_text="Samples").click()
    page.wait_for_selector(".page-samples")
    assert page.evaluate("routescope.stream.live('pair')") is False


def test_the_page_asks_one_question_at_a_time(open_pair: Callable[..., Page]) -> None:
    page = open_pair(statement="scenes.validation.9")
    asked: list[str] = []
    page.on("request", lambda request: request.url.endswith("/answers") and asked.append(request.url))
    thing(page, 0, 0).focus()
    for _ in range(20):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
    changed(page, lambda: page.keyboard.press("ArrowDown"))
    assert 1 <= len(asked) < 30
    said = state(page)["scene"]
    assert page.evaluate("routescope.pairAnswers.state.scene") == said


def test_pictures_and_numbers_can_be_taken_away(
    open_pair: Callable[..., Page], statement_model: str, tmp_path: Path
) -> None:
    page = open_pair(statement="scenes.validation.9", drop="m2")
    measure(page)

    def save(panel: str, kind: str) -> Path:
        page.click(f"#{panel}-export")
        with page.expect_download() as coming:
            page.click(f'[data-panel="{panel}"][data-export="{kind}"]')
        target = tmp_path / coming.value.suggested_filename
        coming.value.save_as(target)
        assert statement_model in target.name and target.suffix == f".{kind}"
        return target

    for panel in ("pair-pictures", "pair-answers", "pair-reads", "pair-drop"):
        root = ET.fromstring(save(panel, "svg").read_text(encoding="utf-8"))
        facts = json.loads(root.findtext(f"{SVG}metadata") or "")
        assert facts["model"] == statement_model and facts["revision"] and "statement=" in facts["link"]
        if panel != "pair-pictures":
            assert facts["drop"] == ["m2"]
        with Image.open(save(panel, "png")) as picture:
            assert json.loads(picture.text["Description"])["model"] == statement_model
        content = json.loads(save(panel, "json").read_text())
        assert content["model"] == statement_model
        text = save(panel, "csv").read_text()
        rows = list(csv.DictReader(io.StringIO("\n".join(line for line in text.splitlines() if line[0] != "#"))))
        assert len(rows) >= 2
    assert [row["name"] for row in rows][0] == "all kinds" and len(rows) == 7


def test_what_fails_is_said_and_can_be_tried_again(
    page: Page, server: Server, statement_model: str, guard: Guard
) -> None:
    guard.expect("status of 500|status of 404")
    page.route(
        "**/answers", lambda route: route.fulfill(status=500, body='{"title": "Out of order", "detail": "Later."}')
    )
    page.goto(server.address("/circuits", model=statement_model, statement="scenes.validation.9"))
    expect(page.locator(".pair-answers .message-title")).to_have_text("Out of order")
    page.unroute("**/answers")
    page.locator(".pair-answers .button").click()
    wait_for_answer(page)
    page.goto(server.address("/circuits", model=statement_model, statement="scenes.validation.999999"))
    expect(page.locator(".pair-pictures .message")).to_be_visible()
    page.locator("[data-statement]").first.click()
    wait_for_answer(page)


@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 1440), ("light", 390)])
def test_axe_finds_nothing(page: Page, open_pair: Callable[..., Page], scheme: Any, width: int) -> None:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": 900})
    open_pair(statement="scenes.validation.9", drop="m2")
    thing(page, 0, 0).focus()
    page.wait_for_selector("[data-statement]")
    measure(page)
    check(page)
    assert not page.evaluate(
        "[...document.querySelectorAll('#circuits-pair *')].some("
        "each => each.getBoundingClientRect().right > innerWidth + 1 && !each.closest('.table-scroll'))"
    )
