"""Evaluations: accuracy and loss of a model under an intervention, beside the full model."""

from typing import Annotated, Literal

from pydantic import Field, StrictInt

from routescope_app.api.schemas.base import (
    MOST_DRAWS,
    AblationKind,
    DistributionName,
    Interval,
    Measured,
    MeasuredSet,
    MeasureName,
    ModelId,
    ModelReply,
    Reply,
    Strict,
)
from routescope_app.api.schemas.interventions import FullAppliedIntervention, FullIntervention


class Against(Strict):
    """The model and intervention that an evaluation is compared with."""

    model: ModelId
    intervention: FullIntervention = FullIntervention()


class TimingRequest(Measured):
    intervention: FullIntervention = FullIntervention()


class EvaluationRequest(TimingRequest):
    against: Against | None = Field(
        None, description="Evaluation A, compared with this one (B) on the same samples; see `comparison`."
    )
    controls: Annotated[StrictInt, Field(ge=0, le=MOST_DRAWS)] = Field(
        10, description="Number of random sets of the same size to compare with; 0: none."
    )


class Timing(Reply):
    """Speed under an intervention and of the full model, timed in turn on the same samples."""

    rounds: int
    samples: int = Field(description="Samples in the batch that each round runs twice.")
    samples_per_second: float = Field(description="Median over the rounds.")
    baseline_samples_per_second: float
    ratio: Interval = Field(description="Speed over the full model's: median, least and greatest of the rounds.")


class Chance(Reply):
    """Accuracy of answers without any reasoning."""

    value: float
    by: Literal["guessing", "copying"] = Field(
        description="guessing: all labels equally likely; copying: each output repeats the best input block."
    )


class KindInUse(Reply):
    """One kind of ablation of an intervention."""

    kind: AblationKind
    words: str = Field(description="Description of the ablation, for people.")
    units: list[str]


class Figures(Reply):
    """Accuracy and loss over samples."""

    accuracy: Interval
    loss: Interval


class Baseline(Figures):
    """Figures of the full model on the same samples."""

    samples_per_second: float | None
    flops: int | None = Field(description="Per sample; null until counted.")


class Effect(Figures):
    """After minus before on the same samples, with paired bootstrap intervals."""


class GroupEffect(Reply):
    """Effect within a label, a data set or a kind of statement."""

    name: str
    count: int
    baseline: float = Field(description="Accuracy of the full model.")
    accuracy: float
    low: float
    high: float
    change: float
    change_low: float
    change_high: float


class ConfidenceTenth(Reply):
    """Accuracy of the answers whose softmax probability is within one tenth."""

    least: float = Field(description="Least confidence of the tenth.")
    count: int
    confidence: float = Field(description="Mean.")
    accuracy: Interval = Field(description="With its Wilson interval.")


class ByConfidence(Reply):
    """Accuracy by tenths of confidence, before and after; tenths without an answer are left out."""

    baseline: list[ConfidenceTenth]
    changed: list[ConfidenceTenth]


class Distribution(Figures):
    """Figures over the samples of one distribution."""

    name: DistributionName = Field(
        description="in: trained on, by the model's card; out: held out; unknown: the card does not say."
    )
    count: int
    baseline: Figures
    change: Effect
    by_label: list[GroupEffect] = Field([], description="Empty, as the other groups, if there is one distribution.")
    by_domain: list[GroupEffect] = []
    by_kind: list[GroupEffect] = []
    by_confidence: ByConfidence | None = None


class ControlSet(Reply):
    """Accuracy without one random set of units."""

    units: list[str]
    accuracy: float
    by_distribution: dict[DistributionName, float] = {}


class ControlSummary(Reply):
    """Mean, least and greatest accuracy over the random sets that were scored so far."""

    mean: float | None
    least: float | None
    most: float | None


class ControlDistribution(ControlSummary):
    """Summary of the random sets in one distribution."""

    name: DistributionName


class Control(ControlSummary):
    """Random sets of the same size, under the same kinds of ablation and on the same samples."""

    size: int = Field(description="Units in each set.")
    draws_done: int
    draws: int
    exact: bool = Field(description="Whether these are all sets of that size.")
    by_distribution: list[ControlDistribution] = []
    sets: list[ControlSet]


class Outcomes(Reply):
    """Numbers of samples answered right by A and B: the table of McNemar's test."""

    both: int
    only_a: int
    only_b: int
    neither: int


class ComparedDistribution(Reply):
    """A and B on the samples of one distribution that both have scored."""

    name: DistributionName = Field(
        description="in: both were trained on it; out: held out from either; unknown: the cards do not say."
    )
    count: int
    a: Figures
    b: Figures
    difference: Effect = Field(description="B minus A, paired.")
    outcomes: Outcomes | None = Field(description="Null if `accuracy` is no share of samples.")
    by_label: list[GroupEffect] = Field(description="`baseline` is A's, `accuracy` B's, `change` B minus A, paired.")
    by_domain: list[GroupEffect]
    by_kind: list[GroupEffect]


class Comparison(Reply):
    """This evaluation (B) minus another one (A) on the same samples."""

    problem: str | None = Field(description="Why the two cannot be compared; else null.")
    a: "Evaluation | None" = Field(description="Evaluation A so far; null until it has begun.")
    covered: int = Field(description="Samples that both have scored: a simple random sample of all.")
    total: int
    by_distribution: list[ComparedDistribution] = Field(
        description="Trained-on and held-out data are never pooled. With A and B exchanged all signs are flipped."
    )


class Evaluation(ModelReply):
    """Figures under an intervention; a stream sends them as they become more precise."""

    id: str = Field(description="The same request has the same id.")
    data: list[MeasuredSet]
    intervention: FullAppliedIntervention
    kinds: list[KindInUse]
    state: Literal["running", "done"]
    phase: Literal["preparing", "scoring", "controls", "comparing", "done"] = Field(
        description="comparing: done, except for the evaluation that it is compared with."
    )
    done: int = Field(description="Samples scored in this phase.")
    total: int
    cached: bool = Field(description="Whether nothing had to be computed.")
    seconds: float = Field(description="Since the request.")
    measure: MeasureName = Field(MeasureName(), description="Measure of `accuracy`, here and in all parts.")
    accuracy: Interval | None = Field(description="Wilson interval; null until something is scored.")
    loss: Interval | None = Field(description="Mean cross-entropy in nats, with a normal interval of the mean.")
    covered: int = Field(0, description="Samples behind the figures: a simple random sample of all.")
    baseline: Baseline | None
    change: Effect | None
    samples_per_second: float | None = Field(
        description="Not comparable with the baseline's, which was timed at another moment; use /evaluations/timing."
    )
    flops: int | None = Field(description="Per sample; null until counted.")
    flops_share: float | None = Field(description="Share of the baseline's.")
    saved: float | None = Field(description="1 - flops_share.")
    by_label: list[GroupEffect]
    by_domain: list[GroupEffect]
    by_kind: list[GroupEffect] = Field(
        [], description="By kind of reasoning; for blocks by output or subtask; empty for pictures."
    )
    by_confidence: ByConfidence | None = Field(None, description="Null for heads that choose no label.")
    by_distribution: list[Distribution] = Field(
        [],
        description="Trained-on, held-out and unknown data apart. If there are several, `accuracy`, `change` and the "
        "groups above pool them and are no headline.",
    )
    chance: Chance | None = Field(None, description="Null if unknown.")
    control: Control | None = Field(description="Null without units, for changed routes or gates, or unless asked for.")
    comparison: Comparison | None = Field(None, description="Present with `against`.")
