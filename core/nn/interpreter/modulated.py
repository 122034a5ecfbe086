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

from core.nn.interpreter.passes import ALIGNED, Attention, AttentionWeights, Residual, attention, residual


def reduced(t: Tensor) -> Tensor:
    """A weight, of any shape, in the format in which autocast multiplies, where that is on: converted once, not at each
    step."""
    if t.dtype != torch.float32 or not torch.is_autocast_enabled(t.device.type):
        return t
    return t.to(torch.get_autocast_dtype(t.device.type))


@dataclass(frozen=True)
class FoldedLinear:
    """The weights of a ModLin layer with every function's code folded in.

    ``W_T`` is (U, C_in, C_out), already transposed for a batched product; ``b`` is (U, 1, C_out).
    """

    W_T: Float[Tensor, "U C_in C_out"]
    b: Float[Tensor, "U 1 C_out"]

    def __call__(self, x: Float[Tensor, "U N C_in"]) -> Float[Tensor, "U N C_out"]:
        return torch.baddbmm(self.b, x.to(self.W_T.dtype), self.W_T)

    def reduced(self) -> "FoldedLinear":
        """The same in the format in which autocast multiplies."""
        return FoldedLinear(reduced(self.W_T), reduced(self.b))

    def added(
        self, x: Float[Tensor, "S B Q C"], C_u: Float[Tensor, "U B Q"], y: Float[Tensor, "U BQ C"]
    ) -> Float[Tensor, "U B Q C"]:
        """x + C_u (W y + b): a residual weighted by compatibilities, Equations 9 and 10."""
        if torch.is_grad_enabled():
            a: Tensor = Residual.apply(x, C_u, y, self.W_T, self.b)  # type: ignore[no-untyped-call]
            return a
        return residual(x, C_u, y, self.W_T, self.b)


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
        return first.fold(c).reduced(), second.fold(c).reduced()

    @staticmethod
    def step(x: Float[Tensor, "U N C"], prepared: tuple[FoldedLinear, FoldedLinear]) -> Float[Tensor, "U N C"]:
        """GELU(ModLin_1(x)): the MLP up to its last ModLin."""
        return F.gelu(prepared[0](x))


@dataclass(frozen=True)
class PreparedAttention:
    """The weights of attention, head by head, and those of the output, codes folded in."""

    weights: AttentionWeights
    out: FoldedLinear


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
        """Fold the codes into q, k, v and the output, and the keys into the queries where that is the smaller product.

        A query in the place of a token and its key has C channels instead of twice d_key.
        """
        q, k, v = self.query.fold(c).W_T, self.key.fold(c).W_T, self.value.fold(c)
        q, k = (W_T.unflatten(2, (self.heads, self.key_features)).permute(2, 0, 1, 3) for W_T in (q, k))
        q, keys = q * self.key_features**-0.5, k
        if q.shape[2] < 2 * self.key_features:
            with torch.autocast(q.device.type, enabled=False):
                q, keys = q @ k.transpose(2, 3), None
        value, b_value = (self._with_ones(t, one) for t, one in ((v.W_T, 0.0), (v.b, 1.0)))
        b = None if position is None else position.transpose(0, 1).unsqueeze(2)
        q, value, b_value = (reduced(t).contiguous() for t in (q, value, b_value))
        keys, b = (None if t is None else reduced(t).contiguous() for t in (keys, b))
        return PreparedAttention(AttentionWeights(q, keys, value, b_value, b), self.out.fold(c).reduced())

    def _with_ones(self, t: Float[Tensor, "U n C"], one: float) -> Float[Tensor, "U n Hc1"]:
        """The values of every head, and behind them channels that are always 1, by their bias."""
        t = t.unflatten(2, (self.heads, t.shape[2] // self.heads))
        return F.pad(t, (0, ALIGNED - t.shape[3] % ALIGNED), value=one).flatten(2)

    def step(
        self,
        x: Float[Tensor, "S B V C"],
        compatibility: Float[Tensor, "U B V"],
        prepared: PreparedAttention,
        queries: int | None = None,
    ) -> Float[Tensor, "U BQ C"]:
        """Equations 6 to 8 up to the last ModLin, for the first ``queries`` tokens where that is all that is needed."""
        Q = x.shape[2] if queries is None else queries
        if torch.is_grad_enabled():
            y: Tensor = Attention.apply(x, compatibility, self.eps, Q, *prepared.weights)  # type: ignore[no-untyped-call]
            return y
        return attention(x, compatibility, prepared.weights, self.eps, Q)[0]

    @torch.no_grad()
    def attended(
        self, x: Float[Tensor, "S B V C"], compatibility: Float[Tensor, "U B V"], prepared: PreparedAttention
    ) -> Float[Tensor, "U B H V V"]:
        """Equation 7, formed explicitly for those who want to see it: W = W~ / (eps + sum_j W~)."""
        (B, V, _), U = x.shape[1:], len(compatibility)
        _, _, heads = attention(x, compatibility, prepared.weights, self.eps, V, keep=True)
        C_i = compatibility[:, :, None, :, None]
        C_j = compatibility[:, :, None, None, :]
        W = C_i * C_j * torch.stack([head.s.view(U, B, V, V) for head in heads], dim=2)
        return W / (self.eps + W.sum(dim=-1, keepdim=True))
