"""Jobs: what is being computed, how far it is, and how to stop it."""

import hashlib
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from routescope_app.api import callers, problems
from routescope_app.api.callers import Caller
from routescope_app.api.common import AppServices
from routescope_app.api.schemas.base import JobId
from routescope_app.api.schemas.jobs import Job, JobChange, JobKind, Jobs, JobState
from routescope_app.services.engine.clients import operator
from routescope_app.services.errors import NotAccepted
from routescope_app.services.jobs import jobs as service
from routescope_app.services.owners import whose
from routescope_app.settings import MAX_PAGE

router = APIRouter(prefix="/jobs", tags=["jobs"])
#: Where results of each kind are.
PLACES = {
    "importance": "importances",
    "embedding": "embeddings",
    "observation": "observations",
    "sentence_map": "sentence-maps",
    "behaviour": "behaviours",
    "load": "expert-loads",
    "pruning": "prunings",
}


def to_schema(job: service.Job, caller: str | None) -> Job:
    """The job as it goes out to this caller, with the address of its result."""
    fields = {name: getattr(job, name) for name in service.Job.__dataclass_fields__ if name != "owners"}
    result = f"/api/v1/{PLACES[job.kind]}/{job.id}" if job.state == "done" else None
    owner = whose(caller if caller in job.owners else next(iter(job.owners), None), caller)
    return Job.model_validate({**fields, "result": result, "owner": owner})


def to_listed(job: service.Job, caller: str | None) -> Job:
    """The job as a list shows it to this caller: of another's that it is there and how far it is, not what it is of.

    Who knows the request has its id, and reads all of it by that; so a list says another id.
    """
    shown = to_schema(job, caller)
    if shown.owner != "another" or operator.get():
        return shown
    hidden = hashlib.sha256(f"listed {job.id}".encode()).hexdigest()[: len(job.id)]
    return shown.model_copy(
        update={"id": hidden, "what": job.state, "problem": None, "result": None, "request": {}, "total": 0, "done": 0}
        | ({"done": round(100 * job.done / job.total), "total": 100} if job.total else {})
    )


async def submitted(services: AppServices, kind: JobKind, body: dict[str, Any], response: Response) -> Job:
    """Answer to a request for a job: 202, or 200 when it is done already."""
    caller = callers.caller()
    job = await services.jobs.submit(kind, body, caller)
    response.status_code = 200 if job.state == "done" else 202
    response.headers["Location"] = f"/api/v1/jobs/{job.id}"
    return to_schema(job, caller)


@router.get("", summary="List jobs")
async def list_jobs(
    services: AppServices,
    caller: Caller,
    kind: JobKind | None = None,
    state: JobState | None = None,
    limit: Annotated[int, Query(ge=0, le=1_000)] = 50,
) -> Jobs:
    """Jobs of everybody, the last queued first. A list does not count as reading them.

    Of another's job a list says the kind, the state and the progress in percent, with an id that leads nowhere.
    """
    if limit > MAX_PAGE:
        raise NotAccepted(f"One page has up to {MAX_PAGE} jobs.")
    return Jobs(items=[to_listed(job, caller) for job in await services.jobs.newest(limit, kind, state)])


@router.get("/{job_id}", summary="Look at a job")
async def get_job(job_id: JobId, services: AppServices, caller: Caller) -> Job:
    """State and progress of one job.

    One that nobody reads for a while, here or by its events, ends as cancelled, unless it is kept; `what` then says so.
    """
    return to_schema(await services.jobs.get(job_id), caller)


@router.patch("/{job_id}", summary="Keep a job that nobody reads")
async def change_job(job_id: JobId, change: JobChange, services: AppServices, caller: Caller) -> Job:
    """Let a job that waits or runs go on though nobody reads it, or not; one that has ended stays as it is.

    Who asked for it may, and the operator; 403 for others.
    """
    return to_schema(await services.jobs.keep(job_id, change.keep, caller), caller)


@router.get("/{job_id}/events", response_class=EventSourceResponse, summary="Follow a job")
async def follow_job(job_id: JobId, services: AppServices, caller: Caller) -> AsyncIterator[Any]:
    """Server-sent events named `job` whenever it changes; the last one says how it ended. A job that is not there
    ends the stream with an event `problem`. Closing the connection does not stop the job.
    """
    try:
        async with aclosing(services.jobs.events(job_id)) as states:
            async for job in states:
                yield ServerSentEvent(event="job", raw_data=to_schema(job, caller).model_dump_json())
    except Exception as error:
        yield problems.as_event(error)


@router.delete("/{job_id}", summary="Cancel a job")
async def cancel_job(
    job_id: JobId,
    services: AppServices,
    caller: Caller,
    release: Annotated[
        bool, Query(description="Take back one time that the caller asked for it, such as that of one of several tabs.")
    ] = False,
) -> Job:
    """Stop a job that waits or runs; one that has ended stays as it is. The same request takes it up again.

    Who asked for it may, and the operator; 403 for others. A job that others asked for too goes on for them, and the
    answer says that it is another's by then. A job that nobody owns may be stopped by everybody.
    """
    give_up = services.jobs.release if release else services.jobs.cancel
    return to_schema(await give_up(job_id, caller), caller)
