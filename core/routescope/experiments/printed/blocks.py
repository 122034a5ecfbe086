"""Figures and tables of *Block-Operations*."""

from typing import Any

from matplotlib.figure import Figure

from routescope.experiments.printed.frame import Draw, PrintedFigure, RunRecords, diagram, marks, rows
from routescope.experiments.printed.tables import Line, claims_table, dots_table
from routescope.experiments.results.blocks import WIDE
from routescope.experiments.results.claims import BLOCKS
from routescope.experiments.results.rule import matches
from routescope.experiments.shared.schema import Record
from routescope.experiments.shared.tables import BLOCKS_TABLE_4, BLOCKS_TABLE_5, BLOCKS_TABLE_7, FNN
from routescope.plots.printed import COLOURS, GREY, Mark, curve, legend, percent, sheet, thousands

#: What an architecture of double addition is called by.
SHAPE = ("attention", "depth", "layers", "width")
FAMILIES = ("SMFR", "SMFR, noisy", "FNN", "Transformer")
PERMUTED = {"smfr-bpmnist": "SMFR", "smfr-bpmnist-bias": "SMFR bias", "smfr-bpmnist-no-context": "SMFR no_context"}
#: Columns of the course of a training -> the title of their panel.
INDICATORS = {
    "sharpness.l1": "attention sharpness, layer 1",
    "difference": "difference between permutations",
    "accuracy.test": "test accuracy",
}
ROUTED = {
    "smfr-double": "double addition",
    "smfr-algo": "conditional assignments",
    "smfr-addmul": "addition, multiplication",
}
GATES = {"gates.l1.computed": "computed", "gates.l1.copied": "copied"}


def _converging(evidence: RunRecords) -> tuple[Figure, str]:
    record = evidence.best("smfr-double")
    figure, (panel,) = sheet(2.4)
    curves: dict[str, list[tuple[int, float]]] = {}
    for row in record.tables["curves"]:
        curves.setdefault(row["trial"], []).append((row["step"], row["ood_accuracy"]))
    lines, drawn = 0, set[tuple[float, ...]]()
    for trial in record.tables["trials"]:
        smfr = matches(trial, WIDE)
        x, y = zip(*curves[trial["trial"]], strict=True)
        if smfr or (trial["kind"] == FNN and y not in drawn):
            drawn.add(y)
            colour = COLOURS[lines % len(COLOURS)] if smfr else GREY
            panel.plot(x, y, color=colour, linewidth=0.9 if smfr else 0.6, alpha=0.9, linestyle="-" if smfr else ":")
            lines += smfr
    panel.set(xlabel="training step", ylabel="accuracy out of distribution", ylim=(-0.02, 1.02))
    panel.margins(x=0.01)
    thousands(panel)
    percent(panel)
    return (
        figure,
        f"One training a line: {lines} SMFRs of softmax, depth 1, width 8 to 10 (colours only tell them apart); "
        "FNNs dotted, equal ones once. Each has a seed of its own; no intervals.",
    )


def _of_families(evidence: RunRecords) -> dict[str, Record]:
    """Return of each family of networks the first record that has it."""
    names: dict[str, str] = {}
    for name, record in evidence.named("smfr-algo").items():
        for row in record.tables["trials"]:
            names.setdefault(row["family"], name)
    return {family: evidence.use("smfr-algo", names[family])[0] for family in FAMILIES if family in names}


def _iterated(evidence: RunRecords) -> tuple[Figure, str]:
    records = _of_families(evidence)
    figure, panels = sheet(2.3, 1, 2, sharey=True)
    names = {"accuracy, all trials": "average accuracy", "trials with an accuracy of 1.000": "share of trials at 100 %"}
    for panel, (name, title) in zip(panels, names.items(), strict=True):
        for at, (family, record) in enumerate(records.items()):
            apart = 0.1 * (at - 1.5)  # equal values stand beside each other
            points = marks(rows(record, name, family=family), "iterations")
            curve(panel, [mark._replace(x=mark.x + apart) for mark in points], family, at, bars=True)
        panel.axvline(2, color="0.7", linewidth=0.6, linestyle=":", zorder=0)
        panel.set(title=title, xlabel="iterations (trained with 2)", ylim=(0, 1.03), xticks=range(1, 10))
        percent(panel)
    legend(figure, panels[:1])
    words = ", ".join(
        f"{rows(record, 'accuracy, all trials', family=family)[0].count} {family} of {record.settings['steps']:,} steps"
        for family, record in records.items()
    )
    return figure, f"Means over all trials ({words}), one seed each; bars: 95 % over trials."


def _course(columns: dict[str, str], models: dict[str, str]) -> Draw:
    def draw(evidence: RunRecords) -> tuple[Figure, str]:
        course = evidence.best("smfr-inspect").tables["course"]
        figure, panels = sheet(2.2, 1, len(columns))
        for panel, (column, title) in zip(panels, columns.items(), strict=True):
            for at, (model, label) in enumerate(models.items()):
                points = [row for row in course if row["model"] == model and row.get(column) is not None]
                panel.plot(
                    [row["step"] for row in points], [row[column] for row in points], color=COLOURS[at], label=label
                )
            panel.set(title=title, xlabel="training step", ylim=(0, 1.02))
            thousands(panel)
        legend(figure, panels[:1])
        return figure, "One bundled network each, on 512 samples; no intervals."

    return draw


def _gates(evidence: RunRecords) -> tuple[Figure, str]:
    course = evidence.best("smfr-inspect").tables["course"]
    figure, panels = sheet(2.2, 1, len(ROUTED), sharey=True)
    for panel, (model, title) in zip(panels, ROUTED.items(), strict=True):
        points = [row for row in course if row["model"] == model]
        for at, (column, label) in enumerate(GATES.items()):
            values = [Mark(row["step"], row[column]) for row in points]
            panel.plot([mark.x for mark in values], [mark.y for mark in values], color=COLOURS[at], label=label)
        panel.set(title=title, xlabel="training step", ylim=(0, 1.02))
        thousands(panel)
        percent(panel)
    panels[0].set_ylabel("share of gates, layer 1")
    legend(figure, panels[:1])
    return (
        figure,
        "Computed: gates above 0.9; copied: below 0.1. One bundled network each, on 512 samples; no intervals.",
    )


def _by_size(evidence: RunRecords) -> tuple[Figure, str]:
    record = evidence.best("smfr-addmul")

    def line(threshold: float, kind: str, size: str, stated: float) -> Line:
        return Line(f"{kind}, {size}", _measured(record, 4, threshold, network=kind, size=size), stated)

    groups = {
        f"threshold {threshold:g}": [
            line(threshold, kind, size, stated) for kind, sizes in of_kind.items() for size, stated in sizes.items()
        ]
        for threshold, of_kind in BLOCKS_TABLE_4.items()
    }
    return dots_table(groups), OVER_NETWORKS


def _by_layers(evidence: RunRecords) -> tuple[Figure, str]:
    record = evidence.best("smfr-addmul")
    groups = {
        f"threshold {threshold:g}": [
            Line(
                f"{layers} hidden layer{'s' * (layers > 1)}",
                _measured(record, 5, threshold, **{"hidden layers": layers}),
                stated,
            )
            for layers, stated in of_layers.items()
        ]
        for threshold, of_layers in BLOCKS_TABLE_5.items()
    }
    return dots_table(groups), OVER_NETWORKS


def _measured(record: Record, table: int, threshold: float, **where: str | int) -> tuple[Mark, ...]:
    """Return our mean of a cell of Tables 4 and 5; nothing where the part of the grid has no such network."""
    at = {"table": table, "threshold": str(threshold), **where}
    return tuple(Mark(row.value, 0, row.low, row.high) for row in record.figures if at.items() <= row.where.items())


def _perfect(evidence: RunRecords) -> tuple[Figure, str]:
    trials = [row for row in evidence.best("smfr-double").tables["trials"] if row["kind"] != FNN]

    def line(alike: list[dict[str, Any]]) -> Line:
        ours = tuple(Mark(row["ood_accuracy"], 0.2 - 0.2 * (at % 3)) for at, row in enumerate(alike))
        first = alike[0]
        hidden = f"{first['layers']} hidden layer{'s' * (first['layers'] > 1)}"
        name = f"{first['attention']}, depth {first['depth']}, width {first['width']}, {hidden}"
        return Line(name, ours, 1.0 if first["in_table_6"] else None)

    groups: dict[str, list[Line]] = {}
    for alternate, title in ((False, "split into low and high"), (True, "alternate split")):
        shapes: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
        for row in trials:
            if row["alternate"] == alternate:
                shapes.setdefault(tuple(row[name] for name in SHAPE), []).append(row)
        perfect = (
            key
            for key, alike in shapes.items()
            if any(row["in_table_6"] or row["ood_accuracy"] == 1.0 for row in alike)
        )
        groups[title] = [line(shapes[key]) for key in sorted(perfect, key=lambda key: (key[0] != "softmax", key))]
    return (
        dots_table(groups),
        "Architectures that reach 100 % in print or here. One training a dot; no intervals. Print: what reached 100 %.",
    )


def _by_size_of_algo(evidence: RunRecords) -> tuple[Figure, str]:
    records = _of_families(evidence)

    def line(family: str, size: str, column: str, stated: float) -> Line:
        name, at = f"accuracy at {column} iterations, all trials of a size", {"family": family, "size": size}
        figures = records[family].figures if family in records else ()
        found = [row for row in figures if row.name == name and at.items() <= row.where.items()]
        return Line(f"{family}, {size}", tuple(Mark(row.value, 0, row.low, row.high) for row in found), stated)

    groups = {
        f"{column} iterations": [
            line(family, size, column, stated[at]) for (family, size), stated in BLOCKS_TABLE_7.items()
        ]
        for at, column in enumerate(("even", "odd"))
    }
    return dots_table(groups), OVER_NETWORKS


OVER_NETWORKS = "Means over networks, one training each; lines: 95 % over networks."

_MORE_LAYERS = "More hidden layers keep more, with diminishing returns at 3."
_REACH_ALL = "25 architectures, most of depth 1 and with one hidden layer."
_MIDDLE_SIZES = "SMFRs are best at middle sizes; other networks gain from size at even numbers."

FIGURES = (
    diagram("smfr-fig-1", BLOCKS, "Figure 1", "A network on values and a network on blocks"),
    diagram("smfr-fig-2", BLOCKS, "Figure 2", "Multiplexer and FNNR"),
    PrintedFigure(
        ids=("smfr-fig-3",),
        paper=BLOCKS,
        number="Figure 3",
        title="Accuracy out of distribution as training progresses",
        shows="Most perfect SMFRs reach 100 % almost at once, some late; none falls again.",
        experiment="smfr-double",
        draw=_converging,
    ),
    PrintedFigure(
        ids=("smfr-fig-4",),
        paper=BLOCKS,
        number="Figure 4",
        title="Accuracy by number of iterations",
        shows="Only SMFRs stay accurate at odd numbers of iterations; the others zig-zag.",
        experiment="smfr-algo",
        draw=_iterated,
    ),
    PrintedFigure(
        ids=("smfr-a-2-4",),
        paper=BLOCKS,
        number="A.2.4",
        title="What SMFRs learn on permuted digits",
        shows="In words: good SMFRs attend sharply and undo the permutation in their first layer.",
        experiment="smfr-inspect",
        sources=("A.2.4",),
        draw=_course(INDICATORS, PERMUTED),
    ),
    PrintedFigure(
        ids=("smfr-a-4",),
        paper=BLOCKS,
        number="A.4",
        title="Blocks that are copied, and blocks that are computed",
        shows="In words: routing decisions can be read from attention and gates.",
        experiment="smfr-inspect",
        draw=_gates,
    ),
    *(
        PrintedFigure(
            ids=(f"smfr-tab-{number}",),
            paper=BLOCKS,
            number=f"Table {number}",
            title=title,
            shows=shows,
            experiment=f"smfr-{task}",
            sources=() if draw else (f"Table {number}",),
            draw=draw or claims_table(f"smfr-{task}", f"Table {number}"),
        )
        for number, task, draw, title, shows in (
            (
                1,
                "addmul",
                None,
                "Interference: accuracy on the first task by threshold",
                "SMFRs forget less than FNNs.",
            ),
            (2, "algo", None, "Conditional assignments: the five best of each family", "Only SMFRs solve odd numbers."),
            (3, "bpmnist", None, "Permuted digits", "SMFRs with a bias or without context are the best."),
            (4, "addmul", _by_size, "Interference by size of the network", "FNNs gain from size, SMFRs less."),
            (5, "addmul", _by_layers, "Interference by hidden layers of the FNNs within SMFRs", _MORE_LAYERS),
            (6, "double", _perfect, "Double addition: architectures that reach 100 %", _REACH_ALL),
            (7, "algo", _by_size_of_algo, "Conditional assignments by size of the network", _MIDDLE_SIZES),
        )
    ),
)
