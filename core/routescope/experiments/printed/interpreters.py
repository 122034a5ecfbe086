"""Figures and tables of *Dynamic Inference with Neural Interpreters*."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from routescope.api.asking import record as routed
from routescope.experiments.printed.frame import Draw, PrintedFigure, RunRecords, diagram, marks, rows
from routescope.experiments.printed.tables import claims_table
from routescope.experiments.results.claims import NI
from routescope.experiments.results.interpreters import DIGITS
from routescope.experiments.shared.schema import RecordedFigure
from routescope.plots import sweep
from routescope.plots.printed import COLOURS, curve, dots, legend, percent, printed, sheet

STEPS = {
    "s1.i1": "script 1, iteration 1",
    "s1.i2": "script 1, iteration 2",
    "s2.i1": "script 2, iteration 1",
    "s2.i2": "script 2, iteration 2",
}
ROUTINGS = ("learned", "fixed at initialisation")
NETWORKS = {"ni-digits": "Neural Interpreter", "vit-digits": "Vision Transformer"}
FUNCTIONS = {"ni-digits": "functions intact", "ni-digits, functions drawn anew": "functions drawn anew"}
#: Least weights of a thin, a middle and a wide line.
WEIGHTS = (0.15, 0.3, 0.6)
#: Share of the full accuracy that print keeps at half the compute (Figure 8).
KEPT = 0.7


def _domain(row: RecordedFigure) -> str:
    """Return the name of a domain in the paper, with "(stand-in)" where ours is one."""
    return f"{DIGITS[str(row.where['domain'])]}{' (stand-in)' if row.stand_in else ''}"


def _types(routings: Sequence[str]) -> Draw:
    def draw(evidence: RunRecords) -> tuple[Figure, str]:
        record = evidence.best("ni-types")
        figure, panels = sheet(1.75 * len(routings) + 0.2, len(routings), len(STEPS))
        points = record.tables["map points"]
        for at, routing in enumerate(routings):
            for panel, (step, title) in zip(panels[at * len(STEPS) :], STEPS.items(), strict=False):
                for function in range(1, 6):
                    chosen = [
                        row
                        for row in points
                        if (row["routing"], row["step"]) == (routing, step) and row["function"].endswith(f"f{function}")
                    ]
                    x, y = [row["x"] for row in chosen], [row["y"] for row in chosen]
                    dots(panel, x, y, COLOURS[function - 1], f"f{function} closest")
                panel.set_title(title if at == 0 else "")
            if len(routings) > 1:
                panels[at * len(STEPS)].set_ylabel(routing)
        legend(figure, panels)
        trust = {row["routing"]: row["trustworthiness"] for row in record.tables["maps"]}
        kept = ", ".join(f"{trust[routing]:.2f} ({routing})" for routing in routings)
        return figure, f"t-SNE of the types of patches. Trustworthiness: {kept}. One training of each network."

    return draw


def _paths(evidence: RunRecords) -> tuple[Figure, str]:
    """Lines between functions: one for each token and step, shifted by the token, wider with its weight."""
    paths = routed(evidence.model("ni-digits"), "mnist", limit=3).paths()
    figure, panels = sheet(2.2, 1, 3, sharey=True)
    column, row = ({str(name): at for at, name in enumerate(names)} for names in (paths.steps, paths.units))
    tokens = {token: at for at, token in enumerate(sorted(set(paths.segments["token"])))}
    for panel, (sample, segments) in zip(panels, paths.segments.groupby("sample", sort=False), strict=True):
        heavy = segments[segments["weight"] >= WEIGHTS[0]]
        shift = 0.5 * (heavy["token"].map(tokens).to_numpy() / max(1, len(tokens) - 1) - 0.5)
        x = np.stack([heavy["step"].map(column), heavy["next_step"].map(column), np.full(len(heavy), np.nan)], 1)
        y = np.stack([shift - heavy["from_unit"].map(row), shift - heavy["to_unit"].map(row), x[:, 2]], 1)
        level = np.digitize(heavy["weight"], WEIGHTS)
        for unit, at in row.items():
            for width in range(1, len(WEIGHTS) + 1):
                chosen = ((heavy["from_unit"] == unit) & (level == width)).to_numpy()
                (line,) = panel.plot(x[chosen].ravel(), y[chosen].ravel(), color=COLOURS[at])
                line.set(alpha=width / len(WEIGHTS), linewidth=0.4 * width)
            panel.plot(range(len(column)), [-at] * len(column), "o", color=COLOURS[at], ms=6, zorder=4)
        panel.set(
            title=f"sample {1 + int(str(sample).rpartition('.')[2])}",
            xticks=range(len(column)),
            xticklabels=list(column),
        )
        panel.set(yticks=[-at for at in row.values()], yticklabels=list(row))
        panel.grid(False)
        panel.spines[:].set_visible(False)
        panel.tick_params(length=0)
    return (
        figure,
        f"Samples of MNIST in ni-digits. Lines: tokens with a weight above {WEIGHTS[0]:g}, in the function's colour.",
    )


def _adaptations(names: dict[str, str], alone: bool) -> Draw:
    def draw(evidence: RunRecords) -> tuple[Figure, str]:
        named = evidence.named("ni-adapt")
        printed_set = [name for name, record in named.items() if record.data[0].name == "kmnist"][:1]
        others = [] if alone else [name for name in named if name not in printed_set]
        records = [record for name in (*printed_set, *others) for record in evidence.use("ni-adapt", name)]
        figure, panels = sheet(2.3, 1, len(records), sharey=True)
        for panel, record in zip(panels, records, strict=True):
            for at, (model, label) in enumerate(names.items()):
                curve(panel, marks(rows(record, "accuracy", model=model), "samples"), label, at)
            panel.set_xscale("log", base=2)
            title, source = record.data[0].title.replace(" (rendered; ", "\n("), record.data[0].source or ""
            panel.set_title(title if source in title.lower().replace("-", "") else f"{title}\n({source})")
            panel.set_xlabel("samples of the new set")
            percent(panel)
        panels[0].set_ylabel("accuracy after adaptation")
        panels[0].set_ylim(bottom=0)
        legend(figure, panels[:1])
        seeds = records[0].settings["seeds"]
        return figure, f"Mean of {seeds} adaptations of one network; bands: 95 % over adaptations."

    return draw


def _extended(evidence: RunRecords) -> tuple[Figure, str]:
    record = evidence.best("ni-extend")
    figure, (panel,) = sheet(2.2)
    curve(panel, marks(rows(record, "accuracy"), "functions"), "signatures and codes of all functions trained")
    alone = marks(rows(record, "accuracy with a new CLS token and head alone"), "functions")
    beside = [mark._replace(x=mark.x - 0.06) for mark in alone]
    curve(panel, beside, "CLS token and head alone", 1, bars=True)
    places = [5 + added for added in record.settings["added"]]
    panel.set(xlabel="functions (trained with 5)", ylabel=f"accuracy on {record.data[0].title}", xticks=places)
    panel.set_ylim(0, 0.7)
    percent(panel)
    legend(figure, [panel])
    seeds, samples = record.settings["seeds"], record.settings["samples"]
    return figure, f"Mean of {seeds} adaptations of one network to {samples} samples; bands: 95 % over adaptations."


def _dropped(evidence: RunRecords) -> tuple[Figure, str]:
    record = evidence.best("ni-drop")
    figure, (panel,) = sheet(2.2)
    for at, domain in enumerate(DIGITS):
        of_domain = rows(record, "accuracy after random drops", domain=domain)
        curve(panel, marks(of_domain, "dropped"), _domain(of_domain[0]), at)
    panel.set(xlabel="functions dropped, of 5", ylabel="accuracy", ylim=(0, 1), xticks=range(6))
    percent(panel)
    legend(figure, [panel])
    return figure, "Mean over all subsets of functions of one network; bands: 95 % of random drops."


def _anytime(evidence: RunRecords) -> tuple[Figure, str]:
    record = evidence.best("ni-anytime")
    doubled = next(name for name, entry in evidence.named("ni-pgm").items() if entry.settings.get("doubled"))
    (twice,) = evidence.use("ni-pgm", doubled)
    figure, panels = sheet(2.4, 1, 2, sharey=True)
    for at, domain in enumerate(DIGITS):
        of_domain = rows(record, "accuracy", domain=domain)
        curve(panels[0], marks(of_domain, "iterations"), _domain(of_domain[0]), at)
    (half,) = rows(record, "share of the full accuracy at half the iterations", domain="mnist")
    iterations = int(half.where["iterations"])
    full = next(
        row.value for row in rows(record, "accuracy", domain="mnist") if row.where["iterations"] == 2 * iterations
    )
    printed(panels[0], [iterations], [KEPT * full])
    panels[0].axvline(2 * iterations, color="0.7", linewidth=0.6, linestyle=":")
    panels[0].set(title="digits", xlabel="function iterations (trained with 6)", ylabel="accuracy", ylim=(0, 1))
    by_compute = [row for row in rows(twice, "test accuracy") if "iterations" in row.where]
    curve(panels[1], marks(by_compute, "compute"), "PGM (stand-in)", 4)
    (kept,) = rows(twice, "share of the full accuracy at half the iterations")
    whole = max(marks(by_compute, "compute"))
    printed(panels[1], [float(str(kept.where["compute"]).rstrip("%")) / 100], [KEPT * whole.y])
    panels[1].set(
        title="matrices, neutral regime", xlabel="share of the operations (trained with 2 iterations)", xlim=(0, 1.04)
    )
    percent(panels[0])
    percent(panels[1], "x")
    legend(figure, panels)
    return (
        figure,
        "One training each; bands: 95 % over samples. Print: at least 70 % of the full accuracy at half the compute.",
    )


def _densities(number: int) -> Draw:
    def draw(evidence: RunRecords) -> tuple[Figure, str]:
        record = evidence.best("ni-sweep")
        chosen = [row for row in record.tables["densities"] if row["figure"] == str(number)]
        figure, panels = sheet(2.2, 1, len(DIGITS), sharey=True)
        for panel, (domain, title) in zip(panels, DIGITS.items(), strict=True):
            sweep.draw_densities([row for row in chosen if row["domain"] == domain], panel)
            panel.set(title=title, ylabel="" if panel is not panels[0] else "density")
            percent(panel, "x")
        legend(figure, panels[:1])
        return figure, f"Kernel density of {record.settings['trials']} trials, one seed each; no intervals."

    return draw


def _map(evidence: RunRecords) -> tuple[Figure, str]:
    record = evidence.best("ni-sweep")
    figure, panels = sheet(2.2, 1, len(DIGITS), sharey=True)
    for panel, row in zip(panels, record.tables["maps"], strict=True):
        sweep.draw_map(row, record.tables["trials"], panel)
        panel.set(title=DIGITS[row["domain"]], ylabel="" if panel is not panels[0] else sweep.SYMBOLS["type_features"])
        panel.grid(False)
    runs = record.tables["maps"][0]["runs"]
    return (
        figure,
        f"Kernel density of the best tenth: {runs} of {record.settings['trials']} trials (dots), one seed each.",
    )


def _boxes(evidence: RunRecords) -> tuple[Figure, str]:
    record = evidence.best("ni-sweep")
    names = ("frozen_signatures", "frozen_codes", "frozen_patch_embeddings")
    figure, panels = sheet(2.4, 1, len(names), sharey=True)
    for panel, name in zip(panels, names, strict=True):
        best = [row for row in record.tables["boxes"] if row["of"] == sweep.BEST and row["hyper-parameter"] == name]
        sweep.draw_boxes(best, panel)
        panel.set(title=f"frozen {sweep.SYMBOLS[name]}", ylabel="" if panel is not panels[0] else "validation accuracy")
        percent(panel)
    handles = [Patch(color=COLOURS[at], label=title) for at, title in enumerate(DIGITS.values())]
    figure.legend(handles=handles, loc="outside lower center", ncols=3)
    trials = record.settings["trials"]
    return (
        figure,
        f"The best tenth of {trials} trials: quartiles, median, whiskers within 1.5 quartile distances; (runs).",
    )


_SWEPT = {
    12: ("functions", "Runs with five functions do consistently well; most runs with one function fail, some do well."),
    14: ("scripts", "All numbers of scripts can work well; more scripts make training steadier."),
    15: ("iterations", "All numbers of function iterations can work well."),
    16: ("LOCs", "All numbers of lines of code can work well."),
}

FIGURES = (
    diagram("ni-fig-1", NI, "Figure 1", "Scripts, functions and lines of code"),
    diagram("ni-fig-2", NI, "Figure 2", "Type matching"),
    PrintedFigure(
        ids=("ni-fig-3",),
        paper=NI,
        number="Figure 3",
        title="Computational paths of three samples",
        shows="Samples take paths through the functions that are alike in part and differ in part.",
        draw=_paths,
    ),
    PrintedFigure(
        ids=("ni-fig-4",),
        paper=NI,
        number="Figure 4",
        title="Types by function iteration",
        shows="t-SNE maps of inferred types: types cluster more in later function iterations.",
        experiment="ni-types",
        sources=("Figure 4",),
        draw=_types(ROUTINGS[:1]),
    ),
    PrintedFigure(
        ids=("ni-fig-5a",),
        paper=NI,
        number="Figure 5a",
        title="Adaptation to new sets from few samples",
        shows="With few samples the Neural Interpreter is ahead of a Vision Transformer; more samples close the gap.",
        experiment="ni-adapt",
        sources=("Figure 5a",),
        draw=_adaptations(NETWORKS, alone=False),
    ),
    PrintedFigure(
        ids=("ni-fig-5b",),
        paper=NI,
        number="Figure 5b",
        title="Functions added at adaptation",
        shows="A network that was trained with 5 functions gains accuracy as functions are added in fine-tuning.",
        experiment="ni-extend",
        sources=("Figure 5b",),
        draw=_extended,
    ),
    PrintedFigure(
        ids=("ni-fig-5c",),
        paper=NI,
        number="Figure 5c",
        title="Accuracy against functions dropped",
        shows="Accuracy on each set of digits falls gradually as functions are dropped at random.",
        experiment="ni-drop",
        sources=("Figure 5c",),
        draw=_dropped,
    ),
    PrintedFigure(
        ids=("ni-fig-6",),
        paper=NI,
        number="Figure 6",
        title="Adaptation with intact functions and with functions drawn anew",
        shows="On K-MNIST a network with its pre-trained functions stays ahead of one with functions drawn anew.",
        experiment="ni-adapt",
        sources=("Figure 6",),
        draw=_adaptations(FUNCTIONS, alone=True),
    ),
    PrintedFigure(
        ids=("ni-fig-7",),
        paper=NI,
        number="Figure 7",
        title="A matrix and its candidates",
        shows="One puzzle, which the Neural Interpreter solves and the two baselines do not.",
        why_not="it is one hand-picked puzzle of a data set that is not bundled",
    ),
    PrintedFigure(
        ids=("ni-fig-8",),
        paper=NI,
        number="Figure 8",
        title="Accuracy against function iterations",
        shows="On every regime of the matrices at least 70 % of the full accuracy stays at half the compute.",
        experiment="ni-anytime",
        sources=("Figure 8",),
        draw=_anytime,
    ),
    PrintedFigure(
        ids=("ni-fig-9",),
        paper=NI,
        number="Figure 9",
        title="Fuzzy and, or, xor, xnor",
        shows="The four operations over the unit square.",
        why_not="it draws four formulas and shows no measurement",
    ),
    PrintedFigure(
        ids=("ni-fig-10",),
        paper=NI,
        number="Figure 10",
        title="Augmented digits",
        shows="Samples of the digits after augmentation.",
        why_not="it shows samples and no measurement; `routescope data` lists ours",
    ),
    PrintedFigure(
        ids=("ni-fig-11",),
        paper=NI,
        number="Figure 11",
        title="Truncation and type dimension of the best tenth of a sweep",
        shows="The best truncation and type dimension depend on each other only somewhat, and differ a little by set.",
        experiment="ni-sweep",
        sources=("Figure 11",),
        draw=_map,
    ),
    *(
        PrintedFigure(
            ids=(f"ni-fig-{number}",),
            paper=NI,
            number=f"Figure {number}",
            title=f"Accuracy of a sweep by number of {what}",
            shows=shows,
            experiment="ni-sweep",
            sources=(f"Figure {number}",) if number in (12, 14) else (),
            draw=_densities(number),
        )
        for number, (what, shows) in _SWEPT.items()
    ),
    PrintedFigure(
        ids=("ni-fig-13",),
        paper=NI,
        number="Figure 13",
        title="Frozen signatures, codes and patch embeddings",
        shows="Among the best tenth, frozen signatures and patch embeddings help slightly, frozen codes less.",
        experiment="ni-sweep",
        sources=("Figure 13",),
        draw=_boxes,
    ),
    PrintedFigure(
        ids=("ni-fig-17", "ni-fig-18"),
        paper=NI,
        number="Figures 17 and 18",
        title="Types with learned and with fixed routing",
        shows="With routing fixed at initialisation types have less structure, most of all in late iterations.",
        experiment="ni-types",
        sources=("Figures 17 and 18",),
        draw=_types(ROUTINGS),
    ),
    PrintedFigure(
        ids=("ni-tab-1",),
        paper=NI,
        number="Table 1",
        title="Fuzzy Boolean functions: R² by what is fine-tuned",
        shows="Training only type inference comes near to training all parameters.",
        experiment="ni-boolean",
        sources=("Table 1",),
        draw=claims_table("ni-boolean", "Table 1"),
    ),
    PrintedFigure(
        ids=("ni-tab-2",),
        paper=NI,
        number="Table 2",
        title="Matrices: test accuracy by regime",
        shows="The Neural Interpreter has the best test accuracy in four of six regimes.",
        experiment="ni-pgm",
        sources=("Table 2",),
        draw=claims_table("ni-pgm", "Table 2"),
    ),
)
