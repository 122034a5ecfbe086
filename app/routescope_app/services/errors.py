"""Refusals of the services, in words for the person who asked."""

import re

#: Seconds after which a refused client is asked to come back.
RETRY_AFTER_SECONDS = 2
#: Characters of one word, such as a name that was sent, and of a whole detail; of longer ones the beginning is said.
LONGEST_WORD, LONGEST_DETAIL = 120, 1_200
_LONG = re.compile(rf"\S{{{LONGEST_WORD + 1},}}")


def shortened(text: str) -> str:
    """The text, with very long words cut."""
    text = _LONG.sub(lambda word: word[0][: LONGEST_WORD - 1] + "\u2026", text)
    return text if len(text) <= LONGEST_DETAIL else text[: LONGEST_DETAIL - 1] + "\u2026"


def sentence(error: Exception) -> str:
    """The message of an error of the core as one sentence, with a capital letter and a full stop."""
    text = " ".join(str(error).split())
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def named_sentence(error: Exception) -> str:
    """Return the message of an error of the core as a sentence that begins with a name, which stays unchanged."""
    text = " ".join(str(error).split())
    return text if text.endswith(".") else f"{text}."


class Refusal(Exception):
    """A request that is refused; ``detail`` says what was wrong and what would be accepted.

    Attributes:
        kind: stable short name of the problem, the end of its ``type``.
        title: of the kind of problem.
        status: HTTP status.
        retry_after: seconds after which a retry may succeed, or None.
    """

    kind = "refused"
    title = "Request refused"
    status = 400
    retry_after: int | None = None
    #: What of the kind it was, for who counts refusals; empty: the kind says it.
    reason = ""

    def __init__(self, detail: str) -> None:
        self.detail = shortened(detail)
        super().__init__(self.detail)


class NotFound(Refusal):
    kind, title, status = "not-found", "Not found", 404


class NotAccepted(Refusal):
    """The content of the request cannot be used."""

    kind, title, status = "not-accepted", "Content not accepted", 422


class ReadOnly(Refusal):
    kind, title, status = "read-only", "Sample is read-only", 403


class ServiceReadOnly(Refusal):
    """The service is read-only."""

    kind, title, status = "service-read-only", "To be looked at only", 403

    def __init__(self) -> None:
        super().__init__(
            "This service is there to be looked at: it keeps, changes and deletes nothing, and begins no jobs. Samples "
            "of its data sets can be traced and evaluated, and results that are there can be read."
        )


class NotComputedBefore(ServiceReadOnly):
    """A read-only service starts no jobs."""

    title = "Not computed in this demo"

    def __init__(self) -> None:
        Refusal.__init__(
            self, "This read-only demo begins no jobs. What was computed before it was set up is shown; this was not."
        )


class NotYours(Refusal):
    """Everybody may read it at its address, but only its owner may change it."""

    kind, title, status = "not-yours", "Not yours to change", 403


class TooLarge(Refusal):
    kind, title, status = "too-large", "Too large", 413


class StoreFull(Refusal):
    kind, title, status = "store-full", "No room left", 507


class Busy(Refusal):
    """Too much work is waiting already."""

    kind, title, status = "busy", "Too busy", 503

    def __init__(self, detail: str, reason: str = "", retry_after: int = RETRY_AFTER_SECONDS) -> None:
        super().__init__(detail)
        self.retry_after = retry_after
        self.reason = reason


class OutOfMemory(Busy):
    kind, title = "out-of-memory", "Not enough memory"


class Interrupted(Exception):
    """Work was ended from outside, for example because its process was killed.

    The work is not to blame, so a job waits and starts again. The message is for the log.
    """
