"""The house style of print: files by their endings, small pictures that lose nothing, and one palette."""

import re
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest

from routescope.plots.printed import (
    COLOURS,
    STYLE,
    Mark,
    as_svg,
    curve,
    dots,
    graph,
    head,
    legend,
    printed,
    save,
    sheet,
)
from routescope_app.dashboard.palette import UNIT_COLOURS

pytestmark = pytest.mark.usefixtures("figures")


@pytest.mark.parametrize(("ending", "magic"), {"svg": b"<?xml", "pdf": b"%PDF-", "PNG": b"\x89PNG\r\n"}.items())
def test_the_ending_of_a_file_chooses_its_format_and_bytes_repeat(ending: str, magic: bytes, tmp_path: Path) -> None:
    first, again = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
    for file in (first, again):
        with plt.rc_context(STYLE):
            figure, (panel,) = sheet(2)
            curve(panel, [Mark(0, 0.1, 0.0, 0.2), Mark(1, 0.3, 0.2, 0.5)], "ours")
            printed(panel, [0], [0.4])
            legend(figure, [panel])
            head(figure, "A title", "A note.")
            save(figure, file)
    assert first.read_bytes().startswith(magic) and first.read_bytes() == again.read_bytes()
    with pytest.raises(ValueError, match=r"^a\.tiff: the ending must be one of \.svg, \.pdf, \.png$"):
        save(figure, tmp_path / "a.tiff")


def test_a_small_svg_has_every_dot_and_every_line() -> None:
    figure, (panel, beside) = sheet(2, 1, 2)
    places = np.random.default_rng(0).random((90, 2))
    dots(panel, places[:, 0].tolist(), places[:, 1].tolist(), "#0072b2", "some")
    panel.set(xlim=(0, 1), ylim=(0, 1))
    linked = np.eye(4, k=1, dtype=bool) | np.eye(4, k=-1, dtype=bool)
    graph(beside, np.array([[0, 1], [0, 0.5], [0, 0], [0, -0.5]]), linked)
    svg = as_svg(figure)
    (path,) = re.findall(r'd="(m[^"]*h0)"', svg)
    steps = np.array(
        [re.findall(r"-?[\d.]+", step) for step in path.removeprefix("m").split("h0")[:-1]], float
    ).reshape(-1, 2)
    drawn = steps.cumsum(axis=0) if path.startswith("m") else steps
    pixels = panel.transData.transform(places) * 72 / figure.dpi
    expected = pixels * [1, -1] + [0, figure.get_figheight() * 72]
    nearest = np.abs(drawn[:, None] - expected).max(axis=2)
    assert drawn.shape == expected.shape and nearest.min(axis=1).max() < 0.2 > nearest.min(axis=0).max()
    assert len(re.findall(r'd="M[^"]*M[^"]*M[^"]*"', svg)) == 1, "three links in one path"
    assert "<metadata" not in svg and " style=" not in svg


def test_colours_are_the_pages_and_a_legend_names_print_once_and_last() -> None:
    assert UNIT_COLOURS[: len(COLOURS)] == COLOURS
    figure, panels = sheet(2, 1, 2)
    for at, panel in enumerate(panels):
        printed(panel, [0], [1])
        curve(panel, [Mark(0, 1)], "NAC", at)
    legend(figure, panels)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["NAC", "print"]
