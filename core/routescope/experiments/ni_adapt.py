"""ni-adapt: networks trained on digits learn another writing system from few samples (paper: Figures 5a and 6, C.2.2).

A Neural Interpreter, a Vision Transformer, and the Neural Interpreter with its functions drawn anew get a new CLS token
and a new head and are fine-tuned whole: 10 epochs of RAdam at a constant learning rate that a grid search finds for
each. A seed decides the samples, which are the same for all networks, and what is drawn. Letters of another writing
system stand in for K-MNIST; with ``--data`` the run is on real sets instead: ``kmnist=FOLDER``, or ``letters=FOLDER``
for any labelled pictures.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import torch
from jaxtyping import Int64
from torch import Tensor

from routescope.data import Dataset
from routescope.experiments.shared.adaptation import (
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

SAYS = "Only a curve: NI is ahead of the ViT where samples are few, and more samples close the gap"
SAYS_ANEW = "Only a curve: with functions kept as they were learned NI is ahead of NI with functions drawn at random"

#: What follows the name of a network whose functions are drawn anew.
ANEW = ", functions drawn anew"


@dataclass(frozen=True)
class Settings:
    """The settings of C.2.2 without the largest number of samples, which takes half of the time.

    Attributes:
        models: ids; one that is not there is left out, and the record says so.
        drawn_anew: those of them that are adapted a second time with functions drawn anew.
        sets: what is adapted to: all that a source is given for, or else the first.
        samples: numbers of samples; those that a set has not are left out.
        seeds: runs for each number.
        scored: samples of the test set; None for all.
    """

    models: tuple[str, ...] = ("ni-digits", "vit-digits")
    drawn_anew: tuple[str, ...] = ("ni-digits",)
    sets: tuple[str, ...] = ("kmnist", "mnist-m", "letters")
    samples: tuple[int, ...] = (8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
    seeds: int = 6
    scored: int | None = 2000
    grid: LearningRateGrid = LearningRateGrid()
    tuning: FineTuning = FineTuning()


@dataclass(frozen=True)
class Learner:
    """A trained network that is adapted, as it is or with its functions drawn anew."""

    name: str
    model: Network
    anew: bool

    def adapted(
        self, target: Target, rows: Int64[Tensor, " sample"], rate: float, seed: int, tuning: FineTuning
    ) -> Network:
        """Return a copy with a head for the target, fine-tuned on some of its samples; other random numbers stay."""
        with torch.random.fork_rng():
            model = extensible(self.model).with_initial_functions(seed) if self.anew else self.model
            torch.manual_seed(seed)
            network = adaptable(model).with_heads((target.domain,), len(target.train.classes))
            return fine_tune(network, target.train, rows, tuning, rate, ())


def run(context: Context) -> Outcome:
    """Adapt every network to every set, with every number of samples and every seed."""
    chosen: Settings = context.settings
    learners, notes = load_learners(context)
    chosen_targets = targets(context, chosen.sets, [candidate.model for candidate in learners], chosen.scored)
    context.seeds["subsets"] = 0
    sizes = {target.domain: [n for n in chosen.samples if n <= len(target.train)] for target in chosen_targets}
    runs = sum(len(chosen.grid.rates) + len(sizes[target.domain]) * chosen.seeds for target in chosen_targets)
    context.expect(len(learners) * runs)
    rates: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    for target in chosen_targets:
        tried = {learner.name: try_rates(context, learner, target) for learner in learners}
        rates += [row for candidate in tried.values() for row in candidate]
        for samples in sizes[target.domain]:
            for seed in range(chosen.seeds):
                for learner in learners:
                    rate = chosen.grid.best([row["accuracy"] for row in tried[learner.name]])
                    rows.append(measure(context, learner, target, samples, seed, rate))
    figures = [figure for target in chosen_targets for figure in summarise(learners, target.test, rows)]
    return Outcome(figures, {"runs": rows, "rates": rates}, [*notes, *scaled(chosen, learners, chosen_targets, sizes)])


def load_learners(context: Context) -> tuple[list[Learner], list[str]]:
    """Return the networks that exist, and a note on each missing one.

    Raises:
        UnknownModel: none of them is there.
        ValueError: one that cannot be adapted, or has no functions to draw anew.
    """
    chosen: Settings = context.settings
    models, notes = context.models(chosen.models)
    learners = []
    for model_id, model in models.items():
        adaptable(model)
        learners.append(Learner(model_id, model, anew=False))
        if model_id in chosen.drawn_anew:
            extensible(model)
            learners.append(Learner(model_id + ANEW, model, anew=True))
    return learners, notes


def try_rates(context: Context, learner: Learner, target: Target) -> list[dict[str, Any]]:
    """Return the accuracy of each learning rate on held-out training samples."""
    chosen: Settings = context.settings
    rows, held = chosen.grid.rows(target)

    def tried(rate: float) -> dict[str, Any]:
        def make() -> dict[str, Any]:
            network = learner.adapted(target, rows, rate, 0, chosen.tuning)
            return {
                "set": target.domain,
                "model": learner.name,
                "rate": rate,
                "samples": len(rows),
                "accuracy": evaluate(network, held).accuracy,
                "count": len(held),
            }

        return context.measure(f"{target.domain}, {learner.name}, learning rate {rate:g}", make)

    return [tried(rate) for rate in chosen.grid.rates]


def measure(context: Context, learner: Learner, target: Target, samples: int, seed: int, rate: float) -> dict[str, Any]:
    """Return the accuracy on the test set after fine-tuning on some samples."""
    chosen: Settings = context.settings

    def make() -> dict[str, Any]:
        rows = subset(len(target.train), samples, seed)
        score = evaluate(learner.adapted(target, rows, rate, seed, chosen.tuning), target.test)
        return {
            "set": target.domain,
            "model": learner.name,
            "samples": samples,
            "seed": seed,
            "rate": rate,
            "accuracy": score.accuracy,
            "loss": score.mean_loss,
            "count": score.count,
            "tuning": asdict(chosen.tuning),
        }

    return context.measure(f"{target.domain}, {learner.name}, {samples} samples, seed {seed + 1}", make)


def summarise(learners: Sequence[Learner], test: Dataset, rows: Sequence[Mapping[str, Any]]) -> Iterator[Figure]:
    """Yield accuracy by samples, with the interval over seeds, and the first network's advantage, seed by seed."""
    set_rows = [row for row in rows if row["set"] == test.domain]
    for samples in sorted({row["samples"] for row in set_rows}):
        of = {
            candidate.name: [
                row["accuracy"] for row in set_rows if (row["model"], row["samples"]) == (candidate.name, samples)
            ]
            for candidate in learners
        }
        first = learners[0].name
        seeds = len(of[first])
        for learner in learners:
            where: dict[str, str | int] = {"model": learner.name, "samples": samples, "seeds": seeds}
            count, accuracies = seeds * len(test), of[learner.name]
            says = SAYS_ANEW if learner.anew else SAYS
            yield figure_of("accuracy", where, share_interval(accuracies), count, [test], None, says)
            if learner.name != first:
                gain = mean_interval([a - b for a, b in zip(of[first], accuracies, strict=True)])
                condition: dict[str, str | int] = {"model": first, "samples": samples, "seeds": seeds}
                yield figure_of(f"more than {learner.name}", condition, gain, count, [test], None, says)


def scaled(
    chosen: Settings, learners: Sequence[Learner], chosen_targets: Sequence[Target], sizes: Mapping[str, Sequence[int]]
) -> Iterator[str]:
    """Yield sentences on what differs from the paper."""
    for learner in learners:
        if not learner.anew:
            count = sum(parameter.numel() for parameter in learner.model.parameters())
            yield f"{learner.name} has {count:,} parameters; the paper's NI has 643,000 and its ViT 1,800,000."
    for target in chosen_targets:
        left_out = [n for n in chosen.samples if n not in sizes[target.domain]]
        if left_out:
            most = f"{target.train.title} has {len(target.train):,} samples to learn from"
            yield f"{most}: left out were {', '.join(f'{n:,}' for n in left_out)}."
    if chosen == Settings():
        yield "Up to 4,096 samples, for two cores; up to 8,192 with --full. Seeds, epochs and batches are as printed."


EXPERIMENT = Experiment(
    id="ni-adapt",
    title="Adapting to another writing system with few samples",
    paper_reference="Dynamic Inference with Neural Interpreters (NeurIPS 2021), Figures 5a and 6, C.2.2",
    paper_figures=(
        PaperFigure("K-MNIST, NI and ViT against samples", None, SAYS),
        PaperFigure("K-MNIST, NI with functions kept and drawn anew", None, SAYS_ANEW),
    ),
    settings=Settings(),
    quick=Settings(
        samples=(8, 64),
        seeds=2,
        scored=200,
        grid=LearningRateGrid(rates=(0.01, 0.003), samples=64, scored=200),
        tuning=FineTuning(epochs=3),
    ),
    run=run,
    full=Settings(samples=(*Settings.samples, 8192), scored=None),
)
