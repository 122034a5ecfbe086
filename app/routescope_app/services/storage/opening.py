"""The storage of the settings."""

from routescope_app.services.storage.bucket import BucketStorage
from routescope_app.services.storage.folder import FolderStorage
from routescope_app.settings import Settings


def storage_of(settings: Settings) -> FolderStorage | BucketStorage:
    """The bucket of ``ROUTESCOPE_STORAGE``, or the data folder; not contacted yet.

    Raises:
        StorageUnreachable: it is a bucket, and the client library is not installed.
    """
    return FolderStorage(settings.data_dir) if settings.storage is None else BucketStorage(settings)
