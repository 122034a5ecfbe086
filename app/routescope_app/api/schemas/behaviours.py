"""Samples ordered by what a model does with them."""

from typing import Any, Literal

from pydantic import Field

from routescope_app.api.schemas.base import Measured, MeasuredSet, ModelId, Reply, SampleId, Strict
from routescope_app.api.schemas.catalogue import Sample
from routescope_app.api.schemas.interventions import InterventionBody

Order = Literal["rerouted", "heads", "nearest"]
ORDER = Field(
    description="rerouted: the largest distance between the routings with and without the intervention first; heads: "
    "the largest disagreement of heads first; nearest: the least distance to the routing of the sample `to` first."
)
TO = Field(None, description="Whose routing others are compared with; for the order `nearest` alone.")
CHANGED = Field(
    InterventionBody(), description="What reroutes; in the orders `heads` and `nearest` every sample is under it."
)


class BehaviourRequest(Measured):
    order: Order = ORDER
    to: SampleId | None = TO
    intervention: InterventionBody = CHANGED


class OwnBehaviourRequest(Strict):
    model: ModelId
    order: Order = ORDER
    to: SampleId | None = TO
    intervention: InterventionBody = CHANGED


class PlacedSample(Reply):
    id: str
    value: float = Field(description="In the unit of the answer.")
    sample: Sample | None = Field(description="Of pictures; of other kinds see `tables`.")


class Behaviours(Reply):
    """A page of samples in their order."""

    id: str | None = Field(description="Of the job that measured them; null of own samples.")
    model: str
    revision: str
    order: Order
    to: str | None = Field(description="Null also where others are compared with a sample that somebody brought.")
    intervention: dict[str, Any]
    unit: Literal["share", "bit"] = Field(
        description="share: of the routing weight, what goes elsewhere, by total variation averaged over what is "
        "routed; bit: entropy of the mean answer of the heads less the mean of their entropies."
    )
    most: float = Field(description="What a value can be at most; the least is 0.")
    data: list[MeasuredSet]
    count: int = Field(description="How many samples were measured.")
    items: list[PlacedSample]
    total: int = Field(description="How many match in all.")
