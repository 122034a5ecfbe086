"""Results of the papers' experiments, from the bundled records and those of the data folder."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path as FilePath
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from routescope.experiments.results import RULE, Result, duration, headline, results
from routescope.experiments.results.compare import UnknownRecord, compare_records, difference_in_words, record_named
from routescope.experiments.results.links import NUMBERS, cell_in_words, link_of, tables_of
from routescope.experiments.results.quick import SECONDS, why_not
from routescope.experiments.results.rule import Judged
from routescope.experiments.results.table import CLAIMS, interval, number
from routescope.experiments.shared.schema import OWN_RECORDS, RecordError, record_files
from routescope_app.api.common import PNG, UNCHANGED, AppServices, content, is_current, tagged
from routescope_app.api.routes.jobs import STARTS_JOB, submitted
from routescope_app.api.schemas.base import JobId
from routescope_app.api.schemas.experiments import (
    EXPERIMENT_PATTERN,
    RECORD_PATTERN,
    DrawnFigure,
    DrawnFigures,
    ExperimentResults,
    MissingFigure,
    RecordComparison,
    RecordRows,
    Reproduction,
)
from routescope_app.api.schemas.jobs import Job, ReproductionRequest
from routescope_app.services.container import Services
from routescope_app.services.errors import NotAccepted, NotFound, sentence

router = APIRouter(tags=["results"])
Stamps = tuple[tuple[FilePath, int], ...]
ExperimentId = Annotated[str, Path(pattern=EXPERIMENT_PATTERN)]
MOST_ROWS = 1_000_000
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
    items = [_described(result) for result in table]
    return ExperimentResults.model_validate({"rule": RULE, "items": items, "unreadable": unreadable})


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
    return RecordComparison.model_validate(vars(compared) | {"claims": claims})


@router.get("/results/{experiment}/rows", summary="Read the rows of a record")
async def list_rows(
    experiment: ExperimentId,
    record: RecordName,
    services: AppServices,
    table: Annotated[str, Query(max_length=80, description="Name of a table of the record.")] = NUMBERS,
    find: Annotated[str, Query(max_length=80, description="Text that a cell has.")] = "",
    offset: Annotated[int, Query(ge=0, le=MOST_ROWS)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> RecordRows:
    """Figures and tables of a record, each row with the page that shows its model, data and intervention."""
    own = services.settings.data_dir / OWN_RECORDS
    try:
        file, read = await asyncio.to_thread(record_named, experiment, record, (own,))
    except UnknownRecord as problem:
        raise NotFound(sentence(problem)) from None
    except RecordError as problem:
        raise NotAccepted(sentence(problem)) from None
    tables = tables_of(read)
    if table not in tables:
        raise NotFound(f"{file} has no table {table!r}; it has {', '.join(tables)}.")
    columns = list(dict.fromkeys(name for row in tables[table] for name in row))
    words = [([cell_in_words(row.get(name)) for name in columns], row) for row in tables[table]]
    found = [(cells, row) for cells, row in words if not find or find.lower() in " ".join(cells).lower()]
    part = found[offset : offset + limit]
    links = await asyncio.to_thread(lambda: [link_of(CLAIMS[experiment], read, row) for _, row in part])
    items = [{"cells": cells, "link": link} for (cells, _), link in zip(part, links, strict=True)]
    rows = {"file": file, "tables": [*tables], "table": table, "columns": columns, "items": items, "total": len(found)}
    return RecordRows.model_validate(rows)


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
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
}


def _without_windows() -> None:
    import matplotlib

    matplotlib.use("agg")


#: One thread draws: matplotlib's style belongs to the process.
_DRAWING = ThreadPoolExecutor(1, "figures", _without_windows)


@router.get(
    "/results/{experiment}/figures",
    response_model=DrawnFigures,
    responses=UNCHANGED,
    summary="List the drawn figures of an experiment",
)
async def list_figures(experiment: ExperimentId, services: AppServices, request: Request) -> Response:
    """Figures and tables of the paper that are drawn from the experiment's records, also from your own."""
    if experiment not in CLAIMS:
        raise NotFound(f"There is no experiment {experiment!r}; `GET /results` lists them.")
    return await _listed(experiment, services, request)


@router.get(
    "/figures", response_model=DrawnFigures, responses=UNCHANGED, summary="List the drawn figures of no experiment"
)
async def list_other_figures(services: AppServices, request: Request) -> Response:
    """Figures of the papers about which no claim is tested: they are drawn from bundled models and priors."""
    return await _listed(None, services, request)


async def _listed(experiment: str | None, services: Services, request: Request) -> Response:
    own = services.settings.data_dir / OWN_RECORDS
    loop = asyncio.get_running_loop()
    figures = await loop.run_in_executor(_DRAWING, lambda: _figures(experiment, own, _stamps(own)))
    body = figures.model_dump_json().encode()
    headers = tagged(body)
    if is_current(request, headers):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


@lru_cache(maxsize=64)
def _figures(experiment: str | None, own: FilePath, _stamps: Stamps) -> DrawnFigures:
    from routescope.experiments.printed.figures import FIGURES, drawn
    from routescope.experiments.printed.frame import NotDrawn

    items, missing = list[DrawnFigure](), list[MissingFigure]()
    for entry in FIGURES:
        if entry.experiment != experiment or entry.draw is None:
            continue
        named = {"id": entry.id, "number": entry.number, "title": entry.title}
        try:
            drawing, differs = drawn(entry.id, (own,))
        except NotDrawn as problem:
            missing.append(MissingFigure(**named, why=sentence(problem)))
            continue
        width, height = (72 * inches for inches in drawing.get_size_inches())
        paper = entry.paper.short
        items.append(DrawnFigure(**named, paper=paper, shows=entry.shows, differs=differs, width=width, height=height))
    return DrawnFigures(items=items, missing=missing)


@router.get(
    "/figures/{figure_id}",
    response_class=Response,
    responses=content(*FIGURE_FILES.values()) | UNCHANGED,
    summary="Draw a figure of a paper",
)
async def get_figure(
    figure_id: Annotated[str, Path(pattern=EXPERIMENT_PATTERN)],
    services: AppServices,
    request: Request,
    form: Annotated[Literal["svg", "pdf", "png"], Query(alias="format")] = "svg",
) -> Response:
    """The file that `routescope figure` writes, from the bundled records and your own."""
    own = services.settings.data_dir / OWN_RECORDS
    loop = asyncio.get_running_loop()
    drawing = await loop.run_in_executor(_DRAWING, lambda: _figure_file(figure_id, form, own, _stamps(own)))
    headers = tagged(drawing) | FIGURE_HEADERS | {"Content-Disposition": f'inline; filename="{figure_id}.{form}"'}
    if is_current(request, headers):
        return Response(status_code=304, headers=headers)
    return Response(drawing, media_type=FIGURE_FILES[form], headers=headers)


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
