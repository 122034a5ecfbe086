"""``routescope compare``: two routings side by side, of two logs, two models, two precisions or two interventions."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from routescope.cli import options as opt
from routescope.cli.console import (
    escape,
    explained,
    fail,
    in_context,
    known,
    names,
    out,
    percent,
    print_json,
    progress_bar,
    read_data,
    read_intervention,
    told,
    with_interval,
    with_units,
)
from routescope.cli.logs import Experts, Layers, Memory, RanksOf, Start, TopK, reading_of

if TYPE_CHECKING:
    import numpy as np

    from routescope.routing.compare import Comparison
    from routescope.routing.logs import Reading, RoutingLog

#: Characters of the text that is shown, and colours of tokens by how many layers agree, from the fewest.
MOST_SHOWN = 600
COLOURS = ((0.5, "white on red"), (0.9, "black on yellow"), (1.0, "black on bright_cyan"))

Side = Annotated[str, typer.Argument(help="Routing log or model.", metavar="A")]
Other = Annotated[str, typer.Argument(help="Another routing log or model, on the same tokens.", metavar="B")]
Precision = Annotated[
    tuple[str, str] | None,
    typer.Option("--precision", help="Precisions of the models A and B.", metavar="A B"),
]


def _units(word: str, side: str) -> Any:
    return typer.Option(
        f"--{word}-{side.lower()}", help=f"Units to {word} in the model {side}, or rules (l3.*).", metavar="UNITS"
    )


def _top_k(side: str) -> Any:
    return typer.Option(
        f"--top-k-{side.lower()}", help=f"Experts for each token in the model {side}.", min=1, metavar="K"
    )


def compare_routings(
    a: Side,
    b: Other,
    precision: Precision = None,
    drop_a: Annotated[str | None, _units("drop", "A")] = None,
    drop_b: Annotated[str | None, _units("drop", "B")] = None,
    mute_a: Annotated[str | None, _units("mute", "A")] = None,
    mute_b: Annotated[str | None, _units("mute", "B")] = None,
    top_k_a: Annotated[int | None, _top_k("A")] = None,
    top_k_b: Annotated[int | None, _top_k("B")] = None,
    data: opt.AllData = None,
    split: opt.Split = "validation",
    samples: opt.Samples = 32,
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

    Example: routescope compare moe-bytes moe-bytes --samples 4 --precision float32 bfloat16
    """
    from routescope.routing.compare import compare

    with explained():
        reading = reading_of(top_k, layers, experts, start, ranks, memory)
        texts = (data, split, samples)
        first, second = precision or (None, None)
        left = _routing(a, first, (drop_a, mute_a), top_k_a, texts, reading, context)
        same = texts if data else (_domains(a), split, samples)
        right = _routing(b, second, (drop_b, mute_b), top_k_b, same, reading, context)
        found = compare(left.log, right.log, (left.name, right.name))
        costs = _costs(found, left, right)
    if as_json:
        print_json(found.as_json() | {"bits": costs})
        return
    _print(found, costs)


class _Routing:
    """One side: its log, how it is called, and what its tokens cost where that is known."""

    def __init__(self, log: "RoutingLog", name: str, nats: "np.ndarray | None" = None) -> None:
        self.log, self.name, self.nats = log, name, nats


def _domains(name: str) -> str | None:
    """Domains of a model, which the other is run on too; None of a log."""
    from routescope import zoo

    return None if Path(name).is_file() else ",".join(zoo.info(known(name)).domains)


def _routing(
    name: str,
    precision: str | None,
    units: tuple[str | None, str | None],
    top_k: int | None,
    texts: tuple[str | None, str, int],
    reading: "Reading",
    context: int | None,
) -> _Routing:
    """A log that is read, or a model that is run."""
    from routescope import zoo
    from routescope.routing import Intervention
    from routescope.routing.compare import record_log
    from routescope.routing.logs import read_log

    if Path(name).is_file():
        if precision is not None or any(units) or top_k is not None:
            fail(f"{name} is a log: precisions, units to drop or mute, and how many a token takes are of models.")
        log = read_log(name, reading)
        return _Routing(log, f"{log.source.file}, {log.source.format}")
    info, network = zoo.info(known(name)), in_context(zoo.load(known(name)), context)
    data, split, limit = texts
    intervention = with_units(replace(read_intervention(*units, None), top_k=top_k), network, split)
    intervention.validate(network)
    sets = [read_data(each, split, limit, network.config) for each in names(data) or info.domains]
    with progress_bar(f"Recording {name}") as progress:
        found = record_log(network, sets, intervention, precision, progress)
    what = found.log.source.version + (f", {told(intervention)}" if intervention != Intervention() else "")
    return _Routing(found.log, what, found.nats)


def _costs(found: "Comparison", left: _Routing, right: _Routing) -> dict[str, Any] | None:
    """Bits a token in both, and by how much they change with the same experts everywhere and with others."""
    import math

    import numpy as np

    if left.nats is None or right.nats is None:
        return None
    a, b = left.nats[found.places[0]] / math.log(2), right.nats[found.places[1]] / math.log(2)
    differs = found.first() >= 0
    changes = {
        name: {"tokens": int(own.sum()), "mean_absolute_change": round(float(np.abs(b - a)[own].mean()), 6)}
        for name, own in (("same", ~differs), ("differ", differs))
        if own.any()
    }
    return {"a": round(float(a.mean()), 6), "b": round(float(b.mean()), 6), **changes}


def _print(found: "Comparison", costs: dict[str, Any] | None) -> None:
    a, b = map(escape, found.names)
    first = found.first()
    out.print(f"[bold]A[/] {a}\n[bold]B[/] {b}", highlight=False)
    known = found.there.any(axis=1)
    out.print(
        f"{len(found):,} tokens; {percent(float((first[known] == -1).mean()))} take the same experts at every layer",
        highlight=False,
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
    for layer, each in enumerate(found.by_layer()):
        table.add_row(
            each.layer,
            with_interval(each.same, *each.same_interval).replace(" %", ""),
            with_interval(each.overlap, *each.overlap_interval).replace(" %", ""),
            f"{int((first == layer).sum()):,}",
            with_interval(each.began, *each.began_interval).replace(" %", ""),
        )
    out.print(table)
    if margins := found.by_margin():
        table = Table(f"margin of A, {found.margin_of}", "differ, %", "tokens x layers", box=None, header_style="bold")
        for bin_ in margins:
            share = with_interval(bin_.differ, *bin_.interval).replace(" %", "")
            table.add_row(f"{bin_.low:.4g} to {bin_.high:.4g}", share, f"{bin_.count:,}")
        out.print(table)
    if costs is not None:
        out.print(f"Bits a token: {costs['a']:.4f} in A, {costs['b']:.4f} in B.", highlight=False)
        for name, words in (("same", "the same experts everywhere"), ("differ", "others at some layer")):
            if name in costs:
                change, count = costs[name]["mean_absolute_change"], costs[name]["tokens"]
                out.print(f"With {words} they change by {change:.4f} ({count:,} tokens).", highlight=False)
    _print_text(found)
    over = "tokens (Wilson)" if found.groups is None else "sequences (bootstrap)"
    out.print(f"Intervals: 95 %, over {over}. What differs is observed, not caused.", style="dim", highlight=False)
    for note in found.notes:
        out.print(escape(note), style="dim", highlight=False)


def _print_text(found: "Comparison") -> None:
    """The sequence that agrees least, its tokens coloured by the share of layers that agree."""
    import numpy as np

    if found.texts is None:
        return
    agreement = found.agreement()
    known = np.isfinite(agreement)
    sums = np.bincount(found.sequence, np.where(known, 1 - agreement, 0))
    worst = int(np.argmax(sums))
    if not sums[worst]:
        return
    text = Text()
    for token in np.flatnonzero(found.sequence == worst):
        style = next((colour for most, colour in COLOURS if agreement[token] < most), "")
        text.append(found.texts[token], style=style)
        if len(text) >= MOST_SHOWN:
            text.append(" ...")
            break
    out.print(f"[bold]{escape(found.sequences[worst])}[/], which agrees least:", highlight=False)
    out.print(text, highlight=False)
    out.print(
        Text.assemble(
            "Layers that agree: ", ("under half", COLOURS[0][1]), " ", ("under 90 %", COLOURS[1][1]), " ",
            ("not all", COLOURS[2][1]), " all",
        )
    )  # fmt: skip
