"""ni-anytime: accuracy against function iterations, fewer and more than in training (paper: Figure 8, on digits).

The paper shows it for Procedurally Generated Matrices; here a Neural Interpreter trained on digits answers after every
number of iterations, from none to twice those of training, with nothing trained anew.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from routescope.data import Dataset
from routescope.experiments.shared.frame import Context, Experiment, Figure, Outcome, PaperFigure, figure_of
from routescope.nn.network import Network
from routescope.routing.caused.intervals import wilson_interval
from routescope.routing.caused.scores import evaluate
from routescope.routing.compute import flops_per_sample
from routescope.routing.intervention import Intervention

SAYS = "Only a curve, on Procedurally Generated Matrices: at half the compute at least 70 % of the full accuracy stay"


@dataclass(frozen=True)
class Settings:
    """``limit``: samples of each validation set, None for all; ``times``: iterations go so far beyond the trained."""

    model: str = "ni-digits"
    limit: int | None = None
    times: int = 2


def run(context: Context) -> Outcome:
    """Score every number of iterations on every domain of the model."""
    chosen: Settings = context.settings
    model = context.model(chosen.model)
    trained, bounds = model.config.iterations, model.bounds
    most = chosen.times * trained if bounds.most is None else min(chosen.times * trained, bounds.most)
    numbers = range(bounds.least, most + 1)
    sets = [context.data(domain, "validation", chosen.limit) for domain in model.config.domains]
    context.expect(len(sets) * len(numbers))
    rows = [measure(context, model, data, iterations) for data in sets for iterations in numbers]
    figures = [figure for data in sets for figure in summarise(data, rows, trained)]
    return Outcome(figures, {"iterations": rows})


def measure(context: Context, model: Network, data: Dataset, iterations: int) -> dict[str, Any]:
    """Return accuracy with its 95 % Wilson interval, loss (nats) and operations per sample."""

    def make() -> dict[str, Any]:
        intervention = Intervention(iterations=iterations)
        score = evaluate(model, data, intervention)
        return {
            "domain": data.domain,
            "iterations": iterations,
            "accuracy": score.accuracy,
            "low": score.interval[0],
            "high": score.interval[1],
            "loss": score.mean_loss,
            "flops": flops_per_sample(model, intervention),
            "count": score.count,
        }

    return context.measure(f"{data.domain}, {iterations} iterations", make)


def summarise(data: Dataset, rows: Sequence[Mapping[str, Any]], trained: int) -> Iterator[Figure]:
    """Yield accuracy by number of iterations, and the share of the full accuracy at half the iterations."""
    rows_by_iterations = {row["iterations"]: row for row in rows if row["domain"] == data.domain}
    whole = rows_by_iterations[trained]
    for iterations, row in rows_by_iterations.items():
        where: dict[str, str | int] = {
            "domain": data.domain,
            "iterations": iterations,
            "compute": f"{row['flops'] / whole['flops']:.0%}",
        }
        value = (row["accuracy"], row["low"], row["high"])
        yield figure_of("accuracy", where, value, row["count"], [data], None, SAYS)
        if iterations == trained // 2 and whole["accuracy"]:
            low, high = wilson_interval(round(row["accuracy"] * row["count"]), row["count"])
            shares = tuple(end / whole["accuracy"] for end in (row["accuracy"], low, high))
            name = "share of the full accuracy at half the iterations"
            yield figure_of(name, where, shares, row["count"], [data], None, SAYS, "share of the full accuracy")


EXPERIMENT = Experiment(
    id="ni-anytime",
    title="Accuracy against function iterations",
    paper_reference="Dynamic Inference with Neural Interpreters (NeurIPS 2021), Figure 8 and section 4.3, on digits",
    paper_figures=(PaperFigure("PGM test sets against function iterations", None, SAYS),),
    settings=Settings(),
    quick=Settings(limit=100),
    run=run,
)
