"""Routing logs: which experts tokens took, as other programs write it, and two of them compared."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from routescope_app.api.schemas.base import ModelId, Reply, Whose
from routescope_app.api.schemas.interventions import OF_EXPERTS, body_of
from routescope_app.api.schemas.loads import LayerLoad, TokenKind

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
    tokens: int | None = Field(description="Those whose experts were logged; null where the log has counts alone.")
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
    top_k: int | None = Field(description="Experts that a token takes; null where the log has counts alone.")
    counts_only: bool = Field(
        False, description="Whether the log has counts by layer and expert and no tokens, so no paths."
    )
    has: LogHas
    missing: float = Field(description="The share of tokens and layers without any expert.")
    layer_count: int = Field(description="Layers in all.")
    note_count: int = Field(description="Entries of `notes` in all.")
    layers: list[LogLayer] = Field(description="Empty in lists of logs and beside other answers; one log has them.")
    assumed: list[str] = Field(
        [], description="What was assumed in reading; `top_k` and the others say otherwise. Left out as `layers` are."
    )
    notes: list[str] = Field(
        description="What a reader of figures should know; `assumed` first. The first ones, left out as `layers` are."
    )


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
    offset: int = Field(description="The place of the first of these layers.")
    total: int = Field(description="Layers of the log; further ones are asked for by `offset`.")


class LogToken(Reply):
    place: int
    sequence: str
    text: str | None
    experts: list[list[int]] = Field(description="By layer, as the log numbers them, from 0.")


class LogTokens(Reply):
    items: list[LogToken]
    total: int


class LogSequence(Reply):
    """The tokens of one text or one request."""

    sequence: int = Field(description="Its place among the log's, from 0.")
    name: str
    tokens: int


class LogSequences(Reply):
    items: list[LogSequence]
    total: int


class LogPathToken(Reply):
    place: int = Field(description="In its sequence, from 0.")
    text: str | None = Field(description="How it reads, where the log says it.")
    number: int | None = Field(description="As the tokenizer numbers it, where the log says it.")


class LogPath(Reply):
    """The experts of some tokens of a sequence. Lists are by layer, token and slot, in the log's order of slots."""

    log: RoutingLog
    sequence: int
    sequence_name: str
    start: int = Field(description="The place of the first token in the sequence.")
    total: int = Field(description="Tokens of the sequence.")
    steps: list[str] = Field(description="Names of the layers.")
    indices: list[int] = Field(description="The layers as the log numbers them, from 0.")
    units: int = Field(description="Experts of a layer.")
    tokens: list[LogPathToken]
    experts: list[list[list[int]]] = Field(description="Numbered from 0; -1 where there is none.")
    shares: list[list[list[float]]] = Field(
        description="An expert's weight over the sum of a token's; equal where the log has no weights."
    )
    weighted: bool = Field(description="Whether `shares` are of weights that the log has.")
    margin: list[list[float | None]] | None = Field(
        description="By layer and token: by how much the last expert that was chosen is above the first that was not."
    )
    margin_of: str | None


class LogExemplar(Reply):
    """A token that an expert has much weight for, within its sequence."""

    unit: str
    sequence: int
    name: str
    token: int = Field(description="Its place among the tokens of the sequence.")
    weight: float = Field(description="The expert's share of the token's routing.")
    before: str
    text: str
    after: str


class LogLoad(Reply):
    """How a log's tokens spread over experts. What it does not say is null, or not there."""

    log: RoutingLog
    count: int = Field(description="Sequences that were counted.")
    tokens: int = Field(description="Tokens that were counted.")
    domains: list[str] = Field(description="One: the log.")
    kinds: list[TokenKind] = Field(
        description="The most frequent texts of tokens, else their numbers; none where the log has neither."
    )
    distinct: int | None = Field(description="Kinds in all.")
    token_shuffles: int | None = Field(description="Shuffles of tokens that kinds stand beside.")
    written_texts: None = Field(description="A log does not say what experts write.")
    unwritten: str
    layers: list[LayerLoad]
    exemplars: list[LogExemplar] = Field(description="Of logs with weights and texts.")
    notes: list[str]
    detailed: str | None = Field(
        description="The one layer with pairs, kinds of tokens and exemplars, where those of all layers are too many; "
        "null where all layers have theirs."
    )


class NewRecording(body_of(OF_EXPERTS)):  # type: ignore[misc]
    """A log of a model of ours on the validation texts of its data sets."""

    model: ModelId
    precision: Precision | None = Field(None, description="None: that of the model.")
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
    place: int = Field(description="Its place in A, from 0.")
    text: str | None
    agreement: float | None = Field(description="The share of layers whose experts are the same.")
    first: str | None = Field(description="The first layer that differs.")


class ComparedTokens(Reply):
    sequence: int
    name: str
    start: int = Field(description="The place in A of the first token of the sequence.")
    items: list[ComparedToken]
    total: int


class TakenExpert(Reply):
    unit: str
    index: int = Field(description="As the log numbers it, from 0.")
    share: float = Field(description="Of the token's routing; equal where the log has no weights.")


class ComparedSide(Reply):
    layer: str = Field(description="As it is called there.")
    taken: list[TakenExpert] = Field(description="The largest share first.")
    margin: float | None


class ComparedChoice(Reply):
    same: bool | None = Field(description="Whether the sets of experts are the same; null where one has none.")
    a: ComparedSide
    b: ComparedSide


class ComparedDecision(Reply):
    """What one token took in both logs."""

    token: int = Field(description="Its place in A, from 0.")
    at: int = Field(description="Its place among the compared tokens of its sequence.")
    sequence: int = Field(description="Of A.")
    sequence_b: int
    place: int = Field(description="In its sequence of A, from 0.")
    place_b: int
    name: str = Field(description="Of the sequence.")
    text: str | None
    weighted: bool = Field(description="Whether both logs have weights.")
    layers: list[ComparedChoice]
