"""The data sets, with their licences and what stands in for what, and the kinds of input that their samples are."""

from typing import Annotated

from fastapi import APIRouter, Query

from routescope.nn.registry import kinds_of_input
from routescope_app.api.schemas.catalogue import DataSet, DataSets, Inputs, Kind, Kinds
from routescope_app.services.samples.gallery import Gallery

router = APIRouter(tags=["data"])


@router.get("/data")
async def list_data(
    inputs: Annotated[Inputs | None, Query(description="Only sets of what models of these inputs read.")] = None,
) -> DataSets:
    """Every data set: samples are pictures, statements about pictures, blocks, or of a kind that was registered."""
    sets = Gallery.sets().values()
    items = [DataSet.model_validate(vars(info)) for info in sets if inputs in (None, info.inputs)]
    return DataSets(items=items)


@router.get("/inputs")
async def list_inputs() -> Kinds:
    """Every kind of input that a network reads: what a sample is, what it can be made of, and what written as."""
    found = kinds_of_input().items()
    return Kinds(
        items=[
            Kind(
                name=name,
                words=kind.words,
                upload=None if kind.upload is None else kind.upload.words,
                refusal=kind.refusal_of_uploads() if kind.upload is None else None,
                written=None if kind.written is None else kind.written.words,
                example=None if kind.written is None else kind.written.example,
                files=None if kind.files is None else kind.files.words,
                suffixes=[] if kind.files is None else list(kind.files.suffixes),
                answers=0 if kind.files is None else kind.files.answers,
                typed=kind.written is None or kind.written.typed,
                of_set=kind.written is not None and kind.written.of_set,
            )
            for name, kind in sorted(found)
        ]
    )
