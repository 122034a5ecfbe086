"""Block networks: tasks, runs on one sample step by step, indicators over training."""

import asyncio

from fastapi import APIRouter

from routescope_app.api.common import AppServices
from routescope_app.api.leaving import EndsWithItsClient
from routescope_app.api.schemas.base import ModelId
from routescope_app.api.schemas.blocks import BlockRun, BlockRunRequest, BlockTasks, Indicators
from routescope_app.services.blocks.indicators import indicators

router = APIRouter(tags=["blocks"], route_class=EndsWithItsClient)


@router.get("/block-tasks", summary="List block tasks")
async def list_block_tasks(services: AppServices) -> BlockTasks:
    """The blocks of each task, and its models."""
    return BlockTasks.model_validate(await asyncio.to_thread(services.block_tasks.tasks))


@router.post("/models/{model_id}/block-runs", summary="Run a block network on one sample")
async def create_block_run(model_id: ModelId, body: BlockRunRequest, services: AppServices) -> BlockRun:
    """Weights, gates and blocks of every step, and the answers after every iteration.

    The answers stand beside those of the task's rule, of the full model (under an intervention), and of models without
    block routing.
    """
    return BlockRun.model_validate(await services.block_runs.run(model_id, body.model_dump()))


@router.get("/models/{model_id}/indicators", summary="Read indicators over training")
async def get_indicators(model_id: ModelId, services: AppServices) -> Indicators:
    """Numbers that were measured repeatedly during training; 404 if there are none."""
    return Indicators.model_validate(indicators(await asyncio.to_thread(services.inference.info, model_id)))
