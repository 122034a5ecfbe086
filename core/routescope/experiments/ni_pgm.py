"""ni-pgm: Neural Interpreter, Vision Transformer and WReN on matrices, regime by regime (paper: Table 2, Figure 8).

Each network is trained on the matrices of a regime and scored on validation, which is like training, and on test,
which has what the regime holds out. A usual run has the recipes ``ni-pgm``, ``vit-pgm`` and ``wren-pgm`` on matrices of
fewer rules, with one seed; a full one the printed sizes and the whole grammar, and with ``--data pgm-neutral=FOLDER``
and its like the published matrices. A network whose validation accuracy is not above chance, an eighth, by its
interval has not learned: the record says so, and its test accuracy then says nothing of what the regime holds out.
Regimes are parts that run alone.

Figure 8 is the test accuracy of the Neural Interpreter after every number of function iterations, up to those it was
trained with. The smaller one has one a script and so no half: for what the paper says of half the compute, one with
two is trained on the neutral regime, which is a part of its own. The last weights of a training are scored; the paper
chooses among several trainings by validation.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from jaxtyping import Bool

from routescope.data.matrices.regimes import REGIMES, WORDS, RegimeName
from routescope.data.matrices.sets import MatrixSet
from routescope.experiments.shared.adaptation import share_interval
from routescope.experiments.shared.frame import (
    Context,
    Experiment,
    Figure,
    Outcome,
    PaperFigure,
    answers_in,
    figure_of,
    text_of,
)
from routescope.experiments.shared.tables import NI_TABLE_2
from routescope.nn.inputs.matrices import ANSWERS
from routescope.nn.network import Network
from routescope.routing.caused.intervals import bootstrap_interval, wilson_interval
from routescope.routing.caused.scores import evaluate
from routescope.routing.compute import flops_per_sample
from routescope.routing.intervention import Intervention
from routescope.training.fit import train
from routescope.training.recipes.matrices import for_regime
from routescope.zoo import checkpoint

NI, VIT, WREN = "ni-pgm", "vit-pgm", "wren-pgm"
#: The Neural Interpreter with twice the iterations, of which there is a half.
DOUBLED = "ni-pgm-doubled"
TITLES = {
    NI: "Neural Interpreter",
    VIT: "Vision Transformer",
    WREN: "WReN",
    DOUBLED: "Neural Interpreter, twice the iterations",
}
#: Those that iterate their functions, so that there is a curve of Figure 8.
ITERATED = (NI, DOUBLED)
#: The part in which the one with twice the iterations is trained.
FIGURE_8 = "figure-8"
CHANCE = 1 / ANSWERS
OVER_SEEDS = "accuracy, interval over seeds"
SPLITS = ("validation", "test")
SAYS = "Table 2, on 1.2 million matrices a regime; comparable with no other data"
SAYS_ANYTIME = "Figure 8 is a curve only: at half the compute at least 70 % of the full test accuracy stay"


@dataclass(frozen=True)
class Settings:
    """``seeds`` trainings of each network on each regime; ``steps`` of each (None: the recipe's).

    ``limit``: matrices of each split that are scored, None for all. ``printed``: the whole grammar and printed sizes.
    ``doubled``: whether a Neural Interpreter with twice the iterations is trained on the neutral regime too.
    """

    networks: tuple[str, ...] = (NI, VIT, WREN)
    regimes: tuple[RegimeName, ...] = REGIMES
    seeds: int = 1
    steps: int | None = None
    limit: int | None = None
    printed: bool = False
    doubled: bool = True

    @property
    def trainings(self) -> tuple[tuple[RegimeName, str], ...]:
        """The regime and the network of each training, for every seed."""
        every = tuple((regime, name) for regime in self.regimes for name in self.networks)
        return (*every, ("neutral", DOUBLED)) if self.doubled else every


def part(whole: Settings, names: tuple[str, ...]) -> Settings:
    """Return the settings of some regimes, and of the network with twice the iterations.

    Raises:
        ValueError: twice the iterations of the printed sizes, which have a half as they are.
    """
    if whole.printed and FIGURE_8 in names:
        raise ValueError(f"the printed sizes have an even number of iterations: Figure 8 is of {REGIMES[0]}")
    return replace(whole, regimes=tuple(regime for regime in REGIMES if regime in names), doubled=FIGURE_8 in names)


def run(context: Context) -> Outcome:
    """Train and score every network on every regime, then the Neural Interpreter after every number of iterations."""
    chosen: Settings = context.settings
    context.seeds["first training"] = 0
    sets = {regime: _sets(context, regime) for regime in dict(chosen.trainings)}
    context.expect(len(chosen.trainings) * chosen.seeds)
    rows = [
        trained(context, name, regime, seed, sets[regime])
        for seed in range(chosen.seeds)
        for regime, name in chosen.trainings
    ]
    figures: list[Figure] = []
    for regime, name in chosen.trainings:
        runs = [row for row in rows if (row["model"], row["regime"]) == (name, regime)]
        figures += accuracies(name, regime, runs, sets[regime], chosen.printed)
        if name in ITERATED:
            figures += anytime(name, regime, runs, sets[regime]["test"])
    curves = [curve for row in rows for curve in row["iterations"]]
    hidden = ("correct", "iterations")
    table = [{key: value for key, value in row.items() if key not in hidden} for row in rows]
    return Outcome(figures, {"trainings": table, "iterations": curves}, notes(chosen, rows))


def _sets(context: Context, regime: RegimeName) -> dict[str, MatrixSet]:
    chosen: Settings = context.settings
    config = for_regime(NI, regime, chosen.printed)[1].config
    (name,) = config.domains
    sets = {split: context.data(name, split, chosen.limit) for split in SPLITS}
    context.data(name, "train", side=config.picture_side)
    return sets


def trained(
    context: Context, name: str, regime: RegimeName, seed: int, sets: Mapping[str, MatrixSet]
) -> dict[str, Any]:
    """Train a network, and return its correct matrices by split, whether it learned, and its curve."""
    chosen: Settings = context.settings
    recipe_name, recipe = for_regime(NI if name == DOUBLED else name, regime, chosen.printed)
    if name == DOUBLED:
        recipe = recipe._replace(config=replace(recipe.config, iterations=2 * recipe.config.iterations))
    folder = context.folder / f"{name}-{regime}-{seed}"

    def make() -> dict[str, Any]:
        asked = replace(recipe.settings, seed=seed)
        asked = asked if chosen.steps is None else asked.for_steps(chosen.steps)
        train(recipe_name, context.sources, asked, recipe.config, folder, progress=False)
        model = checkpoint.load(folder / "model.safetensors")
        right = {split: evaluate(model, data).correct for split, data in sets.items()}
        return {
            "model": name,
            "regime": regime,
            "seed": seed,
            "steps": None if asked.epochs else asked.steps,
            "parameters": sum(tensor.numel() for tensor in model.parameters()),
            **{split: float(tensor.mean()) for split, tensor in right.items()},
            "learned": learned(right["validation"]),
            "correct": {split: text_of(answers) for split, answers in right.items()},
            "iterations": list(_curve(model, regime, seed, sets["test"])) if name in ITERATED else [],
        }

    context.underway(f"training {name} on {regime}, seed {seed}")
    return context.measure(f"{name}, {regime}, seed {seed}", make)


def learned(right: Bool[np.ndarray, " sample"]) -> bool:
    """Return whether the 95 % interval of a network's accuracy lies above chance."""
    return bool(wilson_interval(int(right.sum()), len(right))[0] > CHANCE)


def _curve(model: Network, regime: RegimeName, seed: int, test: MatrixSet) -> Iterator[dict[str, Any]]:
    for iterations in range(model.config.iterations + 1):
        change = Intervention(iterations=iterations)
        yield {
            "regime": regime,
            "seed": seed,
            "iterations": iterations,
            "of": model.config.iterations,
            "right": int(evaluate(model, test, change).correct.sum()),
            "count": len(test),
            "flops": flops_per_sample(model, change),
        }


def accuracies(
    name: str, regime: RegimeName, rows: Sequence[Mapping[str, Any]], sets: Mapping[str, MatrixSet], printed: bool
) -> Iterator[Figure]:
    """Yield the mean accuracy over seeds on each split, and whether the network learned.

    Its interval is over matrices, of these trainings; of several there is another one over what seeds may give.

    Args:
        printed: whether networks have the printed sizes, so that Table 2 stands beside them where the data are its own.
    """
    can = sum(row["learned"] for row in rows)
    where: dict[str, str | int] = {"model": TITLES[name], "regime": WORDS[regime], "seeds": len(rows)}
    if can < len(rows):
        where["not learned"] = f"{len(rows) - can} of {len(rows)}: at chance on validation"
    for column, split in enumerate(SPLITS):
        right = np.array([answers_in(row["correct"][split]) for row in rows], dtype=float)
        mean, low, high = bootstrap_interval(right.mean(axis=0))
        if len(rows) == 1:
            low, high = wilson_interval(int(right.sum()), right.size)
        data = sets[split]
        print_says = NI_TABLE_2[name][REGIMES.index(regime)][column] if printed and not data.stand_in else None
        value = mean, low, high
        yield figure_of("accuracy", {**where, "split": split}, value, right.size, [data], print_says, SAYS)
        if len(rows) > 1:
            over_seeds = share_interval(right.mean(axis=1))
            yield figure_of(OVER_SEEDS, {**where, "split": split}, over_seeds, right.size, [data], print_says, SAYS)


def anytime(name: str, regime: RegimeName, rows: Sequence[Mapping[str, Any]], test: MatrixSet) -> Iterator[Figure]:
    """Yield Figure 8: test accuracy by number of iterations, over the trainings that learned.

    Intervals take the matrices of several seeds, which are the same, as independent.
    """
    curves = [curve for row in rows if row["learned"] for curve in row["iterations"]]
    most = max((curve["of"] for curve in curves), default=0)
    whole = sum(curve["flops"] for curve in curves if curve["iterations"] == most)
    full_right = sum(curve["right"] for curve in curves if curve["iterations"] == most)
    for iterations in sorted({curve["iterations"] for curve in curves}):
        points = [curve for curve in curves if curve["iterations"] == iterations]
        right, count = (sum(curve[key] for curve in points) for key in ("right", "count"))
        where: dict[str, str | int] = {
            "model": TITLES[name],
            "regime": WORDS[regime],
            "iterations": f"{iterations} of {most}",
            "compute": f"{sum(curve['flops'] for curve in points) / whole:.0%}",
        }
        value = (right / count, *wilson_interval(right, count))
        yield figure_of("test accuracy", where, value, count, [test], None, SAYS_ANYTIME)
        if 2 * iterations == most and full_right:
            kept, low, high = (end * count / full_right for end in value)
            called, unit = "share of the full accuracy at half the iterations", "share of the full accuracy"
            yield figure_of(called, where, (kept, low, high), count, [test], None, SAYS_ANYTIME, unit)


def notes(chosen: Settings, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what is smaller than printed, and which networks did not learn."""
    lines = ["Sizes of Vision Transformer and WReN are not printed; every network has the panel encoder of the others."]
    if not chosen.printed:
        lines.append(
            "Matrices have fewer rules than the paper's, one or two each, and networks are scaled to two cores: they "
            "learn from panels drawn with 32 pixels a side, and are scored on panels of 80 that they shrink. No "
            "accuracy stands beside Table 2 as the same thing's."
        )
    if left := [WORDS[regime] for regime in REGIMES if regime not in chosen.regimes]:
        but = ", but for twice the iterations on neutral" if chosen.doubled and "neutral" in left else ""
        lines.append(f"Regimes that were not run{but}: {', '.join(left)}.")
    lines += [
        f"{TITLES[row['model']]} on {WORDS[row['regime']]}, seed {row['seed']}, has not learned: its accuracy of "
        f"{row['validation']:.1%} on validation is not above chance, {CHANCE:.1%}, by its interval."
        for row in rows
        if not row["learned"]
    ]
    iterations = {curve["of"] for row in rows for curve in row["iterations"]}
    if iterations and all(number % 2 for number in iterations):
        lines.append(
            "A Neural Interpreter trained with an odd number of iterations has none at half the compute: Figure 8's "
            "claim is not judged by it."
        )
    return lines


EXPERIMENT = Experiment(
    id="ni-pgm",
    title="Matrices: Neural Interpreter, Vision Transformer and WReN by regime",
    paper_reference="Dynamic Inference with Neural Interpreters (NeurIPS 2021), section 4.3, Table 2 and Figure 8",
    paper_figures=(
        *(
            PaperFigure(
                f"{WORDS[regime]}, test, {TITLES[name]}",
                NI_TABLE_2[name][column][1],
                f"{NI_TABLE_2[name][column][1]:.1%}, and {NI_TABLE_2[name][column][0]:.1%} on validation",
            )
            for column, regime in enumerate(REGIMES)
            for name in (WREN, VIT, NI)
        ),
        PaperFigure("test accuracy against function iterations", None, SAYS_ANYTIME),
    ),
    settings=Settings(),
    quick=Settings(regimes=("neutral",), steps=20, limit=60, doubled=False),
    run=run,
    full=Settings(printed=True, doubled=False),
    parts=(*REGIMES, FIGURE_8),
    part=part,
)
