"""Texts continued token by token; each token is one piece of work, so that other work runs between them."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from typing import Any

from routescope.nn.mixture.routed import RoutedNetwork
from routescope.routing.continuing import NewToken, continued
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.places import Slots
from routescope_app.services.engine.threads import Priority
from routescope_app.services.errors import Busy, NotAccepted
from routescope_app.services.measuring.scope import Measuring
from routescope_app.services.samples.samples import Samples

#: Tokens that a model writes at once when it continues a text.
MAX_TOKENS = 256
#: Texts continued at the same time; a client may have as many as it leaves free for others.
MAX_CONTINUATIONS = 16


class Continuations:
    """Continues samples that are texts."""

    def __init__(self, inference: Inference, samples: Samples, measuring: Measuring) -> None:
        self._inference = inference
        self._samples = samples
        self._measuring = measuring
        self._running = Slots(MAX_CONTINUATIONS)

    async def stream(self, request: dict[str, Any]) -> AsyncGenerator[NewToken, None]:
        """Yield each new token with its path.

        Args:
            request: model, sample, intervention, tokens, among and seed, as in the API.

        Raises:
            NotFound: no such model or sample.
            NotAccepted: a model that continues no text, too many tokens, or units that the model lacks.
            Busy: too many texts are being continued, in all or of this client.
        """
        if request["tokens"] > MAX_TOKENS:
            raise NotAccepted(f"Up to {MAX_TOKENS} tokens are written at once.")
        if (leave := self._running.take()) is None:
            raise Busy(
                "Many texts are being continued; please ask again in a moment.",
                "continuations",
            )
        try:
            info = await asyncio.to_thread(self._measuring.info, request["model"])
            tokens = await asyncio.to_thread(self._begun, info, request)
            while True:
                token = await self._inference.run(lambda: next(tokens, None), priority=Priority.STREAM)
                if token is None:
                    return
                yield token
        finally:
            leave()

    def _begun(self, info: ModelInfo, request: dict[str, Any]) -> Iterator[NewToken]:
        model = self._inference.model(info)
        if not isinstance(model, RoutedNetwork):
            raise NotAccepted("This model continues no texts; ask one whose tokens are routed to experts.")
        intervention = self._measuring.intervention(info, request["intervention"])
        inputs, _ = self._samples.inputs(info, request["sample"])
        return continued(
            model,
            inputs.to(self._inference.device.torch),
            request["tokens"],
            intervention,
            among=request["among"],
            seed=request["seed"],
        )
