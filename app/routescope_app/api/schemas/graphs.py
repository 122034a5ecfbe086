"""Graphs of links between modules: the learned graph beside its prior, and one module."""

from typing import Literal

from pydantic import Field

from routescope_app.api.schemas.base import DistributionName, Interval, MeasuredSet, MeasureName, ModelReply, Reply


class SampledFigure(Reply):
    """A figure of a graph, with its standard deviation over sampled graphs."""

    value: float | None
    deviation: float | None = Field(None, description="Null if no graphs were sampled.")


class GraphStatistic(Reply):
    """One figure of the learned graph beside the prior's."""

    name: str
    title: str = Field(description="Name for people.")
    on: str = Field(description="The graph that it was computed on, for people.")
    learned: SampledFigure
    prior: SampledFigure | None


class Degrees(Reply):
    """Expected number of links of each module to the others, in the order of `units`."""

    learned: list[float]
    prior: list[float] | None = Field(description="Degrees of the matched modules of the prior.")


class ClusterPoint(Reply):
    """Clusters of the graph after its weakest links are cut."""

    share: float = Field(description="Share of the links that is kept: `keep_edges`.")
    clusters: int = Field(description="Number of connected components; lone modules count.")
    largest: float = Field(description="Share of the modules in the largest one.")


class Graph(ModelReply):
    """The links of a model. Lists by module are in the order of `units`."""

    units: list[str]
    links: str = Field(description="learned, frozen (sampled once before training) or complete.")
    prior: str | None = Field(description="Name of the prior; null without one.")
    distance: float | None = Field(description="Distance of the learned graph to its matched prior.")
    order: list[int] = Field(
        description="Positions in `units` in the order of the matched prior; without one, by community and then by "
        "connectivity."
    )
    ordered_by: Literal["prior", "communities"]
    degrees: Degrees
    connectivity: list[float] = Field(description="q_i: sum of the link probabilities of module i, with itself (1).")
    communities: list[int] = Field(description="Communities of greatest modularity, from 0.")
    layout: list[tuple[float, float]] = Field(
        description="Positions in the plane, at most 1 from the centre: modules with like signatures are close."
    )
    statistics: list[GraphStatistic]
    clusters: list[ClusterPoint]
    edges: int = Field(description="Pairs of modules whose link probability is above 0.")
    readouts: int


class Neighbour(Reply):
    """A linked module."""

    unit: str
    probability: float


class ReadIn(Reply):
    """Attention of one module to the tokens of a sample."""

    sample: str
    tokens: list[str]
    weights: list[float] = Field(description="One weight per token; they add up to 1.")
    grid: tuple[int, int] | None = Field(description="Rows and columns, if tokens are patches of an image.")


class ModuleDropEffect(Reply):
    """Effect of dropping this module alone, from an earlier evaluation."""

    measure: MeasureName = Field(MeasureName(), description="Measure of `accuracy`.")
    accuracy: Interval
    loss: Interval
    data: list[MeasuredSet]
    distribution: DistributionName = Field(
        description="in: trained-on data alone; out, unknown: the model's data hold nothing else."
    )


class GraphModule(ModelReply):
    """One module of a graph."""

    unit: str
    connectivity: float = Field(description="q_i.")
    rank: int = Field(description="1 for the best connected module.")
    community: int
    degree: float
    neighbours: list[Neighbour] = Field(description="Strongest links first.")
    readout_links: list[float] = Field(description="Link probability with each read-out module.")
    read_in: ReadIn | None = Field(description="Null without a sample.")
    read_out_share: float | None = Field(
        description="Share of this module in the output: the sum over read-out modules of attention weight times "
        "confidence; null without a sample."
    )
    read_out_rank: int | None = Field(description="1 for the module of the greatest share.")
    drop_effect: ModuleDropEffect | None = Field(description="Null until POST /evaluations has measured it.")
