"""``routescope check``: one line for each property that a network must have before its figures are trusted."""

from typing import TYPE_CHECKING

import typer

from routescope.cli import options as opt
from routescope.cli.console import (
    escape,
    explained,
    fail,
    in_context,
    known,
    names,
    out,
    print_json,
    progress_bar,
    read_data,
)

if TYPE_CHECKING:
    from routescope.nn.inputs.kind import Inputs
    from routescope.routing.check.finding import Report

#: How a verdict is written, all of one width.
MARKS = {
    "held": "[green]held[/]          ",
    "failed": "[bold red]failed[/]        ",
    "not applicable": "not applicable",
}


def check(
    model: opt.Model,
    data: opt.AllData = None,
    split: opt.Split = "validation",
    samples: opt.Samples = 16,
    context: opt.Context = None,
    as_json: opt.AsJson = False,
) -> None:
    """Check a model before its figures are trusted.

    Prints one line for each property that must hold, with its limit. The exit code is 0 if no property failed, 1 if
    a property failed, and 2 if the check could not run.

    Example: routescope check moe-bytes --samples 4
    """
    from routescope import zoo
    from routescope.routing.check.checking import check as look

    with explained():
        model = known(model)
        info, network = zoo.info(model), in_context(zoo.load(model), context)
        batches, sets = list["Inputs"](), list[str]()
        for domain in names(data) or info.domains:
            dataset = read_data(domain, split, samples, network.config)
            if dataset.domain not in info.domains:
                fail(f"{model} has no head for {dataset.domain}; it has {', '.join(info.domains)}.")
            batches.append(network.as_inputs(dataset.inputs(slice(0, samples))))
            sets.append(dataset.name)
        with progress_bar(f"Checking {model}") as progress:
            found = look(network, batches, progress)
    if as_json:
        print_json({"model": info.id, "revision": info.revision, "data": sets, "split": split, **found.to_dict()})
    else:
        _print(found)
        out.print(
            f"{info.id}, revision {info.revision}, on {found.samples:,} samples of {', '.join(sets)} ({split}).",
            style="dim",
            highlight=False,
            soft_wrap=True,
        )
    _leave(found)


def _leave(report: "Report") -> None:
    """End the program with exit code 1 where something failed."""
    if not report.held:
        raise typer.Exit(1)


def _print(report: "Report") -> None:
    for finding in report.findings:
        words = escape(f"{finding.sentence}: {finding.words}")
        out.print(f"{MARKS[finding.verdict]}  {words}", highlight=False, soft_wrap=True)
