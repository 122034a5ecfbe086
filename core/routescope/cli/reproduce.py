"""``routescope reproduce``: run an experiment of a paper and leave its record."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from routescope.cli import options as opt
from routescope.cli.console import err, fail, out, print_json

if TYPE_CHECKING:
    from routescope.experiments.shared.frame import Experiment
    from routescope.experiments.shared.frame import Progress as Told


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
    output: Annotated[Path | None, opt.output("the record (by default: the bundled results)", "FOLDER")] = None,
    plots: Annotated[
        Path | None, typer.Option("--plots", help="Write the figures here as SVG files.", metavar="FOLDER")
    ] = None,
    resume: opt.Resume = True,
    listing: Annotated[bool, typer.Option("--list", help="List the experiments.")] = False,
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
        found = find(experiment)
        extent = Extent(quick, full, tuple(part or ()), seeds)
        found.settings_of(extent)
    except (UnknownExperiment, ValueError) as error:
        fail(str(error))
    if plots is not None and found.plot is None:
        fail(f"{found.id} draws no figures.")
    sources = parse_sources(data or [])
    if photographs is not None:
        sources["photographs"] = photographs
    with _bar(found.id) as progress:
        try:
            held, file = record.reproduce(found, extent, sources, output, progress, resume)
        except ClusterError as error:
            fail(f"{error}.")
    if plots is not None:
        _save(found, held, plots)
    if as_json:
        print_json({"file": str(file), **held})
        return
    _tell(found, held, file)


@contextmanager
def _bar(name: str) -> "Iterator[Told]":
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task(name, total=None)

        def progress(done: int, total: int, words: str) -> None:
            bar.update(task, completed=done, total=total, description=words or name)

        yield progress


def _save(found: "Experiment", held: dict[str, Any], plots: Path) -> None:
    """A record's figures as files; of an experiment that draws none, nothing."""
    plots.mkdir(parents=True, exist_ok=True)
    for name, drawn in (found.plot(held) if found.plot is not None else {}).items():
        drawn.savefig(plots / f"{found.id}-{name}.svg")


def _heading(figure: dict[str, Any]) -> tuple[str, bool, str]:
    where = ", ".join(f"{name} {value}" for name, value in figure["where"].items())
    return figure["data"], figure["stand_in"], where


def _list(found: "list[Experiment]", as_json: bool) -> None:
    if as_json:
        print_json(
            [{"id": each.id, "title": each.title, "paper": each.paper_reference, "parts": each.parts} for each in found]
        )
        return
    for each in found:
        out.print(f"[bold]{each.id}[/]  {each.title}", highlight=False)
        out.print(Padding(each.paper_reference, (0, 0, 0, 2)), style="dim", highlight=False)
        if each.parts:
            out.print(Padding(f"parts: {', '.join(each.parts)}", (0, 0, 0, 2)), style="dim", highlight=False)


def _tell(found: "Experiment", held: dict[str, Any], file: Path) -> None:
    """A record as people read it."""
    out.print(f"[bold]{found.title}[/], {found.paper_reference}", highlight=False)
    for (data_set, stand_in, where), figures in groupby(held["figures"], key=_heading):
        out.print(f"{where}  [dim]{data_set}{', a stand-in' if stand_in else ''}[/]", highlight=False)
        for figure in figures:
            interval = f" ({figure['low']:.4g} to {figure['high']:.4g})" if figure["low"] is not None else ""
            beside = f"; paper {figure['paper']:.4g}" if figure["paper"] is not None else ""
            out.print(f"  {figure['name']}: {figure['value']:.4g}{interval}{beside}", highlight=False)
    for each in held["paper_figures"]:
        out.print(Padding(f"The paper, on {each['what']}: {each['says']}", (0, 0, 0, 2)), style="dim", highlight=False)
    for note in held["notes"]:
        out.print(Padding(note, (0, 0, 0, 2)), highlight=False)
    out.print(f"{held['seconds']:.1f} s. Wrote {file}", style="dim", highlight=False)
