"""Samples ranked by a model's behaviour."""

from typing import Any, Literal

from pydantic import Field

from routescope_app.api.schemas.base import Measured, MeasuredSet, ModelId, ModelReply, Reply, SampleId, Strict
from routescope_app.api.schemas.catalogue import Sample, SampleTable
from routescope_app.api.schemas.interventions import InterventionBody

Order = Literal["rerouted", "heads", "nearest"]


class OwnBehaviourRequest(Strict):
    model: ModelId
    order: Order = Field(
        description="rerouted: largest distance between routings with and without the intervention first; heads: "
        "largest disagreement of heads first; nearest: smallest routing distance to the sample `to` first."
    )
    to: SampleId | None = Field(None, description="Reference sample of the order `nearest`.")
    intervention: InterventionBody = Field(
        InterventionBody(), description="For `rerouted` the change to measure; for the other orders applied throughout."
    )


class BehaviourRequest(Measured, OwnBehaviourRequest):
    """A ranking of the first samples of data sets."""


class RankedSample(Reply):
    """A sample with its score."""

    id: str
    value: float = Field(description="In `unit` of the answer.")
    sample: Sample | None = Field(description="For pictures.")
    table: SampleTable | None = Field(None, description="For other kinds of input, with the first `rows` rows.")


class Behaviours(ModelReply):
    """A page of ranked samples."""

    id: str | None = Field(description="Id of the job that measured them; null for uploads.")
    order: Order
    to: str | None = Field(description="Null also if the reference is an upload.")
    intervention: dict[str, Any]
    unit: Literal["share", "bit"] = Field(
        description="share: share of the routing weight that goes elsewhere (mean total variation); bit: entropy of "
        "the mean answer of the heads minus the mean of their entropies."
    )
    most: float = Field(description="Largest possible value; the least is 0.")
    data: list[MeasuredSet]
    count: int = Field(description="Number of measured samples.")
    items: list[RankedSample]
    total: int = Field(description="Number of matches.")
