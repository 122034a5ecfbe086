"""Prunings: the order in which experts are removed, and the figure while fewer and fewer are kept."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from routescope.routing.caused.pruning import Order, Scope
from routescope_app.api.schemas.base import Interval, JobResult, MeasuredSet, MeasureName, Reply


def _renamed(order: object) -> object:
    """Return the name of an order; version 0.6 called "tokens" "use" in stored results and links."""
    return "tokens" if order == "use" else order


PruningOrder = Annotated[Order, BeforeValidator(_renamed)]


class PrunedLayer(Reply):
    """A layer whose experts are pruned."""

    name: str
    experts: int
    least: int = Field(description="Experts that have to stay: top-k.")


class PruningBaseline(Reply):
    """Figure of the full model in one domain."""

    domain: str
    figure: Interval


class PruningPoint(PruningBaseline):
    """Figure in one domain while a share of the experts is kept."""

    domain: str = Field(description="Domain of a data set, or `all`.")
    keep: float = Field(description="Share that was asked for.")
    share: float = Field(description="Share of all experts that is kept.")
    experts: int = Field(description="Number of experts that are kept.")
    change: Interval = Field(description="Figure after minus before, paired by sample.")
    random: Interval | None = Field(description="Random sets of the same size: mean, least and largest.")
    random_change: Interval | None = Field(description="Change under these random sets.")
    draws: int | None = Field(
        None, description="Number of random sets; fewer than asked for in models with groups of experts."
    )


class Pruning(JobResult):
    """An order of experts and its cost. Orders by tokens and weight are observed, the others and all costs caused."""

    order: PruningOrder
    scope: Scope
    at_once: int
    draws: int
    keep: list[int] | None
    data: list[MeasuredSet] = Field(description="Data of the curves.")
    chosen_on: int = Field(description="Number of other samples of the same data, on which the order was chosen.")
    layers: list[PrunedLayer]
    complete: bool = Field(description="False while the job runs; then the result is partial.")
    sequence: list[str] = Field(description="Experts in the order of their removal.")
    measure: MeasureName | None
    baseline: list[PruningBaseline]
    curve: list[PruningPoint] = Field(description="Points by share, then by domain.")
    chosen: list[PruningPoint] = Field(description="Points of the numbers per layer that were asked for.")


class KeptLayer(Reply):
    """Kept experts of a layer."""

    layer: str
    index: int = Field(description="Position of the layer in the checkpoint, from 0.")
    experts: int
    kept: list[str]
    indices: list[int] = Field(description="Positions of the kept experts in the checkpoint, from 0.")


class KeepListFile(Reply):
    """The file that `routescope.routing.caused.pruning.KeepList.from_json` reads."""

    format: Literal["routescope keep-list 1"]
    model: str
    revision: str
    order: PruningOrder
    scope: Scope
    seed: int
    share: float
    not_written: str | None = Field(
        None, description="Parts of an opened folder that a pruned model lacks, such as a vision tower, with sizes."
    )
    layers: list[KeptLayer]
