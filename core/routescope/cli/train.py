"""``routescope train``: train a network, and write its checkpoint and its model card."""

import json
import logging
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from routescope.cli import options as opt
from routescope.cli.console import card_figure, err, escape, fail, out, print_json


def train(
    recipe: Annotated[
        str,
        typer.Argument(
            help="Recipe (ni-digits, nac-scale-free, perceiver-io) or family of recipes. The family nac-images trains "
            "from Perceiver IO to circuits with each prior, on digits or on pictures (--data images=FOLDER); "
            "nac-images-printed has the paper's sizes. An unknown name lists all.",
            metavar="RECIPE",
        ),
    ],
    only: Annotated[
        list[str] | None,
        typer.Option("--only", help="Train only this recipe of a family; repeatable.", metavar="RECIPE"),
    ] = None,
    data: opt.Sources = None,
    photographs: opt.Photographs = None,
    steps: Annotated[int | None, typer.Option("--steps", help="Optimiser steps.", min=1)] = None,
    batch_size: Annotated[int | None, typer.Option("--batch-size", help="Samples in a step.", min=1)] = None,
    learning_rate: Annotated[
        float | None, typer.Option("--learning-rate", help="Learning rate at the start.", min=0.0)
    ] = None,
    seed: opt.OptionalSeed = None,
    precision: Annotated[
        Literal["32-true", "bf16-mixed", "16-mixed"] | None,
        typer.Option("--precision", help="Precision, as Lightning names it."),
    ] = None,
    accelerator: Annotated[
        Literal["auto", "cpu", "gpu"] | None, typer.Option("--accelerator", help="Device to train on.")
    ] = None,
    devices: Annotated[int | None, typer.Option("--devices", help="Number of devices; all by default.", min=1)] = None,
    output: Annotated[
        Path | None, opt.output("checkpoint, card and training state (by default: among your models)", "FOLDER")
    ] = None,
    resume: opt.Resume = True,
    as_json: opt.AsJson = False,
) -> None:
    """Train a network, or continue a training.

    The same command continues an interrupted training from its state in the output folder. With --seed 1 the model is
    NAME-seed-1, beside that of seed 0.

    Example: routescope train ni-digits --output runs/mine
    """
    from routescope import assets
    from routescope.data import parse_sources
    from routescope.training.recipes.networks import RECIPES
    from routescope.zoo.catalogue import with_seed

    asked = {
        "batch_size": batch_size,
        "learning_rate": learning_rate,
        "seed": seed,
        "precision": precision,
        "accelerator": accelerator,
        "devices": devices,
    }
    changes: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
    logging.getLogger("lightning.pytorch").setLevel(logging.WARNING)
    sources = parse_sources(data or [])
    if photographs is not None:
        sources["photographs"] = photographs
    recipes = _recipes(recipe, only or (), sources)
    family = len(recipes) > 1
    cards = []
    for name in only or recipes:
        model_id = with_seed(name, changes.get("seed", 0))
        checkpoints = assets.data_dir() / "checkpoints"
        folder = (output / model_id if family else output) if output else checkpoints / model_id
        if family and resume and _written(folder) is not None:
            err.print(f"{name} is already trained: {escape(str(folder))}", style="dim")
        else:
            settings = replace(RECIPES[name].settings, **changes)
            _train(name, sources, settings if steps is None else settings.for_steps(steps), folder, resume)
        cards.append({"folder": str(folder), **json.loads((folder / "card.json").read_text())})
    if as_json:
        print_json(cards if family else cards[0])
        return
    for card in cards:
        if family:
            out.print(f"[bold]{card['name']}[/]")
        _print(card)


def _recipes(name: str, only: Sequence[str], sources: dict[str, str]) -> tuple[str, ...]:
    """Return the recipes of a name; end the program if ``only`` names another recipe."""
    from routescope.training.recipes.networks import named

    try:
        recipes = named(name, sources)
    except ValueError as error:
        fail(f"{error}.")
    if other := [name for name in only if name not in recipes]:
        fail(f"{', '.join(other)}: not of {name}, which has {', '.join(recipes)}.")
    return recipes


def _print(card: dict[str, Any]) -> None:
    """Print the accuracies of a network and its folder."""
    for entry in card["accuracies"]:
        words = entry["data"] + (" (stand-in)" if entry["stand_in"] else "")
        held_out = ", held out" if entry.get("held_out") else ""
        out.print(f"{words}{held_out}: {card_figure(entry)}")
    out.print(f"Wrote {card['folder']}", style="dim")


def _train(name: str, sources: dict[str, str], settings: Any, folder: Path, resume: bool) -> None:
    """Train one recipe; end the program if the training stops before its last step."""
    from routescope.assets import require

    require("lightning")
    from routescope.training import fit as training

    before = _written(folder)
    # Standard output is for the result; Lightning prints progress, and raises SystemExit after Ctrl-C.
    with redirect_stdout(sys.stderr), suppress(SystemExit, KeyboardInterrupt):
        training.train(name, sources, settings=settings, folder=folder, resume=resume)
    if _written(folder) in (None, before):
        kept = (folder / "training" / "last.ckpt").is_file()
        fail(
            "stopped before the last step; "
            + (
                f"the same command continues from the training state in {folder}."
                if kept
                else "there is no training state yet, so the same command starts again."
            )
        )


def _written(folder: Path) -> int | None:
    """When the folder's checkpoint was written, or None."""
    checkpoint = folder / "model.safetensors"
    return checkpoint.stat().st_mtime_ns if checkpoint.is_file() else None
