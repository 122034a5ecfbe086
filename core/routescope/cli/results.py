"""``routescope results``: the papers' numbers beside ours, with a verdict for every experiment."""

from dataclasses import asdict
from pathlib import Path
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
    compare: Annotated[
        tuple[str, str] | None,
        typer.Option("--compare", help="Compare two records of the experiment, by their names.", metavar="A B"),
    ] = None,
    markdown: opt.Markdown = False,
    as_json: opt.AsJson = False,
) -> None:
    """Compare the papers' numbers with ours, experiment by experiment.

    A rule computes every verdict: reproduced, in part, contradicted or not tested. The last lines state the rule.

    Example: routescope results --records runs/results
    """
    from routescope.assets import data_dir, require
    from routescope.experiments import results as table
    from routescope.experiments.shared.schema import OWN_RECORDS

    require("scipy")
    if markdown and as_json:
        fail("choose --markdown or --json, not both.")
    folders = [data_dir() / OWN_RECORDS, *(existing(folder, "a folder of records") for folder in records or ())]
    if compare is not None:
        if experiment is None or markdown:
            fail("--compare needs the id of an experiment, and does not go with --markdown.")
        _compare(experiment, compare, folders, as_json)
        return
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


def _compare(experiment: str, names: tuple[str, str], folders: list[Path], as_json: bool) -> None:
    """Print two records side by side."""
    from routescope.experiments.results import in_words
    from routescope.experiments.results.compare import UnknownRecord, compare_records, difference_in_words
    from routescope.experiments.shared.schema import RecordError

    try:
        compared = compare_records(experiment, *names, folders)
    except (UnknownRecord, RecordError) as error:
        fail(f"{error}.")
    if as_json:
        print_json(asdict(compared))
        return
    out.print(f"A: {escape(compared.a)}\nB: {escape(compared.b)}", soft_wrap=True)
    for entry in compared.claims:
        (_, a), (_, b) = in_words(entry.a), in_words(entry.b)
        difference = difference_in_words(entry) or "none"
        line = f"{entry.claim.source}, {entry.claim.what}: A {a}, B {b}; B minus A: {difference}"
        out.print(Padding(escape(line), (0, 0, 0, 2)))
    out.print("Differs:" if compared.facts else "Nothing else differs.")
    for fact in compared.facts:
        line = f"{fact.what}: A {fact.a or 'none'}, B {fact.b or 'none'}"
        out.print(Padding(escape(line), (0, 0, 0, 2)), style="dim")


def _print(row: "Result", detailed: bool) -> None:
    """Print an experiment: its verdict, the claim that stands for it, and on request every claim and record."""
    from routescope.experiments.results import duration, headline, in_words

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
        facts.append(f"Data: {row.data}; {size}; {row.trainings}; {duration(row.seconds)}.")
    if detailed:
        facts += [
            f"{item.what}: {item.here}; printed {item.printed}." for run in row.runs[:1] for item in run.differences
        ]
        facts += [f"{run.file}, {run.date[:10]}: {run.command}" for run in row.runs]
    out.print(Padding(escape("\n".join(facts)), (0, 0, 0, 2)), style="dim")
