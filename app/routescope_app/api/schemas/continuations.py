"""Texts continued by a model, token by token."""

from typing import Annotated, Self

from pydantic import Field, StrictInt

from routescope.routing.continuing import LayerDecision as CoreDecision
from routescope.routing.continuing import NewToken
from routescope_app.api.schemas.base import ModelId, Reply, SampleId, Strict
from routescope_app.api.schemas.interventions import OF_EXPERTS, body_of


class Candidate(Reply):
    """A token that may come next."""

    text: str
    probability: float


class ExpertWeight(Reply):
    """An expert that a token takes."""

    unit: str
    weight: float


class LayerDecision(Reply):
    """The choice of a layer's router for a token."""

    step: str
    experts: list[ExpertWeight] = Field(description="Chosen experts, largest weight first.")
    margin: float | None = Field(
        description="Logits between the last chosen expert and the best other one; null if all are chosen."
    )

    @classmethod
    def of(cls, decision: CoreDecision) -> Self:
        pairs = zip(decision.experts, decision.weights, strict=True)
        experts = [ExpertWeight(unit=unit, weight=weight) for unit, weight in pairs]
        return cls(step=decision.step, experts=experts, margin=decision.margin)


class ContinuedToken(Candidate):
    """A token that the model wrote, and its path through the experts."""

    at: int = Field(description="Position among the new tokens, from 0.")
    candidates: list[Candidate] = Field(description="Most probable tokens at this position.")
    path: list[LayerDecision]

    @classmethod
    def of(cls, at: int, token: NewToken) -> Self:
        return cls(
            at=at,
            text=token.token.text,
            probability=token.token.probability,
            candidates=[Candidate.model_validate(candidate) for candidate in token.candidates],
            path=[LayerDecision.of(decision) for decision in token.path],
        )


class Continuation(Reply):
    """The tokens that a model wrote after a text."""

    tokens: list[ContinuedToken]


class ContinuationIntervention(body_of(OF_EXPERTS)):  # type: ignore[misc]
    """Changes to a mixture of experts while it continues a text."""


class ContinuationRequest(Strict):
    model: ModelId
    sample: SampleId
    tokens: Annotated[StrictInt, Field(ge=1, le=4_096)] = Field(48, description="Number of tokens to write.")
    among: Annotated[StrictInt, Field(ge=1, le=256)] = Field(
        1, description="Draw from this many most probable tokens; 1: always take the most probable."
    )
    seed: Annotated[StrictInt, Field(ge=0, le=2**31 - 1)] = Field(0, description="Seed of the draws.")
    intervention: ContinuationIntervention = ContinuationIntervention()
