"""Circuits that sentences design, and maps of many sentences by their circuits."""

from typing import Annotated, Any, Literal

from pydantic import Field

from routescope_app.api.schemas.base import ModelId, Reply, Strict
from routescope_app.api.schemas.jobs import Seed
from routescope_app.api.schemas.statements import Sentences

SentenceSet = Literal["appendix-h", "scenes"]


class DesignsRequest(Strict):
    sentences: Sentences
    threshold: Annotated[float, Field(ge=0, le=1, strict=True)] = Field(
        0.5, description="Probability above which a link counts as there."
    )


class Piece(Reply):
    """A word of a sentence, or a part of one."""

    text: str
    known: bool = Field(description="Whether the model was trained with it.")


class DesignChange(Reply):
    """How a circuit differs from the first one."""

    gained: int = Field(description="Links above the threshold here and not there.")
    lost: int = Field(description="Links above the threshold there and not here.")
    mean_change: float = Field(description="Mean absolute difference of link probabilities over pairs of modules.")
    correlation: float | None = Field(description="Of link probabilities over pairs; null where one has no spread.")
    module_change: list[float] = Field(description="Mean absolute difference of each module's link probabilities.")
    code_change: list[float] | None = Field(description="1 - cosine of each module's codes.")


class SentenceDesign(Reply):
    """The circuit that one sentence designs. Lists by module are in the order of `units`."""

    sentence: str = Field(description="As the model got it.")
    pieces: list[Piece]
    connectivity: list[float] = Field(description="q_i: the sum of link probabilities of module i, its own of 1 in.")
    mean_degree: float = Field(description="Mean expected number of links of a module to the others.")
    density: float = Field(description="Mean link probability over pairs.")
    links_above: int = Field(description="Links above the threshold.")
    modularity: float | None = Field(description="Q of the best communities found; null without links.")
    communities: list[int] = Field(description="Groups of greatest modularity, from 0.")
    text_attention: list[list[float]] | None = Field(
        description="Attention of each module's query to each of the pieces (unit, piece); null where not recorded."
    )
    to_first: DesignChange | None = Field(description="Null for the first.")


class Designs(Reply):
    model: str
    revision: str
    threshold: float
    units: list[str]
    layout: list[tuple[float, float]] = Field(
        description="A place for each module, the same whatever the sentences; at most 1 from the centre."
    )
    designs: list[SentenceDesign]
    seconds: float = Field(description="Of computing.")


class SentenceMapRequest(Strict):
    model: ModelId
    set: SentenceSet = Field("scenes", description="Which sentences.")
    method: Literal["tsne", "pca"] = "tsne"
    perplexity: Annotated[float, Field(ge=2, le=1_000)] = Field(30, description="Of t-SNE.")
    seed: Seed = 0


class MapPoint(Reply):
    """One sentence of a map."""

    text: str
    kind: str
    object: str | None
    colour: str | None
    number: str | None
    relation: str | None


class MapFigures(Reply):
    """One figure for each of the two maps."""

    circuits: float | None
    text: float | None


class Separation(Reply):
    """How far sentences of one group are apart from those of others, beside the same with shuffled groups."""

    map: Literal["circuits", "text"]
    space: str = Field(description="full: after PCA; map: on the plane.")
    by: Literal["kind", "object"]
    measure: str = Field(
        description="silhouette, or nearest neighbours: share of sentences whose group their neighbours tell."
    )
    balanced: bool = Field(False, description="As a mean over groups, so that a large one does not decide alone.")
    value: float | None
    null_mean: float | None
    null_low: float | None = Field(description="2.5 % of the shuffles are below.")
    null_high: float | None = Field(description="2.5 % of the shuffles are above.")
    chance: float | None = Field(None, description="What is reached without any order.")
    count: int = Field(description="Sentences that it was computed on.")
    groups: int = Field(0, description="Groups among them.")


class SentenceMap(Reply):
    """Sentences mapped by the circuits that they design, beside the text encoder's own map."""

    id: str
    model: str
    revision: str
    set: str
    set_title: str
    method: Literal["tsne", "pca"]
    parameters: dict[str, Any]
    seed: int
    count: int
    kinds: list[str]
    objects: list[str]
    points: list[MapPoint]
    xy: list[tuple[float, float]] = Field(description="By circuit, in the order of `points`.")
    text_xy: list[tuple[float, float]] = Field(description="By the text encoder's embedding.")
    variance: MapFigures = Field(description="Share of the variance that the PCA before the map holds.")
    trustworthiness: MapFigures
    separation: list[Separation]


class PlacesRequest(Strict):
    sentences: Sentences


class NearPoint(Reply):
    index: int = Field(description="In `points`.")
    distance: float = Field(description="After the PCA before the map.")


class Place(Reply):
    """Where one sentence lands on both maps."""

    sentence: str = Field(description="As the model got it.")
    xy: tuple[float, float]
    text_xy: tuple[float, float]
    unknown_words: list[str]
    nearest: list[NearPoint] = Field(description="By circuit, the nearest first.")
    text_nearest: list[NearPoint] = Field(description="By the text encoder's embedding.")


class Places(Reply):
    id: str
    model: str
    places: list[Place]
