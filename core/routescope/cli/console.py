"""Shared parts of commands: consoles, errors as one line, progress bars, and facts about texts."""

import json
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from typer.core import TyperGroup
from typer.exceptions import TyperException

from routescope.nn.shown import with_interval

if TYPE_CHECKING:
    from routescope.data.samples import Samples
    from routescope.nn.network import Network

#: True after ``--debug``: tracebacks are printed.
DEBUG: ContextVar[bool] = ContextVar("routescope_debug", default=False)
#: The error by which a group of commands without any argument shows its help.
NO_ARGUMENTS = "NoArgsIsHelpError"
#: Characters of an error that are printed.
LONGEST_LINE = 800

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

#: Units are listed by name up to so many.
MOST_LISTED = 12


def fail(message: str) -> NoReturn:
    """Print one line on standard error and end with exit code 2: raises typer.Exit."""
    err.print(f"[bold red]Error:[/] {escape(message)}", soft_wrap=True)
    raise typer.Exit(2)


def escape(text: str) -> str:
    """Return the text without markup of rich."""
    from rich.markup import escape as escape_markup

    return escape_markup(text)


def opened(model: str, context: int | None = None, stride: int | None = None, cut: bool = False) -> "Network":
    """Return the model that a command names, with sentences about a folder on standard error."""
    from routescope.api.models import open

    def say(sentence: str) -> None:
        err.print(f"{escape(sentence)}.", style="dim", soft_wrap=True)

    return open(model, context=context, stride=stride, cut=cut, say=say)


def _is_mistake(error: BaseException) -> bool:
    """Return whether the message of an error is written for users."""
    from routescope.assets import MissingLibrary
    from routescope.data import DataError
    from routescope.nn.adapters.exploring import NotAdaptable
    from routescope.nn.encoders.frozen_weights import FrozenWeightsError
    from routescope.routing import InterventionError
    from routescope.routing.caused.importance_plan import NoPlan
    from routescope.routing.caused.pruning import PruningError
    from routescope.zoo.catalogue import UnknownModel
    from routescope.zoo.checkpoint import CheckpointError

    mistakes = (UnknownModel, InterventionError, NoPlan, PruningError, DataError, CheckpointError)
    libraries = (FrozenWeightsError, MissingLibrary, NotAdaptable, OSError)
    return isinstance(error, (*mistakes, *libraries))


def one_line(error: BaseException) -> str:
    """Return an error as one line of at most ``LONGEST_LINE`` characters."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename}: {error.strerror}"[:LONGEST_LINE]
    message = error.format_message() if isinstance(error, TyperException) else error
    if isinstance(error, KeyError) and error.args:  # the text of a KeyError is a repr
        message = error.args[0]
    words = " ".join(str(message).split())
    return words[:LONGEST_LINE] or type(error).__name__


class Guarded(TyperGroup):
    """The root command: no error of any command leaves it as a traceback.

    An error becomes one line on standard error, and exit code 2; ``--debug``, at any place of the command line, prints
    the traceback before it. Ctrl-C ends with exit code 130.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take ``--debug`` out of the arguments of all commands."""
        before = args[: args.index("--")] if "--" in args else args
        DEBUG.set("--debug" in before)
        with guarded():
            return super().parse_args(ctx, [part for part in before if part != "--debug"] + args[len(before) :])

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was named; raises typer.Exit for every error."""
        with guarded():
            return super().invoke(ctx)


@contextmanager
def guarded() -> Iterator[None]:
    """Report any error as one line: raises typer.Exit with code 2, and with code 130 for Ctrl-C."""
    try:
        yield
    except KeyboardInterrupt:
        err.print("Stopped by Ctrl-C.")
        raise typer.Exit(130) from None
    except (typer.Exit, typer.Abort, BrokenPipeError):  # typer ends the program itself
        raise
    except TyperException as error:  # a wrong option or argument
        if type(error).__name__ == NO_ARGUMENTS:
            raise
        fail(f"{one_line(error).rstrip('.')}. Add --help for the options.")
    except Exception as error:
        if DEBUG.get():
            err.print(escape(traceback.format_exc()), soft_wrap=True)
        if DEBUG.get() or _is_mistake(error):
            fail(one_line(error))
        fail(f"{type(error).__name__}: {one_line(error)} (add --debug to see where)")


def print_json(value: Any) -> None:
    """Print one JSON document on standard output; end the program for NaN and infinity."""
    try:
        text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    except ValueError:
        fail("a figure is NaN or infinite, which JSON cannot hold; `routescope check MODEL` says where it begins.")
    typer.echo(text)


def reading_facts(network: "Network", datasets: "Sequence[Samples]") -> dict[str, Any]:
    """Return the context, the stride, the changes of the tokenizer and the cuts of texts; empty for other samples."""
    from routescope.nn.mixture.routed import RoutedNetwork

    if not isinstance(network, RoutedNetwork):
        return {}
    reading = network.reading
    stride = None if reading.cut else reading.step
    facts: dict[str, Any] = {"context": reading.context, "stride": stride, "cut": reading.cut}
    if (changes := network.attributes().get("tokenizer")) is not None:
        facts["tokenizer"] = changes
    if not reading.cut:
        return facts
    cuts = [network.left_out(network.as_inputs(samples.inputs(slice(None)))) for samples in datasets]
    return facts | {
        "texts_cut": sum(int((cut.tokens > 0).sum()) for cut in cuts),
        "tokens_left_out": sum(int(cut.tokens.sum()) for cut in cuts),
        "bytes_left_out": sum(int(cut.bytes.sum()) for cut in cuts),
    }


def print_reading(facts: Mapping[str, Any]) -> None:
    """Print the changes of the tokenizer and the cuts of texts."""
    if "tokenizer" in facts:
        out.print(f"Tokens do not spell all bytes: {escape(facts['tokenizer'])}.", soft_wrap=True)
    if facts.get("texts_cut"):
        texts, tokens, content = (facts[name] for name in ("texts_cut", "tokens_left_out", "bytes_left_out"))
        words = f"{texts:,} texts were cut: {tokens:,} tokens ({content:,} bytes) are left out."
        out.print(words, soft_wrap=True)


def card_figure(entry: Mapping[str, Any]) -> str:
    """Return a figure of a model's card with its interval: a share in percent, another measure with its name."""
    value, low, high = entry["accuracy"], entry["low"], entry["high"]
    if "measure" not in entry:
        return with_interval(value, low, high)
    return f"{value:.3f} ({low:.3f} to {high:.3f}) {entry['measure']}"


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[..., None]]:
    """Show a bar on standard error; yields a function of (done, total) or (done, total, words)."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total, words="": bar.update(task, completed=done, total=total, description=words or title)


def existing(path: Path, kind: str) -> Path:
    """Return the path if it exists; else end the program and ask for ``kind``."""
    if not path.exists():
        fail(f"{path} does not exist; give {kind} that does.")
    return path
