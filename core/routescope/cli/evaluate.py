"""``routescope evaluate``: the accuracy of a model, or what else its head is measured by, whole or ablated."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from routescope.cli import options as opt
from routescope.cli.console import (
    escape,
    opened,
    out,
    print_json,
    print_reading,
    progress_bar,
    reading_facts,
)
from routescope.cli.interventions import PASSED, changes_routing, with_units
from routescope.nn.shown import change_of, change_unit, figure, signed, with_interval
from routescope.routing.options import OPTIONS

if TYPE_CHECKING:
    from routescope.api.results import Score
    from routescope.routing.intervention import Intervention

LEVEL = 0.95


@changes_routing(OPTIONS)
def evaluate(
    model: opt.Model,
    data: opt.Data = None,
    intervention: "Intervention" = PASSED,
    least_connected: Annotated[
        int | None,
        typer.Option("--least-connected", help="Also drop the N units with the weakest links.", min=0),
    ] = None,
    split: opt.Split = "validation",
    limit: opt.OptionalLimit = None,
    context: opt.Context = None,
    stride: opt.Stride = None,
    cut: opt.Cut = False,
    as_json: opt.AsJson = False,
) -> None:
    """Score a model on a data set, with a 95 % interval.

    The score is the accuracy, or the measure of the model's heads (bits a byte, R2). With units, links or routes
    changed, the full model is scored, too, and the paired change is printed.

    Example: routescope evaluate ni-digits --data mnist --limit 100 --drop f2,f4
    """
    from routescope import zoo
    from routescope.api.asking import score
    from routescope.nn.inputs.statements import Statements
    from routescope.routing.caused.connectivity import least_connected as weakest

    network = opened(model, context, stride, cut)
    info = zoo.info(network.id)
    if least_connected is not None:
        intervention = intervention.ablating("drop", weakest(network, least_connected))
    intervention = with_units(intervention, network, split)
    with progress_bar(f"Scoring {info.id}") as progress:
        scored = score(network, data, intervention=intervention, split=split, limit=limit, progress=progress)
    scores, dataset = scored.scores, scored.data
    kinds = scored.by_kind()
    reading = reading_facts(network, [dataset])
    if as_json:
        print_json(
            {
                "model": info.id,
                "revision": info.revision,
                "data": dataset.title if dataset.split == "own" else dataset.name,
                "split": dataset.split,
                "stand_in": dataset.stand_in,
                "intervention": intervention.to_dict(),
                scored.measure.name: scored.figure,
                "interval": list(scored.interval),
                "level": LEVEL,
                "loss": scores.mean_loss,
                "count": scores.count,
                "seconds": scores.seconds,
                **_compared(scored),
                **({"by_kind": kinds} if kinds else {}),
                **reading,
            }
        )
        return
    _print(scored, kinds, network.inputs is Statements)
    print_reading(reading)


def _print(scored: "Score", kinds: list[dict[str, Any]], statements: bool) -> None:
    """Print the figure of a data set; of an intervention also what it changes."""
    from routescope.nn.measures import worse_sign

    measured, baseline, effect = scored.measure, scored.baseline, scored.effect
    what = f"{scored.model} on {escape(scored.data_words)}" + (", a stand-in" if scored.data.stand_in else "")
    out.print(f"{what}: [bold]{figure(measured, scored.figure, *scored.interval)}[/]")
    if baseline is not None and effect is not None:
        change, loss = effect.figure, effect.loss
        out.print(
            f"Whole: {figure(measured, baseline.figure, *baseline.interval)}. Change in {measured.name}"
            f" ({worse_sign(measured.higher_is_better)}):"
            f" {change_of(measured, change.value, change.low, change.high)} {change_unit(measured)}; in loss:"
            f" {loss.value:+.4f}"
            f" ({loss.low:+.4f} to {loss.high:+.4f}) nats. Paired bootstrap, 95 %, on the same samples.",
            soft_wrap=True,
        )
    if kinds:
        out.print(_kinds_table(kinds, baseline is not None, "kind of statement" if statements else "kind"))
    if kinds and statements:
        out.print(
            "Statements share pictures and words, generated ones in fours: they are not independent, as intervals take"
            " them to be.",
            style="dim",
        )
    interval = "Wilson's" if measured.share else "the bootstrap's over samples"
    out.print(
        f"{scored.scores.count:,} samples in {scored.scores.seconds:.2f} s; {scored.intervention.words}; the"
        f" interval is {interval} at 95 %.",
        style="dim",
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


def _compared(scored: "Score") -> dict[str, Any]:
    """Return the baseline and the paired change, when something was changed."""
    baseline, effect = scored.baseline, scored.effect
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
