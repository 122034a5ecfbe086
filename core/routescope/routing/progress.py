"""Progress of a long computation, reported to the caller; and its pieces, which may wait for their turns."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Protocol, TypeVar

T = TypeVar("T")
#: Called with (done, total, what is being done); an exception that it raises cancels.
Progress = Callable[[int, int, str], None]
#: The total of a computation whose parts report progress.
TOTAL = 1000


def part(progress: Progress, start: int, stop: int) -> Progress:
    """Return the progress of a part of a computation, from ``start`` to ``stop`` of the whole, which is ``TOTAL``."""

    def report(done: int, total: int, what: str) -> None:
        progress(start + (stop - start) * min(done, total) // max(1, total), TOTAL, what)

    return report


class PieceRunner(Protocol):
    """Runs one piece of a computation, such as a batch; others may compute before and after it."""

    def __call__(self, piece: Callable[[], T]) -> T: ...


def at_once(piece: Callable[[], T]) -> T:
    """Run a piece here and now; see ``PieceRunner``."""
    return piece()


def in_turns(pieces: Iterable[T], turn: PieceRunner = at_once) -> Iterator[T]:
    """Yield the pieces, none of them None, each computed in its own turn."""
    rest = iter(pieces)
    while (piece := turn(partial(next, rest, None))) is not None:
        yield piece
