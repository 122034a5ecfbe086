"""Layers of a Neural Attentive Circuit in which modules read: from tokens, and from each other through links.

*Neural Attentive Circuits* (Rahaman, Weiss et al., NeurIPS 2022), Equations 2 to 5. Symbols: B samples, U modules,
R modules that read, V tokens, H heads of d features, C features. Each layer is split into ``prepare``, which depends
on parameters and codes alone, and ``step``, which reads like the paper.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from routescope.nn.circuit.modfc import ModFC, ModFFN, PreparedFC, PreparedFFN, modulated
from routescope.nn.prepared import Cast


class Projections(nn.Module):
    """The LayerNorms and ModFC layers of an attention. Queries, keys and values have no bias.

    Args:
        d_receiver, d_sender: features of those that read and of those that are read.
        width: features of all heads together.
        own_norm: whether senders have a LayerNorm of their own; else they share the receivers'.
    """

    def __init__(
        self, d_receiver: int, d_sender: int, d_code: int, width: int, alpha: float | None, *, own_norm: bool
    ) -> None:
        super().__init__()
        self.norm_receiver = nn.LayerNorm(d_receiver)
        if own_norm:
            self.norm_sender = nn.LayerNorm(d_sender)
        self.query = ModFC(d_receiver, width, d_code, alpha, bias=False)
        self.key = ModFC(d_sender, width, d_code, alpha, bias=False)
        self.value = ModFC(d_sender, width, d_code, alpha, bias=False)
        self.out = ModFC(width, d_receiver, d_code, alpha)


@dataclass(frozen=True)
class PreparedReadIn:
    """The quantities of the read-in that depend on parameters alone.

    ``probes`` are W_k^T q_u * m_u, one vector of input features for each module and head, with 1/sqrt(d) in them. Where
    modules share their keys, they are the queries, with 1/sqrt(d) in them.
    """

    initial: Float[Tensor, "*S U C"]
    probes: Float[Tensor, "*S U H C_probe"]
    value: PreparedFC
    out: PreparedFC
    ffn: PreparedFFN

    def of(self, rows: Int64[Tensor, " B"]) -> Self:
        """For samples whose circuits are those at ``rows``."""
        return replace(
            self,
            initial=self.initial[rows],
            probes=self.probes[rows],
            **{name: getattr(self, name).of(rows) for name in ("value", "out", "ffn")},
        )


class ReadIn(nn.Module):
    """Equations 4 and 5: cross-attention from modules to tokens, a residual onto the initial state, then a ModFFN.

    Keys and values are modulated by the *reading* module's code. They are never formed: as
    q_u . W_k (x_j * m_u) = ((W_k^T q_u) * m_u) . x_j, and as values are pooled before they are projected, cost and
    memory are those of B x U x V weights, linear in the tokens.
    """

    #: Whether the code of the reading module modulates queries, keys, values and outputs.
    codes_in_attention = True

    def __init__(
        self,
        features: int,
        input_features: int,
        d_code: int,
        heads: int,
        head_features: int,
        hidden: int,
        alpha: float | None,
    ) -> None:
        super().__init__()
        self.heads, self.head_features, width = heads, head_features, heads * head_features
        attention_alpha = alpha if self.codes_in_attention else None
        self.attention = Projections(features, input_features, d_code, width, attention_alpha, own_norm=True)
        self.ffn = ModFFN(features, hidden, d_code, alpha)

    def prepare(self, initial: Float[Tensor, "*S U C"], c: Float[Tensor, "*S U d_code"], cast: Cast) -> PreparedReadIn:
        """Queries depend on no sample: the keys' weights are folded into them."""
        a = self.attention
        q = a.query(a.norm_receiver(initial), c).unflatten(-1, (self.heads, self.head_features))
        W_k = a.key.W.unflatten(0, (self.heads, self.head_features))
        folded, scale = torch.einsum("...uhd,hdc->...uhc", q * self.head_features**-0.5, W_k), a.key.scale(c)
        return PreparedReadIn(
            initial,
            cast(folded if scale is None else folded * scale[..., None, :]),
            a.value.prepare(c, cast),
            a.out.prepare(c, cast),
            self.ffn.prepare(c, cast),
        )

    def step(
        self, x: Float[Tensor, "B V C_in"], there: Bool[Tensor, "B V"] | None, prepared: PreparedReadIn
    ) -> tuple[Float[Tensor, "B U C"], Float[Tensor, "B U H V"]]:
        """States after the read-in, and the attention weights over tokens; tokens that are not there get none."""
        (U, H), V = prepared.probes.shape[-3:-1], x.shape[1]
        normed = self.attention.norm_sender(x).to(prepared.probes.dtype)
        probes = prepared.probes.flatten(-3, -2)
        weights = _softmax_of_tokens((probes if probes.dim() == 3 else probes[None]) @ normed.transpose(1, 2), there)
        pooled = (weights.to(normed.dtype) @ normed).unflatten(1, (U, H))
        scale, W_v = prepared.value.scale, prepared.value.W
        pooled = modulated(pooled, None if scale is None else scale[..., None, :], ours=True)
        if H == 1:
            y = F.linear(pooled[:, :, 0].to(W_v.dtype), W_v)
        else:
            y = torch.einsum("buhc,hdc->buhd", pooled.to(W_v.dtype), W_v.unflatten(0, (H, self.head_features)))
            y = y.flatten(2)
        states = prepared.initial + prepared.out(y, ours=True)
        return self.ffn.step(states, prepared.ffn), weights.view(len(x), U, H, V)


class PlainReadIn(ReadIn):
    """The read-in with keys and values that all modules share, as in Perceiver IO; its ModFFN keeps the codes.

    Tokens are projected once for all modules, not once a module: B V C_in d and B U V d operations a head.
    """

    codes_in_attention = False

    def prepare(self, initial: Float[Tensor, "*S U C"], c: Float[Tensor, "*S U d_code"], cast: Cast) -> PreparedReadIn:
        a = self.attention
        q = a.query(a.norm_receiver(initial), c).unflatten(-1, (self.heads, self.head_features))
        queries = cast(q * self.head_features**-0.5)
        return PreparedReadIn(
            initial, queries, a.value.prepare(c, cast), a.out.prepare(c, cast), self.ffn.prepare(c, cast)
        )

    def step(
        self, x: Float[Tensor, "B V C_in"], there: Bool[Tensor, "B V"] | None, prepared: PreparedReadIn
    ) -> tuple[Float[Tensor, "B U C"], Float[Tensor, "B U H V"]]:
        a, q = self.attention, prepared.probes

        def heads(y: Tensor) -> Tensor:
            return y.unflatten(-1, (self.heads, self.head_features)).transpose(1, 2)

        normed = a.norm_sender(x).to(q.dtype)
        k, v = heads(F.linear(normed, a.key.W.to(q.dtype))), heads(F.linear(normed, prepared.value.W.to(q.dtype)))
        scores = (q if q.dim() == 4 else q[None]).transpose(1, 2) @ k.transpose(-1, -2)
        weights = _softmax_of_tokens(scores, None if there is None else there[:, None])
        y = (weights.to(v.dtype) @ v).transpose(1, 2).flatten(2)
        states = prepared.initial + prepared.out(y, ours=True)
        return self.ffn.step(states, prepared.ffn), weights.transpose(1, 2)


def _softmax_of_tokens(scores: Float[Tensor, "*B V"], there: Bool[Tensor, "B *_ V"] | None) -> Float[Tensor, "*B V"]:
    """Return weights over tokens; 0 for tokens that are not there, and for all tokens of a sample without any."""
    if there is None:
        return scores.softmax(dim=-1)
    return scores.masked_fill(~there.unsqueeze(-2), -torch.inf).softmax(dim=-1).nan_to_num(0.0)


@dataclass(frozen=True)
class PreparedSKMDPA:
    """The layers of SKMDPA and its ModFFN; ``queries`` where they depend on no sample."""

    query: PreparedFC | None
    queries: Float[Tensor, "*S H R d"] | None
    key: PreparedFC
    value: PreparedFC
    out: PreparedFC
    ffn: PreparedFFN

    def of(self, rows: Int64[Tensor, " B"]) -> Self:
        """For samples whose circuits are those at ``rows``."""
        return replace(
            self,
            query=None if self.query is None else self.query.of(rows),
            queries=None if self.queries is None else self.queries[rows],
            **{name: getattr(self, name).of(rows) for name in ("key", "value", "out", "ffn")},
        )


#: Queries, keys and values of all heads: (B, H, R, d), (B, H, U, d), (B, H, U, d).
QKV = tuple[Float[Tensor, "B H R d"], Float[Tensor, "B H U d"], Float[Tensor, "B H U d"]]


class SKMDPA(nn.Module):
    """Equation 3 and a ModFFN: modules read each other through links that let messages pass.

    W = softmax_j(q_i . k_j / sqrt(d) + log K_ij). A propagator has one LayerNorm for receivers and senders and a
    residual; the read-out has one for each, receives with modules that are not the senders, and has no residual.
    """

    def __init__(
        self,
        features: int,
        d_code: int,
        heads: int,
        head_features: int,
        hidden: int,
        alpha: float | None,
        *,
        read_out: bool = False,
    ) -> None:
        super().__init__()
        self.heads, self.head_features, self.read_out, width = heads, head_features, read_out, heads * head_features
        self.attention = Projections(features, features, d_code, width, alpha, own_norm=read_out)
        self.ffn = ModFFN(features, hidden, d_code, alpha)

    def prepare(
        self,
        c: Float[Tensor, "*S U d_code"],
        cast: Cast,
        receivers: tuple[Float[Tensor, "*S R C"], Float[Tensor, "*S R d_code"]] | None = None,
    ) -> PreparedSKMDPA:
        """Senders have the codes ``c``; for the read-out, initial states and codes of its own modules."""
        a = self.attention
        key, value = a.key.prepare(c, cast), a.value.prepare(c, cast)
        if receivers is None:
            query = a.query.prepare(c, cast)
            return PreparedSKMDPA(query, None, key, value, a.out.prepare(c, cast), self.ffn.prepare(c, cast))
        initial, codes = receivers
        q = a.query(a.norm_receiver(initial), codes).unflatten(-1, (self.heads, self.head_features))
        q = q.transpose(-3, -2)
        return PreparedSKMDPA(None, cast(q), key, value, a.out.prepare(codes, cast), self.ffn.prepare(codes, cast))

    def project(self, x: Float[Tensor, "B U C"], sent: Float[Tensor, "B U C"], prepared: PreparedSKMDPA) -> QKV:
        """Queries, keys and values.

        Args:
            x: the receivers' own states; the read-out does not look at them.
            sent: the states as others read them.
        """
        a, d = self.attention, self.head_features

        def heads(y: Tensor) -> Tensor:
            return y.unflatten(-1, (self.heads, d)).transpose(1, 2)

        if prepared.query is None or prepared.queries is not None:
            assert prepared.queries is not None
            senders = a.norm_sender(sent).to(prepared.key.W.dtype)
            q = prepared.queries.expand(len(sent), -1, -1, -1)
        else:
            received = a.norm_receiver(x).to(prepared.key.W.dtype)
            senders = received if sent is x else a.norm_receiver(sent).to(prepared.key.W.dtype)
            q = heads(prepared.query(received))
        k, v = heads(prepared.key(senders)), heads(prepared.value(senders))
        return q.to(k.dtype), k, v

    def step(
        self,
        x: Float[Tensor, "B U C"],
        qkv: QKV,
        log_K: Float[Tensor, "*S R U"] | None,
        sounding: Float[Tensor, "U 1"] | None,
        prepared: PreparedSKMDPA,
    ) -> Float[Tensor, "B R C"]:
        """One round of communication and computation.

        Args:
            x: the receivers' own states; the read-out does not look at them.
            log_K: log of the kernel of Equation 2, (R, U), or (B, 1, R, U) where every sample has links of its own;
                None where it is 0 everywhere.
            sounding: 0 for modules that are muted: their messages are zeros, and nothing is renormalised.
        """
        q, k, v = qkv
        if sounding is not None:
            v = v * sounding.to(v.dtype)
        learning = log_K is not None and log_K.requires_grad  # no fused attention has gradients of a mask
        if self.read_out or learning or not k.shape[-2]:
            y = self._softmax(q, k, log_K).to(v.dtype) @ v
        else:
            y = F.scaled_dot_product_attention(q, k, v, attn_mask=None if log_K is None else log_K.to(q.dtype))
        out = prepared.out(y.transpose(1, 2).flatten(2))
        return self.ffn.step(out if self.read_out else x + out, prepared.ffn)

    def weights(
        self, qkv: QKV, log_K: Float[Tensor, "*S R U"] | None, sounding: Float[Tensor, "U 1"] | None
    ) -> Float[Tensor, "B H R U"]:
        """Equation 3's W, formed for those who want to see it; muted senders have zeros."""
        q, k, _ = qkv
        W = self._softmax(q, k, log_K)
        return W if sounding is None else W * sounding[:, 0].to(W.dtype)

    def _softmax(self, q: Tensor, k: Tensor, log_K: Float[Tensor, "*S R U"] | None) -> Float[Tensor, "B H R U"]:
        """Rows without any link have zeros instead of a softmax of nothing."""
        scores = (q * self.head_features**-0.5) @ k.transpose(-1, -2)
        if log_K is None:
            return scores.softmax(dim=-1)
        alone = (log_K == -torch.inf).all(dim=-1, keepdim=True)
        if not bool(alone.any()):
            return (scores + log_K.to(q.dtype)).softmax(dim=-1)
        return (scores + log_K.masked_fill(alone, 0.0).to(q.dtype)).softmax(dim=-1).masked_fill(alone, 0.0)


@dataclass(frozen=True)
class LayersInTurn:
    """Propagators that are prepared when their turn comes, so that no more than one holds the scales of all samples."""

    layers: tuple[SKMDPA, ...]
    codes: Float[Tensor, "S U d_code"]
    cast: Cast
    rows: Int64[Tensor, " B"] | None = None

    def of(self, rows: Int64[Tensor, " B"]) -> Self:
        """For samples whose circuits are those at ``rows``."""
        return replace(self, rows=rows)

    def __iter__(self) -> Iterator[PreparedSKMDPA]:
        for layer in self.layers:
            with torch.autocast(self.codes.device.type, enabled=False):  # codes in full precision
                prepared = layer.prepare(self.codes, self.cast)
            yield prepared if self.rows is None else prepared.of(self.rows)
