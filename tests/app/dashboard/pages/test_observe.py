"""The Observe page's parts without a browser: what its address means, what its controls offer, what it says."""

import json
from typing import Any

import numpy as np
import pytest
import xarray as xr
from dash.development.base_component import Component

from routescope.routing.observed import result as core_observation
from routescope_app.api.schemas.catalogue import DataSet, ModelInfo
from routescope_app.api.schemas.interventions import AppliedIntervention
from routescope_app.dashboard.figures.observation_numbers import dropped, null_over_steps, over_steps
from routescope_app.dashboard.pages.observe.controls import ObserveChoice, ObserveView, controls, samples_of, sizes
from routescope_app.dashboard.pages.observe.page import Observations, caption, specialisation_numbers
from tests.app.dashboard.observations import LABELS, STEPS, TOKENS, UNITS, made_up

MODEL = ModelInfo(
    id="ni-digits", family="ni", architecture="", parameters=1, revision="abc", data=[], accuracies=[], units=UNITS,
    steps=STEPS, tokens=TOKENS, grid=(4, 4), domains=["mnist", "street-digits"], labels=LABELS,
    fields=["compatibility"], unit_kind="function",
)  # fmt: skip
SETS = [
    DataSet(name=name, title=name.title(), stand_in=name != "mnist", stand_in_for=None, licence="", classes=LABELS,
            splits={"validation": 1_000, "test": 9})
    for name in ("mnist", "street-digits", "of-another-model")
]  # fmt: skip


def plain(parts: Any) -> str:
    return json.dumps(parts, default=lambda part: part.to_plotly_json())


def pressed(parts: list[Component], kind: str) -> list[str]:
    """Names of the buttons that are pressed."""
    outcome: list[str] = []

    def walk(part: Any) -> None:
        if isinstance(part, list | tuple):
            for member in part:
                walk(member)
        elif isinstance(part, Component):
            values = part.to_plotly_json()["props"]
            if f"data-observe-{kind}" in values and values["aria-pressed"] == "true":
                outcome.append(values[f"data-observe-{kind}"])
            walk(values.get("children"))

    walk(parts)
    return outcome


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
    text = plain(caption(made_up(0, ["f2"])))
    for words in (
        "300 samples",
        "150 of MNIST, 150 of Street digits",
        "stand-in data: Street digits",
        "abcdef01",
        "f2",
    ):
        assert words in text
    assert "up to 0.4% of a step's tokens match no unit" in text
    outcome = made_up(0)
    outcome.variables["unmatched"].values = [0.0] * len(STEPS)
    assert "match no unit" not in plain(caption(outcome)) and "dropped" not in plain(caption(outcome))


@pytest.mark.parametrize("steps", [(), ("i2",), ("i1", "i4", "i5")])
def test_the_null_over_steps_is_that_of_the_core(steps: tuple[str, ...]) -> None:
    outcome = made_up(0)
    draws = np.array(outcome.variables["specialisation_null_draws"].values)
    dataset = xr.Dataset({"specialisation_null_draws": (("shuffle", "step"), draws)}, {"step": STEPS})
    mean, high = core_observation.Observation(dataset).null_over(steps or None)
    assert null_over_steps(outcome, steps) == pytest.approx((mean, high))
    text = plain(specialisation_numbers(outcome, ObserveView(steps=steps)))
    assert f"{mean:.4f}, 95 % below {high:.4f}" in text
    if len(steps) != 1:
        assert high < over_steps(outcome, "specialisation_null_high", steps)


def test_a_unit_is_dropped_where_its_script_is() -> None:
    outcome = made_up(0)
    assert not any(dropped(outcome)) and "several scripts" not in plain(caption(outcome))
    steps = [f"s{script}.i{step}" for script in (1, 2) for step in (1, 2, 3)]
    stacked = outcome.model_copy(update={"steps": steps, "intervention": AppliedIntervention(drop=["s1.f2"])})
    assert dropped(stacked, ["s1.i1", "s1.i3"]) == [False, True, False, False, False]
    assert not any(dropped(stacked)) and not any(dropped(stacked, ["s2.i1"]))
    assert "several scripts" in plain(caption(stacked))
    assert dropped(made_up(0, drop=["f2"])) == [False, True, False, False, False]


@pytest.mark.parametrize(("steps", "place"), [(("i1",), 0), (("i6",), 5)])
def test_specialisation_is_said_with_its_null_and_controls(steps: tuple[str, ...], place: int) -> None:
    outcome = made_up(0)
    text = plain(specialisation_numbers(outcome, ObserveView(steps=steps)))
    for name in ("", "_null", "_null_high", "_position", "_feature"):
        assert f"{outcome.variables[f'specialisation{name}'].values[place]:.4f}" in text
    outcome.variables["specialisation_feature"].values = [None] * len(STEPS)
    assert "no number" in plain(specialisation_numbers(outcome, ObserveView()))


def test_specialisation_without_labels_is_that_by_position() -> None:
    bare = made_up(0).model_copy(update={"labels": []})
    text = plain(specialisation_numbers(bare, ObserveView(steps=("i1",))))
    assert "by label" not in text and "shuffled" not in text
    assert f"{bare.variables['specialisation_position'].values[0]:.4f}" in text


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
