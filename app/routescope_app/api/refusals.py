"""Log lines for all problems, under their ids; limited, as anybody can cause problems."""

import logging
import time

log = logging.getLogger(__name__)
#: Lines a minute of each kind of problem; further ones are counted in the next line of that kind.
LINES_A_MINUTE = 30
#: Characters of an address and of a detail that are written.
LONGEST_PATH, LONGEST_DETAIL = 200, 300


class Lines:
    """Numbers of lines in this minute, and of those left out."""

    def __init__(self) -> None:
        self._began = -60.0
        self._written = self._left_out = 0

    def left_out(self) -> int | None:
        """Return the number of lines left out before the next one; None if the next is left out too."""
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
    """One short line of printable ASCII, so that nobody can write further lines into the log."""
    return text[:longest].encode("unicode_escape").decode() + ("..." if len(text) > longest else "")


def write(status: int, kind: str, instance: str, request: str, detail: str, address: str = "") -> None:
    """Log a problem.

    Args:
        kind: end of the problem's type; each has its own limit.
        request: method and path, without the query.
        address: of the client, if known.
    """
    before = _lines.setdefault(kind, Lines()).left_out()
    if before is None:
        return
    whose = f" from {plain(address, 60)}" if address else ""
    more = f" ({before} more were not written)" if before else ""
    asked, why = plain(request, LONGEST_PATH), plain(detail, LONGEST_DETAIL)
    log.warning("%s %s %s: %s%s: %s%s", instance, status, kind, asked, whose, why, more)
