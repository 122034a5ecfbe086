"""In which order experts go, and what is left of the figure while fewer and fewer are kept."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from routescope.routing.caused.pruning import Order, Scope
from routescope_app.api.schemas.base import Interval, MeasuredSet, MeasureName, Reply


def _renamed(order: object) -> object:
    """The order by tokens for its name in version 0.6, which stored results and links have; others as they are."""
    return "tokens" if order == "use" else order


PruningOrder = Annotated[Order, BeforeValidator(_renamed)]


class PrunedLayer(Reply):
    name: str
    experts: int
    least: int = Field(description="How many stay at least: as many as a token takes.")


class PruningBaseline(Reply):
    """The model as it is."""

    domain: str
    figure: Interval


class PruningPoint(Reply):
    """What is left, by domain, where a share of the experts is kept."""

    domain: str = Field(description="A data set's domain; `all`: all of them together.")
    keep: float = Field(description="The share that was asked for.")
    share: float = Field(description="The share of all experts that is kept.")
    experts: int = Field(description="How many experts that is.")
    figure: Interval
    change: Interval = Field(description="Figure after minus before, paired by sample.")
    random: Interval | None = Field(description="Random sets of the same size: their mean, the least and the largest.")
    random_change: Interval | None = Field(description="What these change.")
    draws: int | None = Field(
        None,
        description="How many random sets that is over: as many as were asked for, but for those that a model with "
        "groups of experts cannot be left with. Null in results from before it was counted.",
    )


class Pruning(Reply):
    """Orders by tokens and weight are observed, by effect and greedy ones caused; what they cost is caused."""

    id: str
    model: str
    revision: str
    order: PruningOrder
    scope: Scope
    at_once: int
    draws: int
    seed: int
    keep: list[int] | None
    data: list[MeasuredSet] = Field(description="What curves are measured on.")
    count: int
    chosen_on: int = Field(description="Other samples of the same data sets, on which the order was chosen.")
    layers: list[PrunedLayer]
    complete: bool = Field(description="False while it is computed: then it holds what is known so far.")
    sequence: list[str] = Field(description="Experts in the order in which they go; others go last.")
    measure: MeasureName | None
    baseline: list[PruningBaseline]
    curve: list[PruningPoint] = Field(description="Share after share, each by domain.")
    chosen: list[PruningPoint] = Field(description="The same of the numbers by layer that were asked for.")


class KeptLayer(Reply):
    layer: str
    index: int = Field(description="Its place in the checkpoint, from 0.")
    experts: int
    kept: list[str]
    indices: list[int] = Field(description="Places of the kept experts in the checkpoint, from 0.")


class KeepListFile(Reply):
    """What `routescope.routing.caused.pruning.KeepList.from_json` reads."""

    format: Literal["routescope keep-list 1"]
    model: str
    revision: str
    order: PruningOrder
    scope: Scope
    seed: int
    share: float
    not_written: str | None = Field(
        None,
        description="Parts of an opened folder that a pruned model lacks, such as a vision tower, with sizes.",
    )
    layers: list[KeptLayer]
