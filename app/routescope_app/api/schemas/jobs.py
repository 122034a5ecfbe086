"""Jobs: work that takes longer than a request."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, StrictInt

from routescope.routing.caused.pruning import Scope
from routescope.routing.caused.shapley import PERMUTATIONS
from routescope.routing.caused.subsets import MOST_UNITS_EXACT, MOST_UNITS_PAIRS
from routescope_app.api.schemas.base import (
    MOST_DRAWS,
    MOST_PERMUTATIONS,
    MOST_SAMPLES,
    MOST_SHUFFLES,
    MOST_UNITS,
    AblationKind,
    DistributionName,
    LayerName,
    Measured,
    Problem,
    Reply,
    Strict,
    Whose,
)
from routescope_app.api.schemas.interventions import NUMBERS, InterventionBody, body_of
from routescope_app.api.schemas.prunings import PruningOrder

JobKind = Literal["importance", "embedding", "observation", "sentence_map", "behaviour", "load", "pruning"]
JobState = Literal["queued", "running", "done", "failed", "cancelled"]
Permutations = (
    Annotated[StrictInt, Field(ge=0, le=0)] | Annotated[StrictInt, Field(ge=4, le=MOST_PERMUTATIONS, multiple_of=2)]
)
Seed = Annotated[StrictInt, Field(ge=0, le=2**31 - 1)]


class ImportanceRequest(body_of(NUMBERS, Measured)):  # type: ignore[misc]
    kind: AblationKind = Field("drop", description="What is done to units that are left out.")
    layer: LayerName | None = Field(
        None,
        description="Of a mixture of experts: the layer whose experts alone are looked at, such as l3; the others "
        "stay. Its subsets are muted or replaced, not dropped. None: of a mixture every expert is left out alone, and "
        "nothing else, unless permutations or pairs are asked for.",
    )
    distribution: DistributionName | None = Field(
        None,
        description="in: the model's card says that training showed it; out: training left it out; unknown: no card "
        "says it. No figure pools them. None: in, else unknown, else out.",
    )
    permutations: Permutations | None = Field(
        None,
        description="Random orders of the units, in antithetic pairs, for sampled Shapley values; used above "
        f"{MOST_UNITS_EXACT} units alone. 0: no Shapley values; None: {PERMUTATIONS}, and 0 above {MOST_UNITS_PAIRS} "
        "units.",
    )
    pairs: StrictBool | None = Field(
        None,
        description="Whether to leave out pairs, for interactions; used above ten units alone. "
        f"None: with up to {MOST_UNITS_PAIRS} units.",
    )
    seed: Seed = 0


class EmbeddingRequest(Measured):
    tokens: Literal["patches", "cls", "all"] = Field("patches", description="Whose types.")
    method: Literal["pca", "tsne", "umap"] = "tsne"
    perplexity: Annotated[float, Field(ge=2, le=1_000)] = Field(30, description="Of t-SNE.")
    neighbours: Annotated[StrictInt, Field(ge=2, le=1_000)] = Field(15, description="Of UMAP.")
    seed: Seed = 0
    routing: Literal["trained", "initial"] = Field(
        "trained", description="As trained, or with type inference and signatures as at initialisation."
    )
    intervention: InterventionBody = InterventionBody()


class ObservationRequest(Measured):
    intervention: InterventionBody = InterventionBody()
    shuffles: Annotated[StrictInt, Field(ge=1, le=MOST_SHUFFLES)] = Field(
        200, description="Shuffles of the labels for the null of specialisation."
    )
    seed: Seed = 0


class LoadRequest(Measured):
    samples: Annotated[StrictInt, Field(ge=1, le=MOST_SAMPLES)] = Field(
        128, description="Texts in all, split evenly over the data sets."
    )
    intervention: InterventionBody = InterventionBody()
    shuffles: Annotated[StrictInt, Field(ge=1, le=MOST_SHUFFLES)] = Field(
        200, description="Shuffles of the data sets of texts, and of tokens, for the nulls of specialisation."
    )
    seed: Seed = 0


class PruningRequest(Measured):
    samples: Annotated[StrictInt, Field(ge=1, le=MOST_SAMPLES)] = Field(
        128,
        description="Samples in all that curves are measured on, the first of every data set, split evenly; as many of "
        "the last choose the order. Of small data sets half and half.",
    )
    order: PruningOrder = Field(
        "tokens",
        description="Experts that go first. tokens: those that the fewest tokens took; weight: those of least routing "
        "weight (both observed); effect: those whose drop alone costs least; greedy: those that cost least after every "
        'step (both caused); chance: any. Version 0.6 called tokens "use", which is read too.',
    )
    scope: Scope = Field("layer", description="What shares are of: every layer, or all layers together.")
    at_once: Annotated[StrictInt, Field(ge=1, le=MOST_UNITS)] = Field(
        1, description="Experts that go between two rounds of scores, of a greedy order."
    )
    points: Annotated[StrictInt, Field(ge=1, le=64)] = Field(8, description="Shares that the curves go through.")
    draws: Annotated[StrictInt, Field(ge=0, le=MOST_DRAWS)] = Field(
        8, description="Random sets of the same size, for the band."
    )
    keep: Annotated[list[StrictInt], Field(min_length=1, max_length=MOST_UNITS)] | None = Field(
        None, description="How many experts each layer keeps, or one number for all, measured too."
    )
    seed: Seed = 0


class Job(Reply):
    id: str = Field(description="The same request has the same id. In a list, that of another's job leads nowhere.")
    kind: JobKind
    state: JobState
    done: int
    total: int = Field(description="0 while it is not known.")
    what: str = Field(description="What is being done, for people.")
    seconds: float = Field(description="Of computing, over all attempts.")
    created: datetime
    problem: Problem | None
    result: str | None = Field(description="Address of the result once there is one.")
    request: dict[str, Any] = Field(description="What was asked for; empty in a list for another's job.")
    owner: Whose = Field(
        description="Who had it queued, to who asks: this browser, or one that asked for it too; another; or somebody "
        "without a browser's cookie."
    )
    kept: bool = Field(description="Whether it goes on when nobody reads it.")
    ahead: int | None = Field(description="How many jobs have their turn before it; null unless it waits.")


class JobChange(Strict):
    keep: StrictBool = Field(description="Whether it goes on when nobody reads it.")


class Jobs(Reply):
    items: list[Job]
