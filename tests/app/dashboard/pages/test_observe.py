"""The Observe page's parts without a browser: what its address means, what its controls offer, what it says."""

import json
from typing import Any

import numpy as np
import pytest
import xarray as xr

from routescope.routing.observed import result as core_observation
from routescope_app.api.schemas.interventions import AppliedIntervention
from routescope_app.dashboard.figures.observation_numbers import dropped, null_over_steps, over_steps
from routescope_app.dashboard.pages.observe.page import Observations, ObserveView, caption, specialisation_numbers
from tests.app.dashboard.observations import STEPS, observed


def plain(parts: Any) -> str:
    return json.dumps(parts, default=lambda part: part.to_plotly_json())


def test_the_caption_names_samples_stand_ins_and_what_is_missing() -> None:
    outcome = observed("f2")
    outcome.variables["unmatched"].values = [0.0, 0.004, 0.0, 0.001, 0.0, 0.0]
    text = plain(caption(outcome))
    named = "60 of MNIST, 40 of Street digits"
    for words in ("100 samples", named, "stand-in data: Street digits", "abcdef01", "f2"):
        assert words in text
    assert "up to 0.4% of a step's tokens match no unit" in text
    outcome = observed()
    outcome.variables["unmatched"].values = [0.0] * len(STEPS)
    assert "match no unit" not in plain(caption(outcome)) and "dropped" not in plain(caption(outcome))


@pytest.mark.parametrize("steps", [(), ("i2",), ("i1", "i4", "i5")])
def test_specialisation_is_said_with_the_null_of_the_core_and_its_controls(steps: tuple[str, ...]) -> None:
    outcome = observed()
    draws = np.array(outcome.variables["specialisation_null_draws"].values)
    dataset = xr.Dataset({"specialisation_null_draws": (("shuffle", "step"), draws)}, {"step": STEPS})
    mean, high = core_observation.Observation(dataset).null_over(steps or None)
    assert null_over_steps(outcome, steps) == pytest.approx((mean, high))
    text = plain(specialisation_numbers(outcome, ObserveView(steps=steps)))
    assert f"{mean:.4f}, 95 % below {high:.4f}" in text
    for name in ("", "_position", "_feature"):
        assert f"{over_steps(outcome, f'specialisation{name}', steps):.4f}" in text
    if len(steps) != 1:
        assert high < over_steps(outcome, "specialisation_null_high", steps)
    bare = plain(specialisation_numbers(outcome.model_copy(update={"labels": []}), ObserveView(steps=steps)))
    assert "by label" not in bare and "shuffled" not in bare
    assert f"{over_steps(outcome, 'specialisation_position', steps):.4f}" in bare
    outcome.variables["specialisation_feature"].values = [None] * len(STEPS)
    assert "no number" in plain(specialisation_numbers(outcome, ObserveView()))


def test_a_unit_is_dropped_where_its_script_is() -> None:
    outcome = observed()
    assert not any(dropped(outcome)) and "several scripts" not in plain(caption(outcome))
    steps = [f"s{script}.i{step}" for script in (1, 2) for step in (1, 2, 3)]
    stacked = outcome.model_copy(update={"steps": steps, "intervention": AppliedIntervention(drop=["s1.f2"])})
    assert dropped(stacked, ["s1.i1", "s1.i3"]) == [False, True, False, False, False]
    assert not any(dropped(stacked)) and not any(dropped(stacked, ["s2.i1"]))
    assert "several scripts" in plain(caption(stacked))
    assert dropped(observed("f2")) == [False, True, False, False, False]


async def test_an_observation_is_asked_for_once() -> None:
    class Client:
        asked: list[str] = []

        async def observation(self, name: str) -> object:
            self.asked.append(name)
            return object()

    client = Client()
    kept = Observations(client)  # type: ignore[arg-type]
    first = await kept.get("a")
    for n in range(15):
        await kept.get(str(n))
    assert await kept.get("a") is first and client.asked.count("a") == 1
    await kept.get("one more")
    await kept.get("0")
    assert client.asked.count("0") == 2, "no more than some are kept"
