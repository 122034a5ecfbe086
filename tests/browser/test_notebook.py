"""Interactive figures outside the page: in JupyterLab with a kernel, and as HTML files without one."""

import os
import re
import secrets
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import nbformat
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import routescope as rs
from routescope.api.results import Score
from routescope.assets import data_dir
from tests.browser.conftest import PATIENCE

CELLS = (
    "import routescope as rs\nnet = rs.open('ni-digits')",
    "rs.score(net, 'mnist', limit=40, drop='f3')",
    "rs.record(net, 'mnist', limit=2)",
)
#: Settings of JupyterLab without questions to its reader and without questions to other hosts.
SETTINGS = {
    "apputils-extension/notification": '{"checkForUpdates": false, "fetchNews": "false", "doNotDisturbMode": true}'
}


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[str]:
    """The address of a JupyterLab with empty folders and one notebook of ``CELLS``."""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    (tmp_path / "work").mkdir()
    nbformat.write(book, tmp_path / "work" / "book.ipynb")
    for name, text in SETTINGS.items():
        path = tmp_path / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True)
        path.write_text(text)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    token = secrets.token_hex(16)
    folders = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "HOME")
    environment = os.environ | {name: str(tmp_path / name.lower()) for name in folders}
    environment |= {
        "JUPYTERLAB_SETTINGS_DIR": str(tmp_path / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(tmp_path / "workspaces"),
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "ROUTESCOPE_DATA_DIR": str(data_dir()),
    }
    options = (
        "--no-browser", "--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}", "--ServerApp.port_retries=0",
        f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={tmp_path / 'work'}", "--allow-root",
        "--LabApp.extension_manager=readonly",
    )  # fmt: skip
    command = [sys.executable, "-m", "jupyterlab", *options]
    with (
        (tmp_path / "lab.log").open("w") as log,
        subprocess.Popen(
            command, env=environment, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
        ) as process,
    ):
        assert process.stderr is not None
        for line in process.stderr:
            log.write(line)
            if "is running at" in line:
                break
        else:
            raise AssertionError((tmp_path / "lab.log").read_text())
        yield f"http://127.0.0.1:{port}/lab/tree/book.ipynb?token={token}"
        process.terminate()
        process.stderr.read()


@pytest.fixture
def reader(browser: Browser) -> Iterator[Page]:
    """A page that may ask this machine alone, and whose errors of our modules fail the test.

    JupyterLab loads our modules from blobs; errors from its own scripts are its own.
    """
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="light")
    context.set_default_timeout(PATIENCE)
    wrong: list[str] = []

    def ours(text: str, where: str) -> None:
        if where.startswith(("blob:", "file:")) or "blob:" in text or "rs-figure" in text:
            wrong.append(f"{where}: {text}")

    context.on("console", lambda said: said.type == "error" and ours(said.text, said.location["url"]))
    context.on(
        "weberror", lambda failed: ours(failed.error.stack or str(failed.error), failed.page.url if failed.page else "")
    )
    context.on(
        "request", lambda asked: urlsplit(asked.url).hostname in (None, "", "127.0.0.1") or wrong.append(asked.url)
    )
    yield context.new_page()
    context.close()
    assert not wrong, "\n".join(wrong)


def shown(score: Score) -> re.Pattern[str]:
    """Return what a drop board says of a score to screen readers."""
    return re.compile(re.escape(f"{score.intervention.words}: {100 * score.figure:.1f} % ("))


def figure_with(page: Page, words: str) -> Locator:
    return page.locator(".rs-figure", has_text=words)


@pytest.mark.slow
def test_a_notebook_shows_figures_whose_units_its_kernel_drops(lab: str, reader: Page) -> None:
    reader.goto(lab)
    expect(reader.get_by_role("button", name="Python 3 (ipykernel) | Idle")).to_be_visible()
    reader.get_by_role("menuitem", name="Run", exact=True).click()
    reader.locator("[data-command='runmenu:run-all']").click()
    board = figure_with(reader, "Click a unit to")
    picture = board.locator("canvas")
    expect(picture).to_have_attribute("data-words", "dropped f3")
    net = rs.open("ni-digits")
    expect(picture).to_have_attribute("aria-label", shown(rs.score(net, "mnist", limit=40, drop="f3")))
    board.get_by_role("button", name="f1", exact=True).click()
    expect(picture).to_have_attribute("aria-label", shown(rs.score(net, "mnist", limit=40, drop="f1,f3")))
    expect(board.get_by_role("button", pressed=True)).to_have_text(["f1", "f3"])
    board.get_by_label("Click a unit to").select_option("mute")
    board.get_by_role("button", name="f2", exact=True).click()
    changed = rs.score(net, "mnist", limit=40, drop="f1,f3", mute="f2")
    expect(picture).to_have_attribute("aria-label", shown(changed))

    paths = figure_with(reader, "Use at")
    expect(paths.locator("canvas")).to_have_attribute("data-painted", re.compile("mnist.validation.0"))
    paths.get_by_label("Sample").select_option("mnist.validation.1")
    expect(paths.locator("canvas")).to_have_attribute("data-painted", re.compile("mnist.validation.1"))
    reader.evaluate("() => document.body.setAttribute('data-jp-theme-light', 'false')")
    expect(paths).to_have_attribute("data-scheme", "dark")


def test_an_html_file_shows_figures_without_a_server(tmp_path: Path, reader: Page) -> None:
    net = rs.open("ni-digits")
    trace = rs.record(net, "mnist", limit=2, drop="f3")
    reader.goto(trace.to_html(tmp_path / "paths.html").as_uri())
    picture = reader.locator("canvas")
    expect(picture).to_have_attribute("data-painted", re.compile("ni-digits . mnist.validation.0 . dropped f3"))
    tokens = [str(name) for name in trace["token"].values]
    dominant = trace["compatibility"].isel(sample=0, step=0).argmax("unit").values
    first = [name for name, unit in zip(tokens, dominant, strict=True) if unit == 1]
    box = picture.bounding_box()
    assert box is not None
    rows = range(int(box["y"]), int(box["y"] + box["height"]), 12)
    place = next(y for y in rows if points_at(reader, (box["x"] + 164, y), "f2: "))
    reader.mouse.click(box["x"] + 164, place)
    expect(picture).to_have_attribute("data-highlighted", " ".join(first))

    score = rs.score(net, "mnist", limit=40, drop="f3")
    reader.goto(score.to_html(tmp_path / "drop.html").as_uri())
    expect(reader.locator("canvas")).to_have_attribute("aria-label", shown(score))
    expect(reader.get_by_role("button", name="f1", exact=True)).to_be_disabled()

    load = rs.load_of("moe-bytes", ["python", "sums"], limit=2, shuffles=9)
    reader.goto(load.to_html(tmp_path / "load.html").as_uri())
    expect(reader.locator("canvas").first).to_have_attribute("data-painted", "Load by layer and expert")
    reader.get_by_role("combobox").select_option("l3")
    expect(reader.locator("canvas").last).to_have_attribute("data-painted", "Experts by data set, layer 3")

    types = rs.type_map(net, "mnist", "pca", samples=10)
    reader.goto(types.to_html(tmp_path / "types.html").as_uri())
    canvas = reader.locator("canvas")
    expect(canvas).to_have_attribute("data-painted", "Map of types by PCA: ni-digits")
    reader.get_by_label("Shown").select_option("i2")
    at_step = int((types.points.step == types.points.steps.index("i2")).sum())
    expect(canvas).to_have_attribute("aria-label", re.compile(f" {at_step} points, coloured by unit"))


def points_at(page: Page, place: tuple[float, float], words: str) -> bool:
    """Move the pointer to a place of a figure's canvas, and return whether these words are said there."""
    page.mouse.move(*place)
    return page.evaluate("() => document.querySelector('.rs-figure canvas').title").startswith(words)
