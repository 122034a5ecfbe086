"""Behaviours: samples ranked by a model's behaviour."""

import asyncio
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from routescope_app.api.callers import Caller
from routescope_app.api.common import AppServices, Filters, Limit, Offset
from routescope_app.api.routes.jobs import STARTS_JOB, submitted
from routescope_app.api.routes.samples import to_schema
from routescope_app.api.routes.tables import MOST_ROWS
from routescope_app.api.schemas.base import JobId
from routescope_app.api.schemas.behaviours import BehaviourRequest, Behaviours, OwnBehaviourRequest, RankedSample
from routescope_app.api.schemas.jobs import Job
from routescope_app.services.measuring.behaviours import RankedPage
from routescope_app.services.samples.samples import SampleFilters

router = APIRouter(prefix="/behaviours", tags=["behaviours"])


@dataclass(frozen=True)
class PageRequest:
    """Filters of a list of samples, and the page to return."""

    filters: SampleFilters
    limit: int
    offset: int
    rows: int


def page_request(
    filters: Filters,
    limit: Limit = 50,
    offset: Offset = 0,
    rows: Annotated[int, Query(ge=1, le=MOST_ROWS, description="Most rows of each table.")] = 20,
) -> PageRequest:
    return PageRequest(filters, limit, offset, rows)


Page = Annotated[PageRequest, Depends(page_request)]


@router.post("", **STARTS_JOB, summary="Rank samples by behaviour")
async def create_behaviour(body: BehaviourRequest, services: AppServices, response: Response) -> Job:
    """Start a job that measures the first samples of data sets.

    The same request is the same job; 200 if its result exists. A cancelled job resumes where it stopped. Everybody may
    read the request, in which an uploaded sample is named by a hash of its picture.
    """
    request = await asyncio.to_thread(services.behaviours.resolved, body.model_dump())
    return await submitted(services, "behaviour", request, response)


@router.post("/own", summary="Rank uploads by behaviour")
async def order_own(body: OwnBehaviourRequest, services: AppServices, caller: Caller, page: Page) -> Behaviours:
    """Rank the newest uploads of the caller and of everybody."""
    request = await asyncio.to_thread(services.behaviours.resolved, body.model_dump())
    ranked = await services.behaviours.own(request, caller, page.filters, page.offset, page.limit)
    return await _answer(services, ranked, caller, page.rows)


@router.get("/{job_id}", summary="Read ranked samples")
async def get_behaviour(job_id: JobId, services: AppServices, caller: Caller, page: Page) -> Behaviours:
    """The matching samples in their order, with their scores."""
    folder = await services.jobs.result(job_id, "behaviour")
    ranked = await services.behaviours.read(folder, page.filters, page.offset, page.limit)
    return await _answer(services, ranked, caller, page.rows)


async def _answer(services: AppServices, ranked: RankedPage, caller: str | None, rows: int) -> Behaviours:
    """Return the page: pictures with the model's predictions, samples of other kinds as tables."""
    info = await asyncio.to_thread(services.inference.info, ranked.facts["model"])
    pictures = {
        item.id: item.sample or services.samples.get(item.id)
        for item in ranked.items
        if item.sample is not None or services.gallery.is_picture(item.id)
    }
    predicted = await services.samples.with_predictions(list(pictures.values()), info)
    samples = dict(zip(pictures, (to_schema(sample, caller) for sample in predicted), strict=True))
    others = [item.id for item in ranked.items if item.id not in samples]
    tables = await asyncio.to_thread(lambda: {sample_id: services.tables.get(sample_id, rows) for sample_id in others})
    items = [
        RankedSample(id=item.id, value=item.value, sample=samples.get(item.id), table=tables.get(item.id))
        for item in ranked.items
    ]
    return Behaviours.model_validate(ranked.facts | {"items": items, "total": ranked.total})
