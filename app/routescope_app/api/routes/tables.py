"""Samples of data sets of any kind of input as tables, and what a model makes of one."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Response

from routescope_app.api.callers import Caller
from routescope_app.api.common import KEEP, PNG, AppServices, Label, Limit, Offset, content
from routescope_app.api.schemas.base import Find, ModelId, SampleId, SetName
from routescope_app.api.schemas.catalogue import Exchange, Inputs, SampleScore, SampleTable, SampleTables, ScoredTable

router = APIRouter(prefix="/tables", tags=["samples"])
MOST_ROWS = 1_000
LARGEST_SIDE = 256


@router.get("")
async def list_tables(
    services: AppServices,
    inputs: Annotated[Inputs | None, Query(description="Only of data sets of this kind of input.")] = None,
    set_name: Annotated[SetName | None, Query(alias="set", description="Name of a data set.")] = None,
    label: Label = None,
    limit: Limit = 20,
    offset: Offset = 0,
    rows: Annotated[int, Query(ge=1, le=MOST_ROWS, description="The most rows of each sample.")] = 20,
    find: Find = None,
) -> SampleTables:
    """Samples of the data sets as tables, set after set: what is shown of kinds that have no picture of their own."""
    items, total = await asyncio.to_thread(services.tables.find, inputs, set_name, label, offset, limit, rows, find)
    return SampleTables(items=[SampleTable.model_validate(item) for item in items], total=total)


@router.get("/{sample_id}/picture", response_class=Response, responses=content(PNG))
async def get_picture(
    sample_id: SampleId,
    services: AppServices,
    side: Annotated[int, Query(ge=16, le=LARGEST_SIDE, description="Pixels.")] = 128,
) -> Response:
    """A small picture of a sample whose kind of input has one (`pictured`), on nothing: a cloud from a side."""
    picture = await asyncio.to_thread(services.tables.picture_png, sample_id, side)
    return Response(picture, media_type=PNG, headers=KEEP)


@router.get("/{sample_id}/panels", response_class=Response, responses=content(PNG))
async def get_panels(
    sample_id: SampleId,
    services: AppServices,
    columns: Annotated[int | None, Query(ge=1, le=64, description="Panels in a row; all of them unless said.")] = None,
) -> Response:
    """The panels that a sample is made of, one beside the other, in the order of their names (`panels`).

    A matrix with `columns=4` is a sheet that `POST /samples/files` takes, the right answer not told.
    """
    panels = await asyncio.to_thread(services.tables.panels_png, sample_id, columns)
    return Response(panels, media_type=PNG, headers=KEEP)


@router.post("/{sample_id}/exchanged", status_code=201, summary="Exchange two panels")
async def exchange_panels(
    sample_id: SampleId, body: Exchange, services: AppServices, caller: Caller, response: Response
) -> SampleTable:
    """A sample of one's own, made of another one that has panels: two of them are in each other's places.

    It belongs to the browser whose cookie the request has; whoever has its id can look at it. `DELETE
    /samples/{sample_id}` forgets it.
    """
    asked = (sample_id, body.one, body.other, body.name)
    table = await asyncio.to_thread(services.tables.exchange, *asked, caller)
    response.headers["Location"] = f"/api/v1/tables/{table.id}"
    return SampleTable.model_validate(table)


@router.get("/{sample_id}")
async def get_table(
    sample_id: SampleId,
    services: AppServices,
    model: Annotated[ModelId | None, Query(description="Adds what its answer for the sample is worth.")] = None,
) -> ScoredTable:
    """One sample of a data set as a table."""
    table = ScoredTable.model_validate(await asyncio.to_thread(services.tables.get, sample_id))
    if model is None:
        return table
    info = await asyncio.to_thread(services.inference.info, model)
    score = await services.tables.score(info, sample_id)
    return table.model_copy(update={"score": None if score is None else SampleScore.model_validate(score)})
