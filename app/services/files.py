"""Files named by the hash of their content; on disk before anybody is told so."""

import hashlib
import os
import re
import tempfile
from pathlib import Path

from app.services.folders import OutsideFolder, resolve_within

_DIGEST = re.compile(r"[0-9a-f]{64}")


def write_durably(path: Path, content: bytes) -> None:
    """Write the file all or nothing; it survives a crash of the machine right after the return."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".partial", delete=False) as file:
        try:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """What the folder names survives a crash of the machine."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class ContentFiles:
    """A folder of files addressed by the SHA-256 of their bytes."""

    def __init__(self, folder: Path, suffix: str) -> None:
        self.folder = folder
        self.suffix = suffix
        folder.mkdir(parents=True, exist_ok=True)

    def path(self, digest: str) -> Path:
        """Where the content with this hash lies, whether it is there or not."""
        if not _DIGEST.fullmatch(digest):
            raise OutsideFolder("not a SHA-256 in hexadecimal")
        return resolve_within(self.folder, digest[:2], digest + self.suffix)

    def put(self, content: bytes) -> str:
        """Keep ``content`` and return its hash; on disk when this returns."""
        digest = hashlib.sha256(content).hexdigest()
        path = self.path(digest)
        if not path.exists() or path.stat().st_size != len(content):
            write_durably(path, content)
        return digest

    def get(self, digest: str) -> bytes:
        """The content; raises FileNotFoundError."""
        return self.path(digest).read_bytes()

    def remove(self, digest: str) -> None:
        self.path(digest).unlink(missing_ok=True)
