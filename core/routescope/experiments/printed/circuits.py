"""Figures and tables of *Neural Attentive Circuits*."""

import numpy as np
from matplotlib.colors import PowerNorm
from matplotlib.figure import Figure

from routescope.data.statements.grammar import KINDS
from routescope.experiments.printed.frame import Draw, PrintedFigure, RunRecords, coordinate, diagram, marks, rows
from routescope.experiments.printed.tables import claims_table
from routescope.experiments.results.circuits import EDGES, PIO, PRIORS, RUNGS, TABLE_1
from routescope.experiments.results.claims import NAC
from routescope.experiments.shared.schema import Record
from routescope.nn.network import LinkedNetwork
from routescope.plots.printed import COLOURS, Mark, bare, curve, dots, graph, legend, percent, printed, sheet
from routescope.routing.graphs import edges_sorted
from routescope.routing.graphs.layout import layout, parted
from routescope.routing.graphs.priors import prior, sample_graph

#: Ids of priors, in the order of the paper's pictures, and their titles.
GRAPHS = {
    "planted-partition": "planted partition",
    "scale-free": "scale-free",
    "ring-of-cliques": "ring of cliques",
    "erdos-renyi": "Erdős-Rényi",
}
#: Labels of curves.
LABELS = {f"nac-{name}": title for name, title in GRAPHS.items()} | {PIO: RUNGS[PIO]}
#: Modules of a drawn prior, and of the printed graphons.
NODES, GRAPHON = 80, 320
#: Share of modules that print drops at little cost, and the speed-up there (Figure 5).
DROPPED, FASTER = 0.8, 8.0


def _sampled_priors(_: RunRecords) -> tuple[Figure, str]:
    figure, panels = sheet(1.8, 1, len(GRAPHS))
    for panel, (name, title) in zip(panels, GRAPHS.items(), strict=True):
        linked = sample_graph(prior(name, NODES), seed=0)
        graph(panel, parted(layout(linked.astype(float))), linked)
        panel.set_title(title)
    return (
        figure,
        f"One graph of {NODES} modules drawn from each prior, seed 0. Places: by common links. Darker: more links.",
    )


def _graphons(_: RunRecords) -> tuple[Figure, str]:
    figure, panels = sheet(1.9, 1, len(GRAPHS))
    for panel, (name, title) in zip(panels, GRAPHS.items(), strict=True):
        image = panel.imshow(prior(name, GRAPHON), norm=PowerNorm(0.5, 0, 1), interpolation="none")
        bare(panel)
        panel.set_title(title)
    bar = figure.colorbar(image, ax=panels, shrink=0.8, aspect=14)
    bar.outline.set_visible(False)
    return figure, f"Link probability of {GRAPHON} modules by {GRAPHON} modules, in the prior's own order."


def _links_of(evidence: RunRecords, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the link probabilities (U, U) of a bundled circuit, and places (U, 2) by its signatures."""
    network = evidence.model(f"nac-{name}")
    assert isinstance(network, LinkedNetwork)
    probability = network.link_probability_of_all().detach().numpy()
    _, signatures = network.constants()["signatures"]
    return (probability + probability.T) / 2, parted(layout(signatures))


def _learned(evidence: RunRecords) -> tuple[Figure, str]:
    figure, panels = sheet(1.9, 1, len(GRAPHS))
    for panel, (name, title) in zip(panels, GRAPHS.items(), strict=True):
        probability, places = _links_of(evidence, name)
        linked = probability > 0
        graph(panel, places, linked)
        panel.set_title(f"{title}\n{int(np.triu(linked, 1).sum()):,} links")
    return (
        figure,
        "Bundled circuits of 80 modules, one training each. Darker nodes have more links. Places: by signatures.",
    )


def _few_shots(name: str, x: str, fixed: dict[str, int], axis: str, unit: str) -> Draw:
    def draw(evidence: RunRecords) -> tuple[Figure, str]:
        record = evidence.best("nac-fewshot")
        figure, (panel,) = sheet(2.2)
        for at, model in enumerate(("nac-scale-free", PIO)):
            curve(panel, marks(rows(record, name, model=RUNGS[model], **fixed), x), RUNGS[model], at)
        panel.set_xscale("log", base=2)
        places = [mark.x for mark in marks(rows(record, name, model=RUNGS[PIO], **fixed), x)]
        panel.set_xticks(places, [f"{place:g}" for place in places])
        panel.set(xlabel=axis, ylabel=unit)
        if name == "accuracy":
            percent(panel)
        legend(figure, [panel])
        seeds, scripts = record.settings["seeds"], record.data[0].title.partition(" (")[0]
        return figure, f"{scripts}. Mean of {seeds} episodes of one network; bands: 95 % over episodes."

    return draw


def _kept(record: Record, model: str) -> list[Mark]:
    """Return the accuracy in distribution over the share of modules or latents dropped."""
    order = "random" if model == PIO else "least connected first"
    return marks(rows(record, "accuracy", model=RUNGS[model], distribution="IID", order=order), "dropped")


def _upper_part(record: Record) -> tuple[float, float]:
    """Return the ends of an axis of accuracies: 30 points from the best down."""
    best = max(mark.y for model in (*PRIORS, PIO) for mark in _kept(record, model))
    return best - 0.3, min(1.0, best + 0.03)


def _trainings(record: Record) -> str:
    seeds = record.settings.get("seeds", 1)
    return "One training each" if seeds == 1 else f"Means of {seeds} trainings"


def _sparsified(evidence: RunRecords) -> tuple[Figure, str]:
    record = evidence.best("nac-drop")
    figure, panels = sheet(2.5, 1, 2)
    costs = record.tables["costs"]
    for at, model in enumerate((*PRIORS, PIO)):
        curve(panels[0], _kept(record, model), LABELS[model], at)
        faster = [
            Mark(row["dropped"], row["speed_up"], row["speed_up_low"], row["speed_up_high"])
            for row in costs
            if row["model"] == model
        ]
        curve(panels[1], sorted(faster), LABELS[model], at)
    panels[0].set(title="accuracy", ylabel="accuracy", xlabel="modules or latents dropped", ylim=_upper_part(record))
    panels[1].set(title="speed-up", ylabel="times as fast", xlabel="modules or latents dropped")
    printed(panels[1], [DROPPED], [FASTER])
    for panel in panels:
        percent(panel, "x")
    percent(panels[0])
    legend(figure, panels)
    return (
        figure,
        f"{_trainings(record)}; bands: 95 % over samples (accuracy), slowest to fastest round (speed, on a processor).",
    )


def _by_operations(evidence: RunRecords) -> tuple[Figure, str]:
    record = evidence.best("nac-drop")
    figure, (panel,) = sheet(2.4)
    flops = {(row["model"], row["dropped"]): row["flops"] / 1e6 for row in record.tables["costs"]}
    for at, model in enumerate((*PRIORS, PIO)):
        curve(panel, sorted(mark._replace(x=flops[model, mark.x]) for mark in _kept(record, model)), LABELS[model], at)
    panel.set(xlabel="million operations a sample", ylabel="accuracy", ylim=_upper_part(record))
    percent(panel)
    legend(figure, [panel])
    return (
        figure,
        f"Modules dropped least connected first, latents at random. {_trainings(record)}; bands: 95 % over samples.",
    )


def _without_edges(record: Record, model: str) -> list[Mark]:
    return marks(rows(record, "accuracy", model=RUNGS[model], distribution="IID"), "removed")


def _cut(evidence: RunRecords) -> tuple[Figure, str]:
    record = evidence.best("nac-edges")
    figure, (panel,) = sheet(2.7)
    for at, model in enumerate(PRIORS):
        curve(panel, _without_edges(record, model), LABELS[model], at)
        shares = {0.0: TABLE_1[model][0], **EDGES[model]}
        printed(panel, list(shares), list(shares.values()), COLOURS[at])
    panel.set(xlabel="links removed, weakest first", ylabel="accuracy", ylim=(0, 1.02))
    percent(panel)
    percent(panel, "x")
    legend(figure, [panel])
    return (
        figure,
        f"{_trainings(record)}; bands: 95 % over samples. Print: Table 1 and Figures 11 to 14, in the prior's colour.",
    )


def _parts(name: str) -> Draw:
    """Return the drawing of Figures 11 to 14: the graph at three shares of links, with the accuracy below."""
    model = f"nac-{name}"

    def draw(evidence: RunRecords) -> tuple[Figure, str]:
        record = evidence.best("nac-edges", model)
        shares = list(EDGES[model])
        figure, (panel, *graphs) = sheet(1.9, 1, 1 + len(shares), width_ratios=(1.5, *(1 for _ in shares)))
        values = _without_edges(record, model)
        curve(panel, [mark for mark in values if mark.x >= 0.85], "ours")
        printed(panel, shares, list(EDGES[model].values()), COLOURS[0])
        panel.set(xlabel="links removed", ylabel="accuracy", ylim=(0, 1.02))
        percent(panel)
        percent(panel, "x")
        panel.legend(loc="lower left")
        probability, places = _links_of(evidence, name)
        i, j, _ = edges_sorted(probability)
        for axes, share in zip(graphs, shares, strict=True):
            stay = len(i) - round(share * len(i))
            linked = np.zeros(probability.shape, dtype=bool)
            linked[i[:stay], j[:stay]] = linked[j[:stay], i[:stay]] = True
            graph(axes, places, linked)
            ours = next(mark.y for mark in values if mark.x == coordinate(f"{share:.0%}"))
            axes.set_title(
                f"{100 * share:.0f} % removed:\n{100 * ours:.1f} % (print {100 * EDGES[model][share]:.1f} %)"
            )
        return (
            figure,
            "One bundled circuit; band: 95 % over samples. Graphs: the links that stay, darker nodes have more.",
        )

    return draw


def _sentences(of: str) -> Draw:
    def draw(evidence: RunRecords) -> tuple[Figure, str]:
        record = evidence.best("nac-sentences")
        figure, panels = sheet(3.0, 1, 2)
        for panel, (name, title) in zip(
            panels, {"appendix-h": "sentences of Appendix H", "scenes": "words of our scenes"}.items(), strict=True
        ):
            rows_of = {row["kind"]: row for row in record.tables["maps"] if (row["set"], row["of"]) == (name, of)}
            for at, kind in sorted(enumerate(KINDS), key=lambda item: -len(rows_of[item[1]]["x"])):
                dots(
                    panel,
                    rows_of[kind]["x"],
                    rows_of[kind]["y"],
                    COLOURS[at],
                    kind,
                    1.6 if name == "appendix-h" else 2.4,
                )
            panel.set_title(f"{title} ({sum(len(row['x']) for row in rows_of.values()):,})")
        legend(figure, panels[:1])
        trust = [row.value for row in rows(record, "trustworthiness of the map", of=of)]
        return (
            figure,
            f"t-SNE by {of}, one training, one seed. Trustworthiness: {trust[0]:.2f}, {trust[1]:.2f}.",
        )

    return draw


_CUT = {
    11: ("planted-partition", "Accuracy falls at once when the links between four clusters of modules go."),
    12: ("ring-of-cliques", "As Figure 11, with relay modules that connect several clusters."),
    13: (
        "scale-free",
        "Hub modules stay linked to each other; losing the tail costs about 10 %, losing links of hubs more.",
    ),
    14: ("erdos-renyi", "As Figure 13: the learned graph resembles a scale-free one."),
}

FIGURES = (
    diagram("nac-fig-1", NAC, "Figure 1", "Circuit generator and circuit executor"),
    diagram("nac-fig-2", NAC, "Figure 2", "Modules, signatures and codes"),
    PrintedFigure(
        ids=("nac-fig-3",),
        paper=NAC,
        number="Figure 3",
        title="Samples from the graph priors",
        shows="A graph of each prior; colour is the degree of a node.",
        draw=_sampled_priors,
    ),
    PrintedFigure(
        ids=("nac-fig-4",),
        paper=NAC,
        number="Figure 4",
        title="Few-shot adaptation by samples of a class",
        shows="With 1 to 4 samples of each of 8 classes NAC is ahead of Perceiver IO, on CUB and CIFAR.",
        experiment="nac-fewshot",
        sources=("Figure 4",),
        draw=_few_shots("accuracy", "shots", {"ways": 8}, "samples of each of 8 classes", "accuracy"),
    ),
    PrintedFigure(
        ids=("nac-fig-5",),
        paper=NAC,
        number="Figure 5",
        title="Accuracy and speed as modules are dropped",
        shows="Over 80 % of the modules can go at little cost of accuracy, for about 8 times the speed.",
        experiment="nac-drop",
        sources=("Figure 5",),
        draw=_sparsified,
    ),
    PrintedFigure(
        ids=("nac-fig-6",),
        paper=NAC,
        number="Figure 6",
        title="Sentences by the circuit that they design",
        shows="Circuits of sentences cluster by the kind of reasoning that a sentence asks for.",
        experiment="nac-sentences",
        sources=("Figure 6",),
        draw=_sentences("circuits"),
    ),
    PrintedFigure(
        ids=("nac-fig-7",),
        paper=NAC,
        number="Figure 7",
        title="Graphons of the priors",
        shows="The link probabilities of each prior for 320 modules.",
        draw=_graphons,
    ),
    PrintedFigure(
        ids=("nac-fig-8",),
        paper=NAC,
        number="Figure 8",
        title="Learned graphs",
        shows="The learned graph of each prior: links above one half, modules placed by their signatures.",
        draw=_learned,
    ),
    PrintedFigure(
        ids=("nac-fig-9",),
        paper=NAC,
        number="Figure 9",
        title="Few-shot adaptation by number of classes",
        shows="NAC stays ahead of Perceiver IO for 2 to 64 classes of 8 samples, as lift over chance.",
        experiment="nac-fewshot",
        sources=("Figure 9",),
        draw=_few_shots("lift over chance", "ways", {"shots": 8}, "classes of 8 samples each", "times chance"),
    ),
    PrintedFigure(
        ids=("nac-fig-10",),
        paper=NAC,
        number="Figure 10",
        title="Accuracy against links removed",
        shows="About 90 % of the links can go; then two priors break down at once and two decline gradually.",
        experiment="nac-edges",
        sources=("Appendix F",),
        draw=_cut,
    ),
    *(
        PrintedFigure(
            ids=(f"nac-fig-{number}",),
            paper=NAC,
            number=f"Figure {number}",
            title=f"Links removed, {GRAPHS[name]} prior",
            shows=shows,
            experiment="nac-edges",
            draw=_parts(name),
        )
        for number, (name, shows) in _CUT.items()
    ),
    PrintedFigure(
        ids=("nac-fig-15",),
        paper=NAC,
        number="Figure 15",
        title="Accuracy against operations",
        shows="At a fifth of the operations NAC loses about 1 point (ring of cliques), Perceiver IO 5.3.",
        experiment="nac-drop",
        draw=_by_operations,
    ),
    PrintedFigure(
        ids=("nac-fig-16", "nac-fig-17"),
        paper=NAC,
        number="Figures 16 and 17",
        title="Sentences by their text embedding",
        shows="CLIP's embeddings of the same sentences cluster by object, not by kind of reasoning.",
        experiment="nac-sentences",
        sources=("Figures 16 and 17",),
        draw=_sentences("text encoder"),
    ),
    PrintedFigure(
        ids=("nac-tab-1",),
        paper=NAC,
        number="Table 1",
        title="From Perceiver IO to circuits",
        shows="Circuits are ahead of Perceiver IO in and out of distribution, with every prior.",
        experiment="nac-images",
        sources=("Table 1",),
        draw=claims_table("nac-images", "Table 1"),
    ),
    PrintedFigure(
        ids=("nac-tab-2",),
        paper=NAC,
        number="Table 2",
        title="Clouds of points",
        shows="NAC is ahead of Perceiver IO on ModelNet40 without pre-training.",
        experiment="nac-points",
        sources=("Table 2",),
        draw=claims_table("nac-points", "Table 2"),
    ),
    PrintedFigure(
        ids=("nac-tab-3-listops",),
        paper=NAC,
        number="Table 3, ListOps",
        title="ListOps",
        shows="NAC is ahead of Perceiver IO on ListOps.",
        experiment="nac-listops",
        sources=("Table 3",),
        draw=claims_table("nac-listops", "Table 3"),
    ),
    PrintedFigure(
        ids=("nac-tab-3-bytes",),
        paper=NAC,
        number="Table 3, text",
        title="Sentiment from bytes",
        shows="NAC is ahead of Perceiver IO on reviews as bytes.",
        experiment="nac-bytes",
        sources=("Table 3",),
        draw=claims_table("nac-bytes", "Table 3"),
    ),
)
