"""``routescope train``: train a network, and leave its checkpoint and model card where the others find it."""

import json
import logging
import sys
from contextlib import redirect_stdout, suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from core.cli.console import AsJson, explained, fail, out, print_json, with_interval


def add_to(cli: typer.Typer) -> None:
    cli.command("train")(train)


def train(
    recipe: Annotated[str, typer.Argument(help="What to train: ni-digits, ni-digits-printed.", metavar="RECIPE")],
    data: Annotated[
        list[str] | None,
        typer.Option(
            "--data",
            help="A real data set instead of its stand-in (mnist=FOLDER, a parquet file, or a hub name); repeatable.",
            metavar="NAME=SOURCE",
        ),
    ] = None,
    photographs: Annotated[
        str | None,
        typer.Option("--photographs", help="Parquet of photographs to blend MNIST over.", metavar="SOURCE"),
    ] = None,
    steps: Annotated[int | None, typer.Option("--steps", help="Optimiser steps.", min=1)] = None,
    batch_size: Annotated[int | None, typer.Option("--batch-size", help="Images a step.", min=1)] = None,
    learning_rate: Annotated[float | None, typer.Option("--learning-rate", help="At the start.", min=0.0)] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Of the weights and the order of the data.")] = None,
    precision: Annotated[
        Literal["32-true", "bf16-mixed", "16-mixed"] | None, typer.Option("--precision", help="As Lightning names it.")
    ] = None,
    accelerator: Annotated[Literal["auto", "cpu", "gpu"] | None, typer.Option("--accelerator", help="Where.")] = None,
    devices: Annotated[int | None, typer.Option("--devices", help="How many; all by default.", min=1)] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder for checkpoint, card and training state; your models by default."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume/--restart", help="Go on from the folder's training state.")] = True,
    as_json: AsJson = False,
) -> None:
    """Train a network; interrupt it and start it again to go on where it was."""
    from core import assets, training
    from core.data import parse_sources

    if recipe not in training.RECIPES:
        fail(f"unknown recipe {recipe!r}; there are {', '.join(training.RECIPES)}.")
    asked = {
        "steps": steps,
        "batch_size": batch_size,
        "learning_rate": learning_rate,
        "seed": seed,
        "precision": precision,
        "accelerator": accelerator,
        "devices": devices,
    }
    changes: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
    settings = replace(training.RECIPES[recipe][1], **changes)
    logging.getLogger("lightning.pytorch").setLevel(logging.WARNING)
    folder = output or assets.data_dir() / "checkpoints" / recipe
    before = _written(folder)
    with explained():
        sources = parse_sources(data or [])
        if photographs is not None:
            sources["photographs"] = photographs
        # Standard output is for the result; what Lightning says on the way is progress.
        # It leaves with SystemExit when a person interrupts it.
        with redirect_stdout(sys.stderr), suppress(SystemExit, KeyboardInterrupt):
            training.train(recipe, sources, settings=settings, folder=folder, resume=resume)
    if _written(folder) in (None, before):
        kept = (folder / "training" / "last.ckpt").is_file()
        fail(
            "stopped before the last step; "
            + (
                f"the same command goes on from the training state in {folder}."
                if kept
                else "there was no training state yet, so that the same command starts anew."
            )
        )
    card = json.loads((folder / "card.json").read_text())
    if as_json:
        print_json({"folder": str(folder), **card})
        return
    for each in card["accuracies"]:
        shown = with_interval(each["accuracy"], each["low"], each["high"])
        out.print(f"{each['data']}{' (stand-in)' if each['stand_in'] else ''}: {shown}", highlight=False)
    out.print(f"Wrote {folder}", style="dim", highlight=False)


def _written(folder: Path) -> int | None:
    """When the folder's checkpoint was written, or None."""
    checkpoint = folder / "model.safetensors"
    return checkpoint.stat().st_mtime_ns if checkpoint.is_file() else None
