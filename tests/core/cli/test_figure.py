"""``routescope figure``: a file, a folder of all, the list, and mistakes."""

from pathlib import Path

import pytest

from routescope.experiments.printed.figures import FIGURES, as_markdown
from tests.core.cli.program import refused, run, run_json, words_of

pytestmark = pytest.mark.usefixtures("figures")


def test_a_figure_is_a_file_of_the_wished_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert words_of("figure", "ni-fig-5b") == "Wrote ni-fig-5b.svg"
    written = run_json("figure", "smfr-fig-4", "-o", tmp_path / "new" / "reuse.pdf")
    assert written == {"files": [str(tmp_path / "new" / "reuse.pdf")]}
    assert (tmp_path / "new" / "reuse.pdf").read_bytes().startswith(b"%PDF-")
    assert words_of("figure", "nac-fig-9", "--output", tmp_path / "new").endswith("nac-fig-9.svg")
    assert (tmp_path / "new" / "nac-fig-9.svg").read_text().startswith("<?xml")


def test_the_list_has_every_figure_and_the_reasons() -> None:
    words = words_of("figure", "--list")
    assert all(f"{entry.id}" in words and entry.number in words for entry in FIGURES)
    assert "ni-fig-1 Figure 1: Scripts, functions and lines of code not drawn: it is a diagram" in words
    plain = run_json("figure", "--list")
    assert [row["ids"] for row in plain] == [list(entry.ids) for entry in FIGURES]


def test_markdown_is_the_document() -> None:
    result = run("figure", "--markdown")
    assert result.exit_code == 0 and result.stdout == as_markdown()


def test_mistakes_are_one_line(tmp_path: Path) -> None:
    assert "unknown figure 'ni-fig-99'; there are ni-fig-3, ni-fig-4" in refused("figure", "ni-fig-99")
    assert "ni-fig-2 is not drawn: it is a diagram" in refused("figure", "ni-fig-2")
    assert "the ending must be one of .svg, .pdf, .png" in refused("figure", "ni-fig-5b", "-o", tmp_path / "a.gif")
    assert "name a figure, or give a folder" in refused("figure")
    assert "give a folder of records that does" in refused("figure", "ni-fig-8", "--records", tmp_path / "none")
