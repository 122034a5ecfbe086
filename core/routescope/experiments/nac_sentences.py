"""nac-sentences: what decides the circuit that a sentence gives (paper: Figures 6, 16 and 17, section 4.4, Appendix H).

P of every sentence, its lower triangle -> PCA to 64 dimensions -> t-SNE, beside the text encoder's own embedding the
same way; how far kinds of reasoning, and objects, lie apart in each, beside shuffled groups. Nine tenths of Appendix H
are spatial relationships: the figures are means over kinds, or over objects, in which each counts alike; the plain ones
are in the table. As a control the same for circuits of the same network before training.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import torch

from routescope.experiments.shared import circuits
from routescope.experiments.shared.frame import Context, Experiment, Figure, Outcome, PaperFigure, figure_of
from routescope.nn.network import Network
from routescope.routing.caused.intervals import bootstrap_interval
from routescope.routing.graphs import statistics
from routescope.routing.graphs.designs import THRESHOLD, Designs, designs_of
from routescope.routing.maps.sentences import CIRCUITS, GROUPINGS, TEXT, Method, SentenceMap, fit
from routescope.routing.maps.separation import NEAREST, separation

UNTRAINED = "circuits, untrained"
ALL, ONE_NOUN = "all", "with one noun"
OF = {
    CIRCUITS: "circuits",
    TEXT: "text encoder",
    UNTRAINED: "circuits before training",
}
SAYS = {
    CIRCUITS: "circuits lie by kind of reasoning (Figure 6)",
    TEXT: "CLIP's embeddings lie by object (Figures 16 and 17); the encoder here is another one",
    UNTRAINED: "not in the paper",
}
GRAPHS_SAY = "every circuit has two large cliques and nodes between them; how they are arranged differs"
#: Which pairs of sentences have their circuits compared: whether the kind and the object are the same.
PAIRS = {
    "same kind, other object": (True, False),
    "same object, other kind": (False, True),
    "other kind, other object": (False, False),
}


@dataclass(frozen=True)
class Settings:
    """``graphs`` sentences are described as graphs; of ``pairs`` pairs each, circuits are compared."""

    model: str = "nac-scenes"
    sets: tuple[str, ...] = ("appendix-h", "scenes")
    method: Method = "tsne"
    perplexity: float = 30
    seed: int = 0
    graphs: int = 60
    pairs: int = 500


def run(context: Context) -> Outcome:
    """Map every set of sentences, by circuits and by the text encoder, and describe the circuits."""
    chosen: Settings = context.settings
    context.seeds["maps"] = chosen.seed
    model = context.model(chosen.model)
    tables = {name: context.sentences(name) for name in chosen.sets}
    titles = {used["name"]: used["title"] for used in context.data_used}
    context.expect(2 * len(tables))
    start = untrained(model, chosen.seed)
    learned = f"trained on {' and '.join(model.config.domains)}, not on the paper's photographs"
    if "nlvr2" in model.config.domains:
        learned = "trained on nlvr2"
    figures: list[Figure] = []
    separations: list[dict[str, Any]] = []
    alone: list[dict[str, Any]] = []
    maps: list[dict[str, Any]] = []
    for name, table in tables.items():
        measured = context.measure(f"{name}, trained", _measuring(model, table, chosen))
        # where groups lie among all components does not depend on the map, so that the quicker one serves
        control = context.measure(f"{name}, before training", _measuring(start, table, replace(chosen, method="pca")))
        rows = [*measured["separation"], *as_control(control["separation"])]
        figures += separated(rows, titles[name], learned)
        one_noun_rows = [*measured["one_noun"], *as_control(control["one_noun"])]
        figures += told_better(one_noun_rows, titles[name], learned, ONE_NOUN)
        figures += described(measured, titles[name], len(table))
        separations += [{"set": name, **row} for row in rows]
        alone += [{"set": name, **row} for row in one_noun_rows]
        maps += [{"set": name, **row} for row in measured["maps"]]
    return Outcome(figures, {"separation": separations, "separation_one_noun": alone, "maps": maps})


def _measuring(model: Network, table: pd.DataFrame, chosen: Settings) -> Callable[[], dict[str, Any]]:
    return lambda: measure(model, table, chosen)


def untrained(model: Network, seed: int) -> Network:
    """Return a network of the same sizes with weights as before training."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return type(model)(model.config).eval()


def measure(model: Network, table: pd.DataFrame, chosen: Settings) -> dict[str, Any]:
    """Return all measurements of one network's circuits for a set of sentences, as plain data."""
    designs = designs_of(model, table, codes=False)
    mapped = fit(designs, chosen.method, seed=chosen.seed, perplexity=chosen.perplexity, separate=True)
    assert mapped.separation is not None
    rng = np.random.default_rng(chosen.seed)
    return {
        "separation": [
            {str(name): _plain(value) for name, value in row.items()} for row in mapped.separation.to_dict("records")
        ],
        "one_noun": one_noun(mapped),
        "maps": list(drawn(mapped)),
        "held": {name: space_map.held for name, space_map in mapped.maps.items()},
        "trustworthiness": {name: space_map.trustworthiness.value for name, space_map in mapped.maps.items()},
        "unknown": int(designs.unknown.sum()),
        "graphs": graphs(designs, chosen.graphs, rng),
        "varying": varying(designs),
        "changes": {name: changes(designs, *same, chosen.pairs, rng) for name, same in PAIRS.items()},
    }


def one_noun(mapped: SentenceMap) -> list[dict[str, Any]]:
    """Return the separation among the sentences without a relation, which have only one noun.

    Of the others, nine tenths of Appendix H, the object is the first of two nouns.
    """
    alone = mapped.table["relation"].isna().to_numpy()
    labellings = {by: [str(name) for name in mapped.table[by][alone]] for by in GROUPINGS}
    return [
        {"of": name, "space": space, **{str(key): _plain(value) for key, value in row.items()}}
        for name, space_map in mapped.maps.items()
        for space, points in (("full", space_map.reduced), ("map", space_map.xy))
        for row in separation(points[alone], labellings, seed=mapped.seed).to_dict("records")
    ]


def _plain(value: Any) -> Any:
    """Return a value as JSON can hold it: None for NaN."""
    return None if isinstance(value, float) and math.isnan(value) else value


def drawn(mapped: SentenceMap) -> Iterator[dict[str, Any]]:
    """Yield the points of both maps by kind, in the order of the set."""
    kinds = np.array([str(kind) for kind in mapped.kinds])
    for name, space_map in mapped.maps.items():
        for kind in dict.fromkeys(kinds.tolist()):
            x, y = np.round(space_map.xy[kinds == kind].astype(np.float64), 2).T.tolist()
            yield {"of": OF[name], "kind": kind, "x": x, "y": y}


def evenly(designs: Designs, count: int, rng: np.random.Generator) -> list[int]:
    """Return up to ``count`` sentences, equally many of every kind."""
    groups = [rng.permutation(rows).tolist() for rows in designs.table.groupby("kind", sort=True).indices.values()]
    per_group = max(1, count // len(groups))
    return [row for rows in groups for row in rows[:per_group]]


def graphs(designs: Designs, count: int, rng: np.random.Generator) -> dict[str, list[float]]:
    """Describe the graphs of links above one half of some sentences, equally many of every kind."""
    values: dict[str, list[float]] = {"density": [], "modularity": [], "communities": []}
    for row in evenly(designs, count, rng):
        stats = statistics(designs[row].P.astype(np.float64), THRESHOLD)
        values["density"].append(stats.density)
        if stats.degree.any():
            values["modularity"].append(stats.modularity)
        values["communities"].append(float((np.bincount(stats.communities) > 1).sum()))
    return values


def varying(designs: Designs) -> float:
    """Return the share of module pairs that are linked in 5 % to 95 % of the sentences."""
    linked = (designs.lower > THRESHOLD).mean(axis=0)
    return float(((linked >= 0.05) & (linked <= 0.95)).mean())


def changes(designs: Designs, kind: bool, thing: bool, count: int, rng: np.random.Generator) -> list[float]:
    """Return the mean |dP| between the circuits of each of ``count`` pairs of sentences.

    Every kind is drawn as often: a first sentence of it, and a second one of the same or another kind, which is drawn
    first too, about the same object or another. Fewer where a set has hardly any such pair.
    """
    kinds, things = (designs.table[name].to_numpy(dtype=np.str_) for name in ("kind", "object"))
    names = np.unique(kinds)
    means: list[float] = []
    for _ in range(20 * count):
        if len(means) == count:
            break
        first_kind = rng.choice(names)
        other = first_kind if kind else rng.choice(names[names != first_kind])
        first = rng.choice(np.flatnonzero(kinds == first_kind))
        others = np.flatnonzero((kinds == other) & ((things == things[first]) == thing))
        if len(others):
            change = designs.lower[rng.choice(others)].astype(np.float64) - designs.lower[first]
            means.append(float(np.abs(change).mean()))
    return means


def as_control(rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the rows of all components of an untrained network's circuits, as a control."""
    return ({**row, "of": UNTRAINED} for row in rows if (row["of"], row["space"]) == (CIRCUITS, "full"))


def separated(rows: Sequence[Mapping[str, Any]], title: str, learned: str) -> Iterator[Figure]:
    """Yield the separation of kinds and of objects beside its null, and which of the two is separated better."""
    for row in rows:
        if not row["balanced"] or row["score"] is None:
            continue
        where = {"of": OF[row["of"]], "by": row["by"], "space": row["space"]}
        unit = "share of sentences, mean over groups" if row["measure"] == NEAREST else "silhouette, mean over groups"
        yield figure_of(row["measure"], where, row["score"], row["n"], title, None, SAYS[row["of"]], unit)
        null = (row["null_mean"], row["null_low"], row["null_high"])
        yield figure_of(f"{row['measure']}, groups shuffled", where, null, row["n"], title, unit=unit)
    yield from told_better(rows, title, learned, ALL)


def told_better(rows: Sequence[Mapping[str, Any]], title: str, learned: str, which: str) -> Iterator[Figure]:
    """Yield whether kinds are separated better than objects, for all sentences or for those of ``which``.

    Args:
        learned: what the network was trained on, as words.
    """
    for of in dict.fromkeys(row["of"] for row in rows):
        for space in ("full", "map"):
            beyond = {
                row["by"]: (row["score"] - row["chance"]) / (1 - row["chance"])
                for row in rows
                if (row["of"], row["space"], row["measure"], row["balanced"]) == (of, space, NEAREST, True)
                and row["score"] is not None
            }
            if len(beyond) == 2:
                yield figure_of(
                    "kind told better than object",
                    {"of": OF[of], "space": space, "sentences": which},
                    beyond["kind"] - beyond["object"],
                    rows[0]["n"],
                    title,
                    None,
                    SAYS[of] if of == UNTRAINED else f"{SAYS[of]}; here {learned}",
                    "difference of nearest-neighbour accuracies, each from 0 at chance to 1",
                )


def described(measured: Mapping[str, Any], title: str, count: int) -> Iterator[Figure]:
    """Yield the maps' quality, the graphs, and the change of circuits with kind and with object."""
    for of in (CIRCUITS, TEXT):
        where = {"of": OF[of]}
        held, trust = (measured[name][of] for name in ("held", "trustworthiness"))
        yield figure_of("variance held by the components", where, held, count, title, unit="share")
        yield figure_of("trustworthiness of the map", where, trust, count, title, unit="from 0 to 1")
    unknown = measured["unknown"] / count
    yield figure_of("with words that training did not see", {}, unknown, count, title, unit="share of sentences")
    yield figure_of(
        "links that are there for some sentences alone",
        {"threshold": str(THRESHOLD)},
        measured["varying"],
        count,
        title,
        None,
        "circuits are diverse, though no prior regularises them",
        "share of pairs of modules",
    )
    for name, unit in (("density", "share of pairs"), ("modularity", "Q"), ("communities", "of two modules or more")):
        values = np.array(measured["graphs"][name])
        if len(values):
            mean, name = bootstrap_interval(values), f"links above one half: {name}"
            yield figure_of(name, {}, mean, len(values), title, None, GRAPHS_SAY, unit)
    for between, pairs in measured["changes"].items():
        if pairs:
            where, mean = {"between": between}, bootstrap_interval(np.array(pairs))
            yield figure_of("change of P", where, mean, len(pairs), title, None, SAYS[CIRCUITS], "mean |dP|")


EXPERIMENT = Experiment(
    id="nac-sentences",
    title="Circuits that sentences give, by kind of reasoning and by object",
    paper_reference=f"{circuits.REFERENCE}, Figures 6, 16 and 17, section 4.4 and Appendix H",
    paper_figures=(
        PaperFigure(
            "circuits of the sentences of Appendix H (Figure 6), conditional NAC trained on NLVR2 with CLIP",
            None,
            "kinds of reasoning form clusters",
        ),
        PaperFigure(
            "CLIP's text embeddings of the same sentences (Figures 16 and 17)",
            None,
            "objects form clusters, and kinds of reasoning do not",
        ),
    ),
    settings=Settings(),
    quick=Settings(sets=("scenes",), method="pca", graphs=12, pairs=100),
    run=run,
)
