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

if TYPE_CHECKING:
    from app.settings import Settings

#: MKL's variable that makes it free its buffers after each operation.
MKL_FREES = "MKL_DISABLE_FAST_MM"


def serve(
    host: Annotated[
        str | None,
        typer.Option(
            "--host", help="Address to listen on [127.0.0.1]; any other than this machine's own needs a token."
        ),
    ] = None,
    port: Annotated[int | None, typer.Option("--port", help="Port to listen on [8000]; 0 picks a free one.")] = None,
) -> None:
    """Start the API and the page in one process, and print the address when they answer."""
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


def _fail(message: str) -> typer.Exit:
    Console(stderr=True).print(f"[bold red]Error:[/] {message}", highlight=False, soft_wrap=True)
    return typer.Exit(2)


def _settings() -> "Settings":
    from pydantic import ValidationError

    from app.settings import Settings

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
    """What is imported meanwhile does without a library that it would load where there is one.

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
            from app.main import in_use, server_options

            if (why := in_use(settings)) is not None:
                raise _fail(why)
            config = uvicorn.Config("app.main:server", log_level="warning", **server_options(settings))
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
