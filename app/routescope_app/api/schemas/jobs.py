"""Jobs, which take longer than a request, and the requests that start them."""

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
from routescope_app.api.schemas.experiments import EXPERIMENT_PATTERN
from routescope_app.api.schemas.interventions import NUMBERS, InterventionBody, body_of
from routescope_app.api.schemas.prunings import PruningOrder

JobKind = Literal[
    "importance", "embedding", "observation", "sentence_map", "behaviour", "load", "pruning", "reproduction"
]
JobState = Literal["queued", "running", "done", "failed", "cancelled"]
Permutations = (
    Annotated[StrictInt, Field(ge=0, le=0)] | Annotated[StrictInt, Field(ge=4, le=MOST_PERMUTATIONS, multiple_of=2)]
)
Seed = Annotated[StrictInt, Field(ge=0, le=2**31 - 1)]


class ImportanceRequest(body_of(NUMBERS, Measured)):  # type: ignore[misc]
    kind: AblationKind = Field("drop", description="Ablation of units that are left out.")
    layer: LayerName | None = Field(
        None,
        description="For mixtures of experts: measure the experts of this layer only, such as l3. Its subsets are "
        "muted or replaced, not dropped. None: ablate each expert alone, unless permutations or pairs are asked for.",
    )
    distribution: DistributionName | None = Field(
        None,
        description="in: trained on, by the model's card; out: held out; unknown: the card does not say. They are "
        "never pooled. None: in, else unknown, else out.",
    )
    permutations: Permutations | None = Field(
        None,
        description=f"Random orders for sampled Shapley values, in antithetic pairs; used above {MOST_UNITS_EXACT} "
        f"units. 0: no Shapley values. None: {PERMUTATIONS}, and 0 above {MOST_UNITS_PAIRS} units.",
    )
    pairs: StrictBool | None = Field(
        None,
        description="Whether to leave out pairs, for interactions; used above ten units. "
        f"None: up to {MOST_UNITS_PAIRS} units.",
    )
    seed: Seed = 0


class EmbeddingRequest(Measured):
    tokens: Literal["patches", "cls", "all"] = Field("patches", description="Tokens whose types are mapped.")
    method: Literal["pca", "tsne", "umap"] = "tsne"
    perplexity: Annotated[float, Field(ge=2, le=1_000)] = Field(30, description="For t-SNE.")
    neighbours: Annotated[StrictInt, Field(ge=2, le=1_000)] = Field(15, description="For UMAP.")
    seed: Seed = 0
    routing: Literal["trained", "initial"] = Field(
        "trained", description="Trained routing, or type inference and signatures at initialisation."
    )
    intervention: InterventionBody = InterventionBody()


class ObservationRequest(Measured):
    intervention: InterventionBody = InterventionBody()
    shuffles: Annotated[StrictInt, Field(ge=1, le=MOST_SHUFFLES)] = Field(
        200, description="Shuffles for the nulls of specialisation."
    )
    seed: Seed = 0


class LoadRequest(ObservationRequest):
    samples: Annotated[StrictInt, Field(ge=1, le=MOST_SAMPLES)] = Field(
        128, description="Number of texts, split evenly over the data sets."
    )


class PruningRequest(Measured):
    samples: Annotated[StrictInt, Field(ge=1, le=MOST_SAMPLES)] = Field(
        128,
        description="Number of samples for the curves, the first of each data set; as many of the last samples choose "
        "the order. Small data sets are halved.",
    )
    order: PruningOrder = Field(
        "tokens",
        description="Experts to remove first. tokens: those with the fewest tokens; weight: those of least routing "
        "weight (both observed); effect: those whose drop alone costs least; greedy: those that cost least after every "
        'step (both caused); chance: random. "use" is the old name of tokens.',
    )
    scope: Scope = Field("layer", description="Shares of each layer, or of all layers together.")
    at_once: Annotated[StrictInt, Field(ge=1, le=MOST_UNITS)] = Field(
        1, description="Experts that a greedy order removes per round."
    )
    points: Annotated[StrictInt, Field(ge=1, le=64)] = Field(8, description="Number of shares of the curves.")
    draws: Annotated[StrictInt, Field(ge=0, le=MOST_DRAWS)] = Field(
        8, description="Number of random sets of the same size."
    )
    keep: Annotated[list[StrictInt], Field(min_length=1, max_length=MOST_UNITS)] | None = Field(
        None, description="Experts to keep per layer, or one number for all layers; measured too."
    )
    seed: Seed = 0


class ReproductionRequest(Strict):
    experiment: str = Field(
        pattern=EXPERIMENT_PATTERN, description="Id of an experiment, as `GET /results` lists them."
    )


class Job(Reply):
    """The state of a job."""

    id: str = Field(description="The same request has the same id. Lists hide the ids of other owners' jobs.")
    kind: JobKind
    state: JobState
    done: int
    total: int = Field(description="0 if unknown.")
    what: str = Field(description="Current step, for people.")
    seconds: float = Field(description="Computing time of all attempts.")
    created: datetime
    problem: Problem | None
    result: str | None = Field(description="Address of the result; null until the job is done.")
    request: dict[str, Any] = Field(description="The request; empty in lists for other owners' jobs.")
    owner: Whose = Field(description="The client that asked for the job, as the caller sees it.")
    kept: bool = Field(description="Whether it continues while nobody reads it.")
    ahead: int | None = Field(description="Number of jobs before it in the queue; null unless queued.")


class JobChange(Strict):
    keep: StrictBool = Field(description="Whether it continues while nobody reads it.")


class Jobs(Reply):
    items: list[Job]
