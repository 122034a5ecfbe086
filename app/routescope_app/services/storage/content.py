"""Files named by the hash of their content."""

import hashlib
import re

from routescope_app.services.folders import OutsideFolder
from routescope_app.services.storage.storage import Storage, StoredObject

_DIGEST = re.compile(r"[0-9a-f]{64}")


class ContentFiles:
    """Bytes addressed by their SHA-256.

    Args:
        place: start of their keys.
        suffix: end of their keys.
    """

    def __init__(self, storage: Storage, place: str, suffix: str) -> None:
        self._storage = storage
        self._place = place
        self._suffix = suffix

    def key(self, digest: str) -> str:
        """The key of this hash, whether it exists or not."""
        if not _DIGEST.fullmatch(digest):
            raise OutsideFolder("not a SHA-256 in hexadecimal")
        return f"{self._place}/{digest[:2]}/{digest}{self._suffix}"

    def put(self, content: bytes) -> str:
        """Store ``content`` durably and return its hash."""
        digest = hashlib.sha256(content).hexdigest()
        key = self.key(digest)
        if self._storage.size(key) != len(content):
            self._storage.put(key, content)
        return digest

    def get(self, digest: str) -> bytes:
        """The content; raises FileNotFoundError."""
        return self._storage.get(self.key(digest))

    def remove(self, digest: str) -> None:
        self._storage.remove(self.key(digest))

    def kept(self) -> dict[str, StoredObject]:
        """All stored objects, by hash."""
        found = {}
        for entry in self._storage.entries(self._place):
            digest = entry.key.rpartition("/")[2].removesuffix(self._suffix)
            if _DIGEST.fullmatch(digest) and entry.key == self.key(digest):
                found[digest] = entry
        return found
