"""The data sets, with their licences and what stands in for what."""

from fastapi import APIRouter

from app.api.schemas import DataSet, DataSets
from core.data import DATASETS

router = APIRouter(prefix="/data", tags=["data"])


@router.get("")
async def list_data() -> DataSets:
    """Every data set."""
    return DataSets(items=[DataSet.model_validate(info) for info in DATASETS.values()])
