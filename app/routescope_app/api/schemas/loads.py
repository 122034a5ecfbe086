"""How tokens of texts spread over the experts of every layer."""

from pydantic import Field

from routescope_app.api.schemas.base import MeasuredSet, Reply
from routescope_app.api.schemas.interventions import AppliedIntervention


class TokenKind(Reply):
    """A kind of token, such as a byte."""

    text: str = Field(description="How it reads.")
    count: int = Field(description="Tokens of this kind, those that start a text apart.")


class LayerTokens(Reply):
    """Which kinds of tokens take which experts of a layer. Lists are by expert, then by kind, as `kinds` has them."""

    specialisation: float | None = Field(
        description="Mutual information of expert and kind of token over the smaller entropy, 0 to 1."
    )
    null: float | None = Field(description="The same with all tokens shuffled, on average.")
    null_high: float | None = Field(description="97.5 % of these shuffles are below.")
    within: float | None = Field(
        description="The same with the tokens of each text shuffled, which keeps what texts are about, on average."
    )
    within_high: float | None = Field(description="97.5 % of these shuffles are below.")
    share: list[list[float]] = Field(description="p(expert | kind of token).")
    low: list[list[float]] = Field(description="95 % of the shuffles of each text's own tokens are from here")
    high: list[list[float]] = Field(description="to here.")


class LayerWritten(Reply):
    """How alike two experts of a layer are in what they write, of tokens that take both."""

    tokens: list[list[int]] = Field(description="How many take both.")
    cosine: list[list[float | None]] = Field(description="Mean cosine of the two outputs; null where no token is.")
    low: list[list[float | None]] = Field(
        description="95 % interval, the bootstrap's over texts; null of a single text."
    )
    high: list[list[float | None]]


class LayerLoad(Reply):
    """A layer. Lists are by expert, in the order of `units`; of these, by data set in the order of `domains`."""

    name: str
    units: list[str]
    load: list[float] = Field(description="Share of the layer's choices: a token counts for each expert it takes.")
    weight: list[float] | None = Field(
        description="Mean share of a token's routing; null where a log does not say weights."
    )
    effective: float = Field(description="exp(entropy of the load): so many experts, used alike, are as even.")
    most_over_mean: float = Field(description="The largest load over the mean one; 1 where all are alike.")
    dead: list[str] = Field(description="Experts that no token took.")
    token_entropy: float | None = Field(
        description="Mean entropy, in nats, of the shares of a token's experts; null where a log does not say weights."
    )
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
    by_token: LayerTokens | None = Field(None, description="Null in results from before it was observed.")
    alike: list[list[float | None]] | None = Field(
        None,
        description="1 - the Jensen-Shannon distance of p(kind of token | expert) of two experts, 0 to 1: how alike "
        "they are in what they take. Null as `together` is.",
    )
    written: LayerWritten | None = Field(
        None, description="Null where `unwritten` says why, or in models with very many experts."
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
    intervention: AppliedIntervention
    data: list[MeasuredSet]
    count: int = Field(description="Texts.")
    tokens: int
    tokens_left_out: int = Field(0, description="Tokens of texts beyond the context, which are not counted.")
    bytes_left_out: int = Field(0, description="Bytes of these tokens.")
    domains: list[str]
    kinds: list[TokenKind] = Field([], description="The most frequent kinds of tokens, the most frequent first.")
    distinct: int | None = Field(None, description="Kinds in all.")
    token_shuffles: int | None = Field(
        None, description="How often tokens were shuffled: less often than asked for where there are very many."
    )
    written_texts: int | None = Field(None, description="Texts of which it was compared what experts write.")
    unwritten: str | None = Field(None, description="Why it was not.")
    layers: list[LayerLoad]
    exemplars: list[TokenExemplar] = Field(description="Of each expert the first one first, at most one of a text.")
