"""``routescope evaluate``: the accuracy of a model, or what else its head is measured by, whole or ablated."""

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from routescope.cli import options as opt
from routescope.cli.console import (
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
    from routescope.routing.caused.scores import Evaluation

LEVEL = 0.95


def evaluate(
    model: opt.Model,
    data: opt.Data = None,
    drop: opt.Drop = None,
    mute: opt.Mute = None,
    mean: opt.Mean = None,
    resample: opt.Resample = None,
    iterations: opt.Iterations = None,
    keep_edges: opt.KeepEdges = None,
    mute_routes: opt.MuteRoutes = None,
    copy_routes: opt.CopyRoutes = None,
    gates: opt.Gates = None,
    least_connected: Annotated[
        int | None,
        typer.Option("--least-connected", help="Also drop the N units with the weakest links.", min=0),
    ] = None,
    split: opt.Split = "validation",
    samples: opt.AllSamples = None,
    context: opt.Context = None,
    stride: opt.Stride = None,
    cut: opt.Cut = False,
    as_json: opt.AsJson = False,
) -> None:
    """Score a model on a data set, with a 95 % interval.

    The score is the accuracy, or the measure of the model's heads (bits a byte, R2). With units, links or routes
    changed, the full model is scored, too, and the paired change is printed.

    Example: routescope evaluate ni-digits --data mnist --samples 100 --drop f2,f4
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
        (dataset,) = sets_for(network, [data or info.domains[0]], split, samples)
        with progress_bar(f"Scoring {model} on {dataset.name}") as progress:
            found = measure(network, dataset, intervention, progress=progress)
        baseline = effect = None
        if intervention != Intervention():
            with progress_bar(f"Scoring {model} whole, to compare") as progress:
                baseline = measure(network, dataset, progress=progress)
            effect = drop_effect(baseline.scores, found.scores)
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
                "loss": found.loss,
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
    found: "Evaluation",
    baseline: "Evaluation | None",
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


def _compared(baseline: "Evaluation | None", effect: "DropEffect | None") -> dict[str, Any]:
    """What is known beside the figures themselves, when something was changed."""
    if baseline is None or effect is None:
        return {}
    return {
        "baseline": {
            baseline.measure.name: baseline.figure,
            "interval": list(baseline.interval),
            "loss": baseline.loss,
        },
        "change": {effect.measure.name: asdict(effect.figure), "loss": asdict(effect.loss)},
    }
