"""The data sets, with their licences and what stands in for what."""

from typing import Annotated

from fastapi import APIRouter, Query

from app.api.schemas.catalogue import DataSet, DataSets, Inputs
from app.services.samples.gallery import BLOCK_SETS, STATEMENT_SETS
from core.data import DATASETS, OTHER_DATASETS
from core.data.catalogue import REGISTERED

router = APIRouter(prefix="/data", tags=["data"])


@router.get("")
async def list_data(
    inputs: Annotated[Inputs | None, Query(description="Only sets of what models of these inputs read.")] = None,
) -> DataSets:
    """Every data set: samples are pictures, statements about pictures, blocks, or of a kind that was registered."""
    sets = [*DATASETS.values(), *(OTHER_DATASETS[name] for name in (*STATEMENT_SETS, *BLOCK_SETS))]
    sets += [info for info, _ in REGISTERED.values()]
    items = [DataSet.model_validate(vars(info)) for info in sets if inputs in (None, info.inputs)]
    return DataSets(items=items)
