"""Models from folders of users, each opened in its own thread."""

import logging
import threading
import time
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TookLonger
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from routescope import zoo
from routescope.zoo import opened
from routescope.zoo.checkpoint import CheckpointError
from routescope_app.api.schemas.catalogue import LeftOut
from routescope_app.services.errors import Busy, named_sentence

#: Seconds, from the first request for it, for which the list of models waits for a folder that is being opened.
WAIT_SECONDS = 5.0

log = logging.getLogger(__name__)
#: Folders that are opened at the same time, and requests that wait for one.
AT_ONCE, WAITING = 4, 2
#: Whether this is a job, which waits for a model for as long as it takes.
is_job: ContextVar[bool] = ContextVar("is_job", default=False)
UNEXPECTED = "The model cannot be opened, for a reason that is in the log of the service"


@dataclass(frozen=True)
class _Opening:
    """A folder in one state of its files, the time when its opening began, and the result."""

    config: Path
    state: tuple[tuple[str, int, int], ...]
    since: float = field(default_factory=time.monotonic)
    future: "Future[zoo.ModelInfo]" = field(default_factory=Future)


class Openings:
    """Opens each folder once for each state of its files.

    Args:
        patience: seconds that a request for one model waits for its opening.
    """

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._openings: dict[str, _Opening] = {}
        self._lock = threading.Lock()
        self._turns = threading.Semaphore(AT_ONCE)
        self._waiting = threading.Semaphore(WAITING)

    def listed(self, wait: bool) -> tuple[list[zoo.ModelInfo], list[LeftOut]]:
        """Return the open models, and the others with the reason; ``wait`` for those that have just begun."""
        openings = {model_id: self._of(model_id, config) for model_id, config in zoo.opened_configs().items()}
        ready, left_out = [], []
        for model_id, opening in openings.items():
            rest = opening.since + WAIT_SECONDS - time.monotonic() if wait else 0.0
            try:
                ready.append(opening.future.result(max(0.0, rest)))
            except TookLonger:
                left_out.append(LeftOut(model=model_id, reason=f"{model_id} is being opened.", opening=True))
            except CheckpointError as error:
                left_out.append(LeftOut(model=model_id, reason=named_sentence(error), opening=False))
        return ready, left_out

    def info(self, model_id: str, config: Path) -> zoo.ModelInfo:
        """Return facts about one model; raises CheckpointError if it cannot be opened, Busy until it is open."""
        future = self._of(model_id, config).future
        if future.done() or is_job.get():
            return future.result()
        busy = Busy(f"The model {model_id} is being opened; please ask again in a moment.", "opening")
        if not self._waiting.acquire(blocking=False):
            raise busy
        try:
            return future.result(self._patience)
        except TookLonger:
            raise busy from None
        finally:
            self._waiting.release()

    def _of(self, model_id: str, config: Path) -> _Opening:
        """The opening of a folder; starts it if there is none for this state of its files."""
        state = opened.state(config)
        with self._lock:
            opening = self._openings.get(model_id)
            if opening is None or (opening.config, opening.state) != (config, state):
                opening = self._openings[model_id] = _Opening(config, state)
                work = threading.Thread(
                    target=self._open, args=(model_id, opening.future), name=f"opening-{model_id}", daemon=True
                )
                work.start()
        return opening

    def _open(self, model_id: str, future: "Future[zoo.ModelInfo]") -> None:
        with self._turns:
            try:
                future.set_result(zoo.info(model_id))
            except (CheckpointError, zoo.UnknownModel) as error:
                log.warning("model %s is left out: %s", model_id, error)
                future.set_exception(CheckpointError(str(error)))
            except BaseException:  # a thread that ends with an error would let those wait for ever who wait for it
                log.exception("model %s is left out", model_id)
                future.set_exception(CheckpointError(UNEXPECTED))
