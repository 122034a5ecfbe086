"""``routescope evaluate``: the accuracy of a model, whole or with units dropped or muted."""

from typing import Annotated

import typer

from core.cli.console import (
    AsJson,
    Data,
    Drop,
    Iterations,
    Mute,
    Split,
    explained,
    fail,
    out,
    print_json,
    progress_bar,
    read_data,
    read_intervention,
    told,
    with_interval,
)

LEVEL = 0.95


def add_to(cli: typer.Typer) -> None:
    cli.command("evaluate")(evaluate)


def evaluate(
    model: Annotated[str, typer.Argument(help="A model's id, as `routescope models` lists them.", metavar="MODEL")],
    data: Data = "mnist",
    drop: Drop = None,
    mute: Mute = None,
    iterations: Iterations = None,
    split: Split = "validation",
    limit: Annotated[int | None, typer.Option("--limit", help="Score only the first this many samples.", min=1)] = None,
    as_json: AsJson = False,
) -> None:
    """Score a model on a data set: accuracy, its 95 % Wilson interval, count, seconds."""
    from core import zoo
    from core.routing import metrics

    with explained():
        info = zoo.info(model)
        network = zoo.load(model)
        intervention = read_intervention(drop, mute, iterations)
        intervention.validate(network)
        dataset = read_data(data, split, limit)
        if dataset.domain not in info.domains:
            fail(f"{model} has no head for {dataset.domain}; it has {', '.join(info.domains)}.")
        with progress_bar(f"Scoring {model} on {dataset.name}") as progress:
            found = metrics.evaluate(network, dataset, intervention, progress=progress)
    low, high = found.interval
    if as_json:
        print_json(
            {
                "model": info.id,
                "revision": info.revision,
                "data": dataset.name,
                "split": dataset.split,
                "stand_in": dataset.stand_in,
                "intervention": intervention.to_dict(),
                "accuracy": found.accuracy,
                "interval": [low, high],
                "level": LEVEL,
                "loss": found.loss,
                "count": found.count,
                "seconds": found.seconds,
            }
        )
        return
    what = f"{dataset.name} {dataset.split}" + (", a stand-in" if dataset.stand_in else "")
    out.print(f"{info.id} on {what}: [bold]{with_interval(found.accuracy, low, high)}[/]", highlight=False)
    out.print(
        f"{found.count:,} samples in {found.seconds:.2f} s; {told(intervention)}; the interval is Wilson's at 95 %.",
        style="dim",
        highlight=False,
    )
