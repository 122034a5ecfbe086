"""``routescope compare``: the experts of the same tokens in two logs, models, precisions or interventions."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from routescope.cli import options as opt
from routescope.cli.console import (
    escape,
    opened,
    out,
    print_json,
    progress_bar,
)
from routescope.cli.interventions import PASSED, changes_routing, with_units
from routescope.cli.logs import Experts, Layers, Memory, RanksOf, Start, TopK, reading_of
from routescope.nn.shown import percent, with_interval

if TYPE_CHECKING:
    from routescope.routing.compare import Comparison
    from routescope.routing.intervention import Intervention

#: Characters of the text that is shown, and colours of tokens by how many layers agree, from the fewest.
MOST_SHOWN = 600
COLOURS = ((0.5, "white on red"), (0.9, "black on yellow"), (1.0, "black on bright_cyan"))

#: Fields of an intervention that change the experts of tokens.
CHANGES = ("drop", "mute", "top_k")

Side = Annotated[str, typer.Argument(help="Routing log or model.", metavar="A")]
Other = Annotated[str, typer.Argument(help="Another routing log or model, on the same tokens.", metavar="B")]
Precision = Annotated[
    tuple[str, str] | None,
    typer.Option("--precision", help="Precisions of the models A and B.", metavar="A B"),
]


@changes_routing(CHANGES, "change_a", "-a", "Model A.")
@changes_routing(CHANGES, "change_b", "-b", "Model B.")
def compare_routings(
    a: Side,
    b: Other,
    precision: Precision = None,
    change_a: "Intervention" = PASSED,
    change_b: "Intervention" = PASSED,
    data: opt.AllData = None,
    split: opt.Split = "validation",
    limit: opt.Limit = 32,
    top_k: TopK = None,
    layers: Layers = None,
    experts: Experts = None,
    start: Start = None,
    ranks: RanksOf = None,
    memory: Memory = None,
    context: opt.Context = None,
    as_json: opt.AsJson = False,
) -> None:
    """Compare the experts of tokens in two models or logs.

    Prints the agreement by layer and by the router's margin, and the layer at which tokens first differ.

    Example: routescope compare moe-bytes moe-bytes --limit 4 --precision float32 bfloat16
    """
    from routescope.api.asking import compare, is_log
    from routescope.routing.intervention import Intervention

    reading = reading_of(top_k, layers, experts, start, ranks, memory)
    sides = [name if is_log(name) else opened(name, context) for name in (a, b)]
    changes = [
        None if change == Intervention() else change if isinstance(side, str) else with_units(change, side, split)
        for side, change in zip(sides, (change_a, change_b), strict=True)
    ]
    with progress_bar(f"Recording {a} and {b}") as progress:
        comparison = compare(
            sides[0],
            sides[1],
            data,
            split=split,
            limit=limit,
            interventions=(changes[0], changes[1]),
            precisions=precision or (None, None),
            reading=reading,
            progress=progress,
        )
    if as_json:
        print_json(comparison.as_json() | {"bits": comparison.bits()})
        return
    _print(comparison)


def _print(comparison: "Comparison") -> None:
    a, b = map(escape, comparison.names)
    first = comparison.first()
    out.print(f"[bold]A[/] {a}\n[bold]B[/] {b}")
    compared = comparison.there.any(axis=1)
    out.print(
        f"{len(comparison):,} tokens; {percent(float((first[compared] == -1).mean()))} take the same experts at every "
        "layer"
    )
    table = Table(
        "layer",
        "same set, %",
        "overlap, %",
        "differ first here",
        "of those that agreed, %",
        box=None,
        header_style="bold",
    )
    for layer, row in enumerate(comparison.by_layer()):
        table.add_row(
            row.layer,
            with_interval(row.same, *row.same_interval).replace(" %", ""),
            with_interval(row.overlap, *row.overlap_interval).replace(" %", ""),
            f"{int((first == layer).sum()):,}",
            with_interval(row.began, *row.began_interval).replace(" %", ""),
        )
    out.print(table)
    if margins := comparison.by_margin():
        table = Table(
            f"margin of A, {comparison.margin_of}", "differ, %", "tokens x layers", box=None, header_style="bold"
        )
        for bin_ in margins:
            share = with_interval(bin_.differ, *bin_.interval).replace(" %", "")
            table.add_row(f"{bin_.low:.4g} to {bin_.high:.4g}", share, f"{bin_.count:,}")
        out.print(table)
    if (costs := comparison.bits()) is not None:
        out.print(f"Bits a token: {costs['a']:.4f} in A, {costs['b']:.4f} in B.")
        for name, words in (("same", "the same experts everywhere"), ("differ", "others at some layer")):
            if name in costs:
                change, count = costs[name]["mean_absolute_change"], costs[name]["tokens"]
                out.print(f"With {words}, the bits of a token change by {change:.4f} ({count:,} tokens).")
    _print_text(comparison)
    over = "tokens (Wilson)" if comparison.groups is None else "sequences (bootstrap)"
    out.print(f"Intervals: 95 %, over {over}. What differs is observed, not caused.", style="dim")
    for note in comparison.notes:
        out.print(escape(note), style="dim")


def _print_text(comparison: "Comparison") -> None:
    """Print the sequence with the least agreement; colours show the share of layers that agree."""
    import numpy as np

    if comparison.texts is None:
        return
    agreement = comparison.agreement()
    compared = np.isfinite(agreement)
    sums = np.bincount(comparison.sequence, np.where(compared, 1 - agreement, 0))
    worst = int(np.argmax(sums))
    if not sums[worst]:
        return
    text = Text()
    for token in np.flatnonzero(comparison.sequence == worst):
        style = next((colour for most, colour in COLOURS if agreement[token] < most), "")
        text.append(comparison.texts[token], style=style)
        if len(text) >= MOST_SHOWN:
            text.append(" ...")
            break
    out.print(f"[bold]{escape(comparison.sequences[worst])}[/], which agrees least:")
    out.print(text)
    out.print(
        Text.assemble(
            "Layers that agree: ", ("under half", COLOURS[0][1]), " ", ("under 90 %", COLOURS[1][1]), " ",
            ("not all", COLOURS[2][1]), " all",
        )
    )  # fmt: skip
