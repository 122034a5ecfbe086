"""Cache of per-sample scores in the database, keyed by a hash of their dependencies; bounded by bytes."""

import logging
from collections.abc import Mapping
from datetime import timedelta

import numpy as np
from sqlalchemy import delete, func, select, update

from routescope.nn.measures import Measure
from routescope.routing.caused.scores import Scores
from routescope_app.services.store import ScoreRow, Store, now

log = logging.getLogger(__name__)
#: Least time between two updates of a row's last use.
USE_GRAIN = timedelta(minutes=5)
#: Largest number of keys in one statement.
MOST_KEYS = 500


class ScoreStore:
    """Scores of earlier runs."""

    def __init__(self, store: Store, most_bytes: int) -> None:
        self._store = store
        self._most_bytes = most_bytes

    def get(self, measures: Mapping[str, Measure]) -> dict[str, Scores]:
        """Return the stored scores among the keys of ``measures``.

        Rows of accuracy that an older version stored without confidence are left out, so that they are scored again.
        """
        wanted, stored = list(measures), {}
        moment, stale = now(), []
        with self._store.reading() as session:
            for start in range(0, len(wanted), MOST_KEYS):
                chosen = wanted[start : start + MOST_KEYS]
                complete = ScoreRow.value.is_not(None) | ScoreRow.confidence.is_not(None)
                for row in session.scalars(select(ScoreRow).where(ScoreRow.key.in_(chosen), complete)):
                    stored[row.key] = _scores(row, measures[row.key])
                    if moment - row.used > USE_GRAIN:
                        stale.append(row.key)
        if stale:
            with self._store.exclusive("scores") as session:
                session.execute(update(ScoreRow).where(ScoreRow.key.in_(stale)).values(used=moment))
        return stored

    def put(self, scores: Mapping[str, Scores]) -> None:
        """Store scores. Errors are logged, because a cache never costs an answer."""
        try:
            with self._store.exclusive("scores") as session:  # another process may store the same scores
                for key, part_scores in scores.items():
                    session.merge(_row(key, part_scores))
            self._evict()
        except Exception:
            log.exception("scores could not be stored")

    def _evict(self) -> None:
        """Remove the least recently used rows beyond the limit."""
        with self._store.reading() as session:
            excess = int(session.scalar(select(func.coalesce(func.sum(ScoreRow.bytes), 0))) or 0) - self._most_bytes
            if excess <= 0:
                return
            gone = []
            for key, size in session.execute(select(ScoreRow.key, ScoreRow.bytes).order_by(ScoreRow.used)):
                if excess <= 0:
                    break
                gone.append(key)
                excess -= size
        with self._store.exclusive("scores") as session:
            for start in range(0, len(gone), MOST_KEYS):
                session.execute(delete(ScoreRow).where(ScoreRow.key.in_(gone[start : start + MOST_KEYS])))


def _row(key: str, scores: Scores) -> ScoreRow:
    correct, value, weight = b"", None, None
    if scores.measure.share:
        correct = np.packbits(scores.correct.astype(bool)).tobytes()
    else:
        value, weight = (np.ascontiguousarray(array, dtype="<f4").tobytes() for array in (scores.value, scores.weights))
    loss = np.ascontiguousarray(scores.loss, dtype="<f4").tobytes()
    predicted = np.ascontiguousarray(scores.predicted, dtype="<i2").tobytes()
    # Empty: the head gives no confidence. NULL: an older version stored the row.
    confidence = b"" if scores.confidence is None else np.ascontiguousarray(scores.confidence, dtype="<f4").tobytes()
    return ScoreRow(
        key=key,
        count=scores.count,
        correct=correct,
        loss=loss,
        predicted=predicted,
        measure=None if scores.measure.share else scores.measure.name,
        value=value,
        weight=weight,
        confidence=confidence,
        seconds=float(scores.seconds),
        bytes=sum(len(data) for data in (correct, value, weight, loss, predicted, confidence) if data) + len(key),
        used=now(),
    )


def _scores(row: ScoreRow, measure: Measure) -> Scores:
    if row.value is None:
        value = np.unpackbits(np.frombuffer(row.correct, np.uint8), count=row.count).astype(bool)
    else:
        value = np.frombuffer(row.value, "<f4").astype(np.float32)
    return Scores(
        value=value,
        loss=np.frombuffer(row.loss, "<f4").astype(np.float32),
        predicted=np.frombuffer(row.predicted, "<i2").astype(np.int16),
        seconds=row.seconds,
        weight=None if row.weight is None else np.frombuffer(row.weight, "<f4").astype(np.float32),
        measure=measure,
        confidence=np.frombuffer(row.confidence, "<f4").astype(np.float32) if row.confidence else None,
    )
