"""What a check finds: whether an invariant held, failed (and what to look at) or does not apply (and why)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Verdict = Literal["held", "failed", "not applicable"]


@dataclass(frozen=True)
class Outcome:
    """What a check found of one invariant.

    Attributes:
        verdict: whether it held.
        words: what was looked at, what to look at, or why it does not apply.
        figures: numbers behind the words, by name.
    """

    verdict: Verdict
    words: str
    figures: Mapping[str, float] = field(default_factory=dict)


def held(words: str, **figures: float) -> Outcome:
    """The invariant held; ``words`` say of what."""
    return Outcome("held", words, figures)


def failed(words: str, **figures: float) -> Outcome:
    """The invariant failed; ``words`` say where, and what to look at."""
    return Outcome("failed", words, figures)


def not_applicable(words: str) -> Outcome:
    """There is nothing to check; ``words`` say why."""
    return Outcome("not applicable", words)


@dataclass(frozen=True)
class Finding:
    """An invariant, by its short name and in a sentence, and what was found of it."""

    name: str
    sentence: str
    outcome: Outcome

    @property
    def verdict(self) -> Verdict:
        """Whether it held."""
        return self.outcome.verdict

    @property
    def words(self) -> str:
        """What was looked at, what to look at, or why it does not apply."""
        return self.outcome.words


@dataclass(frozen=True)
class Report:
    """What was found of every invariant, in the order in which they were checked, on so many samples."""

    findings: Sequence[Finding]
    samples: int

    @property
    def held(self) -> bool:
        """Whether none failed."""
        return all(finding.verdict != "failed" for finding in self.findings)

    def __getitem__(self, name: str) -> Finding:
        """The finding of this name; raises KeyError where there is none."""
        return {finding.name: finding for finding in self.findings}[name]

    def to_dict(self) -> dict[str, Any]:
        """The report as plain values, for JSON."""
        checks = [
            {"name": each.name, "sentence": each.sentence, **asdict(each.outcome)}  # figures are plain numbers
            for each in self.findings
        ]
        return {"held": self.held, "samples": self.samples, "checks": checks}
