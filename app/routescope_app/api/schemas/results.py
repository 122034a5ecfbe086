"""Results of jobs: importances, maps of types, observations."""

from typing import Any, Literal

from pydantic import Field

from routescope.routing.maps.embedding import Trustworthiness
from routescope_app.api.schemas.base import (
    AblationKind,
    ArrayInfo,
    DistributionName,
    JobResult,
    MeasuredSet,
    MeasureName,
    Reply,
)
from routescope_app.api.schemas.interventions import AppliedIntervention


class UnitValue(Reply):
    """Shapley value of a unit: above 0 the unit improves the measure."""

    unit: str
    value: float
    low: float | None
    high: float | None
    standard_error: float | None = Field(description="Error of sampled orders; null if all subsets were scored.")


class SingleEffect(Reply):
    """Drop effect of one unit: the figure without it minus the figure with it, with paired bootstrap intervals.

    `signs` says which sign means that the unit helps.
    """

    unit: str
    change: float = Field(description="In the unit of the measure.")
    low: float
    high: float
    loss_change: float = Field(description="Above 0 the unit helps.")
    loss_low: float
    loss_high: float


class Interaction(Reply):
    """Effect of leaving out a pair of units minus the sum of their single effects.

    The sign is flipped where less of the measure is better. Below 0 each unit makes up for the loss of the other.
    """

    unit: str
    other: str
    value: float
    low: float | None
    high: float | None


class RetentionPoint(Reply):
    """A point of a retention curve."""

    order: str = Field(
        description="best first, worst first, greedy best, greedy worst (chosen on the same samples); least or most "
        "connected first (models with links); or random: random sets of each size."
    )
    dropped: int
    share_kept: float
    accuracy: float
    low: float = Field(description="Wilson interval of this set; of random sets the least accuracy.")
    high: float
    draws: int | None
    samples_per_second: float | None
    flops: float | None = Field(description="Per sample; for random sets the mean, or the first set's.")
    units: list[str] = Field(description="Units that are kept; empty for random sets.")


class AnytimePoint(Reply):
    """Accuracy after a number of iterations of each script."""

    iterations: int
    accuracy: float
    low: float
    high: float
    flops: int | None
    samples_per_second: float | None


class ConvergencePoint(Reply):
    """Shapley estimate after a number of sampled orders."""

    permutations: int
    unit: str
    value: float
    standard_error: float | None


class UsagePoint(Reply):
    """Observed mean share of the routing weight of a unit at a step."""

    unit: str
    step: str
    share: float


class Signs(Reply):
    """Meaning of the sign of each kind of value under this measure, for headers."""

    shapley: str
    single: str
    single_loss: str
    interactions: str


class Importance(JobResult):
    """Caused effects of leaving out units, beside the observed usage."""

    units: list[str]
    kind: AblationKind
    words: str = Field(description="Description of the ablation, for people.")
    iterations: int | None
    keep_edges: float | None = Field(None, description="Share of the links that was kept; null: all.")
    top_k: int | None = Field(None, description="Experts per token; null: as trained.")
    layer: str | None = Field(None, description="Layer whose experts were left out; null: all units.")
    exact: bool = Field(description="Whether all subsets were scored.")
    data: list[MeasuredSet]
    distribution: DistributionName | None = Field(
        None, description="Distribution of the samples; null in results of old versions, which may pool several."
    )
    measure: MeasureName = Field(MeasureName(), description="Measure of `accuracy`, here and in all parts.")
    baseline: float = Field(description="Accuracy with all units.")
    signs: Signs | None = None
    total: float | None = Field(
        description="Sum of the Shapley values: accuracy with all units minus accuracy with none, times -1 where less "
        "is better. Null without Shapley values."
    )
    shapley: list[UnitValue] = Field(description="Empty unless asked for.")
    single: list[SingleEffect]
    interactions: list[Interaction] = Field(description="Empty unless pairs were left out.")
    retention: list[RetentionPoint] = Field(description="Empty where each unit was left out alone.")
    anytime: list[AnytimePoint]
    convergence: list[ConvergencePoint]
    usage: list[UsagePoint]


class ClusteringScore(Reply):
    """Silhouette (cosine) of groups of types at a step, beside the same for shuffled groups."""

    step: str
    by: Literal["unit", "label", "domain"]
    score: float | None
    null_mean: float | None
    null_low: float | None
    null_high: float | None
    n: int


class Embedding(JobResult):
    """A map of types; its points are fetched as arrays."""

    routing: Literal["trained", "initial"]
    method: Literal["pca", "tsne", "umap"]
    parameters: dict[str, Any]
    intervention: AppliedIntervention
    data: list[MeasuredSet]
    trustworthiness: Trustworthiness
    elements: Literal["tokens", "units"] = Field(
        "tokens",
        description="tokens: points are types of tokens; units: points are states of units, whose names are `tokens` "
        "too, and there are no signatures.",
    )
    steps: list[str]
    units: list[str]
    tokens: list[str]
    labels: list[str]
    domains: list[str]
    samples: list[str] = Field(description="Sample ids, which the array `sample` indexes.")
    kinds: list[str] = Field([], description="Names of the kinds of samples, such as relations.")
    sample_kinds: list[int] = Field([], description="Index into `kinds` for each sample; below 0: none.")
    clustering: list[ClusteringScore]
    arrays: list[ArrayInfo]


class ObservedVariable(Reply):
    """An observed quantity with its axes."""

    dims: list[str]
    values: list[Any] | float | int | None = Field(description="Nested lists; null for numbers that are not finite.")


class Exemplar(Reply):
    """A sample and token with a large routing weight for a unit."""

    unit: str
    rank: int
    sample: str
    token: str
    step: str
    weight: float


class Observation(JobResult):
    """Observed routing of a model over data."""

    intervention: AppliedIntervention
    data: list[MeasuredSet]
    units: list[str]
    steps: list[str]
    labels: list[str]
    tokens: list[str]
    tables: list[str] = Field(description="Names of the tables that format=csv takes.")
    variables: dict[str, ObservedVariable]
    exemplars: list[Exemplar]
