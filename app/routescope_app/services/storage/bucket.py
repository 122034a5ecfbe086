"""A bucket of S3, or of a server that speaks its protocol, as storage: through fsspec."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from routescope_app.services.disk import DiskFull, ran_out
from routescope_app.services.errors import RETRY_AFTER_SECONDS
from routescope_app.services.storage.copies import Copies
from routescope_app.services.storage.storage import StorageUnreachable, StoredObject, checked
from routescope_app.settings import Settings

#: Seconds that the bucket has to answer, twice, before a request that needs it is refused with 503.
SECONDS = 5.0

T = TypeVar("T")
log = logging.getLogger(__name__)
SCHEME = "s3://"
#: Is put at the start, so that a bucket that cannot be written is noticed there, and looked for when it is asked
#: whether the bucket answers.
MARKER = "routescope-storage"
#: Times that a request is sent before the bucket counts as one that does not answer.
ATTEMPTS = 2
#: Bytes a second that what is sent takes at least.
SLOWEST = 1024 * 1024
#: What servers say of a bucket that is full: MinIO, Ceph, and others by the status 507.
_FULL = frozenset({"XMinioStorageFull", "XMinioAdminBucketQuotaExceeded", "QuotaExceeded", "InsufficientStorage"})
_INSUFFICIENT = 507


class BucketStorage:
    """See ``Storage``.

    Raises:
        StorageUnreachable: the client library is not installed.
    """

    def __init__(self, settings: Settings) -> None:
        assert settings.storage is not None
        self._root = settings.storage.removeprefix(SCHEME).strip("/")
        self._copies = Copies(settings.data_dir / "cache" / "bucket", settings.disk_of("logs"))
        self._seconds = SECONDS
        self._files = _file_system(settings)

    def check(self) -> None:
        """Write the marker, and read it."""
        content = b"uploads and results of Routescope"
        with self._explained(f"The storage {SCHEME}{self._root} cannot be used: "):
            self._in_time(self._files._pipe_file, self._path(MARKER), content)
            self._in_time(self._files._cat_file, self._path(MARKER))

    def answers(self) -> None:
        if self.size(MARKER) is None:
            log.error("%s%s has lost its marker: was the bucket emptied?", SCHEME, self._root)
            raise self._unreachable()

    def put(self, key: str, content: bytes) -> None:
        address = self._path(key)
        with self._explained():
            self._in_time(self._files._pipe_file, address, content, size=len(content))

    def put_file(self, key: str, path: Path) -> None:
        address = self._path(key)
        with self._explained():
            self._in_time(self._files._put_file, str(path), address, size=path.stat().st_size)

    def get(self, key: str) -> bytes:
        address = self._path(key)
        with self._explained():
            content: bytes = self._in_time(self._files._cat_file, address)
            return content

    def get_file(self, key: str, path: Path) -> None:
        address = self._path(key)
        with self._explained():
            self._in_time(self._files._get_file, address, str(path), size=None)

    def local(self, key: str) -> Path:
        if self.size(key) is None:
            raise FileNotFoundError(key)
        return self._copies.of(checked(key).replace("/", "-"), partial(self.get_file, key))

    def size(self, key: str) -> int | None:
        address = self._path(key)
        try:
            with self._explained():
                facts = self._in_time(self._files._info, address)
        except FileNotFoundError:
            return None
        return int(facts["size"]) if facts["type"] == "file" else None

    def remove(self, key: str) -> None:
        address = self._path(key)
        with self._explained():
            self._in_time(self._files._rm_file, address)

    def entries(self, below: str) -> Sequence[StoredObject]:
        address = self._path(below)
        with self._explained():
            files: dict[str, dict[str, Any]] = self._in_time(self._files._find, address, detail=True)
        above = f"{self._root}/"
        entries = (
            StoredObject(name.removeprefix(above), int(facts["size"]), facts["LastModified"].astimezone(UTC))
            for name, facts in files.items()
        )
        return sorted(entries, key=lambda entry: entry.key)

    def _path(self, key: str) -> str:
        return f"{self._root}/{checked(key)}"

    def _in_time(self, ask: Callable[..., Awaitable[T]], *given: object, size: int | None = 0, **named: object) -> T:
        """Ask the library in its own loop, and no longer than the bucket may take.

        A server that accepts a connection and says nothing is waited for without end else, before it is sent a body.

        Args:
            size: bytes that are sent; None: what is read takes as long as it comes.
        """
        seconds = None if size is None else ATTEMPTS * self._seconds + size / SLOWEST

        async def within() -> T:
            await self._files.set_session()  # the first time it reads what the library knows of the protocol
            async with asyncio.timeout(seconds):
                return await ask(*given, **named)

        return asyncio.run_coroutine_threadsafe(within(), self._files.loop).result()

    def _unreachable(self) -> StorageUnreachable:
        detail = "The storage of samples and results does not answer. Nothing was kept of this; ask again in a moment."
        return StorageUnreachable(detail, RETRY_AFTER_SECONDS)

    @contextmanager
    def _explained(self, start: str = "") -> Iterator[None]:
        """Turn errors of the library into those of a storage.

        Args:
            start: of the message for the person who starts the service, with the reason; none: it is for clients.
        """
        try:
            yield
        except Exception as error:
            code, status = _answer(error)
            if isinstance(error, FileNotFoundError) and code != "NoSuchBucket" and not start:
                raise
            if ran_out(error) is not None:  # the disk of this machine
                raise
            why = (
                "it does not answer in time" if isinstance(error, TimeoutError) else f"{type(error).__name__}: {error}"
            )
            log.error("the bucket %s%s: %s", SCHEME, self._root, why)
            if status == _INSUFFICIENT or code in _FULL:
                raise DiskFull("The storage of samples and results is full. Nothing was kept of this.") from error
            raise (StorageUnreachable(start + why) if start else self._unreachable()) from error


def _answer(error: BaseException) -> tuple[str, int]:
    """(code, HTTP status) of the answer of the bucket; ("", 0) if there was none."""
    from botocore.exceptions import ClientError

    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, ClientError):
            answer = seen.response
            code = answer.get("Error", {}).get("Code", "")
            return code, answer.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        seen = seen.__cause__
    return "", 0


def _file_system(settings: Settings) -> Any:
    """The S3 file system of fsspec, without its cache of listings: others write to the bucket too."""
    try:
        from s3fs import S3FileSystem
    except ModuleNotFoundError as error:
        raise StorageUnreachable(
            "ROUTESCOPE_STORAGE names a bucket, for which a package is missing: pip install 'routescope[bucket]'"
        ) from error
    secret: Callable[[Any], str | None] = lambda value: None if value is None else value.get_secret_value()  # noqa: E731
    files = S3FileSystem(
        key=secret(settings.storage_key),
        secret=secret(settings.storage_secret),
        endpoint_url=settings.storage_endpoint,
        config_kwargs={
            "connect_timeout": SECONDS,
            "read_timeout": SECONDS,
            "retries": {"max_attempts": ATTEMPTS, "mode": "standard"},
        },
        max_concurrency=1,  # else it asks how large something is before it reads it
        use_listings_cache=False,
        skip_instance_cache=True,
    )
    files.retries = 1  # those below are enough
    return files
