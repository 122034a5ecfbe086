"""Results of the papers' experiments, from the bundled records."""

import asyncio
from functools import lru_cache
from pathlib import Path
from typing import Any

from fastapi import APIRouter

from routescope.experiments.results import RULE, Result, headline, results
from routescope.experiments.results.table import interval, number
from routescope.experiments.shared.schema import record_files
from routescope_app.api.schemas.experiments import ExperimentResult, ExperimentResults

router = APIRouter(prefix="/results", tags=["results"])


@router.get("", summary="Compare the papers' numbers with ours")
async def list_results() -> ExperimentResults:
    """Every experiment of the papers, also those without a run: printed numbers beside ours, and a computed verdict."""
    return await asyncio.to_thread(lambda: _results(_stamps()))


def _stamps() -> tuple[tuple[Path, int], ...]:
    return tuple((path, path.stat().st_mtime_ns) for path in record_files())


@lru_cache(maxsize=1)
def _results(_stamps: tuple[tuple[Path, int], ...]) -> ExperimentResults:
    """Return the results; records are read again only after one of their files changed."""
    return ExperimentResults(
        rule=list(RULE), items=[ExperimentResult.model_validate(_described(result)) for result in results()[0]]
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
    return vars(result) | {"claims": claims, "headline": first}
