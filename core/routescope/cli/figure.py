"""``routescope figure``: the figures of the papers, drawn from records and bundled models."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.padding import Padding

from routescope.cli import options as opt
from routescope.cli.console import escape, existing, fail, out, print_json

if TYPE_CHECKING:
    from routescope.experiments.printed.frame import PrintedFigure


def figure(
    figure_id: Annotated[
        str | None, typer.Argument(help="Id of a figure; all that are drawn without it.", metavar="[ID]")
    ] = None,
    output: Annotated[
        Path | None, opt.output("the figure (.svg, .pdf or .png), or all figures into a folder,", "FILE")
    ] = None,
    listing: opt.Listing = False,
    records: opt.Records = None,
    markdown: opt.Markdown = False,
    as_json: opt.AsJson = False,
) -> None:
    """Draw a figure of a paper from recorded runs.

    Ours has intervals, and open marks for numbers that the paper prints. --list says why other figures are not drawn.

    Example: routescope figure nac-fig-5 --output drop.svg
    """
    from routescope.assets import require
    from routescope.experiments.printed import figures

    if markdown or listing:
        if markdown:
            require("scipy")
        _list(figures.FIGURES, as_json) if listing else typer.echo(figures.as_markdown(), nl=False)
        return
    if figure_id is None and (output is None or output.suffix):
        fail("name a figure, or give a folder for all of them with --output; `routescope figure --list` lists them.")
    folders = [existing(folder, "a folder of records") for folder in records or ()]
    chosen = [entry.id for entry in figures.FIGURES if entry.draw] if figure_id is None else [figure_id]
    written, problems = list[str](), list[str]()
    for name in chosen:
        folder = figure_id is None or (output is not None and output.is_dir())
        file = Path(f"{name}.svg") if output is None else output / f"{name}.svg" if folder else output
        try:
            figures.write(name, file, folders)
        except ValueError as error:  # the other figures are written
            problems.append(str(error))
        else:
            written.append(str(file))
    if as_json and written:
        print_json({"files": written})
    elif written:
        out.print("\n".join(f"Wrote {escape(file)}" for file in written), style="dim", soft_wrap=True)
    if problems:
        fail("\n".join(problems))


def _list(entries: "tuple[PrintedFigure, ...]", as_json: bool) -> None:
    """Print every figure of the papers: its ids and number, and why it is not drawn."""
    if as_json:
        keys = ("ids", "number", "title", "shows", "experiment", "why_not")
        print_json([{"paper": entry.paper.title} | {key: getattr(entry, key) for key in keys} for entry in entries])
        return
    paper = None
    for entry in entries:
        if entry.paper != paper:
            paper = entry.paper
            out.print(paper.title, style="bold")
        out.print(Padding(f"{', '.join(entry.ids)}  {entry.number}: {entry.title}", (0, 0, 0, 2)))
        if entry.draw is None:
            out.print(Padding(f"not drawn: {entry.why_not}", (0, 0, 0, 4)), style="dim")
