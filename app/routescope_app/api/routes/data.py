"""Data sets with licences and stand-ins, and kinds of input."""

from typing import Annotated

from fastapi import APIRouter, Query

from routescope.data.kinds.kind import kinds
from routescope_app.api.schemas.catalogue import DataSet, DataSets, Inputs, Kind, Kinds
from routescope_app.services.samples.gallery import Gallery

router = APIRouter(tags=["data"])


@router.get("/data")
async def list_data(
    inputs: Annotated[Inputs | None, Query(description="Only data sets of this kind of input.")] = None,
) -> DataSets:
    """Every data set, registered ones included."""
    sets = Gallery.sets().values()
    items = [DataSet.model_validate(info) for info in sets if inputs in (None, info.inputs)]
    return DataSets(items=items)


@router.get("/inputs")
async def list_inputs() -> Kinds:
    """Every kind of input that a network reads, and how samples of it can be made."""
    items = []
    for name, kind in sorted(kinds().items()):
        item = Kind(name=name, words=kind.words, upload=None, refusal=None)
        if kind.picture is not None:
            item.upload = kind.picture.words
        else:
            item.refusal = kind.picture_refusal
        if kind.text is not None:
            item.written, item.example = kind.text.words, kind.text.example
            item.typed, item.of_set = kind.text.typed, kind.text.of_set
        if kind.file is not None:
            item.files, item.suffixes, item.answers = kind.file.words, list(kind.file.suffixes), kind.file.answers
        items.append(item)
    return Kinds(items=items)
