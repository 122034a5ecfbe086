"""``routescope importance``: what every unit of a model causes when it is ablated, alone and with others."""

import math
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from routescope.cli import options as opt
from routescope.cli.console import fail, opened, out, print_json, print_reading, progress_bar, reading_facts
from routescope.cli.interventions import changes_routing
from routescope.nn.shown import change_of, change_unit, figure, percent
from routescope.routing.intervention import Intervention

if TYPE_CHECKING:
    from rich.table import Table

    from routescope.nn.measures import Measure
    from routescope.routing.caused.distributions import Distribution
    from routescope.routing.caused.importance import Importance


#: Units are told one by one up to so many.
MOST_SHOWN = 20

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
    intervention: Intervention = Intervention(),
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
    from routescope.routing.intervention import Kind

    _check(permutations, distribution)
    network = opened(model, context, stride, cut)
    datasets = datasets_of(network, data, split, limit, first=True) if network.units else []
    with progress_bar(f"Scoring subsets of the units of {network.id}") as progress:
        found = measure(
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
        print_json(as_dict(found) | reading)
    else:
        show(found, network.id, _data_words(found))
        print_reading(reading)


def _check(permutations: int | None, distribution: str | None) -> None:
    """End with what would be accepted, before anything is read."""
    from routescope.routing.caused.distributions import DISTRIBUTIONS

    if permutations is not None and (permutations % 2 or 0 < permutations < 4):
        fail(f"permutations come in pairs; give an even number from 4 on, not {permutations}.")
    if distribution is not None and distribution not in DISTRIBUTIONS:
        fail(f"a distribution is {', '.join(DISTRIBUTIONS)}, not {distribution[:40]}.")


def _data_words(found: "Importance") -> str:
    """What was measured, on what: the data sets, the distribution, the layer where it is of one."""
    import json

    from routescope.routing.caused.distributions import DISTRIBUTIONS

    measured = {each["name"]: each["stand_in"] for each in json.loads(found.attrs["data"])}
    sets = ", ".join(f"{name} (a stand-in)" if stand_in else name for name, stand_in in measured.items())
    layer = f", experts of layer {found.attrs['layer'].removeprefix('l')} alone" if "layer" in found.attrs else ""
    return f"{sets}, {DISTRIBUTIONS[found.attrs['distribution']]}{layer}"


def as_dict(found: "Importance") -> dict[str, Any]:
    """Everything that was found, for programs."""
    import json

    from routescope.nn.measures import signs_of

    low, high = found.baseline.interval
    pairs = found.interactions.to_dataframe().reset_index()
    return {
        **found.attrs,
        "data": json.loads(found.attrs["data"]),
        "units": list(found.units),
        "exact": found.exact,
        "signs": signs_of(found.baseline.measure.higher_is_better),
        "count": found.baseline.count,
        "baseline": {
            found.baseline.measure.name: found.baseline.figure,
            "interval": [low, high],
            "loss": found.baseline.mean_loss,
        },
        "total": None if math.isnan(found.total) else found.total,
        "shapley": _records(found.shapley),
        "single": _records(found.single),
        "interactions": _records(pairs[pairs["unit"] < pairs["other"]]),
        "retention": _records(found.retention),
        "convergence": [] if found.convergence is None else _records(found.convergence),
    }


def _value(measure: "Measure", row: dict[Any, Any]) -> str:
    """A Shapley value, of accuracy in percentage points, with what is known of its uncertainty."""
    if "low" in row:
        return change_of(measure, row["value"], row["low"], row["high"])
    if measure.share:
        return f"{100 * row['value']:+.1f} ± {100 * row['standard_error']:.1f}"
    return f"{row['value']:+.4f} ± {row['standard_error']:.4f}"


def _records(table: Any) -> list[dict[str, Any]]:
    """Rows of a table as JSON takes them: NaN is null."""
    rows: list[dict[str, Any]] = table.astype(object).where(table.notna(), None).to_dict("records")
    return rows


def show(found: "Importance", model: str, data: str) -> None:
    """Tables for people."""
    from rich.table import Table

    from routescope.nn.measures import signs_of

    measured = found.baseline.measure
    signs = {name: f"({sign})" for name, sign in signs_of(measured.higher_is_better).items()}
    whole = figure(measured, found.baseline.figure, *found.baseline.interval)
    out.print(f"{model} on {data}: [bold]{whole}[/] whole, {found.baseline.count:,} samples", highlight=False)
    values = {str(row["unit"]): _value(measured, row) for row in found.shapley.to_dict("records")}
    heads = (
        "unit",
        *([f"Shapley value, {change_unit(measured)}\n{signs['shapley']}"] if values else []),
        f"drop effect, {change_unit(measured)}\n{signs['single']}",
        f"drop effect, nats of loss\n{signs['single_loss']}",
    )
    singles = (
        found.single.sort_values("loss_change", ascending=False) if len(found.single) > MOST_SHOWN else found.single
    )
    title = f"Caused by units ({found.attrs['kind']})"
    if len(singles) > MOST_SHOWN:
        title += f"; the {MOST_SHOWN} of {len(singles)} whose loss counts most"
    table = Table(*heads, box=None, header_style="bold", title=title)
    for single in singles.head(MOST_SHOWN).to_dict("records"):
        unit, change = str(single["unit"]), change_of(measured, single["change"], single["low"], single["high"])
        table.add_row(unit, *([values[unit]] if values else []), change, f"{single['loss_change']:+.4f}")
    out.print(table)
    pairs = found.interactions.to_dataframe().reset_index().query("unit < other")
    clear = pairs[(pairs["low"] > 0) | (pairs["high"] < 0)]
    if len(clear):
        out.print(f"Interactions, {change_unit(measured)} {signs['interactions']}:", highlight=False)
    for row in clear.sort_values("value", key=abs, ascending=False).head(5).to_dict("records"):
        out.print(
            f"{row['unit']} with {row['other']}: {change_of(measured, row['value'], row['low'], row['high'])}",
            highlight=False,
        )
    if len(found.retention):
        out.print(_curves(found))
    out.print(_closing(found), style="dim", highlight=False)


def _curves(found: "Importance") -> "Table":
    """Retention, size by size."""
    from rich.table import Table

    measured = found.baseline.measure
    curves = Table("kept", *found.retention["order"].unique(), box=None, header_style="bold", title="Retention")
    for dropped, rows in found.retention.groupby("dropped"):
        curves.add_row(
            str(len(found.units) - int(str(dropped))),
            *(percent(each) if measured.share else f"{each:.4f}" for each in rows[measured.name]),
        )
    return curves


def _closing(found: "Importance") -> str:
    """How the values were found, and which are there only when they are asked for."""
    told, how = [], "all subsets; 95 % bootstrap over samples"
    if not found.exact:
        how = "sampled permutations; ± one standard error"
    if len(found.shapley):
        measured = found.baseline.measure
        total = f"{100 * found.total:+.1f}" if measured.share else f"{found.total:+.4f}"
        told.append(
            f"Shapley values of the {measured.name}, in {change_unit(measured)}, from {how}; they sum to {total}: what"
            " all units save or add together."
        )
    told.append("Intervals of changes are paired.")
    if not len(found.shapley) and len(found.retention):
        told.append("Shapley values were not asked for: --permutations.")
    if not len(found.retention):
        told.append("Of a mixture every expert is ablated alone; --layer looks at all subsets of a layer's.")
    elif not found.interactions.sizes["unit"]:
        told.append("Pairs of units were not scored: --pairs.")
    return " ".join(told)
