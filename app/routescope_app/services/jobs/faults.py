"""What ended a job: its own fault, after which it fails, or something from outside, after which it waits again."""

import uuid
from typing import Any

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from routescope_app.services.disk import ran_out
from routescope_app.services.errors import Busy, Interrupted, OutOfMemory, Refusal
from routescope_app.services.storage.storage import StorageUnreachable


def is_from_outside(error: Exception) -> bool:
    """Whether a job was ended by what it cannot help, so that the same job may succeed later.

    That is a child process that was killed, a database or bucket that does not answer, a cluster without actors, or a
    service that is too busy. A job's own fault is a request that is not possible, an error, and too little memory or
    time.
    """
    if isinstance(error, OutOfMemory) or ran_out(error) is not None:
        return False
    causes = (error, error.__cause__)
    outside = Interrupted, Busy, StorageUnreachable
    return any(isinstance(cause, outside) or (cause is not None and is_cut(cause)) for cause in causes)


def is_cut(error: BaseException) -> bool:
    """Whether the database does not answer, or ended the connection."""
    if isinstance(error, OperationalError | InterfaceError):
        return True
    return isinstance(error, DBAPIError) and error.connection_invalidated


def problem(kind: str, title: str, status: int, detail: str, instance: str = "") -> dict[str, Any]:
    """Return why a job failed, in the form in which the API says errors."""
    return {
        "type": f"urn:routescope:problem:{kind}",
        "title": title,
        "status": status,
        "detail": detail,
        "instance": instance or f"urn:uuid:{uuid.uuid4()}",
    }


def problem_of(error: Exception) -> dict[str, Any]:
    """Return why a job failed by its own fault; of unexpected errors only an id, under which the log has the rest."""
    if (refusal := error if isinstance(error, Refusal) else ran_out(error)) is not None:
        return problem(refusal.kind, refusal.title, refusal.status, refusal.detail)
    if isinstance(error, MemoryError):
        detail = "This job needs more memory than there is; ask for something smaller."
        return problem(OutOfMemory.kind, OutOfMemory.title, OutOfMemory.status, detail)
    detail = "Something unexpected went wrong. It was written to the server's log under this problem's id."
    return problem("unexpected", "Unexpected error", 500, detail)
