"""The figures of the papers: marks are the records' values, print's are the claims', and the document is today's."""

import re
import shutil
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from routescope.assets import DOCS
from routescope.experiments.printed.figures import FIGURES, claims_of, figure, find
from routescope.experiments.printed.frame import NotDrawn
from routescope.experiments.results import results
from routescope.experiments.results.circuits import EDGES, TABLE_1
from routescope.experiments.shared.schema import Record, read_record, record_files
from routescope.plots.printed import PRINT, STYLE, as_svg

pytestmark = pytest.mark.usefixtures("figures")
DRAWN = [entry for entry in FIGURES if entry.draw is not None]
#: Numbered figures of each paper.
NUMBERS = {"ni": 18, "nac": 17, "smfr": 4}


def lines(axes: Axes) -> dict[str, Line2D]:
    """Return the lines of a panel by label."""
    return {str(line.get_label()): line for line in axes.lines}


def points(line: Line2D) -> list[tuple[float, float]]:
    return list(zip(np.asarray(line.get_xdata()).tolist(), np.asarray(line.get_ydata()).tolist(), strict=True))


def record(experiment: str, trainings: int | None = None, steps: int | None = None) -> Record:
    """Return the bundled record of an experiment, of several that with so many trainings or steps."""
    records = [read_record(path) for path in record_files() if path.name.startswith(experiment)]
    fitting = (each for each in records if trainings in (None, each.settings.get("seeds", 1)))
    (only,) = (each for each in fitting if steps in (None, each.settings.get("steps")))
    return only


def test_every_figure_of_the_papers_is_listed_drawn_or_with_a_reason() -> None:
    ids = [name for entry in FIGURES for name in entry.ids]
    assert len(ids) == len(set(ids))
    for paper, most in NUMBERS.items():
        numbers = {int(match[1]) for name in ids if (match := re.fullmatch(rf"{paper}-fig-(\d+)[a-c]?", name))}
        assert numbers == set(range(1, most + 1))
    assert all((entry.draw is None) == bool(entry.why_not) for entry in FIGURES)


def test_every_source_is_that_of_a_claim() -> None:
    table = results()[0]
    for entry in FIGURES:
        sources = {judged.claim.source for judged in claims_of(entry, table)[1]}
        assert sources == set(entry.sources), entry.id


@pytest.mark.parametrize("entry", DRAWN, ids=lambda entry: entry.id)
def test_a_figure_is_drawn_from_the_bundled_records(entry: Any) -> None:
    """Its head has number and stand-ins, and its picture in the documents has today's words and is small."""
    drawing = figure(entry.ids[-1])
    title, *note = (text.get_text() for text in drawing.texts)
    drawing.set_dpi(300)  # of PNG files
    with plt.rc_context(STYLE):
        assert all(text.get_window_extent().x1 <= drawing.bbox.x1 for text in drawing.texts), "the head is cut"
    assert title == f"{entry.paper.short}, {entry.number}: {entry.title}"
    words, now = " ".join(note), as_svg(drawing)
    assert ("Stand-ins replace" in words) == (entry.id in STAND_INS), words
    picture = (DOCS / "figures" / f"{entry.id}.svg").read_text()
    assert written(picture) == written(now), "run `routescope figure --output docs/figures`"
    assert [pytest.approx(mark, abs=0.5) for mark in marks(picture)] == marks(now), (
        "run `routescope figure --output docs/figures`"
    )
    assert len(picture) < 60_000


#: Figures that name a stand-in.
STAND_INS = {
    *(
        "ni-fig-4",
        "ni-fig-5a",
        "ni-fig-5c",
        "ni-fig-8",
        "ni-fig-11",
        "ni-fig-12",
        "ni-fig-13",
        "ni-fig-14",
        "ni-fig-15",
    ),
    *("ni-fig-16", "ni-fig-17", "ni-tab-2", "nac-fig-4", "nac-fig-5", "nac-fig-9", "nac-fig-10", "nac-fig-11"),
    *("nac-fig-12", "nac-fig-13", "nac-fig-14", "nac-fig-15", "nac-tab-1", "nac-tab-2"),
}


def written(svg: str) -> list[str]:
    """Return the words and numbers that stand in a picture."""
    return re.findall(r"<(?:text|tspan)[^>]*>([^<]*)", svg)


def marks(svg: str) -> list[list[float]]:
    """Return the numbers of every path and of every place of a mark, in points."""
    parts = re.findall(r' d="([^"]*)"|<use [^>]*x="([^"]+)" y="([^"]+)"', svg)
    return [[float(number) for number in re.findall(r"-?\d*\.?\d+", " ".join(part))] for part in parts]


def test_the_documents_hold_no_other_pictures() -> None:
    files = list((DOCS / "figures").iterdir())
    assert {file.name for file in files} == {f"{entry.id}.svg" for entry in DRAWN}
    assert sum(file.stat().st_size for file in files) < 720_000


def test_curves_are_the_records_values() -> None:
    accuracies = [row for row in record("ni-anytime").figures if row.name == "accuracy"]
    anytime = {(row.where["domain"], row.where["iterations"]): row.value for row in accuracies}
    curve = points(lines(figure("ni-fig-8").axes[0])["MNIST"])
    assert curve == [(at, anytime["mnist", at]) for at in range(13)] and curve[1] == (1, 0.428)
    band = figure("ni-fig-5c").axes[0].collections[0].get_paths()[0].vertices
    drops = [row for row in record("ni-drop").figures if row.name == "accuracy after random drops"]
    ends = {(row.where["dropped"], end) for row in drops[:6] for end in (row.low, row.high)}
    assert ends <= {tuple(place) for place in np.asarray(band).tolist()}
    accuracy, speed = figure("nac-fig-5").axes
    dropped = record("nac-drop", trainings=3)
    where = {
        "model": "NAC, scale-free prior",
        "distribution": "IID",
        "order": "least connected first",
        "dropped": "30%",
    }
    (third,) = (row.value for row in dropped.figures if row.name == "accuracy" and row.where == where)
    assert points(lines(accuracy)["scale-free"])[3] == (0.3, third) and 0.4 < third < 0.6
    costs = [row for row in dropped.tables["costs"] if row["model"] == "nac-scale-free"]
    assert points(lines(speed)["scale-free"])[3] == (0.3, costs[3]["speed_up"]) and costs[3]["speed_up"] > 1
    average, perfect = figure("smfr-fig-4").axes
    trials = [row for row in record("smfr-algo", steps=50_000).tables["trials"] if row["family"] == "SMFR"]
    five = np.mean([row["5 iterations"] for row in trials])
    assert len(trials) == 16 and points(lines(average)["SMFR"])[4] == (pytest.approx(4.85), pytest.approx(five))
    assert len(figure("smfr-fig-3").axes[0].lines) == 27, "24 wide SMFRs, and three courses of feed-forward networks"


def test_maps_have_all_points_of_their_record() -> None:
    panels = figure("nac-fig-6").axes
    assert [sum(len(points(line)) for line in panel.lines) for panel in panels] == [3315, 355]
    first = record("nac-sentences").tables["maps"][0]
    assert points(lines(panels[0])["hard cardinality"]) == list(zip(first["x"], first["y"], strict=True))
    assert [sum(len(points(line)) for line in panel.lines) for panel in figure("ni-fig-18").axes] == [384] * 8


def test_what_print_says_is_open_and_the_claims_number() -> None:
    open_marks = [line for line in figure("nac-fig-10").axes[0].lines if line.get_label() == PRINT]
    printed = [{0.0: TABLE_1[model][0], **shares} for model, shares in EDGES.items()]
    assert sorted(map(points, open_marks)) == sorted(list(marks.items()) for marks in printed)
    assert {line.get_markerfacecolor() for line in open_marks} == {"white"}
    (line,) = (line for line in figure("nac-fig-13").axes[0].lines if line.get_label() == PRINT)
    assert points(line) == [(0.97, 0.5456), (0.98, 0.5051), (0.99, 0.2808)]
    assert points(lines(figure("nac-fig-5").axes[1])[PRINT]) == [(0.8, 8.0)]
    axes = figure("smfr-tab-3").axes[0]
    named = dict(zip((label.get_text() for label in axes.get_yticklabels()), axes.get_yticks(), strict=True))
    assert [x for x, _ in points(lines(axes)[PRINT])] == [0.949, 0.975, 0.945, 0.984, 0.982]
    assert list(named) == ["FNN", "Transformer", "SMFR", "SMFR bias", "SMFR no_context"]


def test_tables_of_parts_of_a_grid_have_the_records_cells_and_all_that_print_has() -> None:
    for number, panels, stated, ours in ((4, 5, 45, 45), (5, 5, 15, 15), (6, 2, 25, 56), (7, 2, 18, 14)):
        axes = figure(f"smfr-tab-{number}").axes
        assert len(axes) == panels
        assert sum(len(points(lines(panel)[PRINT])) for panel in axes) == stated
        assert sum(len(points(lines(panel)["ours"])) for panel in axes) == ours
    (cell,) = (
        row.value
        for row in record("smfr-addmul").figures
        if (row.where["table"], row.where["threshold"], row.where.get("hidden layers")) == (5, "0.9", 2)
    )
    panel = figure("smfr-tab-5").axes[2]
    assert panel.get_title() == "threshold 0.9" and points(lines(panel)["ours"])[1] == (cell, -1)
    assert points(lines(panel)[PRINT])[1] == (0.299, -1)


def test_graphs_of_cut_circuits_have_the_links_that_were_scored() -> None:
    rows = [row for row in record("nac-edges", trainings=1).tables["shares"] if row["model"] == "nac-scale-free"]
    links = {row["removed"]: row["edges"] for row in rows}
    ends = [np.asarray(axes.lines[0].get_xdata()) for axes in figure("nac-fig-13").axes[1:]]
    assert [int(np.isnan(each).sum()) for each in ends] == [links[share] for share in EDGES["nac-scale-free"]]


def test_own_records_count_and_quick_ones_do_not(tmp_path: Path) -> None:
    (path,) = (path for path in record_files() if path.name.startswith("ni-anytime"))
    bundled = read_record(path)
    of_mnist = (row for row in bundled.figures if row.name == "accuracy" and row.where["domain"] == "mnist")
    accuracies = {row.value for row in of_mnist}
    real = tuple(data.model_copy(update={"stand_in": False, "stand_in_for": None}) for data in bundled.data)
    lower = tuple(row.model_copy(update={"value": 0.2, "low": 0.2, "high": 0.2}) for row in bundled.figures)
    for quick, value in ((True, bundled.figures), (False, lower)):
        mine = bundled.model_copy(update={"quick": quick, "figures": value, "data": real})
        (tmp_path / "ni-anytime-mine.json").write_text(mine.model_dump_json())
        curve = points(lines(figure("ni-fig-8", [tmp_path]).axes[0])["MNIST"])
        assert {y for _, y in curve} == (accuracies if quick else {0.2})


def test_a_record_without_the_rows_of_a_figure_is_named_with_what_it_lacks(tmp_path: Path) -> None:
    bundled = record("nac-drop", trainings=1)
    short = bundled.model_copy(
        update={"tables": {**bundled.tables, "costs": tuple({"model": "nac-scale-free"} for _ in range(2))}}
    )
    without = {
        "nac-fig-5": (short, "table 'costs' has a row without 'dropped'"),
        "nac-fig-15": (bundled.model_copy(update={"tables": {}}), "there is no table 'costs'"),
        "ni-fig-8": (record("ni-anytime").model_copy(update={"figures": ()}), "there is no number 'accuracy' with "),
    }
    opened = plt.get_fignums()
    for name, (mine, lacks) in without.items():
        later = mine.model_copy(
            update={"data": tuple(data.model_copy(update={"stand_in": False}) for data in mine.data)}
        )
        (tmp_path / f"{mine.id}-mine.json").write_text(later.model_dump_json())
        with pytest.raises(NotDrawn) as problem:
            figure(name, [tmp_path])
        words = f"{name} is not drawn: own/{mine.id}-mine.json lacks rows that it needs ({lacks}"
        assert str(problem.value).startswith(words)
    assert plt.get_fignums() == opened


def test_what_cannot_be_drawn_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(NotDrawn, match=r"^unknown figure 'fig-99'; there are ni-fig-3, .*smfr-tab-7\.$"):
        find("fig-99")
    with pytest.raises(NotDrawn, match=r"^ni-fig-1 is not drawn: it is a diagram and shows no measurement\.$"):
        figure("ni-fig-1")
    shutil.copy(next(path for path in record_files() if path.name.startswith("ni-drop")), tmp_path)
    alone = list(tmp_path.iterdir())
    monkeypatch.setattr("routescope.experiments.results.table.record_files", lambda _: alone)
    assert figure("ni-fig-5c").axes
    with pytest.raises(NotDrawn, match=r"^there is no record of nac-drop; run `routescope reproduce nac-drop`\.$"):
        figure("nac-fig-5")
