"""The results of jobs, in the storage of the settings."""

from routescope_app.services.jobs.bucket_results import PLACE, BucketResults
from routescope_app.services.jobs.results import Results
from routescope_app.services.storage.copies import Copies
from routescope_app.services.storage.folder import FolderStorage
from routescope_app.services.storage.storage import Storage
from routescope_app.settings import Settings


def results_of(settings: Settings, storage: Storage) -> Results:
    """Results in a folder, or in a bucket with copies in the data folder."""
    if isinstance(storage, FolderStorage):
        return Results(storage.folder / PLACE)
    copies = Copies(settings.data_dir / "cache" / PLACE, settings.disk_of("results"))
    return BucketResults(settings.data_dir / PLACE, copies, storage)
