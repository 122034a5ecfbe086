"""What jobs give: importances, embeddings, observations."""

from typing import Any, Literal

from pydantic import Field

from routescope_app.api.schemas.base import AblationKind, DistributionName, MeasuredSet, MeasureName, Reply
from routescope_app.api.schemas.interventions import AppliedIntervention


class UnitValue(Reply):
    """Shapley value of a unit: how much it improves the figure of the measure. Above 0 the unit helps."""

    unit: str
    value: float
    low: float | None
    high: float | None
    standard_error: float | None = Field(description="Of the sampling of orders; null where all subsets were scored.")


class SingleEffect(Reply):
    """Drop effect of one unit alone: the figure without it minus the figure with it, with paired bootstrap intervals.

    Where more is better, a change below 0 means that the unit helps; where less is better, above 0; see `signs`.
    """

    unit: str
    change: float = Field(description="In the unit of the measure; not turned.")
    low: float
    high: float
    loss_change: float = Field(description="Above 0 the unit helps.")
    loss_low: float
    loss_high: float


class Interaction(Reply):
    """Effect of leaving out a pair minus the sum of the single effects, turned where less of the measure is better.

    Below 0 each unit makes up for the loss of the other, whatever the measure.
    """

    unit: str
    other: str
    value: float
    low: float | None
    high: float | None


class RetentionPoint(Reply):
    """A point of a retention curve."""

    order: str = Field(
        description="best first, worst first, greedy best, greedy worst (all chosen on the same samples); "
        "least or most connected first (by q_i, of models with links: these units go first); or random: random sets of "
        "each size."
    )
    dropped: int
    share_kept: float
    accuracy: float
    low: float = Field(description="Wilson interval of that set alone, not of its choice; of random sets the least.")
    high: float
    draws: int | None
    samples_per_second: float | None
    flops: float | None = Field(
        description="Of one sample; of random sets the mean where all subsets were scored, else of the first one."
    )
    units: list[str] = Field(description="Units that are kept; empty for random sets.")


class AnytimePoint(Reply):
    """Accuracy after so many function iterations of each script."""

    iterations: int
    accuracy: float
    low: float
    high: float
    flops: int | None
    samples_per_second: float | None


class ConvergencePoint(Reply):
    """The estimate after so many sampled orders."""

    permutations: int
    unit: str
    value: float
    standard_error: float | None


class UsagePoint(Reply):
    """Observed: mean share of routing weight of a unit at a step."""

    unit: str
    step: str
    share: float


class Signs(Reply):
    """What the sign of each kind of value means for this measure, for headers."""

    shapley: str
    single: str
    single_loss: str
    interactions: str


class Importance(Reply):
    """What leaving out units changes: caused, beside the usage that was observed."""

    id: str
    model: str
    revision: str
    seed: int
    units: list[str]
    kind: AblationKind
    words: str = Field(description="What is done to units that are left out, for people.")
    iterations: int | None
    keep_edges: float | None = Field(None, description="Share of the links that was kept; null: all.")
    top_k: int | None = Field(None, description="Experts that a token took in all of it; null: as trained.")
    layer: str | None = Field(None, description="The layer whose experts these are; null: all units.")
    exact: bool = Field(description="Whether all subsets were scored.")
    count: int = Field(description="Samples in all.")
    data: list[MeasuredSet]
    distribution: DistributionName | None = Field(
        None, description="Of all samples; null in results of old versions, which may pool several."
    )
    measure: MeasureName = Field(MeasureName(), description="What `accuracy` is, here and in all parts.")
    baseline: float = Field(description="Accuracy with all units.")
    signs: Signs | None = Field(None, description="What the signs of the values mean.")
    total: float | None = Field(
        description="Sum of Shapley values: accuracy with all units minus accuracy with none, times -1 where less of "
        "the measure is better. Null where each unit was left out alone."
    )
    shapley: list[UnitValue] = Field(description="Empty where none were asked for.")
    single: list[SingleEffect]
    interactions: list[Interaction] = Field(description="Empty where no pairs were left out.")
    retention: list[RetentionPoint] = Field(description="Empty where each unit was left out alone.")
    anytime: list[AnytimePoint]
    convergence: list[ConvergencePoint]
    usage: list[UsagePoint]


class Trustworthiness(Reply):
    """How far neighbours in the picture were neighbours among the types; 1 is best."""

    value: float
    pca: float = Field(description="Of the PCA twin.")
    neighbours: int
    points: int = Field(description="On how many points it was computed.")


class ClusteringScore(Reply):
    """Silhouette (cosine) of groups of types at one step, beside the same with shuffled groups."""

    step: str
    by: Literal["unit", "label", "domain"]
    score: float | None
    null_mean: float | None
    null_low: float | None
    null_high: float | None
    n: int


class EmbeddingArray(Reply):
    """An array that can be fetched."""

    name: str
    dims: list[str]
    shape: list[int]
    dtype: str


class Embedding(Reply):
    """A map of types; its points are fetched as arrays."""

    id: str
    model: str
    revision: str
    routing: Literal["trained", "initial"]
    method: Literal["pca", "tsne", "umap"]
    parameters: dict[str, Any]
    seed: int
    intervention: AppliedIntervention
    data: list[MeasuredSet]
    trustworthiness: Trustworthiness
    elements: Literal["tokens", "units"] = Field(
        "tokens",
        description="What the points are: types of tokens, or states of units; of units, token and unit are the same, "
        "`tokens` are their names, and there are no signatures.",
    )
    count: int = Field(description="Points.")
    steps: list[str]
    units: list[str]
    tokens: list[str]
    labels: list[str]
    domains: list[str]
    samples: list[str] = Field(description="Ids of the samples, to which the array sample points.")
    kinds: list[str] = Field(
        [], description="Names of the kinds of the samples, such as relations; none where they have none."
    )
    sample_kinds: list[int] = Field([], description="The kind of each sample, a place in `kinds`; below 0 for none.")
    clustering: list[ClusteringScore]
    arrays: list[EmbeddingArray]


class ObservedVariable(Reply):
    dims: list[str]
    values: list[Any] | float | int | None = Field(description="Nested lists; null where not a finite number.")


class Exemplar(Reply):
    """A sample and token that route to a unit most."""

    unit: str
    rank: int
    sample: str
    token: str
    step: str
    weight: float


class Observation(Reply):
    """How a model routes samples: observed, nothing caused."""

    id: str
    model: str
    revision: str
    seed: int
    intervention: AppliedIntervention
    data: list[MeasuredSet]
    count: int
    units: list[str]
    steps: list[str]
    labels: list[str]
    tokens: list[str]
    tables: list[str] = Field(description="Names that format=csv takes.")
    variables: dict[str, ObservedVariable]
    exemplars: list[Exemplar]
