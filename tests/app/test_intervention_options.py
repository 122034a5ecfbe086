"""Every field of an intervention is offered everywhere: what is declared once in core cannot be forgotten here."""

from dataclasses import fields
from typing import get_args, get_type_hints

import pytest

from routescope.cli import load
from routescope.cli.interventions import flag_of, read
from routescope.routing.intervention import Intervention
from routescope.routing.options import KINDS, OPTIONS, REPLACING, InterventionOptions
from routescope_app.api.queries import intervention_query
from routescope_app.api.schemas.base import AblationKind
from routescope_app.api.schemas.code import ModelFacts
from routescope_app.api.schemas.interventions import (
    ADDRESSES,
    AppliedIntervention,
    FullAppliedIntervention,
    FullIntervention,
    InterventionBody,
    bounds_of,
)
from routescope_app.dashboard import PAGES
from routescope_app.dashboard.validation import PathChoice

FIELDS = tuple(field.name for field in fields(Intervention))
#: Form of a field -> a value as Python, the command line and a query write it, and its effect in words.
VALUES = {
    "units": (("f1", "f3"), "f3, f1", "f1,f3", "f1, f3"),
    "routes": (("A>1.1", "B>1.2"), "B>1.2,A>1.1", "A>1.1,B>1.2", "A>1.1, B>1.2"),
    "gates": ((("1.1", 0.5), ("E", 1.0)), "E=1, 1.1=0.5", "1.1:0.5,E:1", "1.1 at 0.5, E at 1"),
    "count": (3, 3, 3, "3"),
    "share": (0.25, 0.25, 0.25, "25.0 %"),
}


def options_of(command: str) -> set[str]:
    return {option for parameter in load(command).params for option in parameter.opts}


def test_python_the_api_and_the_command_line_have_every_field() -> None:
    assert tuple(OPTIONS) == FIELDS
    structural = set(FIELDS) - set(REPLACING)
    assert set(get_type_hints(InterventionOptions)) == set(FIELDS)
    for whole in (FullIntervention, FullAppliedIntervention):
        assert set(whole.model_fields) == set(FIELDS)
    for part in (InterventionBody, AppliedIntervention):
        assert set(part.model_fields) == structural
    assert set(map(flag_of, FIELDS)) <= options_of("evaluate")
    assert set(map(flag_of, structural)) <= options_of("trace")


def test_addresses_and_written_code_have_every_field() -> None:
    """A page writes the kinds of ablation as ``kind`` and ``units``, or by their own names."""
    written = {name for page in PAGES for choice in page.asks for name in choice.model_fields}
    assert set(ADDRESSES) <= written | set(get_args(AblationKind)) and set(ADDRESSES.values()) == set(FIELDS)
    assert set(ModelFacts.model_fields) >= set(FIELDS)


@pytest.mark.parametrize("name", FIELDS)
def test_a_value_is_the_same_however_it_is_written(name: str) -> None:
    value, line, query, words = VALUES[OPTIONS[name].form]
    change = Intervention(**{name: value})
    assert read({name: line}) == change
    assert Intervention(**intervention_query((name,)).dependency(**{name: query})()) == change
    body = FullIntervention.model_validate(change.to_dict())
    assert Intervention(**body.model_dump()) == change and change.words == OPTIONS[name].words.format(words)
    (parameter,) = intervention_query((name,)).dependency.__signature__.parameters.values()
    assert OPTIONS[name].help in parameter.annotation.__metadata__[-1].description


def test_addresses_have_the_declared_bounds() -> None:
    choice = PathChoice.of_query({"drop": "f1", "mute": "f2", "edges": "0.5", "iterations": "3", "top_k": "2"})
    assert Intervention(**choice.fields) == Intervention(("f1",), ("f2",), 3, keep_edges=0.5, top_k=2)
    for name, beyond in (("keep_edges", 1.1), ("iterations", 65), ("top_k", 1_025)):
        address = next(key for key, field in ADDRESSES.items() if field == name)
        assert PathChoice.unread({address: str(beyond)}) == [address]
        least = bounds_of(name).metadata[0].ge
        for value in (least - 1, beyond):
            with pytest.raises(ValueError, match=f"{name} must be .*from"):
                Intervention(**{name: value})
    assert tuple(get_args(AblationKind)) == KINDS
