"""``routescope check``: sanity checks of a network, one line each; the exit code is for CI."""

from typing import TYPE_CHECKING

import typer

from routescope.cli import options as opt
from routescope.cli.console import escape, opened, out, print_json, progress_bar

if TYPE_CHECKING:
    from routescope.routing.check.finding import Report

#: Verdict -> its text, all of one width.
MARKS = {
    "held": "[green]held[/]          ",
    "failed": "[bold red]failed[/]        ",
    "not applicable": "not applicable",
}


def check(
    model: opt.Model,
    data: opt.AllData = None,
    split: opt.Split = "validation",
    limit: opt.Limit = 16,
    context: opt.Context = None,
    as_json: opt.AsJson = False,
) -> None:
    """Check a model before its figures are trusted.

    Prints one line for each property that must hold, with its limit. The exit code is 0 if no property failed, 1 if
    a property failed, and 2 if the check could not run.

    Example: routescope check moe-bytes --limit 4
    """
    from routescope import zoo
    from routescope.api.asking import check as run_checks
    from routescope.api.data import datasets_of

    network = opened(model, context)
    info = zoo.info(network.id)
    datasets = datasets_of(network, data, split, limit)
    with progress_bar(f"Checking {info.id}") as progress:
        report = run_checks(network, datasets, split=split, limit=limit, progress=progress)
    sets = [dataset.name for dataset in datasets]
    if as_json:
        print_json({"model": info.id, "revision": info.revision, "data": sets, "split": split, **report.to_dict()})
    else:
        _print(report)
        out.print(
            f"{info.id}, revision {info.revision}, on {report.samples:,} samples of {', '.join(sets)} ({split}).",
            style="dim",
            soft_wrap=True,
        )
    _leave(report)


def _leave(report: "Report") -> None:
    """End the program with exit code 1 if a check failed."""
    if not report.held:
        raise typer.Exit(1)


def _print(report: "Report") -> None:
    for finding in report.findings:
        words = escape(f"{finding.sentence}: {finding.words}")
        out.print(f"{MARKS[finding.verdict]}  {words}", soft_wrap=True)
