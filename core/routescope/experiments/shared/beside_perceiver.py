"""Shared parts of experiments that train a circuit beside a Perceiver IO: several seeds, and cost by length.

Both networks of a task are trained from scratch with the same budget and scored on the test split. Cost is counted in
operations of a sample, and measured in seconds, at several numbers of tokens, of networks of these sizes with fresh
weights: what weights hold changes neither.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from jaxtyping import Float

from routescope.data.samples import Samples
from routescope.data.sequences.sets import SequenceSet
from routescope.experiments.shared.frame import Context, Figure, Outcome, answers_in, text_of
from routescope.nn.inputs.kind import Inputs
from routescope.nn.network import Network
from routescope.nn.registry import ARCHITECTURES
from routescope.routing.caused.intervals import bootstrap_interval
from routescope.routing.caused.scores import evaluate
from routescope.routing.compute import flops_per_sample
from routescope.training.fit import train
from routescope.training.settings import Recipe
from routescope.zoo import checkpoint

NAC_TITLE, PIO_TITLE = "NAC, scale-free prior", "Perceiver IO"
SAYS_COST = "cost is linear in the number of tokens (section 2.1); no figure of it is printed"


@dataclass(frozen=True)
class Settings:
    """``seeds`` trainings of each network; ``steps`` of each (None: the recipe's); ``limit`` samples of the test split.

    ``lengths`` are the numbers of tokens at which cost is measured, ``rounds`` times each, the networks taking turns;
    ``batch`` samples at once.
    """

    networks: tuple[str, ...]
    seeds: int = 3
    steps: int | None = None
    limit: int | None = None
    lengths: tuple[int, ...] = (125, 250, 500, 1_000, 2_000, 4_000)
    rounds: int = 5
    batch: int = 4


@dataclass(frozen=True, eq=False)
class PerceiverComparison:
    """A circuit, a Perceiver IO, and the data that both learn.

    Attributes:
        nac, pio: ids of the circuit and of the Perceiver IO.
        recipes: of both, by id; what a run changes of them is changed already.
        data: name of the set that both learn and are scored on.
        tokens: the word for tokens.
        random: what costs are measured on, in words.
        example: such inputs, for a batch and a number of tokens.
        paper: the test accuracies that the paper prints, by id; none where it prints none of such data.
        says: what the paper says of them.
        notes: sentences for the record.
    """

    nac: str
    pio: str
    recipes: Mapping[str, Recipe]
    data: str
    tokens: str
    random: str
    example: Callable[[int, int], Inputs]
    paper: Mapping[str, float]
    says: str
    notes: Sequence[str] = ()

    def title(self, name: str) -> str:
        """Return the title of a network."""
        return NAC_TITLE if name == self.nac else PIO_TITLE


def run(context: Context, task: PerceiverComparison) -> Outcome:
    """Train, score, and measure cost."""
    chosen: Settings = context.settings
    context.seeds["first training"] = 0
    test = context.data(task.data, "test", chosen.limit)
    context.data(task.data, "train")
    context.expect(len(chosen.networks) * chosen.seeds + len(chosen.lengths))
    scored = [trained(context, task, name, seed, test) for seed in range(chosen.seeds) for name in chosen.networks]
    costs = [row for length in chosen.lengths for row in cost(context, task, length)]
    figures = [*accuracies(task, scored, test), *slopes(task, costs)]
    return Outcome(figures, {"trainings": scored, "costs": costs}, task.notes)


def trained(context: Context, task: PerceiverComparison, name: str, seed: int, test: Samples) -> dict[str, Any]:
    """Train a network, and return which samples of the test split it labels right."""
    chosen: Settings = context.settings

    def make() -> dict[str, Any]:
        recipe, folder = task.recipes[name], context.folder / f"{name}-{seed}"
        asked = replace(recipe.settings, seed=seed)
        asked = asked if chosen.steps is None else asked.for_steps(chosen.steps)
        train(name, context.sources, asked, recipe.config, folder, progress=False)
        model = checkpoint.load(folder / "model.safetensors")
        score = evaluate(model, test)
        return {
            "model": name,
            "seed": seed,
            "steps": asked.steps,
            "parameters": sum(parameter.numel() for parameter in model.parameters()),
            "accuracy": score.accuracy,
            "correct": text_of(score.correct),
        }

    context.underway(f"training {name}, seed {seed}")
    return context.measure(f"{name}, seed {seed}", make)


def accuracies(task: PerceiverComparison, scored: Sequence[Mapping[str, Any]], test: Samples) -> Iterator[Figure]:
    """Yield the mean accuracy over seeds, and the circuit's advantage, with intervals over samples."""
    right = {
        name: np.array([answers_in(row["correct"]) for row in scored if row["model"] == name], dtype=float)
        for name in dict.fromkeys(row["model"] for row in scored)
    }
    for name, rows in right.items():
        yield _figure(task, "accuracy", name, rows.mean(axis=0), rows, test, task.paper.get(name))
    if set(right) == {task.nac, task.pio}:
        more = (right[task.nac] - right[task.pio]).mean(axis=0)
        yield _figure(task, "more than Perceiver IO", task.nac, more, right[task.nac], test, None)


def _longest(test: Samples, recipe: Recipe) -> int:
    """Return the tokens of the longest sample that a network reads."""
    most: int = recipe.config.max_length
    return min(most, int(test.lengths.max())) if isinstance(test, SequenceSet) else most


def _figure(
    task: PerceiverComparison,
    what: str,
    name: str,
    by_sample: Float[np.ndarray, " sample"],
    rows: Float[np.ndarray, "seed sample"],
    test: Samples,
    paper: float | None,
) -> Figure:
    """Return the mean over samples of their means over seeds, with its interval over samples."""
    mean, low, high = bootstrap_interval(by_sample)
    return Figure(
        name=what,
        where={"model": task.title(name), "seeds": len(rows), task.tokens: _longest(test, task.recipes[name])},
        value=mean,
        low=low,
        high=high,
        unit="share",
        count=rows.size,
        data=f"{test.title}, {test.split}",
        stand_in=test.stand_in,
        paper=None if test.stand_in else paper,
        paper_says=task.says,
    )


def network_of(recipe: Recipe, length: int) -> Network:
    """Return an untrained network of a recipe's sizes for so many tokens."""
    torch.manual_seed(0)
    return ARCHITECTURES[recipe.architecture].network(replace(recipe.config, max_length=length)).eval()


def cost(context: Context, task: PerceiverComparison, length: int) -> list[dict[str, Any]]:
    """Return operations and seconds per sample of so many tokens, for every network."""
    chosen: Settings = context.settings

    def make() -> dict[str, Any]:
        models = {name: network_of(task.recipes[name], length) for name in chosen.networks}
        inputs = task.example(chosen.batch, length)
        seconds = _processor_seconds(list(models.values()), inputs, chosen.rounds)
        rows = [
            {
                "model": name,
                task.tokens: length,
                "flops": flops_per_sample(model),
                "processor_seconds": float(np.median(taken)),
                "fastest_round": float(taken.min()),
                "slowest_round": float(taken.max()),
                "threads": torch.get_num_threads(),
            }
            for (name, model), taken in zip(models.items(), seconds, strict=True)
        ]
        return {"rows": rows}

    rows: list[dict[str, Any]] = context.measure(f"cost, {length:,} {task.tokens}", make)["rows"]
    return rows


def _processor_seconds(models: Sequence[Network], inputs: Inputs, rounds: int) -> Float[np.ndarray, "model round"]:
    """Return the processor seconds per sample; networks take turns, and each round starts with another one."""
    seconds = np.empty((len(models), rounds))
    with torch.inference_mode():
        for model in models:
            model(inputs)  # what is prepared once is no cost of a sample
        for number in range(rounds):
            for turn in range(len(models)):
                index = (number + turn) % len(models)
                begun = time.process_time()
                models[index](inputs)
                seconds[index, number] = (time.process_time() - begun) / len(inputs)
    return seconds


def slopes(task: PerceiverComparison, costs: Sequence[Mapping[str, Any]]) -> Iterator[Figure]:
    """Yield the exponent by which each network's cost grows between the two largest numbers of tokens.

    An exponent of 1 is cost in proportion to length; where a part of it depends on no length, it is less.
    """
    for name in dict.fromkeys(row["model"] for row in costs):
        rows = sorted((row for row in costs if row["model"] == name), key=lambda row: row[task.tokens])
        if len(rows) < 2:
            continue
        last, before = rows[-1], rows[-2]
        ratio = np.log(last[task.tokens] / before[task.tokens])
        for what, key in (("operations", "flops"), ("processor time", "processor_seconds")):
            yield Figure(
                name=f"exponent of {what} in the number of {task.tokens}",
                where={"model": task.title(name), task.tokens: last[task.tokens]},
                value=float(np.log(last[key] / before[key]) / ratio),
                count=1,
                data=f"{task.random}, weights as they are drawn",
                paper_says=SAYS_COST,
            )
