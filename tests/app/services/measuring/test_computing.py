"""How long evaluations will take: what room they are let in by."""

from pathlib import Path

import pytest

from routescope.routing import Intervention
from routescope_app.services.measuring.computing import FADING, GUESS_SECONDS, Pace, share_of_iterations
from tests.app.serving import MODEL, client_of, running, settings


async def test_what_evaluations_take_is_told_by_the_last_pieces(tmp_path: Path) -> None:
    async with running(settings(tmp_path)) as app, client_of(app) as client:
        computing, info = app.state.services.computing, app.state.services.inference.info(MODEL)
        before = computing.seconds(info, 1_000)
        body = {"model": MODEL, "samples": 60, "intervention": {"drop": ["f1"]}}
        assert (await client.post("/api/v1/evaluations", json=body)).status_code == 200
        assert before == pytest.approx(1_000 * GUESS_SECONDS) and 0 < computing.seconds(info, 1_000) != before
    pace = Pace()
    for seconds in (1.0, 1.0, 4.0):
        pace.note(info, 10, seconds)
    weights = [FADING**2, FADING, 1.0]
    expected = (weights[0] + weights[1] + 4 * weights[2]) / (10 * sum(weights))
    assert pace.seconds(info, 5) == pytest.approx(5 * expected)
    half = share_of_iterations(info, Intervention(iterations=1))
    assert half == 1 / info.iterations and share_of_iterations(info, Intervention()) == 1
