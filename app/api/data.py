"""The data sets, with their licences and what stands in for what."""

from typing import Annotated

from fastapi import APIRouter, Query

from app.api.schemas import DataSet, DataSets, Inputs
from app.services.gallery import STATEMENT_SETS
from core.data import DATASETS, OTHER_DATASETS

router = APIRouter(prefix="/data", tags=["data"])


@router.get("")
async def list_data(
    inputs: Annotated[Inputs | None, Query(description="Only sets of what models of these inputs read.")] = None,
) -> DataSets:
    """Every data set: samples are pictures, or statements about pictures."""
    sets = [(info, "images") for info in DATASETS.values()]
    sets += [(OTHER_DATASETS[name], "statements") for name in STATEMENT_SETS]
    items = [DataSet.model_validate(vars(info) | {"inputs": kind}) for info, kind in sets if inputs in (None, kind)]
    return DataSets(items=items)
