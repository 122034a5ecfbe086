"""Interventions in requests, answers and addresses, made from the fields of ``routescope.routing.Intervention``."""

from collections.abc import Iterable
from dataclasses import fields
from typing import Annotated, Any, get_args

from pydantic import BaseModel, Field, StringConstraints, TypeAdapter, create_model

from routescope.routing.intervention import Intervention
from routescope.routing.options import MAX_ITERATIONS as MAX_ITERATIONS
from routescope.routing.options import OPTIONS as OPTIONS
from routescope.routing.options import REPLACING
from routescope.routing.options import Share as Share
from routescope_app.api.schemas.base import MOST_UNITS, Strict, UnitName

_BLOCK = r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}"
BlockName = Annotated[str, StringConstraints(pattern=rf"^{_BLOCK}$")]
RouteName = Annotated[str, StringConstraints(pattern=rf"^{_BLOCK}>{_BLOCK}$")]
MOST_ROUTES = 1_024

#: Fields that do not name units, routes or gates.
NUMBERS = tuple(name for name, option in OPTIONS.items() if option.form in ("count", "share"))
#: Fields of a mixture of experts that is recorded or that writes.
OF_EXPERTS = ("drop", "mute", "top_k")
#: Fields that a view of a model carries out without samples.
STRUCTURAL = tuple(name for name in OPTIONS if name not in REPLACING)

#: Name in addresses of pages -> field.
ADDRESSES = {option.address or name: name for name, option in OPTIONS.items()}

#: Form of a field -> its type and its default in a body; numbers have the type that core declares.
_BODIES: dict[str, tuple[Any, Any]] = {
    "units": (Annotated[list[UnitName], Field(max_length=MOST_UNITS)], []),
    "routes": (Annotated[list[RouteName], Field(max_length=MOST_ROUTES)], []),
    "gates": (Annotated[dict[BlockName, Share], Field(max_length=MOST_ROUTES)], {}),
}
_DECLARED = {declared.name: get_args(declared.type)[0] for declared in fields(Intervention)}


def body_of(names: Iterable[str], base: type[BaseModel] = Strict, units: Any = None) -> Any:
    """Return a class of bodies with fields of an intervention.

    Args:
        names: of the fields.
        base: class with further fields.
        units: type of the names of units; None: up to ``MOST_UNITS`` names.
    """
    made: dict[str, Any] = {}
    for name in names:
        option = OPTIONS[name]
        annotation, default = _BODIES.get(option.form, (_DECLARED[name], None))
        if option.form == "units":
            annotation = units or annotation
        made[name] = (annotation, Field(default, description=option.help))
    return create_model(base.__name__, __base__=base, **made)


def bounds_of(name: str, least: int | None = None) -> Any:
    """Return the bounds of a number, ``least`` in place of the lower one, for forms that read it from text."""
    (number,) = (part for part in TypeAdapter(_DECLARED[name]).json_schema()["anyOf"] if part["type"] != "null")
    return Field(ge=number["minimum"] if least is None else least, le=number["maximum"])


class InterventionBody(body_of(STRUCTURAL)):  # type: ignore[misc]
    """Changes to the routing that need no samples."""


class FullIntervention(body_of(OPTIONS)):  # type: ignore[misc]
    """Every kind of ablation; a unit that is named several times is ablated once: drop, mute, mean, resample."""


class AppliedIntervention(body_of(STRUCTURAL, units=list[str])):  # type: ignore[misc]
    """An intervention as it was carried out: units in place of rules and stored sets, however many."""


class FullAppliedIntervention(body_of(OPTIONS, units=list[str])):  # type: ignore[misc]
    """An intervention as it was carried out, with every kind of ablation."""
