"""Graphs of links between modules: what was learned beside the prior, and one module in it."""

from typing import Literal

from pydantic import Field

from routescope_app.api.schemas.base import DistributionName, Interval, MeasuredSet, MeasureName, Reply


class Deviated(Reply):
    """A figure of a graph, with its standard deviation where graphs were sampled."""

    value: float | None
    deviation: float | None = Field(None, description="Over sampled graphs; null where none were sampled.")


class GraphStatistic(Reply):
    """One figure of the learned graph beside the prior's."""

    name: str
    title: str = Field(description="The same, for people.")
    on: str = Field(description="What it is computed on, for people.")
    learned: Deviated
    prior: Deviated | None


class Degrees(Reply):
    """Expected number of links of each module, to the others: sums of link probabilities; in the order of `units`."""

    learned: list[float]
    prior: list[float] | None = Field(description="Of the module that each was matched with.")


class ClusterPoint(Reply):
    """What the graph falls into when the weakest links are cut."""

    share: float = Field(description="Share of the links that stays: `keep_edges`.")
    clusters: int = Field(description="Groups of modules that no link that stays connects; lone modules count.")
    largest: float = Field(description="Share of the modules in the largest of them.")


class Graph(Reply):
    """The links of a model. Lists by module are in the order of `units`."""

    model: str
    revision: str
    units: list[str]
    links: str = Field(description="learned, frozen (sampled once before training) or complete.")
    prior: str | None = Field(description="Name of the prior; null where the model has none.")
    distance: float | None = Field(description="Of the learned graph to its prior, as matched.")
    order: list[int] = Field(
        description="Positions in `units` in the order of the matched prior; without one, group by group, the best "
        "connected first."
    )
    ordered_by: Literal["prior", "communities"]
    degrees: Degrees
    connectivity: list[float] = Field(
        description="q_i: the sum of the link probabilities of module i, its own of 1 in."
    )
    communities: list[int] = Field(description="Groups of greatest modularity, from 0.")
    layout: list[tuple[float, float]] = Field(
        description="Places in the plane, at most 1 from the centre: modules with like signatures attract each other, "
        "all push each other away."
    )
    statistics: list[GraphStatistic]
    clusters: list[ClusterPoint]
    edges: int = Field(description="Pairs of modules whose link probability is above 0.")
    readouts: int


class Neighbour(Reply):
    unit: str
    probability: float


class ReadIn(Reply):
    """Where one module looks at a sample."""

    sample: str
    tokens: list[str]
    weights: list[float] = Field(description="Of each token; they add up to 1.")
    grid: tuple[int, int] | None = Field(description="Rows and columns, where tokens are patches of an image.")


class ModuleDropEffect(Reply):
    """What dropping this module alone changes, where that was evaluated before."""

    measure: MeasureName = Field(MeasureName(), description="What `accuracy` is.")
    accuracy: Interval
    loss: Interval
    data: list[MeasuredSet]
    distribution: DistributionName = Field(
        description="in: of what training showed, the other samples left out; out, unknown: where the model's data "
        "hold nothing else."
    )


class GraphModule(Reply):
    """One module of a graph."""

    model: str
    revision: str
    unit: str
    connectivity: float = Field(description="q_i.")
    rank: int = Field(description="1 for the best connected module.")
    community: int
    degree: float
    neighbours: list[Neighbour] = Field(description="The strongest links first.")
    readout_links: list[float] = Field(description="Link probability with each read-out module.")
    read_in: ReadIn | None = Field(description="Null without a sample.")
    read_out_share: float | None = Field(
        description="Share of this module in the output for the sample: its attention weight in each read-out module "
        "times the confidence of that one, added up; null without a sample."
    )
    read_out_rank: int | None = Field(description="1 for the module of the greatest share.")
    drop_effect: ModuleDropEffect | None = Field(description="Null where it was not evaluated; POST /evaluations does.")
