"""A line of the log for every error that is answered, under its id; bounded, as anybody can cause errors."""

import logging
import time

log = logging.getLogger(__name__)
#: Lines a minute of each kind of problem; further ones are counted in the next line of that kind.
LINES_A_MINUTE = 30
#: Characters of an address and of a detail that are written.
LONGEST_PATH, LONGEST_DETAIL = 200, 300


class Lines:
    """How many lines there were in this minute, and how many were left out."""

    def __init__(self) -> None:
        self._began = -60.0
        self._written = self._left_out = 0

    def left_out(self) -> int | None:
        """How many lines were left out before the one that may be written now; None where it may not."""
        if time.monotonic() - self._began >= 60:
            self._began, self._written = time.monotonic(), 0
        if self._written >= LINES_A_MINUTE:
            self._left_out += 1
            return None
        self._written += 1
        before, self._left_out = self._left_out, 0
        return before


_lines: dict[str, Lines] = {}


def plain(text: str, longest: int) -> str:
    """One line of printable ASCII, shortened: nobody writes lines of their own into the log."""
    return text[:longest].encode("unicode_escape").decode() + ("..." if len(text) > longest else "")


def write(status: int, kind: str, instance: str, request: str, detail: str, address: str = "") -> None:
    """The line of one problem.

    Args:
        kind: end of the problem's type; each has its own bound.
        request: method and path, without the query.
        address: who asked, as far as it is known.
    """
    before = _lines.setdefault(kind, Lines()).left_out()
    if before is None:
        return
    whose = f" from {plain(address, 60)}" if address else ""
    more = f" ({before} more were not written)" if before else ""
    asked, why = plain(request, LONGEST_PATH), plain(detail, LONGEST_DETAIL)
    log.warning("%s %s %s: %s%s: %s%s", instance, status, kind, asked, whose, why, more)
