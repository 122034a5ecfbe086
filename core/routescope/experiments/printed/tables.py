"""The numbers of a printed table as dots: ours with its interval, print's as open marks on the same axis."""

import os
from collections.abc import Sequence

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
        return _dots(judged), f"{repeated}; lines: 95 % over {' or '.join(over)}."

    return draw


def _over(entry: Judged) -> str:
    """Return what the interval that is drawn is over."""
    stated = entry.claim.repeats if entry.trainings else entry.claim.sampled
    return "samples" if stated is None else stated.of


def _dots(judged: Sequence[Judged]) -> Figure:
    """Draw one row a claim, in panels by the data that the paper measured it on."""
    groups = {entry.claim.on: [other for other in judged if other.claim.on == entry.claim.on] for entry in judged}
    most = max(len(group) for group in groups.values())
    figure, panels = sheet(ROW * most + AXIS, 1, len(groups))
    for panel, (on, group) in zip(panels, groups.items(), strict=True):
        marks = [
            Mark(entry.value, -at, *(entry.trainings or entry.samples or (None, None)))
            for at, entry in enumerate(group)
            if entry.value is not None
        ]
        panel.plot(
            [mark.x for mark in marks], [mark.y for mark in marks], "o", color=COLOURS[0], label="ours", zorder=3
        )
        intervals(panel, marks, COLOURS[0], upright=False)
        printed(panel, [entry.claim.printed or 0.0 for entry in group], [-at for at in range(len(group))])
        panel.set_yticks([-at for at in range(len(group))], _short([entry.claim.what for entry in group]))
        panel.set_ylim(-len(group) + 0.4, 0.6)
        panel.grid(axis="x")
        panel.tick_params(axis="y", length=0)
        panel.set_title(on if len(groups) > 1 else "")
        if group[0].claim.unit == "share":
            percent(panel, "x")
    legend(figure, panels)
    return figure


def _short(names: Sequence[str]) -> list[str]:
    """Return names without the words at their begin and end that all of them share."""
    begin = os.path.commonprefix(list(names)).rpartition(" ")[0]
    end = os.path.commonprefix([name[len(begin) :][::-1] for name in names])[::-1]
    end = end[end.find(" ") :] if " " in end else ""
    return [name[len(begin) : len(name) - len(end)].strip(" ,") for name in names]
