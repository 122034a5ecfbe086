"""Behaviours: samples ordered by what a model does with them."""

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Response

from routescope_app.api.callers import Caller
from routescope_app.api.common import AppServices
from routescope_app.api.routes.jobs import submitted
from routescope_app.api.routes.samples import MOST_OFFSET, to_schema
from routescope_app.api.schemas.base import Find, JobId
from routescope_app.api.schemas.behaviours import BehaviourRequest, Behaviours, OwnBehaviourRequest, PlacedSample
from routescope_app.api.schemas.jobs import Job
from routescope_app.services.measuring.behaviours import RankedPage, SampleFilters
from routescope_app.services.samples.samples import Sample

router = APIRouter(prefix="/behaviours", tags=["behaviours"])


@dataclass(frozen=True)
class Listing:
    """Which samples are listed, and which part of the list is told."""

    filters: SampleFilters
    limit: int
    offset: int


def listing(
    label: Annotated[int | None, Query(ge=0, le=2**31 - 1)] = None,
    wrong: Annotated[bool | None, Query(description="Only those that the model labels wrongly, or rightly.")] = None,
    find: Find = None,
    limit: Annotated[int, Query(ge=0, le=1_000)] = 50,
    offset: Annotated[int, Query(ge=0, le=MOST_OFFSET)] = 0,
) -> Listing:
    """What the query says of a list of samples."""
    return Listing(SampleFilters(label=label, wrong=wrong, find=find), limit, offset)


AskedList = Annotated[Listing, Depends(listing)]


@router.post("", status_code=202, responses={200: {"model": Job}}, summary="Order samples by behaviour")
async def create_behaviour(body: BehaviourRequest, services: AppServices, response: Response) -> Job:
    """Starts a job that measures the first samples of some data sets.

    200 when the same was measured before. The same request is the same job; one that was cancelled goes on where it
    stopped. Everybody may read its request, in which a sample that somebody brought goes by a hash of its picture.
    """
    request = await asyncio.to_thread(services.behaviours.resolved, body.model_dump())
    return await submitted(services, "behaviour", request, response)


@router.post("/own", summary="Order own samples by behaviour")
async def order_own(body: OwnBehaviourRequest, services: AppServices, caller: Caller, asked: AskedList) -> Behaviours:
    """Own samples, and those of everybody, in the order of what a model does with them; the newest are measured."""
    request = await asyncio.to_thread(services.behaviours.resolved, body.model_dump())
    found = await services.behaviours.own(request, caller, asked.filters, asked.offset, asked.limit)
    return await _answer(services, found, caller)


@router.get("/{job_id}", summary="Read samples in their order")
async def get_behaviour(job_id: JobId, services: AppServices, caller: Caller, asked: AskedList) -> Behaviours:
    """The samples that match, each with its value, in their order."""
    folder = await services.jobs.result(job_id, "behaviour")
    found = await services.behaviours.read(folder, asked.filters, asked.offset, asked.limit)
    return await _answer(services, found, caller)


async def _answer(services: AppServices, found: RankedPage, caller: str | None) -> Behaviours:
    info = await asyncio.to_thread(services.inference.info, found.facts["model"])
    samples: list[Sample | None] = [
        item.sample or (services.samples.get(item.id) if services.gallery.is_picture(item.id) else None)
        for item in found.items
    ]
    known = iter(await services.samples.with_predictions([each for each in samples if each is not None], info))
    told: list[dict[str, Any]] = [
        {"id": item.id, "value": item.value, "sample": None if each is None else to_schema(next(known), caller)}
        for item, each in zip(found.items, samples, strict=True)
    ]
    items = [PlacedSample.model_validate(each) for each in told]
    return Behaviours.model_validate(found.facts | {"items": items, "total": found.total})
