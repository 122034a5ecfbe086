"""The results of jobs, in the storage that the settings name."""

from app.services.jobs.bucket_results import PLACE, BucketResults
from app.services.jobs.results import Results
from app.services.storage.folder import FolderStorage
from app.services.storage.storage import Storage
from app.settings import Settings


def results_of(settings: Settings, storage: Storage) -> Results:
    """Those in a folder are where they are read; of those elsewhere the data folder has copies."""
    if isinstance(storage, FolderStorage):
        return Results(storage.folder / PLACE)
    folder = settings.data_dir
    return BucketResults(folder / PLACE, folder / "cache" / PLACE, storage, settings.result_store_bytes)
