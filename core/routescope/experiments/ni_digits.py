"""ni-digits: a Neural Interpreter beside a Vision Transformer on digits (paper: Tables 4 and 5, Figure 5c).

Each network is trained anew with every seed, all on the same data for as many steps. By default it is the size that two
cores can train, and Neural Interpreters come in two kinds: as the paper trains them, by the labels alone, and with
routing that tells tokens apart rewarded besides, which the paper has not. ``--full`` trains the printed sizes, of hours
on a GPU.

With ``--data mnist=FOLDER --data mnist-m=FOLDER`` the networks learn from real digits and are scored on their test
sets; street digits stay a stand-in for SVHN. Trained networks are left beside the run's partial results, with cards.

What is dropped of a Neural Interpreter are functions, of a Vision Transformer layers: see
``routescope.nn.baselines.vit``.
"""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from routescope.data.pictures.sets import PictureSet
from routescope.experiments.ni_drop import MOST_FUNCTIONS, subsets
from routescope.experiments.shared.adaptation import share_interval
from routescope.experiments.shared.frame import Context, Experiment, Figure, Outcome, PaperFigure, figure_of
from routescope.experiments.shared.tables import NI_TABLES_4_5
from routescope.nn.network import Network
from routescope.nn.registry import ARCHITECTURES
from routescope.routing.caused.scores import evaluate
from routescope.routing.intervention import Intervention
from routescope.routing.observed.measures import entropy
from routescope.routing.observed.observer import observe
from routescope.training.fit import train
from routescope.training.recipes.networks import RECIPES
from routescope.training.tasks.mixture import Mixture, digits_mixture
from routescope.zoo import checkpoint

TABLE = {
    "neural_interpreter": "Table 4, 0.64M parameters, 100 epochs with RandAugment",
    "vision_transformer": "Table 5, 1.80M parameters, 100 epochs with RandAugment",
}
PAPERS_SET = {"street-digits": "SVHN", "mnist-m": "MNIST-M", "mnist": "MNIST"}
SAYS_DROP = "No number, only a curve: accuracy degrades gracefully on every set as functions are removed at random."
SAYS_ROUTING = "No number: functions become autonomous without additional objectives that encourage this."

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Settings:
    """The networks that are trained, and the samples that they are tested on.

    Attributes:
        networks: recipes, all of the same domains.
        seeds: each network is trained with seeds 0, 1, ... up to so many.
        steps: of each training; None: those of the recipe.
        street: street digits that are rendered to train on, where no source is given.
        samples: of each set that subsets of units are dropped on, and routing is observed on.
    """

    networks: tuple[str, ...] = ("ni-digits-unrewarded", "ni-digits", "vit-digits")
    seeds: int = 3
    steps: int | None = 1_500
    street: int = 60_000
    samples: int = 500


def run(context: Context) -> Outcome:
    """Train, score, observe and ablate every network with every seed; raises ValueError for different domains."""
    chosen: Settings = context.settings
    domains = RECIPES[chosen.networks[0]].config.domains
    if any(RECIPES[name].config.domains != domains for name in chosen.networks):
        raise ValueError(f"networks are compared on the same domains; {chosen.networks[0]} has {', '.join(domains)}")
    scored = {name: context.data(name, "test" if name in context.sources else "validation") for name in domains}
    mixture = digits_mixture(context.sources, domains, chosen.street)
    stand_ins = [data.stand_in_for for data in scored.values() if data.stand_in]
    title = "; ".join(f"{what}: {count:,}" for what, count in mixture.parts)
    context.trained_on(title, mixture.images, ", ".join(map(str, stand_ins)) or None)
    for seed in range(chosen.seeds):
        context.seeds[f"training {seed + 1}"] = seed
    trainings = [Training(context, name, seed) for name in chosen.networks for seed in range(chosen.seeds)]
    context.expect(3 * len(trainings))
    tables: dict[str, list[Row]] = {name: [] for name in ("trainings", "accuracies", "routing", "subsets")}
    few = [data.take(slice(chosen.samples)) for data in scored.values()]
    for training in trainings:
        result = context.measure(f"{training.key}: training", partial(training.train, mixture))
        model = training.model(mixture)
        tables["trainings"].append(
            {**training.where, **{name: result[name] for name in result if name != "accuracies"}}
        )
        tables["accuracies"] += [{**training.where, **row} for row in result["accuracies"]]
        for table, make in (("routing", routing), ("subsets", dropping)):
            rows = context.measure(f"{training.key}: {table}", partial(make, model, few))["rows"]
            tables[table] += [{**training.where, **row} for row in rows]
    figures = [
        *accuracy_figures(tables["accuracies"], scored),
        *routing_figures(tables["routing"], few),
        *drop_figures(tables["subsets"], few),
    ]
    return Outcome(figures, tables)


@dataclass(frozen=True)
class Training:
    """One training of a run: a network with a seed."""

    context: Context
    name: str
    seed: int

    @property
    def key(self) -> str:
        """The name of the training in the run."""
        return f"{self.name}, seed {self.seed}"

    @property
    def where(self) -> dict[str, str | int]:
        """The first columns of the training's rows in tables."""
        recipe = RECIPES[self.name]
        family, weight = ARCHITECTURES[recipe.architecture].family, recipe.settings.routing_weight
        kind = f"{family}, routing rewarded ({weight:g})" if weight else family
        return {"network": kind, "architecture": recipe.architecture, "recipe": self.name, "seed": self.seed}

    @property
    def folder(self) -> Path:
        """The folder of its training state, and later of its checkpoint and card."""
        return self.context.folder_that_stays / f"{self.name}-{self.seed}"

    def train(self, mixture: Mixture) -> dict[str, Any]:
        """Train the network, from its saved state if there is one; return facts from its card.

        Raises:
            RuntimeError: it was stopped; its state is kept.
        """
        recipe, steps = RECIPES[self.name], self.context.settings.steps
        settings = recipe.settings if steps is None else recipe.settings.for_steps(steps)
        train(
            self.name,
            self.context.sources,
            replace(settings, seed=self.seed),
            folder=self.folder,
            resume=self.context.resumes,
            progress=False,
            mixture=mixture,
        )
        if not (self.folder / "model.safetensors").is_file():
            raise RuntimeError(f"the training of {self.key} was stopped; the same command goes on with it")
        card = json.loads((self.folder / "card.json").read_text())
        last = {row["domain"]: row for row in card["accuracies"]}  # of a real set its test split, which comes last
        shown = ("domain", "data", "stand_in", "accuracy", "low", "high", "count")
        return {
            "parameters": card["parameters"],
            "revision": card["revision"],
            "steps": card["settings"]["steps"],
            "epochs": card["epochs"],
            "accuracies": [{name: row[name] for name in shown} for row in last.values()],
        }

    def model(self, mixture: Mixture) -> Network:
        """Return the trained network, trained again if its checkpoint is gone; delete its training state."""
        file = self.folder / "model.safetensors"
        if not file.is_file():
            self.train(mixture)
        shutil.rmtree(self.folder / "training", ignore_errors=True)
        return checkpoint.load(file)


def routing(model: Network, datasets: Sequence[PictureSet]) -> dict[str, Any]:
    """Return how a network routes at each step; no rows if it routes no tokens.

    Of each step: the mean over tokens of the entropy of their shares, over ln of the number of units; the mean of exp
    of that entropy; the entropy of the units' usage over ln of their number; and what is left of it, in nats, when a
    token's entropy is taken away: the information of unit and token.
    """
    if "compatibility" not in model.fields:
        return {"rows": []}
    observed = observe(model, datasets, shuffles=1)
    rows = []
    for step in observed["step"].values:
        used, conditional = entropy(observed["usage"].sel(step=step).values), float(observed["entropy"].sel(step=step))
        rows.append(
            {
                "step": str(step),
                "entropy": float(observed["entropy_share"].sel(step=step)),
                "effective": float(observed["effective_units"].sel(step=step)),
                "usage": float(used / np.log(len(observed["unit"]))),
                "information": max(0.0, float(used) - conditional),
            }
        )
    return {"rows": rows}


def dropping(model: Network, datasets: Sequence[PictureSet]) -> dict[str, Any]:
    """Return accuracy and loss (nats) on every set with every subset of the units dropped, from none to all.

    Raises:
        ValueError: a network with too many units to try every subset of.
    """
    if len(model.units) > MOST_FUNCTIONS:
        raise ValueError(
            f"every subset is dropped of up to {MOST_FUNCTIONS} units; this network has {len(model.units)}"
        )
    rows = []
    for data in datasets:
        for drop in subsets(model.units):
            score = evaluate(model, data, Intervention(drop=drop))
            rows.append(
                {
                    "domain": data.domain,
                    "dropped": list(drop),
                    "units": len(model.units),
                    "accuracy": score.accuracy,
                    "loss": score.mean_loss,
                    "count": score.count,
                }
            )
    return {"rows": rows}


def grouped(rows: Sequence[Row], *names: str) -> Iterator[tuple[dict[str, Any], list[Row]]]:
    """Yield groups of rows with equal values in some columns, in the order of the values."""

    def key(row: Row) -> list[Any]:
        return [row[name] for name in names]

    for values, same in groupby(sorted(rows, key=key), key):
        yield dict(zip(names, values, strict=True)), list(same)


def accuracy_figures(rows: Sequence[Row], scored: Mapping[str, PictureSet]) -> Iterator[Figure]:
    """Yield mean and standard deviation over seeds of the accuracy on each domain, beside the paper's."""
    for where, same in grouped(rows, "network", "domain"):
        architecture, data = same[0]["architecture"], scored[where["domain"]]
        printed = NI_TABLES_4_5.get(architecture, {}).get(data.name)
        says = "no number"
        if printed is not None:
            says = f"{PAPERS_SET[data.name]} {printed:.1%} ({TABLE[architecture]})"
        values = [row["accuracy"] for row in same]
        common = {
            "where": {**where, "seeds": len(values)},
            "count": same[0]["count"],
            "data": f"{data.title}, {data.split}",
            "stand_in": data.stand_in,
        }
        mean, low, high = share_interval(values, 1.0)
        paper = None if data.stand_in or data.split != "test" else printed
        yield Figure(
            name="accuracy", value=mean, low=low, high=high, unit=SHARE, paper=paper, paper_says=says, **common
        )
        if len(values) > 1:
            deviation = float(np.std(values, ddof=1))
            yield Figure(
                name="accuracy, standard deviation over seeds", value=deviation,
                unit="share of samples", paper_says="no number: one network is printed", **common,
            )  # fmt: skip


SHARE = "share of samples, mean over seeds"
#: Names of figures of routing, by column: what it is, its unit, and the most it can be where that is known.
ROUTING = {
    "entropy": ("entropy of a token's routing", "share of ln of the functions, mean over steps and seeds", 1.0),
    "effective": ("functions that a token is spread over", "functions, mean over steps and seeds", np.inf),
    "usage": ("entropy of the functions' usage", "share of ln of the functions, mean over steps and seeds", 1.0),
    "information": ("information of function and token", "nats, mean over steps and seeds", np.inf),
}


def routing_figures(rows: Sequence[Row], datasets: Sequence[PictureSet]) -> Iterator[Figure]:
    """Yield means over steps and seeds of the routing measures."""
    for where, same in grouped(rows, "network"):
        by_seed = [seeds for _, seeds in grouped(same, "seed")]
        for column, (name, unit, most) in ROUTING.items():
            values = [float(np.mean([row[column] for row in seeds])) for seeds in by_seed]
            condition, count = {**where, "seeds": len(values)}, sum(map(len, datasets))
            value = share_interval(values, most)
            yield figure_of(name, condition, value, count, datasets, None, SAYS_ROUTING, unit, separator=", ")


def drop_figures(rows: Sequence[Row], datasets: Sequence[PictureSet]) -> Iterator[Figure]:
    """Yield mean, least and most accuracy by number of dropped units, each a mean over seeds."""
    sets = {data.domain: data for data in datasets}
    for where, same in grouped([{**row, "size": len(row["dropped"])} for row in rows], "network", "domain", "size"):
        by_seed = [[row["accuracy"] for row in seeds] for _, seeds in grouped(same, "seed")]
        data = sets[where["domain"]]
        for name, choose in (("mean", np.mean), ("least", np.min), ("most", np.max)):
            mean, low, high = share_interval([float(choose(values)) for values in by_seed], 1.0)
            yield Figure(
                name=f"{name} accuracy over subsets",
                where={
                    "network": where["network"],
                    "domain": where["domain"],
                    "dropped": where["size"],
                    "of": same[0]["units"],
                    "subsets": len(by_seed[0]),
                    "seeds": len(by_seed),
                },
                value=mean,
                low=low,
                high=high,
                unit=SHARE,
                count=same[0]["count"],
                data=f"{data.title}, {data.split}",
                stand_in=data.stand_in,
                paper_says=SAYS_DROP,
            )


EXPERIMENT = Experiment(
    id="ni-digits",
    title="A Neural Interpreter beside a Vision Transformer on three sets of digits",
    paper_reference="Dynamic Inference with Neural Interpreters (NeurIPS 2021), section 4.2, Tables 4 and 5, Figure 5c",
    paper_figures=(
        *(
            PaperFigure(f"{PAPERS_SET[domain]}, {ARCHITECTURES[architecture].family}", value, TABLE[architecture])
            for architecture, printed in NI_TABLES_4_5.items()
            for domain, value in printed.items()
        ),
        PaperFigure("accuracy on the digit sets against dropped functions", None, SAYS_DROP),
    ),
    settings=Settings(),
    quick=Settings(seeds=1, steps=150, street=4_000, samples=100),
    run=run,
    full=Settings(networks=("ni-digits-printed", "vit-digits-printed"), steps=None, samples=1_000),
)
