"""How far a long computation has come, told to whoever asked for it, and parts of it as parts of the whole."""

from collections.abc import Callable

#: Called with (done, total, what is being done); an exception that it raises cancels.
Progress = Callable[[int, int, str], None]
#: What counts as all of a computation that is told in parts.
TOTAL = 1000


def part(progress: Progress, start: int, stop: int) -> Progress:
    """Progress of a part of a computation, as progress from ``start`` to ``stop`` of the whole, which is ``TOTAL``."""

    def report(done: int, total: int, what: str) -> None:
        progress(start + (stop - start) * min(done, total) // max(1, total), TOTAL, what)

    return report
