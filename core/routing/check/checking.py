"""Every invariant checked on a network, in seconds on a CPU."""

from collections.abc import Callable, Sequence

from core.nn.inputs.kind import Inputs
from core.nn.network import Network
from core.routing.check.finding import Finding, Outcome, Report, not_applicable
from core.routing.check.invariants import INVARIANTS, Invariant
from core.routing.check.subject import Subject
from core.routing.listening import IncompleteTrace


def check(model: Network, batches: Sequence[Inputs], progress: Callable[[int, int], None] | None = None) -> Report:
    """Check every invariant; most of them on a few samples of the first batch, dead units on all samples.

    Args:
        model: any network; it gets no hooks, and none of its parameters changes.
        batches: samples as it takes them, such as a data set's ``inputs`` of each domain.
        progress: called with (invariants done, in all); an exception it raises cancels.

    Raises:
        ValueError: where there is no sample.
    """
    subject, findings = Subject.of(model, batches), list[Finding]()
    for invariant in INVARIANTS:
        findings.append(Finding(invariant.name, invariant.sentence, _looked(invariant, subject)))
        if progress is not None:
            progress(len(findings), len(INVARIANTS))
    return Report(findings, subject.samples)


def _looked(invariant: Invariant, subject: Subject) -> Outcome:
    try:
        return invariant.look(subject)
    except IncompleteTrace as error:  # what "captured" has said
        return not_applicable(f"not everything is reported: {error}")
