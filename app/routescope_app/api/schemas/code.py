"""Requests for Python code: the kind of a figure, and the facts of the figure that its code needs."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StringConstraints, model_validator

from routescope.routing.caused.distributions import Distribution
from routescope.routing.caused.pruning import Order, Scope
from routescope.routing.maps.methods import Method
from routescope_app.api.schemas.base import (
    MOST_DRAWS,
    MOST_SAMPLES,
    MOST_SETS,
    MOST_SHUFFLES,
    AblationKind,
    FieldName,
    LayerName,
    ModelId,
    Reply,
    SampleId,
    SetName,
    UnitName,
)
from routescope_app.api.schemas.blocks import DigitInput, PictureInput
from routescope_app.api.schemas.interventions import OPTIONS, Share, body_of
from routescope_app.api.schemas.logs import LogId
from routescope_app.api.schemas.statements import LONGEST_SENTENCE, Scene, Sentences

#: Bounds that a schema must know.
LONGEST_LINK = 32_768
MOST_APPLIED = 16_384
MOST_POINTS = 20_000
MOST_LAYERS = 1_024
MOST_SHARES = 4_096

Name = Annotated[str, StringConstraints(min_length=1, max_length=80)]
Title = Annotated[str, StringConstraints(max_length=LONGEST_SENTENCE)]
Seed = Annotated[StrictInt, Field(ge=0, le=2**63 - 1)]
Count = Annotated[StrictInt, Field(ge=0, le=2**31 - 1)]
PositiveCount = Annotated[StrictInt, Field(ge=1, le=2**31 - 1)]
ImportancePanel = Literal["effect", "interactions", "retention", "convergence", "importance", "use", "anytime"]
ExpertPanel = Literal["load", "balance", "domains", "tokens", "together", "alike", "written", "exemplars"]


class FigureFacts(BaseModel):
    """Base class of the facts of a figure: null is as good as absent, and facts that the code does not need are
    ignored."""

    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)

    link: Annotated[str, StringConstraints(max_length=LONGEST_LINK)] = Field("", description="Address of the view.")

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, given: Any) -> Any:
        return {name: value for name, value in given.items() if value is not None} if isinstance(given, dict) else given


class OfModel(FigureFacts):
    """Facts of a figure of one model."""

    model: ModelId
    revision: Name | None = None


class ModelFacts(body_of(OPTIONS, OfModel, Annotated[list[UnitName], Field(max_length=MOST_APPLIED)])):  # type: ignore[misc]
    """Facts of a figure of one model under an intervention."""


class SampleFacts(ModelFacts):
    """One sample in a model."""

    sample: SampleId


class TraceFacts(SampleFacts):
    """A trace of one sample."""

    figure: Literal["path", "patches", "predictions"]
    step: Name | None = None


class DifferenceFacts(FigureFacts):
    """Two traces that are compared."""

    figure: Literal["difference"]
    a: SampleFacts
    b: SampleFacts


class SetCount(BaseModel):
    """A data set and the number of its first samples."""

    name: SetName
    count: Annotated[StrictInt, Field(ge=0, le=MOST_SAMPLES)]


class MeasuredFacts(ModelFacts):
    """A measurement on data sets."""

    data: Annotated[list[SetCount], Field(max_length=MOST_SETS)] = []
    seed: Seed = 0


class AccuracyFacts(MeasuredFacts):
    """The measure with and without an intervention."""

    figure: Literal["accuracy"]
    draws: Annotated[StrictInt, Field(ge=0, le=MOST_DRAWS)] = Field(0, description="Random sets beside it.")


class EffectsFacts(MeasuredFacts):
    """Effects by group of samples."""

    figure: Literal["effects"]
    by: Literal["label", "domain", "kind", "task"]


class ImportanceFacts(MeasuredFacts):
    """Effects of all units."""

    figure: Literal["importance"]
    panel: ImportancePanel
    left_out_as: AblationKind = "drop"
    layer: LayerName | None = None
    distribution: Distribution | None = None


class ObservationFacts(MeasuredFacts):
    """Variables of an observation."""

    figure: Literal["observation"]
    variables: Annotated[list[FieldName], Field(max_length=64)]


class ExemplarFacts(MeasuredFacts):
    """Exemplars of units."""

    figure: Literal["exemplars"]
    looks: Literal["pictures", "points", "names"] = "pictures"


class ExpertFacts(MeasuredFacts):
    """The load of experts."""

    figure: Literal["experts"]
    panel: ExpertPanel
    shuffles: Annotated[StrictInt, Field(ge=0, le=MOST_SHUFFLES)] = 200
    layer_shown: LayerName | None = None


class Parameters(BaseModel):
    """Parameters of a method of embedding."""

    perplexity: float | None = None
    neighbours: StrictInt | None = None


class MapFacts(MeasuredFacts):
    """A map of types."""

    figure: Literal["types", "types-clustering", "types-facts"]
    method: Method
    parameters: Parameters = Parameters()
    routing: Literal["trained", "initial"] = "trained"
    tokens: Literal["patches", "cls", "all"]
    samples: PositiveCount
    colour: Name = "unit"


class SelectionFacts(MapFacts):
    """Points of a map of types."""

    figure: Literal["types-selection"]  # type: ignore[assignment]
    map: Literal["trained", "initial"] = "trained"
    points: Annotated[dict[Name, dict[Name, list[Name]]], Field(max_length=MOST_POINTS)] = Field(
        description="Steps of the points, by sample and token."
    )


class SentenceMapFacts(OfModel):
    """A map of sentences."""

    figure: Literal["sentences", "separation"]
    set: SetName
    method: Method
    seed: Seed = 0
    parameters: Parameters = Parameters()
    colour: Name = "kind"


class SomeSentencesFacts(SentenceMapFacts):
    """Sentences of a map."""

    figure: Literal["some-sentences"]  # type: ignore[assignment]
    texts: Annotated[list[Title], Field(max_length=MOST_POINTS)]


class GraphFacts(ModelFacts):
    """The most probable links between modules."""

    figure: Literal["graph"]
    links_drawn: Count


class PriorFacts(OfModel):
    """Links between modules beside their prior."""

    figure: Literal["statistics", "degrees"]
    prior: Name | None = None


class MatrixFacts(PriorFacts):
    """Link probabilities as a matrix."""

    figure: Literal["matrix"]  # type: ignore[assignment]
    order: Name = "communities"


class ClustersFacts(OfModel):
    """Groups of modules by the share of links that is kept."""

    figure: Literal["clusters"]
    shares: Annotated[list[Share], Field(max_length=MOST_SHARES)]


class ModuleFacts(OfModel):
    """Links of one module."""

    figure: Literal["module"]
    unit: UnitName


class DesignsFacts(ModelFacts):
    """Circuits of sentences."""

    figure: Literal["designs", "distances"]
    sentences: Sentences
    threshold: Share


class PicturesFacts(OfModel):
    """Pictures of a scene."""

    figure: Literal["pictures"]
    scene: Scene


class AnswersFacts(ModelFacts):
    """Answers to sentences about pictures."""

    figure: Literal["answers"]
    sentences: Sentences
    statement: SampleId | None = None
    edited: bool = False
    scene: Scene | None = None


class ReadsFacts(AnswersFacts):
    """Attention to pictures."""

    figure: Literal["reads"]  # type: ignore[assignment]
    unit: UnitName = Field("all", description="all: every unit, by its share in the answer.")


class BlockFacts(ModelFacts):
    """A run of a block network."""

    figure: Literal["blocks", "block-answers"]
    task: Name
    input: DigitInput | PictureInput
    iterations: Annotated[StrictInt, Field(ge=1, le=64)]


class IndicatorFacts(OfModel):
    """Indicators over training."""

    figure: Literal["indicators"]


class LogsFacts(FigureFacts):
    """A routing log, or two that are compared."""

    figure: Literal["log-usage", "logs-compared"]
    ids: Annotated[list[LogId], Field(min_length=1, max_length=2)]
    logs: Annotated[list[Title], Field(min_length=1, max_length=2)] = Field(description="Names of the logs.")

    @model_validator(mode="after")
    def _are_named(self) -> "LogsFacts":
        if len(self.ids) != len(self.logs) or len(self.ids) != self.figure.startswith("logs-") + 1:
            raise ValueError("give a name for each log: two logs for a comparison, otherwise one")
        return self


class LogPartFacts(LogsFacts):
    """A part of a sequence of a log."""

    figure: Literal["log-path"]  # type: ignore[assignment]
    sequence: Count
    start: Count
    tokens: Count


class LogTextFacts(LogPartFacts):
    """A part of a sequence at one layer."""

    figure: Literal["log-text"]  # type: ignore[assignment]
    layer: Name


class LogExpertFacts(LogsFacts):
    """The load of experts in a log."""

    figure: Literal["log-experts"]  # type: ignore[assignment]
    panel: ExpertPanel
    layer_shown: Name | None = None


class AgreementFacts(LogsFacts):
    """A sequence of two logs."""

    figure: Literal["logs-agreement"]  # type: ignore[assignment]
    sequence: Count


class DecisionFacts(LogsFacts):
    """A token of two logs."""

    figure: Literal["logs-decision"]  # type: ignore[assignment]
    token: Count


class PruningFacts(OfModel):
    """A pruning of experts."""

    figure: Literal["kept-experts", "retention"]
    data: Annotated[list[SetCount], Field(max_length=MOST_SETS)]
    order: Order
    scope: Scope
    at_once: Count = 1
    seed: Seed = 0
    keep: Annotated[list[Count], Field(max_length=MOST_LAYERS)]
    points: PositiveCount
    draws: Annotated[StrictInt, Field(ge=0, le=MOST_DRAWS)]


AnyFigure = Annotated[
    TraceFacts | DifferenceFacts
    | AccuracyFacts | EffectsFacts | ImportanceFacts | ObservationFacts | ExemplarFacts | ExpertFacts
    | MapFacts | SelectionFacts | SentenceMapFacts | SomeSentencesFacts
    | GraphFacts | PriorFacts | MatrixFacts | ClustersFacts | ModuleFacts
    | DesignsFacts | PicturesFacts | AnswersFacts | ReadsFacts
    | BlockFacts | IndicatorFacts
    | LogsFacts | LogPartFacts | LogTextFacts | LogExpertFacts | AgreementFacts | DecisionFacts
    | PruningFacts,
    Field(discriminator="figure"),
]  # fmt: skip


class Code(Reply):
    """Python code that makes a figure."""

    code: str
