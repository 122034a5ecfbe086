"""What a browser shows of folders of somebody else: their cards as text, and why a folder is not open."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from routescope import zoo
from routescope.zoo import opened
from tests.app.serving import listening, settings
from tests.core.nn.adapters.families import model_of
from tests.robustness.record import came_back
from tests.robustness.test_in_browser import chromium, watched  # noqa: F401  fixtures

#: Ways to run a script, to ask another host for something, and to lead there.
EVIL = (
    "<script>window.evil=1</script>",
    "<img src=x onerror=window.evil=1>",
    "<svg><animate onbegin=window.evil=1>",
    "<iframe src=http://192.0.2.1/></iframe>",
    "![remote](http://192.0.2.1/a.png)",
    "[script](javascript:window.evil=1)",
    "[data](data:text/html,<script>window.evil=1</script>)",
    "[word]: javascript:window.evil=1",
    "[word]",
    "<http://192.0.2.1/>",
    "<div><div><b onmouseover=window.evil=1>nested</b></div></div>",
    "| a |\n| - |\n| <img src=http://192.0.2.1/b.png> |",
)


@pytest.fixture(scope="module")
def gate() -> threading.Event:
    """Until it is set, the folder that can be opened is being opened."""
    return threading.Event()


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory, gate: threading.Event) -> Iterator[int]:
    looked = zoo.info

    def info(model_id: str) -> zoo.ModelInfo:
        assert model_id != "mine" or gate.wait(120)
        return looked(model_id)

    folder: Path = tmp_path_factory.mktemp("folders")
    for name in ("mine", "lies"):
        model_of("mixtral").save_pretrained(folder / name)
    deep = "> " * 500 + "deep\n\n" + "- " * 500 + "deep\n\n"
    (folder / "mine" / "README.md").write_text("\n\n".join(EVIL) + "\n\n" + deep + "x" * 2**20)
    (folder / "lies" / "config.json").write_text("<img src=x onerror=window.evil=1>")
    own = settings(tmp_path_factory.mktemp("page"), role="all", model_folders=(str(folder),))
    with pytest.MonkeyPatch.context() as patched, listening(own) as port:
        patched.setattr("routescope_app.services.engine.openings.WAIT_SECONDS", 0)
        patched.setattr(zoo, "info", info)
        yield port
    opened.use(())


def test_the_card_of_a_folder_is_text(watched: Page, gate: threading.Event) -> None:  # noqa: F811
    """A folder that is being opened is listed once it is open, without a reload; its card runs and fetches nothing."""
    watched.goto("/")
    expect(watched.locator("#models-left-out")).to_contain_text("mine is being opened.", timeout=60_000)
    gate.set()
    watched.get_by_role("button", name="Card of mine").click(timeout=60_000)
    card = watched.locator(".card-text")
    for line in EVIL[:6]:
        expect(card).to_contain_text(line.replace("**", ""))
    expect(card).to_contain_text("The card goes on")
    assert card.locator("script, img, svg, iframe, a, b, [onerror], [onmouseover]").count() == 0
    assert watched.evaluate("window.evil") is None
    came_back(
        "model folders that lie",
        "a README.md with scripts, handlers, links and pictures of other hosts",
        "shown as text in a browser; nothing ran, and no other host was asked",
    )


def test_a_folder_that_is_not_open_says_why(watched: Page) -> None:  # noqa: F811
    watched.goto("/")
    left_out = watched.locator("#models-left-out")
    left_out.locator("summary").click(timeout=60_000)
    expect(left_out).to_contain_text("lies has a config.json that is no JSON, as line 1, column 1 shows.")
