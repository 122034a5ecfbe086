"""Jobs: what is being computed, how far it is, and how to stop it."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from app.api import problems
from app.api.common import AppServices
from app.api.schemas.base import JobId
from app.api.schemas.jobs import Job, JobKind, Jobs, JobState
from app.services.errors import NotAccepted
from app.services.jobs import jobs as service

router = APIRouter(prefix="/jobs", tags=["jobs"])
#: Where results of each kind are.
PLACES = {
    "importance": "importances",
    "embedding": "embeddings",
    "observation": "observations",
    "sentence_map": "sentence-maps",
}


def to_schema(job: service.Job) -> Job:
    """The job as it goes out, with the address of its result."""
    fields = {name: getattr(job, name) for name in service.Job.__dataclass_fields__}
    result = f"/api/v1/{PLACES[job.kind]}/{job.id}" if job.state == "done" else None
    return Job.model_validate({**fields, "result": result})


async def submitted(services: AppServices, kind: JobKind, body: dict[str, Any], response: Response) -> Job:
    """Answer to a request for a job: 202, or 200 when it is done already."""
    job = await services.jobs.submit(kind, body)
    response.status_code = 200 if job.state == "done" else 202
    response.headers["Location"] = f"/api/v1/jobs/{job.id}"
    return to_schema(job)


@router.get("", summary="List jobs")
async def list_jobs(
    services: AppServices,
    kind: JobKind | None = None,
    state: JobState | None = None,
    limit: Annotated[int, Query(ge=0, le=1_000)] = 50,
) -> Jobs:
    """Jobs, the last queued first."""
    if limit > services.settings.max_page:
        raise NotAccepted(f"One page has up to {services.settings.max_page} jobs.")
    return Jobs(items=[to_schema(job) for job in await services.jobs.newest(limit, kind, state)])


@router.get("/{job_id}", summary="Look at a job")
async def get_job(job_id: JobId, services: AppServices) -> Job:
    """State and progress of one job."""
    return to_schema(await services.jobs.get(job_id))


@router.get("/{job_id}/events", response_class=EventSourceResponse, summary="Follow a job")
async def follow_job(job_id: JobId, services: AppServices) -> AsyncIterator[Any]:
    """Server-sent events named `job` whenever it changes; the last one says how it ended. A job that is not there
    ends the stream with an event `problem`. Closing the connection does not stop the job.
    """
    try:
        async with aclosing(services.jobs.events(job_id)) as states:
            async for job in states:
                yield ServerSentEvent(event="job", raw_data=to_schema(job).model_dump_json())
    except Exception as error:
        yield problems.as_event(error)


@router.delete("/{job_id}", summary="Cancel a job")
async def cancel_job(
    job_id: JobId,
    services: AppServices,
    release: Annotated[
        bool, Query(description="Give up the own interest alone: it stops once all who asked for it have done so.")
    ] = False,
) -> Job:
    """Stop a job that waits or runs; one that has ended stays as it is. The same request takes it up again."""
    return to_schema(await (services.jobs.release(job_id) if release else services.jobs.cancel(job_id)))
