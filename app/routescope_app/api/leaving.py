"""Routes that stop computing when the client disconnects."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from fastapi.sse import EventSourceResponse

#: What is answered to nobody; the status that servers log for a client that closed its request.
NOBODY = 499


class EndsWithItsClient(APIRoute):
    """A route whose work is cancelled when its client closes the connection before there is an answer.

    Work that is shared with other requests continues. Work in a thread ends after its current piece. Streamed answers
    are not affected.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The route's own handler, cancelled when the client disconnects."""
        handle = super().get_route_handler()
        if isinstance(self.response_class, type) and issubclass(self.response_class, EventSourceResponse):
            return handle  # what it opens in its task is closed in that of the request, once the stream has ended

        async def watched(request: Request) -> Response:
            await request.body()  # kept by the request; what comes after it can only be the end of the connection
            answering = asyncio.ensure_future(handle(request))
            leaving = asyncio.ensure_future(_left(request))
            try:
                await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
                if answering.done():
                    return answering.result()
                answering.cancel()
                await asyncio.gather(answering, return_exceptions=True)
                return Response(status_code=NOBODY)
            finally:
                answering.cancel()
                leaving.cancel()

        return watched


async def _left(request: Request) -> None:
    """Return when the client has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
