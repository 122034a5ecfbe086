"""``routescope import``: read a routing log that another program wrote, say what it is and what is in it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from routescope.cli import options as opt
from routescope.cli.console import escape, existing, fail, out, print_json
from routescope.nn.shown import percent

if TYPE_CHECKING:
    from routescope.routing.logs import Reading, RoutingLog

MIB = 2**20
#: How many of a layer's experts are told.
MOST_USED = 4

TopK = Annotated[int | None, typer.Option("--top-k", help="Experts for each token, if missing from the log.", min=1)]
Layers = Annotated[int | None, typer.Option("--layers", help="Layers that route, if missing from the log.", min=1)]
Experts = Annotated[int | None, typer.Option("--experts", help="Experts in a layer, if missing from the log.", min=1)]
Start = Annotated[
    int | None,
    typer.Option("--start", help="Tokens at the start of each response that the log leaves out.", min=0),
]
RanksOf = Annotated[
    str | None,
    typer.Option(
        "--ranks",
        help="How ranks are joined: pipeline (layers follow each other), tensor (the same tokens again), "
        "data or expert (different tokens).",
        metavar="RANKS",
    ),
]
Memory = Annotated[
    int | None,
    typer.Option(
        "--memory",
        help="Memory limit of the log in MiB. By default 2048, and at most 32 MiB plus 32 times the size of the file.",
        min=1,
        metavar="MIB",
    ),
]


def reading_of(
    top_k: int | None, layers: int | None, experts: int | None, start: int | None, ranks: str | None, memory: int | None
) -> "Reading":
    """Return what the options say of a log."""
    from routescope.routing.logs import RANKS, Reading

    if ranks is not None and ranks not in RANKS:
        fail(f"ranks are {', '.join(RANKS)}, not {ranks!r}.")
    if memory is None:
        return Reading(top_k, layers, experts, start=start, ranks=ranks)
    return Reading(top_k, layers, experts, memory * MIB, start, ranks, growth=None)


def import_log(
    log: Annotated[Path, typer.Argument(help="Routing log of a server, a trainer or a tracer.", metavar="LOG")],
    output: Annotated[Path | None, opt.output("the log as parquet", "FILE.parquet")] = None,
    top_k: TopK = None,
    layers: Layers = None,
    experts: Experts = None,
    start: Start = None,
    ranks: RanksOf = None,
    memory: Memory = None,
    as_json: opt.AsJson = False,
) -> None:
    """Read a routing log of another program.

    Formats: vLLM, SGLang, Megatron-core, CSV, arrays in npy, npz or safetensors, and the parquet of this command.
    Assumptions about the log are printed first; options replace them.

    Example: routescope import responses.jsonl
    """
    from routescope.routing.logs import read_log
    from routescope.routing.logs.facts import facts_of
    from routescope.routing.logs.parquet import write_parquet

    if output is not None and not output.resolve().parent.is_dir():
        fail(f"the folder of {output} does not exist; give a file in one that does.")
    found = read_log(existing(log, "a routing log"), reading_of(top_k, layers, experts, start, ranks, memory))
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
