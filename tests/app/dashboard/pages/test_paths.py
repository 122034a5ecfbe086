"""The Paths page without a browser: what of an intervention a model has, and what the page says of it."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from routescope_app.api.client import ApiProblem
from routescope_app.dashboard.pages.paths.page import asked_of, caption, fitting, kind, left_out, unfitting
from routescope_app.dashboard.validation import PathChoice, as_ranges
from tests.app.dashboard.models import made_up

UNITS = [f"m{number}" for number in range(1, 31)]
MODEL = made_up(units=UNITS)
LINKED = made_up(units=UNITS, has_links=True)


def found(layered: bool = True, **changed: Any) -> dict[str, Any]:
    intervention = {"drop": [], "mute": [], "iterations": None, "keep_edges": None, "top_k": None} | changed
    return {
        "current": {
            "model": "made-up", "revision": "abcdefgh", "units": UNITS, "intervention": intervention,
            "fields": [{"name": "messages"}],
        },
        "sample": {"id": "mnist.validation.3", "name": "3", "label": 3, "stand_in": False, "labelled": "true label 3"},
        "layered": layered,
        "said": {way: list(as_ranges(UNITS, intervention[way])) for way in ("mute", "drop")},
    }  # fmt: skip


def test_a_choice_for_another_model_keeps_what_this_one_has() -> None:
    choice = PathChoice(mute=("f1", "m2"), drop=("m4..m6", "f2..f3"), edges=0.5, iterations=2)
    fitted = fitting(choice, MODEL)
    assert fitted == PathChoice(mute=("m2",), drop=("m4", "m5", "m6"), iterations=2)
    assert fitting(choice, LINKED).edges == 0.5


def test_what_the_model_does_not_have_is_said_and_left_out() -> None:
    choice = PathChoice(mute=("f99", "m2"), edges=0.5)
    assert fitting(choice, MODEL).mute == ("m2",)
    (units,) = unfitting(choice, LINKED)
    assert units.startswith("f99 ignored here: units of ") and UNITS[0] in units and "m2" not in units.split(":")[0]
    assert unfitting(choice, MODEL)[1].endswith('"edges" is ignored.')
    assert unfitting(PathChoice(mute=("m2",)), LINKED) == []


def test_what_a_path_was_recorded_under() -> None:
    assert kind(None) == kind(found()) == "observed"
    assert kind(found(mute=["m1", "m2"])) == "observed under: mute m1, m2"
    assert kind(found(drop=UNITS[:8], keep_edges=0.0005)) == "observed under: drop 8 units; 0.05 % of the edges"
    assert kind(found(top_k=1)) == "observed under: 1 expert a token"
    assert kind(found(iterations=1)).endswith(": 1 layer")
    assert kind(found(layered=False, iterations=4)).endswith(": 4 iterations")


def test_the_link_to_the_type_map_holds_every_unit_that_was_dropped() -> None:
    parts = caption(found(drop=[*UNITS[:9], "m20"]))
    assert as_ranges(UNITS[:20], UNITS[:9]) == tuple(UNITS[:9]), "few units are named"
    assert "drop=m1..m9,m20" in json.dumps(parts, default=lambda part: part.to_plotly_json())


@pytest.mark.parametrize("wrap", [int, lambda count: [count]])
def test_the_caption_says_how_much_of_a_text_was_cut(wrap: Callable[[int], Any]) -> None:
    tokens = [{"text": "a"}] * 256 + [{"text": ""}] * 3  # padding is no token
    cut = {"tokens": tokens, "tokens_left_out": wrap(120), "bytes_left_out": wrap(480)}
    assert left_out(cut) == "Text was cut to 256 tokens; 120 tokens (480 bytes) are left out."
    for whole in ({"tokens": tokens}, cut | {"tokens_left_out": wrap(0)}, cut | {"tokens_left_out": None}):
        assert not left_out(whole)
    shown = found()
    shown["current"] |= cut
    assert "120 tokens" in json.dumps(caption(shown), default=lambda part: part.to_plotly_json())


class Service:
    """Knows one rule and no other, and keeps sets under one name."""

    def __init__(self) -> None:
        self.kept: list[list[str]] = []

    async def named_units(self, _model: str, rule: list[str], *, kind: str, top_k: int | None) -> None:
        if rule != ["least:3"]:
            raise ApiProblem(
                "Refused", f"there is no set {rule[0]}, to {kind} with {top_k}", 500 if rule == ["share:1"] else 422
            )

    async def keep_units(self, units: list[str]) -> str:
        self.kept.append(list(units))
        return "set:" + "0" * 16


async def test_rules_are_asked_for_as_they_are_and_what_is_refused_is_said_beside_the_rest() -> None:
    service: Any = Service()
    choice = PathChoice(mute=("m2",), drop=("m4..m6", "least:3", "set:" + "1" * 16, "m99"))
    outcome = await asked_of(service, MODEL, choice)
    assert outcome.choice == PathChoice(mute=("m2",), drop=("m4", "m5", "m6", "least:3"))
    assert outcome.said == {"mute": ["m2"], "drop": ["m4..m6", "least:3"]} and service.kept == []
    unit, rule = outcome.left_out
    assert unit.startswith("m99 ignored here")
    assert rule == f'"drop" is set:{"1" * 16}, ignored here. there is no set set:{"1" * 16}, to drop with None'
    with pytest.raises(ApiProblem, match="share:1"):
        await asked_of(service, MODEL, PathChoice(drop=("share:1",)))


async def test_a_list_too_long_for_an_address_is_kept() -> None:
    service: Any = Service()
    units = [f"l{layer}.e{expert}" for layer in range(1, 25) for expert in range(1, 65)]
    info = made_up(units=units)
    scattered = tuple(units[::2])
    outcome = await asked_of(service, info, PathChoice(drop=(*scattered, "least:3")))
    assert service.kept == [list(scattered)]
    assert outcome.choice.drop == tuple(outcome.said["drop"]) == ("set:" + "0" * 16, "least:3")
    outcome = await asked_of(service, info, PathChoice(drop=(f"{units[0]}..{units[-1]}",)))
    assert outcome.said["drop"] == [f"{units[0]}..{units[-1]}"], "short in an address, too many for a request"
    assert outcome.choice.drop == ("set:" + "0" * 16,)
