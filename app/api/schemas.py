"""What goes in and out of the API. Everything that comes in is bounded."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StringConstraints

ModelId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$")]
SampleId = Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{32}|[a-z0-9-]{1,40}\.[a-z]{1,20}\.[0-9]{1,9})$")]
TraceId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}$")]
FieldName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
SetName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,40}$")]
UnitName = Annotated[str, StringConstraints(min_length=1, max_length=40)]
Origin = Literal["upload", "drawing", "data"]
Format = Literal["json", "binary", "npz"]

#: Bounds that a schema must know; ``Settings`` can only narrow them.
MOST_UNITS = 1_024
MOST_FIELDS = 16
LONGEST_NAME = 4_096


class Strict(BaseModel):
    """A body: unknown fields are refused, no number is NaN or infinite."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class Reply(BaseModel):
    """An answer, read from what the services return."""

    model_config = ConfigDict(from_attributes=True)


class Problem(BaseModel):
    """An error, RFC 9457."""

    type: str = Field(description="Stable name of the kind of problem.")
    title: str
    status: int
    detail: str = Field(description="What was wrong and what would be accepted.")
    instance: str = Field(description="Identifies this occurrence; the server's log has the same.")
    errors: list[dict[str, str]] | None = Field(None, description="Where the request was wrong, one entry a place.")
    retryable: bool | None = Field(None, description="Whether the same request may succeed later.")


class Health(Reply):
    status: Literal["ok"]
    version: str
    device: str = Field(description="Where networks compute, and in which precision.")
    models: list[str]


class Accuracy(Reply):
    model_config = ConfigDict(from_attributes=True, extra="allow")
    domain: str
    accuracy: float
    low: float
    high: float
    count: int
    data: str
    stand_in: bool


class ModelInfo(Reply):
    id: str
    family: str
    architecture: str
    parameters: int
    revision: str = Field(description="Hash of the checkpoint.")
    data: list[Any]
    accuracies: list[Accuracy] = Field(description="From the model card, with 95 % intervals.")
    units: list[str]
    steps: list[str]
    tokens: list[str]
    grid: tuple[int, int] = Field(description="Rows and columns of patches.")
    domains: list[str]
    labels: list[str]
    fields: list[str] = Field(description="What a trace of this model can hold.")


class ModelDetail(ModelInfo):
    config: dict[str, Any]
    card: dict[str, Any]


class Models(Reply):
    items: list[ModelInfo]


class Prediction(Reply):
    label: int
    probability: float
    domain: str = Field(description="Whose head this is.")


class Sample(Reply):
    id: str
    origin: Origin
    set: str | None = Field(description="Name of the data set it belongs to.")
    set_title: str | None
    stand_in: bool = Field(description="Whether its data set stands in for another.")
    label: int | None
    name: str
    width: int
    height: int
    created: datetime | None
    image: str = Field(description="Address of the image that networks see.")
    prediction: Prediction | None = Field(None, description="What the model named in the request makes of it.")


class Samples(Reply):
    items: list[Sample]
    total: int = Field(description="How many match in all.")


class SampleChange(Strict):
    name: Annotated[str, StringConstraints(max_length=LONGEST_NAME)] | None = None
    label: Annotated[StrictInt, Field(ge=0, le=2**31 - 1)] | None = None


class InterventionBody(Strict):
    drop: Annotated[list[UnitName], Field(max_length=MOST_UNITS)] = []
    mute: Annotated[list[UnitName], Field(max_length=MOST_UNITS)] = []
    iterations: Annotated[StrictInt, Field(ge=0, le=1_000)] | None = Field(None, description="None: as configured.")


class TraceRequest(Strict):
    model: ModelId
    sample: SampleId
    intervention: InterventionBody = InterventionBody()
    fields: Annotated[list[FieldName], Field(max_length=MOST_FIELDS)] = ["compatibility", "types"]


class Token(Reply):
    name: str
    kind: Literal["cls", "patch"]
    row: int | None
    column: int | None


class Grid(Reply):
    rows: int
    columns: int


class DomainPrediction(Reply):
    domain: str
    label: int
    probabilities: list[float]


class TraceField(Reply):
    name: str
    dims: list[str]
    shape: list[int]
    dtype: str


class TraceInfo(Reply):
    id: str
    model: str
    revision: str
    sample: str
    intervention: InterventionBody
    seed: int | None = Field(description="Of computations that draw; null where none does.")
    units: list[str]
    kept: list[str] = Field(description="Units that were not dropped.")
    steps: list[str]
    tokens: list[Token]
    grid: Grid
    domains: list[str]
    predictions: list[DomainPrediction]
    fields: list[TraceField]
    seconds: float = Field(description="What recording took.")
    cached: bool = Field(description="Whether it had been recorded before.")


class FieldValues(Reply):
    name: str
    dims: list[str]
    shape: list[int]
    dtype: str
    coordinates: dict[str, list[str]] = Field(description="Names along the axes that have them.")
    values: list[Any] | float | int | bool | None = Field(description="Nested lists; null where not a finite number.")


class DataSet(Reply):
    name: str
    title: str
    stand_in: bool
    stand_in_for: str | None
    licence: str
    splits: dict[str, int]
    classes: list[str]


class DataSets(Reply):
    items: list[DataSet]
