"""ni-sweep: a random sweep over the hyper-parameters of Neural Interpreters (paper: Table 6, Figures 11 to 16).

Every trial draws its hyper-parameters from Table 6, is trained on the digits, and is scored on the validation set of
each domain. The draw depends only on the sweep's seed and the trial's number. Trials run beside each other on this
machine or on the Ray cluster that ``ROUTESCOPE_RAY_ADDRESS`` names; each is one measurement of the run. The paper
trains 100 networks of Table 4's size for 100 epochs, which takes days on GPUs. The record's table ``scaled`` lists the
settings that are smaller here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import numpy as np
from jaxtyping import Bool

from routescope.data.pictures.sets import PictureSet
from routescope.experiments.shared.frame import Context, Experiment, Figure, Outcome, PaperFigure, figure_of
from routescope.nn.interpreter.config import NeuralInterpreterConfig
from routescope.routing.caused.intervals import wilson_interval
from routescope.training.recipes.networks import NI_DIGITS_PRINTED, PRINTED_SETTINGS
from routescope.training.settings import TrainingSettings
from routescope.training.space import Distribution, OneOf, Uniform, choice, drawn
from routescope.training.sweeps.found import (
    GRID,
    Estimate,
    Runs,
    best,
    box,
    columns,
    correlation,
    density,
    density_of_two,
    estimate,
    median,
    spread,
)
from routescope.training.sweeps.running import run_trials
from routescope.training.sweeps.trial import SweepData, SweepTrial
from routescope.training.tasks.mixture import digits_mixture

ARCHITECTURE = "neural_interpreter"

#: Table 6, row by row.
TABLE_6: tuple[Distribution, ...] = (
    Uniform("tau", 0.7, 1.7),
    choice("type_features", [4 * i for i in range(2, 13)]),
    choice("functions", [1, 2, 3, 4, 5]),
    OneOf(("scripts", "iterations", "locs"), ((2, 2, 2), (2, 4, 1), (4, 2, 1), (1, 8, 1))),
    choice("frozen_signatures", [True, False]),
    choice("frozen_codes", [True, False]),
    choice("frozen_patch_embeddings", [True, False]),
)


@dataclass(frozen=True)
class Settings:
    """A sweep and how its trials are trained.

    Attributes:
        trials: how many (paper: 100).
        seed: of what trials draw; trial k trains with seed k.
        network: every size that the sweep does not draw.
        training: of each trial; its seed is not used.
        street: street digits that are rendered for training where no real ones are given.
        limit: samples of each validation set that are scored; None for all of them.
        threads: of the processor for each trial.
    """

    network: NeuralInterpreterConfig
    training: TrainingSettings
    trials: int = 100
    seed: int = 0
    street: int = 4_000
    limit: int | None = None
    threads: int = 1


#: As printed: Table 4 with what Table 6 varies.
FULL = Settings(NI_DIGITS_PRINTED, PRINTED_SETTINGS, street=60_000)
#: For two cores: 16 tokens instead of 64, narrower, and few steps, without augmentation.
PART = Settings(
    NeuralInterpreterConfig(
        features=32,
        code_features=32,
        heads=2,
        key_features=16,
        type_inference_width=32,
        position_features=16,
        tokenizer="convolutional",
        patch_size=8,
    ),
    TrainingSettings(
        steps=1_300,
        batch_size=32,
        learning_rate=4e-3,
        least_learning_rate=4e-5,
        decay_share=1.0,
        augment=False,
        precision="32-true",
        accelerator="cpu",
        devices=1,
    ),
    trials=64,
)
QUICK = replace(PART, trials=12, training=replace(PART.training, steps=150), limit=300)


def trials_of(chosen: Settings) -> list[SweepTrial]:
    """Return the trials of a sweep, as data."""
    trials = []
    for number in range(chosen.trials):
        values = drawn(TABLE_6, chosen.seed, number)
        config = replace(chosen.network, **values)  # type: ignore[arg-type]
        training = replace(chosen.training, seed=number)
        trials.append(SweepTrial(number, values, ARCHITECTURE, asdict(config), asdict(training), chosen.threads))
    return trials


def run(context: Context) -> Outcome:
    """Train and score every trial that is not measured yet; raises ClusterError if trials cannot run there."""
    chosen: Settings = context.settings
    context.seeds["sweep"], context.seeds["first trial"] = chosen.seed, 0
    domains = chosen.network.domains
    for domain in domains:  # so that the record says what they are; below they are loaded again, as one mixture
        rendered = chosen.street if domain == "street-digits" and domain not in context.sources else None
        context.data(domain, "train", rendered)
    sets = tuple(context.data(domain, "validation", chosen.limit) for domain in domains)
    trials = trials_of(chosen)
    context.expect(len(trials))
    results = {trial.number: context.known(trial.name) for trial in trials}
    left = [trial for trial in trials if results[trial.number] is None]

    def done(trial: SweepTrial, result: dict[str, Any], seconds: float) -> None:
        results[trial.number] = context.keep(trial.name, result, seconds)

    mixture = digits_mixture(context.sources, domains, street=chosen.street)
    run_trials(left, SweepData(mixture, sets), done, context.underway)
    rows = [row_of(trial, result) for trial in trials if (result := results[trial.number]) is not None]
    training = [{"what": what, "count": count} for what, count in mixture.parts]
    found_all = outcome(rows, sets)
    return replace(found_all, tables={**found_all.tables, "training": training, "scaled": scaled(chosen)})


def row_of(trial: SweepTrial, result: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of the table of trials: hyper-parameters, validation accuracies and their mean."""
    accuracies = result["accuracy"]
    return {
        "trial": trial.number + 1,
        **trial.drawn,
        "seed": trial.training.seed,
        "parameters": result["parameters"],
        "learned": result["learned"],
        "loss": result["loss"],
        **accuracies,
        "mean": sum(accuracies.values()) / len(accuracies),
        "seconds": result["seconds"],
    }


def scaled(chosen: Settings) -> list[dict[str, Any]]:
    """Return the settings that differ from the paper's, beside its own."""
    pairs = ((chosen.network, FULL.network), (chosen.training, FULL.training), (chosen, FULL))
    return [
        {"what": field.name, "here": getattr(here, field.name), "printed": getattr(printed, field.name)}
        for here, printed in pairs
        for field in fields(here)
        if field.name not in ("network", "training") and getattr(here, field.name) != getattr(printed, field.name)
    ]


# -- what the paper says of the patterns, and what is found ---------------------------------------------------

AGREES, DISAGREES, UNTOLD, NONE_FOUND = "agrees", "disagrees", "cannot tell", "none found"
#: Hyper-parameters with an order, by the paper's symbols.
SYMBOLS = {
    "tau": "τ",
    "type_features": "d_type",
    "functions": "n_f",
    "scripts": "n_s",
    "iterations": "n_i",
    "locs": "n_l",
}
FROZEN = {
    "frozen_signatures": "frozen function signatures",
    "frozen_codes": "frozen function codes",
    "frozen_patch_embeddings": "frozen patch embeddings",
}
#: The figure that shows the accuracies by a hyper-parameter.
FIGURES = {"functions": "12", "scripts": "14", "iterations": "15", "locs": "16"}
#: A claim of the paper on a figure, as a number that must be above (or below) a bound.
DIRECTIONS = {
    "tau": "Figure 11, no number: the best values of τ and d_type only somewhat depend on each other.",
    "type_features": "Figure 11, no number: all values between 20 and 50 work well (A.1.3).",
    "functions": "Figure 12, no number: benefits in increasing the number of functions (A.1.2).",
    "scripts": "Figure 14, no number: more scripts can stabilize training.",
    "iterations": "Figure 15, no number: all evaluated configurations can work well.",
    "locs": "Figure 16, no number: all evaluated configurations can work well.",
}
#: Share of runs that are the best: Figures 11 and 13.
BEST = 0.1
#: A rank correlation beyond which two hyper-parameters more than somewhat depend on each other.
STRONG = 0.7
MEAN = "mean"
DOMAINS = FULL.network.domains
#: What is drawn of τ and d_type, as in Table 6.
TAU, D_TYPE = (0.7, 1.7), (8, 48)
#: Accuracy of guessing.
CHANCE = 1 / FULL.network.classes


@dataclass(frozen=True)
class Pattern:
    """A claim of the paper on a figure, as a number that must be above (or below) a bound.

    Attributes:
        figure: of the paper.
        name: of the number.
        says: the paper's words.
        number: of runs, by their accuracies in one column; with the bootstrap's interval over runs.
        share: instead of a number, which of some runs; their share has Wilson's interval.
        exists: it says that there are such runs, for which one is enough: no interval is asked for.
        beside_first: it compares each domain but the first with the first.
    """

    figure: str
    name: str
    says: str
    number: Callable[[Runs, str], float] | None = None
    share: Callable[[Runs, str], Bool[np.ndarray, " run"]] | None = None
    unit: str = "share of samples"
    bound: float = 0.0
    below: bool = False
    exists: bool = False
    beside_first: bool = False

    def found(self, runs: Runs, score: str) -> tuple[Estimate, int]:
        """Return the number with its interval, and the number of runs that it is computed from."""
        if self.share is not None:
            chosen = self.share(runs, score)
            if not len(chosen):
                return Estimate(None, None, None), 0
            return Estimate(float(chosen.mean()), *wilson_interval(int(chosen.sum()), len(chosen))), len(chosen)
        assert self.number is not None
        number, count = self.number, len(runs[score])
        if self.exists:
            value = number(runs, score)
            return Estimate(value if np.isfinite(value) else None, None, None), count
        return estimate(runs, lambda drawn_runs: number(drawn_runs, score)), count

    def judged(self, value: Estimate) -> str:
        """``agrees`` or ``disagrees`` where all of the interval does, else ``cannot tell``; of runs ``none found``."""
        if self.exists and value.value is not None:
            return AGREES if value.value > self.bound else NONE_FOUND
        ends = (value.low, value.high)
        sides = {end is not None and (end < self.bound if self.below else end > self.bound) for end in ends}
        if None in ends or len(sides) == 2:
            return UNTOLD
        return AGREES if True in sides else DISAGREES


def failing(runs: Runs, score: str) -> Bool[np.ndarray, " run"]:
    """Return which runs fail: accuracy below half of the way from chance to the best run."""
    return runs[score] < (CHANCE + runs[score].max()) / 2


def failing_with(functions: int) -> Callable[[Runs, str], Bool[np.ndarray, " run"]]:
    """Return a function: which of the runs with so many functions fail."""
    return lambda runs, score: failing(runs, score)[runs["functions"] == functions]


def fewer_fail(runs: Runs, score: str) -> float:
    """Return the share of failing runs with one function minus that with five; NaN without such runs."""
    single, five = (failing_with(count)(runs, score) for count in (1, 5))
    return float(single.mean() - five.mean()) if len(single) and len(five) else float("nan")


def best_single(runs: Runs, score: str) -> float:
    """Return how far the best run with one function is above failing."""
    single = runs[score][runs["functions"] == 1]
    return float(single.max() - (CHANCE + runs[score].max()) / 2) if len(single) else float("nan")


def steadier(runs: Runs, score: str) -> float:
    """Return the distance between quartiles with one script minus that with four."""
    single, four = (spread(runs[score][runs["scripts"] == count]) for count in (1, 4))
    return single - four


def least_best(runs: Runs, score: str) -> float:
    """Return how far the worst of the best runs per shape (scripts, iterations, LOCs) is above failing."""
    shapes = np.stack([runs[name] for name in ("scripts", "iterations", "locs")], axis=1)
    best_of = [runs[score][(shapes == shape).all(axis=1)].max() for shape in np.unique(shapes, axis=0)]
    return float(min(best_of) - (CHANCE + runs[score].max()) / 2)


def frozen_effect(name: str) -> Callable[[Runs, str], float]:
    """Return a function: the best runs' median accuracy with a frozen part minus that with a learned one."""

    def effect(runs: Runs, score: str) -> float:
        chosen = best(runs, score, BEST)
        return median(chosen[score][chosen[name]]) - median(chosen[score][~chosen[name]])

    return effect


def less_so(runs: Runs, score: str) -> float:
    """Return the effect of frozen signatures minus that of frozen codes."""
    return frozen_effect("frozen_signatures")(runs, score) - frozen_effect("frozen_codes")(runs, score)


def larger_on_first(runs: Runs, score: str) -> float:
    """Return the mean type dimension of the best runs on the first domain, minus that on another."""
    first, other = (best(runs, domain, BEST)["type_features"].mean() for domain in (DOMAINS[0], score))
    return float(first - other)


def dependence(runs: Runs, score: str) -> float:
    """Return the absolute rank correlation of τ and d_type among the best runs."""
    chosen = best(runs, score, BEST)
    return abs(correlation(chosen["tau"], chosen["type_features"]))


PATTERNS = (
    Pattern("11", "|rank correlation| of τ and d_type in the best tenth", "The optimal τ and d_type only somewhat"
            " depend on each other.", dependence, unit="", bound=STRONG, below=True),
    Pattern("11", "d_type of the best tenth on MNIST, minus that here", "A larger type space is less desirable on SVHN"
            " and MNIST-M, which have cluttered backgrounds, than on MNIST.", larger_on_first, unit="features",
            beside_first=True),
    Pattern("12", "share of runs with one function that fail", "Most of the runs with a single function fail.",
            share=failing_with(1), unit="share of runs", bound=0.5),
    Pattern("12", "how far the best run with one function is above failing", "There exist runs with a single function"
            " that perform well.", best_single, exists=True),
    Pattern("12", "share that fails with one function, minus that with five", "Runs with 5 functions perform"
            " consistently well.", fewer_fail, unit="share of runs"),
    Pattern("13", "frozen signatures minus learned ones, medians of the best tenth", "Freezing function signatures can"
            " be marginally beneficial.", frozen_effect("frozen_signatures")),
    Pattern("13", "what frozen signatures gain, minus what frozen codes gain", "Freezing function codes is less"
            " beneficial than freezing signatures.", less_so),
    Pattern("13", "frozen patch embeddings minus learned ones, medians of the best tenth", "Freezing the patch"
            " embeddings slightly improves performance.", frozen_effect("frozen_patch_embeddings")),
    Pattern("14", "distance between quartiles with one script, minus that with four", "A larger number of scripts can"
            " stabilize training and lead to consistent performance.", steadier),
    Pattern("14 to 16", "how far the best run of the worst (n_s, n_i, n_l) is above failing", "All evaluated"
            " configurations can work well.", least_best, exists=True),
)  # fmt: skip


def patterns_of(runs: Runs, domains: Sequence[str]) -> list[dict[str, Any]]:
    """Return the table ``patterns``: a row for every pattern and domain."""
    rows = []
    for pattern in PATTERNS:
        for score in domains[1:] if pattern.beside_first else domains:
            value, count = pattern.found(runs, score)
            rows.append(
                {
                    "figure": pattern.figure,
                    "paper": pattern.says,
                    "domain": score,
                    "number": pattern.name,
                    **asdict(value),
                    "unit": pattern.unit,
                    "holds": f"{'below' if pattern.below else 'above'} {pattern.bound:g}",
                    "here": pattern.judged(value),
                    "runs": count,
                }
            )
    return rows


def correlations_of(runs: Runs, scores: Sequence[str]) -> list[dict[str, Any]]:
    """Return the table ``correlations``: Spearman's, of every ordered hyper-parameter and the accuracy."""
    rows = []
    for name in SYMBOLS:
        for score in scores:
            value = estimate(runs, lambda some, name=name, score=score: correlation(some[name], some[score]))  # type: ignore[misc]
            rows.append({"hyper-parameter": name, "score": score, **asdict(value), "runs": len(runs[score])})
    return rows


def densities_of(runs: Runs, domains: Sequence[str]) -> list[dict[str, Any]]:
    """Return the table ``densities`` (Figures 12, 14 to 16): densities of accuracy by hyper-parameter value.

    Densities are told at evenly spaced accuracies from ``from`` to ``to``; None where there are fewer than two runs.
    """
    rows = []
    for name, figure in FIGURES.items():
        for domain in domains:
            for value in np.unique(runs[name]).tolist():
                accuracies = runs[domain][runs[name] == value]
                rows.append(
                    {
                        "figure": figure,
                        "hyper-parameter": name,
                        "value": value,
                        "domain": domain,
                        "runs": len(accuracies),
                        "from": float(GRID[0]),
                        "to": float(GRID[-1]),
                        "density": density(accuracies),
                    }
                )
    return rows


def boxes_of(runs: Runs, domains: Sequence[str]) -> list[dict[str, Any]]:
    """Return the table ``boxes``: Figure 13 of the best tenth, and of all runs by discrete hyper-parameter."""
    rows = []
    for of in ("best tenth", "all runs"):
        for domain in domains:
            chosen = best(runs, domain, BEST) if of == "best tenth" else runs
            for name in FROZEN if of == "best tenth" else (*FROZEN, *FIGURES):
                for value in np.unique(runs[name]).tolist():
                    scores = chosen[domain][chosen[name] == value]
                    rows.append({"of": of, "hyper-parameter": name, "value": value, "domain": domain, **box(scores)})
    return rows


def maps_of(runs: Runs, domains: Sequence[str]) -> list[dict[str, Any]]:
    """Return the table ``maps`` (Figure 11): the density of (d_type, τ) in the best tenth of each domain.

    It is told at evenly spaced places between the ends that ``tau`` and ``type_features`` name.
    """
    tau, d_type = np.linspace(*TAU, 41), np.linspace(*D_TYPE, 41)
    rows = []
    for domain in domains:
        chosen = best(runs, domain, BEST)
        heights = density_of_two(chosen["tau"], chosen["type_features"], tau, d_type)
        trials = chosen["trial"].tolist()
        ends = {"tau": list(TAU), "type_features": list(D_TYPE)}
        rows.append({"domain": domain, "runs": len(trials), "trials": trials, **ends, "density": heights})
    return rows


# -- the record ----------------------------------------------------------------------------------------------


def outcome(rows: Sequence[Mapping[str, Any]], sets: Sequence[PictureSet]) -> Outcome:
    """Return the figures and tables of a sweep, from the rows of its trials."""
    domains = [data.domain for data in sets]
    runs = columns(rows, ("trial", *SYMBOLS, *FROZEN, *domains, MEAN))
    scored = {MEAN: sets} | {data.domain: [data] for data in sets}
    patterns, correlations = patterns_of(runs, domains), correlations_of(runs, [*domains, MEAN])
    figures = [
        *(figure for data in sets for figure in overall(runs, data)),
        *(figure_of_correlation(row, scored[row["score"]]) for row in correlations if row["value"] is not None),
        *(figure_of_pattern(row, scored[row["domain"]]) for row in patterns if row["value"] is not None),
    ]
    tables = {
        "trials": rows,
        "patterns": patterns,
        "correlations": correlations,
        "densities": densities_of(runs, domains),
        "boxes": boxes_of(runs, domains),
        "maps": maps_of(runs, domains),
    }
    return Outcome(figures, tables)


def overall(runs: Runs, data: PictureSet) -> Iterator[Figure]:
    """Yield the accuracy of the best run, with Wilson's interval, and the median of runs, with the bootstrap's."""
    top, middle = float(runs[data.domain].max()), estimate(runs, lambda some: median(some[data.domain]))
    ends = wilson_interval(round(top * len(data)), len(data))
    says = "Figures 11 to 16, no number of the sweep: only densities and boxes."
    where: dict[str, str | int] = {"domain": data.domain, "runs": len(runs["trial"])}
    yield figure_of("accuracy of the best run", where, (top, *ends), len(data), [data], None, says)
    if middle.value is not None:
        value = (middle.value, middle.low, middle.high)
        yield figure_of("median accuracy of all runs", where, value, len(runs["trial"]), [data], None, says)


def figure_of_correlation(row: Mapping[str, Any], data: Sequence[PictureSet]) -> Figure:
    """Return the figure of a row of the table ``correlations``."""
    name = row["hyper-parameter"]
    title, where = f"rank correlation of {SYMBOLS[name]} and accuracy", {"domain": row["score"], "runs": row["runs"]}
    value = (row["value"], row["low"], row["high"])
    return figure_of(title, where, value, row["runs"], data, None, DIRECTIONS[name], "", ", ")


def figure_of_pattern(row: Mapping[str, Any], data: Sequence[PictureSet]) -> Figure:
    """Return the figure of a row of the table ``patterns``: the paper's words, and whether they hold here."""
    where = {"domain": row["domain"], "figure": row["figure"], "here": row["here"]}
    says = f"Figure {row['figure']}, no number: {row['paper']} It holds {row['holds']}; here: {row['here']}."
    value = (row["value"], row["low"], row["high"])
    return figure_of(row["number"], where, value, row["runs"], data, None, says, row["unit"], ", ")


EXPERIMENT = Experiment(
    id="ni-sweep",
    title="A random sweep over hyper-parameters",
    paper_reference="Dynamic Inference with Neural Interpreters (NeurIPS 2021), appendix C.3: Table 6, Figures 11-16",
    paper_figures=tuple(PaperFigure(f"Figure {pattern.figure}", None, pattern.says) for pattern in PATTERNS),
    settings=PART,
    quick=QUICK,
    run=run,
    full=FULL,
    spreads=True,
)
