"""Figures in another Dash app: the example of docs/embedding.md, run as it is printed."""

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
from routescope_app import LoadFigure, PathFigure, ScoreFigure, TypeFigure, data_of

DOCUMENT = Path(__file__).parents[3] / "docs" / "embedding.md"


@pytest.fixture
def example(tmp_path: Path) -> Iterator[str]:
    """The address of the example."""
    code = re.search(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    assert code
    (tmp_path / "example.py").write_text(code[1])
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    environment = os.environ | {
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "ROUTESCOPE_DATA_DIR": str(data_dir()),
    }
    command = [sys.executable, tmp_path / "example.py"]
    with subprocess.Popen(command, env=environment, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
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


def test_callbacks_of_another_app_read_choices_and_set_data(example: str, page: Page) -> None:
    page.goto(example)
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
    assert [each.to_plotly_json()["props"]["module"] for each in (paths, score, types, load)] == [
        "paths", "drop", "types", "load",
    ]  # fmt: skip
    assert paths.choice == {"sample": "mnist.validation.1", "step": "i2"}
    assert not score.data["live"] and data_of(rs.score(net, "mnist", limit=4))["live"]
    with pytest.raises(ValueError, match=r"this Trace has no interactive figure"):
        PathFigure(rs.record("nac-scale-free", "mnist", limit=1), id="e")
