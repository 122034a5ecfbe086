"""nac-fewshot: circuits and Perceiver IO adapted to other classes with few samples (paper: Figures 4 and 9).

Trained models get a new head and are fine-tuned whole: 8 classes with 1 to 16 samples each, and 2 to 64 classes with 8
samples each (with one class there is nothing to tell apart). The paper adapts models trained on ImageNet to birds and
CIFAR; here the ones trained on digits learn letters, or ``--data letters=FOLDER``, any labelled pictures. Both models
see the same episodes: the same classes and the same samples.

Steps and learning rate can be chosen first (``--full``, or alone with ``--part choice``): the same for both models, by
their mean accuracy on letters of another script, on which nothing is reported.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from routescope.data.pictures.sets import PictureSet
from routescope.experiments.results.circuits import PIO, RUNGS
from routescope.experiments.shared import circuits
from routescope.experiments.shared.adaptation import Tuning, adapt, draw_episode, mean_interval, right, share_interval
from routescope.experiments.shared.frame import Context, Experiment, Figure, Outcome, PaperFigure, figure_of
from routescope.nn.network import Network

SAYS = "Only a curve: with 1 to 4 samples a class NAC is ahead of Perceiver IO, by about 10 points"
SAYS_WAYS = "Only a curve: NAC stays ahead of Perceiver IO from 1 to 64 classes"


#: What can be chosen, and the part of the experiment that chooses.
CHOICES = tuple(Tuning(steps=steps, learning_rate=rate) for steps in (40, 200, 1000) for rate in (3e-4, 1e-3, 3e-3))
CHOICE = "choice"
#: Of eight classes with sixteen samples each: below it, differences say little.
LEARNED = 0.6


@dataclass(frozen=True)
class Settings:
    """``seeds`` episodes of each kind are drawn; ``queries`` samples of each class test what was learned.

    ``choices``: settings of fine-tuning of which the best is taken, by ``choice_seeds`` episodes on the set ``kmnist``
    with ``choice_shots`` samples of each class; none: ``tuning`` is taken.
    """

    rungs: tuple[str, ...] = ("nac-scale-free", PIO)
    shots: tuple[int, ...] = (1, 2, 4, 8, 16)
    ways_of_shots: int = 8
    ways: tuple[int, ...] = (2, 4, 8, 16, 32, 64)
    shots_of_ways: int = 8
    seeds: int = 5
    queries: int = 20
    tuning: Tuning = Tuning()
    choices: tuple[Tuning, ...] = ()
    choice_shots: int = 16
    choice_seeds: int = 3


def run(context: Context) -> Outcome:
    """Adapt every model in every episode, and compare them episode by episode."""
    chosen: Settings = context.settings
    context.seeds["episodes"] = 0
    (models,) = circuits.load_trainings(context, chosen.rungs)
    side = next(iter(models.values())).config.picture_side
    train, test = (context.data("letters", split, side=side) for split in ("train", "validation"))
    others = tuple(context.data("kmnist", split, side=side) for split in ("train", "validation") if chosen.choices)
    kinds = dict.fromkeys(
        [(chosen.ways_of_shots, shots) for shots in chosen.shots]
        + [(ways, chosen.shots_of_ways) for ways in chosen.ways if ways <= len(test.classes)]
    )
    context.expect(len(models) * (len(kinds) * chosen.seeds + len(chosen.choices) * chosen.choice_seeds))
    tried = [
        measure(context, rung, model, others, chosen.ways_of_shots, chosen.choice_shots, seed, tuning)
        for tuning in chosen.choices
        for seed in range(chosen.choice_seeds)
        for rung, model in models.items()
    ]
    tuning = best(chosen.choices, tried) if tried else chosen.tuning
    rows = [
        measure(context, rung, model, (train, test), ways, shots, seed, tuning)
        for ways, shots in kinds
        for seed in range(chosen.seeds)
        for rung, model in models.items()
    ]
    figures = [*choice_figures(chosen, tried, others), *summarise(chosen, rows, test)]
    return Outcome(figures, {"choices": tried, "episodes": rows}, list(notes(tuning, others, rows)))


def best(choices: Sequence[Tuning], tried: Sequence[Mapping[str, Any]]) -> Tuning:
    """Return the settings with the highest mean accuracy over models and episodes, of equal ones the first."""
    return max(
        choices, key=lambda tuning: np.mean([row["accuracy"] for row in tried if row["tuning"] == asdict(tuning)])
    )


def choice_figures(
    chosen: Settings, tried: Sequence[Mapping[str, Any]], sets: Sequence[PictureSet]
) -> Iterator[Figure]:
    """Yield the accuracy of each model with each of the settings that were tried, over episodes."""
    for tuning in chosen.choices:
        for rung in chosen.rungs:
            own = [row for row in tried if row["model"] == rung and row["tuning"] == asdict(tuning)]
            where: dict[str, str | int] = {
                "model": RUNGS[rung],
                "steps": tuning.steps,
                "learning rate": f"{tuning.learning_rate:g}",
            }
            value, count = share_interval([row["accuracy"] for row in own]), sum(row["count"] for row in own)
            yield figure_of("accuracy on other classes", where, value, count, sets[1:])


def notes(tuning: Tuning, others: Sequence[PictureSet], rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what was chosen, and that little is learned where it is so."""
    if others:
        yield f"Chosen on {others[1].title}: {tuning.steps} steps at {tuning.learning_rate:g}."
    reached = [row["accuracy"] for row in rows if (row["ways"], row["shots"]) == (8, 16)]
    if reached and np.mean(reached) < LEARNED:
        yield f"With 16 samples of each of 8 classes {np.mean(reached):.1%} are right: differences say little."


def measure(
    context: Context,
    rung: str,
    model: Network,
    sets: Sequence[PictureSet],
    ways: int,
    shots: int,
    seed: int,
    tuning: Tuning,
) -> dict[str, Any]:
    """Fine-tune a model in one episode, and return how many queries it labels right."""
    chosen: Settings = context.settings
    train, test = sets

    def make() -> dict[str, Any]:
        episode = draw_episode(train, test, ways, shots, chosen.queries, seed)
        adapted = adapt(model, train, episode, tuning, seed)
        correct = right(adapted, test, episode)
        return {
            "model": rung,
            "ways": ways,
            "shots": shots,
            "seed": seed,
            "right": correct,
            "count": len(episode.query),
            "accuracy": correct / len(episode.query),
            "tuning": asdict(tuning),
        }

    words = f"{train.name}: {rung}, {ways} ways, {shots} shots, {tuning.steps} steps at {tuning.learning_rate:g}"
    return context.measure(f"{words}, episode {seed + 1}", make)


def summarise(chosen: Settings, rows: Sequence[Mapping[str, Any]], test: PictureSet) -> Iterator[Figure]:
    """Yield accuracy and lift over chance of each model, and their difference, episode by episode."""
    kinds = dict.fromkeys((row["ways"], row["shots"]) for row in rows)
    for ways, shots in kinds:
        says = SAYS if ways == chosen.ways_of_shots else SAYS_WAYS
        episodes = {
            rung: [row for row in rows if (row["model"], row["ways"], row["shots"]) == (rung, ways, shots)]
            for rung in chosen.rungs
        }
        where: dict[str, str | int] = {"ways": ways, "shots": shots, "episodes": chosen.seeds}
        for rung, group in episodes.items():
            accuracies = [row["accuracy"] for row in group]
            mean, low, high = share_interval(accuracies)
            count = sum(row["count"] for row in group)
            condition = {"model": RUNGS[rung], **where}
            yield figure_of("accuracy", condition, (mean, low, high), count, [test], None, says)
            lift = (mean * ways, None if low is None else low * ways, None if high is None else high * ways)
            yield figure_of("lift over chance", condition, lift, count, [test], None, says, "times")
        for rung in chosen.rungs:
            if rung != PIO and PIO in episodes:
                pairs = zip(episodes[rung], episodes[PIO], strict=True)
                gain = mean_interval([a["accuracy"] - b["accuracy"] for a, b in pairs])
                condition = {"model": RUNGS[rung], **where}
                yield figure_of("more than Perceiver IO", condition, gain, chosen.seeds, [test], None, says)


def part(whole: Settings, _: tuple[str, ...]) -> Settings:
    """Return the settings of a run that only chooses."""
    return replace(whole, choices=CHOICES, shots=(), ways=())


EXPERIMENT = Experiment(
    id="nac-fewshot",
    title="Adapting to other classes with few samples",
    paper_reference=f"{circuits.REFERENCE}, Figures 4 and 9, section 4.1 and Appendix E",
    paper_figures=(
        PaperFigure("CUB-2011 and CIFAR, 8 classes, 1 to 16 samples each", None, SAYS),
        PaperFigure("CUB-2011 and CIFAR, 1 to 64 classes, 8 samples each", None, SAYS_WAYS),
    ),
    settings=Settings(),
    quick=Settings(shots=(1, 8), ways=(2, 8), seeds=2, queries=10, tuning=Tuning(steps=10)),
    run=run,
    full=Settings(choices=CHOICES, seeds=20),
    parts=(CHOICE,),
    part=part,
)
