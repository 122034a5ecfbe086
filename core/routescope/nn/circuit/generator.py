"""The conditional circuit generator: a sentence designs a circuit.

*Neural Attentive Circuits* (Rahaman, Weiss et al., NeurIPS 2022), Section 4.4 and Appendix G: cross-attention from one
learned query for each module to the pieces of the text, a feed-forward network, self-attention among the modules, then
two feed-forward networks in parallel, one for signatures and one for codes. Where the paper is silent: layers are
pre-LayerNorm with residuals, and read-out modules are modules too, with queries, signatures and codes of their own.

Symbols: S sentences of T pieces, U = U_p + U_o modules, d features of a query.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from routescope.nn.circuit.conditional_config import ConditionalCircuitConfig


@dataclass(frozen=True)
class Design:
    """Circuits, one a sentence: what the generator gives the executor.

    ``text_attention`` says which pieces each processor module's query read, averaged over the heads.
    """

    signatures: Float[Tensor, "S U_p d_sig"]
    codes: Float[Tensor, "S U_p d_code"]
    readout_signatures: Float[Tensor, "S U_o d_sig"]
    readout_codes: Float[Tensor, "S U_o d_code"]
    text_attention: Float[Tensor, "S U_p T"]


class Attention(nn.Module):
    """Multi-head attention of queries (S, U, d) to a set (S, T, d_set), pre-LayerNorm, without its residual."""

    def __init__(self, features: int, set_features: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(features)
        self.norm_set = nn.LayerNorm(set_features)
        self.query = nn.Linear(features, features, bias=False)
        self.key_value = nn.Linear(set_features, 2 * features, bias=False)
        self.out = nn.Linear(features, features)

    def forward(
        self, x: Float[Tensor, "#S U d"], read: Float[Tensor, "S T d_set"], there: Bool[Tensor, "S T"] | None = None
    ) -> tuple[Float[Tensor, "S U d"], Float[Tensor, "S H U T"]]:
        """What each query reads, and the weights; the same queries for all where x has but one S."""

        def heads(y: Tensor) -> Tensor:
            return y.unflatten(-1, (self.heads, -1)).transpose(1, 2)

        q = heads(self.query(self.norm(x)))
        k, v = map(heads, self.key_value(self.norm_set(read)).chunk(2, dim=-1))
        scores = q @ k.mT * q.shape[-1] ** -0.5
        if there is not None:
            scores = scores.masked_fill(~there[:, None, None], -torch.inf)
        weights = scores.softmax(dim=-1)
        y: Tensor = self.out((weights @ v).transpose(1, 2).flatten(2))
        return y, weights


def feed_forward(features: int, hidden: int, out: int) -> nn.Sequential:
    """LayerNorm, then an MLP with one hidden layer and GELU."""
    return nn.Sequential(nn.LayerNorm(features), nn.Linear(features, hidden), nn.GELU(), nn.Linear(hidden, out))


class CircuitGenerator(nn.Module):
    """Signatures and codes of every module from the pieces of a sentence (Appendix G)."""

    def __init__(self, config: ConditionalCircuitConfig, text_features: int) -> None:
        super().__init__()
        d, hidden = config.generator_features, config.generator_hidden
        self.modules_, self.readouts = config.modules, config.readouts
        self.queries = nn.Parameter(torch.randn(config.modules + config.readouts, d))
        self.cross = Attention(d, text_features, config.generator_heads)
        self.ffn = feed_forward(d, hidden, d)
        self.among = Attention(d, d, config.generator_heads)
        self.signatures = feed_forward(d, hidden, config.signature_features)
        self.codes = feed_forward(d, hidden, config.code_features)

    def forward(self, text: Float[Tensor, "S T d_text"], there: Bool[Tensor, "S T"]) -> Design:
        """One circuit design for each sentence."""
        x = self.queries[None]  # the same for all sentences, until they have read
        read, weights = self.cross(x, text, there)
        x = x + read
        x = x + self.ffn(x)
        x = x + self.among(x, x)[0]
        counts = [self.modules_, self.readouts]
        (signatures, readout_signatures) = self.signatures(x).split(counts, dim=1)
        (codes, readout_codes) = self.codes(x).split(counts, dim=1)
        return Design(signatures, codes, readout_signatures, readout_codes, weights[:, :, : self.modules_].mean(dim=1))


def padded(attention: Float[Tensor, "S U T"], most: int) -> Float[Tensor, "S U most"]:
    """With no weight on pieces that are not there, so that all batches have as many."""
    return F.pad(attention, (0, most - attention.shape[-1]))
