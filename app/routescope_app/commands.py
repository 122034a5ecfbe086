"""Commands that the service adds to the command line (entry points of the group ``routescope.commands``)."""

import contextlib
import gc
import os
import signal
import socket
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape

from routescope.cli.options import Host, Port

if TYPE_CHECKING:
    from routescope_app.services.users import AccessTokens
    from routescope_app.settings import Settings

#: MKL's variable that makes it free its buffers after each operation.
MKL_FREES = "MKL_DISABLE_FAST_MM"


def serve(
    host: Host = None,
    port: Port = None,
) -> None:
    """Start the service and the page.

    The address is printed when the page answers. Ctrl-C stops the service.

    Example: routescope serve --port 8080
    """
    _require_app()
    # MKL multiplies PyTorch's matrices, and keeps the buffers of every thread that it ever ran in, some 60 MB in all,
    # unless this is set, to whatever value, before torch is imported. Networks take as long, and give the same.
    os.environ.setdefault(MKL_FREES, "1")
    # The settings are read again where the application is made: what was typed must reach that place too.
    for name, value in (("ROUTESCOPE_HOST", host), ("ROUTESCOPE_PORT", port)):
        if value is not None:
            os.environ[name] = str(value)
    settings = _settings()
    os.umask(0o077)  # what this process writes, its user alone reads
    with _listen(settings.host, settings.port) as listening:
        os.environ["ROUTESCOPE_PORT"] = str(listening.getsockname()[1])
        _run(listening, settings)


token = typer.Typer(
    name="token", help="Add, list and revoke tokens of users.", no_args_is_help=True, add_completion=False
)


@token.command("add")
def add_token(name: Annotated[str, typer.Argument(help="Name of the user, who owns samples and jobs.")]) -> None:
    """Make the token of a user, and print it once; only its hash is kept.

    Example: routescope token add anna
    """
    with _tokens() as tokens:
        typer.echo(tokens.add(name))


@token.command("list")
def list_tokens() -> None:
    """List users with a token, and the dates of their tokens.

    Example: routescope token list
    """
    with _tokens() as tokens:
        for name, created in tokens.names():
            typer.echo(f"{created:%Y-%m-%d}  {name}")


@token.command("revoke")
def revoke_token(name: Annotated[str, typer.Argument(help="Name of the user.")]) -> None:
    """Revoke a token, within seconds also in a running server; samples and jobs of the user stay.

    Example: routescope token revoke anna
    """
    with _tokens() as tokens:
        tokens.revoke(name)
        typer.echo(f"The token of {name} is revoked.")


@contextlib.contextmanager
def _tokens() -> "Iterator[AccessTokens]":
    """The tokens of the database that the settings name; what is refused ends the command."""
    _require_app()
    from routescope_app.services.errors import Refusal
    from routescope_app.services.store import Store
    from routescope_app.services.users import AccessTokens

    settings = _settings()
    os.umask(0o077)
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    store = Store(settings.database)
    try:
        store.migrate()
        yield AccessTokens(store)
    except Refusal as refusal:
        raise _fail(refusal.detail) from None
    finally:
        store.close()
    if settings.token is None:
        Console(stderr=True).print(
            "Tokens of users count once ROUTESCOPE_TOKEN is set: without it the service asks for none, and answers its "
            "own machine alone.",
            highlight=False,
        )


def _fail(message: str) -> typer.Exit:
    Console(stderr=True).print(f"[bold red]Error:[/] {escape(message)}", highlight=False, soft_wrap=True)
    return typer.Exit(2)


def _require_app() -> None:
    """End the command with one line where the libraries of the service are not installed."""
    from routescope.assets import EXTRAS, MissingLibrary, require

    try:
        require(*EXTRAS["app"])
    except MissingLibrary as error:
        raise _fail(str(error)) from None


def _settings() -> "Settings":
    from pydantic import ValidationError

    from routescope_app.settings import Settings

    try:
        return Settings()
    except ValidationError as error:
        problems = []
        for each in error.errors(include_url=False):
            where = f"ROUTESCOPE_{'_'.join(map(str, each['loc'])).upper()}: " if each["loc"] else ""
            problems.append(where + each["msg"].removeprefix("Value error, "))
        raise _fail("; ".join(problems)) from None
    except ValueError as error:
        raise _fail(str(error)) from None


def _listen(host: str, port: int) -> socket.socket:
    """A bound socket, so that a port in use is known before anything is loaded."""
    try:
        return socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=2048
        )
    except OSError as error:
        raise _fail(
            f"cannot listen on {host}:{port}: {error.strerror}. Choose another with --port, or --port 0 for a free one."
        ) from None


@contextlib.contextmanager
def _taken_for_missing(library: str) -> Iterator[None]:
    """Hide an optional library from the imports in this block.

    Pandas loads pyarrow, some 45 MB, for columns of strings, which a service has few of, and works alike without it.
    What asks for pyarrow by its name, as logs in parquet do, finds it afterwards.
    """
    if library in sys.modules:
        yield
        return
    sys.modules[library] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[library]


def _run(listening: socket.socket, settings: "Settings") -> None:
    screen = Console(stderr=True)
    with screen.status("Starting Routescope"):
        import uvicorn

        class Announcing(uvicorn.Server):
            """Says where the page is once it can be opened."""

            async def startup(self, sockets: list[socket.socket] | None = None) -> None:
                await super().startup(sockets=sockets)
                if self.started:
                    host, port = listening.getsockname()[:2]
                    shown = f"[{host}]" if ":" in host else host
                    what = "A worker of Routescope" if settings.role == "worker" else "Routescope"
                    screen.print(
                        f"\n{what} is ready at [bold link]http://{shown}:{port}[/]\nPress Ctrl+C to stop it.\n",
                        highlight=False,
                    )

        with _taken_for_missing("pyarrow"):
            from routescope_app.main import in_use, server_options

            if (why := in_use(settings)) is not None:
                raise _fail(why)
            config = uvicorn.Config("routescope_app.main:server", log_level="warning", **server_options(settings))
            config.load()
        server = Announcing(config)
        gc.collect()
        gc.freeze()  # what was loaded stays: no later collection looks at it again, which takes a fifth of a second
    # uvicorn passes signals on once everything is closed: asked to stop, it ends well.
    signal.signal(signal.SIGTERM, lambda *_: setattr(server, "should_exit", True))
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listening])
    if not server.started:
        raise typer.Exit(1)
