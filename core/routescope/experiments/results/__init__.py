"""The results of all experiments: the papers' claims beside ours, with a verdict by one rule."""

from routescope.experiments.results.rule import RULE, VERDICTS, Verdict
from routescope.experiments.results.table import (
    Result,
    RunSummary,
    Unreadable,
    as_json,
    as_markdown,
    duration,
    headline,
    in_words,
    results,
)

__all__ = [
    "RULE",
    "VERDICTS",
    "Result",
    "RunSummary",
    "Unreadable",
    "Verdict",
    "as_json",
    "as_markdown",
    "duration",
    "headline",
    "in_words",
    "results",
]
