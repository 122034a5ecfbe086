"""Models: list, describe, read cards, resolve units."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query

from routescope.routing.options import MAX_TOP_K, OPTIONS
from routescope.zoo.catalogue import ModelInfo as ServedModel
from routescope_app.api.common import AppServices
from routescope_app.api.queries import LONGEST_LIST, names
from routescope_app.api.schemas.base import AblationKind, ModelId
from routescope_app.api.schemas.catalogue import ModelCard, ModelDetail, ModelInfo, Models, NamedUnits, Use
from routescope_app.services.reading import reads_samples

router = APIRouter(prefix="/models", tags=["models"])


@router.get("")
async def list_models(services: AppServices) -> Models:
    """Every model with its accuracies, and the models that cannot be used, with the reason."""
    infos, left_out = await asyncio.to_thread(services.inference.listed)
    return Models(items=[ModelInfo.model_validate(described(info)) for info in infos], left_out=left_out)


@router.get("/{model_id}")
async def get_model(model_id: ModelId, services: AppServices) -> ModelDetail:
    """One model with its configuration and card."""
    return ModelDetail.model_validate(described(await asyncio.to_thread(services.inference.info, model_id)))


@router.get("/{model_id}/card", summary="Read the card of a model")
async def get_card(model_id: ModelId, services: AppServices) -> ModelCard:
    """The text of the card as HTML; 404 without a card."""
    return ModelCard.model_validate(await asyncio.to_thread(services.cards.card, model_id))


@router.get("/{model_id}/use", summary="Read the use of the units of a model")
async def get_use(model_id: ModelId, services: AppServices) -> Use:
    """Observed on some samples of each of its data sets, with all units on. Rules such as `least:4` depend on it."""
    return Use.model_validate(await asyncio.to_thread(services.measuring.observed, model_id))


@router.get("/{model_id}/units", summary="Resolve names and rules to units")
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
    kind: Annotated[AblationKind, Query(description="Ablation of the units; `drop` has to leave some.")] = "drop",
    top_k: Annotated[int | None, Query(ge=1, le=MAX_TOP_K, description=OPTIONS["top_k"].help)] = None,
) -> NamedUnits:
    """422 if the model could not route without these units."""
    units = await asyncio.to_thread(services.measuring.named, model_id, kind, names(rule), top_k)
    return NamedUnits.model_validate(units)


def described(info: ServedModel) -> dict[str, Any]:
    """Return the fields of ``ModelInfo`` and ``ModelDetail``."""
    return vars(info) | {"pictures": info.config.get("pictures"), "samples": reads_samples(info)}
