"""What is said while a text is continued."""

from typing import Self

from pydantic import Field

from app.api.schemas.base import Reply
from core.nn.network import NextToken
from core.routing.continuing import NewToken


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


class ContinuationEnd(Reply):
    """The last event of a continuation."""

    tokens: int = Field(description="How many were written.")
