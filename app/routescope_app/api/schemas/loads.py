"""Load of experts: how the tokens of texts spread over the experts of each layer."""

from pydantic import Field

from routescope_app.api.schemas.base import JobResult, MeasuredSet, Reply
from routescope_app.api.schemas.interventions import AppliedIntervention


class TokenKind(Reply):
    """A kind of token, such as a byte."""

    text: str
    count: int = Field(description="Number of such tokens, without those that start a text.")


class LayerTokens(Reply):
    """Dependence of experts on kinds of tokens. Lists are by expert, then by kind in the order of `kinds`."""

    specialisation: float | None = Field(
        description="Mutual information of expert and kind of token over the smaller entropy, 0 to 1."
    )
    null: float | None = Field(description="Mean with all tokens shuffled.")
    null_high: float | None = Field(description="97.5 % quantile of these shuffles.")
    within: float | None = Field(description="Mean with tokens shuffled within each text, which keeps its topic.")
    within_high: float | None = Field(description="97.5 % quantile of these shuffles.")
    share: list[list[float]] = Field(description="p(expert | kind of token).")
    low: list[list[float]] = Field(description="Lower end of 95 % of the shuffles within texts.")
    high: list[list[float]] = Field(description="Upper end.")


class LayerWritten(Reply):
    """Similarity of the outputs of two experts of a layer, over tokens that take both."""

    tokens: list[list[int]] = Field(description="Number of tokens that take both.")
    cosine: list[list[float | None]] = Field(description="Mean cosine of the two outputs; null without tokens.")
    low: list[list[float | None]] = Field(description="95 % bootstrap interval over texts; null for one text.")
    high: list[list[float | None]]


class LayerLoad(Reply):
    """Load of a layer. Lists are by expert in the order of `units`, then by data set in the order of `domains`."""

    name: str
    units: list[str]
    load: list[float] = Field(description="Share of the layer's choices; a token counts for each expert it takes.")
    weight: list[float] | None = Field(description="Mean share of a token's routing; null for logs without weights.")
    effective: float = Field(description="exp(entropy of the load): effective number of experts.")
    most_over_mean: float = Field(description="Largest load over the mean load; 1 if all are alike.")
    dead: list[str] = Field(description="Experts that no token took.")
    token_entropy: float | None = Field(
        description="Mean entropy, in nats, of the shares of a token's experts; null for logs without weights."
    )
    specialisation: float | None = Field(
        description="Mutual information of expert and data set over the smaller entropy, 0 to 1; null for one set."
    )
    null: float | None = Field(description="Mean with the data sets of texts shuffled.")
    null_high: float | None = Field(description="95 % quantile of the shuffles.")
    by_domain: list[list[float]] = Field(description="p(expert | data set).")
    low: list[list[float | None]] = Field(
        description="Lower end of 95 % of the shuffles of p(expert | data set); null before texts were shuffled."
    )
    high: list[list[float | None]] = Field(description="Upper end.")
    together: list[list[float | None]] | None = Field(
        description="Co-use of two experts against chance (1 = chance); null for an expert without tokens, or for all "
        "pairs in models with very many experts."
    )
    by_token: LayerTokens | None = Field(None, description="Null in results of old versions.")
    alike: list[list[float | None]] | None = Field(
        None,
        description="Similarity of two experts by their tokens, 0 to 1: 1 - Jensen-Shannon distance of "
        "p(kind of token | expert). Null as `together`.",
    )
    written: LayerWritten | None = Field(
        None, description="Null for the reason in `unwritten`, or in models with very many experts."
    )


class TokenExemplar(Reply):
    """A token with a large weight for an expert, within its text."""

    unit: str
    sample: str
    domain: str
    token: int = Field(description="Position among the tokens of the text.")
    weight: float = Field(description="The expert's share of the token's routing.")
    before: str
    text: str
    after: str


class ExpertLoad(JobResult):
    """Observed load; POST /evaluations measures what an expert causes."""

    shuffles: int
    intervention: AppliedIntervention
    data: list[MeasuredSet]
    tokens: int
    tokens_left_out: int = Field(0, description="Tokens beyond the context, which are not counted.")
    bytes_left_out: int = Field(0, description="Bytes of these tokens.")
    domains: list[str]
    kinds: list[TokenKind] = Field([], description="Most frequent kinds of tokens first.")
    distinct: int | None = Field(None, description="Number of kinds.")
    token_shuffles: int | None = Field(None, description="Shuffles of tokens; fewer than asked for in long data.")
    written_texts: int | None = Field(None, description="Texts for which the outputs of experts were compared.")
    unwritten: str | None = Field(None, description="Why outputs were not compared.")
    layers: list[LayerLoad]
    exemplars: list[TokenExemplar] = Field(description="Largest weights first for each expert, at most one per text.")
