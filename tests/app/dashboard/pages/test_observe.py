"""The Observe page's parts without a browser: what its address means, what its controls offer, what it says."""

import json
from typing import Any

import numpy as np
import pytest
import xarray as xr
from dash import html
from dash.development.base_component import Component

from routescope.routing.observed import result as core_observation
from routescope_app.api.schemas.catalogue import DataSet
from routescope_app.api.schemas.interventions import AppliedIntervention
from routescope_app.dashboard.figures.observation_numbers import dropped, null_over_steps, over_steps
from routescope_app.dashboard.pages.observe.controls import ObserveChoice, ObserveView, controls, samples_of, sizes
from routescope_app.dashboard.pages.observe.page import Observations, caption, specialisation_numbers
from tests.app.dashboard.models import made_up
from tests.app.dashboard.observations import LABELS, STEPS, UNITS, observed

MODEL = made_up(units=UNITS, steps=STEPS, labels=LABELS, domains=["mnist", "street-digits"], unit_kind="function")
SETS = [
    DataSet(name=name, title=name.title(), stand_in=name != "mnist", stand_in_for=None, licence="", classes=LABELS,
            splits={"validation": 1_000, "test": 9})
    for name in ("mnist", "street-digits", "of-another-model")
]  # fmt: skip


def plain(parts: Any) -> str:
    return json.dumps(parts, default=lambda part: part.to_plotly_json())


def pressed(parts: list[Component], kind: str) -> list[str]:
    """Names of the buttons that are pressed."""
    properties = [part.to_plotly_json()["props"] for part in html.Div(parts)._traverse() if isinstance(part, Component)]
    names = [props.get(f"data-observe-{kind}") for props in properties if props.get("aria-pressed") == "true"]
    return [name for name in names if name is not None]


def test_sizes_end_with_all_and_never_exceed_what_is_accepted() -> None:
    assert [size["label"] for size in sizes(300, 3_000, True)] == ["300", "1,000", "all"]
    assert [size["value"] for size in sizes(60, 500, False)] == ["60", "300", "500"]
    assert sizes(300, 500, False)[-1]["label"] == "500"
    assert [size["value"] for size in sizes(9_999, 1_000, True)] == ["300", "1000"]


def test_controls_offer_the_models_own_units_sets_and_steps() -> None:
    made = controls(MODEL, SETS, ObserveChoice(data=("mnist",), drop=("f3",)), ObserveView(steps=("i2", "i9")))
    assert pressed(made, "unit") == ["f3"] and pressed(made, "step") == ["i2"]
    text = plain(made)
    assert text.count('"observe-sets"') == 1 and "iteration 2" in text
    default = controls(MODEL, SETS, ObserveChoice(), ObserveView())
    assert pressed(default, "unit") == [] and pressed(default, "step") == [""]
    assert '"label": "all"' in plain(default) and '"value": "2000"' in plain(default)
    assert '"label": "all"' not in plain(controls(MODEL, SETS, ObserveChoice(), ObserveView(), accepted=500))


def test_samples_of_sets_with_the_same_ones_count_once_where_there_are_no_labels() -> None:
    sets = [
        SETS[0].model_copy(update={"name": name, "inputs_of": of, "splits": {"validation": count}})
        for name, of, count in (("a", None, 500), ("b", "a", 500), ("c", None, 70), ("away", None, 9))
    ]
    bare = MODEL.model_copy(update={"domains": ["a", "b", "c"], "labels": []})
    assert samples_of(bare, sets) == 570
    assert samples_of(bare.model_copy(update={"labels": LABELS}), sets) == 1_070
    assert samples_of(bare.model_copy(update={"domains": ["b"]}), sets) == 500


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
