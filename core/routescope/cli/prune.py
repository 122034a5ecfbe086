"""``routescope prune``: which experts of a mixture stay, what that costs by domain, and the pruned model as files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from routescope.cli.console import (
    AllData,
    AsJson,
    Context,
    Cut,
    Model,
    Stride,
    change_of,
    change_unit,
    explained,
    fail,
    figure,
    in_context,
    known,
    names,
    one_line,
    out,
    percent,
    print_json,
    print_reading,
    progress_bar,
    read_data,
    reading_facts,
    sets_for,
)

if TYPE_CHECKING:
    from routescope.data.dataset import LabelledSamples
    from routescope.nn.measures import Measure
    from routescope.nn.network import Network
    from routescope.routing.caused.pruning import KeepList, Order, Scope


def add_to(cli: typer.Typer) -> None:
    """Add `routescope prune`."""
    cli.command("prune")(prune)


OrderName = Annotated[
    str,
    typer.Option(
        "--order",
        help="Experts that go first: tokens (fewest), weight (least routing weight), effect, greedy or chance.",
        metavar="ORDER",
    ),
]
ExpertList = Annotated[
    Path | None,
    typer.Option(
        "--expert-list", help='Write the experts that stay as JSON lines, {"0": [3, 5]}.', metavar="FILE.jsonl"
    ),
]


def prune(
    model: Model,
    order: OrderName = "tokens",
    keep: Annotated[float, typer.Option("--keep", help="Share of the experts that stays.", min=0.0, max=1.0)] = 0.75,
    scope: Annotated[
        str,
        typer.Option(
            "--scope", help="layer: --keep is a share of every layer. all: of all layers together.", metavar="SCOPE"
        ),
    ] = "layer",
    data: AllData = None,
    samples: Annotated[
        int, typer.Option("--samples", help="Samples of each data set at most, to choose and to measure.", min=1)
    ] = 32,
    draws: Annotated[int, typer.Option("--draws", help="Random sets of the same size to compare with.", min=0)] = 8,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the random draws.", min=0)] = 0,
    folder: Annotated[
        Path | None, typer.Option("--out", help="Write the pruned model and its keep-list here.", metavar="FOLDER")
    ] = None,
    context: Context = None,
    stride: Stride = None,
    cut: Cut = False,
    expert_list: ExpertList = None,
    as_json: AsJson = False,
) -> None:
    """Prune experts of a mixture, and measure what that costs.

    Experts are chosen on validation samples, and the cost is measured on test samples; a data set without a test split
    is measured on its validation samples, and the output says so.
    """
    from routescope import zoo
    from routescope.routing.caused.pruning import kept_of, layers_of, retained
    from routescope.zoo.pruning import not_written, refusal_of

    by, within = _asked(order, scope)
    if expert_list is not None and not expert_list.resolve().parent.is_dir():
        fail(f"the folder of {expert_list} does not exist; give a file in one that does.")
    with explained():
        model = known(model)
        info, network = zoo.info(model), in_context(zoo.load(model), context, stride, cut)
        layers_of(network)
        if folder is not None and (refusal := refusal_of(network, folder, within)) is not None:
            fail(refusal)
        asked = names(data) if data else info.domains
        chosen = sets_for(network, asked, "validation", samples)
        measured = [read_data(each, _split_of(each), samples, network.config) for each in asked]
        going = _going(network, chosen, by, keep, within, seed)
        kept = kept_of(network, going, keep, within, {"order": order, "seed": seed})
        with progress_bar(f"Scoring {model} pruned") as progress:
            table = retained(
                network,
                measured,
                {order: going},
                [keep],
                scope=within,
                draws=draws,
                seed=seed,
                progress=progress,
            )
    unwritten = _written(network, kept, folder, expert_list)
    rows = cast(list[dict[str, Any]], table.to_dict("records"))
    split = " and ".join(sorted({dataset.split for dataset in measured}))
    reading = reading_facts(network, measured)
    if as_json:
        target = None if unwritten else str(folder)
        written = {} if folder is None else {"out": target, "not_written": not_written(network)}
        facts = {"metric": table.attrs["metric"], "chosen_on": "validation", "measured_on": split}
        print_json({**kept.to_dict(), **facts, "retention": rows, **reading, **written})
        _refuse(unwritten)
        return
    _print(kept, rows, network.all_heads[0].measure)
    print_reading(reading)
    _print_facts(order, split, samples)
    _refuse(unwritten)
    for path in (folder, expert_list):
        if path is not None:
            out.print(f"Written to {path}.", highlight=False, soft_wrap=True)
    if folder is not None and (missing := not_written(network)):
        out.print(f"Not written, because the model does not have it: {missing}.", highlight=False, soft_wrap=True)


def _print_facts(order: str, split: str, samples: int) -> None:
    same = " (of validation the same samples, so that the cost looks too small)" * ("validation" in split)
    out.print(
        f"Chosen by {order} on validation samples, measured on {split} samples{same}: {samples} of each data set at"
        " most. Changes are paired by sample, 95 %; random sets are of the same size.",
        style="dim",
        highlight=False,
        soft_wrap=True,
    )


def _asked(order: str, scope: str) -> "tuple[Order, Scope]":
    from routescope.routing.caused.pruning import ORDERS, SCOPES

    if order not in ORDERS or scope not in SCOPES:
        unknown = f"order {order[:40]!r}" if order not in ORDERS else f"scope {scope[:40]!r}"
        fail(f"unknown {unknown}: an order is one of {', '.join(ORDERS)}, and a scope is {' or '.join(SCOPES)}.")
    return order, scope


def _written(network: "Network", kept: "KeepList", folder: Path | None, expert_list: Path | None) -> str | None:
    """Write the pruned model and the list of experts; return why they could not be written, as the figures are printed
    all the same."""
    from routescope.routing.caused.pruning import PruningError
    from routescope.zoo.pruning import export

    try:
        if folder is not None:
            export(network, kept, folder)
        if expert_list is not None:
            expert_list.write_text(kept.to_lines())
    except (PruningError, OSError) as error:
        return one_line(error)
    return None


def _refuse(unwritten: str | None) -> None:
    if unwritten is not None:
        fail(f"the pruned model was not written: {unwritten}")


def _split_of(name: str) -> str:
    """The split that figures are of: test where there is one."""
    from routescope.data import known_datasets

    return "test" if "test" in known_datasets()[name.partition("=")[0].strip()].splits else "validation"


def _going(
    network: "Network", datasets: "list[LabelledSamples]", order: "Order", keep: float, scope: "Scope", seed: int
) -> tuple[str, ...]:
    from routescope.routing.caused.pruning import find_order

    with progress_bar(f"Ordering experts by {order}") as progress:
        return find_order(network, datasets, order, keep=keep, scope=scope, seed=seed, progress=progress)


def _print(kept: "KeepList", rows: list[dict[str, Any]], measure: "Measure") -> None:
    from routescope.nn.measures import worse_sign

    for layer in kept.layers:
        gone = f"without {', '.join(layer.dropped)}" if layer.dropped else "whole"
        out.print(
            f"{layer.name}: {len(layer.kept)} of {layer.experts} experts, {gone}", highlight=False, soft_wrap=True
        )
    out.print(f"{percent(kept.share)} of the experts are kept.", highlight=False)
    random = {row["domain"]: row for row in rows if row["order"] == "random"}
    if rows:
        sign = worse_sign(measure.higher_is_better)
        out.print(f"Changes of {measure.name} ({sign}):", highlight=False)
    for row in rows:
        if row["order"] == "random":
            continue
        told = figure(measure, row["figure"], row["low"], row["high"])
        line = f"{row['domain']}: {told}, {_change(measure, row)} {change_unit(measure)}"
        if beside := random.get(row["domain"]):
            line += f"; {beside['draws']} random sets {_change(measure, beside)}"
        out.print(line, highlight=False, soft_wrap=True)


def _change(measure: "Measure", row: dict[str, Any]) -> str:
    return change_of(measure, row["change"], row["change_low"], row["change_high"])
