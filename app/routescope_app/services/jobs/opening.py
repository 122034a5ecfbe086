"""The results of jobs, in the storage that the settings name."""

from routescope_app.services.jobs.bucket_results import PLACE, BucketResults
from routescope_app.services.jobs.results import Results
from routescope_app.services.storage.copies import Copies
from routescope_app.services.storage.folder import FolderStorage
from routescope_app.services.storage.storage import Storage
from routescope_app.settings import Settings


def results_of(settings: Settings, storage: Storage) -> Results:
    """Those in a folder are where they are read; of those elsewhere the data folder has copies."""
    if isinstance(storage, FolderStorage):
        return Results(storage.folder / PLACE)
    copies = Copies(settings.data_dir / "cache" / PLACE, settings.disk_of("results"))
    return BucketResults(settings.data_dir / PLACE, copies, storage)
