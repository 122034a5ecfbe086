"""The command line: ``routescope models``, ``trace``, ``evaluate``, ``importance``, ``train`` and so on.

Results go to standard output (``--json`` for programs), progress and errors to standard error. An error is one line,
with exit code 2, and ``--debug`` prints its traceback. Commands import what they need when they run, so that ``--help``
is instant.

``serve`` belongs to the service, which ``core`` does not know: it is found through the entry points of the group
``routescope.commands``.
"""

import os
from importlib.metadata import entry_points

import typer

from routescope.cli import check, compare, evaluate, importance, listing, logs, opening, prune, reproduce, trace, train
from routescope.cli.console import Guarded, guarded

COMMANDS_GROUP = "routescope.commands"


def _version(wanted: bool) -> None:
    if wanted:
        from routescope import __version__

        typer.echo(f"routescope {__version__}")
        raise typer.Exit


def build() -> typer.Typer:
    """The whole command line, with the commands that other installed packages add."""
    cli = typer.Typer(
        name="routescope",
        cls=Guarded,
        help="Shows and steers the routing inside modular neural networks.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @cli.callback()
    def _root(
        version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
        debug: bool = typer.Option(False, "--debug", help="Print the traceback of an error, too."),
    ) -> None:
        pass

    for module in (listing, opening, trace, evaluate, importance, check, train, reproduce, logs, compare, prune):
        module.add_to(cli)
    for entry_point in entry_points(group=COMMANDS_GROUP):
        loaded = entry_point.load()
        if isinstance(loaded, typer.Typer):
            cli.add_typer(loaded, name=entry_point.name)
        else:
            cli.command(entry_point.name)(loaded)
    return cli


def main() -> None:
    """Entry point of the console script; raises SystemExit with the exit code."""
    # Threads that wait give their core away instead of spinning: up to twenty times faster beside a busy browser, and
    # a few milliseconds slower on an idle machine. It is read when torch is imported.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        with guarded():  # also where a command of another package cannot be loaded
            cli = build()
    except typer.Exit as end:
        raise SystemExit(end.exit_code) from None
    cli()
