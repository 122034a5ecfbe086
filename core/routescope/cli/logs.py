"""``routescope import``: read a routing log that another program wrote, say what it is and what is in it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from routescope.cli.console import AsJson, escape, existing, explained, fail, out, print_json
from routescope.nn.shown import percent

if TYPE_CHECKING:
    from routescope.routing.logs import Reading, RoutingLog

MIB = 2**20
#: How many of a layer's experts are told.
MOST_USED = 4

TopK = Annotated[
    int | None, typer.Option("--top-k", help="How many experts a token takes, where the log does not say.", min=1)
]
Layers = Annotated[
    int | None, typer.Option("--layers", help="How many layers route, where the log does not say.", min=1)
]
Experts = Annotated[
    int | None, typer.Option("--experts", help="How many experts a layer has, where the log does not say.", min=1)
]
Start = Annotated[
    int | None,
    typer.Option("--start", help="How many tokens at the start of each response are not in the log.", min=0),
]
RanksOf = Annotated[
    str | None,
    typer.Option(
        "--ranks",
        help="What joined ranks are: pipeline (layers follow each other), tensor (the same tokens again), "
        "data or expert "
        "(tokens of their own).",
        metavar="RANKS",
    ),
]
Limit = Annotated[
    int | None,
    typer.Option(
        "--limit",
        help="How much memory the log may take, in MiB. Without it 2048, and at most 32 MiB and 32 times the file.",
        min=1,
        metavar="MIB",
    ),
]


def add_to(cli: typer.Typer) -> None:
    """Add `routescope import`."""
    cli.command("import")(import_log)


def reading_of(
    top_k: int | None, layers: int | None, experts: int | None, start: int | None, ranks: str | None, limit: int | None
) -> "Reading":
    """Return what the options say of a log."""
    from routescope.routing.logs import RANKS, Reading

    if ranks is not None and ranks not in RANKS:
        fail(f"ranks are {', '.join(RANKS)}, not {ranks!r}.")
    if limit is None:
        return Reading(top_k, layers, experts, start=start, ranks=ranks)
    return Reading(top_k, layers, experts, limit * MIB, start, ranks, growth=None)


def import_log(
    log: Annotated[Path, typer.Argument(help="A file that a server, a trainer or a tracer wrote.", metavar="LOG")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Where to write the log as parquet.", metavar="FILE.parquet"),
    ] = None,
    top_k: TopK = None,
    layers: Layers = None,
    experts: Experts = None,
    start: Start = None,
    ranks: RanksOf = None,
    limit: Limit = None,
    as_json: AsJson = False,
) -> None:
    """Read a routing log: vLLM, SGLang, Megatron-core, CSV, arrays in npy, npz or safetensors, or our own parquet.

    What was assumed in reading is printed first; the options say otherwise.
    """
    from routescope.routing.logs import read_log
    from routescope.routing.logs.facts import facts_of
    from routescope.routing.logs.parquet import write_parquet

    if output is not None and not output.resolve().parent.is_dir():
        fail(f"the folder of {output} does not exist; give a file in one that does.")
    with explained():
        found = read_log(existing(log, "a routing log"), reading_of(top_k, layers, experts, start, ranks, limit))
        if output is not None:
            write_parquet(found, output)
    facts = facts_of(found)
    if as_json:
        print_json(facts | {"output": None if output is None else str(output)})
        return
    _print(found, facts)
    if output is not None:
        out.print(f"Wrote {output}", style="dim", highlight=False)


def _print(found: "RoutingLog", facts: dict[str, Any]) -> None:
    out.print(f"[bold]{escape(found.source.file)}[/]: {escape(str(found.source))}", highlight=False)
    for line in found.assumed:
        out.print(f"[bold]Assumed:[/] {escape(line)}", highlight=False)
    if found.counts is not None:
        out.print(
            f"A load, counts by layer and expert: {int(found.counts.sum()):,} counts, {len(found.layers)} layers, "
            f"{found.num_experts} experts. Tokens are not known",
            highlight=False,
        )
    else:
        _print_sizes(found, facts)
    table = Table("layer", "most used", "evenness", "never used", box=None, header_style="bold")
    for row in facts["layers"]:
        most = "  ".join(f"{each['unit']} {percent(each['share'])}" for each in row["most_used"][:MOST_USED])
        table.add_row(
            row["layer"], most, "-" if row["evenness"] is None else f"{row['evenness']:.3f}", str(row["never_used"])
        )
    out.print(table)
    for note in found.notes[len(found.assumed) :]:
        out.print(escape(note), style="dim", highlight=False)
    out.print(
        "Experts are numbered from 1; the log's own numbers, from 0, are in --json.", style="dim", highlight=False
    )


def _print_sizes(found: "RoutingLog", facts: dict[str, Any]) -> None:
    of = f"{len(found.sequences):,} sequence" + "s" * (len(found.sequences) != 1)
    out.print(
        f"{len(found):,} tokens of {of}, {len(found.layers)} layers, {found.num_experts} "
        f"experts, {found.slots} of them a token"
        + (f"; {percent(facts['missing'])} of tokens and layers have none" if facts["missing"] else ""),
        highlight=False,
    )
