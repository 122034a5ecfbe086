"""Samples of any kind as tables, their pictures, and scores of models."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Response

from routescope_app.api.callers import Caller
from routescope_app.api.common import KEEP, PNG, AppServices, Label, Limit, Offset, content
from routescope_app.api.routes.samples import created
from routescope_app.api.schemas.base import Find, ModelId, SampleId, SetName
from routescope_app.api.schemas.catalogue import Exchange, Inputs, SampleTable, SampleTables, ScoredTable

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
    rows: Annotated[int, Query(ge=1, le=MOST_ROWS, description="Most rows of each sample.")] = 20,
    find: Find = None,
) -> SampleTables:
    """Samples of data sets as tables, set after set; pages show kinds without pictures so."""
    return await asyncio.to_thread(services.tables.find, inputs, set_name, label, offset, limit, rows, find)


@router.get("/{sample_id}/picture", response_class=Response, responses=content(PNG))
async def get_picture(
    sample_id: SampleId,
    services: AppServices,
    side: Annotated[int, Query(ge=16, le=LARGEST_SIDE, description="Pixels.")] = 128,
) -> Response:
    """A small picture of a sample with `pictured`, such as a cloud of points, on a transparent ground."""
    picture = await asyncio.to_thread(services.tables.picture_png, sample_id, side)
    return Response(picture, media_type=PNG, headers=KEEP)


@router.get("/{sample_id}/panels", response_class=Response, responses=content(PNG))
async def get_panels(
    sample_id: SampleId,
    services: AppServices,
    columns: Annotated[int | None, Query(ge=1, le=64, description="Panels in a row; None: all in one row.")] = None,
) -> Response:
    """The panels of a sample, in the order of their names (`panels`).

    A matrix with `columns=4` is a sheet that `POST /samples/files` accepts; a sheet does not tell the right answer.
    """
    panels = await asyncio.to_thread(services.tables.panels_png, sample_id, columns)
    return Response(panels, media_type=PNG, headers=KEEP)


@router.post("/{sample_id}/exchanged", status_code=201, summary="Exchange two panels")
async def exchange_panels(
    sample_id: SampleId, body: Exchange, services: AppServices, caller: Caller, response: Response
) -> SampleTable:
    """Keep a copy of a sample with two of its panels exchanged.

    It belongs to the browser whose cookie the request has; whoever has its id can look at it. `DELETE
    /samples/{sample_id}` forgets it.
    """
    asked = (sample_id, body.one, body.other, body.name)
    return created(response, await asyncio.to_thread(services.tables.exchange, *asked, caller))


@router.get("/{sample_id}")
async def get_table(
    sample_id: SampleId,
    services: AppServices,
    model: Annotated[ModelId | None, Query(description="Adds the score of its answer.")] = None,
) -> ScoredTable:
    """One sample as a table."""
    table, score = await asyncio.to_thread(services.tables.get, sample_id), None
    if model is not None:
        info = await asyncio.to_thread(services.inference.info, model)
        score = await services.tables.score(info, sample_id)
    return ScoredTable(**vars(table), score=score)
