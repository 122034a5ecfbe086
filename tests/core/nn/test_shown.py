"""What a notebook shows of a result: a text of at most 500 characters, and small tables without scripts."""

from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st

import routescope as rs
from routescope import zoo
from routescope.data import load
from routescope.data.samples import Samples
from routescope.nn.network import Network
from routescope.nn.shown import CELL, LONGEST, ROWS, html, short, shortened
from routescope.routing import record
from routescope.routing.caused.importance import importance
from routescope.routing.caused.pruning import expert_usage, kept_of
from routescope.routing.caused.scores import score
from routescope.routing.check.checking import check
from routescope.routing.compare import compare
from routescope.routing.compare.recorded import record_log
from routescope.routing.logs.log import RoutingLog
from routescope.routing.maps.embedding import embed
from routescope.routing.maps.points import TypePoints, type_points
from routescope.routing.observed.load import Load, LoadObserver
from routescope.routing.observed.observer import observe


def mixture() -> Network:
    return zoo.load("moe-bytes")


def sums() -> Samples:
    return load("sums", "validation", limit=2)


def pictures() -> tuple[Network, Samples]:
    return zoo.load("ni-digits"), load("mnist", "validation", limit=6)


@cache
def seen() -> Load:
    observer = LoadObserver(mixture(), [sums()], shuffles=2)
    for _ in observer:
        pass
    return observer.result()


@cache
def log() -> RoutingLog:
    return record_log(mixture(), [sums()]).log


@cache
def points() -> TypePoints:
    return type_points(pictures()[0], [pictures()[1]], samples=2)


#: Class of a result -> how to make one, words of its text, and words of a cell of its table where it has one.
RESULTS: dict[str, tuple[Callable[[], Any], str, str | None]] = {
    "Trace": (lambda: rs.record(mixture(), "f(x)"), "sample=1", "'f'"),
    "Paths": (lambda: record(pictures()[0], pictures()[1].inputs(slice(0, 2))).paths(), "rows", None),
    "Load": (seen, "4 x 8 x 1", "l4"),
    "OutputSimilarity": (lambda: seen().written, "4 x 8 x 8", None),
    "TokenKinds": (lambda: seen().by_token, "tokens=", None),
    "Scores": (lambda: score(mixture(), sums()), "samples=2", None),
    "Importance": (lambda: importance(pictures()[0], [pictures()[1]], limit=2), "rows", "Shapley value"),
    "Observation": (lambda: observe(pictures()[0], [pictures()[1]]), "variables", None),
    "TypePoints": (points, "float32", None),
    "Embedding": (lambda: embed(points(), "pca"), "x 2 ", None),
    "ModelInfo": (lambda: zoo.info("moe-bytes"), "moe-bytes", None),
    "MixtureNetwork": (mixture, "moe-bytes", "parameters"),
    "TextSet": (sums, "sums", None),
    "PictureSet": (lambda: pictures()[1], "mnist", None),
    "Text": (lambda: load("python", "validation", limit=9).inputs(slice(0, 9)), "9", None),
    "Comparison": (lambda: compare(log(), log(), ("a", "b")), "names=('a', 'b')", "same experts"),
    "RoutingLog": (log, "RoutingLog(", "num_experts"),
    "KeepList": (lambda: kept_of(mixture(), mixture().units, 0.5), "4 items", None),
    "ExpertUsage": (lambda: expert_usage(mixture(), [sums()]), "l1.e1", None),
    "Score": (lambda: rs.score(mixture(), sums(), drop="l1.e2"), "change=", "change"),
    "Pruned": (lambda: rs.prune(mixture(), sums(), keep=0.5), "experts='16 of 32'", "kept experts"),
    "Report": (lambda: check(mixture(), [sums().inputs(slice(0, 2))]), "held=True", "held"),
}


class Cells(HTMLParser):
    """The tags of a page, and the text of every cell."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.cells: list[str] = []
        self.inside = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)
        self.inside = tag in ("td", "th")
        self.cells += [""] * self.inside

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.cells[-1] += data


TAGS = {"div", "strong", "table", "tr", "th", "td"}


@pytest.mark.slow
@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_a_text_of_500_characters_and_a_small_table(name: str) -> None:
    make, words, cell = RESULTS[name]
    result = make()
    text = repr(result)
    assert len(text) <= 500 and text.startswith(f"{name}(") and words in text, text
    if cell is not None:
        page = result._repr_html_()
        assert len(page.encode()) < 8_000 and Cells(page).tags <= TAGS
        assert any(cell in each for each in Cells(page).cells), page


def test_a_table_of_tokens_has_no_padding_and_nothing_of_a_text_acts() -> None:
    page = rs.record(mixture(), ["<script>x</script>", "a longer text than the first"])._repr_html_()
    cells = Cells(page).cells
    assert "<script" not in page and "'<'" in cells and cells.count("''") == 0
    assert len(cells) < 9 * (1 + ROWS)
    without = rs.record(mixture(), "x", drop="l1.e1")
    taken = without["top_experts"].isel(sample=0, token=1).values
    assert " ".join(f"e{place + 1:.0f}" for place in taken[0]) in Cells(without._repr_html_()).cells


@settings(max_examples=25)
@given(st.text(max_size=300), st.lists(st.lists(st.text(max_size=300), min_size=2, max_size=2), max_size=40))
def test_cells_hold_the_text_that_they_were_given(title: str, rows: list[list[str]]) -> None:
    page = html(title, {title: title}, (title, "b"), rows)
    shown = [
        text[:CELL] + "..." * (len(text) > CELL) for row in [[title, title], [title, "b"], *rows[:ROWS]] for text in row
    ]
    assert Cells(page).tags <= TAGS and Cells(page).cells == shown
    assert (f"and {len(rows) - ROWS} more rows" in page) or len(rows) <= ROWS


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=200) | st.binary(max_size=200),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner, inner),
)


@settings(max_examples=15)
@given(st.dictionaries(st.text(max_size=20), VALUES, max_size=30))
def test_no_value_makes_a_text_longer(facts: dict[str, object]) -> None:
    assert len(shortened("Result", facts)) <= LONGEST


def test_large_values_are_shown_by_their_sizes() -> None:
    assert short(np.zeros((3, 4))) == "3 x 4 float64"
    assert short(torch.zeros(2, dtype=torch.int64)) == "2 int64"
    assert short(pd.DataFrame({"a": range(5)})) == "table of 5 rows and 1 columns"
    assert short(xr.Dataset({"a": 1})) == "Dataset of 1 variables"
    assert short(range(1000)) == "(0, ...; 1,000)"
