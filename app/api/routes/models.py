"""The models there are."""

import asyncio
from typing import Any

from fastapi import APIRouter

from app.api.common import AppServices
from app.api.schemas.base import ModelId
from app.api.schemas.catalogue import ModelCard, ModelDetail, ModelInfo, Models
from app.services.reading import reads_samples
from core.zoo.catalogue import ModelInfo as ServedModel

router = APIRouter(prefix="/models", tags=["models"])


@router.get("")
async def list_models(services: AppServices) -> Models:
    """Every model with its accuracies."""
    infos = await asyncio.to_thread(services.inference.models)
    return Models(items=[ModelInfo.model_validate(described(info)) for info in infos])


@router.get("/{model_id}")
async def get_model(model_id: ModelId, services: AppServices) -> ModelDetail:
    """One model with its configuration and card."""
    return ModelDetail.model_validate(described(await asyncio.to_thread(services.inference.info, model_id)))


@router.get("/{model_id}/card", summary="Read the card of a model")
async def get_card(model_id: ModelId, services: AppServices) -> ModelCard:
    """The text of its card as HTML; 404 where it has none."""
    return ModelCard.model_validate(await asyncio.to_thread(services.cards.card, model_id))


def described(info: ServedModel) -> dict[str, Any]:
    """What is told of a model."""
    return vars(info) | {"pictures": info.config.get("pictures"), "samples": reads_samples(info)}
