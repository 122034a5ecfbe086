"""Figures in another Dash app: the example of docs/embedding.md, run as it is printed."""

import contextlib
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import routescope as rs
from routescope.assets import data_dir
from routescope_app import ComparisonFigure, ImportanceFigure, LoadFigure, PathFigure, ScoreFigure, TypeFigure, data_of
from tests.browser.conftest import served

DOCUMENT = Path(__file__).parents[3] / "docs" / "embedding.md"


@contextlib.contextmanager
def running(code: str, port: int, folder: Path) -> Iterator[str]:
    """Run the code of an app, and yield its address."""
    (folder / "example.py").write_text(code)
    environment = os.environ | {
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "ROUTESCOPE_DATA_DIR": str(data_dir()),
    }
    command = [sys.executable, folder / "example.py"]
    with subprocess.Popen(command, env=environment, cwd=folder, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        lines = []
        for line in process.stderr:
            lines.append(line)
            if "Running on" in line:
                break
        else:
            raise AssertionError("".join(lines))
        yield f"http://127.0.0.1:{port}"
        process.terminate()
        process.stderr.read()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def example(at: int) -> str:
    """Return a block of the document's code."""
    return re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)[at]


@pytest.fixture
def figures(tmp_path: Path) -> Iterator[str]:
    """The address of an app with figures."""
    with running(example(0), free_port(), tmp_path) as address:
        yield address


def test_callbacks_of_another_app_read_choices_and_set_data(figures: str, page: Page) -> None:
    page.goto(figures)
    picture = page.locator("#paths canvas")
    expect(picture).to_have_attribute("aria-label", re.compile("ni-digits"))
    expect(page.locator("#step")).to_have_text("Sample mnist.validation.0, step i1")
    page.locator("#paths").get_by_label("Sample").select_option("mnist.validation.2")
    page.locator("#paths").get_by_label("Use at").select_option("i3")
    expect(page.locator("#step")).to_have_text("Sample mnist.validation.2, step i3")
    expect(picture).to_have_attribute("aria-label", re.compile("mnist.validation.2"))

    score = page.locator("#score canvas")
    page.locator("#score").get_by_role("button", name="f3", exact=True).click()
    net = rs.open("ni-digits")
    dropped = rs.score(net, "mnist", limit=40, drop="f3")
    expect(score).to_have_attribute("aria-label", re.compile(re.escape(f"dropped f3: {100 * dropped.figure:.1f} % (")))
    page.locator("#score").get_by_role("button", name="Bring all back").click()
    expect(score).not_to_have_attribute("aria-label", re.compile("dropped"))


def test_each_result_has_a_component() -> None:
    net = rs.open("ni-digits")
    paths = PathFigure(rs.record(net, "mnist", limit=2), id="a", choice={"sample": "mnist.validation.1", "step": "i2"})
    score = ScoreFigure(rs.score(net, "mnist", limit=4), id="b")
    types = TypeFigure(rs.type_map(net, "mnist", "pca", samples=4), id="c")
    load = LoadFigure(rs.load_of("moe-bytes", "python", limit=2), id="d")
    importance = ImportanceFigure(rs.importance(net, rs.dataset("mnist", limit=4)), id="e")
    comparison = ComparisonFigure(rs.compare("moe-bytes", "moe-bytes", "python", limit=2), id="f")
    modules = [
        shown.to_plotly_json()["props"]["module"] for shown in (paths, score, types, load, importance, comparison)
    ]
    assert modules == ["paths", "drop", "types", "load", "importance", "comparison"]
    assert paths.choice == {"sample": "mnist.validation.1", "step": "i2"}
    assert not score.data["live"] and data_of(rs.score(net, "mnist", limit=4))["live"]
    with pytest.raises(ValueError, match=r"this Trace has no interactive figure"):
        PathFigure(rs.record(net, "mnist", limit=1, fields=["types"]), id="g")


def test_callbacks_of_another_app_read_and_set_the_choice_of_a_page(tmp_path: Path, page: Page) -> None:
    port = free_port()
    with served(tmp_path / "served", allowed_origins=(f"http://127.0.0.1:{port}",)) as service:
        imports = "from dash import Dash, Input, Output, State, html\n"
        code = imports + example(1).replace("http://127.0.0.1:8000", service.url) + "\nlab.run()\n"
        with running(code, port, tmp_path) as address:
            page.goto(address)
            frame = page.frame_locator("#drop")
            expect(frame.get_by_role("heading", name="Drop", exact=True)).to_be_visible()
            expect(frame.locator(".frame-navigation")).to_be_hidden()
            expect(page.locator("#dropped")).to_have_text("Dropped: ")
            page.get_by_role("button", name="Drop f3").click()
            third = frame.get_by_role("button", name=re.compile("^f3"))
            expect(third).to_have_attribute("aria-pressed", "true")
            expect(page.locator("#dropped")).to_have_text("Dropped: f3")
            third.click()
            expect(page.locator("#dropped")).to_have_text("Dropped: ")
