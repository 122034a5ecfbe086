"""``routescope importance``: the effect of each unit of a model on its score, alone and with others."""

import json
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from routescope.cli import options as opt
from routescope.cli.console import fail, opened, out, print_json, print_reading, progress_bar, reading_facts
from routescope.cli.interventions import PASSED, changes_routing
from routescope.nn.shown import change_of, change_unit, figure, percent

if TYPE_CHECKING:
    from rich.table import Table

    from routescope.nn.measures import Measure
    from routescope.routing.caused.distributions import Distribution
    from routescope.routing.caused.importance import Importance
    from routescope.routing.intervention import Intervention


#: The largest numbers of units and of pairs that are printed.
MOST_SHOWN, MOST_PAIRS = 20, 5

Permutations = Annotated[
    int | None,
    typer.Option(
        "--permutations",
        help="Orders to sample for Shapley values of more than ten units: an even number from 4; 0 for none, "
        "the default above twenty units.",
        min=0,
    ),
]
Pairs = Annotated[
    bool | None,
    typer.Option("--pairs/--no-pairs", help="Score pairs of units; up to twenty units by default."),
]
Layer = Annotated[
    str | None,
    typer.Option(
        "--layer",
        help="Layer of a mixture of experts (l3) whose experts are ablated together; needs --kind mute, mean "
        "or resample. Without it: one ablation for each expert, no Shapley values.",
        metavar="LAYER",
    ),
]
OfDistribution = Annotated[
    str | None,
    typer.Option(
        "--distribution",
        help="in: data sets used in training; out: data sets left out of training; unknown: the model has no card. "
        "By default in, else unknown, else out.",
        metavar="NAME",
    ),
]


@changes_routing(("iterations", "top_k", "keep_edges"))
def importance(
    model: opt.Model,
    data: opt.FirstData = None,
    kind: Annotated[
        str, typer.Option("--kind", help="How units are ablated: drop, mute, mean or resample.", metavar="KIND")
    ] = "drop",
    intervention: "Intervention" = PASSED,
    split: opt.Split = "validation",
    limit: opt.OptionalLimit = None,
    permutations: Permutations = None,
    pairs: Pairs = None,
    draws: Annotated[int | None, opt.draws(1)] = None,
    layer: Layer = None,
    distribution: OfDistribution = None,
    seed: opt.Seed = 0,
    context: opt.Context = None,
    stride: opt.Stride = None,
    cut: opt.Cut = False,
    as_json: opt.AsJson = False,
) -> None:
    """Measure the effect of each unit on the score.

    Prints Shapley values, drop effects, interactions and retention curves.

    A Shapley value above 0 means that the unit helps, whatever the measure. A drop effect is the figure without the
    unit minus the figure with it; the header of its column says which sign means that the unit helps.

    Example: routescope importance ni-digits --data mnist --limit 20
    """
    from routescope.api.asking import importance as measure
    from routescope.api.data import datasets_of
    from routescope.routing.options import Kind

    _check(permutations, distribution)
    network = opened(model, context, stride, cut)
    datasets = datasets_of(network, data, split, limit, first=True) if network.units else []
    with progress_bar(f"Scoring subsets of the units of {network.id}") as progress:
        result = measure(
            network,
            datasets,
            kind=cast(Kind, kind),
            intervention=intervention,
            permutations=permutations,
            pairs=pairs,
            draws=draws,
            layer=layer,
            distribution=cast("Distribution | None", distribution),
            seed=seed,
            progress=progress,
        )
    reading = reading_facts(network, datasets)
    if as_json:
        print_json(as_dict(result) | reading)
    else:
        show(result, network.id, _data_words(result))
        print_reading(reading)


def _check(permutations: int | None, distribution: str | None) -> None:
    """End with the accepted values, before anything is read."""
    from routescope.routing.caused.distributions import DISTRIBUTIONS

    if permutations is not None and (permutations % 2 or 0 < permutations < 4):
        fail(f"permutations come in pairs; give an even number from 4 on, not {permutations}.")
    if distribution is not None and distribution not in DISTRIBUTIONS:
        fail(f"a distribution is {', '.join(DISTRIBUTIONS)}, not {distribution[:40]}.")


def _data_words(result: "Importance") -> str:
    """Return the data sets, the distribution of their samples, and the layer of the experts."""
    from routescope.routing.caused.distributions import DISTRIBUTIONS

    sets = ", ".join(
        f"{data['name']} (a stand-in)" if data["stand_in"] else data["name"]
        for data in json.loads(result.attrs["data"])
    )
    layer = f", experts of layer {result.attrs['layer'].removeprefix('l')} alone" if "layer" in result.attrs else ""
    return f"{sets}, {DISTRIBUTIONS[result.attrs['distribution']]}{layer}"


def as_dict(result: "Importance") -> dict[str, Any]:
    """Return the tables of an importance with its facts, as JSON has them."""
    baseline = result.baseline
    whole = {baseline.measure.name: baseline.figure, "interval": [*baseline.interval], "loss": baseline.mean_loss}
    facts = {**result.attrs, "data": json.loads(result.attrs["data"]), "count": baseline.count, "baseline": whole}
    return facts | result.tables()


def show(result: "Importance", model: str, data: str) -> None:
    """Print tables for people."""
    from routescope.nn.measures import signs_of

    measure = result.baseline.measure
    signs = {name: f"({sign})" for name, sign in signs_of(measure.higher_is_better).items()}
    whole = figure(measure, result.baseline.figure, *result.baseline.interval)
    out.print(f"{model} on {data}: [bold]{whole}[/] whole, {result.baseline.count:,} samples")
    out.print(_units_table(result, measure, signs))
    pairs = [row for row in result.tables()["interactions"] if row["low"] > 0 or row["high"] < 0]
    if pairs:
        out.print(f"Interactions, {change_unit(measure)} {signs['interactions']}:")
    for row in sorted(pairs, key=lambda row: -abs(row["value"]))[:MOST_PAIRS]:
        change = change_of(measure, row["value"], row["low"], row["high"])
        out.print(f"{row['unit']} with {row['other']}: {change}")
    if len(result.retention):
        out.print(_curves(result))
    out.print(_closing(result), style="dim")


def _units_table(result: "Importance", measure: "Measure", signs: dict[str, str]) -> "Table":
    """Return Shapley values and drop effects by unit; of many units those with the largest loss."""
    from rich.table import Table

    values = {row["unit"]: _value(measure, row) for row in result.tables()["shapley"]}
    single, title = result.single, f"Caused by units ({result.kind})"
    if len(single) > MOST_SHOWN:
        single = single.sort_values("loss_change", ascending=False).head(MOST_SHOWN)
        title += f"; the {MOST_SHOWN} of {len(result.single)} whose loss counts most"
    table = Table(
        "unit",
        *([f"Shapley value, {change_unit(measure)}\n{signs['shapley']}"] if values else []),
        f"drop effect, {change_unit(measure)}\n{signs['single']}",
        f"drop effect, nats of loss\n{signs['single_loss']}",
        box=None,
        header_style="bold",
        title=title,
    )
    for row in single.to_dict("records"):
        unit, change = str(row["unit"]), change_of(measure, row["change"], row["low"], row["high"])
        table.add_row(unit, *([values[unit]] if values else []), change, f"{row['loss_change']:+.4f}")
    return table


def _value(measure: "Measure", row: dict[str, Any]) -> str:
    """Return a Shapley value with its interval, or with its standard error if it was sampled."""
    if "low" in row:
        return change_of(measure, row["value"], row["low"], row["high"])
    if measure.share:
        return f"{100 * row['value']:+.1f} ± {100 * row['standard_error']:.1f}"
    return f"{row['value']:+.4f} ± {row['standard_error']:.4f}"


def _curves(result: "Importance") -> "Table":
    """Return the retention curves as a table, one row a size."""
    from rich.table import Table

    measure = result.baseline.measure
    curves = Table("kept", *result.retention["order"].unique(), box=None, header_style="bold", title="Retention")
    for dropped, rows in result.retention.groupby("dropped"):
        figures = (percent(value) if measure.share else f"{value:.4f}" for value in rows[measure.name])
        curves.add_row(str(len(result.units) - int(str(dropped))), *figures)
    return curves


def _closing(result: "Importance") -> str:
    """Return how the values were computed, and the options for values that were not computed."""
    sentences, how = [], "all subsets; 95 % bootstrap over samples"
    if not result.exact:
        how = "sampled permutations; ± one standard error"
    if len(result.shapley):
        measure = result.baseline.measure
        total = f"{100 * result.total:+.1f}" if measure.share else f"{result.total:+.4f}"
        sentences.append(
            f"Shapley values of the {measure.name}, in {change_unit(measure)}, from {how}; they sum to {total}, the "
            "value of all units together."
        )
    sentences.append("Intervals of changes are paired.")
    if not len(result.shapley) and len(result.retention):
        sentences.append("Shapley values were not asked for: --permutations.")
    if not len(result.retention):
        sentences.append("Every expert was ablated alone; --layer scores all subsets of a layer's experts.")
    elif not result.interactions.sizes["unit"]:
        sentences.append("Pairs of units were not scored: --pairs.")
    return " ".join(sentences)
