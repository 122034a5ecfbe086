"""``routescope results``: the papers' numbers beside ours, with a verdict for every experiment."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.padding import Padding

from routescope.cli import options as opt
from routescope.cli.console import err, escape, existing, fail, out, print_json

if TYPE_CHECKING:
    from routescope.experiments.results import Result

#: Verdict -> its style on a terminal.
STYLES = {"reproduced": "green", "in part": "yellow", "contradicted": "red", "not tested": "dim"}


def results(
    experiment: Annotated[
        str | None, typer.Argument(help="Id of an experiment: every claim of it.", metavar="[ID]")
    ] = None,
    records: opt.Records = None,
    markdown: opt.Markdown = False,
    as_json: opt.AsJson = False,
) -> None:
    """Compare the papers' numbers with ours, experiment by experiment.

    A rule computes every verdict: reproduced, in part, contradicted or not tested. The last lines state the rule.

    Example: routescope results --records runs/results
    """
    from routescope.assets import require
    from routescope.experiments import results as table

    require("scipy")
    if markdown and as_json:
        fail("choose --markdown or --json, not both.")
    folders = [existing(folder, "a folder of records") for folder in records or ()]
    rows, unreadable = table.results(folders)
    if experiment is not None:
        rows = [row for row in rows if row.id == experiment]
        if not rows:
            ids = ", ".join(row.id for row in table.results()[0])
            fail(f"unknown experiment {experiment[:40]!r}; there are {ids}.")
    for entry in unreadable:
        err.print(f"Left out: {escape(entry.why)}.", style="dim", soft_wrap=True)
    if as_json:
        print_json(table.as_json(rows, unreadable))
    elif markdown:
        typer.echo(table.as_markdown(rows))
    else:
        for row in rows:
            _print(row, experiment is not None)
        for sentence in table.RULE:
            out.print(Padding(sentence, (0, 0, 0, 2)), style="dim")


def _print(row: "Result", detailed: bool) -> None:
    """Print an experiment: its verdict, the claim that stands for it, and on request every claim and record."""
    from routescope.experiments.results import headline, in_words

    out.print(f"[bold]{row.id}[/]  [{STYLES[row.verdict]}]{row.verdict}[/]  {row.title}")
    for judged in row.claims if detailed else (headline(row),):
        printed, ours = in_words(judged)
        line = f"{judged.claim.source}, {judged.claim.what}: print {printed}, ours {ours}"
        out.print(Padding(escape(line), (0, 0, 0, 2)))
        if detailed:
            out.print(Padding(f"{judged.outcome}: {judged.why}", (0, 0, 0, 4)), style="dim")
    facts = [row.why]
    if row.data is not None:
        size = "printed sizes" if row.printed_sizes else "differs from print"
        facts.append(f"Data: {row.data}; {size}; repeats: {row.trainings}; {row.hours:.1f} hours.")
    if detailed:
        facts += [
            f"{item.what}: {item.here}; printed {item.printed}." for run in row.runs[:1] for item in run.differences
        ]
        facts += [f"{run.file}, {run.date[:10]}: {run.command}" for run in row.runs]
    out.print(Padding(escape("\n".join(facts)), (0, 0, 0, 2)), style="dim")
