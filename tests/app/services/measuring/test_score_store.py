"""Scores in the database: what was computed is found again bit for bit, by whatever measure."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import update

from routescope.nn.measures import ACCURACY, R2, BitsASymbol, Measure
from routescope.routing.caused.scores import Scores
from routescope_app.services.measuring.score_store import ScoreStore
from routescope_app.services.store import ScoreRow, Store

COUNT = 11


def scores_by(measure: Measure) -> Scores:
    random = np.random.default_rng(0)
    value = random.normal(size=COUNT).astype(np.float32)
    return Scores(
        value=value > 0 if measure.share else value,
        loss=random.normal(size=COUNT).astype(np.float32),
        predicted=random.integers(-1, 9, COUNT).astype(np.int16),
        seconds=0.25,
        weight=None if measure.share else random.uniform(1, 6, COUNT).astype(np.float32),
        measure=measure,
        confidence=random.uniform(0.1, 1, COUNT).astype(np.float32) if measure.share else None,
    )


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(f"sqlite:///{tmp_path / 'test.db'}")
    store.migrate()
    return store


@pytest.mark.parametrize("measure", [ACCURACY, BitsASymbol(), R2(mean=0.5)], ids=lambda each: each.name)
def test_scores_are_found_as_they_were(store: Store, measure: Measure) -> None:
    kept, given = ScoreStore(store, 10_000), scores_by(measure)
    kept.put({"a": given})
    (result,) = kept.get({"a": measure, "b": measure}).values()
    assert result.measure == measure and result.seconds == given.seconds
    for name in ("value", "loss", "predicted", "weights"):
        ours, theirs = getattr(given, name), getattr(result, name)
        assert ours.dtype == theirs.dtype and np.array_equal(ours, theirs), name
    assert (given.confidence is None) == (result.confidence is None) == (not measure.share)
    assert given.confidence is None or np.array_equal(given.confidence, result.confidence)
    assert (result.figure, result.interval) == (given.figure, given.interval)


def test_accuracy_stored_without_confidence_is_scored_again(store: Store) -> None:
    cache, bits = ScoreStore(store, 10_000), BitsASymbol()
    cache.put({"a": scores_by(ACCURACY), "b": scores_by(bits)})
    with store.exclusive("scores") as session:
        session.execute(update(ScoreRow).values(confidence=None))
    assert set(cache.get({"a": ACCURACY, "b": bits})) == {"b"}
    cache.put({"a": scores_by(ACCURACY)})
    assert set(cache.get({"a": ACCURACY})) == {"a"}


def test_accuracy_of_a_head_without_confidence_is_found_again(store: Store) -> None:
    cache = ScoreStore(store, 10_000)
    cache.put({"a": replace(scores_by(ACCURACY), confidence=None)})
    (result,) = cache.get({"a": ACCURACY}).values()
    assert result.confidence is None and result.correct.any()


def test_bytes_count_values_and_weights(store: Store) -> None:
    kept = ScoreStore(store, 300)
    kept.put({"a": scores_by(BitsASymbol())})
    with store.reading() as session:
        row = session.get(ScoreRow, "a")
    assert row is not None and row.bytes == COUNT * (4 + 4 + 4 + 2) + 1
    kept.put({"b": scores_by(BitsASymbol())})
    assert set(kept.get({"a": BitsASymbol(), "b": BitsASymbol()})) == {"b"}
