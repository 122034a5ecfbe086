"""Scores in the database: what was computed is found again bit for bit, by whatever measure."""

from pathlib import Path

import numpy as np
import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import text

from routescope.nn.measures import ACCURACY, R2, BitsASymbol, Measure
from routescope.routing.caused.scores import Scores
from routescope_app.services.measuring.score_store import ScoreStore
from routescope_app.services.store import MIGRATIONS, ScoreRow, Store, now

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
    (found,) = kept.get({"a": measure, "b": measure}).values()
    assert found.measure == measure and found.seconds == given.seconds
    for name in ("value", "loss", "predicted", "weights"):
        ours, theirs = getattr(given, name), getattr(found, name)
        assert ours.dtype == theirs.dtype and np.array_equal(ours, theirs), name
    assert (found.figure, found.interval) == (given.figure, given.interval)


def test_bytes_count_values_and_weights(store: Store) -> None:
    kept = ScoreStore(store, 300)
    kept.put({"a": scores_by(BitsASymbol())})
    with store.reading() as session:
        row = session.get(ScoreRow, "a")
    assert row is not None and row.bytes == COUNT * (4 + 4 + 4 + 2) + 1
    kept.put({"b": scores_by(BitsASymbol())})
    assert set(kept.get({"a": BitsASymbol(), "b": BitsASymbol()})) == {"b"}


def test_rows_of_an_earlier_schema_stay_readable(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'test.db'}")
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with store.engine.connect().execution_options(writes=True) as connection, connection.begin():
        config.attributes["connection"] = connection
        command.upgrade(config, "0002")
        given = scores_by(ACCURACY)
        row = {
            "key": "old", "count": COUNT, "correct": np.packbits(given.correct).tobytes(), "loss": given.loss.tobytes(),
            "predicted": given.predicted.tobytes(), "seconds": 1.0, "bytes": 70, "used": now().isoformat(sep=" "),
        }  # fmt: skip
        names = ", ".join(f'"{name}"' for name in row)
        places = ", ".join(f":{name}" for name in row)
        connection.execute(text(f"INSERT INTO scores ({names}) VALUES ({places})"), row)
    store.migrate()
    (found,) = ScoreStore(store, 10_000).get({"old": ACCURACY}).values()
    assert found.measure == ACCURACY and np.array_equal(found.correct, given.correct)
    assert np.array_equal(found.loss, given.loss) and np.array_equal(found.predicted, given.predicted)
    ScoreStore(store, 10_000).put({"new": scores_by(R2())})
    with store.engine.connect().execution_options(writes=True) as connection, connection.begin():
        config.attributes["connection"] = connection
        command.downgrade(config, "0002")
        assert list(connection.execute(text("SELECT key FROM scores")).scalars()) == ["old"]
