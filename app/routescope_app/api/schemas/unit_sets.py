"""Sets of units that are too long for an address."""

from typing import Annotated

from pydantic import Field, StringConstraints

from routescope_app.api.schemas.base import Reply, Strict

UnitSetId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{16}$")]
MOST_KEPT_UNITS = 16_384
#: Name of a unit, which cannot be read as a rule or a list.
KeptUnit = Annotated[str, StringConstraints(pattern=r"^[^:*,\x00-\x1f\x7f]{1,40}$")]


class NewUnitSet(Strict):
    units: Annotated[list[KeptUnit], Field(min_length=1, max_length=MOST_KEPT_UNITS)]


class UnitSet(Reply):
    """Units stored under a short id; the same units have the same id."""

    id: str
    name: str = Field(description="`set:` and the id, which interventions accept in place of the units.")
    units: list[str] = Field(description="Sorted by name.")
