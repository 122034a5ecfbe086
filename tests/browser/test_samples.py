"""The Samples page: the gallery, bringing pictures, the drawing pad, a person's own samples."""

import re
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Page, expect

from tests.browser.conftest import MODEL, Guard, Server, go, predictions_on, switch, until, url_of
from tests.browser.looks import check, fits, looks


@pytest.fixture
def samples_page(page: Page, server: Server) -> Page:
    page.goto(server.address("/samples", model=MODEL))
    page.wait_for_selector("#gallery .thumb")
    return page


def digit(path: Path) -> Path:
    picture = Image.new("RGB", (90, 90), "white")
    ImageDraw.Draw(picture).line([(25, 20), (65, 20), (40, 75)], fill="black", width=9)
    picture.save(path)
    return path


#: Whether the parts of the gallery's one picture, at four places, are the images of their samples; and their sizes.
SHEET = """async thumbs => {
    const drawn = async (source) => {
        const image = new Image();
        image.src = source;
        await image.decode();
        return image;
    };
    const pixels = (image, left, top) => {
        const canvas = new OffscreenCanvas(32, 32), context = canvas.getContext("2d");
        context.drawImage(image, left, top, 32, 32, 0, 0, 32, 32);
        return context.getImageData(0, 0, 32, 32).data.join();
    };
    const found = [];
    for (const thumb of [thumbs[0], thumbs[15], thumbs[17], thumbs.at(-1)]) {
        const element = thumb.querySelector(".thumb-picture"), style = getComputedStyle(element);
        const sheet = await drawn(/url\\("(.*)"\\)/.exec(style.backgroundImage)[1]);
        const alone = await drawn(`/api/v1/samples/${thumb.dataset.pickSample}/image`);
        const [wide, high] = style.backgroundSize.split(" ").map(parseFloat);
        const [x, y] = style.backgroundPosition.split(" ").map(parseFloat);
        const place = (share, size) => Math.round((share / 100) * (size / 100 - 1) * 32);
        const same = pixels(sheet, place(x, wide), place(y, high)) === pixels(alone, 0, 0);
        const whole = sheet.width === (32 * wide) / 100 && sheet.height === (32 * high) / 100;
        found.push([same, whole, element.offsetWidth, element.offsetHeight]);
    }
    return found;
}"""


def test_the_gallery_filters_and_leads_to_a_path(samples_page: Page) -> None:
    page = samples_page
    assert page.locator("#gallery .thumb").evaluate_all(SHEET) == [[True, True, 44, 44]] * 4
    page.select_option("#gallery-set", "street-digits")
    until(page, "document.querySelector('#gallery .thumb')?.dataset.pickSample.startsWith('street-digits')")
    expect(page.locator("#gallery-licences")).to_contain_text("stand-in for SVHN")
    page.select_option("#gallery-label", "4")
    until(page, "[...document.querySelectorAll('.thumb-label')].every(label => label.textContent === '4')")
    first = page.get_attribute("#gallery .thumb", "data-pick-sample")
    if page.is_enabled("#gallery-next"):
        page.click("#gallery-next")
        until(page, "first => document.querySelector('#gallery .thumb')?.dataset.pickSample !== first", first)
        expect(page).to_have_url(re.compile("page=2"))
    for part in ("set=street-digits", "label=4"):
        expect(page).to_have_url(re.compile(part))
    shown = page.get_attribute("#gallery .thumb", "data-pick-sample")
    page.reload()
    expect(page.locator("#gallery .thumb").first).to_have_attribute("data-pick-sample", str(shown))
    switch(page.locator("#gallery-wrong"), True)
    until(page, "location.search.includes('wrong=1')")
    until(
        page,
        """() => {
        const shown = [...document.querySelectorAll('#gallery .thumb')];
        return document.querySelector('#gallery-count').textContent.match(/ of /)
            && shown.every(thumb => thumb.querySelector('.thumb-wrong')); }""",
    )
    switch(page.locator("#gallery-wrong"), False)
    until(page, "!location.search.includes('wrong=1')")
    thumb = page.locator("#gallery .thumb").nth(1)
    thumb.click()
    expect(thumb).to_have_attribute("aria-pressed", "true")
    page.wait_for_selector('[data-key="sample"] canvas[data-painted]')
    assert predictions_on(page, "sample").count("%") == 3
    expect(page).to_have_url(re.compile(r"sample=[a-z0-9-]+\.validation\.\d+"))
    page.click("#see-path")
    page.wait_for_selector("#path-picture[data-painted]")
    expect(page).to_have_url(re.compile("/paths[?]"))


def test_pictures_are_uploaded_named_and_deleted(samples_page: Page, tmp_path: Path, guard: Guard) -> None:
    page = samples_page
    page.set_input_files("#upload-input", digit(tmp_path / "seven.png"))
    expect(page.locator(".upload-row[data-state=done]")).to_contain_text("seven.png")
    page.wait_for_selector('[data-key="sample"] canvas[data-painted]')
    expect(page.locator("#sample-name")).to_have_value(re.compile("seven"))
    page.fill("#sample-name", "my <b>seven</b>")
    page.select_option("#sample-label", "7")
    page.click("#sample-save")
    expect(page.locator("#chosen-sample")).to_contain_text("my <b>seven</b>")
    page.get_by_text("Yours", exact=True).click()
    thumbs = page.locator("#gallery .thumb")
    expect(thumbs.first).to_have_attribute("aria-label", re.compile("my <b>seven</b>, label 7"))
    page.click("#sample-delete-menu")
    page.click("#sample-delete")
    expect(page.locator("#sample-facts")).to_contain_text("No sample chosen")
    expect(page).not_to_have_url(re.compile("sample="))

    guard.expect("status of 4(15|22)")
    (tmp_path / "broken.png").write_bytes((tmp_path / "seven.png").read_bytes()[:200])
    page.set_input_files("#upload-input", tmp_path / "broken.png")
    refused = page.locator(".upload-row[data-state=refused] .upload-message")
    expect(refused.first).to_have_text(re.compile(".{20}"))
    (tmp_path / "huge.png").write_bytes(b"\x89PNG" + bytes(9 * 1024 * 1024))
    page.set_input_files("#upload-input", tmp_path / "huge.png")
    expect(page.locator(".upload-row", has_text="huge.png")).to_contain_text("up to 8.0 MiB")
    assert "sample=" not in url_of(page)

    page.set_input_files("#upload-input", digit(tmp_path / "own.png"))
    expect(page.locator(".upload-row[data-state=done]").first).to_contain_text("own.png")
    with Image.open(tmp_path / "own.png") as picture:
        picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT).save(tmp_path / "dropped.webp")
    page.evaluate(
        """bytes => {
            const carried = new DataTransfer();
            carried.items.add(new File([new Uint8Array(bytes)], "dropped.webp", {type: "image/webp"}));
            document.querySelector(".upload").dispatchEvent(
                new DragEvent("drop", {dataTransfer: carried, bubbles: true, cancelable: true}));
        }""",
        list((tmp_path / "dropped.webp").read_bytes()),
    )
    expect(page.locator(".upload-row[data-state=done]").first).to_contain_text("dropped.webp")
    expect(thumbs).to_have_count(2)
    page.click("#samples-delete-menu")
    expect(page.locator("#samples-delete")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#samples-delete")).to_be_hidden()
    page.click("#samples-delete-menu")
    page.click("#samples-delete")
    expect(page.locator("#sample-facts")).to_contain_text("No sample chosen")
    expect(thumbs).to_have_count(0)
    expect(page.locator("#samples-delete-menu")).to_have_count(0)


def test_a_digit_is_drawn_with_the_mouse_and_with_keys(samples_page: Page) -> None:
    page = samples_page
    pad = page.locator("#drawing-pad")
    pad.scroll_into_view_if_needed()
    box = pad.bounding_box()
    assert box

    def stroke(*points: tuple[float, float]) -> None:
        for n, (x, y) in enumerate(points):
            page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"], steps=4)
            if n == 0:
                page.mouse.down()
        page.mouse.up()

    stroke((0.3, 0.2), (0.7, 0.2), (0.45, 0.8))
    stroke((0.1, 0.9), (0.2, 0.9))
    expect(pad).to_have_attribute("data-strokes", "2")
    page.click('[data-pad="undo"]')
    expect(pad).to_have_attribute("data-strokes", "1")
    page.click('[data-pad="save"]')
    expect(page.locator("#chosen-sample")).to_contain_text("drawing")
    page.wait_for_selector('[data-key="sample"] canvas[data-painted]')
    assert predictions_on(page, "sample").count("head:") == 3
    page.click('[data-pad="clear"]')
    expect(pad).to_have_attribute("data-strokes", "0")
    page.focus("#drawing-pad")
    page.keyboard.press(" ")
    for _ in range(6):
        page.keyboard.press("ArrowDown")
    page.keyboard.press(" ")
    page.keyboard.press("ArrowLeft")
    expect(pad).to_have_attribute("data-strokes", "1")
    with page.expect_response(lambda answer: answer.request.method == "POST" and "/samples" in answer.url):
        page.keyboard.press("Enter")
    expect(page.locator("#chosen-sample")).to_contain_text("drawing")


def test_a_model_with_one_head_for_every_data_set(page: Page, server: Server, circuit: str) -> None:
    page.goto(server.address("/samples", model=circuit, sample="mnist.validation.3"))
    page.wait_for_selector('[data-key="sample"] canvas[data-painted]')
    assert predictions_on(page, "sample").startswith("one head: ") and "; " not in predictions_on(page, "sample")


def test_a_model_that_reads_no_pictures_offers_one_that_does(page: Page, server: Server) -> None:
    model = "smfr-double"
    page.goto(server.address("/samples", model=model))
    page.locator("#gallery .thumb").nth(4).click()
    element = page.locator("#sample-facts .unread")
    expect(element).to_contain_text(re.compile(f"{model} reads .*a sample is a single picture", re.DOTALL))
    expect(page.locator("#see-path")).to_have_count(0)
    expect(page.locator("#sample-facts .sample-image")).to_be_visible()
    switch(page.locator("#gallery-wrong"), True)
    expect(page.locator("#gallery .unread")).to_contain_text(f"{model} reads ")
    assert "POST" not in page.inner_text("body")
    expect(page.locator(".mantine-Notification-root")).to_have_count(0)
    switch(page.locator("#gallery-wrong"), False)
    page.wait_for_selector("#gallery .thumb")
    element.get_by_role("button").click()
    page.wait_for_selector('[data-key="sample"] canvas[data-painted]')
    assert predictions_on(page, "sample").count("%") >= 1
    expect(page.locator(".unread")).to_have_count(0)
    until(page, "model => !location.search.includes(model) && location.search.includes('sample=')", model)
    expect(page.locator("#see-path")).to_be_visible()


def test_paths_without_a_sample_that_it_can_show_leads_to_others(page: Page, server: Server, guard: Guard) -> None:
    guard.expect("status of 404")  # the browser logs the answer about a sample that is not there
    page.goto(server.address("/paths", model="smfr-double", sample="mnist.validation.3"))
    problem, again = page.locator("#paths-problem"), page.locator("#paths-retry")
    expect(problem).to_contain_text("smfr-double reads blocks of numbers")
    expect(again).to_be_hidden()
    problem.get_by_role("button").click()
    page.wait_for_selector("#path-picture[data-painted]")
    assert "sample=mnist.validation.3" in page.url

    go(page, server.address("/paths", model=MODEL, sample="mnist.validation.999999"))
    expect(problem).to_contain_text("There is no such sample in the data sets.")
    expect(again).to_be_hidden()
    for _ in looks(page):
        check(page, ".panel-path")
        assert fits(page)
    problem.get_by_role("link", name="Choose another sample").click()
    page.locator("#gallery .thumb").first.click()
    page.click("#see-path")
    page.wait_for_selector("#path-picture[data-painted]")

    page.goto(server.address("/paths", model=MODEL, sample="nope"))
    expect(page.locator("[data-widget=address-notes]")).to_contain_text('"sample" of the link is "nope": it is ignored')
    expect(page.locator(".path-canvas .when-empty")).to_contain_text("No sample chosen")
    expect(page.locator(".when-failed:visible")).to_have_count(0)
    page.locator("#paths-starters [data-pick-sample]").first.click()
    page.wait_for_selector("#path-picture[data-painted]")
    assert "nope" not in page.url
