"""Options and arguments that commands share: an option with a name, its words and its type is declared here once."""

from pathlib import Path
from typing import Annotated, Any

import typer

Model = Annotated[
    str, typer.Argument(help="Model id (`routescope models` lists them) or folder with a model.", metavar="MODEL")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]

# -- data ----------------------------------------------------------------------------------------------------

#: One data set.
Data = Annotated[
    str | None,
    typer.Option(
        "--data",
        help="Data set: NAME, or NAME=SOURCE for files or a hub name; the model's first domain by default.",
        metavar="NAME[=SOURCE]",
    ),
]


def _data_sets(default: str) -> Any:
    return typer.Option(
        "--data",
        help=f"Data sets with commas between, each NAME or NAME=SOURCE; {default} by default.",
        metavar="NAMES",
    )


FirstData = Annotated[str | None, _data_sets("the model's first domain")]
AllData = Annotated[str | None, _data_sets("all of the model's")]
Sources = Annotated[
    list[str] | None,
    typer.Option("--data", help="Read a data set from files or the hub; repeatable.", metavar="NAME=SOURCE"),
]
Photographs = Annotated[
    str | None,
    typer.Option("--photographs", help="Parquet files of photographs to blend MNIST over.", metavar="SOURCE"),
]
Split = Annotated[str, typer.Option("--split", help="Split of the data sets.")]
_limit = typer.Option("--limit", help="Use at most the first N samples of each data set.", min=1, metavar="N")
Limit = Annotated[int, _limit]
OptionalLimit = Annotated[int | None, _limit]
_seed = typer.Option("--seed", help="Seed of all random draws.", min=0, metavar="N")
Seed = Annotated[int, _seed]
OptionalSeed = Annotated[int | None, _seed]


def draws(least: int) -> Any:
    """Return the option ``--draws`` of a command that needs at least so many random sets."""
    return typer.Option("--draws", help="Random sets of each size to compare with.", min=least, metavar="N")


# -- texts ---------------------------------------------------------------------------------------------------

Context = Annotated[
    int | None,
    typer.Option(
        "--context",
        help="Tokens in one pass; longer texts are scored in windows. The model's own context by default.",
        metavar="TOKENS",
        min=1,
    ),
]
Stride = Annotated[
    int | None,
    typer.Option(
        "--stride",
        help="Tokens between the starts of two windows; half of the context by default.",
        metavar="TOKENS",
        min=1,
    ),
]
Cut = Annotated[
    bool, typer.Option("--cut", help="Cut texts after the context instead of scoring windows; reports what is cut.")
]

# -- results and the service ---------------------------------------------------------------------------------


def output(result: str, metavar: str) -> Any:
    """Return the option ``--output`` of a command that writes a result."""
    return typer.Option("--output", "-o", help=f"Write {result} here.", metavar=metavar)


Listing = Annotated[bool, typer.Option("--list", help="List all ids, and do nothing else.")]
Markdown = Annotated[bool, typer.Option("--markdown", help="Print Markdown for a document.")]
Records = Annotated[
    list[Path] | None,
    typer.Option("--records", help="Read the records in this folder, too; repeatable.", metavar="FOLDER"),
]
Resume = Annotated[bool, typer.Option("--resume/--restart", help="Continue an interrupted run, or start again.")]
Host = Annotated[
    str | None,
    typer.Option("--host", help="Address to listen on [127.0.0.1]; other addresses than this machine's need a token."),
]
Port = Annotated[int | None, typer.Option("--port", help="Port to listen on [8000]; 0 picks a free port.")]
