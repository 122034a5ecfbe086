"""Routing logs: the experts that tokens took, as other programs logged them, and comparisons of two logs."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from routescope.routing.compare import Decision
from routescope_app.api.schemas.base import ModelId, Reply, Whose
from routescope_app.api.schemas.interventions import OF_EXPERTS, body_of
from routescope_app.api.schemas.loads import LayerLoad, TokenKind

LogId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
Precision = Literal["float64", "float32", "bfloat16", "float16"]
#: Bounds that a schema must know; the settings narrow them.
MOST_TEXTS = 10_000


class LogUnit(Reply):
    """Use of one expert in a log."""

    unit: str = Field(description="Numbered from 1, such as `l3.e5`.")
    index: int = Field(description="Number in the log, from 0.")
    count: int
    share: float = Field(description="Share of all choices at the layer.")


class LogLayer(Reply):
    """Use of the experts of one layer in a log."""

    layer: str
    index: int = Field(description="Number in the log, from 0.")
    evenness: float | None = Field(description="Entropy of the use of experts over that of equal use; 1 is even.")
    never_used: int
    tokens: int | None = Field(description="Tokens with logged experts; null if the log has counts only.")
    most_used: list[LogUnit]


class LogHas(Reply):
    """Optional fields of a log."""

    weights: bool
    margin: bool
    token_ids: bool
    token_texts: bool


class LogFacts(Reply):
    """Facts about a log."""

    format: str = Field(description="Program that wrote it.")
    version: str = Field(description="Version of the format.")
    file: str
    tokens: int
    sequences: int
    experts: int
    experts_counted: bool = Field(description="Whether `experts` is the largest number seen plus one.")
    top_k: int | None = Field(description="Experts per token; null if the log has counts only.")
    counts_only: bool = Field(False, description="Whether the log has counts by layer and expert, and no tokens.")
    has: LogHas
    missing: float = Field(description="Share of tokens and layers without any expert.")
    layer_count: int
    note_count: int
    layers: list[LogLayer] = Field(description="Empty except in `GET /logs/{log_id}`.")
    assumed: list[str] = Field([], description="Assumptions made in reading; empty where `layers` are.")
    notes: list[str] = Field(description="Remarks on the figures, `assumed` first; empty where `layers` are.")


class RoutingLog(Reply):
    """A stored log."""

    id: str
    name: str
    created: datetime
    owner: Whose = Field(description="The owner, as the caller sees it. Everybody who has the id can read the log.")
    bytes: int
    facts: LogFacts


class RoutingLogs(Reply):
    items: list[RoutingLog]
    total: int


class LogUsage(Reply):
    """Counts of tokens by layer and expert."""

    layers: list[str]
    indices: list[int]
    counts: list[list[int]]
    offset: int = Field(description="Position of the first of these layers.")
    total: int = Field(description="Number of layers of the log; `offset` asks for further ones.")


class LogToken(Reply):
    """A token and its experts."""

    place: int
    sequence: str
    text: str | None
    experts: list[list[int]] = Field(description="By layer, as the log numbers them, from 0.")


class LogTokens(Reply):
    items: list[LogToken]
    total: int


class LogSequence(Reply):
    """The tokens of one text or one request."""

    sequence: int = Field(description="Position among the log's sequences, from 0.")
    name: str
    tokens: int


class LogSequences(Reply):
    items: list[LogSequence]
    total: int


class LogPathToken(Reply):
    """A token of a path."""

    place: int = Field(description="Position in its sequence, from 0.")
    text: str | None
    number: int | None = Field(description="Token id.")


class LogPath(Reply):
    """The experts of some tokens of a sequence. Lists are by layer, token and slot."""

    log: RoutingLog
    sequence: int
    sequence_name: str
    start: int = Field(description="Position of the first token in the sequence.")
    total: int = Field(description="Tokens of the sequence.")
    steps: list[str] = Field(description="Names of the layers.")
    indices: list[int] = Field(description="Numbers of the layers in the log, from 0.")
    units: int = Field(description="Experts per layer.")
    tokens: list[LogPathToken]
    experts: list[list[list[int]]] = Field(description="Numbered from 0; -1: none.")
    shares: list[list[list[float]]] = Field(description="Weight over the sum of a token's; equal without weights.")
    weighted: bool = Field(description="Whether the log has weights.")
    margin: list[list[float | None]] | None = Field(
        description="By layer and token: distance of the last chosen expert to the best other one."
    )
    margin_of: str | None


class LogExemplar(Reply):
    """A token with a large weight for an expert, within its sequence."""

    unit: str
    sequence: int
    name: str
    token: int = Field(description="Position among the tokens of the sequence.")
    weight: float = Field(description="The expert's share of the token's routing.")
    before: str
    text: str
    after: str


class LogLoad(Reply):
    """Load of experts in a log. Figures that the log does not allow are null or missing."""

    log: RoutingLog
    count: int = Field(description="Number of sequences that were counted.")
    tokens: int = Field(description="Number of tokens that were counted.")
    domains: list[str] = Field(description="One entry: the log.")
    kinds: list[TokenKind] = Field(description="Most frequent texts of tokens, or token ids; empty without both.")
    distinct: int | None = Field(description="Number of kinds.")
    token_shuffles: int | None = Field(description="Shuffles of tokens for the null of kinds.")
    written_texts: None = Field(description="Always null: logs have no outputs of experts.")
    unwritten: str
    layers: list[LayerLoad]
    exemplars: list[LogExemplar] = Field(description="For logs with weights and texts.")
    notes: list[str]
    detailed: str | None = Field(
        description="The one layer with pairs, kinds of tokens and exemplars; null if all layers have them."
    )


class NewRecording(body_of(OF_EXPERTS)):  # type: ignore[misc]
    """A log to record: a model on the validation texts of its data sets."""

    model: ModelId
    precision: Precision | None = Field(None, description="None: the model's own.")
    texts: Annotated[int, Field(ge=1, le=MOST_TEXTS, strict=True)] = 8


class ComparedLayer(Reply):
    """Agreement of two logs at a layer."""

    layer: str
    count: int
    same: float | None = Field(description="Share of tokens with the same set of experts.")
    same_interval: list[float | None]
    overlap: float | None
    overlap_interval: list[float | None]
    first_differs: int = Field(description="Tokens that differ at this layer and at none before.")
    began: float | None = Field(description="Share that differs here, of tokens that agreed before.")
    began_interval: list[float | None]
    agreed_before: int


class ComparedMargin(Reply):
    """Share of choices that differ, for one range of margins."""

    low: float | None
    high: float | None
    count: int
    differ: float | None
    interval: list[float | None]


class RoutingComparison(Reply):
    """Comparison of two logs, with 95 % intervals."""

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
    """Agreement of two logs on one token."""

    place: int = Field(description="Position in A, from 0.")
    text: str | None
    agreement: float | None = Field(description="Share of layers with the same experts.")
    first: str | None = Field(description="First layer that differs.")


class ComparedTokens(Reply):
    """Agreement of two logs on the tokens of one sequence."""

    sequence: int
    name: str
    start: int = Field(description="Position in A of the first token of the sequence.")
    items: list[ComparedToken]
    total: int


class ComparedDecision(Reply):
    """A token's experts at all layers in both logs."""

    token: int = Field(description="Position in A, from 0.")
    at: int = Field(description="Position among the compared tokens of its sequence.")
    sequence: int = Field(description="Sequence of A.")
    sequence_b: int
    place: int = Field(description="Position in its sequence of A, from 0.")
    place_b: int
    name: str = Field(description="Name of the sequence.")
    text: str | None
    weighted: bool = Field(description="Whether both logs have weights.")
    layers: list[Decision]
