"""A port of its own for the figures of a process that nobody else reaches, such as a worker in its container."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator

import uvicorn
from fastapi import FastAPI

from routescope_app.api import connections
from routescope_app.settings import Settings

#: Where the port listens: Prometheus comes from another container.
HOST = "0.0.0.0"


class _Quiet(uvicorn.Server):
    """A server beside another one, which alone hears the signals of the process."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextlib.asynccontextmanager
async def listening(app: FastAPI, settings: Settings, port: int) -> AsyncIterator[int]:
    """Serve ``app``, which has nothing but the figures, on a port; gives the port, a free one where it is 0.

    Raises:
        OSError: the port is in use.
    """
    with socket.create_server((HOST, port)) as listener:
        config = uvicorn.Config(app, log_level="warning", lifespan="off", **connections.server_options(settings))
        server = _Quiet(config)
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started and not serving.done():
            await asyncio.sleep(0.01)
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            await serving
