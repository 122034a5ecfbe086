"""A separate port for the metrics of a process that has no other one, such as a worker in its container."""

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
    """A second server, which leaves the signals of the process to the first one."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextlib.asynccontextmanager
async def listening(app: FastAPI, settings: Settings, port: int) -> AsyncIterator[int]:
    """Serve the metrics of ``app`` on a port, a free one for 0, and return it; raises OSError if it is in use."""
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
