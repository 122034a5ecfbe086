"""``routescope trace``: record the routing of one sample into a file."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from core.cli.console import (
    AsJson,
    Data,
    Drop,
    Iterations,
    KeepEdges,
    Mute,
    Split,
    existing,
    explained,
    fail,
    names,
    out,
    percent,
    print_json,
    read_data,
    read_intervention,
)

#: How many of the units that are read most are told.
MOST_READ = 5


def add_to(cli: typer.Typer) -> None:
    cli.command("trace")(trace)


def trace(
    model: Annotated[str, typer.Argument(help="A model's id, as `routescope models` lists them.", metavar="MODEL")],
    data: Data = "mnist",
    index: Annotated[int, typer.Option("--index", help="Which sample of the data set.", min=0)] = 0,
    image: Annotated[
        Path | None, typer.Option("--image", help="A picture to trace instead of a sample.", metavar="FILE")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where to write the trace (NetCDF).", metavar="FILE.nc")
    ] = None,
    fields: Annotated[
        str | None,
        typer.Option(
            "--fields",
            help="What to record, as `routescope models` lists it for each model; how it routes by default.",
            metavar="NAMES",
        ),
    ] = None,
    drop: Drop = None,
    mute: Mute = None,
    iterations: Iterations = None,
    keep_edges: KeepEdges = None,
    split: Split = "validation",
    as_json: AsJson = False,
) -> None:
    """Record how one sample is routed, step by step; print the predictions, write the trace."""
    import torch

    from core import zoo
    from core.routing import record
    from core.routing.probe import default_fields

    if output is not None and not output.resolve().parent.is_dir():
        fail(f"the folder of {output} does not exist; give a file in one that does.")
    with explained():
        info = zoo.info(model)
        network = zoo.load(model)
        intervention = read_intervention(drop, mute, iterations, keep_edges=keep_edges)
        intervention.validate(network)
        recorded = default_fields(network) if fields is None else names(fields)
        unknown = sorted(set(recorded) - set(info.fields))
        if unknown:
            fail(f"{model} has no field {', '.join(unknown)}; it has {', '.join(info.fields)}.")
        sample, pixels, label = _from_file(image) if image is not None else _from_data(data, split, index)
        images = torch.as_tensor(pixels)[None].float() / 255
        found = record(network, images, only=recorded, intervention=intervention, sample_ids=[sample])
        if output is not None:
            found.save(output)
    dominant, most_read = dominant_units(found), most_read_units(found)
    predictions = {
        domain: [round(float(each), 6) for each in probabilities]
        for domain, probabilities in found.predictions()[0].items()
    }
    if as_json:
        print_json(
            {
                "model": info.id,
                "revision": info.revision,
                "sample": sample,
                "label": label,
                "intervention": intervention.to_dict(),
                "predictions": [
                    {"domain": domain, "label": _best(values), "probability": max(values), "probabilities": values}
                    for domain, values in predictions.items()
                ],
                "dominant": dominant,
                "most_read": most_read,
                "fields": {name: list(found.dataset[name].shape) for name in recorded if name in found.dataset},
                "output": str(output) if output is not None else None,
            }
        )
        return
    heads = Table("head", "prediction", "probability", box=None, header_style="bold")
    for domain, values in predictions.items():
        heads.add_row(domain, str(_best(values)), percent(max(values)))
    out.print(f"[bold]{sample}[/]" + (f", labelled {label}" if label is not None else ""), highlight=False)
    out.print(heads)
    if dominant:
        steps = Table("step", "tokens by their dominant unit", box=None, header_style="bold")
        for step, counts in dominant.items():
            steps.add_row(step, "  ".join(f"{unit} {count}" for unit, count in counts.items()))
        out.print(steps)
    if most_read:
        layers = Table("step", "units by the share of attention that is on them", box=None, header_style="bold")
        for step, shares in most_read.items():
            layers.add_row(step, "  ".join(f"{unit} {percent(share)}" for unit, share in shares.items()))
        out.print(layers)
    if output is not None:
        out.print(f"Wrote {output}", style="dim", highlight=False)


def dominant_units(found: Any) -> dict[str, dict[str, int]]:
    """For each step, how many tokens have each unit as the one of highest compatibility; units with none left out.

    A token that no unit takes (all compatibilities 0) counts under ``none``.
    """
    if "compatibility" not in found.dataset:
        return {}
    compatibility = found.dataset["compatibility"].isel(sample=0)
    result: dict[str, dict[str, int]] = {}
    for step in compatibility.coords["step"].values:
        at_step = compatibility.sel(step=step)
        best = at_step.argmax("unit").values
        unit_names = [str(name) for name in at_step.coords["unit"].values]
        taken = at_step.max("unit").values > 0
        counts = {name: int((taken & (best == i)).sum()) for i, name in enumerate(unit_names)}
        counts["none"] = int((~taken).sum())
        result[str(step)] = {name: count for name, count in counts.items() if count}
    return result


def most_read_units(found: Any) -> dict[str, dict[str, float]]:
    """For each step, the units that the others read most: their share of all attention, the largest first."""
    if "messages" not in found.dataset:
        return {}
    messages = found.dataset["messages"].isel(sample=0)
    total = messages.sum(["unit", "sender"])
    shares = (messages.sum("unit") / total.where(total > 0, 1)).transpose("layer", "sender")
    result: dict[str, dict[str, float]] = {}
    for layer, share in zip(shares["layer"].values, shares.values, strict=True):
        order = (-share).argsort(kind="stable")[:MOST_READ]
        result[str(layer)] = {str(shares["sender"].values[u]): round(float(share[u]), 6) for u in order if share[u] > 0}
    return result


def _best(probabilities: list[float]) -> int:
    return max(range(len(probabilities)), key=probabilities.__getitem__)


def _from_data(data: str, split: str, index: int) -> tuple[str, Any, int | None]:
    dataset = read_data(data, split)
    if index >= len(dataset):
        fail(f"{dataset.name} {split} has no sample {index}; it has 0 to {len(dataset) - 1}.")
    pixels, label = dataset[index]
    return f"{dataset.name}.{split}.{index}", pixels, int(label)


def _from_file(path: Path) -> tuple[str, Any, None]:
    from PIL import Image, UnidentifiedImageError

    from core.data.digits import from_picture

    try:
        with Image.open(existing(path, "a picture"), formats=("PNG", "JPEG", "WEBP", "BMP", "GIF")) as picture:
            return path.name, from_picture(picture), None
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError):
        fail(f"{path} is no picture that can be read; give a PNG, JPEG, WebP, BMP or GIF file.")
