"""The command line: ``routescope models``, ``trace``, ``evaluate``, ``importance``, ``train`` and so on.

Results go to standard output (``--json`` for programs), progress and errors to standard error. An error is one line,
with exit code 2, and ``--debug`` prints its traceback.

A command is imported when it runs. ``--help`` imports no command of this package: it prints ``COMMANDS``. Other
packages add commands through entry points of the group ``routescope.commands``, as ``routescope_app`` adds ``serve``.
"""

import os
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.main import get_command

from routescope.cli.console import Guarded

COMMANDS_GROUP = "routescope.commands"


class Command(NamedTuple):
    """The place of a command's function below ``routescope.cli``, and the first sentence of its docstring."""

    module: str
    function: str
    summary: str


COMMANDS = {
    "models": Command("listing", "models", "List models with their sizes, data and accuracies."),
    "data": Command("listing", "data", "List data sets with their splits, licences and stand-ins."),
    "open": Command("opening", "open_model", "Start the page with a model of your own."),
    "trace": Command("trace", "trace", "Record how one sample is routed."),
    "evaluate": Command("evaluate", "evaluate", "Score a model on a data set, with a 95 % interval."),
    "importance": Command("importance", "importance", "Measure the effect of each unit on the score."),
    "check": Command("check", "check", "Check a model before its figures are trusted."),
    "compare": Command("compare", "compare_routings", "Compare the experts of tokens in two models or logs."),
    "prune": Command("prune", "prune", "Drop experts of a mixture, and measure the cost."),
    "import": Command("logs", "import_log", "Read a routing log of another program."),
    "train": Command("train", "train", "Train a network, or continue a training."),
    "reproduce": Command("reproduce", "reproduce", "Run an experiment of a paper."),
    "figure": Command("figure", "figure", "Draw a figure of a paper from recorded runs."),
    "results": Command("results", "results", "Compare the papers' numbers with ours, experiment by experiment."),
}


class Program(Guarded):
    """The root command, which imports a command when it runs."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands, those of other packages last."""
        return [*COMMANDS, *_added()]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command for lists of commands: of this package its summary, without its options."""
        if cmd_name not in COMMANDS:
            return load(cmd_name)
        return typer.core.TyperCommand(cmd_name, help=COMMANDS[cmd_name].summary)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that runs, with its options; raises TyperException for an unknown name."""
        name, _, rest = super().resolve_command(ctx, args)
        return name, None if name is None else load(name), rest


def load(name: str) -> Any:
    """Import a command; None for an unknown name."""
    if name in COMMANDS:
        module, function, _ = COMMANDS[name]
        loaded = getattr(import_module(f"{__name__}.{module}"), function)
    elif (added := _added().get(name)) is not None:
        loaded = added.load()
    else:
        return None
    if isinstance(loaded, typer.Typer):
        return get_command(loaded)
    cli = typer.Typer(add_completion=False)
    paragraphs = (loaded.__doc__ or "").split("\n\n")
    cli.command(name, help="\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs))(loaded)
    return get_command(cli)


def _added() -> dict[str, Any]:
    """Return the entry points of commands of other packages, by name."""
    from importlib.metadata import entry_points

    return {entry_point.name: entry_point for entry_point in entry_points(group=COMMANDS_GROUP)}


def _version(wanted: bool) -> None:
    if wanted:
        from routescope import __version__

        typer.echo(f"routescope {__version__}")
        raise typer.Exit


def build() -> typer.Typer:
    """Return the whole command line."""
    cli = typer.Typer(
        name="routescope",
        cls=Program,
        help="Shows and steers the routing inside modular neural networks.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @cli.callback()
    def _root(
        version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
        debug: bool = typer.Option(False, "--debug", help="Print the traceback of an error, too."),
    ) -> None:
        pass

    return cli


def main() -> None:
    """Run the program with the words of the command line; raises SystemExit with the exit code."""
    # Threads that wait give their core away instead of spinning: up to twenty times faster beside a busy browser, and
    # a few milliseconds slower on an idle machine. It is read when torch is imported.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    build()(prog_name="routescope")
