"""Types that all schemas share: bounded names and ids, base classes of bodies and answers, problems."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StringConstraints

from routescope.nn.shown import shortened
from routescope.routing.options import Kind

ModelId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$")]
SampleId = Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{32}|[a-z0-9-]{1,40}\.[a-z]{1,20}\.[0-9]{1,9})$")]
JobId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}$")]
TraceId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}$")]
FieldName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
SetName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,40}$")]
UnitName = Annotated[str, StringConstraints(min_length=1, max_length=40)]
AblationKind = Kind
#: in: the model's card says that training showed it; out: training left it out; unknown: no card says it.
DistributionName = Literal["in", "out", "unknown"]
Origin = Literal["upload", "drawing", "data"]
Format = Literal["json", "binary", "npz"]
#: The owner of a sample or a job, as the caller sees it.
Whose = Literal["you", "another", "everybody"]

#: Bounds that a schema must know; ``Settings`` can only narrow them.
MOST_UNITS = 1_024
MOST_FIELDS = 16
MOST_SETS = 64
MOST_SAMPLES = 1_000_000
MOST_DRAWS = 1_000
MOST_PERMUTATIONS = 100_000
MOST_SHUFFLES = 10_000
LONGEST_NAME = 4_096
LONGEST_FIND = 80
Find = Annotated[
    Annotated[str, StringConstraints(max_length=LONGEST_FIND)] | None,
    Field(description="Search words, all required: data set, label (number or word), name of an upload, id."),
]


class Strict(BaseModel):
    """Base class of request bodies: unknown fields, NaN and infinity are refused."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class Reply(BaseModel):
    """Base class of answers, read from dicts and dataclasses of the services."""

    model_config = ConfigDict(from_attributes=True)

    def __repr__(self) -> str:
        """Return the fields in one line, with sizes in place of large values, because notebooks print answers."""
        return shortened(type(self).__name__, vars(self))

    __str__ = __repr__


class ModelReply(Reply):
    """Base class of answers about one revision of a model."""

    model: str
    revision: str


class JobResult(ModelReply):
    """Base class of results of jobs."""

    id: str
    seed: int
    count: int = Field(description="Number of samples, texts, sentences or points that were measured.")


class Problem(BaseModel):
    """An error (RFC 9457)."""

    type: str = Field(description="Stable name of the kind of problem.")
    title: str
    status: int
    detail: str = Field(description="What was wrong and what would be accepted.")
    instance: str = Field(description="Id of this error, which the server's log has too.")
    errors: list[dict[str, str]] | None = Field(None, description="Invalid fields of the request.")
    retryable: bool | None = Field(None, description="Whether the same request may succeed later.")


#: Of a layer that routes.
LayerName = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9._-]+$")]


class Measured(Strict):
    """Base class of requests to measure a model on data sets."""

    model: ModelId
    data: Annotated[list[SetName], Field(max_length=MOST_SETS)] = Field(
        [], description="Data sets, each scored by the head of its domain. Empty: all domains of the model."
    )
    samples: Annotated[StrictInt, Field(ge=1, le=MOST_SAMPLES)] = Field(
        1_000, description="Number of samples, split evenly over the data sets."
    )


class MeasuredSet(Reply):
    """A data set and the number of its first samples that were used."""

    name: str
    title: str
    stand_in: bool
    held_out: bool = Field(False, description="Whether the model was never trained on this domain.")
    count: int


class Interval(Reply):
    """An estimate with its 95 % interval, if there is one."""

    value: float
    low: float | None
    high: float | None


class MeasureName(Reply):
    """The measure of figures: accuracy, or another one such as bits a byte."""

    name: str = "accuracy"
    unit: str = Field("", description="Empty for shares.")
    higher_is_better: bool = True


class ArrayInfo(Reply):
    """Name, axes and type of an array that can be fetched."""

    name: str
    dims: list[str]
    shape: list[int]
    dtype: str


class PackedArray(Reply):
    """An array in a JSON answer."""

    dtype: Literal["f4"] = "f4"
    shape: list[int]
    data: str = Field(description="Base64 of little-endian numbers in C order.")
