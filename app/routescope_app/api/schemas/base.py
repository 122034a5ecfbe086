"""What every schema shares: names and ids of a bounded form, bodies that refuse what they do not know, problems."""

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
#: Of a sample or a job, as the one who asks sees it.
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
#: A search, in a query.
Find = Annotated[
    Annotated[str, StringConstraints(max_length=LONGEST_FIND)] | None,
    Field(
        description="Words on what samples are, each of which has to be found: data set, label as a number or in "
        "words, name of an own sample, id."
    ),
]


class Strict(BaseModel):
    """A body: unknown fields are refused, no number is NaN or infinite."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class Reply(BaseModel):
    """An answer, read from what the services return."""

    model_config = ConfigDict(from_attributes=True)

    def __repr__(self) -> str:
        """Return its fields in one line, large ones as their sizes: a notebook prints answers."""
        return shortened(type(self).__name__, vars(self))

    def __str__(self) -> str:
        """Return the same."""
        return repr(self)


class Problem(BaseModel):
    """An error, RFC 9457."""

    type: str = Field(description="Stable name of the kind of problem.")
    title: str
    status: int
    detail: str = Field(description="What was wrong and what would be accepted.")
    instance: str = Field(description="Identifies this occurrence; the server's log has the same.")
    errors: list[dict[str, str]] | None = Field(None, description="Where the request was wrong, one entry a place.")
    retryable: bool | None = Field(None, description="Whether the same request may succeed later.")


#: Of a layer that routes.
LayerName = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9._-]+$")]


class Measured(Strict):
    """What is asked of every measurement: a model, the data sets, and how many samples."""

    model: ModelId
    data: Annotated[list[SetName], Field(max_length=MOST_SETS)] = Field(
        [], description="Data sets, each scored by the head of its domain; without any: all domains of the model."
    )
    samples: Annotated[StrictInt, Field(ge=1, le=MOST_SAMPLES)] = Field(
        1_000, description="Samples in all, split evenly over the data sets."
    )


class MeasuredSet(Reply):
    """A data set and how many of its first samples are used."""

    name: str
    title: str
    stand_in: bool
    held_out: bool = Field(False, description="Whether the model was never trained on its domain.")
    count: int


class Interval(Reply):
    """An estimate with its 95 % interval; without one where there is none to give."""

    value: float
    low: float | None
    high: float | None


class MeasureName(Reply):
    """What figures are: shares of samples that are labelled right, or what the heads of a model are measured by."""

    name: str = "accuracy"
    unit: str = Field("", description="Empty of shares.")
    higher_is_better: bool = True


class PackedArray(Reply):
    """An array in a JSON answer."""

    dtype: Literal["f4"] = "f4"
    shape: list[int]
    data: str = Field(description="Little-endian numbers in C order as base64.")
