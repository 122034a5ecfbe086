"""nac-edges: accuracy and the learned graph as its edges are removed (paper: Figures 10 to 14, Appendix F).

The smallest off-diagonal P_ij are set to 0, in pairs. Beside the accuracy stand the number of parts that still hang
together, the modules in the largest part and the modularity of what is left, so that one sees what happens to the graph
where the accuracy breaks down: the *critical point* is the share after which most accuracy is lost at once.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from routescope.data.pictures.sets import PictureSet
from routescope.experiments.results.circuits import EDGES, PRIORS, RUNGS
from routescope.experiments.shared import circuits
from routescope.experiments.shared.frame import Context, Experiment, Figure, Outcome, PaperFigure, figure_of
from routescope.nn.network import LinkedNetwork, Network
from routescope.routing import graphs
from routescope.routing.intervention import Intervention
from routescope.zoo.catalogue import with_seed

SAYS = (
    "Tiny-ImageNet: about 90 % of the edges can go at little cost; then abrupt for planted partition and ring of"
    " cliques, graceful for scale-free and Erdos-Renyi"
)


@dataclass(frozen=True)
class Settings:
    """``shares`` of the edges are removed; ``limit`` samples of each validation set are scored.

    ``seeds``: trainings of each prior. Their answers are averaged sample by sample, their graphs figure by figure.
    """

    rungs: tuple[str, ...] = PRIORS
    shares: tuple[float, ...] = (
        0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.92, 0.93, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99, 1.0,
    )  # fmt: skip
    seeds: int = 1
    seed: int = 0
    limit: int | None = 500


def run(context: Context) -> Outcome:
    """Score every model with every share of its edges removed, and describe the graph that is left."""
    chosen: Settings = context.settings
    context.seeds["communities"] = chosen.seed
    trained = circuits.load_trainings(context, chosen.rungs, chosen.seeds)
    within, outside = circuits.load_sets(context, next(iter(trained[0].values())), chosen.limit)
    context.expect(len(chosen.rungs) * chosen.seeds * len(chosen.shares))
    figures: list[Figure] = []
    rows: list[dict[str, Any]] = []
    largest: list[dict[str, Any]] = []
    for rung in chosen.rungs:
        trainings = [
            [measure(context, with_seed(rung, seed), models[rung], [*within, *outside], cut) for cut in chosen.shares]
            for seed, models in enumerate(trained)
        ]
        left = [list(describe(models[rung], chosen)) for models in trained]
        by_share, graphs_left = list(zip(*trainings, strict=True)), list(zip(*left, strict=True))
        figures += summarise(context, rung, by_share, graphs_left, within, "IID")
        if outside:
            figures += summarise(context, rung, by_share, graphs_left, outside, "OOD")
        for seed, scored in enumerate(trainings):
            right = [circuits.answers(answers, within) for answers in scored]
            removed = chosen.shares[circuits.little_lost(right)]
            largest.append({"model": rung, "seed": seed, "removed": removed})
            for share, answers, own, graph in zip(chosen.shares, scored, right, left[seed], strict=True):
                by_set = {data.name: float(circuits.answers(answers, [data]).mean()) for data in (*within, *outside)}
                row = {"model": rung, "seed": seed, "removed": share, "accuracy": float(own.mean())}
                rows.append({**row, **graph, "accuracies": by_set})
    return Outcome(figures, {"shares": rows, "largest": largest})


def measure(context: Context, name: str, model: Network, sets: Sequence[PictureSet], share: float) -> dict[str, str]:
    """Return which samples a training labels right with a share of the edges removed."""
    removed = Intervention(keep_edges=1 - share)
    return context.measure(f"{name}, {share:.0%} removed", lambda: circuits.score(model, sets, removed))


def describe(model: Network, chosen: Settings) -> Iterator[dict[str, Any]]:
    """Describe the graph that is left at every share: its components, and the modularity of its communities."""
    assert isinstance(model, LinkedNetwork)
    P = model.link_probability().detach().cpu().numpy().astype(np.float64)
    clusters = graphs.components_by_share(P, 1 - np.array(chosen.shares))
    i, j, links = graphs.edges_sorted(P)
    for row, count in enumerate(clusters.edges.tolist()):
        weights = np.zeros_like(P)
        weights[i[:count], j[:count]] = weights[j[:count], i[:count]] = links[:count]
        Q = graphs.modularity(weights, graphs.louvain(weights, chosen.seed)) if weights.any() else None
        yield {
            "edges": count,
            "weakest": float(clusters.weakest[row]) if count else None,
            "components": int(clusters.components[row]),
            "largest": float(clusters.largest[row]),
            "isolated": int(clusters.isolated[row]),
            "modularity": Q,
        }


def critical(accuracies: Sequence[float]) -> int:
    """Return the index before the steepest fall between two shares; the last index if nothing falls."""
    falls = [before - after for before, after in zip(accuracies, accuracies[1:], strict=False)]
    return int(np.argmax(falls)) if falls and max(falls) > 0 else len(accuracies) - 1


def summarise(
    context: Context,
    rung: str,
    by_share: Sequence[Sequence[dict[str, str]]],
    left: Sequence[Sequence[Mapping[str, Any]]],
    sets: Sequence[PictureSet],
    name: str,
) -> Iterator[Figure]:
    """Yield accuracy by share removed, the largest share at little loss, and the graph at the critical point.

    ``by_share`` has answers, and ``left`` graphs, of each training for every share.
    """
    shares, comparable = context.settings.shares, circuits.is_papers(context, sets)
    right = [circuits.mean_answers(trainings, sets) for trainings in by_share]
    where: dict[str, str | int] = {"model": RUNGS[rung], "distribution": name}
    for share, answers in zip(shares, right, strict=True):
        printed = EDGES.get(rung, {}).get(share) if name == "IID" else None
        says = SAYS if printed is None else f"Tiny-ImageNet: {printed:.2%} with {share:.0%} of the edges lost"
        condition = {**where, "removed": f"{share:.0%}"}
        yield circuits.accuracy_figure("accuracy", condition, answers, sets, printed if comparable else None, says)
        if share:
            yield circuits.difference_figure("change of accuracy", condition, answers, right[0], sets, None, says)
    if name != "IID":
        return
    count = len(right[0])
    value = float(shares[circuits.little_lost(right)])
    yield figure_of(
        "largest share removed at less than 3 points lost", where, value, count, sets, None, SAYS, "share of edges"
    )
    index = critical([float(answers.mean()) for answers in right])
    for words, at in (("before", index), ("after", min(index + 1, len(shares) - 1))):
        condition = {**where, "critical point": words, "removed": f"{shares[at]:.0%}"}
        yield circuits.accuracy_figure("accuracy at the critical point", condition, right[at], sets, None, SAYS)
        for what, key, unit in (
            ("parts", "components", "parts"),
            ("modules in the largest part", "largest", "share of modules"),
            ("modules without a link", "isolated", "modules"),
            ("modularity", "modularity", "Q"),
        ):
            numbers = [graph[key] for graph in left[at] if graph[key] is not None]
            if len(numbers) == len(left[at]):
                yield figure_of(what, condition, float(np.mean(numbers)), count, sets, None, SAYS, unit)


EXPERIMENT = Experiment(
    id="nac-edges",
    title="Accuracy and the learned graph as edges are removed",
    paper_reference=f"{circuits.REFERENCE}, Figures 10 to 14 and Appendix F",
    paper_figures=(
        PaperFigure("Tiny-ImageNet, share of edges that can go", 0.9, SAYS),
        *(
            PaperFigure(
                f"Tiny-ImageNet, {RUNGS[rung]}, {share:.0%} of the edges lost",
                accuracy,
                f"{accuracy:.2%} accuracy",
            )
            for rung, printed in EDGES.items()
            for share, accuracy in printed.items()
        ),
    ),
    settings=Settings(),
    quick=Settings(shares=(0.0, 0.5, 0.9, 0.95, 0.99), limit=100),
    run=run,
)
