"""The Samples page without a browser: orders, what stands below samples, and what is said where there is no order."""

from typing import Any

import dash
import pytest

from routescope_app.api.client import ApiProblem
from routescope_app.api.schemas.base import MeasuredSet
from routescope_app.api.schemas.behaviours import Behaviours
from routescope_app.dashboard import errors
from routescope_app.dashboard.pages.samples import ordered
from routescope_app.dashboard.validation import FoundOrder, GalleryFilters, NotValid
from tests.app.dashboard.models import made_up


def found(**changes: Any) -> Behaviours:
    facts: dict[str, Any] = {
        "id": None, "model": "made-up", "revision": "abcdefghij", "order": "rerouted", "to": None, "intervention": {},
        "unit": "share", "most": 1, "data": [], "count": 5, "items": [], "total": 0,
    }  # fmt: skip
    return Behaviours.model_validate(facts | changes)


def test_values_have_units() -> None:
    assert ordered.value_of(found(), 0.2636).short == "26.4 %"
    assert ordered.value_of(found(), 0.2636).words == "26.4 % of the routing weight goes elsewhere"
    near = ordered.value_of(found(order="nearest"), 0.1).words
    assert near == "10.0 % of the routing weight goes elsewhere than that of the named sample"
    assert ordered.value_of(found(order="heads", unit="bit"), 0.9).words == "heads disagree by 0.90 bit"


def test_what_was_measured_names_stand_ins_and_what_training_left_out() -> None:
    sets = [
        MeasuredSet(name="mnist", title="MNIST", stand_in=False, held_out=True, count=3),
        MeasuredSet(name="street-digits", title="Street digits", stand_in=True, count=2),
    ]
    text = str(ordered.measured(found(data=sets)))
    for words in ("5 measured of mnist, street-digits", "stand-in data: street-digits", "out of distribution: mnist"):
        assert words in text
    assert "your own samples" in str(ordered.measured(found()))
    assert ordered.measured(None) == []


def test_an_order_holds_for_what_was_asked_alone() -> None:
    asked = GalleryFilters(order="rerouted", mute=("f1",), set="mnist")
    order = FoundOrder(asked=asked, model="made-up", id="0" * 40)
    own = made_up()
    for same in ({"page": 3}, {"label": 4}, {"wrong": True}, {"find": "seven"}):
        assert ordered.pending(asked.model_copy(update=same), own, order) is None
    for other in ({"mute": ("f2",)}, {"set": None}, {"order": "heads"}, {"samples": 200}, {"iterations": 2}):
        assert "being found" in str(ordered.pending(asked.model_copy(update=other), own, order))
    assert "being found" in str(ordered.pending(asked, own, None))
    assert "No model" in str(ordered.pending(asked, None, order))
    why = FoundOrder(asked=asked, model="made-up", title="Cancelled", detail="It stopped.")
    assert "It stopped." in str(ordered.pending(asked, own, why))
    with pytest.raises(NotValid):
        FoundOrder.read({"asked": {}, "model": "a/../b"})


def test_a_callback_that_the_service_failed_says_so_in_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    headers: dict[str, str] = {}

    class Context:
        response = type("Response", (), {"append_header": staticmethod(headers.__setitem__)})

    monkeypatch.setattr(dash, "callback_context", Context)
    monkeypatch.setattr(errors, "notify", lambda *_: None)
    for error in (ApiProblem("Not found", "gone", 404), NotValid("no")):
        errors.on_error(error)
        assert headers == {}
    for error, status in ((ApiProblem("Too busy", "later", 503), "503"), (RuntimeError("x"), "500")):
        headers.clear()
        assert errors.on_error(error) is dash.no_update
        assert headers == {errors.UNANSWERED: status}
