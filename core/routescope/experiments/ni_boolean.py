"""ni-boolean: fuzzy Boolean functions, learned, then adapted to by three sets of parameters (paper: Table 1, 4.1).

A Neural Interpreter regresses 20 random functions of five numbers at once, then learns 10 others with new CLS tokens:
these alone; with what matches types (signatures, type inference and sigma); with everything, at the printed learning
rate and at that of pre-training. Nothing is scaled: 20 and
3 epochs of 131,072 points in batches of 128, RAdam at 6e-3 and 5e-2 without a schedule (Table 3). R2 is of 32,768
points that nothing was trained on; the paper calls its share of the same size validation.

The usual run adapts the bundled network, which was trained as printed (``routescope train ni-boolean``); ``--full``
trains it anew first. Not printed, and chosen here: how a number becomes a vector (a linear layer), and that a step's
gradients are taken as they are.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from routescope.data.numbers import boolean
from routescope.data.numbers.sets import NumberSet, function_of, name_of
from routescope.experiments.shared.adaptation import adaptable, mean_interval
from routescope.experiments.shared.frame import Context, Experiment, Figure, Outcome, PaperFigure
from routescope.experiments.shared.tables import NI_TABLE_1
from routescope.nn.interpreter.network import NeuralInterpreter
from routescope.nn.network import Network
from routescope.training import fit
from routescope.training.recipes.numbers import NI_BOOLEAN_SETTINGS
from routescope.training.settings import TrainingSettings
from routescope.training.tasks.numbers import Explained, PointBatches, Regression, explained
from routescope.zoo import checkpoint

PRETRAINING = "pre-training"


@dataclass(frozen=True)
class Adaptation:
    """The parts of the network that learn, and how.

    Attributes:
        parts: of the network, see ``AdaptableNetwork.parts``.
        rate: the learning rate; None: the printed one.
        best: whether the best of the last states on validation points is taken, as in pre-training, or the last.
    """

    parts: tuple[str, ...]
    rate: float | None = None
    best: bool = False


EVERYTHING = ("cls", "signatures", "type inference", "heads", "tokens", "codes", "interpreter")
REMAINING, SLOWLY = "+ remaining parameters", "+ remaining parameters, at the rate of pre-training"
#: The rows of Table 1, and the last one again with the learning rate that everything was trained with before.
ADAPTATIONS: dict[str, Adaptation] = {
    "CLS tokens": Adaptation(("cls",)),
    "+ type inference": Adaptation(("cls", "signatures", "type inference")),
    REMAINING: Adaptation(EVERYTHING),
    SLOWLY: Adaptation(EVERYTHING, NI_BOOLEAN_SETTINGS.learning_rate, best=True),
}
#: Return the distance of each result from the paper's, and what differs from its settings.
TOLERANCE = 0.005


@dataclass(frozen=True)
class Settings:
    """The settings of Table 3; a smaller run changes the number of epochs or points.

    Attributes:
        model: the network that was pre-trained; None: it is trained first.
        functions: how many of the functions that are kept for it are adapted to.
        points: of each function, learned from and scored; None: all.
    """

    model: str | None = "ni-boolean"
    functions: int = boolean.FUNCTIONS - boolean.PRETRAINED
    epochs: float = 3
    learning_rate: float = 0.05
    batch_size: int = 128
    precision: str = "bf16-mixed"
    points: int | None = None
    seed: int = 0


def run(context: Context) -> Outcome:
    """Score the pre-trained network, then adapt it with each set of parameters, and score it again."""
    chosen: Settings = context.settings
    context.seeds.update({"functions and points": boolean.SEED, "training": chosen.seed})
    old = sets_of(context, range(1, boolean.PRETRAINED + 1), "test")
    new = range(boolean.PRETRAINED + 1, boolean.PRETRAINED + 1 + chosen.functions)
    train, shown, test = (sets_of(context, new, split) for split in ("train", "validation", "test"))
    model = None if chosen.model is None else context.model(chosen.model)
    context.expect(1 + len(ADAPTATIONS))
    results: dict[str, dict[str, float]] = {}
    results[PRETRAINING] = context.measure(PRETRAINING, lambda: explained(model or pretrained(context), old))
    for words, adaptation in ADAPTATIONS.items():

        def adapted(words: str = words, adaptation: Adaptation = adaptation) -> dict[str, Any]:
            context.underway(f"adapting {words}")
            folder, start = context.folder / slug(words), model or pretrained(context)
            return explained(adapt(start, train, chosen, adaptation, folder, shown), test)

        results[words] = context.measure(f"adaptation, {words}", adapted)
    figures = [figure for words, values in results.items() for figure in summarise(words, values, context.settings)]
    rows = [
        {"parameters": words, "function": function_of(name), "R2": value}
        for words, values in results.items()
        for name, value in values.items()
    ]
    expressions = [
        {"function": function_of(data.name), "expression": data.expression, "mean": float(data.truth.mean())}
        for data in (*old, *test)
    ]
    return Outcome(figures, {"functions": rows, "expressions": expressions}, notes(results, chosen))


def sets_of(context: Context, functions: Sequence[int] | range, split: str) -> list[NumberSet]:
    """Return the points of some functions, and add them to the record."""
    sets = []
    for function in functions:
        data = context.data(name_of(function), split, context.settings.points)
        assert isinstance(data, NumberSet)
        sets.append(data)
    return sets


def slug(words: str) -> str:
    """Return a set of parameters as the name of a folder."""
    return words.removeprefix("+ ").replace(",", "").replace(" ", "-").lower()


def pretrained(context: Context) -> Network:
    """Return the network of the recipe; it is trained once, in the run's folder."""
    folder = context.folder / "pretraining"
    if not (folder / "model.safetensors").is_file():
        context.underway("pre-training, about an hour on two cores")
        fit.train("ni-boolean", folder=folder, progress=False)
    return checkpoint.load(folder / "model.safetensors")


def adapt(
    model: Network,
    train: Sequence[NumberSet],
    chosen: Settings,
    adaptation: Adaptation,
    folder: Path,
    shown: Sequence[NumberSet] = (),
) -> Network:
    """Return a copy with new CLS tokens, of which some parts have learned other functions.

    Args:
        train: one a function, of the same points.
        folder: of the training's state, from which it goes on.
        shown: validation points of the same functions, by which the best of the last states is found.

    Raises:
        ValueError: a network that is no Neural Interpreter with a shared head.
    """
    if not isinstance(model, NeuralInterpreter) or not model.config.shared_head:
        raise ValueError(f"{model.id or 'this network'} is no Neural Interpreter whose CLS tokens share a head")
    with torch.random.fork_rng():
        torch.manual_seed(chosen.seed)
        means = [float(data.truth.double().mean()) for data in train]
        network = model.with_heads([data.domain for data in train], 1, means)
        for name, parameters in adaptable(network).parts().items():
            for parameter in parameters:
                parameter.requires_grad_(name in adaptation.parts)
        rate = chosen.learning_rate if adaptation.rate is None else adaptation.rate
        settings = TrainingSettings(
            epochs=chosen.epochs,
            batch_size=chosen.batch_size,
            learning_rate=rate,
            least_learning_rate=rate,
            augment=False,
            gradient_clipping=0.0,
            precision=chosen.precision,
            seed=chosen.seed,
            minutes=1.0,
        ).for_data(len(train[0]))
        stream = PointBatches(train, settings.batch_size, settings.seed)
        learning = Regression(network.train(), settings)
        measured = Explained(shown if adaptation.best else (), settings.steps + 1)
        fit.fit(learning, stream, settings, folder, measured, progress=False)
        measured.choose(network)
    return network.eval().requires_grad_(False)


def summarise(words: str, values: Mapping[str, float], chosen: Settings) -> Iterator[Figure]:
    """Yield the mean R2 over functions with Student's interval, and the standard deviation, as in Table 1."""
    paper, spread = NI_TABLE_1[REMAINING if words == SLOWLY else words]
    says = f"Table 1: {paper:.4f} +- {spread:.4f} over 10 functions"
    if words == SLOWLY:
        says += f", at the printed rate of {chosen.learning_rate:g}; here at {ADAPTATIONS[SLOWLY].rate:g}"
    numbers = list(values.values())
    sets_in_words = "functions that it was trained on" if words == PRETRAINING else "functions that it was adapted to"
    where: dict[str, str | int] = {"parameters": words, "functions": len(numbers)}
    printed = chosen.points is None
    common: dict[str, Any] = {
        "where": where,
        "unit": "",
        "count": len(numbers),
        "data": f"Fuzzy Boolean functions, test points ({sets_in_words})",
        "stand_in": False,
        "paper_says": says,
    }
    mean, low, high = mean_interval(numbers)
    yield Figure(name="R2, mean", value=mean, low=low, high=high, paper=paper if printed else None, **common)
    deviation = float(np.std(numbers, ddof=1)) if len(numbers) > 1 else 0.0
    name = "R2, standard deviation over functions"
    yield Figure(name=name, value=deviation, paper=spread if printed else None, **common)


def notes(results: Mapping[str, Mapping[str, float]], chosen: Settings) -> list[str]:
    """Return the distance of each result from the paper's, and what differs from its settings."""
    lines = []
    for words, values in results.items():
        difference = float(np.mean(list(values.values()))) - NI_TABLE_1[REMAINING if words == SLOWLY else words][0]
        near = "within" if abs(difference) <= TOLERANCE else "not within"
        lines.append(f"{words}: {difference:+.4f} from print, {near} {TOLERANCE:g} of it.")
    if np.mean(list(results[REMAINING].values())) < 0 < np.mean(list(results[SLOWLY].values())):
        lines.append(
            f"With everything learning at the printed rate of {chosen.learning_rate:g} the network fell apart and "
            f"answers worse than the mean would. At {ADAPTATIONS[SLOWLY].rate:g}, the rate of pre-training, it learns; "
            "of its last states the best on validation points is scored."
        )
    if chosen.points is not None:
        lines.append(f"A quick run: {chosen.points:,} points and {chosen.epochs:g} epoch(s) instead of 131,072 and 3.")
    if chosen.model is not None:
        lines.append(f"Pre-training was not run again: {chosen.model} was trained as its card says.")
    return lines


EXPERIMENT = Experiment(
    id="ni-boolean",
    title="Fuzzy Boolean functions, learned and adapted to",
    paper_reference="Dynamic Inference with Neural Interpreters (NeurIPS 2021), Table 1, section 4.1 and Appendix B",
    paper_figures=tuple(
        PaperFigure(f"R2, {words}", mean, f"{mean:.4f} +- {spread:.4f}") for words, (mean, spread) in NI_TABLE_1.items()
    ),
    settings=Settings(),
    quick=Settings(points=4096, epochs=1),
    run=run,
    full=Settings(model=None),
)
