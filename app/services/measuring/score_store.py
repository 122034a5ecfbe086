"""Per-sample scores in the database, found by the hash of what they depend on; bounded by bytes."""

import logging
from collections.abc import Iterable, Mapping
from datetime import timedelta

import numpy as np
from sqlalchemy import delete, func, select, update

from app.services.store import ScoreRow, Store, now
from core.routing.caused.scores import Scores

log = logging.getLogger(__name__)
#: A row's last use is written at most this often.
USE_GRAIN = timedelta(minutes=5)
#: Keys asked for in one statement.
MOST_KEYS = 500


class ScoreStore:
    """What was scored before."""

    def __init__(self, store: Store, most_bytes: int) -> None:
        self._store = store
        self._most_bytes = most_bytes

    def get(self, keys: Iterable[str]) -> dict[str, Scores]:
        """Those that are there."""
        wanted, found = list(dict.fromkeys(keys)), {}
        moment, stale = now(), []
        with self._store.reading() as session:
            for start in range(0, len(wanted), MOST_KEYS):
                chosen = wanted[start : start + MOST_KEYS]
                for row in session.scalars(select(ScoreRow).where(ScoreRow.key.in_(chosen))):
                    found[row.key] = _scores(row)
                    if moment - row.used > USE_GRAIN:
                        stale.append(row.key)
        if stale:
            with self._store.writing() as session:
                session.execute(update(ScoreRow).where(ScoreRow.key.in_(stale)).values(used=moment))
        return found

    def put(self, scores: Mapping[str, Scores]) -> None:
        """Keep those that say which samples are right; others, of heads with another measure, are computed again.

        A cache that cannot be written costs time, never an answer.
        """
        try:
            with self._store.writing() as session:
                for key, each in ((key, each) for key, each in scores.items() if each.measure.share):
                    session.merge(_row(key, each))
            self._evict()
        except Exception:
            log.exception("scores could not be kept")

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
        with self._store.writing() as session:
            for start in range(0, len(gone), MOST_KEYS):
                session.execute(delete(ScoreRow).where(ScoreRow.key.in_(gone[start : start + MOST_KEYS])))


def _row(key: str, scores: Scores) -> ScoreRow:
    correct = np.packbits(scores.correct.astype(bool)).tobytes()
    loss = np.ascontiguousarray(scores.loss, dtype="<f4").tobytes()
    predicted = np.ascontiguousarray(scores.predicted, dtype="<i2").tobytes()
    return ScoreRow(
        key=key,
        count=len(scores.correct),
        correct=correct,
        loss=loss,
        predicted=predicted,
        seconds=float(scores.seconds),
        bytes=len(correct) + len(loss) + len(predicted) + len(key),
        used=now(),
    )


def _scores(row: ScoreRow) -> Scores:
    return Scores(
        value=np.unpackbits(np.frombuffer(row.correct, np.uint8), count=row.count).astype(bool),
        loss=np.frombuffer(row.loss, "<f4").astype(np.float32),
        predicted=np.frombuffer(row.predicted, "<i2").astype(np.int16),
        seconds=row.seconds,
    )
