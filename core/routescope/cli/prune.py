"""``routescope prune``: choose the experts that stay, measure the cost by domain, write the pruned model."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from routescope.cli import options as opt
from routescope.cli.console import (
    fail,
    one_line,
    opened,
    out,
    print_json,
    print_reading,
    progress_bar,
    reading_facts,
)
from routescope.nn.shown import change_of, change_unit, figure, percent

if TYPE_CHECKING:
    from routescope.api.results import Pruned
    from routescope.nn.measures import Measure
    from routescope.routing.caused.pruning import KeepList, Order, Scope


OrderName = Annotated[
    str,
    typer.Option(
        "--order",
        help="Experts to drop first: tokens (fewest), weight (least routing weight), effect, greedy or chance.",
        metavar="ORDER",
    ),
]
ExpertList = Annotated[
    Path | None,
    typer.Option(
        "--expert-list", help='Write the kept experts as JSON lines here, {"0": [3, 5]}.', metavar="FILE.jsonl"
    ),
]


def prune(
    model: opt.Model,
    order: OrderName = "tokens",
    keep: Annotated[float, typer.Option("--keep", help="Share of the experts to keep.", min=0.0, max=1.0)] = 0.75,
    scope: Annotated[
        str,
        typer.Option(
            "--scope",
            help="layer: --keep is a share of each layer. all: a share of all layers together.",
            metavar="SCOPE",
        ),
    ] = "layer",
    data: opt.AllData = None,
    limit: opt.Limit = 32,
    draws: Annotated[int, opt.draws(0)] = 8,
    seed: opt.Seed = 0,
    output: Annotated[Path | None, opt.output("the pruned model and its keep-list", "FOLDER")] = None,
    context: opt.Context = None,
    stride: opt.Stride = None,
    cut: opt.Cut = False,
    expert_list: ExpertList = None,
    as_json: opt.AsJson = False,
) -> None:
    """Drop experts of a mixture, and measure the cost.

    Experts are chosen on validation samples, and the cost is measured on test samples; a data set without a test split
    is measured on its validation samples, and the output says so.

    Example: routescope prune moe-bytes --keep 0.75 --limit 4 --output pruned
    """
    from routescope.api.asking import prune as choose
    from routescope.routing.caused.pruning import layers_of
    from routescope.zoo.pruning import not_written, refusal_of

    by, within = cast("Order", order), cast("Scope", scope)
    if expert_list is not None and not expert_list.resolve().parent.is_dir():
        fail(f"the folder of {expert_list} does not exist; give a file in one that does.")
    network = opened(model, context, stride, cut)
    layers_of(network)
    if output is not None and (refusal := refusal_of(network, output, within)) is not None:
        fail(refusal)
    with progress_bar(f"Ordering experts by {order}") as progress:
        pruned = choose(network, data, keep=keep, by=by, scope=within, limit=limit, seed=seed, progress=progress)
    with progress_bar(f"Scoring {network.id} pruned") as progress:
        table = pruned.cost(draws, progress)
    kept, measured = pruned.keep, pruned.measured
    unwritten = _written(pruned, output, expert_list)
    rows = cast(list[dict[str, Any]], table.to_dict("records"))
    split = " and ".join(sorted({dataset.split for dataset in measured}))
    reading = reading_facts(network, measured)
    if as_json:
        target = None if unwritten else str(output)
        written = {} if output is None else {"output": target, "not_written": not_written(network)}
        facts = {"metric": table.attrs["metric"], "chosen_on": _chosen_on(split), "measured_on": split}
        print_json({**kept.to_dict(), **facts, "retention": rows, **reading, **written})
        _refuse(unwritten)
        return
    _print(kept, rows, network.all_heads[0].measure)
    print_reading(reading)
    _print_facts(order, split, limit)
    _refuse(unwritten)
    for path in (output, expert_list):
        if path is not None:
            out.print(f"Written to {path}.", soft_wrap=True)
    if output is not None and (missing := not_written(network)):
        out.print(f"Not written, because the model does not have it: {missing}.", soft_wrap=True)


def _chosen_on(measured_on: str) -> str:
    """Return the split on which the order was chosen: a user's own texts have no other split."""
    return "own" if measured_on == "own" else "validation"


def _print_facts(order: str, split: str, samples: int) -> None:
    chosen_on = _chosen_on(split)
    same = f" (of {chosen_on} the same samples, so that the cost looks too small)" * (chosen_on in split)
    out.print(
        f"Chosen by {order} on {chosen_on} samples, measured on {split} samples{same}: {samples} of each data set at"
        " most. Changes are paired by sample, 95 %; random sets are of the same size.",
        style="dim",
        soft_wrap=True,
    )


def _written(pruned: "Pruned", folder: Path | None, expert_list: Path | None) -> str | None:
    """Write the pruned model and the list of experts; return the reason if that fails, as figures come first."""
    from routescope.routing.caused.pruning import PruningError

    try:
        if folder is not None:
            pruned.save(folder)
        if expert_list is not None:
            expert_list.write_text(pruned.keep.to_lines())
    except (PruningError, OSError) as error:
        return one_line(error)
    return None


def _refuse(unwritten: str | None) -> None:
    if unwritten is not None:
        fail(f"the pruned model was not written: {unwritten}")


def _print(kept: "KeepList", rows: list[dict[str, Any]], measure: "Measure") -> None:
    from routescope.nn.measures import worse_sign

    for layer in kept.layers:
        gone = f"without {', '.join(layer.dropped)}" if layer.dropped else "whole"
        out.print(f"{layer.name}: {len(layer.kept)} of {layer.experts} experts, {gone}", soft_wrap=True)
    out.print(f"{percent(kept.share)} of the experts are kept.")
    random = {row["domain"]: row for row in rows if row["order"] == "random"}
    if rows:
        sign = worse_sign(measure.higher_is_better)
        out.print(f"Changes of {measure.name} ({sign}):")
    for row in rows:
        if row["order"] == "random":
            continue
        score = figure(measure, row["figure"], row["low"], row["high"])
        line = f"{row['domain']}: {score}, {_change(measure, row)} {change_unit(measure)}"
        if drawn := random.get(row["domain"]):
            line += f"; random sets ({drawn['draws']}) {_change(measure, drawn)}"
        out.print(line, soft_wrap=True)


def _change(measure: "Measure", row: dict[str, Any]) -> str:
    return change_of(measure, row["change"], row["change_low"], row["change_high"])
