"""Networks that route blocks: their tasks, what they make of one sample step by step, indicators over training."""

import asyncio
from typing import Any

from fastapi import APIRouter

from routescope_app.api.common import AppServices
from routescope_app.api.leaving import EndsWithItsClient
from routescope_app.api.schemas.base import ModelId
from routescope_app.api.schemas.blocks import BlockRun, BlockRunRequest, BlockTasks, Indicators
from routescope_app.services.blocks.indicators import indicators

router = APIRouter(tags=["blocks"], route_class=EndsWithItsClient)


@router.get("/block-tasks", summary="List tasks on blocks")
async def list_block_tasks(services: AppServices) -> BlockTasks:
    """What the blocks of each task stand for, and which models are of it."""
    return BlockTasks.model_validate(await asyncio.to_thread(services.block_tasks.tasks))


@router.post("/models/{model_id}/block-runs", summary="Run a model of blocks on one sample")
async def create_block_run(model_id: ModelId, body: BlockRunRequest, services: AppServices) -> BlockRun:
    """Weights, gates and blocks of every step, and the answers after every iteration beside those of the rule and of
    models that route no blocks. Under an intervention the answers of the model as it is come beside.
    """
    request: dict[str, Any] = body.model_dump()
    return BlockRun.model_validate(await services.block_runs.run(model_id, request))


@router.get("/models/{model_id}/indicators", summary="Look at indicators over training")
async def get_indicators(model_id: ModelId, services: AppServices) -> Indicators:
    """Numbers that were measured again and again while the model was trained; 404 where none were."""
    return Indicators.model_validate(indicators(await asyncio.to_thread(services.inference.info, model_id)))
