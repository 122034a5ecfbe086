"""``routescope models`` and ``routescope data``: lists of models and data sets."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.padding import Padding

from routescope.cli import options as opt
from routescope.cli.console import card_figure, opened, out, print_json
from routescope.nn.shown import listed

if TYPE_CHECKING:
    from routescope.data import DatasetInfo

#: Kind of input without pictures -> its samples in words.
READS = {
    "text": "texts",
    "numbers": "points of numbers",
    "matrices": "matrices of panels",
    "points": "clouds of points",
    "listops": "ListOps expressions",
    "bytes": "texts as raw bytes",
}


def models(
    model: Annotated[
        str | None,
        typer.Argument(help="Model id or folder with a model; lists all models by default.", metavar="[MODEL]"),
    ] = None,
    as_json: opt.AsJson = False,
) -> None:
    """List models with their sizes, data and accuracies.

    Accuracies have 95 % intervals and come from the model's card.

    Example: routescope models ni-digits
    """
    from routescope import zoo

    infos = [zoo.info(opened(model).id)] if model else zoo.models()
    if as_json:
        entries: list[dict[str, Any]] = [asdict(info) for info in infos]
        print_json(entries[0] if model else entries)
        return
    for info in infos:
        out.print(f"[bold]{info.id}[/]  {info.family}, {info.parameters:,} parameters")
        accuracies = [
            f"{entry['data']}: {card_figure(entry)}, {entry['count']:,} samples"
            + (", a stand-in" if entry["stand_in"] else "")
            for entry in info.accuracies
        ]
        pictures = info.config.get("pictures")
        facts = [
            *([f"reads statements: a sentence about {pictures} pictures"] if info.inputs == "statements" else []),
            *([f"reads blocks: {', '.join(info.tokens)}"] if info.inputs == "blocks" else []),
            *([f"reads {READS[info.inputs]}"] if info.inputs in READS else []),
            f"units: {listed(info.units) or 'none'}; {len(info.steps)} steps; heads for {', '.join(info.domains)}",
            *([f"never trained on: {', '.join(info.held_out)}"] if info.held_out else []),
            f"records {', '.join(info.fields)}",
            f"trained on: {'; '.join(info.data) or 'unknown, as no card says it'}",
            *(accuracies or ["accuracy: not measured"]),
        ]
        for line in facts:
            out.print(Padding(line, (0, 0, 0, 2)), style="dim")
    if not infos:
        out.print("There is no model; `routescope train ni-digits` makes one.")


def data(as_json: opt.AsJson = False) -> None:
    """List data sets with their splits, licences and stand-ins.

    A stand-in is a generated data set in place of one that cannot be bundled; --data NAME=SOURCE reads the real one.

    Example: routescope data
    """
    from routescope.data import known_datasets

    infos = list(known_datasets().values())
    if as_json:
        print_json([asdict(info) for info in infos])
        return
    for info in infos:
        out.print(f"[bold]{info.name}[/]  {info.title}")
        splits = ", ".join(f"{split} {size:,}" for split, size in info.splits.items())
        for line in (
            f"splits: {splits}" if splits else f"read from where its user has it: --data {info.name}=FOLDER",
            *(["statements about pictures"] if info.inputs == "statements" else []),
            *(["blocks, and a subtask for every iteration"] if info.inputs == "blocks" else []),
            f"licence: {info.licence}",
            *([f"stands in for {info.stand_in_for}{_real(info)}"] if info.stand_in else []),
        ):
            out.print(Padding(line, (0, 0, 0, 2)), style="dim")
    out.print(
        "\nSOURCE is a folder of parquet files, one parquet file, or a name on the Hugging Face hub.", style="dim"
    )


def _real(info: "DatasetInfo") -> str:
    """Return how to read the real data set in place of the stand-in; empty if there is no other."""
    return "" if info.real_title == info.title else f"; read the real set with --data {info.name}=SOURCE"
