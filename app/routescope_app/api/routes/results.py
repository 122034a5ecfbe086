"""Results of the papers' experiments, from the bundled records and those of the data folder."""

import asyncio
from functools import lru_cache
from pathlib import Path
from typing import Any

from fastapi import APIRouter

from routescope.experiments.results import RULE, Result, duration, headline, results
from routescope.experiments.results.table import interval, number
from routescope.experiments.shared.schema import OWN_RECORDS, record_files
from routescope_app.api.common import AppServices
from routescope_app.api.schemas.experiments import ExperimentResult, ExperimentResults, UnreadableRecord

router = APIRouter(prefix="/results", tags=["results"])


@router.get("", summary="Compare the papers' numbers with ours")
async def list_results(services: AppServices) -> ExperimentResults:
    """Every experiment of the papers, also those without a run: printed numbers beside ours, and a computed verdict.

    Records of the data folder count, too; their names begin with `own/`.
    """
    own = services.settings.data_dir / OWN_RECORDS
    return await asyncio.to_thread(lambda: _results(own, _stamps(own)))


def _stamps(own: Path) -> tuple[tuple[Path, int], ...]:
    return tuple((path, path.lstat().st_mtime_ns) for folder in (None, own) for path in record_files(folder))


@lru_cache(maxsize=1)
def _results(own: Path, _stamps: tuple[tuple[Path, int], ...]) -> ExperimentResults:
    """Return the results; records are read again only after one of their files changed."""
    table, unreadable = results((own,))
    return ExperimentResults(
        rule=list(RULE),
        items=[ExperimentResult.model_validate(_described(result)) for result in table],
        unreadable=[UnreadableRecord(**vars(entry)) for entry in unreadable],
    )


def _described(result: Result) -> dict[str, Any]:
    claims = [
        {
            "what": judged.claim.what,
            "source": judged.claim.source,
            "on": judged.claim.on,
            "printed": judged.claim.printed,
            "printed_words": number(judged.claim.printed, judged.claim),
            "words": number(judged.value, judged.claim),
            "trainings_words": interval(judged.trainings, judged.claim),
            "samples_words": interval(judged.samples, judged.claim),
            "samples_of": "samples" if judged.claim.sampled is None else judged.claim.sampled.of,
        }
        | {name: value for name, value in vars(judged).items() if name != "claim"}
        for judged in result.claims
    ]
    first = result.claims.index(headline(result))
    runs = [vars(run) | {"time": duration(run.seconds)} for run in result.runs]
    return vars(result) | {"claims": claims, "headline": first, "runs": runs, "time": duration(result.seconds)}
