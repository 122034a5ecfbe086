"""ModFC and ModFFN: fully connected layers that a code vector programs.

*Neural Attentive Circuits* (Rahaman, Weiss et al., NeurIPS 2022), Equation 1. Symbols: B samples, U modules. Many
modules with one state each share W, so that the code multiplies the layer's input and is not folded into W. Each
layer is split into ``prepare``, which depends on parameters and codes alone, and ``step``, which reads like the paper.
"""

import math
from dataclasses import dataclass, replace
from typing import Self

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int64
from torch import Tensor, nn

from routescope.nn.prepared import Cast


def modulated(
    x: Float[Tensor, "*B C"], scale: Float[Tensor, "*S C"] | None, *, ours: bool = False
) -> Float[Tensor, "*B C"]:
    """x * scale, whose leading axes are the last ones of B; x itself where there is no scale.

    Where x is ``ours``, nobody else holds it: it is written over, unless gradients are wanted.
    """
    if scale is None:
        return x
    if not ours or torch.is_grad_enabled() or x.dtype != scale.dtype:
        return x.to(scale.dtype) * scale
    return x.mul_(scale)


@dataclass(frozen=True)
class PreparedFC:
    """A ModFC layer ready to be applied; ``scale`` is 1 + alpha LayerNorm(W_c c), None where codes program nothing.

    Where every sample has codes of its own, ``scale`` has an axis of samples before that of the modules.
    """

    W: Float[Tensor, "d_out d_in"]
    b: Float[Tensor, " d_out"] | None
    scale: Float[Tensor, "*S U d_in"] | None

    def __call__(self, x: Float[Tensor, "*B U d_in"], *, ours: bool = False) -> Float[Tensor, "*B U d_out"]:
        """Equation 1. Where x is ``ours``, nobody else holds it, and it may be written over."""
        return F.linear(modulated(x, self.scale, ours=ours).to(self.W.dtype), self.W, self.b)

    def of(self, rows: Int64[Tensor, " B"]) -> Self:
        """For samples whose codes are those at ``rows`` along the axis of samples."""
        return replace(self, scale=None if self.scale is None else self.scale[rows])


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

    def scale(self, c: Float[Tensor, "*S U d_code"]) -> Float[Tensor, "*S U d_in"] | None:
        """1 + alpha LayerNorm(W_c c): what each module's code multiplies the layer's input with."""
        if self.W_c is None or self.alpha is None:
            return None
        d_in = self.W.shape[1]  # alpha and 1 are given to LayerNorm as its weights: one pass over memory, not three
        return F.layer_norm(F.linear(c, self.W_c), (d_in,), self.alpha.expand(d_in), self.W.new_ones(d_in))

    def prepare(self, c: Float[Tensor, "*S U d_code"], cast: Cast) -> PreparedFC:
        """The layer with each module's own scale."""
        scale = self.scale(c)
        return PreparedFC(
            cast(self.W), None if self.b is None else cast(self.b), None if scale is None else cast(scale)
        )

    def forward(self, x: Float[Tensor, "*B U d_in"], c: Float[Tensor, "*S U d_code"]) -> Float[Tensor, "*B U d_out"]:
        """Equation 1 with module u's code for x[..., u, :]."""
        return F.linear(modulated(x, self.scale(c)), self.W, self.b)


@dataclass(frozen=True)
class PreparedFFN:
    """Both layers of a ModFFN."""

    inner: PreparedFC
    outer: PreparedFC

    def of(self, rows: Int64[Tensor, " B"]) -> Self:
        """For samples whose codes are those at ``rows`` along the axis of samples."""
        return replace(self, inner=self.inner.of(rows), outer=self.outer.of(rows))


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

    def prepare(self, c: Float[Tensor, "*S U d_code"], cast: Cast) -> PreparedFFN:
        """Both layers with the scales that the codes give."""
        return PreparedFFN(self.inner.prepare(c, cast), self.out.prepare(c, cast))

    def step(self, x: Float[Tensor, "B U C"], prepared: PreparedFFN) -> Float[Tensor, "B U C"]:
        """Value times GELU of gate, between the two layers."""
        value, gate = prepared.inner(self.norm(x), ours=True).chunk(2, dim=-1)
        gate = F.gelu(gate)
        hidden = value * gate if torch.is_grad_enabled() else gate.mul_(value)
        return x + prepared.outer(hidden, ours=True)
