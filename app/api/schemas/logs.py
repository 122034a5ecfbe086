"""Routing logs: which experts tokens took, as other programs write it, and two of them compared."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from app.api.schemas.base import MOST_UNITS, ModelId, Reply, Strict, UnitName, Whose

LogId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
Precision = Literal["float64", "float32", "bfloat16", "float16"]
#: Bounds that a schema must know; the settings narrow them.
MOST_TEXTS = 10_000


class LogUnit(Reply):
    unit: str = Field(description="Numbered from 1, such as `l3.e5`.")
    index: int = Field(description="As the log numbers it, from 0.")
    count: int
    share: float = Field(description="Of all that tokens took at the layer.")


class LogLayer(Reply):
    layer: str
    index: int = Field(description="As the log numbers it, from 0.")
    evenness: float | None = Field(description="Entropy of the use of experts over that of equal use; 1 is even.")
    never_used: int
    tokens: int = Field(description="Those whose experts were logged.")
    most_used: list[LogUnit]


class LogHas(Reply):
    weights: bool
    margin: bool
    token_ids: bool
    token_texts: bool


class LogFacts(Reply):
    format: str = Field(description="What wrote it.")
    version: str = Field(description="The version of the layout that was recognised.")
    file: str
    tokens: int
    sequences: int
    experts: int
    experts_counted: bool = Field(description="Whether `experts` is the largest number that occurs plus one.")
    top_k: int
    has: LogHas
    missing: float = Field(description="The share of tokens and layers without any expert.")
    layers: list[LogLayer]
    notes: list[str]


class RoutingLog(Reply):
    """A log that is kept."""

    id: str
    name: str
    created: datetime
    owner: Whose = Field(description="Whose it is to who asks. Everybody who has its id can read it.")
    bytes: int
    facts: LogFacts


class RoutingLogs(Reply):
    items: list[RoutingLog]
    total: int


class LogUsage(Reply):
    layers: list[str]
    indices: list[int]
    counts: list[list[int]] = Field(description="By layer and expert: how many tokens took it.")


class LogToken(Reply):
    place: int
    sequence: str
    text: str | None
    experts: list[list[int]] = Field(description="By layer, as the log numbers them, from 0.")


class LogTokens(Reply):
    items: list[LogToken]
    total: int


class NewRecording(Strict):
    """A log of a model of ours on the validation texts of its data sets."""

    model: ModelId
    precision: Precision | None = Field(None, description="None: that of the model.")
    drop: Annotated[list[UnitName], Field(max_length=MOST_UNITS)] = []
    mute: Annotated[list[UnitName], Field(max_length=MOST_UNITS)] = []
    texts: Annotated[int, Field(ge=1, le=MOST_TEXTS, strict=True)] = 8


class ComparedLayer(Reply):
    layer: str
    count: int
    same: float | None = Field(description="The share of tokens whose set of experts is the same.")
    same_interval: list[float | None]
    overlap: float | None
    overlap_interval: list[float | None]
    first_differs: int = Field(description="Tokens that differ at this layer and at none before.")
    began: float | None = Field(description="The share that differs here, of tokens that agreed before.")
    began_interval: list[float | None]
    agreed_before: int


class ComparedMargin(Reply):
    low: float | None
    high: float | None
    count: int
    differ: float | None
    interval: list[float | None]


class RoutingComparison(Reply):
    """Two logs compared; intervals are of 95 %."""

    a: str
    b: str
    tokens: int
    sequences: int
    interval_over: Literal["tokens", "sequences"]
    same_at_every_layer: float | None
    layers: list[ComparedLayer]
    margin_of: str | None
    margins: list[ComparedMargin]
    notes: list[str]


class ComparedToken(Reply):
    place: int
    text: str | None
    agreement: float | None = Field(description="The share of layers whose experts are the same.")
    first: str | None = Field(description="The first layer that differs.")


class ComparedTokens(Reply):
    sequence: int
    name: str
    items: list[ComparedToken]
    total: int
