"""Jobs: list, follow, keep, cancel."""

import hashlib
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from routescope_app.api import callers, problems
from routescope_app.api.callers import Caller
from routescope_app.api.common import AppServices, Limit
from routescope_app.api.schemas.base import JobId, Strict
from routescope_app.api.schemas.jobs import Job, JobChange, JobKind, Jobs, JobState
from routescope_app.services.engine.clients import operator
from routescope_app.services.jobs import jobs as service
from routescope_app.services.owners import whose

router = APIRouter(prefix="/jobs", tags=["jobs"])
#: Path of the results of each kind.
RESULT_PATHS = {
    "importance": "importances",
    "embedding": "embeddings",
    "observation": "observations",
    "sentence_map": "sentence-maps",
    "behaviour": "behaviours",
    "load": "expert-loads",
    "pruning": "prunings",
    "reproduction": "reproductions",
}
#: Options of routes that start a job.
STARTS_JOB: dict[str, Any] = {"status_code": 202, "responses": {200: {"model": Job}}}


def to_schema(job: service.Job, caller: str | None) -> Job:
    """Return the job as this caller sees it, with the address of its result."""
    owner = whose(caller if caller in job.owners else next(iter(job.owners), None), caller)
    result = f"/api/v1/{RESULT_PATHS[job.kind]}/{job.id}" if job.state == "done" else None
    return Job.model_validate({**vars(job), "owner": owner, "result": result})


def to_listed(job: service.Job, caller: str | None) -> Job:
    """Return the job as a list shows it: another owner's job with its state and percentage only.

    The id of a job gives access to all of it, so such a job is listed under another id.
    """
    shown = to_schema(job, caller)
    if shown.owner != "another" or operator.get():
        return shown
    hidden = hashlib.sha256(f"listed {job.id}".encode()).hexdigest()[: len(job.id)]
    progress = {"done": round(100 * job.done / job.total), "total": 100} if job.total else {"done": 0, "total": 0}
    return shown.model_copy(
        update={"id": hidden, "what": job.state, "problem": None, "result": None, "request": {}, **progress}
    )


async def submitted(services: AppServices, kind: JobKind, request: Strict | dict[str, Any], response: Response) -> Job:
    """Queue a job; answer with 202, or with 200 if its result exists."""
    caller = callers.caller()
    body = request if isinstance(request, dict) else request.model_dump()
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
    limit: Limit = 50,
) -> Jobs:
    """Jobs of all owners, newest first. Listing does not count as reading a job.

    Other owners' jobs show their kind, state and percentage, under an id that cannot be read.
    """
    return Jobs(items=[to_listed(job, caller) for job in await services.jobs.newest(limit, kind, state)])


@router.get("/{job_id}", summary="Read a job")
async def get_job(job_id: JobId, services: AppServices, caller: Caller) -> Job:
    """State and progress of one job.

    A job that nobody reads for a while, here or by its events, is cancelled unless it is kept; `what` then says so.
    """
    return to_schema(await services.jobs.get(job_id), caller)


@router.patch("/{job_id}", summary="Keep a job that nobody reads")
async def change_job(job_id: JobId, change: JobChange, services: AppServices, caller: Caller) -> Job:
    """Let a queued or running job continue unread, or not. Ended jobs stay as they are.

    Allowed for clients that asked for it and for the operator; 403 for others.
    """
    return to_schema(await services.jobs.keep(job_id, change.keep, caller), caller)


@router.get("/{job_id}/events", response_class=EventSourceResponse, summary="Follow a job")
async def follow_job(job_id: JobId, services: AppServices, caller: Caller) -> AsyncIterator[Any]:
    """Server-sent events named `job` on every change; the last one says how the job ended.

    An unknown job ends the stream with an event `problem`. Closing the connection does not stop the job.
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
        bool, Query(description="Withdraw one request of the caller, such as that of one of several tabs.")
    ] = False,
) -> Job:
    """Stop a queued or running job. Ended jobs stay as they are; the same request resumes a cancelled one.

    Allowed for clients that asked for it and for the operator; 403 for others. A job that others asked for too goes on
    for them, and the answer names another owner. A job without an owner may be stopped by everybody.
    """
    give_up = services.jobs.release if release else services.jobs.cancel
    return to_schema(await give_up(job_id, caller), caller)
