"""``routescope models`` and ``routescope data``: what there is to look at."""

from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.table import Table

from core.cli.console import AsJson, explained, out, print_json, with_interval


def add_to(cli: typer.Typer) -> None:
    cli.command("models")(models)
    cli.command("data")(data)


def models(
    model: Annotated[
        str | None, typer.Argument(help="One model's id; every model when left out.", metavar="[MODEL]")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the models: id, family, parameters, data they were trained on, accuracies with 95 % intervals."""
    from core import zoo

    with explained():
        infos = [zoo.info(model)] if model else zoo.models()
    if as_json:
        found: list[dict[str, Any]] = [asdict(info) for info in infos]
        print_json(found[0] if model else found)
        return
    table = Table(
        "model", "family", "parameters", "units", "steps", "trained on", "accuracy", box=None, header_style="bold"
    )
    for info in infos:
        accuracies = [
            f"{each['domain']} {with_interval(each['accuracy'], each['low'], each['high'])}"
            + (" [dim]stand-in[/]" if each["stand_in"] else "")
            for each in info.accuracies
        ]
        table.add_row(
            info.id,
            info.family,
            f"{info.parameters:,}",
            str(len(info.units)),
            str(len(info.steps)),
            "\n".join(info.data) or "not trained",
            "\n".join(accuracies) or "not measured",
        )
    out.print(table)


def data(as_json: AsJson = False) -> None:
    """List the data sets: splits, licence, and what a stand-in stands in for."""
    from core.data import DATASETS

    infos = list(DATASETS.values())
    if as_json:
        print_json([asdict(info) for info in infos])
        return
    table = Table("data set", "what it is", "splits", "licence", box=None, header_style="bold")
    for info in infos:
        title = info.title + (f"\n[dim]stand-in for {info.stand_in_for}[/]" if info.stand_in else "")
        table.add_row(info.name, title, ", ".join(info.splits), info.licence)
    out.print(table)
    out.print("\nThe real sets are read with --data NAME=FOLDER, a parquet file, or a hub name.", style="dim")
