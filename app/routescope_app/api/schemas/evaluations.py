"""Evaluations: accuracy and loss of a model under an intervention, beside the model as it is."""

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
    Reply,
    Strict,
)
from routescope_app.api.schemas.interventions import FullAppliedIntervention, FullIntervention


class Against(Strict):
    """What an evaluation is compared with: a model under an intervention."""

    model: ModelId
    intervention: FullIntervention = FullIntervention()


class EvaluationRequest(Measured):
    intervention: FullIntervention = FullIntervention()
    against: Against | None = Field(
        None,
        description="A, of which this evaluation is B: measured on the same samples, with `comparison` in the answer.",
    )
    controls: Annotated[StrictInt, Field(ge=0, le=MOST_DRAWS)] = Field(
        10, description="Random sets of as many units to compare with, all where there are no more; 0 for none."
    )


class TimingRequest(Measured):
    intervention: FullIntervention = FullIntervention()


class Timing(Reply):
    """How fast an intervention is beside the model as it is: both timed in turn, on the same samples."""

    rounds: int
    samples: int = Field(description="In the batch that each round runs twice: with the intervention, and without.")
    samples_per_second: float = Field(description="Median over the rounds.")
    baseline_samples_per_second: float
    ratio: Interval = Field(
        description="How many times as fast as the model as it is: the median over the rounds, between the least and "
        "the greatest of them."
    )


class Chance(Reply):
    """What an answer without any reasoning is right at."""

    value: float
    by: Literal["guessing", "copying"] = Field(
        description="guessing: all labels as likely; copying: every output repeats the input block that is right most "
        "often."
    )


class KindInUse(Reply):
    """One kind of ablation of an intervention."""

    kind: AblationKind
    words: str = Field(description="What is done to the units, for people.")
    units: list[str]


class Figures(Reply):
    """Accuracy and loss of some samples."""

    accuracy: Interval
    loss: Interval


class Baseline(Figures):
    """The model as it is, on the same samples."""

    samples_per_second: float | None
    flops: int | None = Field(description="Of one sample; null until it is counted.")


class Effect(Reply):
    """After minus before on the same samples, with paired bootstrap intervals."""

    accuracy: Interval
    loss: Interval


class GroupEffect(Reply):
    """The effect within a label, a data set or a kind of statement."""

    name: str
    count: int
    baseline: float = Field(description="Accuracy of the model as it is.")
    accuracy: float
    low: float
    high: float
    change: float
    change_low: float
    change_high: float


class Distribution(Reply):
    """The same figures of the samples of one distribution."""

    name: DistributionName = Field(
        description="in: the model's card says that training showed it; out: training left it out; unknown: no card "
        "says it."
    )
    count: int
    accuracy: Interval
    loss: Interval
    baseline: Figures
    change: Effect
    by_label: list[GroupEffect] = Field(
        [], description="Of these samples alone, as are the next two; empty where all are of one distribution."
    )
    by_domain: list[GroupEffect] = []
    by_kind: list[GroupEffect] = []


class ControlSet(Reply):
    units: list[str]
    accuracy: float
    by_distribution: dict[DistributionName, float] = Field({}, description="Accuracy in each distribution.")


class ControlDistribution(Reply):
    """What the control sets reach in one distribution."""

    name: DistributionName
    mean: float | None
    least: float | None
    most: float | None


class Control(Reply):
    """Random sets of as many units under the same kinds of ablation, on the same samples."""

    size: int = Field(description="Units in each set.")
    draws_done: int
    draws: int
    exact: bool = Field(description="Whether these are all sets of that size.")
    mean: float | None = Field(description="Mean accuracy over the sets scored so far.")
    least: float | None
    most: float | None
    by_distribution: list[ControlDistribution] = Field([], description="The same in each distribution that there is.")
    sets: list[ControlSet]


class Outcomes(Reply):
    """How many samples are answered right: the table of McNemar's test."""

    both: int
    only_a: int
    only_b: int
    neither: int


class ComparedDistribution(Reply):
    """A and B on the samples of one distribution that both have scored."""

    name: DistributionName = Field(
        description="in: the cards of both say that training showed it; out: training of either left it out; unknown: "
        "the cards do not say it."
    )
    count: int
    a: Figures
    b: Figures
    difference: Effect = Field(description="B minus A, paired.")
    outcomes: Outcomes | None = Field(description="Null where `accuracy` is no share of samples.")
    by_label: list[GroupEffect] = Field(description="`baseline` is A's, `accuracy` B's, `change` B minus A, paired.")
    by_domain: list[GroupEffect]
    by_kind: list[GroupEffect]


class Comparison(Reply):
    """This evaluation, B, minus another one, A, on the same samples."""

    problem: str | None = Field(description="Why the two cannot be compared, in words; else null.")
    a: "Evaluation | None" = Field(description="The other evaluation, as far as it is; null until it has begun.")
    covered: int = Field(description="Samples that both have scored; a simple random sample of all, at any time.")
    total: int = Field(description="Samples in all.")
    by_distribution: list[ComparedDistribution] = Field(
        description="Apart for what training showed and what it left out; empty before the first samples. With A and B "
        "exchanged, all differences have the other sign and intervals are mirrored."
    )


class Evaluation(Reply):
    id: str = Field(description="The same request has the same id.")
    model: str
    revision: str
    data: list[MeasuredSet]
    intervention: FullAppliedIntervention
    kinds: list[KindInUse]
    state: Literal["running", "done"]
    phase: Literal["preparing", "scoring", "controls", "comparing", "done"] = Field(
        description="comparing: done but for the evaluation that it is compared with."
    )
    done: int = Field(description="Samples scored of those of this phase.")
    total: int
    cached: bool = Field(description="Whether nothing had to be computed.")
    seconds: float = Field(description="Since the request.")
    measure: MeasureName = Field(MeasureName(), description="What `accuracy` is, here and in all parts.")
    accuracy: Interval | None = Field(description="Wilson interval; null until something is scored.")
    loss: Interval | None = Field(description="Mean cross-entropy in nats, with a normal interval of the mean.")
    covered: int = Field(0, description="Samples that the figures are of; a simple random sample of all, at any time.")
    baseline: Baseline | None
    change: Effect | None
    samples_per_second: float | None = Field(
        description="When it was scored, which is another moment than for the baseline: not to be compared. "
        "`/evaluations/timing` times both in turn."
    )
    flops: int | None = Field(description="Of one sample; null until it is counted.")
    flops_share: float | None = Field(description="Of the baseline's.")
    saved: float | None = Field(description="1 - flops_share.")
    by_label: list[GroupEffect]
    by_domain: list[GroupEffect]
    by_kind: list[GroupEffect] = Field(
        [],
        description="By kind of reasoning; of blocks by the output asked for where there are several, else by "
        "subtask; empty where samples are pictures.",
    )
    by_distribution: list[Distribution] = Field(
        [],
        description="Apart for the samples whose data set, or combination, training showed, for those it left out, "
        "and for those of which no card says it. Where there are several, `accuracy`, `change` and the groups above "
        "pool them and are no headline.",
    )
    chance: Chance | None = Field(None, description="Null where it is not known.")
    control: Control | None = Field(
        description="Null where no unit is named, where routes or gates are changed, or where none is asked for."
    )
    comparison: Comparison | None = Field(None, description="Where it is asked for with `against`.")
