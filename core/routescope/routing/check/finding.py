"""Results of a check: an invariant held, failed (and what to look at) or does not apply (and why)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from routescope.nn.shown import html, shortened

Verdict = Literal["held", "failed", "not applicable"]


@dataclass(frozen=True)
class InvariantResult:
    """Result of one invariant.

    Attributes:
        verdict: whether the invariant held.
        words: the measured number, its limit and, after a failure, the place to look at; or why the invariant does not
            apply.
        figures: the measured numbers, by name.
        limits: the thresholds of some of the figures, by the same names.
    """

    verdict: Verdict
    words: str
    figures: Mapping[str, float] = field(default_factory=dict)
    limits: Mapping[str, float] = field(default_factory=dict)


def held(words: str, limits: Mapping[str, float] | None = None, **figures: float) -> InvariantResult:
    """Return the outcome of an invariant that held."""
    return InvariantResult("held", words, figures, limits or {})


def failed(words: str, limits: Mapping[str, float] | None = None, **figures: float) -> InvariantResult:
    """Return the outcome of an invariant that failed; ``words`` name the layer and say what to look at."""
    return InvariantResult("failed", words, figures, limits or {})


def not_applicable(words: str) -> InvariantResult:
    """Return the outcome of an invariant that does not apply; ``words`` say why."""
    return InvariantResult("not applicable", words)


@dataclass(frozen=True)
class Finding:
    """An invariant, by its short name and in a sentence, and its outcome."""

    name: str
    sentence: str
    outcome: InvariantResult

    @property
    def verdict(self) -> Verdict:
        """Whether the invariant held."""
        return self.outcome.verdict

    @property
    def words(self) -> str:
        """The words of the outcome."""
        return self.outcome.words


@dataclass(frozen=True)
class Report:
    """The findings of all invariants, in the order in which they were checked, and the number of samples."""

    findings: Sequence[Finding]
    samples: int

    @property
    def held(self) -> bool:
        """Whether none failed."""
        return all(finding.verdict != "failed" for finding in self.findings)

    def __repr__(self) -> str:
        """Return whether all held, and the names of the failed invariants."""
        names = tuple(finding.name for finding in self.findings if finding.verdict == "failed")
        return shortened("Report", {"held": self.held, "failed": names, "samples": self.samples})

    def _repr_html_(self) -> str:
        """Return a row for each invariant."""
        rows = ((finding.verdict, finding.sentence, finding.words) for finding in self.findings)
        return html(
            "Report", {"held": self.held, "samples": self.samples}, ("verdict", "what must hold", "measured"), rows
        )

    def __getitem__(self, name: str) -> Finding:
        """Return the finding of this name; raise KeyError without one."""
        return {finding.name: finding for finding in self.findings}[name]

    def to_dict(self) -> dict[str, Any]:
        """The report as plain values, for JSON."""
        checks = [
            {"name": finding.name, "sentence": finding.sentence, **_finite(asdict(finding.outcome))}
            for finding in self.findings
        ]
        return {"held": self.held, "samples": self.samples, "checks": checks}


def _finite(outcome: dict[str, Any]) -> dict[str, Any]:
    """Leave out figures that are NaN or infinite, which JSON has not."""
    return outcome | {"figures": {name: value for name, value in outcome["figures"].items() if math.isfinite(value)}}
