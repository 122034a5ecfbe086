"""What is said while a text is continued."""

from typing import Annotated, Self

from pydantic import Field, StrictInt

from routescope.nn.mixture.routed import NextToken
from routescope.routing.continuing import NewToken
from routescope_app.api.schemas.base import ModelId, Reply, SampleId, Strict
from routescope_app.api.schemas.interventions import OF_EXPERTS, body_of


class Candidate(Reply):
    """A token that may come next."""

    text: str
    probability: float

    @classmethod
    def of(cls, token: NextToken) -> Self:
        return cls(text=token.text, probability=token.probability)


class Taken(Reply):
    """An expert that a token takes."""

    unit: str
    weight: float


class LayerDecision(Reply):
    """What the router of a layer decided for a token."""

    step: str
    experts: list[Taken] = Field(description="Those that the token takes, that of most weight first.")
    margin: float | None = Field(
        description="By how many logits the last of them is ahead of the best that is not taken; null where all are."
    )


class ContinuedToken(Reply):
    """A token that the model wrote, and its way through the experts."""

    at: int = Field(description="Its place among the new ones, from 0.")
    text: str
    probability: float = Field(description="Given all before it.")
    candidates: list[Candidate] = Field(description="The most probable ones in its place.")
    path: list[LayerDecision]

    @classmethod
    def of(cls, at: int, found: NewToken) -> Self:
        return cls(
            at=at,
            text=found.token.text,
            probability=found.token.probability,
            candidates=[Candidate.of(each) for each in found.candidates],
            path=[
                LayerDecision(
                    step=each.step,
                    experts=[
                        Taken(unit=unit, weight=weight) for unit, weight in zip(each.experts, each.weights, strict=True)
                    ],
                    margin=each.margin,
                )
                for each in found.path
            ],
        )


class Continuation(Reply):
    """All that a model wrote after a text."""

    tokens: list[ContinuedToken]


class ContinuationIntervention(body_of(OF_EXPERTS)):  # type: ignore[misc]
    """Changes to a mixture of experts while it continues a text."""


class ContinuationRequest(Strict):
    """What is continued, how far, and under what."""

    model: ModelId
    sample: SampleId
    tokens: Annotated[StrictInt, Field(ge=1, le=4_096)] = Field(48, description="How many are written.")
    among: Annotated[StrictInt, Field(ge=1, le=256)] = Field(
        1, description="Drawn from so many most probable ones; 1: always the most probable."
    )
    seed: Annotated[StrictInt, Field(ge=0, le=2**31 - 1)] = Field(0, description="Of what is drawn.")
    intervention: ContinuationIntervention = ContinuationIntervention()
