"""The two costly parts of a line of code, forward and backward, written out: attention and a weighted residual.

Autograd would keep and copy what is cheap to compute again: C_j v_j, what is added to a residual, heads side by side.
Here heads take turns, as in the paper, and the gradients stand beside what they are of. Nothing is kept where no
gradient is asked for. Second derivatives are not offered.

Symbols: S streams (U, or one for all functions), B samples, U functions, V tokens, Q of them asked for, H heads,
C channels, c = C / H, d channels of a query; c1 with ones; letters side by side are
axes in one: UB is U * B, Hc1 is H * c1.
"""

from typing import Any, NamedTuple, cast

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor
from torch.autograd.function import once_differentiable

#: Channels of values come in blocks of so many. Libraries pick kernels by how a matrix lies in memory, and where a
#: function's values lie would else depend on how many functions there are, and the last bit of their sums with it.
ALIGNED = 8


class AttentionWeights(NamedTuple):
    """What attention multiplies with, the codes folded in.

    Attributes:
        query: W_q of every head, with the factor 1/sqrt(d_key).
        key: W_k; None where it is folded into the queries, (W_q x_i) . (W_k x_j) = (W_k^T W_q x_i) . x_j, so that
            the tokens themselves are the keys.
        value: W_v; every head has channels more, which are always 1, so that C_j comes with C_j v_j. One would do;
            they fill up a block of ``ALIGNED``.
        b_value: the bias of the values.
        position: b_ij of relative positions; None without.
    """

    query: Float[Tensor, "H U C d"]
    key: Float[Tensor, "H U C d"] | None
    value: Float[Tensor, "U C Hc1"]
    b_value: Float[Tensor, "U 1 Hc1"]
    position: Float[Tensor, "H U 1 V V"] | None


def rows(x: Float[Tensor, "S B V C"], U: int, dtype: torch.dtype) -> Float[Tensor, "U BV C"]:
    """The tokens that each function reads: x_ui = x_i where there is one stream for all."""
    B, V, C = x.shape[1:]
    return x.to(dtype).expand(U, -1, -1, -1).reshape(U, B * V, C).contiguous()


def leading(x: Float[Tensor, "U BV C"], B: int, Q: int) -> Float[Tensor, "U BQ C"]:
    """The first Q tokens of every sample."""
    U, BV, C = x.shape
    return x if B * Q == BV else x.view(U, B, BV // B, C)[:, :, :Q].reshape(U, B * Q, C)


def softmax(
    q: Float[Tensor, "UB Q d"], k: Float[Tensor, "UB V d"], position: Float[Tensor, "U 1 V V"] | None
) -> Float[Tensor, "UB Q V"]:
    """softmax_j(q_i . k_j / sqrt(d_key) + b_ij) of one head, the bracket of Equation 7; no gradient passes."""
    if position is None:
        return torch.bmm(q, k.transpose(1, 2)).softmax(dim=-1)
    U, Q, V = len(position), q.shape[1], k.shape[1]
    b = q.new_empty(U, len(q) // max(1, U), Q, V).copy_(position[:, :, :Q]).view(-1, Q, V)
    return torch.baddbmm(b, q, k.transpose(1, 2), out=b).softmax(dim=-1)


class Head(NamedTuple):
    """One head: queries, keys (none where they are the tokens), softmax and its sums of (C_j v_j, C_j)."""

    q: Float[Tensor, "UB Q d"]
    k: Float[Tensor, "UB V d"] | None
    s: Float[Tensor, "UB Q V"]
    summed: Float[Tensor, "UB Q c1"]


def attention(
    x: Float[Tensor, "S B V C"],
    compatibility: Float[Tensor, "U B V"],
    weights: AttentionWeights,
    eps: float,
    Q: int,
    *,
    keep: bool = False,
) -> tuple[Float[Tensor, "U BQ C"], Float[Tensor, "UB V H c1"], list[Head]]:
    """Equations 6 to 8 up to the last ModLin, for the first Q tokens; with ``keep``, also what the gradients need.

    W of Equation 7 is never formed. With s = softmax_j(...), sum_j W_ij v_j =
    C_i sum_j s_ij C_j v_j / (eps + C_i sum_j s_ij C_j): one product of s with the columns (C_j v_j, C_j) gives
    numerator and denominator, and it is exact in eps.
    """
    (B, V, C), U, H = x.shape[1:], len(compatibility), len(weights.query)
    x = rows(x, U, weights.value.dtype)
    asked, tokens = leading(x, B, Q), x.view(U * B, V, C)
    C_j = compatibility.to(x.dtype).reshape(U * B, V, 1, 1)
    C_i = C_j[:, :Q, 0]
    v = torch.baddbmm(weights.b_value, x, weights.value).view(U * B, V, H, weights.value.shape[-1] // H)
    columns, c = v * C_j, C // H
    y, heads = x.new_empty(U * B, Q, H, c), []
    for h, W_q in enumerate(weights.query):
        q = torch.bmm(asked, W_q).view(U * B, Q, W_q.shape[-1])
        k = None if weights.key is None else torch.bmm(x, weights.key[h]).view(U * B, V, W_q.shape[-1])
        s = softmax(q, tokens if k is None else k, None if weights.position is None else weights.position[h])
        summed = torch.bmm(s, columns[:, :, h])
        torch.mul(summed[..., :c], C_i / (eps + C_i * summed[..., c : c + 1]), out=y[:, :, h])
        if keep:
            heads.append(Head(q, k, s, summed))
    return y.view(U, B * Q, C), v, heads


class Attention(torch.autograd.Function):
    """``attention`` with its gradients."""

    @staticmethod
    def forward(
        ctx: Any, x: Tensor, compatibility: Tensor, eps: float, Q: int, *weights: Tensor | None
    ) -> Float[Tensor, "U BQ C"]:
        """The same numbers, of the shapes of ``attention``; kept are q, softmax and sums of every head, and v."""
        named = AttentionWeights(*cast(tuple[Any, ...], weights))
        y, v, heads = attention(x, compatibility, named, eps, Q, keep=True)
        ctx.save_for_backward(x, compatibility, *weights, v, *(t for head in heads for t in head))
        ctx.eps = eps
        return y

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, dy: Float[Tensor, "U BQ C"]) -> tuple[Tensor | None, ...]:
        """Gradients, each named d and what it is of, whose shape it has."""
        x, compatibility, *rest = ctx.saved_tensors
        weights, v, rest = AttentionWeights(*rest[:5]), rest[5], rest[6:]
        heads = [Head(*rest[i : i + 4]) for i in range(0, len(rest), 4)]
        (S, B, V, C), (H, U, _, d), Q = x.shape, weights.query.shape, heads[0].s.shape[1]
        x = rows(x, U, v.dtype)
        tokens, asked = x.view(U * B, V, C), leading(x, B, Q)
        C_j = compatibility.to(v.dtype).reshape(U * B, V, 1, 1)
        C_i, columns, c, c1 = C_j[:, :Q, 0], v * C_j, C // H, v.shape[-1]
        dy = dy.to(v.dtype).reshape(U * B, Q, H, c)
        dx, dasked, dcolumns = torch.zeros_like(x), torch.zeros_like(asked), torch.empty_like(v)
        dC = torch.zeros_like(compatibility).view(U * B, V, 1)
        dquery = torch.empty_like(weights.query)
        dkey = None if weights.key is None else torch.empty_like(weights.key)
        dposition = None if weights.position is None else torch.zeros_like(weights.position)
        for h, head in enumerate(heads):
            share = 1 / (ctx.eps + C_i * head.summed[..., c : c + 1])
            along = (dy[:, :, h] * head.summed[..., :c]).sum(dim=-1, keepdim=True)
            dC[:, :Q] += along * (ctx.eps * share * share)
            share = share * C_i
            dsummed = F.pad(torch.cat((dy[:, :, h] * share, -along * share * share), dim=-1), (0, c1 - c - 1))
            dcolumns[:, :, h] = torch.bmm(head.s.transpose(1, 2), dsummed)
            ds = torch.bmm(dsummed, columns[:, :, h].transpose(1, 2))
            dscores = torch.ops.aten._softmax_backward_data(ds, head.s, -1, ds.dtype)
            if dposition is not None:
                dposition[h, :, 0, :Q] = dscores.view(U, B, Q, V).sum(dim=1)
            dq = torch.bmm(dscores, tokens if head.k is None else head.k).view(U, B * Q, d)
            torch.bmm(asked.transpose(1, 2), dq, out=dquery[h])
            dasked.baddbmm_(dq, weights.query[h].transpose(1, 2))
            if weights.key is None or dkey is None:
                dx.view(U * B, V, C).baddbmm_(dscores.transpose(1, 2), head.q)
            else:
                dk = torch.bmm(dscores.transpose(1, 2), head.q).view(U, B * V, d)
                torch.bmm(x.transpose(1, 2), dk, out=dkey[h])
                dx.baddbmm_(dk, weights.key[h].transpose(1, 2))
        dC += (dcolumns * v).sum(dim=(2, 3))[..., None]
        dv = dcolumns.mul_(C_j).view(U, B * V, H * c1)
        dx.baddbmm_(dv, weights.value.transpose(1, 2))
        dx.view(U, B, V, C)[:, :, :Q] += dasked.view(U, B, Q, C)
        dvalue = torch.bmm(x.transpose(1, 2), dv)
        dx = dx.view(U, B, V, C) if S == U else dx.view(U, B, V, C).sum(dim=0, keepdim=True)
        given = (dquery, dkey, dvalue, dv.sum(dim=1, keepdim=True), dposition)
        return dx.to(ctx.saved_tensors[0].dtype), dC.view(U, B, V), None, None, *given


def residual(
    x: Float[Tensor, "S B Q C"],
    compatibility: Float[Tensor, "U B Q"],
    y: Float[Tensor, "U BQ C"],
    W_T: Float[Tensor, "U C C"],
    b: Float[Tensor, "U 1 C"],
) -> Float[Tensor, "U B Q C"]:
    """x + C (W y + b), one half of a line of code: Equation 9 or 10."""
    added = torch.baddbmm(b, y, W_T).view(*compatibility.shape, x.shape[-1])
    if added.dtype != x.dtype:
        added = added.to(x.dtype)
    return torch.addcmul(x, compatibility.to(x.dtype)[..., None], added, out=added)


class Residual(torch.autograd.Function):
    """``residual`` with its gradients. What is added is not kept: its gradient by C is <dy, y> + <da, b>."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, compatibility: Tensor, y: Tensor, W_T: Tensor, b: Tensor) -> Tensor:
        """The same numbers, of the shapes that ``residual`` takes."""
        ctx.save_for_backward(compatibility, y, W_T, b)
        ctx.streams = len(x)
        return residual(x, compatibility, y, W_T, b)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, da: Float[Tensor, "U B Q C"]) -> tuple[Tensor, ...]:
        """Gradients, each named d and what it is of, whose shape it has."""
        compatibility, y, W_T, b = ctx.saved_tensors
        U, B, Q, C = da.shape
        C_u = compatibility.to(y.dtype).reshape(U, B * Q, 1)
        d = da.to(y.dtype).reshape(U, B * Q, C)
        dy = torch.bmm(d, W_T.transpose(1, 2))
        dC = (dy * y).sum(dim=-1, keepdim=True) + torch.bmm(d, b.transpose(1, 2))
        dW_T = torch.bmm((y * C_u).transpose(1, 2), d)
        db = torch.bmm(C_u.transpose(1, 2), d)
        dx = da if ctx.streams == U else da.sum(dim=0, keepdim=True)
        return dx, dC.view(U, B, Q).to(compatibility.dtype), dy.mul_(C_u), dW_T, db
