"""nac-points: a circuit beside Perceiver IO on clouds of points, without augmentation (paper: Table 2, section 4.2).

Both are trained here from scratch with the same budget, from several seeds, and scored on the test split; the paper
prints neither sizes nor settings for this task, so they are those of the recipes ``nac-points`` and ``pio-points``,
which are scaled to two cores. Cost is counted in operations of a cloud, and measured in seconds, at numbers of points
up to 4,000, of networks of these sizes with fresh weights: what weights hold changes neither.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from jaxtyping import Float

from core.data.points.sets import CloudSet
from core.experiments.frame import Context, Experiment, Figure, Outcome, PaperFigure
from core.nn.network import Network
from core.nn.registry import ARCHITECTURES
from core.routing.caused.intervals import bootstrap_interval
from core.routing.caused.scores import evaluate
from core.routing.compute import flops_per_sample
from core.training.fit import train
from core.training.recipes.points import POINT_RECIPES
from core.zoo import checkpoint

NAC, PIO = "nac-points", "pio-points"
TITLES = {NAC: "NAC, scale-free prior", PIO: "Perceiver IO"}
#: Test accuracies on ModelNet40 that Table 2 prints.
PAPER = {NAC: 0.83, PIO: 0.774}
SAYS = "without augmentation or pre-training NAC reaches 83.0 % on ModelNet40, Perceiver IO 77.4 %"
SAYS_COST = "cost is linear in the number of tokens (section 2.1); no figure of it is printed"


@dataclass(frozen=True)
class Settings:
    """``seeds`` trainings of each network; ``steps`` of each (None: the recipe's); ``limit`` clouds of the test split.

    ``lengths`` are the numbers of points at which cost is measured, ``rounds`` times each, the networks taking turns;
    ``batch`` clouds at once.
    """

    networks: tuple[str, ...] = (NAC, PIO)
    seeds: int = 3
    steps: int | None = None
    limit: int | None = None
    lengths: tuple[int, ...] = (125, 250, 500, 1_000, 2_000, 4_000)
    rounds: int = 5
    batch: int = 4


def settings(quick: bool) -> Settings:
    """Three seeds with the recipes' steps, or one of a few steps that learns next to nothing."""
    return Settings(seeds=1, steps=20, limit=60, lengths=(250, 1_000, 4_000), rounds=2) if quick else Settings()


def run(context: Context) -> Outcome:
    """Train, score, and measure cost."""
    chosen: Settings = context.settings
    context.seeds["first training"] = 0
    test: CloudSet = context.data("clouds", "test", chosen.limit)
    context.data("clouds", "train")
    context.expect(len(chosen.networks) * chosen.seeds + len(chosen.lengths))
    scored = [trained(context, name, seed, test) for seed in range(chosen.seeds) for name in chosen.networks]
    costs = [row for length in chosen.lengths for row in cost(context, length)]
    points = {POINT_RECIPES[name].config.max_length for name in chosen.networks}
    notes = [
        f"Networks are scaled to two cores: they read {max(points)} of the 1,024 points of a cloud, and have "
        f"{POINT_RECIPES[NAC].config.modules} modules or latents.",
        "With --data clouds=FOLDER of ModelNet40 its test split is looked at on the way, as it has no validation "
        "split; the last state is scored whatever was seen there.",
    ]
    return Outcome([*accuracies(scored, test), *slopes(costs)], {"trainings": scored, "costs": costs}, notes)


def trained(context: Context, name: str, seed: int, test: CloudSet) -> dict[str, Any]:
    """One training, and which clouds of the test split it labels right."""
    chosen: Settings = context.settings

    def make() -> dict[str, Any]:
        recipe, folder = POINT_RECIPES[name], context.folder / f"{name}-{seed}"
        asked = replace(recipe.settings, seed=seed)
        asked = asked if chosen.steps is None else asked.for_steps(chosen.steps)
        train(name, context.sources, asked, folder=folder, progress=False)
        model = checkpoint.load(folder / "model.safetensors")
        found = evaluate(model, test)
        return {
            "model": name,
            "seed": seed,
            "steps": asked.steps,
            "parameters": sum(each.numel() for each in model.parameters()),
            "accuracy": found.accuracy,
            "correct": "".join("1" if each else "0" for each in found.correct),
        }

    return context.measure(f"{name}, seed {seed}", make)


def accuracies(scored: Sequence[Mapping[str, Any]], test: CloudSet) -> Iterator[Figure]:
    """Mean accuracy over seeds, and how much more one network has than the other seed by seed, by resampling clouds."""
    right = {
        name: np.array([[int(each) for each in row["correct"]] for row in scored if row["model"] == name], dtype=float)
        for name in dict.fromkeys(row["model"] for row in scored)
    }
    for name, rows in right.items():
        yield figure("accuracy", name, rows.mean(axis=0), rows, test, PAPER[name])
    if set(right) == {NAC, PIO}:
        yield figure("more than Perceiver IO", NAC, (right[NAC] - right[PIO]).mean(axis=0), right[NAC], test, None)


def figure(
    what: str,
    name: str,
    by_cloud: Float[np.ndarray, " cloud"],
    rows: Float[np.ndarray, "seed cloud"],
    test: CloudSet,
    paper: float | None,
) -> Figure:
    """The mean of what every cloud gives on average over seeds, with its interval over clouds."""
    mean, low, high = bootstrap_interval(by_cloud)
    return Figure(
        name=what,
        where={"model": TITLES[name], "seeds": len(rows), "points": POINT_RECIPES[name].config.max_length},
        value=mean,
        low=low,
        high=high,
        unit="share",
        count=rows.size,
        data=f"{test.title}, {test.split}",
        stand_in=test.stand_in,
        paper=None if test.stand_in else paper,
        paper_says=SAYS,
    )


def network_of(name: str, length: int) -> Network:
    """A network of a recipe's sizes that reads so many points, with fresh weights."""
    recipe = POINT_RECIPES[name]
    torch.manual_seed(0)
    return ARCHITECTURES[recipe.architecture].network(replace(recipe.config, max_length=length)).eval()


def cost(context: Context, length: int) -> list[dict[str, Any]]:
    """Operations and seconds of a cloud of so many points, of every network."""
    chosen: Settings = context.settings

    def make() -> dict[str, Any]:
        models = {name: network_of(name, length) for name in chosen.networks}
        clouds = torch.randn(chosen.batch, length, 3, generator=torch.Generator().manual_seed(0)).clamp(-1, 1)
        seconds: dict[str, list[float]] = {name: [] for name in models}
        with torch.inference_mode():
            for model in models.values():
                model(clouds)  # what is prepared once is no cost of a cloud
            for _ in range(chosen.rounds):
                for name, model in models.items():
                    begun = time.process_time()
                    model(clouds)
                    seconds[name].append((time.process_time() - begun) / chosen.batch)
        rows = [
            {
                "model": name,
                "points": length,
                "flops": flops_per_sample(model),
                "processor_seconds": float(np.median(seconds[name])),
                "fastest_round": min(seconds[name]),
                "slowest_round": max(seconds[name]),
                "threads": torch.get_num_threads(),
            }
            for name, model in models.items()
        ]
        return {"rows": rows}

    rows: list[dict[str, Any]] = context.measure(f"cost, {length:,} points", make)["rows"]
    return rows


def slopes(costs: Sequence[Mapping[str, Any]]) -> Iterator[Figure]:
    """Of every network: the exponent of the growth of its cost from the second largest clouds to the largest.

    An exponent of 1 is cost in proportion to length; where a part of it depends on no length, it is less.
    """
    for name in dict.fromkeys(row["model"] for row in costs):
        rows = sorted((row for row in costs if row["model"] == name), key=lambda row: row["points"])
        if len(rows) < 2:
            continue
        last, before = rows[-1], rows[-2]
        ratio = np.log(last["points"] / before["points"])
        for what, key in (("operations", "flops"), ("processor time", "processor_seconds")):
            yield Figure(
                name=f"exponent of {what} in the number of points",
                where={"model": TITLES[name], "points": last["points"]},
                value=float(np.log(last[key] / before[key]) / ratio),
                low=None,
                high=None,
                unit="",
                count=1,
                data="clouds of random points, weights as they are drawn",
                stand_in=False,
                paper=None,
                paper_says=SAYS_COST,
            )


EXPERIMENT = Experiment(
    id="nac-points",
    title="Clouds of points: a circuit beside Perceiver IO",
    paper_reference="Neural Attentive Circuits (NeurIPS 2022), Table 2 and section 4.2",
    paper_figures=(
        PaperFigure("ModelNet40, NAC with a scale-free prior, no pre-training", 0.83, SAYS),
        PaperFigure("ModelNet40, Perceiver IO", 0.774, SAYS),
        PaperFigure("ModelNet40, Hierarchical Perceiver without pre-training", 0.759, "as reported by Carreira et al."),
    ),
    settings=settings,
    run=run,
)
