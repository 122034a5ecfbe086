"""Results of the papers' experiments, from the bundled records and those of the data folder."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path as FilePath
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response

from routescope.experiments.results import RULE, Result, duration, headline, results
from routescope.experiments.results.compare import UnknownRecord, compare_records, difference_in_words
from routescope.experiments.results.quick import SECONDS, why_not
from routescope.experiments.results.rule import Judged
from routescope.experiments.results.table import CLAIMS, interval, number
from routescope.experiments.shared.schema import OWN_RECORDS, RecordError, record_files
from routescope_app.api.common import PNG, AppServices, content
from routescope_app.api.routes.jobs import STARTS_JOB, submitted
from routescope_app.api.schemas.base import JobId
from routescope_app.api.schemas.experiments import (
    EXPERIMENT_PATTERN,
    RECORD_PATTERN,
    DrawnFigure,
    DrawnFigures,
    ExperimentResult,
    ExperimentResults,
    RecordComparison,
    Reproduction,
    UnreadableRecord,
)
from routescope_app.api.schemas.jobs import Job, ReproductionRequest
from routescope_app.services.errors import NotAccepted, NotFound, sentence

router = APIRouter(tags=["results"])
Stamps = tuple[tuple[FilePath, int], ...]
ExperimentId = Annotated[str, Path(pattern=EXPERIMENT_PATTERN)]
RecordName = Annotated[str, Query(pattern=RECORD_PATTERN, description="Name of a record, or its beginning.")]


@router.get("/results", summary="Compare the papers' numbers with ours")
async def list_results(services: AppServices) -> ExperimentResults:
    """Every experiment of the papers, also those without a run: printed numbers beside ours, and a computed verdict.

    Records of the data folder count, too; their names begin with `own/`.
    """
    own = services.settings.data_dir / OWN_RECORDS
    return await asyncio.to_thread(lambda: _results(own, _stamps(own)))


def _stamps(own: FilePath) -> Stamps:
    return tuple((path, path.lstat().st_mtime_ns) for folder in (None, own) for path in record_files(folder))


@lru_cache(maxsize=1)
def _results(own: FilePath, _stamps: Stamps) -> ExperimentResults:
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


# -- figures ---------------------------------------------------------------------------------------------------

FIGURE_FILES = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": PNG}
#: An SVG that is opened as a page has styles and nothing else.
FIGURE_HEADERS = {
    "Cache-Control": "private, no-cache",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
}


def _without_windows() -> None:
    import matplotlib

    matplotlib.use("agg")


#: One thread draws: matplotlib's style belongs to the process.
_DRAWING = ThreadPoolExecutor(1, "figures", _without_windows)


@router.get("/results/{experiment}/figures", summary="List the drawn figures of an experiment")
async def list_figures(experiment: ExperimentId, services: AppServices) -> DrawnFigures:
    """Figures and tables of the paper that are drawn from the experiment's records, also from your own."""
    if experiment not in CLAIMS:
        raise NotFound(f"There is no experiment {experiment!r}; `GET /results` lists them.")
    own = services.settings.data_dir / OWN_RECORDS
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_DRAWING, lambda: _figures(experiment, own, _stamps(own)))


@lru_cache(maxsize=64)
def _figures(experiment: str, own: FilePath, _stamps: Stamps) -> DrawnFigures:
    from routescope.experiments.printed.figures import FIGURES, drawn
    from routescope.experiments.printed.frame import NotDrawn

    items = []
    for entry in FIGURES:
        if entry.experiment == experiment and entry.draw is not None:
            try:
                drawing, differs = drawn(entry.id, (own,))
            except NotDrawn:  # there is no record of the experiment
                continue
            width, height = (72 * inches for inches in drawing.get_size_inches())
            items.append(
                DrawnFigure(
                    id=entry.id,
                    number=entry.number,
                    title=entry.title,
                    shows=entry.shows,
                    differs=differs,
                    width=width,
                    height=height,
                )
            )
    return DrawnFigures(items=items)


@router.get(
    "/figures/{figure_id}",
    response_class=Response,
    responses=content(*FIGURE_FILES.values()),
    summary="Draw a figure of a paper",
)
async def get_figure(
    figure_id: Annotated[str, Path(pattern=EXPERIMENT_PATTERN)],
    services: AppServices,
    form: Annotated[Literal["svg", "pdf", "png"], Query(alias="format")] = "svg",
) -> Response:
    """The file that `routescope figure` writes, from the bundled records and your own."""
    own = services.settings.data_dir / OWN_RECORDS
    loop = asyncio.get_running_loop()
    drawing = await loop.run_in_executor(_DRAWING, lambda: _figure_file(figure_id, form, own, _stamps(own)))
    name = {"Content-Disposition": f'inline; filename="{figure_id}.{form}"'}
    return Response(drawing, media_type=FIGURE_FILES[form], headers=FIGURE_HEADERS | name)


@lru_cache(maxsize=64)
def _figure_file(figure_id: str, form: str, own: FilePath, _stamps: Stamps) -> bytes:
    from routescope.experiments.printed import figures
    from routescope.experiments.printed.frame import NotDrawn

    try:
        return figures.content(figure_id, form, (own,))
    except NotDrawn as problem:
        raise NotFound(sentence(problem)) from None


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
