"""Statements about pictures: the vocabulary of scenes, the statements of data sets, and answers of models."""

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Response

from routescope_app.api.common import KEEP, PNG, AppServices, Limit, content
from routescope_app.api.schemas.base import ModelId, SampleId
from routescope_app.api.schemas.statements import Answers, AnswersRequest, Statement, Statements, Vocabulary

router = APIRouter(tags=["statements"])


@router.get("/scenes/vocabulary", summary="Read the vocabulary of scenes")
async def get_vocabulary(services: AppServices) -> Vocabulary:
    """Shapes with their outlines, colours, sizes, and the most things of a picture."""
    return Vocabulary.model_validate(await asyncio.to_thread(services.statements.vocabulary))


@router.get("/statements", summary="List statements about pictures")
async def list_statements(
    services: AppServices,
    split: Annotated[Literal["validation", "test"], Query(description="Of the data set.")] = "validation",
    kind: Annotated[str | None, Query(max_length=80, description="Kind of reasoning.")] = None,
    offset: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
    limit: Limit = 50,
) -> Statements:
    """Statements in the order of their set, with the scenes of their pictures."""
    return Statements.model_validate(await asyncio.to_thread(services.statements.find, split, kind, offset, limit))


@router.get("/statements/{statement_id}", summary="Read a statement")
async def get_statement(statement_id: SampleId, services: AppServices) -> Statement:
    """One statement."""
    return Statement.model_validate(await asyncio.to_thread(services.statements.get, statement_id))


@router.get(
    "/statements/{statement_id}/pictures/{place}",
    response_class=Response,
    responses=content(PNG),
    summary="Fetch a picture of a statement",
)
async def get_picture(
    statement_id: SampleId,
    place: Annotated[int, Path(ge=0, le=7, description="0 for the left one.")],
    services: AppServices,
    scale: Annotated[int, Query(ge=1, le=64, description="Width and height of each pixel.")] = 1,
) -> Response:
    """The picture as the network gets it, PNG."""
    picture = await asyncio.to_thread(services.statements.picture_png, statement_id, place, scale)
    return Response(picture, media_type=PNG, headers=KEEP)


@router.post("/models/{model_id}/answers", summary="Ask a model whether sentences are true of pictures")
async def create_answers(model_id: ModelId, body: AnswersRequest, services: AppServices) -> Answers:
    """Under an intervention the answers include the probabilities of the full model."""
    return Answers.model_validate(await services.answers.answer(model_id, body.model_dump()))
