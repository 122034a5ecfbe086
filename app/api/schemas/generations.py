"""Generations: a text continued by a model token by token, with the way of every new token through its experts.

``POST /generations`` and ``GET /generations/stream`` answer with server-sent events: one ``begin``, a ``token`` for
every new token, and one ``end``; a ``problem`` in place of the rest where it could not go on.
"""

from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from app.api.schemas.base import InterventionBody, ModelId, Reply, SampleId, Strict

#: Bounds that a schema must know; ``Settings`` can only narrow them.
MOST_GENERATED = 4_096
MOST_CANDIDATES = 1_024
LONGEST_PROMPT = 1_048_576

Count = Annotated[int, Field(ge=1, le=MOST_GENERATED, description="New tokens, at most.")]
Temperature = Annotated[
    float,
    Field(ge=0, le=10, description="What logits are divided by before a token is drawn; 0: always the most probable."),
]
Candidates = Annotated[
    int, Field(ge=1, le=MOST_CANDIDATES, description="A token is drawn from so many of the most probable ones.")
]
Seed = Annotated[int, Field(ge=0, le=2**31 - 1, description="Of what is drawn; the same seed gives the same text.")]


class GenerationRequest(Strict):
    """A model, what it goes on from (a sample or a text, one of them), and how."""

    model: ModelId
    sample: SampleId | None = None
    text: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_PROMPT)] | None = None
    count: Annotated[Count, Field(strict=True)] = 32
    temperature: Temperature = 0.0
    candidates: Annotated[Candidates, Field(strict=True)] = 256
    seed: Annotated[Seed, Field(strict=True)] = 0
    intervention: InterventionBody = InterventionBody()

    @model_validator(mode="after")
    def _one_beginning(self) -> Self:
        if (self.sample is None) == (self.text is None):
            raise ValueError("name a sample or give a text, one of them")
        return self


class NextToken(Reply):
    """A token that may come next."""

    id: int = Field(description="Of the model's vocabulary.")
    text: str = Field(description="How it reads.")
    probability: float = Field(description="By the model as it is, whatever the temperature.")


class RoutedStep(Reply):
    """The experts that one token took at one layer, strongest first."""

    step: str = Field(description="Name of the layer, such as l3.")
    index: int = Field(description="The checkpoint's own number of the layer, from 0.")
    units: list[str] = Field(description="Names of the experts, such as l3.e5.")
    experts: list[int] = Field(description="The same by the checkpoint's own number within the layer, from 0.")
    weights: list[float] = Field(description="As the model applies them; 0 of an expert that is muted.")
    margin: float | None = Field(
        description="The score of the last expert that was chosen less that of the best that was not."
    )


class GenerationBegin(Reply):
    """Event ``begin``: what is gone on from."""

    model: str
    revision: str
    sample: str | None
    intervention: InterventionBody
    count: int = Field(description="New tokens that come at most; fewer where the model reads no longer text.")
    temperature: float
    candidates: int
    seed: int
    steps: list[str] = Field(description="Names of the layers that route.")
    tokens: list[str] = Field(description="How the tokens read that are there already, in turn.")
    cut: bool = Field(description="Whether the text was longer than the model reads, and its end was left out.")


class GeneratedToken(NextToken):
    """Event ``token``: a new token, with its own way through the layers."""

    place: int = Field(description="Its place among all tokens, those of the beginning included, from 0.")
    nats: float = Field(description="Its surprise: minus the logarithm of its probability.")
    others: list[NextToken] = Field(description="The most probable tokens at this place, at most five.")
    routing: list[RoutedStep] = Field(description="Layer by layer, of the new token when the model reads it.")
    seconds: float = Field(description="What it took to compute.")


class GenerationEnd(Reply):
    """Event ``end``: the last one."""

    reason: Literal["count", "full"] = Field(
        description="count: as many came as were asked for; full: the model reads no longer text."
    )
    text: str = Field(description="The new tokens as one text.")
    tokens: int = Field(description="How many are new.")
    seconds: float
