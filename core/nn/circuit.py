"""Layers of a Neural Attentive Circuit: ModFC, ModFFN, read-in attention and SKMDPA.

*Neural Attentive Circuits* (Rahaman, Weiss et al., NeurIPS 2022), Equations 1 to 5. Symbols: B samples, U modules,
V tokens, H heads, C features. Each layer is split into ``prepare(c)``, which depends on parameters and codes alone, and
``step``, which reads like the paper.
"""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn


class ModFC(nn.Module):
    """Equation 1: y = W (x * (1 + alpha LayerNorm(W_c c))) + b, with a LayerNorm that has no parameters of its own.

    Args:
        alpha: the learnable scalar at initialisation; None leaves the code out, which is alpha = 0 for good.
    """

    def __init__(self, d_in: int, d_out: int, d_code: int, alpha: float | None, *, bias: bool = True) -> None:
        super().__init__()
        self.W = nn.Parameter(torch.empty(d_out, d_in))
        self.b = nn.Parameter(torch.zeros(d_out)) if bias else None
        nn.init.kaiming_uniform_(self.W, a=math.sqrt(5))
        self.W_c: nn.Parameter | None = None
        self.alpha: nn.Parameter | None = None
        if alpha is not None:
            self.W_c = nn.Parameter(torch.empty(d_in, d_code))
            self.alpha = nn.Parameter(torch.tensor(alpha))
            nn.init.kaiming_uniform_(self.W_c, a=math.sqrt(5))

    def scale(self, c: Float[Tensor, "U d_code"]) -> Float[Tensor, "U d_in"]:
        """1 + alpha LayerNorm(W_c c): what each module's code multiplies the layer's input with."""
        if self.W_c is None or self.alpha is None:
            return self.W.new_ones(len(c), self.W.shape[1])
        return 1 + self.alpha * F.layer_norm(F.linear(c, self.W_c), (self.W.shape[1],))

    def step(self, x: Float[Tensor, "*B U d_in"], scale: Float[Tensor, "U d_in"]) -> Float[Tensor, "*B U d_out"]:
        """Apply the layer with each module's own scale."""
        return F.linear(x * scale, self.W, self.b)

    def forward(self, x: Float[Tensor, "*B U d_in"], c: Float[Tensor, "U d_code"]) -> Float[Tensor, "*B U d_out"]:
        """Equation 1 with module u's code for x[..., u, :]."""
        return self.step(x, self.scale(c))


@dataclass(frozen=True)
class PreparedFFN:
    """The scales of both layers of a ModFFN."""

    inner: Float[Tensor, "U C"]
    outer: Float[Tensor, "U hidden"]


class ModFFN(nn.Module):
    """x + ModFC(GEGLU(ModFC(LayerNorm(x)))): the inner layer gives values and gates, in that order."""

    def __init__(self, features: int, hidden: int, d_code: int, alpha: float | None) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(features)
        self.add_module("in", ModFC(features, 2 * hidden, d_code, alpha))
        self.out = ModFC(hidden, features, d_code, alpha)

    @property
    def inner(self) -> ModFC:
        """The first layer, ``in`` in checkpoints."""
        layer = self._modules["in"]
        assert isinstance(layer, ModFC)
        return layer

    def prepare(self, c: Float[Tensor, "U d_code"]) -> PreparedFFN:
        """The scales that the codes give."""
        return PreparedFFN(self.inner.scale(c), self.out.scale(c))

    def step(self, x: Float[Tensor, "B U C"], prepared: PreparedFFN) -> Float[Tensor, "B U C"]:
        """Value times GELU of gate, between the two layers."""
        value, gate = self.inner.step(self.norm(x), prepared.inner).chunk(2, dim=-1)
        return x + self.out.step(value * F.gelu(gate), prepared.outer)


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
    """What the read-in needs from parameters alone.

    ``probes`` are W_k^T q_u * m_u, one vector of input features for each module and head, with 1/sqrt(d) in them.
    """

    initial: Float[Tensor, "U C"]
    probes: Float[Tensor, "U H C_in"]
    value: Float[Tensor, "U C_in"]
    out: Float[Tensor, "U H_d"]
    ffn: PreparedFFN


class ReadIn(nn.Module):
    """Equations 4 and 5: cross-attention from modules to tokens, a residual onto the initial state, then a ModFFN.

    Keys and values are modulated by the *reading* module's code. They are never formed: as
    q_u . W_k (x_j * m_u) = ((W_k^T q_u) * m_u) . x_j, and as values are pooled before they are projected, cost and
    memory are those of B x U x V weights, linear in the tokens.
    """

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
        self.attention = Projections(features, input_features, d_code, width, alpha, own_norm=True)
        self.ffn = ModFFN(features, hidden, d_code, alpha)

    def prepare(self, initial: Float[Tensor, "U C"], c: Float[Tensor, "U d_code"]) -> PreparedReadIn:
        """Queries depend on no sample: the keys' weights are folded into them."""
        a = self.attention
        q = a.query(a.norm_receiver(initial), c).view(len(c), self.heads, self.head_features)
        W_k = a.key.W.view(self.heads, self.head_features, -1)
        folded = torch.einsum("uhd,hdc->uhc", q * self.head_features**-0.5, W_k)
        return PreparedReadIn(
            initial, folded * a.key.scale(c)[:, None], a.value.scale(c), a.out.scale(c), self.ffn.prepare(c)
        )

    def step(
        self, x: Float[Tensor, "B V C_in"], there: Bool[Tensor, "B V"] | None, prepared: PreparedReadIn
    ) -> tuple[Float[Tensor, "B U C"], Float[Tensor, "B U H V"]]:
        """States after the read-in, and the attention weights over tokens; tokens that are not there get none."""
        U, H, C_in = prepared.probes.shape
        a, (B, V, _) = self.attention, x.shape
        normed = a.norm_sender(x)
        scores = prepared.probes.reshape(1, U * H, C_in).to(normed.dtype) @ normed.transpose(1, 2)
        if there is not None:
            scores = scores.masked_fill(~there[:, None], -torch.inf)
        weights = scores.softmax(dim=-1)
        if there is not None:
            weights = weights.nan_to_num(0.0)  # a sample without any token
        pooled = (weights.to(normed.dtype) @ normed).view(B, U, H, C_in) * prepared.value[:, None]
        if H == 1:
            y = F.linear(pooled[:, :, 0], a.value.W)
        else:
            W_v = a.value.W.view(H, self.head_features, C_in)
            y = torch.einsum("buhc,hdc->buhd", pooled, W_v.to(pooled.dtype)).flatten(2)
        states = prepared.initial + a.out.step(y, prepared.out)
        return self.ffn.step(states, prepared.ffn), weights.view(B, U, H, V)


@dataclass(frozen=True)
class PreparedSKMDPA:
    """Scales of SKMDPA and its ModFFN; ``queries`` where they depend on no sample."""

    query: Float[Tensor, "R C"] | None
    queries: Float[Tensor, "H R d"] | None
    key: Float[Tensor, "U C"]
    value: Float[Tensor, "U C"]
    out: Float[Tensor, "R H_d"]
    ffn: PreparedFFN


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
        c: Float[Tensor, "U d_code"],
        receivers: tuple[Float[Tensor, "R C"], Float[Tensor, "R d_code"]] | None = None,
    ) -> PreparedSKMDPA:
        """Scales from the senders' codes; the read-out also takes its modules' initial states and codes."""
        a = self.attention
        if receivers is None:
            return PreparedSKMDPA(
                a.query.scale(c),
                None,
                a.key.scale(c),
                a.value.scale(c),
                a.out.scale(c),
                self.ffn.prepare(c),
            )
        initial, codes = receivers
        q = a.query(a.norm_receiver(initial), codes)
        q = q.view(len(codes), self.heads, self.head_features).transpose(0, 1)
        return PreparedSKMDPA(None, q, a.key.scale(c), a.value.scale(c), a.out.scale(codes), self.ffn.prepare(codes))

    def step(
        self,
        x: Float[Tensor, "B U C"],
        sent: Float[Tensor, "B U C"],
        log_K: Float[Tensor, "R U"],
        sounding: Float[Tensor, "U 1"] | None,
        prepared: PreparedSKMDPA,
    ) -> Float[Tensor, "B R C"]:
        """One round of communication and computation.

        Args:
            x: the receivers' own states; the read-out does not look at them.
            sent: the states as others read them.
            log_K: log of the kernel of Equation 2.
            sounding: 0 for modules that are muted: their messages are zeros, and nothing is renormalised.
        """
        q, k, v = self._project(x, sent, prepared)
        if sounding is not None:
            v = v * sounding.to(v.dtype)
        if self.read_out or not k.shape[-2]:
            y = self._softmax(q, k, log_K) @ v
        else:
            y = F.scaled_dot_product_attention(q, k, v, attn_mask=log_K.to(q.dtype))
        out = self.attention.out.step(y.transpose(1, 2).flatten(2), prepared.out)
        return self.ffn.step(out if self.read_out else x + out, prepared.ffn)

    def weights(
        self,
        x: Float[Tensor, "B U C"],
        sent: Float[Tensor, "B U C"],
        log_K: Float[Tensor, "R U"],
        sounding: Float[Tensor, "U 1"] | None,
        prepared: PreparedSKMDPA,
    ) -> Float[Tensor, "B H R U"]:
        """Equation 3's W, formed for those who want to see it; muted senders have zeros."""
        q, k, _ = self._project(x, sent, prepared)
        W = self._softmax(q, k, log_K)
        return W if sounding is None else W * sounding[:, 0].to(W.dtype)

    def _project(self, x: Tensor, sent: Tensor, prepared: PreparedSKMDPA) -> tuple[Tensor, Tensor, Tensor]:
        a, H, d = self.attention, self.heads, self.head_features
        received = None if self.read_out else a.norm_receiver(x)
        if self.read_out:
            senders = a.norm_sender(sent)
        else:
            senders = received if sent is x else a.norm_receiver(sent)

        def heads(y: Tensor) -> Tensor:
            return y.unflatten(-1, (H, d)).transpose(1, 2)

        k, v = heads(a.key.step(senders, prepared.key)), heads(a.value.step(senders, prepared.value))
        if prepared.queries is not None:
            return prepared.queries.to(k.dtype).expand(len(k), -1, -1, -1), k, v
        assert received is not None and prepared.query is not None
        return heads(a.query.step(received, prepared.query)), k, v

    def _softmax(self, q: Tensor, k: Tensor, log_K: Float[Tensor, "R U"]) -> Float[Tensor, "B H R U"]:
        """Rows without any link have zeros instead of a softmax of nothing."""
        scores = q @ k.transpose(-1, -2) * self.head_features**-0.5 + log_K.to(q.dtype)
        linked = (log_K > -torch.inf).any(dim=-1, keepdim=True)
        return torch.where(linked, scores.softmax(dim=-1), torch.zeros_like(scores))
