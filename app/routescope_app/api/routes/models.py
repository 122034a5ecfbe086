"""The models there are."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query

from routescope.routing.options import MAX_TOP_K, OPTIONS
from routescope.zoo.catalogue import ModelInfo as ServedModel
from routescope_app.api.common import AppServices
from routescope_app.api.queries import LONGEST_LIST, names
from routescope_app.api.schemas.base import AblationKind, ModelId
from routescope_app.api.schemas.catalogue import LeftOut, ModelCard, ModelDetail, ModelInfo, Models, NamedUnits, Use
from routescope_app.services.reading import reads_samples

router = APIRouter(prefix="/models", tags=["models"])


@router.get("")
async def list_models(services: AppServices) -> Models:
    """Every model with its accuracies, and those that cannot be used, with the reason."""
    infos, left_out = await asyncio.to_thread(services.inference.listed)
    return Models(
        items=[ModelInfo.model_validate(described(info)) for info in infos],
        left_out=[LeftOut.model_validate(vars(model)) for model in left_out],
    )


@router.get("/{model_id}")
async def get_model(model_id: ModelId, services: AppServices) -> ModelDetail:
    """One model with its configuration and card."""
    return ModelDetail.model_validate(described(await asyncio.to_thread(services.inference.info, model_id)))


@router.get("/{model_id}/card", summary="Read the card of a model")
async def get_card(model_id: ModelId, services: AppServices) -> ModelCard:
    """The text of its card as HTML; 404 where it has none."""
    return ModelCard.model_validate(await asyncio.to_thread(services.cards.card, model_id))


@router.get("/{model_id}/use", summary="Read how much the units of a model are used")
async def get_use(model_id: ModelId, services: AppServices) -> Use:
    """Observed on a few samples of each of its data sets, with all units on; rules such as `least:4` go by it."""
    return Use.model_validate(await asyncio.to_thread(services.measuring.observed, model_id))


@router.get("/{model_id}/units", summary="Find the units that a rule stands for")
async def find_units(
    model_id: ModelId,
    services: AppServices,
    rule: Annotated[
        str,
        Query(
            min_length=1,
            max_length=LONGEST_LIST,
            pattern=r"^[A-Za-z0-9._:*,+-]+$",
            description="Names and rules: `l3.*` (all of a layer), `least:4` (of least routing weight), `l3.least:4`, "
            "`share:0.25` (of each layer).",
        ),
    ],
    kind: Annotated[AblationKind, Query(description="What is done to them; some of what is dropped has to stay.")] = (
        "drop"
    ),
    top_k: Annotated[int | None, Query(ge=1, le=MAX_TOP_K, description=OPTIONS["top_k"].help)] = None,
) -> NamedUnits:
    """Refused in words where the model could not route without them."""
    found = await asyncio.to_thread(services.measuring.named, model_id, kind, names(rule), top_k)
    return NamedUnits.model_validate(found)


def described(info: ServedModel) -> dict[str, Any]:
    """What is told of a model."""
    return vars(info) | {"pictures": info.config.get("pictures"), "samples": reads_samples(info)}
