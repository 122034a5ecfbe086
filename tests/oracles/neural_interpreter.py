"""The Neural Interpreter, literally: one function per equation of the paper, plain loops, no shortcut.

Gondal et al., "Dynamic Inference with Neural Interpreters" (NeurIPS 2021), Eq. 1-14 and, for relative positions,
Eq. 20-24 of its appendix C.2.3. Where the paper is ambiguous or contradicts itself the reading is named in the
docstring. This file is the oracle of the tests: it is written from the paper and shares no code with `core`.

Weights are a flat dictionary of tensors; linear weights are (out, in). U functions, V set elements, C channels:

    script.S.signatures (U, d_type)    script.S.codes (U, d_code)    script.S.sigma ()
    script.S.type_inference.norm.{weight,bias} (C)                   script.S.type_inference.linear.N.{weight,bias}
    script.S.loc.L.norm_attention.{weight,bias} (C)                  script.S.loc.L.norm_mlp.{weight,bias} (C)
    script.S.loc.L.{query,key}.{W,W_c}                               script.S.loc.L.{value,out,mlp.N}.{W,W_c,b}

and, with relative positions, for each AXIS of row and column (D embedding features, R = 2 * extent - 1 differences):

    script.S.loc.L.position.AXIS.embedding (R, D)    script.S.loc.L.position.AXIS.head (H, D)
    script.S.loc.L.position.AXIS.function (H, d_code)                when relative_position is "shared"
    script.S.loc.L.position.AXIS.modlin.{W,W_c,b}                    when it is "modlin"
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import torch
from torch import Tensor

from tests.oracles.neural_attentive_circuit import gelu, layer_norm

Weights = Mapping[str, Tensor]


@dataclass(frozen=True)
class Settings:
    """What the weights alone do not say.

    `residual` names the reading of Eq. 11; `grid` is (rows, columns) of the elements that have a position: they come
    last, row by row, after `elements without a position` (CLS tokens).
    """

    scripts: int
    iterations: int
    locs: int
    heads: int
    tau: float
    residual: str
    eps: float = 1e-6
    relative_position: str | None = None
    grid: tuple[int, int] | None = None


@dataclass
class Step:
    """What one function iteration computed: C (B, U, V), t (B, V, d_type), W per LOC (B, U, H, V, V), y (B, V, C)."""

    compatibility: Tensor
    types: Tensor
    output: Tensor
    attention: list[Tensor] = field(default_factory=list)


# ---------------------------------------------------------------------------------------------- plain parts


def normalise(x: Tensor) -> Tensor:
    """A vector of length one along the last axis: a point on the hypersphere T."""
    return x / torch.sqrt((x**2).sum(dim=-1, keepdim=True))


# ---------------------------------------------------------------------------------- type inference and matching


def type_inference(w: Weights, script: str, x: Tensor) -> Tensor:
    """Eq. 2, left: t_i = TypeInference(x_i). LayerNorm, an MLP with GELU between its layers, L2 normalisation."""
    prefix = f"{script}.type_inference"
    t = layer_norm(x, w[f"{prefix}.norm.weight"], w[f"{prefix}.norm.bias"])
    depth = 0
    while f"{prefix}.linear.{depth}.weight" in w:
        depth += 1
    for n in range(depth):
        t = t @ w[f"{prefix}.linear.{n}.weight"].T + w[f"{prefix}.linear.{n}.bias"]
        if n < depth - 1:
            t = gelu(t)
    return normalise(t)


def distance(s_u: Tensor, t: Tensor) -> Tensor:
    """Eq. 2, right: d(s_u, t_i) = 1 - s_u . t_i, the signature normalised where it is used. Returns (B, V)."""
    return 1.0 - t @ normalise(s_u)


def compatibility(signatures: Tensor, sigma: Tensor, tau: float, eps: float, t: Tensor) -> Tensor:
    """Eq. 3 with its sign as section A.1.3 has it: kept where d <= tau, 0 where d > tau. Returns (B, U, V)."""
    kernel = []
    for s_u in signatures:
        d = distance(s_u, t)
        kernel.append(torch.where(d <= tau, torch.exp(-d / sigma), torch.zeros_like(d)))
    c_tilde = torch.stack(kernel, dim=1) if kernel else t.new_zeros(t.shape[0], 0, t.shape[1])
    return c_tilde / (eps + c_tilde.sum(dim=1, keepdim=True))


# -------------------------------------------------------------------------------------------- modulated layers


def mod_lin(w: Weights, layer: str, x: Tensor, c: Tensor) -> Tensor:
    """Eq. 4: W (x * LayerNorm(W_c c)) + b. That LayerNorm has no weight and bias; queries and keys have no b."""
    y = (x * layer_norm(w[f"{layer}.W_c"] @ c)) @ w[f"{layer}.W"].T
    return y + w[f"{layer}.b"] if f"{layer}.b" in w else y


def mod_mlp(w: Weights, mlp: str, x: Tensor, c: Tensor) -> Tensor:
    """Eq. 5: ModLin layers with GELU between them and none after the last."""
    depth = 0
    while f"{mlp}.{depth}.W" in w:
        depth += 1
    for n in range(depth):
        x = mod_lin(w, f"{mlp}.{n}", x, c)
        if n < depth - 1:
            x = gelu(x)
    return x


# ------------------------------------------------------------------------------------------ relative positions


def position_on_axis(w: Weights, axis: str, form: str, h: int, c: Tensor) -> Tensor:
    """Eq. 20-23 for one axis and head: e^h[difference] + p^uh[difference], for every difference. Returns (R,).

    e^h is w^h . e[difference] (Eq. 20, 21). p^uh is ModLin^h(e[difference]; c_u) as printed (Eq. 22, 23, form
    "modlin"), or the cheaper v^h . c_u of the authors' code (form "shared").
    """
    e = w[f"{axis}.embedding"]
    bias = e @ w[f"{axis}.head"][h]
    if form == "modlin":
        return bias + mod_lin(w, f"{axis}.modlin", e, c)[:, h]
    if form == "shared":
        return bias + w[f"{axis}.function"][h] @ c
    raise ValueError(f"unknown relative position form {form!r}")


def position_bias(w: Weights, loc: str, settings: Settings, elements: int, h: int, c: Tensor) -> Tensor:
    """Eq. 24: b^uh[i2 - i1, j2 - j1] between the elements (receiver 1, sender 2). Returns (V, V).

    The elements without a position (CLS tokens, first) neither receive nor give a bias.
    """
    bias = torch.zeros(elements, elements, dtype=c.dtype, device=c.device)
    if settings.relative_position is None:
        return bias
    assert settings.grid is not None
    rows, columns = settings.grid
    on_row = position_on_axis(w, f"{loc}.position.row", settings.relative_position, h, c)
    on_column = position_on_axis(w, f"{loc}.position.column", settings.relative_position, h, c)
    patches = torch.arange(rows * columns)
    i, j = patches // columns, patches % columns
    from_row, from_column = i[None, :] - i[:, None] + rows - 1, j[None, :] - j[:, None] + columns - 1
    first = elements - rows * columns
    bias[first:, first:] = on_row[from_row] + on_column[from_column]
    return bias


# -------------------------------------------------------------------------------------- attention, LOC, interpreter


def attention_weights(q: Tensor, k: Tensor, bias: Tensor, c_ui: Tensor, eps: float) -> Tensor:
    """Eq. 7 for one function and head, with the sum over j that is missing in print. Returns (B, V, V).

    The relative-position bias is added to the scaled scores, in front of the softmax.
    """
    scores = torch.einsum("bid,bjd->bij", q, k) / math.sqrt(q.shape[-1]) + bias
    softmax = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
    softmax = softmax / softmax.sum(dim=-1, keepdim=True)
    w_tilde = c_ui[:, :, None] * c_ui[:, None, :] * softmax
    return w_tilde / (eps + w_tilde.sum(dim=-1, keepdim=True))


def mod_attn(w: Weights, loc: str, settings: Settings, x: Tensor, c: Tensor, c_ui: Tensor) -> tuple[Tensor, Tensor]:
    """Eq. 6-8 for one function: y_i = ModLin(heads folded into channels). x (B, V, C), C_ui (B, V).

    Returns y (B, V, C) and W (B, H, V, V).
    """
    q = mod_lin(w, f"{loc}.query", x, c).chunk(settings.heads, dim=-1)
    k = mod_lin(w, f"{loc}.key", x, c).chunk(settings.heads, dim=-1)
    v = mod_lin(w, f"{loc}.value", x, c).chunk(settings.heads, dim=-1)
    mixed, weights = [], []
    for h in range(settings.heads):
        bias = position_bias(w, loc, settings, x.shape[1], h, c)
        weight = attention_weights(q[h], k[h], bias, c_ui, settings.eps)
        mixed.append(torch.einsum("bij,bjd->bid", weight, v[h]))
        weights.append(weight)
    return mod_lin(w, f"{loc}.out", torch.cat(mixed, dim=-1), c), torch.stack(weights, dim=1)


def line_of_code(w: Weights, loc: str, settings: Settings, x: Tensor, c: Tensor, c_ui: Tensor) -> tuple[Tensor, Tensor]:
    """Eq. 9 and 10 for one function: two residual halves, each weighted by C_ui. Returns y (B, V, C) and W."""
    normed = layer_norm(x, w[f"{loc}.norm_attention.weight"], w[f"{loc}.norm_attention.bias"])
    a_tilde, weights = mod_attn(w, loc, settings, normed, c, c_ui)
    a = x + c_ui[:, :, None] * a_tilde
    b_tilde = mod_mlp(w, f"{loc}.mlp", layer_norm(a, w[f"{loc}.norm_mlp.weight"], w[f"{loc}.norm_mlp.bias"]), c)
    return a + c_ui[:, :, None] * b_tilde, weights


def interpreter(w: Weights, script: str, settings: Settings, x: Tensor, c_all: Tensor) -> tuple[Tensor, list[Tensor]]:
    """Eq. 11, in its three readings, from x (B, V, C) and C (B, U, V). Returns y (B, V, C) and W per LOC.

    "printed": x_i + sum_u C_ui LOC(x)_i; "none": the sum alone; "passthrough": x_i + sum_u C_ui (LOC(x)_i - x_i).
    """
    y = torch.zeros_like(x) if settings.residual == "none" else x
    weights: list[list[Tensor]] = [[] for _ in range(settings.locs)]
    for u, c in enumerate(w[f"{script}.codes"]):
        c_ui = c_all[:, u]
        stream = x
        for n in range(settings.locs):
            stream, attended = line_of_code(w, f"{script}.loc.{n}", settings, stream, c, c_ui)
            weights[n].append(attended)
        if settings.residual == "passthrough":
            y = y + c_ui[:, :, None] * (stream - x)
        elif settings.residual in ("printed", "none"):
            y = y + c_ui[:, :, None] * stream
        else:
            raise ValueError(f"unknown residual {settings.residual!r}")
    return y, [torch.stack(w_l, dim=1) for w_l in weights if w_l]


def function_iteration(
    w: Weights, script: str, settings: Settings, x: Tensor, muted: tuple[int, ...] = ()
) -> tuple[Tensor, Step]:
    """Eq. 12 and 13: type matching, then the interpreter. The C of `muted` functions becomes 0 after Eq. 3."""
    t = type_inference(w, script, x)
    c_all = compatibility(w[f"{script}.signatures"], w[f"{script}.sigma"].to(x.dtype), settings.tau, settings.eps, t)
    for u in muted:
        c_all = c_all.clone()
        c_all[:, u] = 0.0
    y, weights = interpreter(w, script, settings, x, c_all)
    return y, Step(c_all, t, y, weights)


def neural_interpreter(
    w: Weights,
    settings: Settings,
    x: Tensor,
    iterations: int | None = None,
    muted: Mapping[int, tuple[int, ...]] | None = None,
) -> tuple[Tensor, list[list[Step]]]:
    """Eq. 1 and 14: scripts in a row, each the same function iteration repeated. x (B, V, C).

    `iterations` per script replaces the setting; `muted` names functions by script. Returns y (B, V, C) and the
    trace [script][iteration].
    """
    trace: list[list[Step]] = []
    for s in range(settings.scripts):
        trace.append([])
        for _ in range(settings.iterations if iterations is None else iterations):
            x, step = function_iteration(w, f"script.{s}", settings, x, (muted or {}).get(s, ()))
            trace[-1].append(step)
    return x, trace


def drop_functions(w: Weights, script: int, functions: tuple[int, ...]) -> dict[str, Tensor]:
    """The weights without the signatures and codes of these functions: what "drop" means (C is renormalised)."""
    dropped = dict(w)
    for name in ("signatures", "codes"):
        rows = w[f"script.{script}.{name}"]
        stay = [u for u in range(rows.shape[0]) if u not in functions]
        dropped[f"script.{script}.{name}"] = rows[stay]
    return dropped
