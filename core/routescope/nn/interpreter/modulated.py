"""Linear layers, MLPs and attention that a code vector programs.

*Dynamic Inference with Neural Interpreters* (Rahaman, Gondal et al., NeurIPS 2021), Equations 4 to 8.

Symbols: B samples, U functions, V tokens, H heads, C channels. Tensors are laid out functions first,
(U, B, V, C). Each layer is split into ``prepare(c)``, which depends on parameters alone and folds the
code into the weights, and ``step(x, prepared)``, which reads like the paper.
"""

import math
from dataclasses import dataclass
from typing import cast

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn


@dataclass(frozen=True)
class FoldedLinear:
    """The weights of a ModLin layer with every function's code folded in.

    ``W_T`` is (U, C_in, C_out), already transposed for a batched product; ``b`` is (U, 1, C_out).
    """

    W_T: Float[Tensor, "U C_in C_out"]
    b: Float[Tensor, "U 1 C_out"]

    def __call__(self, x: Float[Tensor, "U N C_in"]) -> Float[Tensor, "U N C_out"]:
        return torch.baddbmm(self.b, x, self.W_T)


class ModLin(nn.Module):
    """Equation 4: y = W (x * LayerNorm(W_c c)) + b, with a LayerNorm that has no parameters of its own."""

    def __init__(self, d_in: int, d_out: int, d_cond: int, *, bias: bool = True) -> None:
        super().__init__()
        self.W = nn.Parameter(torch.empty(d_out, d_in))
        self.W_c = nn.Parameter(torch.empty(d_in, d_cond))
        self.b = nn.Parameter(torch.zeros(d_out)) if bias else None
        nn.init.kaiming_uniform_(self.W, a=math.sqrt(5))
        nn.init.kaiming_uniform_(self.W_c, a=math.sqrt(5))

    def scale(self, c: Float[Tensor, "U d_cond"]) -> Float[Tensor, "U d_in"]:
        """LayerNorm(W_c c): what each function's code multiplies the layer's input with.

        W_c c is summed function by function, so that no bit of one depends on how many others there are.
        """
        return F.layer_norm((c[:, None] * self.W_c).sum(dim=-1), (self.W.shape[1],))

    def fold(self, c: Float[Tensor, "U d_cond"]) -> FoldedLinear:
        """Fold the codes into the weights: W (x * s) = (W * s) x."""
        W_T = self.W.T * self.scale(c)[:, :, None]
        b = self.W.new_zeros(self.W.shape[0]) if self.b is None else self.b
        return FoldedLinear(W_T, b.expand(len(c), 1, -1))

    def forward(self, x: Float[Tensor, "U N d_in"], c: Float[Tensor, "U d_cond"]) -> Float[Tensor, "U N d_out"]:
        """Apply the layer with function u's code to x[u]."""
        return self.fold(c)(x)


class ModMLP(nn.Module):
    """Equation 5 as an LOC uses it: two ModLin layers C -> C with a GELU between them."""

    def __init__(self, features: int, code_features: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(ModLin(features, features, code_features) for _ in range(2))

    def prepare(self, c: Float[Tensor, "U d_cond"]) -> tuple[FoldedLinear, FoldedLinear]:
        """Fold the codes into both layers."""
        first, second = (cast(ModLin, layer) for layer in self.layers)
        return first.fold(c), second.fold(c)

    @staticmethod
    def step(x: Float[Tensor, "U N C"], prepared: tuple[FoldedLinear, FoldedLinear]) -> Float[Tensor, "U N C"]:
        """ModLin_2(GELU(ModLin_1(x)))."""
        first, second = prepared
        return second(F.gelu(first(x)))


@dataclass(frozen=True)
class PreparedAttention:
    """Folded query, key and value weights in one product, the output weights and the positional bias.

    The queries carry the factor 1/sqrt(d_key). ``position`` is (U, 1, H, V, V), or None without positions.
    """

    qkv: FoldedLinear
    out: FoldedLinear
    position: Float[Tensor, "U 1 H V V"] | None


class ModAttn(nn.Module):
    """Equations 6 to 8: kernel-modulated dot-product attention programmed by a code.

    Queries and keys have ``key_features`` channels a head and no bias; values have C channels in all,
    split over the heads.
    """

    def __init__(self, features: int, code_features: int, heads: int, key_features: int, *, eps: float) -> None:
        super().__init__()
        if features % heads:
            raise ValueError(f"features ({features}) must be a multiple of heads ({heads})")
        self.heads, self.key_features, self.eps = heads, key_features, eps
        keys = heads * key_features
        self.query = ModLin(features, keys, code_features, bias=False)
        self.key = ModLin(features, keys, code_features, bias=False)
        self.value = ModLin(features, features, code_features)
        self.out = ModLin(features, features, code_features)

    def prepare(
        self, c: Float[Tensor, "U d_cond"], position: Float[Tensor, "U H V V"] | None = None
    ) -> PreparedAttention:
        """Fold the codes into q, k and v (one product for the three) and into the output projection."""
        q, k, v = self.query.fold(c), self.key.fold(c), self.value.fold(c)
        scale = self.key_features**-0.5
        qkv = FoldedLinear(torch.cat((q.W_T * scale, k.W_T, v.W_T), dim=2), torch.cat((q.b * scale, k.b, v.b), dim=2))
        return PreparedAttention(qkv, self.out.fold(c), None if position is None else position.unsqueeze(1))

    def _project(self, x: Float[Tensor, "U B V C"], prepared: PreparedAttention) -> tuple[Tensor, Tensor, Tensor]:
        """Equation 6: q, k of shape (U, B, H, V, d_key) and v of shape (U, B, H, V, C/H)."""
        U, B, V, C = x.shape
        H, d = self.heads, self.key_features
        qkv = prepared.qkv(x.reshape(U, B * V, C)).view(U, B, V, 2 * H * d + C)
        parts, widths = qkv.split((H * d, H * d, C), dim=-1), (d, d, C // H)
        q, k, v = (t.view(U, B, V, H, width).transpose(2, 3) for t, width in zip(parts, widths, strict=True))
        return q, k, v

    @staticmethod
    def _softmax(q: Tensor, k: Tensor, position: Tensor | None) -> Float[Tensor, "U B H Q V"]:
        """softmax_j(q_i . k_j / sqrt(d_key) + b_ij), the bracket of Equation 7."""
        scores = q @ k.transpose(-1, -2)
        if position is not None:
            scores = scores + position[..., : q.shape[-2], :]
        return scores.softmax(dim=-1)

    def step(
        self,
        x: Float[Tensor, "U B V C"],
        compatibility: Float[Tensor, "U B V"],
        prepared: PreparedAttention,
        queries: int | None = None,
    ) -> Float[Tensor, "U B Q C"]:
        """Equations 6 to 8, for the first ``queries`` tokens only where that is all that is needed.

        The weights W of Equation 7 are never formed. With s = softmax_j(...),
        sum_j W_ij v_j = C_i sum_j s_ij C_j v_j / (eps + C_i sum_j s_ij C_j), so one product of s with
        the columns (C_j v_j, C_j) gives numerator and denominator; it is exact in eps.
        """
        U, B, V, C = x.shape
        Q = V if queries is None else queries
        q, k, v = self._project(x, prepared)
        s = self._softmax(q[..., :Q, :], k, prepared.position)
        C_j = compatibility[:, :, None, :, None]
        C_j = C_j.to(v.dtype).expand(U, B, self.heads, V, 1)
        summed = s @ torch.cat((v * C_j, C_j), dim=-1)
        C_i = C_j[..., :Q, :]
        y = summed[..., :-1] * (C_i / (self.eps + C_i * summed[..., -1:]))
        return prepared.out(y.transpose(2, 3).reshape(U, B * Q, C)).view(U, B, Q, C)

    def weights(
        self, x: Float[Tensor, "U B V C"], compatibility: Float[Tensor, "U B V"], prepared: PreparedAttention
    ) -> Float[Tensor, "U B H V V"]:
        """Equation 7, formed explicitly for those who want to see it: W = W~ / (eps + sum_j W~)."""
        q, k, _ = self._project(x, prepared)
        C_i = compatibility[:, :, None, :, None]
        C_j = compatibility[:, :, None, None, :]
        W = C_i * C_j * self._softmax(q, k, prepared.position)
        return W / (self.eps + W.sum(dim=-1, keepdim=True))
