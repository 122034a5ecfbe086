"""The numbers of a printed table as dots: ours with its interval, print's as open marks on the same axis."""

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from matplotlib.figure import Figure

from routescope.assets import require
from routescope.experiments.printed.frame import Draw, RunRecords
from routescope.experiments.results.rule import Judged, judge
from routescope.experiments.results.table import CLAIMS
from routescope.plots.printed import COLOURS, Mark, intervals, legend, percent, printed, sheet

#: Inches for a row, and for the axis and the legend.
ROW, AXIS = 0.17, 0.75


def claims_table(experiment: str, source: str) -> Draw:
    """Return the drawing of every number that a table prints and a claim names.

    Args:
        experiment: id.
        source: of the claims, such as "Table 1".
    """

    def draw(evidence: RunRecords) -> tuple[Figure, str]:
        require("scipy")
        stated, records = CLAIMS[experiment], evidence.named(experiment)
        chosen = [claim for claim in stated.claims if claim.source == source and claim.test == "equals"]
        judged = [judge(claim, stated, records) for claim in chosen]
        evidence.use(experiment, *{entry.file for entry in judged if entry.file is not None})
        over = dict.fromkeys(_over(entry) for entry in judged if entry.trainings or entry.samples)
        most = max(entry.count for entry in judged)
        repeated = f"Means of up to {most} trainings" if most > 1 else "One training"
        lines = dict[str, list[Line]]()
        for on in dict.fromkeys(entry.claim.on for entry in judged):
            group = [entry for entry in judged if entry.claim.on == on]
            lines[on] = [*map(_line, group, _short([entry.claim.what for entry in group]))]
        return dots_table(lines, judged[0].claim.unit == "share"), f"{repeated}; lines: 95 % over {' or '.join(over)}."

    return draw


def _over(entry: Judged) -> str:
    """Return what the interval that is drawn is over."""
    stated = entry.claim.repeats if entry.trainings else entry.claim.sampled
    return "samples" if stated is None else stated.of


class Line(NamedTuple):
    """A row of a table: its name, ours (``y``: apart from the row), and the printed number, if any."""

    name: str
    ours: tuple[Mark, ...]
    printed: float | None


def _line(entry: Judged, name: str) -> Line:
    ends = entry.trainings or entry.samples or (None, None)
    ours = () if entry.value is None else (Mark(entry.value, 0, *ends),)
    return Line(name, ours, entry.claim.printed or 0.0)


def dots_table(groups: Mapping[str, Sequence[Line]], share: bool = True) -> Figure:
    """Draw rows of a table as dots, in panels by group; panels with the same rows name them once."""
    names = [[line.name for line in group] for group in groups.values()]
    alike = all(names[0] == other for other in names)
    figure, panels = sheet(ROW * max(map(len, names)) + AXIS, 1, len(groups), sharey=alike)
    for panel, rows, (title, group) in zip(panels, names, groups.items(), strict=True):
        marks = [mark._replace(y=mark.y - at) for at, line in enumerate(group) for mark in line.ours]
        stated = [(line.printed, -at) for at, line in enumerate(group) if line.printed is not None]
        panel.plot(
            [mark.x for mark in marks], [mark.y for mark in marks], "o", color=COLOURS[0], label="ours", zorder=3
        )
        intervals(panel, marks, COLOURS[0], upright=False)
        printed(panel, [x for x, _ in stated], [y for _, y in stated])
        panel.set_yticks([-at for at in range(len(group))], rows)
        panel.set_ylim(-len(group) + 0.4, 0.6)
        panel.grid(axis="x")
        panel.tick_params(axis="y", length=0)
        panel.set_title(title if len(groups) > 1 else "")
        if share:
            percent(panel, "x")
    legend(figure, panels)
    return figure


def _short(names: Sequence[str]) -> list[str]:
    """Return names without the words at their begin and end that all of them share."""
    begin = os.path.commonprefix(list(names)).rpartition(" ")[0]
    end = os.path.commonprefix([name[len(begin) :][::-1] for name in names])[::-1]
    end = end[end.find(" ") :] if " " in end else ""
    return [name[len(begin) : len(name) - len(end)].strip(" ,") for name in names]
