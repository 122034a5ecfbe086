"""``routescope import``: read a routing log of another program and print its format and its experts."""

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
#: The largest number of experts that are listed for a layer.
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
    """Return the facts about a log that the options give."""
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
    routing_log = read_log(existing(log, "a routing log"), reading_of(top_k, layers, experts, start, ranks, memory))
    if output is not None:
        write_parquet(routing_log, output)
    facts = facts_of(routing_log)
    if as_json:
        print_json(facts | {"output": None if output is None else str(output)})
        return
    _print(routing_log, facts)
    if output is not None:
        out.print(f"Wrote {output}", style="dim")


def _print(routing_log: "RoutingLog", facts: dict[str, Any]) -> None:
    out.print(f"[bold]{escape(routing_log.source.file)}[/]: {escape(str(routing_log.source))}")
    for line in routing_log.assumed:
        out.print(f"[bold]Assumed:[/] {escape(line)}")
    if routing_log.counts is not None:
        out.print(
            f"Counts by layer and expert, without tokens: {int(routing_log.counts.sum()):,} counts, "
            f"{len(routing_log.layers)} layers, {routing_log.num_experts} experts."
        )
    else:
        _print_sizes(routing_log, facts)
    table = Table("layer", "most used", "evenness", "never used", box=None, header_style="bold")
    for row in facts["layers"]:
        most = "  ".join(f"{expert['unit']} {percent(expert['share'])}" for expert in row["most_used"][:MOST_USED])
        table.add_row(
            row["layer"], most, "-" if row["evenness"] is None else f"{row['evenness']:.3f}", str(row["never_used"])
        )
    out.print(table)
    for note in routing_log.notes[len(routing_log.assumed) :]:
        out.print(escape(note), style="dim")
    out.print("Experts are numbered from 1; the log's own numbers, from 0, are in --json.", style="dim")


def _print_sizes(routing_log: "RoutingLog", facts: dict[str, Any]) -> None:
    of = f"{len(routing_log.sequences):,} sequence" + "s" * (len(routing_log.sequences) != 1)
    out.print(
        f"{len(routing_log):,} tokens of {of}, {len(routing_log.layers)} layers, {routing_log.num_experts} "
        f"experts, {routing_log.slots} of them a token"
        + (f"; {percent(facts['missing'])} of tokens and layers have none" if facts["missing"] else "")
    )
