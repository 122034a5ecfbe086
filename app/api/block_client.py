"""The part of the client that is about blocks: tasks, runs of one sample, indicators over training."""

from collections.abc import Mapping
from typing import Any

import httpx

from app.api import schemas
from app.api.addresses import segment


class BlockClient:
    """Methods mirror the routes, as those of :class:`app.api.client.ApiClient`, which has them."""

    async def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Send a request; the client that has these methods does."""
        raise NotImplementedError

    async def block_tasks(self) -> list[schemas.BlockTask]:
        """Every task on blocks, with the models of each."""
        response = await self.request("GET", "/block-tasks")
        return schemas.BlockTasks.model_validate_json(response.content).items

    async def block_run(
        self,
        model_id: str,
        input: Mapping[str, Any],
        iterations: int | None = None,
        intervention: Mapping[str, Any] | None = None,
    ) -> schemas.BlockRun:
        """What a model makes of one sample; ``input`` as in :class:`app.api.schemas.BlockRunRequest`."""
        body = {"input": dict(input), "iterations": iterations, "intervention": dict(intervention or {})}
        response = await self.request("POST", f"/models/{segment(model_id)}/block-runs", json=body)
        return schemas.BlockRun.model_validate_json(response.content)

    async def indicators(self, model_id: str) -> schemas.Indicators:
        """What was measured during training; ApiProblem of status 404 for models without any."""
        response = await self.request("GET", f"/models/{segment(model_id)}/indicators")
        return schemas.Indicators.model_validate_json(response.content)
