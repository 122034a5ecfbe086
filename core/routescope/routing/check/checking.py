"""Every invariant checked on a network, in seconds on a CPU."""

from collections.abc import Callable, Sequence

from routescope.nn.adapters.exploring import FAILURES
from routescope.nn.adapters.interception import IncompleteRouting
from routescope.nn.inputs.kind import Inputs
from routescope.nn.network import Network
from routescope.routing.check.finding import Finding, InvariantResult, Report, failed, not_applicable
from routescope.routing.check.invariants import INVARIANTS, Invariant
from routescope.routing.check.subject import Subject
from routescope.routing.listening import IncompleteTrace


def check(model: Network, batches: Sequence[Inputs], progress: Callable[[int, int], None] | None = None) -> Report:
    """Check every invariant: most on a few samples of the first batch, loads and dead units on all samples.

    Without finite weights and answers no other invariant applies.

    Args:
        model: any network; it gets no hooks, and none of its parameters changes.
        batches: samples as the network takes them, such as a data set's ``inputs`` of each domain.
        progress: called with (invariants done, number of invariants); an exception that it raises cancels.

    Raises:
        ValueError: no samples.
    """
    subject, findings = Subject.of(model, batches), list[Finding]()
    for invariant in INVARIANTS:
        finite = not findings or findings[0].verdict == "held"
        outcome = _outcome(invariant, subject) if finite else not_applicable(f"`{findings[0].name}` failed")
        findings.append(Finding(invariant.name, invariant.sentence, outcome))
        if progress is not None:
            progress(len(findings), len(INVARIANTS))
    return Report(findings, subject.samples)


def _outcome(invariant: Invariant, subject: Subject) -> InvariantResult:
    try:
        return invariant.look(subject)
    except IncompleteTrace as error:  # the invariant "captured" has failed with it
        return not_applicable(f"not everything is recorded: {error}")
    except IncompleteRouting as error:  # "captured" tries a drop, too
        return not_applicable(f"routing cannot be followed: {error}")
    except FAILURES as error:
        words = " ".join(str(error).split())[:200]
        return failed(f"the model raised {type(error).__name__}: {words}; look at what it does with these samples")
