"""Circuits that a model designs for sentences, and maps of sentences by their circuits."""

from typing import Annotated, Any, Literal

from pydantic import Field

from routescope_app.api.schemas.base import JobResult, ModelId, ModelReply, Reply, Strict
from routescope_app.api.schemas.jobs import Seed
from routescope_app.api.schemas.statements import Sentences

SentenceSet = Literal["appendix-h", "scenes"]


class PlacesRequest(Strict):
    sentences: Sentences


class DesignsRequest(PlacesRequest):
    threshold: Annotated[float, Field(ge=0, le=1, strict=True)] = Field(
        0.5, description="Probability above which a link counts as present."
    )


class Piece(Reply):
    """A word of a sentence, or a part of a word."""

    text: str
    known: bool = Field(description="Whether the model was trained with it.")


class DesignChange(Reply):
    """Difference of a circuit from the first one."""

    gained: int = Field(description="Links above the threshold here and not in the first.")
    lost: int = Field(description="Links above the threshold in the first and not here.")
    mean_change: float = Field(description="Mean absolute difference of link probabilities over pairs of modules.")
    correlation: float | None = Field(description="Correlation of link probabilities; null without variance.")
    module_change: list[float] = Field(description="Mean absolute difference of each module's link probabilities.")
    code_change: list[float] | None = Field(description="1 - cosine of each module's codes.")


class SentenceDesign(Reply):
    """The circuit for one sentence. Lists by module are in the order of `units`."""

    sentence: str = Field(description="The sentence as the model read it.")
    pieces: list[Piece]
    connectivity: list[float] = Field(description="q_i: sum of the link probabilities of module i, with itself (1).")
    mean_degree: float = Field(description="Mean expected number of links of a module to the others.")
    density: float = Field(description="Mean link probability over pairs.")
    links_above: int = Field(description="Links above the threshold.")
    modularity: float | None = Field(description="Q of the best communities found; null without links.")
    communities: list[int] = Field(description="Communities of greatest modularity, from 0.")
    text_attention: list[list[float]] | None = Field(
        description="Attention of each module's query to each piece (unit, piece); null if not recorded."
    )
    to_first: DesignChange | None = Field(description="Null for the first.")


class Designs(ModelReply):
    """Circuits of several sentences."""

    threshold: float
    units: list[str]
    layout: list[tuple[float, float]] = Field(
        description="Position of each module, the same for all sentences; at most 1 from the centre."
    )
    designs: list[SentenceDesign]
    seconds: float = Field(description="Computing time.")


class SentenceMapRequest(Strict):
    model: ModelId
    set: SentenceSet = "scenes"
    method: Literal["tsne", "pca"] = "tsne"
    perplexity: Annotated[float, Field(ge=2, le=1_000)] = Field(30, description="For t-SNE.")
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
    """Distance between groups of sentences, beside the same for shuffled groups."""

    map: Literal["circuits", "text"]
    space: str = Field(description="full: after PCA; map: on the plane.")
    by: Literal["kind", "object"]
    measure: str = Field(description="silhouette, or nearest neighbours: share of sentences in their group.")
    balanced: bool = Field(False, description="Whether it is a mean over groups, so that all groups weigh the same.")
    value: float | None
    null_mean: float | None
    null_low: float | None = Field(description="2.5 % quantile of the shuffles.")
    null_high: float | None = Field(description="97.5 % quantile of the shuffles.")
    chance: float | None = Field(None, description="Value without any order.")
    count: int = Field(description="Number of sentences.")
    groups: int = Field(0, description="Number of groups.")


class SentenceMap(JobResult):
    """Sentences mapped by their circuits, beside the map by the text encoder."""

    set: str
    set_title: str
    method: Literal["tsne", "pca"]
    parameters: dict[str, Any]
    kinds: list[str]
    objects: list[str]
    points: list[MapPoint]
    xy: list[tuple[float, float]] = Field(description="Map by circuit, in the order of `points`.")
    text_xy: list[tuple[float, float]] = Field(description="Map by the text encoder's embedding.")
    variance: MapFigures = Field(description="Share of the variance that the PCA before the map keeps.")
    trustworthiness: MapFigures
    separation: list[Separation]


class NearPoint(Reply):
    """A near sentence of the map."""

    index: int = Field(description="Index into `points`.")
    distance: float = Field(description="Distance after the PCA before the map.")


class Place(Reply):
    """Position of a further sentence on both maps."""

    sentence: str = Field(description="The sentence as the model read it.")
    xy: tuple[float, float]
    text_xy: tuple[float, float]
    unknown_words: list[str]
    nearest: list[NearPoint] = Field(description="Nearest by circuit.")
    text_nearest: list[NearPoint] = Field(description="Nearest by the text encoder's embedding.")


class Places(Reply):
    """Positions of further sentences."""

    id: str
    model: str
    places: list[Place]
