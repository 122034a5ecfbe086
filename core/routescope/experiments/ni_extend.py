"""ni-extend: functions added to a Neural Interpreter for another writing system (paper: Figure 5b, section 4.2).

The network gets a CLS token and a head for the new set, which learn first, with all else frozen: without them there is
nothing to read an answer with, and the paper does not say where its came from. Then functions are added, as many as the
setting says, drawn at random, and signatures and codes alone learn, the old ones and the new: 10 epochs of Shampoo at a
constant learning rate that a grid search finds for each number (C.2.2). All other parameters stay as digits made them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from jaxtyping import Int64
from torch import Tensor

from routescope.experiments.shared.adaptation import (
    GRID_SEED,
    FineTuning,
    LearningRateGrid,
    Target,
    adaptable,
    extensible,
    fine_tune,
    mean_interval,
    share_interval,
    subset,
    targets,
)
from routescope.experiments.shared.frame import Context, Experiment, Figure, Outcome, PaperFigure, figure_of
from routescope.nn.network import Network
from routescope.routing.caused.scores import evaluate

SAYS = "Only a curve: the performance rises with the number of functions"
READING, FUNCTIONS = ("cls", "heads"), ("signatures", "codes")


@dataclass(frozen=True)
class Settings:
    """The settings of C.2.2 with fewer samples and seeds: the printed ones take hours on two cores.

    Attributes:
        sets: what is adapted to: all that a source is given for, or else the first.
        added: numbers of functions.
        samples: to learn from; the paper has 8,192.
        seeds: runs for each number; the paper has 6.
        scored: samples of the test set; None for all.
        reading_rate: learning rate of the CLS token and the head: the one that the paper's search found for NI.
        reading, tuning: how these are fine-tuned, and how functions are.
    """

    model: str = "ni-digits"
    sets: tuple[str, ...] = ("kmnist", "mnist-m", "letters")
    added: tuple[int, ...] = (0, 1, 3, 5)
    samples: int = 512
    seeds: int = 3
    scored: int | None = 1000
    grid: LearningRateGrid = LearningRateGrid(rates=(3.0, 1.0, 0.3), samples=512, scored=1000)
    reading_rate: float = 0.05
    reading: FineTuning = FineTuning()
    tuning: FineTuning = FineTuning(optimizer="shampoo")


@dataclass
class Extending:
    """A network that is extended for a data set; its reader is trained once for each seed."""

    chosen: Settings
    model: Network
    target: Target
    readers: dict[int, Network] = field(default_factory=dict)

    def reader(self, rows: Int64[Tensor, " sample"], seed: int) -> Network:
        """Return the network with a CLS token and a head that learned from some samples; the rest is unchanged."""
        if seed not in self.readers:
            with torch.random.fork_rng():
                torch.manual_seed(seed)
                network = adaptable(self.model).with_heads((self.target.domain,), len(self.target.train.classes))
                rate = self.chosen.reading_rate
                self.readers[seed] = fine_tune(network, self.target.train, rows, self.chosen.reading, rate, READING)
        return self.readers[seed]

    def extended(self, rows: Int64[Tensor, " sample"], seed: int, added: int, rate: float) -> Network:
        """Return the reader with added functions; signatures and codes learned from the same samples."""
        reader = self.reader(rows, seed)
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            wider = extensible(reader).add_functions(added)
            return fine_tune(wider, self.target.train, rows, self.chosen.tuning, rate, FUNCTIONS)


def run(context: Context) -> Outcome:
    """Find a learning rate for every number of added functions, then train with every seed."""
    chosen: Settings = context.settings
    model = context.model(chosen.model)
    extensible(model)
    chosen_targets = targets(context, chosen.sets, [model], chosen.scored)
    context.seeds["subsets"] = 0
    measurements = len(chosen.added) * (len(chosen.grid.rates) + chosen.seeds) + chosen.seeds
    context.expect(len(chosen_targets) * measurements)
    rates: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    figures: list[Figure] = []
    for target in chosen_targets:
        extending = Extending(chosen, model, target)
        target_rows = [score_reader(context, extending, seed) for seed in range(chosen.seeds)]
        for added in chosen.added:
            tried = [try_rate(context, extending, added, rate) for rate in chosen.grid.rates]
            rate = chosen.grid.best([row["accuracy"] for row in tried])
            target_rows += [measure(context, extending, added, seed, rate) for seed in range(chosen.seeds)]
            rates += tried
        rows += target_rows
        figures += summarise(extending, target_rows)
    return Outcome(figures, {"runs": rows, "rates": rates}, list(scaled(chosen, chosen_targets)))


def score_reader(context: Context, extending: Extending, seed: int) -> dict[str, Any]:
    """Return the accuracy with a new CLS token and head only; ``added`` is None."""
    target = extending.target

    def make() -> dict[str, Any]:
        rows = subset(len(target.train), extending.chosen.samples, seed)
        return _row(extending, extending.reader(rows, seed), None, seed, extending.chosen.reading_rate)

    return context.measure(f"{target.domain}, CLS token and head, seed {seed + 1}", make)


def try_rate(context: Context, extending: Extending, added: int, rate: float) -> dict[str, Any]:
    """Return the accuracy of a learning rate on held-out training samples."""
    target = extending.target

    def make() -> dict[str, Any]:
        rows, held = extending.chosen.grid.rows(target)
        network = extending.extended(rows, GRID_SEED, added, rate)
        score = evaluate(network, held)
        return {
            "set": target.domain,
            "added": added,
            "rate": rate,
            "samples": len(rows),
            "accuracy": score.accuracy,
            "count": score.count,
        }

    return context.measure(f"{target.domain}, {added} added, learning rate {rate:g}", make)


def measure(context: Context, extending: Extending, added: int, seed: int, rate: float) -> dict[str, Any]:
    """Return the accuracy on the test set with some functions added."""
    target = extending.target

    def make() -> dict[str, Any]:
        rows = subset(len(target.train), extending.chosen.samples, seed)
        return _row(extending, extending.extended(rows, seed, added, rate), added, seed, rate)

    return context.measure(f"{target.domain}, {added} added, seed {seed + 1}", make)


def _row(extending: Extending, network: Network, added: int | None, seed: int, rate: float) -> dict[str, Any]:
    score = evaluate(network, extending.target.test)
    return {
        "set": extending.target.domain,
        "added": added,
        "functions": len(network.all_units),
        "seed": seed,
        "rate": rate,
        "accuracy": score.accuracy,
        "loss": score.mean_loss,
        "count": score.count,
    }


def summarise(extending: Extending, rows: Sequence[Mapping[str, Any]]) -> Iterator[Figure]:
    """Yield accuracy by number of functions, with the interval over seeds, and the gain over none added."""
    test = extending.target.test
    of = {
        added: [row["accuracy"] for row in rows if row["added"] == added] for added in (None, *extending.chosen.added)
    }
    functions = {row["added"]: row["functions"] for row in rows}
    for added, accuracies in of.items():
        where: dict[str, str | int] = {"functions": functions[added], "seeds": len(accuracies)}
        count = len(accuracies) * len(test)
        if added is None:
            name = "accuracy with a new CLS token and head alone"
            yield figure_of(name, where, share_interval(accuracies), count, [test])
            continue
        where = {"functions": functions[added], "added": added, "seeds": len(accuracies)}
        yield figure_of("accuracy", where, share_interval(accuracies), count, [test], None, SAYS)
        if added and 0 in of:
            gain = mean_interval([a - b for a, b in zip(accuracies, of[0], strict=True)])
            yield figure_of("more than with no function added", where, gain, count, [test], None, SAYS)


def scaled(chosen: Settings, chosen_targets: Sequence[Target]) -> Iterator[str]:
    """Yield sentences on what differs from the paper."""
    for target in chosen_targets:
        samples = min(chosen.samples, len(target.train))
        if (samples, chosen.seeds) != (8192, 6):
            yield f"{target.test.title}: {samples:,} samples and {chosen.seeds} seeds; the paper has 8,192 and 6."


EXPERIMENT = Experiment(
    id="ni-extend",
    title="Functions added for another writing system",
    paper_reference="Dynamic Inference with Neural Interpreters (NeurIPS 2021), Figure 5b, section 4.2 and C.2.2",
    paper_figures=(PaperFigure("K-MNIST against functions, signatures and codes alone fine-tuned", None, SAYS),),
    settings=Settings(),
    quick=Settings(
        added=(0, 2),
        samples=64,
        seeds=2,
        scored=200,
        grid=LearningRateGrid(rates=(0.3,), samples=64, scored=200),
        reading=FineTuning(epochs=2),
        tuning=FineTuning(epochs=2, optimizer="shampoo"),
    ),
    run=run,
    full=Settings(
        added=(0, 1, 2, 3, 5, 10),
        samples=8192,
        seeds=6,
        scored=None,
        grid=LearningRateGrid(rates=(10.0, 3.0, 1.0, 0.3, 0.1), samples=4096, scored=1000),
    ),
)
