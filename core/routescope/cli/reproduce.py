"""``routescope reproduce``: run an experiment of a paper and write its record."""

import logging
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.padding import Padding

from routescope.cli import options as opt
from routescope.cli.console import fail, out, print_json, progress_bar

if TYPE_CHECKING:
    from routescope.experiments.shared.frame import Experiment


def reproduce(
    experiment: Annotated[str | None, typer.Argument(help="Id of an experiment.", metavar="[ID]")] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Run for minutes with smaller settings than the paper's.")
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Run the paper's whole grid, for hours, instead of its usual part.")
    ] = False,
    part: Annotated[
        list[str] | None,
        typer.Option("--part", help="Run this part only (--list shows the parts); repeatable.", metavar="NAME"),
    ] = None,
    seeds: Annotated[
        int | None,
        typer.Option("--seeds", help="Number of trainings or draws with different seeds.", metavar="N"),
    ] = None,
    data: opt.Sources = None,
    photographs: opt.Photographs = None,
    output: Annotated[Path | None, opt.output("the record (by default: records of the data folder)", "FOLDER")] = None,
    resume: opt.Resume = True,
    listing: opt.Listing = False,
    as_json: opt.AsJson = False,
) -> None:
    """Run an experiment of a paper.

    The record has the figures with intervals beside the paper's. With ROUTESCOPE_RAY_ADDRESS the experiment runs on
    that Ray cluster.

    Example: routescope reproduce ni-drop --quick
    """
    from routescope.assets import require
    from routescope.data import parse_sources
    from routescope.experiments.shared import record
    from routescope.experiments.shared.catalogue import UnknownExperiment, experiments, find
    from routescope.experiments.shared.frame import Extent
    from routescope.training.cluster import ClusterError

    require("lightning")
    logging.getLogger("lightning.pytorch").setLevel(logging.WARNING)
    if listing:
        _list(list(experiments().values()), as_json)
        return
    if experiment is None:
        fail(f"name an experiment; there are {', '.join(experiments())}.")
    try:
        chosen = find(experiment)
        extent = Extent(quick, full, tuple(part or ()), seeds)
        chosen.settings_of(extent)
    except (UnknownExperiment, ValueError) as error:
        fail(str(error))
    sources = parse_sources(data or [])
    if photographs is not None:
        sources["photographs"] = photographs
    with progress_bar(chosen.id) as progress:
        try:
            result, file = record.reproduce(chosen, extent, sources, output, progress, resume)
        except ClusterError as error:
            fail(f"{error}.")
    if as_json:
        print_json({"file": str(file), **result})
        return
    _print(chosen, result, file)


def _heading(figure: dict[str, Any]) -> tuple[str, bool, str]:
    where = ", ".join(f"{name} {value}" for name, value in figure["where"].items())
    return figure["data"], figure["stand_in"], where


def _list(chosen: "list[Experiment]", as_json: bool) -> None:
    if as_json:
        print_json(
            [
                {"id": entry.id, "title": entry.title, "paper": entry.paper_reference, "parts": entry.parts}
                for entry in chosen
            ]
        )
        return
    for entry in chosen:
        out.print(f"[bold]{entry.id}[/]  {entry.title}")
        out.print(Padding(entry.paper_reference, (0, 0, 0, 2)), style="dim")
        if entry.parts:
            out.print(Padding(f"parts: {', '.join(entry.parts)}", (0, 0, 0, 2)), style="dim")


def _print(chosen: "Experiment", result: dict[str, Any], file: Path) -> None:
    """Print a result for people."""
    out.print(f"[bold]{chosen.title}[/], {chosen.paper_reference}")
    for (data_set, stand_in, where), figures in groupby(result["figures"], key=_heading):
        out.print(f"{where}  [dim]{data_set}{', a stand-in' if stand_in else ''}[/]")
        for figure in figures:
            interval = f" ({figure['low']:.4g} to {figure['high']:.4g})" if figure["low"] is not None else ""
            printed = f"; paper {figure['paper']:.4g}" if figure["paper"] is not None else ""
            out.print(f"  {figure['name']}: {figure['value']:.4g}{interval}{printed}")
    for entry in result["paper_figures"]:
        out.print(Padding(f"The paper, on {entry['what']}: {entry['says']}", (0, 0, 0, 2)), style="dim")
    for note in result["notes"]:
        out.print(Padding(note, (0, 0, 0, 2)))
    out.print(f"{result['seconds']:.1f} s. Wrote {file}", style="dim")
