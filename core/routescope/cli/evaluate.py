"""``routescope evaluate``: the accuracy of a model, or what else its head is measured by, whole or ablated."""

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from routescope.cli.console import (
    AsJson,
    Context,
    CopyRoutes,
    Cut,
    Data,
    Drop,
    Gates,
    Iterations,
    KeepEdges,
    Mean,
    Model,
    Mute,
    MuteRoutes,
    Resample,
    Split,
    Stride,
    change_of,
    change_unit,
    explained,
    figure,
    in_context,
    known,
    out,
    print_json,
    print_reading,
    progress_bar,
    read_intervention,
    reading_facts,
    sets_for,
    signed,
    told,
    with_interval,
    with_units,
)

if TYPE_CHECKING:
    from routescope.routing import Intervention
    from routescope.routing.caused.effects import DropEffect
    from routescope.routing.caused.scores import Scores

LEVEL = 0.95


def add_to(cli: typer.Typer) -> None:
    """Add `routescope evaluate`."""
    cli.command("evaluate")(evaluate)


def evaluate(
    model: Model,
    data: Data = None,
    drop: Drop = None,
    mute: Mute = None,
    mean: Mean = None,
    resample: Resample = None,
    iterations: Iterations = None,
    keep_edges: KeepEdges = None,
    mute_routes: MuteRoutes = None,
    copy_routes: CopyRoutes = None,
    gates: Gates = None,
    least_connected: Annotated[
        int | None,
        typer.Option("--least-connected", help="Also drop this many units: those with the weakest links.", min=0),
    ] = None,
    split: Split = "validation",
    limit: Annotated[int | None, typer.Option("--limit", help="Score only the first this many samples.", min=1)] = None,
    context: Context = None,
    stride: Stride = None,
    cut: Cut = False,
    as_json: AsJson = False,
) -> None:
    """Score a model on a data set, with a 95 % interval: its accuracy, or bits a byte, R2 or the measure of its heads.

    With units dropped, muted or replaced, or links or routes changed, it is scored whole, too, and the change is
    printed.
    """
    from routescope import zoo
    from routescope.nn.inputs.statements import Statements
    from routescope.routing import Intervention
    from routescope.routing.caused.connectivity import least_connected as weakest
    from routescope.routing.caused.effects import by_kind, drop_effect
    from routescope.routing.caused.scores import evaluate as measure

    with explained():
        model = known(model)
        info = zoo.info(model)
        network = in_context(zoo.load(model), context, stride, cut)
        routing = (mute_routes, copy_routes, gates)
        intervention = read_intervention(drop, mute, iterations, mean, resample, keep_edges, *routing)
        intervention = with_units(intervention, network, split)
        if least_connected is not None:
            gone = (*intervention.drop, *weakest(network, least_connected))
            intervention = replace(intervention, drop=gone)
        intervention.validate(network)
        (dataset,) = sets_for(network, [data or info.domains[0]], split, limit)
        with progress_bar(f"Scoring {model} on {dataset.name}") as progress:
            found = measure(network, dataset, intervention, progress=progress)
        baseline = effect = None
        if intervention != Intervention():
            with progress_bar(f"Scoring {model} whole, to compare") as progress:
                baseline = measure(network, dataset, progress=progress)
            effect = drop_effect(baseline, found)
        kinds, measured = list[dict[str, Any]](), found.measure
        if measured.share:
            kinds = by_kind(dataset, found.correct, None if baseline is None else baseline.correct)
    reading = reading_facts(network, [dataset])
    if as_json:
        print_json(
            {
                "model": info.id,
                "revision": info.revision,
                "data": dataset.name,
                "split": dataset.split,
                "stand_in": dataset.stand_in,
                "intervention": intervention.to_dict(),
                measured.name: found.figure,
                "interval": list(found.interval),
                "level": LEVEL,
                "loss": found.mean_loss,
                "count": found.count,
                "seconds": found.seconds,
                **_compared(baseline, effect),
                **({"by_kind": kinds} if kinds else {}),
                **reading,
            }
        )
        return
    what = f"{dataset.name} {dataset.split}" + (", a stand-in" if dataset.stand_in else "")
    _print(f"{info.id} on {what}", intervention, found, baseline, effect, kinds, network.inputs is Statements)
    print_reading(reading)


def _print(
    what: str,
    intervention: "Intervention",
    found: "Scores",
    baseline: "Scores | None",
    effect: "DropEffect | None",
    kinds: list[dict[str, Any]],
    statements: bool,
) -> None:
    """Tell the figures of ``what`` in words; of an intervention also what it changes."""
    from routescope.nn.measures import worse_sign

    measured = found.measure
    out.print(f"{what}: [bold]{figure(measured, found.figure, *found.interval)}[/]", highlight=False)
    if baseline is not None and effect is not None:
        change, loss = effect.figure, effect.loss
        out.print(
            f"Whole: {figure(measured, baseline.figure, *baseline.interval)}. Change in {measured.name}"
            f" ({worse_sign(measured.higher_is_better)}):"
            f" {change_of(measured, change.value, change.low, change.high)} {change_unit(measured)}; in loss:"
            f" {loss.value:+.4f}"
            f" ({loss.low:+.4f} to {loss.high:+.4f}) nats. Paired bootstrap, 95 %, on the same samples.",
            highlight=False,
            soft_wrap=True,
        )
    if kinds:
        out.print(_kinds_table(kinds, baseline is not None, "kind of statement" if statements else "kind"))
    if kinds and statements:
        out.print(
            "Statements share pictures and words, generated ones in fours: they are not independent, as intervals take"
            " them to be.",
            style="dim",
            highlight=False,
        )
    interval = "Wilson's" if measured.share else "the bootstrap's over samples"
    out.print(
        f"{found.count:,} samples in {found.seconds:.2f} s; {told(intervention)}; the interval is {interval} at 95 %.",
        style="dim",
        highlight=False,
    )


def _kinds_table(kinds: list[dict[str, Any]], changed: bool, heading: str) -> Any:
    from rich.table import Table

    changes = ["change, points"] if changed else []
    table = Table(heading, "accuracy", *changes, "samples", box=None, header_style="bold")
    for row in kinds:
        change = [signed(row["change"], row["change_low"], row["change_high"])] if changed else []
        accuracy = with_interval(row["accuracy"], row["low"], row["high"])
        table.add_row(row["kind"], accuracy, *change, f"{row['count']:,}")
    return table


def _compared(baseline: "Scores | None", effect: "DropEffect | None") -> dict[str, Any]:
    """What is known beside the figures themselves, when something was changed."""
    if baseline is None or effect is None:
        return {}
    return {
        "baseline": {
            baseline.measure.name: baseline.figure,
            "interval": list(baseline.interval),
            "loss": baseline.mean_loss,
        },
        "change": {effect.measure.name: asdict(effect.figure), "loss": asdict(effect.loss)},
    }
