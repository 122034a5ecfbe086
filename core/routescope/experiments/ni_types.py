"""ni-types: types by function iteration, learned and with routing fixed at initialisation (paper: Figures 4, 17, 18).

Two networks with two scripts of two function iterations are trained alike from the same start: one whole, the other
with its routing fixed, that is with type inference, sigma and signatures as they were drawn. Types of image patches are
then looked at step by step: how clustered they are by their closest function, by label and by data set, each beside the
same number for shuffled groups, how many functions are in use, and a t-SNE map of all steps. The paper has maps alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int

from routescope.data import Dataset
from routescope.experiments.shared.frame import Context, Experiment, Figure, Interval, Outcome, PaperFigure, figure_of
from routescope.nn.interpreter.config import NeuralInterpreterConfig
from routescope.nn.network import Network
from routescope.routing.caused.scores import evaluate
from routescope.routing.maps.clustering import clustering
from routescope.routing.maps.embedding import embed
from routescope.routing.maps.points import TypePoints, type_points
from routescope.training.fit import train
from routescope.training.recipes.networks import NI_DIGITS, NI_DIGITS_PRINTED, PRINTED_SETTINGS
from routescope.training.settings import TrainingSettings
from routescope.training.tasks.mixture import Mixture
from routescope.zoo import checkpoint

SAYS = "Only maps: types are more clustered in later function iterations"
SAYS_FIXED = (
    "Only maps: with routing fixed at initialisation types show less structure and diversity, most of all later"
)

LEARNED, FIXED = "learned", "fixed at initialisation"
ROUTINGS = (LEARNED, FIXED)
GROUPS = {"unit": "closest function", "label": "label", "domain": "data set"}

SMALL = replace(NI_DIGITS, scripts=2, iterations=2)
PRINTED = replace(NI_DIGITS_PRINTED, scripts=2, iterations=2)


@dataclass(frozen=True)
class Settings:
    """The networks and their training, of which the paper prints only the two scripts of two iterations.

    Attributes:
        config: of the first network; the other one's has its routing fixed.
        training: of both.
        train_limit: training samples of each domain; None for all there are.
        samples: validation samples whose patches are clustered, of all domains together.
        shuffles: of groups, for the null.
        map_samples: samples whose patches are mapped.
    """

    config: NeuralInterpreterConfig = SMALL
    training: TrainingSettings = TrainingSettings(steps=3000, precision="32-true", validate_every=1000)
    train_limit: int | None = 4000
    samples: int = 300
    shuffles: int = 200
    map_samples: int = 24


def run(context: Context) -> Outcome:
    """Train the two networks, and map their types."""
    chosen: Settings = context.settings
    context.seeds |= {"training": chosen.training.seed, "shuffles and maps": 0}
    domains = chosen.config.domains
    learned_from = [context.data(domain, "train", chosen.train_limit) for domain in domains]
    shown = [context.data(domain, "validation") for domain in domains]
    context.expect(2 * len(ROUTINGS))
    tables: dict[str, list[dict[str, Any]]] = {"accuracies": [], "clustering": [], "maps": [], "map points": []}
    for routing in ROUTINGS:
        scored = context.measure(f"routing {routing}, training", partial(score, context, routing, learned_from, shown))
        tables["accuracies"] += scored["rows"]
        seen = context.measure(f"routing {routing}, types", partial(look, context, routing, learned_from, shown))
        for name in ("clustering", "maps", "map points"):
            tables[name] += seen[name]
    return Outcome(list(summarise(tables, shown)), tables, list(scaled(chosen)))


def network(context: Context, routing: str, learned_from: Sequence[Dataset]) -> Network:
    """Return the network with this routing; train it if it is missing, or continue its training."""
    chosen: Settings = context.settings
    folder = context.folder / routing.replace(" ", "-")
    file = folder / "model.safetensors"
    if not file.is_file():
        context.underway(f"routing {routing}, training for {chosen.training.steps:,} steps")
        config = chosen.config
        if routing == FIXED:
            config = replace(config, frozen_type_inference=True, frozen_signatures=True)
        train("ni-digits", None, chosen.training, config, folder, progress=False, mixture=mixture(learned_from))
    return checkpoint.load(file)


def mixture(sets: Sequence[Dataset]) -> Mixture:
    """Return all samples of some data sets as a mixture, a domain for each set."""
    return Mixture(
        images=torch.cat([data.images for data in sets]),
        labels=torch.cat([data.labels for data in sets]),
        domain=torch.cat([torch.full((len(data),), index) for index, data in enumerate(sets)]),
        domains=tuple(data.domain for data in sets),
        parts=tuple((data.title, len(data)) for data in sets),
    )


def score(
    context: Context, routing: str, learned_from: Sequence[Dataset], shown: Sequence[Dataset]
) -> dict[str, list[dict[str, Any]]]:
    """Return the accuracy on every domain."""
    model = network(context, routing, learned_from)
    rows = []
    for data in shown:
        result = evaluate(model, data)
        interval = {"low": result.interval[0], "high": result.interval[1]}
        rows.append(
            {"routing": routing, "domain": data.domain, "accuracy": result.accuracy, **interval, "count": result.count}
        )
    return {"rows": rows}


def look(
    context: Context, routing: str, learned_from: Sequence[Dataset], shown: Sequence[Dataset]
) -> dict[str, list[dict[str, Any]]]:
    """Return clustering and functions in use by step, and a map of some points."""
    chosen: Settings = context.settings
    model = network(context, routing, learned_from)
    points = type_points(model, shown, chosen.samples)
    rows = [
        {"routing": routing, **{str(name): defined(value) for name, value in row.items()}}
        for row in clustering(points, shuffles=chosen.shuffles).to_dict("records")
    ]
    in_use = {name: functions_in_use(points.unit[points.step == step]) for step, name in enumerate(points.steps)}
    for row in rows:
        row["functions_in_use"] = in_use[row["step"]]
    few = type_points(model, shown, chosen.map_samples)
    mapped = embed(few, "tsne", perplexity=min(30.0, (len(few) - 1) / 3))
    trust = mapped.trustworthiness
    return {
        "clustering": rows,
        "maps": [{"routing": routing, "trustworthiness": trust.value, "of_pca": trust.pca, "points": len(few)}],
        "map points": [{"routing": routing, **row} for row in places(few, mapped.xy)],
    }


def defined(value: Any) -> Any:
    """Return a value as JSON can hold it: None for NaN."""
    return None if isinstance(value, float) and np.isnan(value) else value


def functions_in_use(unit: Int[np.ndarray, " point"]) -> float:
    """Return the effective number of functions: exp of the entropy of their shares of tokens; 0 without tokens."""
    counts = np.bincount(unit[unit >= 0])
    shares = counts[counts > 0] / max(counts.sum(), 1)
    return float(np.exp(-(shares * np.log(shares)).sum())) if len(shares) else 0.0


def places(points: TypePoints, xy: Float[np.ndarray, "point 2"]) -> Iterator[dict[str, Any]]:
    """Yield a row for each point: its position, to two decimals, its step and what colours it."""
    units, labels = (*points.units, None), (*points.labels, None)
    for at, (x, y) in enumerate(xy.round(2).tolist()):
        yield {
            "step": points.steps[points.step[at]],
            "x": round(x, 2),
            "y": round(y, 2),
            "function": units[points.unit[at]],
            "label": labels[points.label[at]],
            "domain": points.domains[points.domain[at]],
        }


def summarise(tables: Mapping[str, Sequence[Mapping[str, Any]]], shown: Sequence[Dataset]) -> Iterator[Figure]:
    """Yield accuracies, silhouettes beside their null, and the gain by learning and by later steps."""
    for row in tables["accuracies"]:
        (data,) = (dataset for dataset in shown if dataset.domain == row["domain"])
        where: dict[str, str | int] = {"routing": row["routing"], "domain": row["domain"]}
        yield figure_of("accuracy", where, (row["accuracy"], row["low"], row["high"]), row["count"], [data])
    of = {(row["routing"], row["by"], row["step"]): row for row in tables["clustering"]}
    steps = list(dict.fromkeys(step for _, _, step in of))
    for (routing, by, step), row in of.items():
        says = SAYS if routing == LEARNED else SAYS_FIXED
        condition: dict[str, str | int] = {"routing": routing, "by": GROUPS[by], "step": step}

        def figure(
            name: str,
            value: Interval | float,
            condition: dict[str, str | int] = condition,
            count: int = row["n"],
            says: str = says,
            unit: str = "silhouette, -1 to 1",
        ) -> Figure:
            return figure_of(name, condition, value, count, shown, None, says, unit)

        if by == "unit":
            yield figure("functions in use", row["functions_in_use"], unit="functions")
        if row["score"] is None:
            continue
        yield figure("silhouette of types", row["score"])
        yield figure("the same with shuffled groups", (row["null_mean"], row["null_low"], row["null_high"]))
        first, other = of[routing, by, steps[0]]["score"], of[FIXED, by, step]["score"]
        if step == steps[-1] and first is not None:
            yield figure("last step less the first", row["score"] - first)
        if routing == LEARNED and other is not None:
            yield figure("learned less fixed", row["score"] - other)


def scaled(chosen: Settings) -> Iterator[str]:
    """Yield sentences on what differs from the paper."""
    yield "One training of each network: how much another start would change is not measured."
    if chosen.config == SMALL:
        yield (
            f"Small networks, trained for {chosen.training.steps:,} steps of {chosen.training.batch_size}; those of"
            " Table 4 with two scripts of two iterations with --full."
        )


EXPERIMENT = Experiment(
    id="ni-types",
    title="Types by function iteration, learned and at initialisation",
    paper_reference="Dynamic Inference with Neural Interpreters (NeurIPS 2021), Figures 4, 17 and 18, Appendix E",
    paper_figures=(
        PaperFigure("t-SNE of types, trained", None, SAYS),
        PaperFigure("t-SNE of types, routing fixed at initialisation", None, SAYS_FIXED),
    ),
    settings=Settings(),
    quick=Settings(
        training=TrainingSettings(steps=30, batch_size=32, precision="32-true", validate_every=30),
        train_limit=500,
        samples=30,
        shuffles=20,
        map_samples=6,
    ),
    run=run,
    full=Settings(config=PRINTED, training=PRINTED_SETTINGS, train_limit=None),
)
