"""How tokens of texts spread over the experts of every layer."""

from pydantic import Field

from app.api.schemas.base import InterventionBody, MeasuredSet, Reply


class LayerLoad(Reply):
    """A layer. Lists are by expert, in the order of `units`; of these, by data set in the order of `domains`."""

    name: str
    units: list[str]
    load: list[float] = Field(description="Share of the layer's choices: a token counts for each expert it takes.")
    weight: list[float] = Field(description="Mean share of a token's routing.")
    effective: float = Field(description="exp(entropy of the load): so many experts, used alike, are as even.")
    most_over_mean: float = Field(description="The largest load over the mean one; 1 where all are alike.")
    dead: list[str] = Field(description="Experts that no token took.")
    token_entropy: float = Field(description="Mean entropy, in nats, of the shares of a token's experts.")
    specialisation: float | None = Field(
        description="Mutual information of expert and data set over the smaller entropy, 0 to 1; null for one set."
    )
    null: float | None = Field(description="The same with the data sets of texts shuffled, on average.")
    null_high: float | None = Field(description="95 % of the shuffles are below.")
    by_domain: list[list[float]] = Field(description="p(expert | data set).")
    low: list[list[float]] = Field(description="95 % of the shuffles of p(expert | data set) are from here")
    high: list[list[float]] = Field(description="to here.")
    together: list[list[float | None]] | None = Field(
        description="How often a token takes both of two experts, over what independence would give; null where one is "
        "never taken, or for all of it in models with very many experts."
    )


class TokenExemplar(Reply):
    """A token that an expert has much weight for, within its text."""

    unit: str
    sample: str
    domain: str
    token: int = Field(description="Its place among the tokens of the text.")
    weight: float = Field(description="The expert's share of the token's routing.")
    before: str
    text: str
    after: str


class ExpertLoad(Reply):
    """What was observed; what an expert causes is measured by evaluations."""

    id: str
    model: str
    revision: str
    seed: int
    shuffles: int
    intervention: InterventionBody
    data: list[MeasuredSet]
    count: int = Field(description="Texts.")
    tokens: int
    domains: list[str]
    layers: list[LayerLoad]
    exemplars: list[TokenExemplar] = Field(description="Of each expert the first one first, at most one of a text.")
