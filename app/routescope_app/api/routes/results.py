"""Results of the papers' experiments, from the bundled records and those of the data folder."""

import asyncio
from functools import lru_cache
from pathlib import Path as FilePath
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response

from routescope.experiments.results import RULE, Result, duration, headline, results
from routescope.experiments.results.compare import UnknownRecord, compare_records, difference_in_words
from routescope.experiments.results.quick import SECONDS, why_not
from routescope.experiments.results.rule import Judged
from routescope.experiments.results.table import interval, number
from routescope.experiments.shared.schema import OWN_RECORDS, RecordError, record_files
from routescope_app.api.common import AppServices
from routescope_app.api.routes.jobs import STARTS_JOB, submitted
from routescope_app.api.schemas.base import JobId
from routescope_app.api.schemas.experiments import (
    EXPERIMENT_PATTERN,
    RECORD_PATTERN,
    ExperimentResult,
    ExperimentResults,
    RecordComparison,
    Reproduction,
    UnreadableRecord,
)
from routescope_app.api.schemas.jobs import Job, ReproductionRequest
from routescope_app.services.errors import NotAccepted, NotFound, sentence

router = APIRouter(tags=["results"])
ExperimentId = Annotated[str, Path(pattern=EXPERIMENT_PATTERN)]
RecordName = Annotated[str, Query(pattern=RECORD_PATTERN, description="Name of a record, or its beginning.")]


@router.get("/results", summary="Compare the papers' numbers with ours")
async def list_results(services: AppServices) -> ExperimentResults:
    """Every experiment of the papers, also those without a run: printed numbers beside ours, and a computed verdict.

    Records of the data folder count, too; their names begin with `own/`.
    """
    own = services.settings.data_dir / OWN_RECORDS
    return await asyncio.to_thread(lambda: _results(own, _stamps(own)))


def _stamps(own: FilePath) -> tuple[tuple[FilePath, int], ...]:
    return tuple((path, path.lstat().st_mtime_ns) for folder in (None, own) for path in record_files(folder))


@lru_cache(maxsize=1)
def _results(own: FilePath, _stamps: tuple[tuple[FilePath, int], ...]) -> ExperimentResults:
    """Return the results; records are read again only after one of their files changed."""
    table, unreadable = results((own,))
    return ExperimentResults(
        rule=list(RULE),
        items=[ExperimentResult.model_validate(_described(result)) for result in table],
        unreadable=[UnreadableRecord(**vars(entry)) for entry in unreadable],
    )


@router.get("/results/{experiment}/comparison", summary="Compare two records")
async def compare_results(
    experiment: ExperimentId, a: RecordName, b: RecordName, services: AppServices
) -> RecordComparison:
    """Two records of an experiment, claim by claim, and what differs: settings, data, seeds, machine, revisions."""
    own = services.settings.data_dir / OWN_RECORDS
    try:
        compared = await asyncio.to_thread(compare_records, experiment, a, b, (own,))
    except UnknownRecord as problem:
        raise NotFound(sentence(problem)) from None
    except RecordError as problem:
        raise NotAccepted(sentence(problem)) from None
    claims = [
        vars(entry)
        | {"what": entry.claim.what, "source": entry.claim.source, "words": difference_in_words(entry)}
        | {"a": _claim(entry.a), "b": _claim(entry.b)}
        for entry in compared.claims
    ]
    return RecordComparison.model_validate(vars(compared) | {"claims": claims, "facts": [*map(vars, compared.facts)]})


def _claim(judged: Judged) -> dict[str, Any]:
    claim = judged.claim
    return vars(judged) | {
        "what": claim.what,
        "source": claim.source,
        "on": claim.on,
        "printed": claim.printed,
        "printed_words": number(claim.printed, claim),
        "words": number(judged.value, claim),
        "trainings_words": interval(judged.trainings, claim),
        "samples_words": interval(judged.samples, claim),
        "samples_of": "samples" if claim.sampled is None else claim.sampled.of,
    }


def _described(result: Result) -> dict[str, Any]:
    claims = [_claim(judged) for judged in result.claims]
    first = result.claims.index(headline(result))
    runs = [vars(run) | {"time": duration(run.seconds)} for run in result.runs]
    quick = {"quick_time": duration(SECONDS[result.id]), "quick_refused": why_not(result.id)}
    return vars(result) | quick | {"claims": claims, "headline": first, "runs": runs, "time": duration(result.seconds)}


# -- quick runs ------------------------------------------------------------------------------------------------


@router.post("/reproductions", **STARTS_JOB, summary="Run an experiment quickly")
async def create_reproduction(body: ReproductionRequest, services: AppServices, response: Response) -> Job:
    """Start a job that runs an experiment with its quick settings, and keeps its record beside the user's own.

    The same request is the same job. 200: it ran, and its record is there.
    """
    job = await submitted(services, "reproduction", body, response)
    if job.state == "done":
        await get_reproduction(job.id, services)
    return job


@router.get("/reproductions/{job_id}", summary="Read the name of a quick run's record")
async def get_reproduction(job_id: JobId, services: AppServices) -> Reproduction:
    """The record is among those of `GET /results`; a deleted one is there again."""
    folder = await services.jobs.result(job_id, "reproduction")
    return Reproduction(file=f"own/{await asyncio.to_thread(services.reproductions.keep, folder)}")
