"""Matrices from end to end with the bundled model `ni-pgm`: picked, uploaded, swapped, traced, mapped."""

import re
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import Page, expect

from routescope.data import load
from routescope.data.matrices.sets import MatrixSet
from tests.browser.conftest import CALLBACKS, Guard, Server, holding, posts, until, url_of
from tests.browser.looks import check_looks

PGM = "ni-pgm"
SAMPLE = "pgm-small-neutral.validation.3"


#: Waits until the picture of all panels is there; a sample deleted before would leave the request for it a 404.
PAINTED = """async panel => {
  const picture = new Image()
  picture.src = getComputedStyle(panel).backgroundImage.slice(5, -2)
  await picture.decode()
}"""


def _delete(page: Page) -> None:
    page.locator(".matrix-picture").first.evaluate(PAINTED)
    page.click("#sample-delete")
    expect(page.locator("#sample-facts")).to_contain_text("No sample chosen")


def test_a_matrix_is_picked_brought_and_two_panels_change_places(
    page: Page, server: Server, tmp_path: Path, guard: Guard
) -> None:
    guard.expect("422")
    page.goto(server.address("/samples", model=PGM, sample=SAMPLE))
    expect(page.locator("#gallery .table-card img")).to_have_count(24)
    expect(page.get_by_role("img", name=re.compile("^Drawing pad"))).to_be_hidden()
    expect(page.locator("#sample-facts .rules")).to_have_text("Rules: progression of line colour, along rows")
    expect(page.locator(".matrix-grid .matrix-panel")).to_have_count(8)
    expect(page.locator(".matrix-answers .matrix-panel")).to_have_count(8)
    expect(page.locator('.matrix-answers [data-marks~="right"]')).to_have_attribute("data-panel", "9")
    expect(page.locator('.matrix-answers [data-marks~="network"]')).to_have_count(1)
    check_looks(page, "#panel-sample", "#panel-bring")

    data = load("pgm-small-neutral", "test", limit=2)
    assert isinstance(data, MatrixSet)
    image = data.pictures([0], side=160)[0]
    nine, good = tmp_path / "nine.npz", tmp_path / "PGM_neutral_test_0.npz"
    np.savez_compressed(nine, image=np.concatenate((image, image[:1])), target=np.array(0))
    np.savez_compressed(good, image=image, target=np.array(int(data.labels[0])))
    page.set_input_files("#bring-file", nine)
    expect(page.locator("#bring-said")).to_contain_text("The file has 17 panels, 8 and 9 answers")
    expect(page.locator("#bring-said")).to_contain_text("16 square panels")
    assert SAMPLE in url_of(page)  # nothing was lost
    page.set_input_files("#bring-file", good)
    expect(page.locator("#chosen-sample")).to_have_text("PGM_neutral_test_0.npz")
    right = page.locator('.matrix-answers [data-marks~="right"]')
    expect(right).to_have_attribute("data-panel", str(8 + int(data.labels[0])))
    expect(page.locator("#sample-facts .rules")).to_have_text("The rules are unknown.")

    with page.expect_download() as downloaded:
        page.click("#panels-sheet")
    sheet = tmp_path / downloaded.value.suggested_filename
    assert sheet.name == "PGM_neutral_test_0.png"
    downloaded.value.save_as(sheet)
    cut = tmp_path / "cut.png"
    with Image.open(sheet) as picture:
        picture.crop((0, 0, picture.width, picture.height - 10)).save(cut)
    page.set_input_files("#bring-file", cut)
    expect(page.locator("#bring-said")).to_contain_text("320 x 310 pixels, which is not 4 panels wide")
    check_looks(page, "#panel-bring", "#panel-sample")
    page.select_option("#bring-answer", "3")
    page.set_input_files("#bring-file", sheet)
    expect(page.locator("#chosen-sample")).to_have_text("PGM_neutral_test_0.png")
    expect(page.locator(".matrix-answers .matrix-panel")).to_have_count(8)
    expect(page.locator('.matrix-answers [data-marks~="right"]')).to_have_attribute("data-panel", "10")
    expect(page.locator("#bring-answer")).to_have_value("")
    _delete(page)
    page.set_input_files("#bring-file", sheet)
    expect(page.locator("#chosen-sample")).to_have_text("PGM_neutral_test_0.png")
    expect(page.locator('.matrix-answers [data-marks~="right"]')).to_have_count(0)
    _delete(page)
    page.get_by_text("Yours", exact=True).click()
    expect(page.locator("#gallery .table-card")).to_have_count(1)
    page.locator("#gallery .table-card").first.click()
    expect(page.locator("#chosen-sample")).to_have_text("PGM_neutral_test_0.npz")

    page.locator('[data-panel="2"]').click()
    expect(page.locator("#panels-swap")).to_be_disabled()
    page.locator('[data-panel="7"]').click()
    page.click("#panels-swap")
    words = re.compile(r"Panel 1, 3 and panel 3, 2 swapped\. Before: answer \d \(.+ %\); now: answer \d \(.+ %\)\.")
    expect(page.locator("#panels-said")).to_have_text(words)
    expect(page.locator("#chosen-sample")).to_contain_text("panel 1, 3 and panel 3, 2 swapped")
    expect(page.locator('.matrix-answers [data-marks~="right"]')).to_have_count(0)
    expect(page.locator("#gallery .table-card img")).to_have_count(2)
    page.get_by_role("link", name="Its path").click()
    expect(page.locator("#paths-caption")).to_contain_text("panel 1, 3 and panel 3, 2 swapped")
    page.go_back()
    _delete(page)


#: Notes the place of the answers in their panel in every frame with a painted matrix.
STANDS = """(() => {
  window.tops = new Set();
  function look() {
    requestAnimationFrame(look);
    const list = document.querySelector(".candidate-list");
    if (!list || !document.querySelector("#patch-picture[data-painted]")) return;
    window.tops.add(list.getBoundingClientRect().top - list.closest(".panel").getBoundingClientRect().top);
  }
  document.addEventListener("DOMContentLoaded", look);
})()"""


def test_the_path_is_shown_with_each_answer_also_while_undo_is_under_way(page: Page, server: Server) -> None:
    # Answers do not move when the list of models comes late.
    page.add_init_script(STANDS)
    held = holding(page, CALLBACKS, posts("models.data"))
    with page.expect_response(re.compile(r"/traces/.*/fields/compatibility")):
        page.goto(server.address("/paths", model=PGM, sample=SAMPLE))
    page.wait_for_timeout(300)  # in which the answers would be drawn
    held[0].continue_()
    expect(page.locator(".candidate")).to_have_count(8)
    expect(page.locator("#panel-patches")).to_contain_text("The matrix with one answer in its gap")
    until(page, "window.tops.size > 0")
    assert page.evaluate("window.tops.size") == 1
    page.unroute(CALLBACKS)
    chosen = page.locator('.candidate[aria-pressed="true"]')
    expect(chosen).to_have_attribute("data-marks", re.compile("network"))
    expect(page.locator("#panel-patches h2")).to_have_text("Matrix")
    page.wait_for_selector("#patch-picture[data-painted]")
    expect(page.locator('[data-marks~="right"]')).to_have_attribute("data-candidate", "2")
    page.locator('[data-candidate="4"]').click()
    expect(chosen).to_have_attribute("data-candidate", "4")
    until(page, "location.search.includes('candidate=4')")
    page.focus("#patch-picture")
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    until(page, "document.querySelector('#patch-picture').dataset.highlighted === 'answer:4'")
    page.reload()
    expect(chosen).to_have_attribute("data-candidate", "4")
    page.get_by_role("button", name=re.compile(r"^s2\.f3")).click()
    expect(page.locator("#paths-kind")).to_contain_text("mute s2.f3")
    expect(chosen).to_have_attribute("data-candidate", "4")  # kept under another intervention
    until(page, "location.search.includes('mute') && location.search.includes('step=')")

    # An answer that is chosen while undo is under way stays chosen.
    page.reload()  # paths that were shown are at hand without a request
    expect(chosen).to_have_attribute("data-candidate", "4")
    asks, traces = posts("intervention"), re.compile("/api/v1/traces$")
    held = holding(page, traces, asks)
    with page.expect_request(asks):
        page.go_back()
    page.locator('[data-candidate="5"]').click()
    expect(chosen).to_have_attribute("data-candidate", "5")
    held[0].continue_()
    expect(page.locator("#paths-kind")).to_have_text("observed")
    until(page, "location.search.includes('candidate=5') && !location.search.includes('mute')")
    expect(chosen).to_have_attribute("data-candidate", "5")
    check_looks(page, "#panel-patches")


def test_types_of_panels_are_coloured_by_relation_and_lead_to_the_path_with_their_answer(
    page: Page, server: Server
) -> None:
    page.goto(server.address("/types", model=PGM, method="pca", colour="kind"))
    legend = page.locator(".legend-toggle span:not(.swatch)")
    expect(legend).to_have_text(["progression", "consistent union"])
    expect(page.locator("#types-tokens")).to_contain_text("panels")
    page.get_by_role("button", name="Select all in view").click()
    first = page.locator(".type-thumbs .thumb").nth(1)
    text = str(first.get_attribute("aria-label"))
    answer = re.search(r"with answer (\d)", text)
    assert answer
    first.click()
    expect(page.locator('.candidate[aria-pressed="true"]')).to_have_attribute("data-candidate", answer[1])
